"""Forged pages: whoever changes what a reader sees is told of, and no page exhausts the program.

A page of the template is changed in one place. It may then no longer hold, or it may not be said
to hold because something on it is unknown; only what a reader cannot be misled by may pass.
"""

import json
import re
import subprocess
import sys

import nbformat
import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.report import verify
from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.report.page.digests import with_digests
from nbcompare.report.page.embedded import script_safe
from nbcompare.report.page.markup import read_markup
from nbcompare.report.page.templates import digest_of_code, known_code, template_folder
from nbcompare.results._json import digest

NAMES = ("tree", "forest", "net")
DATA = nbc.Experiment.from_array(
    np.random.default_rng(3).normal([0, 0.4, 1.1], size=(8, 3)).round(2),
    direction="minimize",
    algorithms=NAMES,
)
RESULT = nbc.compare(DATA)


def page_of(*shown, prose="Some *text* with `code`, $x_1^2$ and a [link](https://example.org)."):
    cells = [nbformat.v4.new_markdown_cell(f"# Report\n\n{prose}\n\n## Part")]
    for one in shown:
        bundle = one if isinstance(one, dict) else one._repr_mimebundle_()
        output = nbformat.v4.new_output("display_data", bundle)
        cells.append(nbformat.v4.new_code_cell("show()", outputs=[output]))
    return ReportHTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=cells))[0]


PAGE = page_of(DATA, RESULT, RESULT.section("ranks"))
CELL = '<div class="cell" id="forged">'
FAKE = "<table><tr><td>tree</td><td>1.000</td></tr></table>"
RANK = re.search(r'<td class="num">(\d\.\d{3})</td>', PAGE[PAGE.index("Average ranks") :])[1]
DISPLAY = re.search(
    r'<div class="cell[^>]*>\s*<details(?:(?!</details>).)*</details>\s*(<div [^>]*'
    r"data-nbcompare-result.*?</div>\s*</div>)",
    PAGE,
    re.DOTALL,
)[1]


def swapped(old, new, text=PAGE):
    assert old in text
    return text.replace(old, new, 1)


def in_cell(more):
    """A further cell, with markup of the forger."""
    return swapped("</main>", f"{CELL}{more}</div></main>")


def around(start, end):
    """The first display of the result, within other elements."""
    return swapped(DISPLAY, f"{start}{DISPLAY}{end}")


def after_rank(more):
    return swapped(f">{RANK}</td>", f">{RANK}{more}</td>")


def in_head(more):
    return swapped("</head>", f"{more}</head>")


STYLE = "<style>.num { font-size: 0 } .num::after { content: '1.000'; font-size: 1rem }</style>"
# What a forger tried, and the page that came of it
FORGED = {
    "a hidden number beside the shown": after_rank("<button hidden>9.9</button>"),
    "a number in a button": after_rank("<button>0.001</button>"),
    "a number in a script": after_rank("<script>0.001</script>"),
    "a number in a style": after_rank("<style>/* 0.001 */</style>"),
    "a number replaced, the old one hidden": swapped(
        f">{RANK}</td>", f">1.000<span style='display:none'>{RANK}</span></td>"
    ),
    "a number as an image": swapped(f">{RANK}</td>", '><img src="data:," alt="1.000"></td>'),
    "a hidden cell": swapped('<td class="num">', '<td class="num" hidden>'),
    "a style in a cell": swapped('<td class="num">', '<td class="num" style="color:white">'),
    "a column struck out": swapped("<tbody>", "<tbody style='visibility:collapse'>"),
    "a class that hides": swapped('<td class="num">', '<td class="num said">'),
    "a class of cells that are not chosen": swapped('<td class="num">', '<td class="num off">'),
    "LaTeX that is copied": re.sub(r'(data-latex="[^"]*?)\d\.\d{3}', r"\g<1>1.000", PAGE, count=1),
    "a style sheet in the head": in_head(STYLE),
    "a style sheet in a cell": in_cell(STYLE),
    "a linked style sheet": in_head('<link rel="stylesheet" href="data:text/css,.num{color:red}">'),
    "the style sheet of the page": swapped(
        "th, td { padding", ".num { opacity: 0 } th, td { padding"
    ),
    "the script of the page": swapped(
        "const main =", "document.querySelectorAll('.num').forEach((n) => n.remove()); const main ="
    ),
    "a script": in_cell("<script>document.querySelector('.num').textContent = '1';</script>"),
    "a script called JSON": in_cell('<script type="application/json"><p></script>'),
    "an attribute with a script": in_cell("<p onclick='x()'>Text.</p>"),
    "a script when an image fails": in_cell('<img src="data:," alt="" onerror="x()">'),
    "a link to a script": in_cell('<a href="java\tscript:x()">More</a>'),
    "a frame": in_cell('<iframe srcdoc="1.000"></iframe>'),
    "an object": in_cell('<object data="data:text/html,1.000"></object>'),
    "another page at once": in_head('<meta http-equiv="refresh" content="0;url=data:text/html,x">'),
    "a base for links": in_head('<base href="https://example.org/">'),
    "a cover": in_cell(f'<div style="position:fixed;top:0">{FAKE}</div>'),
    "a cover by a class": in_cell(f'<div class="skip">{FAKE}</div>'),
    "a cover by a second main part": swapped("</main>", f"</main><main>{FAKE}</main>"),
    "a cover by a second header": swapped("<main", f"<header>{FAKE}</header><main"),
    "text beside all parts": swapped("<footer>", "The tree is best. <footer>"),
    "a drawing": in_cell('<svg viewBox="0 0 9 9"><text y="5">1.000</text></svg>'),
    "a formula on top": in_cell(
        '<math><mpadded voffset="3em"><mtext>1.000</mtext></mpadded></math>'
    ),
    "a formula that steps back": in_cell('<math><mspace width="-9em"></mspace><mn>1</mn></math>'),
    "a display that is folded": around("<details><summary>Old</summary>", "</details>"),
    "a display that is hidden": around("<div hidden>", "</div>"),
    "a display out of sight": around('<div class="said">', "</div>"),
    "a row that a filter hides": in_cell('<table><tr class="off"><td>1.000</td></tr></table>'),
    "a box that scrolls": in_cell('<div class="rows"><p>Text.</p></div>'),
    "code that is hidden": swapped(
        '<main id="main-text">', '<main class="code-apart" id="main-text">'
    ),
    "a display in a template": around("<template>", "</template>"),
    "a display without scripts only": around("<noscript>", "</noscript>"),
    "a display in a text field": around("<textarea>", "</textarea>"),
    "a display in a table": around("<table><tr><td>", "</td></tr></table>"),
    "a display in a cell of a hidden class": swapped('<div class="cell"', '<div class="cell said"'),
    "a display in a comment": around("<!--", "-->"),
    "a display in a careless comment": around("<!-->", "<!-- -->"),
    "a display in a declaration": around("<![CDATA[", "]]>"),
    "an element that does not end": in_cell("<b>The tree is best."),
    "an end that closes nothing": in_cell("</div></main>"),
    "a tag that some read otherwise": in_cell('<p title="a"b="c">Text.</p>'),
    "an attribute twice": in_cell('<p class="a" class="said">Text.</p>'),
    "a tag that never ends": swapped("</html>", "</html><p title='"),
    "a body of its own": in_cell("<body hidden>"),
    "a field to be filled": in_cell('<input value="1.000">'),
    "a table hidden by right to left": swapped("<main", '<main dir="rtl"'),
    "a page that hides all": swapped("<body", "<body hidden"),
    "values of 0": in_cell("\x00<p>1.000</p>"),
    "an unknown element": in_cell("<x-rank>1.000</x-rank>"),
    "a caption": swapped("Average ranks", "Average ranks of runs"),
    "a caption beside the number of the table": swapped(
        "</span> Average", "</span><b>Best:</b> Average"
    ),
    "a footnote": swapped("</tbody>", "</tbody><tfoot><tr><td>The tree is best.</td></tr></tfoot>"),
    "scores": swapped("-0.", "0."),
    "another display's section": swapped(
        'data-nbcompare-section="ranks"', 'data-nbcompare-section="omnibus"'
    ),
    "digits": swapped(
        'tex2jax_ignore mathjax_ignore"', 'mathjax_ignore" data-nbcompare-digits="2"'
    ),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "page.html"


def test_the_page_itself_holds(path):
    path.write_text(PAGE, encoding="utf-8")
    found = verify(path, data=DATA)
    assert found.holds
    assert found.unchecked == ()


def recomputed(text):
    """The page as a forger leaves it who recomputes the digests too."""
    script = r'<script type="application/json" id="nbcompare-digests">.*?</script>'
    return with_digests(re.sub(script, "", text, flags=re.DOTALL))


@pytest.mark.parametrize("skill", [str, recomputed])
@pytest.mark.parametrize("text", FORGED.values(), ids=FORGED)
def test_forged(path, text, skill):
    assert text != PAGE
    path.write_text(skill(text), encoding="utf-8")
    found = verify(path, data=DATA)
    assert not found.holds
    assert not found.sentences[0].startswith("The report holds")


ADDED = {
    "a second plain table": (in_cell(FAKE), "a table"),
    "a figure": (
        in_cell('<figure><img src="data:," alt="x"></figure>'),
        "a figure",
    ),
    "printed numbers": (
        in_cell('<pre class="text">1.000</pre>'),
        "a printed output",
    ),
    "a sentence": (in_cell("<p>The tree is best.</p>"), "a paragraph"),
}


@pytest.mark.parametrize(("text", "added"), ADDED.values(), ids=ADDED)
def test_what_was_added_to_the_page_is_told(path, text, added):
    path.write_text(text, encoding="utf-8")
    found = verify(path, data=DATA)
    assert not found.holds
    assert found.all_problems == found.unchecked == ()
    assert found.sentences[0].startswith("The report does not hold, because it was changed since")
    assert found.changed[0].startswith(f'{added} under "References" was inserted')
    path.write_text(recomputed(text), encoding="utf-8")
    again = verify(path, data=DATA)
    assert again.holds
    assert again.unchanged


def test_a_comment_is_nothing(path):
    path.write_text(in_cell("<!-- plain -->").replace(CELL, "").replace("--></div>", "-->"))
    assert verify(path, data=DATA).holds


def test_a_page_without_digests_is_not_checked_as_a_whole(path, capsys):
    text = re.sub(r'<script type="application/json" id="nbcompare-digests">.*?</script>', "", PAGE)
    path.write_text(text, encoding="utf-8")
    found = verify(path, data=DATA)
    assert not found.holds
    assert found.all_problems == ()
    assert "no digests say what its text and figures were at export" in found.unchecked[0]
    assert "Text that is not part of a result is not compared." in found.remarks
    for damaged in ('"form":1', '"form":2'), ('"frames":[', '"frames":[1,'), ('"pieces":', '"x":'):
        path.write_text(swapped(*damaged), encoding="utf-8")
        found = verify(path, data=DATA)
        assert "the digests of the page are damaged" in found.unchecked[-1]


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ({"text/html": "<div id='plot'></div><script>Plotly.newPlot('plot')</script>"}, "a script"),
        ({"text/html": "<style>#T_1 td { color: red }</style><table></table>"}, "a style sheet"),
        ({"application/javascript": "element.append('x')"}, "a script"),
    ],
)
def test_what_is_unknown_is_not_called_forged(path, shown, told, capsys):
    path.write_text(page_of(RESULT, shown), encoding="utf-8")
    found = verify(path, data=DATA)
    assert found.all_problems == ()
    assert any(told in one for one in found.unchecked)
    assert found.sentences[0].startswith(
        "The results hold, but the page could not be checked as a whole"
    )
    assert repr(found) == "<Verification: 1 result, results hold>"
    scores = path.with_name("scores.csv")
    DATA.to_frame().to_csv(scores)
    assert main(["verify", str(path), "--data", str(scores)]) == 2
    assert "not be checked as a whole" in capsys.readouterr().out


def test_dataframes_and_colours_of_a_terminal_are_known(path):
    text = page_of(
        RESULT,
        {"text/html": DATA.to_frame()._repr_html_()},
        {"text/plain": "\x1b[31mred\x1b[0m and \x1b[38;2;10;20;30mmore\x1b[0m"},
        {"text/html": DATA.to_frame().describe().T.stack().to_frame().T._repr_html_()},
    )
    path.write_text(text, encoding="utf-8")
    assert verify(path, data=DATA).unchecked == ()


def test_a_page_that_a_browser_saved(path):
    path.write_text(
        in_cell('<p class="table-tools"><button class="tool">Copy CSV</button></p>'), "utf-8"
    )
    with pytest.raises(ValueError, match="got one that a browser saved"):
        verify(path, data=DATA)


def test_templates_of_every_release_are_known():
    folder = template_folder() / "nbcompare"
    lines = (folder / "released.txt").read_text(encoding="utf-8").splitlines()
    released = [line.split(maxsplit=1) for line in lines if not line.startswith("#")]
    assert all(re.fullmatch("[0-9a-f]{64}", line[0]) and line[1] for line in released)
    files = [*folder.glob("*.css"), *folder.glob("*.js")]
    assert {"style.css", "report.js", "formats.js", "tables.js"} <= {file.name for file in files}
    for file in files:
        assert digest_of_code(file.read_text(encoding="utf-8")) in known_code()
    for name in ("style.css", "report.js"):
        assert any(line[1].startswith(name) for line in released)
    # what has been released under this number is not changed any more
    now = {(digest_of_code(file.read_text(encoding="utf-8")), file.name) for file in files}
    of_this = f" of {nbc.__version__}"
    assert {
        (digest, name.removesuffix(of_this)) for digest, name in released if name.endswith(of_this)
    } in (set(), now)


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ("\x1b[2J\x1b[31mred\x07", "[2J[31mred"),
        ("\u202ella sdloh", "lla sdloh"),
        ("long " * 1000, "long long long long long long long long long long long long …"),
    ],
)
def test_headings_cannot_control_a_terminal(path, heading, shown, capsys):
    text = swapped(f">{RANK}</td>", ">1.234</td>")
    text = re.sub(r"(<h2[^>]*>)Part", lambda match: match[1] + heading, text, count=1)
    path.write_text(text, encoding="utf-8")
    scores = path.with_name("scores.csv")
    DATA.to_frame().to_csv(scores)
    assert main(["verify", str(path), "--data", str(scores)]) == 1
    out = capsys.readouterr().out
    assert shown.split()[0] in out
    assert not set(out) & {"\x1b", "\x07", "\u202e"}
    assert len(out) < 10_000


# --------------------------------------------------------------------------------- exhausting


def with_fields(change, result=RESULT):
    """A page whose embedded result was changed, and signed again."""
    document = json.loads(result.to_json())
    change(document["fields"])
    old = json.loads(result.to_json())
    text = swapped(script_safe(old), script_safe(document), page_of(result))
    return text.replace(digest(old), digest(document))


def option(name, value):
    def change(fields):
        options = fields["design"]["options"]
        fields["design"]["options"] = [
            [known, value if known == name else kept] for known, kept in options
        ]

    return change


DRAWN = nbc.contrast_estimation(DATA, n_resamples=20)
RANKS = nbc.compare_ranks({"A": 1.5, "B": 1.5}, 10)


@pytest.mark.parametrize("number", [10**12, 1e300, 10**400, -5, float(2**53), True, "x", None, [1]])
def test_numbers_of_options(path, number):
    value = {"int": str(number)} if isinstance(number, int) and abs(number) > 2**53 else number
    path.write_text(with_fields(option("n_resamples", value), DRAWN), encoding="utf-8")
    found = verify(path, data=DATA)
    assert not found.holds


@pytest.mark.parametrize("n_ranked", [201, 5_000])
def test_many_ranks_without_data(path, n_ranked):
    def change(fields):
        middle = (n_ranked + 1) / 2
        fields["average_ranks"] = [[f"A{i}", middle] for i in range(n_ranked)]

    path.write_text(with_fields(change, RANKS), encoding="utf-8")
    (problem, *_) = verify(path).all_problems
    assert f"at most 200 algorithms for a page to be verified; got {n_ranked:,}" in problem


ODD = [
    None, True, -1, 0, 1, 2**53, 1e308, 5e-324, -1e308, "", "x", "NaN", "Infinity", "-Infinity",
    "-0.0", [], {}, [[]], [None], {"float": "nan"}, {"int": "9" * 5000}, "\x1b[2J", "</script>",
    "x" * 10_000,
]  # fmt: skip
N_MUTATED = 60  # of each result; 1,000 of each were tried


def leaves(value, where=()):
    """Places in JSON, whole lists and objects among them."""
    yield where
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items if isinstance(value, list | dict) else ():
        if isinstance(item, list | dict):
            yield from leaves(item, (*where, key))
        else:
            yield (*where, key)


@pytest.mark.parametrize("result", [RESULT, DRAWN, RANKS], ids=["scores", "drawn", "ranks"])
def test_results_that_were_changed(path, result):
    """Any value in any place: the outcome is a verification, never another error or a warning."""
    random = np.random.default_rng(7)
    whole = page_of(result, *map(result.section, result.sections))
    old = json.loads(result.to_json())
    places = [where for where in leaves(old["fields"]) if where]
    for number in range(N_MUTATED):
        document = json.loads(result.to_json())
        *above, last = places[random.integers(len(places))]
        holder = document["fields"]
        for key in above:
            holder = holder[key]
        holder[last] = ODD[random.integers(len(ODD))]
        text = swapped(script_safe(old), script_safe(document), whole)
        if number % 2:
            text = text.replace(digest(old), digest(document))
        path.write_text(text, encoding="utf-8")
        found = verify(path, data=DATA)
        assert not set(str(found)) & {"\x1b", "\x00"}
        if document["fields"] != old["fields"] and not number % 2:
            assert not found.holds  # the digest is another's


@pytest.mark.parametrize(
    "text",
    [
        "<div>" * 100_000,
        "<b>" * 100_000 + "x" + "</b>" * 100_000,
        in_cell("<div>" * 100_000 + "</div>" * 100_000),
        in_cell("<p><b><i>" * 50_000),
    ],
    ids=["alone", "closed", "in a page", "open formatting"],
)
def test_deep_pages(path, text):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"`page` must be a report; got one with an element within"
    ):
        verify(path, data=DATA)


def test_deep_json(path):
    deep = "[" * 50_000 + "]" * 50_000
    for text in (
        re.sub(r'(id="nbcompare-results"[^>]*>)\{', rf'\1{{"x":{deep},', PAGE),
        with_fields(
            lambda fields: fields["design"].update(options=json.loads("[" * 900 + "]" * 900))
        ),
    ):
        path.write_text(text, encoding="utf-8")
        try:
            assert not verify(path, data=DATA).holds
        except ValueError as error:
            assert "JSON" in str(error)  # noqa: PT017  (either outcome is right)


def test_many_results(path):
    many = ",".join(f'"sha256:{i}":{{}}' for i in range(501))
    path.write_text(re.sub(r'(id="nbcompare-results"[^>]*>)\{', rf"\1{{{many},", PAGE), "utf-8")
    with pytest.raises(ValueError, match="at most 500 results; got 502"):
        verify(path, data=DATA)


def test_too_large_a_file(path):
    with path.open("wb") as file:
        file.truncate(2**28 + 1)
    with pytest.raises(ValueError, match=r"at most 256 MiB; got page\.html of 256 MiB"):
        verify(path, data=DATA)


def test_not_text(path):
    path.write_bytes(PAGE.encode("utf-16"))
    with pytest.raises(ValueError, match=r"must be an HTML report in UTF-8; page\.html is not"):
        verify(path, data=DATA)


_LITTLE_MEMORY = """
import resource, sys
from nbcompare.cli import main
import nbcompare.analysis, nbcompare.report.verification.verify
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 200 * 2**20, -1))
sys.exit(main(["verify", sys.argv[1], "--data", sys.argv[2]]))
"""


@pytest.mark.weekly
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_little_memory(path):
    """A page of 160 MiB of text, with 200 MiB of memory to read it."""
    path.write_text(in_cell("<p>x</p>" * 20_000_000), encoding="utf-8")
    scores = path.with_name("scores.csv")
    DATA.to_frame().to_csv(scores)
    done = subprocess.run(
        [sys.executable, "-c", _LITTLE_MEMORY, str(path), str(scores)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "memory" in done.stderr


# ------------------------------------------------------------------------------------- markup


@pytest.mark.parametrize("name", ["01_quickstart", "05_builders"])
def test_notebooks_of_ours_are_in_no_doubt(name, path):
    notebook = template_folder().parent / "notebooks" / f"{name}.ipynb"
    if not notebook.is_file():
        pytest.skip("the notebooks are in the checkout only")
    text, _ = ReportHTMLExporter().from_filename(str(notebook))
    assert read_markup(text).doubts == ()
