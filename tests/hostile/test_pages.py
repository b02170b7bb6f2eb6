"""Damaged and odd pages: the outcome is told, and no page exhausts the program."""

import contextlib
import json
import os
import re
import subprocess
import sys
import time

import nbformat
import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.report import verify
from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.report.page.embedded import script_safe, sealed

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
RANK = re.search(r'<td class="num">(\d\.\d{3})</td>', PAGE[PAGE.index("Average ranks") :])[1]


def swapped(old, new, text=PAGE):
    assert old in text
    return text.replace(old, new, 1)


def in_cell(more):
    """A further cell, with markup of somebody else."""
    return swapped("</main>", f'<div class="cell">{more}</div></main>')


@pytest.fixture
def path(tmp_path):
    return tmp_path / "page.html"


def test_outputs_of_other_programs_are_those_of_the_export(path):
    plot = {"text/html": "<div id='plot'></div><script>Plotly.newPlot('plot')</script>"}
    frame = {"text/html": DATA.to_frame()._repr_html_()}
    text = page_of(RESULT, plot, frame)
    path.write_text(text, encoding="utf-8")
    assert verify(path, data=DATA).holds
    path.write_text(swapped("newPlot(", "newPlot(x, ", text), encoding="utf-8")
    assert not verify(path, data=DATA).holds


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


def test_a_number_that_was_changed_is_found_under_a_new_digest(path):
    """Everyone can compute the digest anew; numbers of results rest on the data."""
    unsealed = re.sub("<!-- nbcompare-digest .*? -->\n", "", PAGE)
    start = unsealed.index("Average ranks")
    numbers = list(re.finditer(r'<td class="num">[^<]*?(\d)[^<\d]*</td>', unsealed[start:]))
    assert len(numbers) > 10
    for number in numbers:
        place = start + number.start(1)
        forged = f"{unsealed[:place]}{(int(number[1]) + 5) % 10}{unsealed[place + 1 :]}"
        path.write_text(sealed(forged), encoding="utf-8")
        found = verify(path, data=DATA)
        assert found.is_whole
        assert not found.holds
    path.write_text(sealed(unsealed), encoding="utf-8")
    assert verify(path, data=DATA).holds


# --------------------------------------------------------------------------------- exhausting


def with_fields(change, result=RESULT):
    """A page whose embedded result was changed."""
    document = json.loads(result.to_json())
    change(document["fields"])
    old = json.loads(result.to_json())
    return swapped(script_safe(old), script_safe(document), page_of(result))


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
    for _ in range(N_MUTATED):
        document = json.loads(result.to_json())
        *above, last = places[random.integers(len(places))]
        holder = document["fields"]
        for key in above:
            holder = holder[key]
        holder[last] = ODD[random.integers(len(ODD))]
        text = swapped(script_safe(old), script_safe(document), whole)
        path.write_text(text, encoding="utf-8")
        found = verify(path, data=DATA)
        assert not set(str(found)) & {"\x1b", "\x00"}
        if document["fields"] != old["fields"]:
            assert not found.holds


@pytest.mark.parametrize(
    "repeated",
    [
        "<div>", "<b>", "<h1>", "<h1", "<!--", "<script ", '<"', '<p "', 'data-nbcompare-result="',
        '<div class="nbcompare x">', '<!-- nbcompare-digest ',
        '<div class="nbcompare "', "<tr>",
    ],
)  # fmt: skip
def test_what_does_not_end_is_read_in_one_go(path, repeated):
    for text in (repeated * 100_000, in_cell(repeated * 100_000)):
        path.write_text(text, encoding="utf-8")
        start = time.process_time()
        with contextlib.suppress(ValueError):
            assert not verify(path, data=DATA).holds
        assert time.process_time() - start < 20


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


@pytest.mark.posix
def test_too_large_a_file_and_one_that_never_ends(path):
    with path.open("wb") as file:
        file.truncate(2**28)
    with (
        nbc.set_options(max_bytes=2**27),
        pytest.raises(ValueError, match=r"page\.html has more than 134,217,728 bytes"),
    ):
        verify(path, data=DATA)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(ValueError, match=r"page\.html is a pipe or a device"):
        verify(path, data=DATA)
