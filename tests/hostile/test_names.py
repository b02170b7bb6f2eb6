"""Names that were made to do harm, through every output: 5,000 cells in a week, some always.

What an attack would leave is the word ``evil`` where a program would act on it: in a tag, a
command, a link, code. The cells are read from a file, as those of anybody.
"""

import ast
import csv
import io
import json
import re
import shlex
import shutil
import subprocess
from random import Random
from xml.etree import ElementTree

import bs4
import mistune
import nbformat.v4 as notebook
import pytest
from cells import code, export, output_of

import nbcompare as nbc
from nbcompare import plots
from nbcompare.cli import main
from nbcompare.report.notebook.source import written
from nbcompare.report.page.templates import template_folder
from nbcompare.results import from_json
from nbcompare.widgets import CDDiagramBuilder

PIECES = (
    *("<script>evil()</script>", "</script><script>evil()//", "<img src=x onerror=evil()>"),
    *("</td></tr></table><b onclick=evil>", "<!-- evil", "-->", "]]>", "&lt;evil&gt;"),
    *("<svg/onload=evil>", "javascript:evil()", "[x](javascript:evil)", "![evil](evil)"),
    *("<https://evil.example>", "\\evil{x}", "\\input{evil}", "$\\evil$", "\\(\\evil\\)"),
    *("\\end{tabular}\\evil", "^^5cevil", "%evil", "&evil&", "#evil()", '"#evil("', "{evil}"),
    *("}", "{", "{{evil}}", "{% evil %}", "${evil}", "`evil`", "'evil'", '"evil"', "'; evil; '"),
    *('"""', "'''", "$(evil)", "`evil`; evil", "\\", "\\'", "=evil()", "+evil", "-evil"),
    *("@evil", '=HYPERLINK("evil")', "|evil", "\tevil", "| evil |", "evil\x00", "\x1b[31mevil"),
    *("\u202eevil", "\u2066evil", "\u200bevil", "\ufeffevil", "\u2028evil", "evil\u00a0x"),
    *("evil\u3000", "ev\u0301il", "\U0001f469\u200d\U0001f52c evil", "\u05d0\u05d1 evil"),
    *("\ud7ff", "\ufffd", "\U0010fffd", "evil\nevil", "evil\r\nevil", "* evil", "1. evil"),
    *("> evil", "evil " * 120, "evil" * 100, "__proto__", "constructor", "None", "NaN", "%s%n"),
    *("../evil", "C:\\evil"),
)
HERE = "evil"
pytestmark = pytest.mark.filterwarnings("ignore:Boxes stand for")  # letters that no font has
# Controls, and what changes the direction of the text behind it without an end
UNSEEN = re.compile("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066\\u2067\\ufeff]")


def hostile(random):
    """A name of one to three pieces, or of any characters."""
    if random.random() < 0.1:
        return "".join(chr(random.choice((random.randrange(1, 256), random.randrange(1, 0xD800))))
                       for _ in range(random.randrange(1, 30)))  # fmt: skip
    return "".join(random.choices(PIECES, k=random.choice((1, 1, 2, 3))))


class Table:
    """An experiment on ten data sets and four algorithms, whose names are hostile."""

    def __init__(self, folder, number, made=hostile):
        random = Random(f"names {number}")
        # a name of more than 700 characters is refused
        self.names = [f"{made(random)[:690]} {place}" for place in range(14)]
        rows = [["data set", *self.names[:4]]]
        rows += [[name, *(random.randrange(1000) / 8 for _ in range(4))] for name in self.names[4:]]
        self.path = folder / "scores.csv"
        with self.path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(rows)
        self.experiment = nbc.Experiment.read(
            self.path,
            direction="minimize",
            dataset="data set",
            keep=[*map(clean, self.names[:4])],
            separator=",",
        )
        self.algorithms, self.datasets = self.experiment.algorithms, self.experiment.datasets
        self.result = nbc.compare(self.experiment, control=self.algorithms[0])
        self.shown = (self.result, nbc.describe(self.experiment))


def clean(name):
    from nbcompare._validation import clean_label

    return clean_label(name)


def tags(page):
    """The tags of a page, each with the names of its attributes; no address leads elsewhere."""
    found = set()
    for tag in bs4.BeautifulSoup(page, "html.parser").find_all():
        found.add((tag.name, *sorted(tag.attrs)))
        for name in ("href", "src", "action"):
            assert HERE not in str(tag.get(name, "")).removeprefix("#").partition("-")[0], tag
    return found


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """The same tables with plain names."""
    words = iter(f"plain{i}" for i in range(99))
    return Table(tmp_path_factory.mktemp("plain"), 0, lambda _: next(words))


def pages(table):
    return [each._repr_mimebundle_()["text/html"] for each in table.shown]


def by_markdown(table):
    render = mistune.create_markdown(escape=False, plugins=["table", "strikethrough"])
    return [render(each.to_markdown()) for each in table.shown]


def drawing(table):
    bundle, _ = plots.cd_diagram(table.result)._repr_mimebundle_()
    return bundle["image/svg+xml"]


def marks(picture):
    return {(each.tag, *sorted(each.attrib)) for each in ElementTree.fromstring(picture).iter()}


def report(table):
    shown = (table.experiment, *table.shown, plots.cd_diagram(table.result))
    return export(
        notebook.new_markdown_cell("# Report"), *(code(output_of(each)) for each in shown)
    )


# --------------------------------------------------------------------------- what is checked


def check_pages(table, plain):
    for page, usual in zip(pages(table), pages(plain), strict=True):
        # of names from right to left, and of notes
        assert tags(page) - {("bdi",), ("ul", "class"), ("li",)} <= tags(usual)
        text = " ".join(bs4.BeautifulSoup(page, "html.parser").get_text().split())
        assert all(" ".join(name.split()) in text for name in table.algorithms)


def check_markdown(table, plain):
    for page, usual in zip(by_markdown(table), by_markdown(plain), strict=True):
        assert tags(page) <= tags(usual) | {("ul",), ("li",), ("p",)}


def check_latex(table, plain):
    for each, usual in zip(table.shown, plain.shown, strict=True):
        source = each.to_latex()
        assert not re.search(r"\\(?:evil|input)", source.replace(r"\\", ""))
        bare = re.sub(r"\\.", "", source)
        assert bare.count("{") == bare.count("}")
        assert ("%" in bare) == ("%" in re.sub(r"\\.", "", usual.to_latex()))
        assert bare.count("$") % 2 == 0
        assert not re.search(r"\^\^|#", bare)


def check_typst(table, _):
    for each in table.shown:
        source = re.sub(r'"(?:[^"\\]|\\.)*"', "", each.to_typst())
        assert HERE not in source
        assert '"' not in source


def check_text(table, _):
    for each in (*table.shown, table.experiment):
        text = str(each)
        assert not UNSEEN.search(text)
        assert all(line.count("\u2068") == line.count("\u2069") for line in text.splitlines())


def check_json(table, _):
    for each in table.shown:
        assert from_json(each.to_json()).to_json() == each.to_json()
        assert (
            tuple(json.loads(each.to_json())["fields"]["design"]["algorithms"]) == table.algorithms
        )


def check_figure(table, plain):
    plot = plots.cd_diagram(table.result)
    assert not UNSEEN.search(plot.alt)
    assert marks(drawing(table)) <= marks(drawing(plain)) | {
        (tag, *more) for tag, *more in marks(drawing(plain))
    }


def check_code(table, _):
    """What is printed for others to run makes the same."""
    space = {}
    exec("import nbcompare as nbc\n" + written(table.experiment).inside("experiment"), space)
    assert space["experiment"].fingerprint == table.experiment.fingerprint
    builder = CDDiagramBuilder(
        table.experiment,
        control=table.algorithms[1],
        algorithms=list(table.algorithms[:3]),
        datasets=list(table.datasets[:8]),
    )
    space = {"experiment": table.experiment}
    exec(builder.code, space)
    assert space["result"].to_json() == builder.result.to_json()
    advice = nbc.recommend(table.experiment, control=table.algorithms[0])
    ast.parse(advice.call)
    for question in advice.questions:
        ast.parse(question.call)
        shlex.split(question.command)


def check_commands(table, capsys):
    """The command that is printed compares with the same settings."""
    source = [str(table.path), "--direction", "minimize", "--dataset", "data set"]
    source += ["--separator", ","]
    keep = [word for name in table.algorithms for word in ("--keep", name)]
    control = f"--control={table.algorithms[0]}"
    assert main(["recommend", *source, *keep, control]) == 0
    line = capsys.readouterr().out.rstrip("\n").rpartition("\n\n")[2]
    words = shlex.split(line)
    assert words[:2] == ["nbcompare", "compare"]
    assert table.algorithms[0] in line.replace("'\"'\"'", "'")
    assert main(words[1:]) == 0


TEXTS = (check_pages, check_markdown, check_latex, check_typst, check_text, check_json)
CHECKS = (*TEXTS, check_figure, check_code)  # which take most of the time


@pytest.mark.parametrize("check", CHECKS)
def test_some_names(tmp_path, plain, check):
    for number in range(3):
        check(Table(tmp_path, number), plain)


@pytest.mark.weekly
@pytest.mark.parametrize("part", range(7))
def test_many_names(tmp_path, plain, part):
    for number in range(3 + 52 * part, 55 + 52 * part):  # 14 cells each
        table = Table(tmp_path, number)
        for check in CHECKS if number % 3 == 0 else TEXTS:
            check(table, plain)


@pytest.mark.parametrize("number", range(3))
def test_commands_that_are_printed(tmp_path, capsys, number):
    check_commands(Table(tmp_path, number), capsys)


def test_pages_of_reports(tmp_path, plain):
    usual = tags(report(plain))
    # directions of text, wide tables, and smaller names or names of several lines in figures
    laid_out = {("bdi",), ("table", "class"), ("text", "font-size", "text-anchor")}
    laid_out |= {("tspan", "font-size"), ("tspan", "x", "y")}
    for number in range(3):
        page = report(Table(tmp_path, number))
        assert tags(page) - laid_out <= usual
        for script in bs4.BeautifulSoup(page, "html.parser").find_all("script"):
            assert "</" + "script" not in script.text.lower()
            assert "<!--" not in script.text


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node; a browser tests it, too")
def test_copies_for_spreadsheets():
    random = Random(1)
    cells = [" ".join(hostile(random).split()) for _ in range(500)]
    script = (template_folder() / "nbcompare" / "table_core.js").read_text(encoding="utf-8")
    ask = f"\nconsole.log(JSON.stringify(nbcompareTables.csv({json.dumps([cells])}).text))"
    done = subprocess.run(["node", "-"], input=script + ask, capture_output=True, encoding="utf-8")
    (found,) = csv.reader(io.StringIO(json.loads(done.stdout), newline=""))
    for cell, given in zip(found, cells, strict=True):
        assert cell in (given, f"'{given}")
        assert cell[:1] not in ("=", "+", "@", "\t", "\r") and not re.match(r"-\D", cell)  # noqa: PT018
