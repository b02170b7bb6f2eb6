"""What is changed on a page after its export is named; what only looks different is not."""

import base64
import re
from itertools import count

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.report import verify
from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.report.page.digests import with_digests

DATA = nbc.Experiment.from_array(
    np.random.default_rng(3).normal([0, 0.4, 1.1], size=(8, 3)).round(2),
    direction="minimize",
    algorithms=("tree", "forest", "net"),
)
RESULT = nbc.compare(DATA)
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="6"><path d="M0 0L{} 9"/></svg>'
PROSE = [
    "## Method\n\nThe forest has 300 trees. Each was grown twice. The net has *two* layers.",
    "## Outlook\n\nMore data are needed.\n\n- Larger ones.\n- Noisier ones.",
]


def page():
    """A report with prose, figures with captions and alternative texts, code and results."""
    cells = [nbformat.v4.new_markdown_cell(f"# Trees\n\n{PROSE[0]}", id="prose-1")]
    for number, width in enumerate((8, 5), 1):
        alt = {"alt": f"Drawing {number}. It is a line.", "caption": f"Line {number}"}
        data = {"image/svg+xml": SVG.format(width)}
        output = nbformat.v4.new_output("display_data", data, metadata=alt)
        source = f"draw({width})\nfinish()"
        cells.append(nbformat.v4.new_code_cell(source, outputs=[output], id=f"figure-{number}"))
    for number, one in enumerate((DATA, RESULT, RESULT.section("hypotheses")), 1):
        output = nbformat.v4.new_output("display_data", one._repr_mimebundle_())
        cells.append(nbformat.v4.new_code_cell("show()", outputs=[output], id=f"show-{number}"))
    cells.append(nbformat.v4.new_markdown_cell(PROSE[1], id="prose-2"))
    metadata = {"authors": [{"name": "A. Author"}], "date": "2026-01-02"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
    return ReportHTMLExporter().from_notebook_node(notebook)[0]


PAGE = page()
PICTURES = re.findall(r'src="(data:image[^"]+)"', PAGE)
OTHER = "data:image/svg+xml;base64," + base64.b64encode(SVG.format(7).encode()).decode()
ROW = re.search(r"<tbody>\s*(<tr>.*?</tr>)", PAGE, re.DOTALL)[1]
RANK = re.search(r'<td class="num">(\d\.\d{3})</td>', PAGE[PAGE.index("Average ranks") :])[1]
SECTION = re.search(r'<div class="cell prose" id="cell-id=prose-2">.*?</ul>\n?</div>', PAGE, re.S)[
    0
]


def swapped(*pairs):
    """The page with some texts replaced, once each."""
    text = PAGE
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def row(attribute):
    return swapped((ROW, ROW.replace("<tr>", f"<tr {attribute}>", 1)))


TAMPERED = {
    "two figures are swapped": (
        swapped((PICTURES[0], "\x1a"), (PICTURES[1], PICTURES[0]), ("\x1a", PICTURES[1])),
        "Figure 1 shows the picture that was Figure 2 at export",
    ),
    "another figure": (
        swapped((PICTURES[0], OTHER)),
        "Figure 1 was replaced by another picture",
    ),
    "a caption": (
        swapped(("Line 2</figcaption>", "The best line</figcaption>")),
        "the caption of Figure 2 was changed: it reads 'Figure 2. The best line'",
    ),
    "an alternative text": (
        swapped(("Drawing 1. It", "Proof 1. It")),
        "the alternative text of Figure 1 was changed: it reads 'Proof 1. It is a line.'",
    ),
    "code": (
        swapped(('<span class="mi">5</span>', '<span class="mi">6</span>')),
        "code cell 2 under \"Method\": line 1 was changed: it reads 'draw(6)'",
    ),
    "a sentence is inserted": (
        swapped(("Each was grown", "It is far better. Each was grown")),
        "a paragraph under \"Method\": sentence 2 was inserted: 'It is far better.'",
    ),
    "a sentence is deleted": (
        swapped((" Each was grown twice.", "")),
        'a paragraph under "Method": sentence 2 was removed, after \'The forest has 300 trees.\'',
    ),
    "a row is hidden by its style": (
        row('style="display:none"'),
        "Table 1: row 1 ('1 ",
    ),
    "a row is hidden by an attribute": (
        row("hidden"),
        "was hidden or marked up differently, <tr> with hidden",
    ),
    "a row is hidden by a class": (
        row('class="skip"'),
        "was hidden or marked up differently, <tr> with class='skip'",
    ),
    "a row is hidden as if it were filtered out": (
        row('class="off"'),
        "was hidden or marked up differently, <tr> with class='off'",
    ),
    "the line on the data": (
        swapped(("8 data sets ×", "80 data sets ×")),
        "the line on the data was changed: it reads '80 data sets ×",
    ),
    "a row is deleted": (swapped((ROW, "")), "Table 1: row 1 was removed, after 'data set"),
    "the title": (
        swapped(("<title>Trees</title>", "<title>Forests</title>"), (">Trees</h1>", ">Woods</h1>")),
        "the title was changed: it reads 'Woods'",
    ),
    "the version": (
        PAGE.replace(f"nbcompare {nbc.__version__}", "nbcompare 9.9"),
        "the version statement was changed: it reads 'Exported with nbcompare 9.9'",
    ),
    "the author": (
        PAGE.replace("A. Author", "B. Author"),
        "the author line was changed: it reads 'B. Author'",
    ),
    "the date": (
        swapped(("2026-01-02", "2025-01-02")),
        "the date was changed: it reads '2025-01-02'",
    ),
    "a reference": (
        swapped(("(2006)", "(2005)")),
        'a reference under "References"',
    ),
    "a heading": (
        swapped((">Method</h2>", ">Proof</h2>")),
        'the heading "Proof" was changed: it reads \'Proof\'',
    ),
    "sections in another order": (
        swapped((SECTION, ""), ('<div class="cell" id="cell-id=figure-1">', SECTION + "\x1a"))
        .replace("\x1a", '<div class="cell" id="cell-id=figure-1">'),
        'the order was changed: the heading "Outlook" and ',
    ),
    "a number in prose": (
        swapped(("300 trees", "3 trees")),
        "a paragraph under \"Method\": sentence 1 was changed: it reads 'The forest has 3 trees.'",
    ),
    "a number in a table": (
        swapped((f">{RANK}</td>", ">1.001</td>")),
        "was changed: it reads",
    ),
    "a style sheet that hides": (
        swapped(("</head>", "<style>ul{display:none}</style></head>")),
        "a style sheet was inserted",
    ),
    "a script": (
        swapped(("</main>", "<script>document.title = ''</script></main>")),
        'a script under "References" was inserted',
    ),
    "the embedded results": (
        swapped(('"alpha":0.05', '"alpha":0.01')),
        "the embedded data was changed",
    ),
}  # fmt: skip


@pytest.fixture
def path(tmp_path):
    return tmp_path / "report.html"


def verified(path, text):
    path.write_text(text, encoding="utf-8")
    return verify(path, data=DATA)


def test_an_unchanged_page_holds(path):
    found = verified(path, PAGE)
    assert found.holds
    assert found.changed == ()
    assert found.unchanged.startswith(
        "2 titles, 2 author lines, 1 date, 1 line on the data, 2 version statements, 4 "
    )
    assert "2 figures, " in found.unchanged
    assert "2 alternative texts, 5 code cells, " in found.unchanged
    assert "Changed since export: nothing." in str(found)


@pytest.mark.parametrize(("text", "told"), TAMPERED.values(), ids=TAMPERED)
def test_tampering_is_named(path, text, told):
    assert text != PAGE
    found = verified(path, text)
    assert not found.holds
    assert any(told in one for one in found.changed), found.changed
    assert len(found.changed) <= 2
    shown = " ".join(str(found).split())
    assert f"Changed since export ({len(found.changed)}):" in shown
    assert " ".join(found.changed[0].split()) in shown
    assert not found.sentences[0].startswith("The report holds")


def test_at_least_twenty_kinds():
    assert len(TAMPERED) >= 20


def test_whoever_recomputes_the_digests_is_not_found_out_and_the_words_say_so(path, capsys):
    """The twenty-first kind: neither the text nor its digests are as they were."""
    script = r'<script type="application/json" id="nbcompare-digests">.*?</script>\n'
    text = swapped(("It is a line", "It is a proof"), ("300 trees", "3 trees"))
    text = with_digests(re.sub(script, "", text, flags=re.DOTALL))
    found = verified(path, text)
    assert found.holds
    assert found.changed == ()
    scores = path.with_name("scores.csv")
    DATA.to_frame().to_csv(scores)
    assert main(["verify", str(path), "--data", str(scores)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert (
        "The digests do not help against somebody who changed the page and recomputed them too: "
        "they prove neither who made the report nor that its text is the author's. Only what is "
        "recomputed rests on your data alone."
    ) in said
    assert "authentic" not in said.lower()
    # a number is caught all the same
    text = with_digests(re.sub(script, "", swapped((f">{RANK}<", ">1.001<")), flags=re.DOTALL))
    assert "reads '1.001', recomputed" in verified(path, text).all_problems[0]


def test_the_command_says_what_was_changed(path, capsys):
    path.write_text(TAMPERED["a caption"][0], encoding="utf-8")
    scores = path.with_name("scores.csv")
    DATA.to_frame().to_csv(scores)
    assert main(["verify", str(path), "--data", str(scores)]) == 1
    said = " ".join(capsys.readouterr().out.split())
    groups = ["Recomputed from the data", "Unchanged since export", "Changed since export (1)"]
    places = [said.index(group) for group in groups]
    assert places == sorted(places)
    assert TAMPERED["a caption"][1] in said


def reordered(text):
    """Every tag with its attributes in the reverse order, in single quotation marks."""

    def again(tag):
        attributes = re.findall(r'\s+([\w-]+)="([^"]*)"', tag[2])
        written = "".join(
            f" {name}='{value.replace(chr(39), '&#39;')}'" for name, value in reversed(attributes)
        )
        return f"<{tag[1]}{written}>"

    return re.sub(r'<(\w+)((?:\s+[\w-]+="[^"]*")+)\s*/?>', again, text)


@pytest.mark.parametrize(
    "saved",
    [
        lambda text: str(BeautifulSoup(text, "html.parser")),
        lambda text: BeautifulSoup(text, "html.parser").prettify(),
        lambda text: str(BeautifulSoup(text, "html.parser").prettify(formatter="html")),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: re.sub(r"</(p|tr|li|div)>", r"</\1>\n\n   ", text),
        reordered,
    ],
    ids=["soup", "pretty", "entities", "line ends", "white space", "attributes"],
)
def test_a_tool_that_keeps_the_content_alarms_nobody(path, saved):
    text = saved(PAGE)
    assert text != PAGE
    path.write_bytes(text.encode())
    found = verify(path, data=DATA)
    assert found.changed == ()
    assert found.all_problems == ()


@pytest.mark.weekly
def test_any_word_letter_by_letter(path):
    """An independent list of words of the page: a change of each is noticed."""
    words = BeautifulSoup(PAGE, "html.parser").main.find_all(string=re.compile(r"[^\W\d]{4,}"))
    numbers = count()
    for string in words:
        if string.find_parents(["math", "annotation"]):
            continue
        soup = BeautifulSoup(PAGE, "html.parser")
        place = next(numbers)
        found = [
            one
            for one in soup.main.find_all(string=re.compile(r"[^\W\d]{4,}"))
            if not one.find_parents(["math", "annotation"])
        ][place]
        found.replace_with(re.sub(r"([^\W\d]{4,})", r"x\1", str(found), count=1))
        assert verified(path, str(soup)).changed, string
    assert next(numbers) > 20


def test_many_changes_are_counted(path):
    more = "".join(f"<p>Sentence {i}.</p>" for i in range(200))
    found = verified(path, swapped(("</main>", f"{more}</main>")))
    assert found.changed[-1] == "and 170 more changes"
    assert len(found.changed) == 31


@pytest.mark.weekly
def test_a_page_that_is_quite_another_is_compared_in_time(path):
    more = "".join(f"<p>Sentence {i}.</p>" for i in range(30_000))
    text = swapped(("</main>", f"{more}</main>"), (">Method</h2>", ">M</h2>"))
    assert len(verified(path, text).changed) == 31
    other = re.sub(r'<script type="application/json" id="nbcompare-digests">.*?</script>', "", text)
    other = with_digests(other).replace(">M</h2>", ">N</h2>").replace("<p>Sentence", "<p>Word")
    assert len(verified(path, other).changed) == 31
