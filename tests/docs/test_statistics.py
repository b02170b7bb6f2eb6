"""The statistics reference: every method has a page, and every page holds what it promises."""

import re
from pathlib import Path

import numpy as np
import pytest
from latex2mathml.converter import convert

from nbcompare import words
from nbcompare._options import AUTO, OPTIONS
from nbcompare.analysis import _design, scales
from nbcompare.analysis._ranked import _MOST
from nbcompare.report.page.markdown import formula
from nbcompare.stats import conditions, runs, signed_rank, trend
from nbcompare.stats.exact_omnibus import exact_pvalue
from nbcompare.stats.rank_differences import BUDGET
from nbcompare.stats.rankings import rank
from nbcompare.study import _plan

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "statistics"
NAMES = sorted({path.stem for path in FOLDER.glob("*.md")} - {"index", "bibliography"})
DOCTEST = re.compile(r"^```\{doctest\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The last word of options whose choices are methods, and the prefix of their labels
PREFIXES = {
    **dict.fromkeys(("ranking", "pairs", "adjust", "test", "method", "procedure"), ""),
    **dict.fromkeys(("version", "differences", "null"), "trend-"),
    **{name: f"{name}-" for name in ("zeros", "formulas", "encoding", "missing")},
    "bayesian.test": "bayesian-",
}
METHODS = {
    name: PREFIXES.get(name, PREFIXES[name.rpartition(".")[2]])
    for name, option in OPTIONS.items()
    if option.choices and name.rpartition(".")[2] in PREFIXES
}


@pytest.fixture(scope="module")
def statistics(extension):
    return extension("statistics_pages")


@pytest.fixture(scope="module")
def pages(statistics):
    return {page.name: page for page in statistics.pages()}


@pytest.fixture(params=NAMES)
def page(request, pages):
    return pages[request.param]


def _formulas(text):
    """Return the formulas of Markdown, and whether each is displayed."""
    plain = re.sub(r"^```.*?^```$|`[^`\n]+`", "", text, flags=re.MULTILINE | re.DOTALL)
    displayed = re.findall(r"\$\$(.+?)\$\$", plain, re.DOTALL)
    inline = re.findall(r"(?<!\$)\$([^$]+)\$(?!\$)", re.sub(r"\$\$.+?\$\$", "", plain, flags=re.S))
    return [(tex, True) for tex in displayed] + [(tex, False) for tex in inline]


def test_all_pages_are_in_a_group(pages):
    assert sorted(pages) == NAMES


def test_every_word_of_a_method_is_explained_on_one_page(pages, statistics):
    labels = statistics.labels_of_words()
    where = {label: [name for name in pages if label in pages[name].titles] for label in labels}
    assert len(where) > 60
    assert {label: names for label, names in where.items() if len(names) != 1} == {}


@pytest.mark.parametrize("option", METHODS)
def test_every_method_of_an_option_has_a_record(option, statistics):
    known = statistics.labels_of_words()
    chosen = [word for word in OPTIONS[option].choices if word not in statistics.NO_METHODS]
    assert chosen
    assert [word for word in chosen if METHODS[option] + word not in known] == []


def test_no_label_stands_twice(pages):
    text = "".join(page.text for page in pages.values())
    labels = re.findall(r"\(stat-([a-z0-9-]+)\)=", text)
    assert len(labels) == len(set(labels)) == sum(len(page.titles) for page in pages.values())


def test_a_page_has_all_sections_in_their_order(page, statistics):
    level_two = [heading for level, heading in page.headings if level == 2]
    assert tuple(level_two) == statistics.SECTIONS
    assert [level for level, _ in page.headings].count(1) == 1


def test_a_page_says_in_a_sentence_what_it_answers(page):
    assert page.question.endswith("?")
    assert page.exact


def test_a_page_has_a_formula_an_example_and_lines(page):
    parts = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", page.text, re.MULTILINE | re.DOTALL))
    assert "$$" in parts["Formula"] or "|---|" in parts["Formula"]
    assert DOCTEST.search(parts["Example"])
    assert DOCTEST.search(parts["How to report it"])
    assert "```{ways} " in parts["How to run it"] or "nbc." in parts["How to run it"]
    assert "{lit}`" in parts["Source and misprints"]
    assert "tests/" in parts["How it is checked"]


def test_every_formula_is_mathml(page):
    found = _formulas(page.text)
    assert found
    for tex, display in found:
        convert(tex)
        assert "<math" in formula(tex, display=display), tex


def test_named_tests_exist(page):
    (part,) = re.findall(r"^## How it is checked\n(.*?)^## ", page.text, re.MULTILINE | re.DOTALL)
    file = None
    for path, name in re.findall(r"`(tests/[\w/]+\.py)?(?:::(\w+))?`", part):
        file = (ROOT / path).read_text(encoding="utf-8") if path else file
        assert f"def {name}(" in file, f"{path}::{name}"


def test_cited_literature_is_known(page):
    cited = re.findall(r"\{lit\}`([^`]+)`", page.text)
    assert {*cited, *page.cites} <= set(words.LITERATURE)


def test_links_lead_to_labels(page, pages):
    known = {label for other in pages.values() for label in other.titles}
    assert set(re.findall(r"\]\(#stat-([^)]+)\)", page.text)) <= known


def test_the_index_has_all_pages_and_methods(pages, statistics):
    made = statistics.index()
    for page in pages.values():
        assert page.question in made
        assert f"\n{page.name}\n" in made
        titles = {title: label for label, title in reversed(page.titles.items())}
        assert [label for label in titles.values() if f"(#stat-{label})" not in made] == []


@pytest.mark.parametrize("ranking", ["friedman", "aligned", "quade"])
def test_omnibus_tests_are_exact_as_far_as_the_page_says(ranking, pages):
    sizes = re.findall(r"(\d+)(?: data sets)? × (\d+)", pages[ranking].exact)
    assert len(sizes) >= 3
    for n, k in ((int(n), int(k)) for n, k in sizes):
        scores = np.random.default_rng(0).normal(size=(n + 2, k))
        assert exact_pvalue(rank(scores[:n], ranking).scores) is not None
        assert exact_pvalue(rank(scores, ranking).scores) is None


MILLIONS = {2: "two million", 4: "four million"}


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("wilcoxon", f'`method="auto"` does this up to {signed_rank.MOST_EXACT} differences'),
        ("wilcoxon", f"{signed_rank.MOST_EXACT} differences other than zero"),
        ("page-trend", f"Page's null {trend.MOST_CUTPOINTS} cut-points"),
        (
            "design",
            f"else Bergmann–Hommel up to {_design.MOST_BY_DEFAULT} algorithms, Shaffer up to "
            f"{_design.MOST_BY_SHAFFER}, and Holm above",
        ),
        ("design", f"is at most {scales.ONE_SCALE:g} times the lower decile"),
        ("conditions", f"Lilliefors from {conditions.LILLIEFORS_LEAST}, "),
        ("conditions", f"D'Agostino–Pearson from {conditions.DAGOSTINO_LEAST} values"),
        (
            "conditions",
            f"Shapiro–Wilk {conditions.SHAPIRO_LEAST} to {conditions.SHAPIRO_MOST:,},",
        ),
        (
            "exact",
            "| [omnibus tests](#stat-friedman) | "
            f"{MILLIONS[_MOST[AUTO].expansions // 10**6]} steps |",
        ),
        ("exact", f"| [average ranks](#stat-ranks) | {MILLIONS[BUDGET // 10**6]} steps |"),
        (
            "exact",
            "| [signed ranks](#stat-wilcoxon), [exchanges](#stat-exchange) | "
            f"{signed_rank.MOST_EXACT} differences |",
        ),
        ("exchange", f'`method="auto"` does this up to {signed_rank.MOST_EXACT} differences'),
        ("exact", f"about {MILLIONS[trend._MOST_SIGNED // 10**6]} sums"),
        ("exact", f"sums; {trend.MOST_CUTPOINTS} cut-points |"),
        (
            "plan",
            f"{round(_plan._LOOK_SHARE * _plan.ENOUGH)} experiments each at first, then "
            f"{_plan.ENOUGH:,} around each answer "
            f"({_plan._FIRST_LOOK} and {_plan._SLOW} where runs are compared)",
        ),
    ],
)
def test_limits_are_those_of_the_code(name, sentence, pages):
    said = " ".join(f"{pages[name].exact} {pages[name].text}".split())
    assert sentence in said


def test_rank_sums_are_exact_as_far_as_the_pages_say(pages):
    (many,) = re.findall(
        r"#stat-rank-sum\) \| about (\d+) scores in each sample", pages["exact"].text
    )
    assert pages["rank-sum"].exact.startswith(f"about {many} scores in each sample")
    draws = np.random.default_rng(0).integers(0, 20, (2, 2 * int(many)))  # with ties
    assert runs.rank_sum(*draws[:, : int(many)]).exact
    assert not runs.rank_sum(*draws[:, : int(1.1 * int(many))]).exact
