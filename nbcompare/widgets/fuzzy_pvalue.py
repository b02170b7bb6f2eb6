"""FuzzyPValueBuilder: algorithms whose runs scatter, under one's hands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np

from nbcompare import plots
from nbcompare._arrays import BoolArray
from nbcompare._options import AUTO, BEST, OPTIONS
from nbcompare._validation import check_count, check_share
from nbcompare.experiment import Experiment
from nbcompare.plots import Plot
from nbcompare.results import StochasticComparison
from nbcompare.stats.logical import MOST_ALGORITHMS
from nbcompare.widgets._experiment import ExperimentBuilder, foreign_control
from nbcompare.widgets._rules import Idle, Rule, State, View
from nbcompare.widgets._screen import Details
from nbcompare.widgets._settings import (
    Member,
    Number,
    Place,
    Selected,
    Subset,
    Viewed,
    Word,
    Words,
)
from nbcompare.words import PROCEDURES

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
        lambda s: not s.repeated and not s.intervals,
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
        "encoding",
        ("shortest", "bootstrap-mean"),
        lambda s: s.intervals,
        "not for interval-valued scores",
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
        {name for name, procedure in PROCEDURES.items() if procedure.all_pairs_only} - {"nemenyi"},
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
    Rule(
        "formulas",
        ("printed",),
        lambda s: s.procedure not in _BOOTSTRAP,
        "the papers print some for the bootstrap tests only",
    ),
    Rule(
        "dataset",
        lambda s, word: word is not None and word not in s.datasets,
        lambda _: True,
        "the data set is not selected",
    ),
)
_IDLE = tuple(Idle(name, lambda s: s.method != "resampling") for name in ("n_resamples", "rng"))


def _no_diagram(builder: FuzzyPValueBuilder) -> str:
    result = builder.result
    known = result.groups is not None and result.open_groups is not None
    return "" if known else "there are more than 200 groups"


def _no_runs(builder: FuzzyPValueBuilder) -> str:
    where = "" if builder.dataset is None else f" of {builder.dataset}"
    return "" if builder._runs() else f"neither has several runs of a fold{where}"


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
    procedure, test, encoding, coverage, blocks, control, adjust, alpha : object
        As in :func:`nbcompare.compare_stochastic`, like the next ones.
    method, n_resamples, rng, formulas, missing : object
        The controls of ``n_resamples`` and ``rng`` are there when p is drawn at random.
    algorithms, datasets : tuple of str
        What is selected, in the order of the experiment; None stands for all.
    view : {"membership", "outcome", "runs"}
        The p-values as fuzzy sets (or intervals), the diagram of outcomes, or the runs of the
        pair, fold by fold.
    pair : tuple of str, optional
        Two algorithms whose runs are shown fold by fold; those of the first hypothesis
        without it.
    dataset : str, optional
        The data set whose runs are shown; without it, the first on which one of the two has
        several.
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
    experiment = nbc.datasets.load("stochastic_regression")
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
    n_resamples = Number(
        "stochastic.n_resamples",
        check=partial(check_count, least=1),
        step=1000,
        label="Random draws",
    )
    rng = Number("rng", check=partial(check_count, least=0), optional=True, label="Seed")
    formulas = Word("formulas")
    missing = Word("stochastic.missing", label="Missing scores")
    view = Viewed(label="Figure", help="what is drawn")
    algorithms = Subset("Algorithms", "k")
    datasets = Subset("Data sets", "n")
    pair = Selected(label="Hypothesis", help="the pair whose runs are shown")
    dataset = Place("datasets", label="Runs on data set", help="the data set they are shown of")

    _function = "compare_stochastic"
    _detailed = ("pair", "dataset")
    _rules, _idle = _RULES, _IDLE
    _views: ClassVar[Mapping[str, View]] = {
        "membership": View("p-values", plots.membership),
        "outcome": View("diagram of outcomes", plots.outcome_diagram, unavailable=_no_diagram),
        "runs": View(
            "runs of the pair, by fold",
            plots.fold_boxplots,
            lambda builder: builder._runs(),
            of="data",
            unavailable=_no_runs,
        ),
    }

    def _defaults(self, settings: dict[str, Any]) -> Mapping[str, Any]:
        return {"procedure": "fuzzy" if self._facts()["repeated"] else "interval"}

    def _facts(self) -> Mapping[str, Any]:
        data = self.selection
        several, _ = _counted(data)
        return {
            **super()._facts(),
            "repeated": bool(several.any()),
            "intervals": data.is_interval,
        }

    def _seconds(self, state: State) -> float:
        """By pairs, cuts of a fuzzy set, folds, and what is drawn; as measured, roughly."""
        data = self.selection
        pairs = state.k - 1 if state.control is not None else state.k * (state.k - 1) / 2
        cells = pairs * data.n_datasets * data.n_folds * (50 if state.procedure == "fuzzy" else 1)
        if state.method == "resampling":
            a_draw = 4e-6 if state.test == "permutation" else 1.5e-7
            return float(a_draw * cells * state.n_resamples)
        return float((1e-5 if state.test == "permutation" else 1e-6) * cells)

    # ---------------------------------------------------------------------- one pair

    def _pairs(self) -> list[tuple[str, str]]:
        """The hypotheses, by the names that they are about."""
        tests = self.result.hypotheses
        return list(zip(tests.first, tests.second or (), strict=True))

    def _details(self) -> Details:
        result: StochasticComparison = self.result
        pairs, outcomes = self._pairs(), result.hypotheses.outcome
        entries = [
            (pair, f"{outcome}: {pair[0]} – {pair[1]}")
            for pair, outcome in zip(pairs, outcomes, strict=True)
        ]
        wanted = self.pair or pairs[0]
        for pair in (wanted, wanted[::-1]):
            if pair in pairs:
                outcome = outcomes[pairs.index(pair)]
                told = f"{pair[0]} and {pair[1]}: {outcome} at α = {result.alpha:g}."
                return Details("pair", entries, pair, [told, *self._evidence()])
        told = f"{wanted[0]} and {wanted[1]} are not among the hypotheses."
        return Details("pair", entries, None, [told])

    def _evidence(self) -> list[Plot | str]:
        """The runs of the pair, unless they are the figure already."""
        chosen = self._runs()
        if not chosen:
            return [f"There are no {self._views['runs'].label}: {_no_runs(self)}."]
        if self._drawn_view() == "runs":
            return []
        key = ("runs", *chosen.values(), *self._subsets().values())
        if key not in self._parts:
            self._keep(self._parts, key, plots.fold_boxplots(self.selection, **chosen))
        return [self._parts[key]]

    def _runs(self) -> dict[str, Any]:
        """What of the runs is drawn: whose boxes, beside whom, where; nothing if there are none.

        Of the two, the first that has several runs in a fold has the boxes.
        """
        data: Experiment = self.selection
        if data.is_interval:
            return {}
        several, some = _counted(data)
        one, other = (data.algorithms.index(name) for name in self.pair or self._pairs()[0])
        for name in data.datasets if self.dataset is None else (self.dataset,):
            place = data.datasets.index(name)
            for boxed, beside in ((one, other), (other, one)):
                if several[place, boxed] and some[place, beside]:
                    return {
                        "algorithm": data.algorithms[boxed],
                        "others": (data.algorithms[beside],),
                        "dataset": name,
                    }
        return {}


def _counted(data: Experiment) -> tuple[BoolArray, BoolArray]:
    """Of every data set and algorithm: several runs in a fold, and any at all."""
    runs = (~np.isnan(data.lower)).sum(axis=3)
    return (runs > 1).any(axis=2), (runs > 0).any(axis=2)
