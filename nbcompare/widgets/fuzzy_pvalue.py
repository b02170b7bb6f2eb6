"""FuzzyPValueBuilder: algorithms whose runs scatter, under one's hands."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from nbcompare import plots
from nbcompare._options import ALL_PAIRS_ONLY, AUTO, BEST, OPTIONS
from nbcompare._validation import check_share
from nbcompare.plots import Plot
from nbcompare.results import StochasticComparison
from nbcompare.stats.logical import MOST_ALGORITHMS
from nbcompare.widgets._experiment import ExperimentBuilder, foreign_control
from nbcompare.widgets._rules import Rule, State, View
from nbcompare.widgets._screen import Details
from nbcompare.widgets._settings import Member, Number, Selected, Subset, Viewed, Word, Words

_BOOTSTRAP = ("bootstrap-a", "bootstrap-b")
# What a procedure cannot make of the runs of a fold
_FOREIGN: Mapping[str, tuple[str, ...]] = {
    "bootstrap-a": ("central", "shortest", "range", "bootstrap-mean"),
    "bootstrap-b": ("bootstrap-mean",),
    "interval": ("bootstrap-mean",),
    "fuzzy": ("shortest", "range", "mean", "median"),
}
_UNCOVERED = ("range", "mean", "median")


def _without_coverage(state: State) -> bool:
    return state.procedure == "bootstrap-a" or state.encoding in _UNCOVERED


# What compare_stochastic() refuses; each looks only at settings of rules before it.
_RULES = (
    Rule(
        "procedure",
        ("fuzzy",),
        lambda s: not s.repeated,
        "no algorithm has several runs of a fold",
    ),
    Rule(
        "test",
        tuple(OPTIONS["stochastic.test"].choices or ()),
        lambda s: s.procedure in _BOOTSTRAP,
        "the procedure is a test itself",
    ),
    Rule(
        "encoding",
        lambda s, word: word in _FOREIGN[s.procedure],
        lambda _: True,
        "not with the procedure {procedure}",
    ),
    Rule(
        "coverage",
        lambda _, word: word is not None,
        _without_coverage,
        "the encoding has no coverage",
    ),
    Rule(
        "blocks",
        ("folds",),
        lambda s: s.n > 1,
        "folds of several data sets are no independent blocks",
    ),
    Rule("blocks", ("datasets",), lambda s: s.n == 1, "there is one data set"),
    Rule("control", foreign_control, lambda _: True, "the algorithm is not selected"),
    Rule(
        "adjust",
        ("nemenyi", AUTO),
        lambda _: True,
        "pairs are tested by themselves, not by average ranks",
    ),
    Rule(
        "adjust",
        ALL_PAIRS_ONLY - {"nemenyi"},
        lambda s: s.control is not None,
        "for comparisons of all pairs only; choose no control",
    ),
    Rule(
        "adjust",
        ("bergmann-hommel",),
        lambda s: s.k > MOST_ALGORITHMS,
        f"not feasible for more than {MOST_ALGORITHMS} algorithms",
    ),
    Rule(
        "missing",
        ("interval",),
        lambda s: s.procedure == "bootstrap-a",
        "the procedure takes numbers only",
    ),
)


def _no_diagram(result: StochasticComparison) -> str:
    known = result.groups is not None and result.open_groups is not None
    return "" if known else "there are more than 200 groups"


class FuzzyPValueBuilder(ExperimentBuilder):
    """Compare algorithms by repeated runs, by hand: controls, fuzzy p-values, and code.

    As :class:`CDDiagramBuilder`, for :func:`nbcompare.compare_stochastic`: what the runs of
    a fold become, at which coverage, and by which test, with the p-value as a fuzzy set,
    the outcome, and the runs behind a pair.

    Parameters
    ----------
    experiment : Experiment
        The scores, with runs of those algorithms that depend on a random seed.
    **settings
        Traits to begin with; ``procedure`` is ``fuzzy`` without it (``interval`` where no
        algorithm has several runs), the rest as in ``compare_stochastic``.

    Attributes
    ----------
    procedure, test, encoding, coverage, blocks, control, adjust, alpha, method, missing
        As in :func:`nbcompare.compare_stochastic`.
    algorithms, datasets : tuple of str
        What is selected, in the order of the experiment; None stands for all.
    view : {"membership", "outcome"}
        The p-values as fuzzy sets (or intervals), or the diagram of outcomes.
    pair : tuple of str, optional
        Two algorithms whose runs are shown fold by fold; those of the first hypothesis
        without it.
    result : StochasticComparison
        What ``compare_stochastic`` gives with these settings.
    figure : Plot
        The figure of the view.
    code : str
        Python that gives both again.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> builder = nbc.FuzzyPValueBuilder(nbc.datasets.load("stochastic_regression"), alpha=0.1)
    >>> builder.procedure, builder.encoding
    ('fuzzy', None)
    >>> builder.encoding = "bootstrap-mean"
    >>> builder.result.encoding
    'bootstrap-mean'
    >>> print(builder.code)
    import nbcompare as nbc
    <BLANKLINE>
    result = nbc.compare_stochastic(
        experiment, procedure="fuzzy", encoding="bootstrap-mean", alpha=0.1
    )
    nbc.plots.membership(result)
    """

    procedure = Word("procedure")
    test = Word("stochastic.test", optional=True)
    encoding = Word("encoding", optional=True)
    coverage = Number("coverage", check=check_share, optional=True)
    blocks = Word("blocks")
    control = Member("control", extra=(BEST,))
    adjust = Words("adjust", optional=True, label="Adjustment")
    alpha = Number("alpha", label="Alpha")
    method = Word("stochastic.method")
    missing = Word("stochastic.missing", label="Missing scores")
    view = Viewed(label="Figure", help="what is drawn")
    algorithms = Subset("Algorithms", "k")
    datasets = Subset("Data sets", "n")
    pair = Selected(label="Hypothesis", help="the pair whose runs are shown")

    _function = "compare_stochastic"
    _order = (
        "procedure",
        "test",
        "encoding",
        "coverage",
        "blocks",
        "control",
        "adjust",
        "alpha",
        "method",
        "missing",
        "view",
        "algorithms",
        "datasets",
        "pair",
    )
    _rules = _RULES
    _views: ClassVar[Mapping[str, View]] = {
        "membership": View("p-values", plots.membership),
        "outcome": View("diagram of outcomes", plots.outcome_diagram, unavailable=_no_diagram),
    }

    def _defaults(self, settings: dict[str, Any]) -> Mapping[str, Any]:
        return {"procedure": "fuzzy" if self._facts()["repeated"] else "interval"}

    def _facts(self) -> Mapping[str, Any]:
        known = ~np.isnan(self.selection.lower)
        return {**super()._facts(), "repeated": bool((known.sum(axis=3) > 1).any())}

    def _seconds(self, state: State) -> float:
        """By pairs, cuts of a fuzzy set, folds, and what is drawn; as measured, roughly."""
        data = self.selection
        pairs = state.k - 1 if state.control is not None else state.k * (state.k - 1) / 2
        cells = pairs * data.n_datasets * data.n_folds * (50 if state.procedure == "fuzzy" else 1)
        if state.method == "resampling":
            return float(2e-4 * cells)  # of 10,000 draws
        return float((1e-5 if state.test == "permutation" else 1e-6) * cells)

    # ---------------------------------------------------------------------- one pair

    def _details(self) -> Details:
        result: StochasticComparison = self.result
        tests = result.hypotheses
        pairs = list(zip(tests.first, tests.second or (), strict=True))
        entries = [
            (pair, f"{outcome}: {pair[0]} – {pair[1]}")
            for pair, outcome in zip(pairs, tests.outcome, strict=True)
        ]
        wanted = self.pair if self.pair is not None else pairs[0]
        for pair in (wanted, wanted[::-1]):
            if pair in pairs:
                outcome = tests.outcome[pairs.index(pair)]
                told = f"{pair[0]} and {pair[1]}: {outcome} at α = {result.alpha:g}."
                return Details("pair", entries, pair, [told, *self._runs(pair)])
        told = f"{wanted[0]} and {wanted[1]} are not among the hypotheses."
        return Details("pair", entries, None, [told])

    def _runs(self, pair: tuple[str, str]) -> list[Plot | str]:
        """The runs of the first data set, fold by fold, if one of the two has several."""
        data = self.selection
        key = ("runs", pair, *self._subsets().values())
        if key not in self._parts:
            shown: list[Plot | str] = []
            for one, other in (pair, pair[::-1]):
                with contextlib.suppress(ValueError):  # intervals, or no runs of this one
                    place = data.datasets[0]
                    shown = [plots.fold_boxplots(data, one, [other], dataset=place)]
                    break
            self._keep(self._parts, key, shown)
        return list(self._parts[key])
