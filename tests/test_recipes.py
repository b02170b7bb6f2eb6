"""The recipes of CONTRIBUTING.md, followed in a copy of the package: as many files as they say."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.slow

START = """
import subprocess, sys
import nbcompare as nbc
demsar = nbc.datasets.load("demsar2006")
def helps(*command):
    ran = subprocess.run([sys.executable, "-m", "nbcompare", *command, "--help"],
                         capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
def comes_back(result):
    assert nbc.results.from_json(result.to_json()).to_json() == result.to_json()
    assert result.check() == ()
"""
PROCEDURE = {
    "words/adjustment.py": (
        "PROCEDURES = by_name(\n",
        'PROCEDURES = by_name(\n    Procedure(name="doubling", label="Doubling", effect="doubles", '
        'cites=("holm1979",), if_some_false="", has_levels=False),\n',
    ),
    "stats/adjust.py": (
        '    "bonferroni": _bonferroni,\n',
        '    "bonferroni": _bonferroni,\n    "doubling": lambda ordered, setting: '
        "_times(ordered, 2.0, setting.log10),\n",
    ),
}
RANKING = {
    "words/ranking.py": (
        "RANKINGS = by_name(\n",
        'OMNIBUS = by_name(*OMNIBUS.values(), Omnibus(name="halves", header="Halves χ²", '
        'statistic="the χ² of halves", short="halves", cites=("friedman1937",)))\n'
        'RANKINGS = by_name(\n    Ranking(name="halves", label="Halves", ranks="halved ranks", '
        'average_rank="average halved rank", effect="halves ranks", method="halved ranks", '
        'omnibus=("halves",), within_datasets=True, corrected="", printed=""),\n',
    ),
    "words/explanations.md": (
        "## ranks friedman",
        "## ranks halves\n\nRanks are halved.\n\n## omnibus halves\n\nFORM\n\n## ranks friedman",
    ),
    "stats/rankings.py": (
        "RANKINGS: Mapping[str, RankingMethod] = MappingProxyType(\n    {\n",
        "def halved(scores: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> Ranking:\n"
        "    ranked = friedman_ranking(scores, scale=scale)\n"
        "    return Ranking(ranked.scores / 2, ranked.average_ranks / 2, ranked.unit,\n"
        "                   ranked.tied, ranked.sums / 2)\n\n\n"
        "RANKINGS: Mapping[str, RankingMethod] = MappingProxyType(\n    {\n"
        '        "halves": RankingMethod(halved, unit=float, printed_error=lambda k, n: 1.0,'
        " parts=4),\n",
    ),
    "stats/omnibus.py": (
        '{"friedman": friedman,',
        '{"halves": lambda ranks, *, formulas: friedman(2 * ranks, formulas=formulas),\n'
        '     "friedman": friedman,',
    ),
}
OPTION = {
    "_options/analyses.py": [
        ("COMPARE_OPTIONS = (\n", 'COMPARE_OPTIONS = (\n    "tone",\n'),
        (
            '    "across": Option(',
            '    "tone": Option("plain", ("plain", "loud"), "how loudly it is said",\n'
            '            label="Tone"),\n    "across": Option(',
        ),
    ],
    "analysis/comparison.py": [
        (
            '    ranking: str = default("ranking"),\n',
            '    tone: str = default("tone"),\n    ranking: str = default("ranking"),\n',
        ),
    ],
}
COMMAND = {
    "_commands/analyses.py": (
        "ANALYSES = (\n",
        'ANALYSES = (\n    Analysis(function="rank_intervals", result="RankIntervals", '
        'name="spread", section="intervals", help="show how far ranks spread", '
        'own=("pairs",), examples=("%spread scores",)),\n',
    ),
}
FIGURE = {
    "plots/__init__.py": (
        "from nbcompare.plots.rank_bars import rank_bars\n",
        "from nbcompare.plots.rank_bars import rank_bars\n"
        "from nbcompare.plots.plain_bars import plain_bars as plain_bars\n",
    ),
}
BARS = '''"""Bars of average ranks."""

from matplotlib.figure import Figure

__all__ = ["plain_bars"]


def plain_bars(result, ax=None):
    """Draw a bar per algorithm."""
    ax = ax or Figure().add_subplot()
    ax.bar(list(result.average_ranks), list(result.average_ranks.values()))
    return ax
'''


@pytest.fixture
def follow(tmp_path):
    """Return a function that follows a recipe in a copy of the package, and runs a program."""
    shutil.copytree(
        ROOT / "nbcompare", tmp_path / "nbcompare", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copytree(ROOT / "report_templates", tmp_path / "report_templates")

    def following(recipe, program, **added):
        for name, changes in recipe.items():
            path = tmp_path / "nbcompare" / name
            text = path.read_text(encoding="utf-8")
            for old, new in changes if isinstance(changes, list) else [changes]:
                assert text.count(old) == 1, (name, old)
                text = text.replace(old, new)
            path.write_text(text, encoding="utf-8")
        for name, text in added.items():
            (tmp_path / "nbcompare" / "plots" / f"{name}.py").write_text(text, encoding="utf-8")
        ran = subprocess.run(
            [sys.executable, "-c", START + program],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr[-2000:]

    return following


def said(beginning):
    """Return the number of files that CONTRIBUTING.md says a change touches."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return int(re.search(rf"\*\*{beginning}[^*]*\*\* \((\d+)", text).group(1))


def test_an_adjustment_procedure(follow):
    assert len(PROCEDURE) == said("An adjustment procedure")
    follow(
        PROCEDURE,
        """
result = nbc.compare(demsar, adjust=["doubling", "holm"], control="C4.5")
assert list(result.hypotheses.adjusted["doubling"]) == [min(1, 2 * p) for p in
                                                       result.hypotheses.pvalue]
assert "the Doubling procedure" in " ".join(result.sentences)
comes_back(result)
assert "doubling" in helps("compare")
builder = nbc.CDDiagramBuilder(demsar, adjust=["doubling"])
assert "doubling" in builder.code
""",
    )


def test_a_ranking(follow):
    # and the words of the docstring
    assert len(RANKING) + 1 == said("A ranking")
    follow(
        RANKING,
        """
result, usual = (nbc.compare(demsar, ranking=word, pairs="ranks", adjust="holm")
                 for word in ("halves", "friedman"))
assert result.average_ranks["C4.5"] == usual.average_ranks["C4.5"] / 2
assert result.omnibus["halves"].pvalue == usual.omnibus["friedman"].pvalue
assert (abs(result.hypotheses.pvalue - usual.hypotheses.pvalue) < 1e-12).all()
assert "halved ranks" in " ".join(result.sentences)
comes_back(result)
assert "halves" in [test.name for test in nbc.sensitivity(demsar).tests]
assert "halves" in helps("compare")
assert 'ranking="halves"' in nbc.CDDiagramBuilder(demsar, ranking="halves").code
nbc.plots.cd_diagram(result)
nbc.plots.rank_bars(result)
""",
    )


def test_an_option_of_compare(follow):
    assert len(OPTION) == said("An option of `compare`")
    follow(
        OPTION,
        """
import inspect
result = nbc.compare(demsar, tone="loud")
assert result.design.options["tone"] == "loud"
comes_back(result)
groups = dict.fromkeys(demsar.datasets, "all")
assert nbc.compare_by(demsar, by=groups, tone="loud").first.design.options["tone"] == "loud"
assert "tone" in inspect.signature(nbc.compare_by).parameters
assert nbc.sensitivity(demsar).primary.design.options["tone"] == "plain"
for name in ("compare", "compare-by", "report"):
    assert "--tone {plain,loud}" in helps(name), name
builder = nbc.CDDiagramBuilder(demsar)
builder.tone = "loud"
assert 'tone="loud"' in builder.code
try:
    nbc.compare(demsar, tone="shrill")
except ValueError as error:
    assert "`tone` must be 'plain' or 'loud'" in str(error)
else:
    raise AssertionError
""",
    )


def test_a_command_alone(follow):
    assert len(COMMAND) == said("A magic or a command alone")
    follow(COMMAND, """assert "how far ranks spread" in helps("spread")""")


def test_a_figure(follow):
    assert len(FIGURE) + 1 == said("A figure")
    follow(
        FIGURE,
        """
axes = nbc.plots.plain_bars(nbc.compare(demsar))
assert len(axes.patches) == 4
""",
        plain_bars=BARS,
    )
