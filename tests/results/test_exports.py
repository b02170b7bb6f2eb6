"""Tables for a paper: one signature for all, captions and labels, what each refuses."""

import re

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare._render import Column, Table, latex, typst
from nbcompare.results import Result

TOO_MANY = r"^`{}` needs exactly one table; got {}\. Name a `section` with one table\.$"


@pytest.fixture(scope="module")
def result():
    return nbc.compare(nbc.datasets.load("demsar2006"), adjust="holm")


@pytest.fixture(scope="module")
def large():
    scores = np.random.default_rng(0).random((5, 40))
    return nbc.compare(nbc.Experiment.from_array(scores, direction="minimize"))


def test_a_result_must_say_what_it_is():
    with pytest.raises(TypeError, match="abstract method"):
        Result()


def test_without_a_section_all_tables_in_full(large):
    for text in (large.to_latex(), large.to_markdown(), large.to_typst()):
        assert all(text.count(f"A{i}") >= 40 for i in (1, 20, 40))
        assert "more row" not in text
    assert large.to_latex("hypotheses").count(r" \\") > 780


def test_a_view_takes_its_own_section_alone(result):
    view = result.section("ranks")
    assert view.to_latex() == view.to_latex("ranks") == result.to_latex("ranks")
    assert view.to_markdown() == result.to_markdown("ranks")
    assert view.to_typst(label="t") == result.to_typst("ranks", label="t")
    with pytest.raises(ValueError, match=r"^`section` must be 'ranks'; got 'omnibus'\.$"):
        view.to_latex("omnibus")
    with pytest.raises(
        ValueError, match=r"^`section` must be 'findings', .*; got 'rank'\. Did you"
    ):
        result.to_markdown("rank")


def test_captions_are_text(result):
    caption = r"50% of $x$ & \input{x} #let"
    assert rf"\caption{{{latex.escape(caption)}}}" in result.to_latex("ranks", caption=caption)
    assert f"caption: {typst.literal(caption)}" in result.to_typst("ranks", caption=caption)
    assert "caption" not in result.to_latex("ranks", caption="")
    assert result.to_latex("ranks", caption=" a\n b ").count(r"\caption{a b}") == 1


@pytest.mark.parametrize("label", ["x]", "a b", "", "a}", "tab:é", "-x", "x:", 3, "a%b", "#a"])
@pytest.mark.parametrize("method", ["to_latex", "to_typst"])
def test_labels_are_checked(result, method, label):
    with pytest.raises(ValueError, match=r"^`label` must be of letters, digits and :\._- "):
        getattr(result, method)("ranks", label=label)


def test_what_there_is_not_exactly_one_table_for(result):
    for method in (result.to_latex, result.to_typst):
        with pytest.raises(ValueError, match=TOO_MANY.format("caption", 3)):
            method(caption="x")
        with pytest.raises(ValueError, match=TOO_MANY.format("label", 0)):
            method("findings", label="x")
        with pytest.raises(ValueError, match=r"^`label` needs a `caption`"):
            method("method", label="tab:how")
        assert "tab:how" in method("method", caption="How", label="tab:how")
    with pytest.raises(TypeError, match=r"^`caption` must be text; got 3\.$"):
        result.to_latex("ranks", caption=3)
    with pytest.raises(TypeError, match=r"^`booktabs` must be True or False; got 'no'\.$"):
        result.to_latex(booktabs="no")


def test_plain_latex_needs_no_package(large):
    text = large.to_latex("hypotheses", booktabs=False, label="tab:h")
    assert not re.search(r"toprule|longtable|arraybackslash|usepackage", text)
    floats = text.count(r"\begin{table}")
    assert floats == -(-780 // 36)
    assert text.count(r"\label{tab:h}") == 1
    assert text.count(r"\addtocounter{table}{-1}") == text.count("(continued)") == floats - 1
    assert text.count(r"\hline") == 3 * floats


def test_comments_say_what_latex_needs():
    comparison = nbc.compare_ranks({"决策树": 1.2, "👩": 2.3, "naïve χ²": 2.5}, 10)
    head = comparison.to_latex("ranks").split(r"\begin{table}")[0]
    assert head.splitlines()[0] == r"% Needs \usepackage{booktabs}."
    assert re.findall(r"% Beyond pdfLaTeX: (.) \(U\+(\w+)\)\.", head) == [
        ("决", "51B3"), ("树", "6811"), ("策", "7B56"), ("👩", "1F469"),
    ]  # fmt: skip
    assert all(line.startswith("% ") for line in head.splitlines())


def wide(columns):
    names = (Column("algorithm"), *(Column(f"A{i}", number=True) for i in range(columns)))
    return Table(names, (("x", *("-0.123" for _ in range(columns))),), "T", label="t")


@pytest.mark.parametrize(("module", "most"), [(latex, 96), (typst, 140)])
def test_tables_too_wide_for_a_page_become_several(module, most):
    for columns in (1, 5, 9, 10, 20, 40, 100):
        text = module.render([wide(columns)])
        assert text.count("0.123") == columns
        parts = [int(n) for n in re.findall(r"T, part \d+ of (\d+)", text)]
        assert parts == [len(parts)] * len(parts)
        assert max(1, len(parts)) >= columns * 8 / most
        assert text.count("algorithm") == max(1, len(parts))
        assert len(re.findall(r"label[{(]", text)) == 1
