"""A call, a magic, a command and a builder for the same, from the table of analyses."""

import ast
import inspect
import re
import shlex
from pathlib import Path

import pytest

import nbcompare as nbc
from nbcompare import cli
from nbcompare.magics._lines import MAGICS
from nbcompare.words import QUESTIONS

DOCS = Path(__file__).parents[2] / "docs"
METHODS = sorted(path.stem for path in (DOCS / "statistics").glob("*.md"))


@pytest.fixture(scope="module")
def ways(extension):
    return extension("ways")


def test_an_analysis_in_all_ways(ways):
    made = ways.of_call("compare_cv", ["A b", "C"], {"dataset": "iris", "ratio": "0.25"})
    assert made == (
        'nbc.compare_cv("A b", "C", experiment=experiment, dataset="iris", ratio=0.25)',
        "%compare_cv experiment 'A b' C --datasets iris --ratio 0.25",
        "nbcompare compare-cv scores.csv --direction maximize --a 'A b' --b C --datasets iris "
        "--ratio 0.25",
        "",
    )
    two = ways.of_call("compare", settings={"adjust": "holm,finner"}, data="runs", file="a.csv")
    assert two == (
        'nbc.compare(runs, adjust=["holm", "finner"])',
        "%compare runs --adjust holm,finner",
        "nbcompare compare a.csv --adjust holm,finner",
        'nbc.CDDiagramBuilder(runs, adjust=["holm", "finner"])',
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"colour": "red"}, "compare has no option 'colour'"), ({"ranking": "best"}, "`ranking`")],
)
def test_ways_that_cannot_be(ways, settings, message):
    with pytest.raises(ValueError, match=message):
        ways.of_call("compare", settings=settings)


@pytest.mark.parametrize(
    ("line", "call", "command"),
    [
        (
            "%fuzzy_pvalue runs --control DE",
            'nbc.compare_stochastic(runs, procedure="fuzzy", control="DE")',
            "nbcompare compare-stochastic runs.csv --direction maximize --procedure fuzzy "
            "--control DE",
        ),
        (
            "%cd_diagram experiment --adjust nemenyi",
            'nbc.plots.cd_diagram(nbc.compare(experiment, adjust="nemenyi"))',
            "",
        ),
        (
            "%fixed_targets histories --precisions 1,1e-4",
            "nbc.fixed_targets(histories, precisions=[1, 1e-4])",
            "nbcompare fixed-targets logs.csv --direction minimize --precisions 1,1e-4",
        ),
        (
            "%compare_by experiment --across",
            "nbc.compare_by(experiment, across=True)",
            "nbcompare compare-by scores.csv --direction maximize --across",
        ),
    ],
)
def test_what_a_magic_does_in_other_ways(ways, line, call, command):
    made = ways.of_magic(line)
    assert (made.python, made.magic, made.command) == (call, line, command)


@pytest.mark.parametrize("name", MAGICS)
def test_examples_of_the_reference_are_understood(extension, name, capsys):
    made = extension("lines").first_example(MAGICS[name].command)
    assert made.magic.startswith(f"%{name} ")
    call = ast.parse(made.python, mode="eval").body
    if name == "cd_diagram":
        (call,) = call.args
    given = {it.arg for it in call.keywords}
    assert given <= set(inspect.signature(getattr(nbc, call.func.attr)).parameters)
    if made.command:
        assert cli.main(shlex.split(made.command)[1:]) == 1
        assert re.search(r"(scores|runs|logs)\.csv", capsys.readouterr().err)


def test_questions_of_the_package_are_asked_in_the_same_words(ways):
    asked = [it for it in QUESTIONS.values() if it.magic and "dataset=" not in it.call]
    assert len(asked) > 6
    for question in asked:
        made = ways.of_magic(question.magic)
        assert made.python == question.call
        file = re.compile(r"(?<= )\w+\.csv --direction \w+")
        assert file.sub(question.command.split()[2], made.command) == question.command


def test_a_builder_begins_where_the_call_does(ways):
    runs = nbc.datasets.load("stochastic_cv")
    typed = ways.of_call("compare_stochastic", data="runs").builder
    shown = eval(typed, {"nbc": nbc, "runs": runs})
    assert shown.result.procedure == nbc.compare_stochastic(runs).procedure
    assert nbc.FuzzyPValueBuilder(runs).result.procedure != shown.result.procedure


def test_blocks_of_pages_are_read(ways):
    made, by_hand = ways.on_page(
        "text\n```{ways} compare_pair\n:names: C4.5+m, C4.5\n:data: pilot\n:magic: none\n"
        "test sign\n```\n```sh\nls\n```\n```{ways}\n:python: nbc.f()\n```\n"
    )
    assert made == (
        'nbc.compare_pair(pilot, "C4.5+m", "C4.5", test="sign")',
        "none",
        "nbcompare compare-pair pilot.csv --direction maximize --a C4.5+m --b C4.5 --test sign",
        "",
    )
    assert by_hand == ("nbc.f()", "", "", "")


def test_a_table_has_the_ways_that_there_are_with_links(ways):
    assert ways.Ways("nbc.plots.f(x)", command="nbcompare a-b c.csv").table().splitlines()[2:] == [
        "| {doc}`Python </reference/api/generated/nbcompare.plots.f>` | `nbc.plots.f(x)` |",
        "| [command](#command-a-b) | `nbcompare a-b c.csv` |",
    ]


@pytest.mark.parametrize("page", METHODS)
def test_ways_of_methods_are_understood(ways, page, capsys):
    text = (DOCS / "statistics" / f"{page}.md").read_text(encoding="utf-8")
    found = list(ways.on_page(text))
    assert len(found) == text.count("```{ways}")
    for way in found:
        compile(way.python, page, "eval")
        # the parser reads the whole line before it misses the file
        _, *arguments = shlex.split(way.command)
        assert cli.main(arguments) == 1
        assert re.search(r"scores\.csv|logs\.csv", capsys.readouterr().err)
        if way.builder:
            call = ast.parse(way.builder, mode="eval").body
            traits = getattr(nbc, call.func.attr).class_trait_names()
            assert {it.arg for it in call.keywords} <= set(traits)
