"""FuzzyPValueBuilder: algorithms whose runs scatter, with controls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from nbcompare import plots
from nbcompare._arrays import BoolArray
from nbcompare.analysis.rules import RUN_RULES, Rule, State, always, facts_of_runs
from nbcompare.analysis.scales import scales_of
from nbcompare.experiment import Experiment
from nbcompare.plots import Plot
from nbcompare.results import StochasticComparison
from nbcompare.widgets._builder import CONTROL, NO_FILL, ExperimentBuilder, ExperimentModel
from nbcompare.widgets._choices import Idle
from nbcompare.widgets._model import Details, FigureKind, nearest_pair, shown_figure
from nbcompare.widgets._settings import (
    SelectedName,
    SelectedPair,
    SettingsOf,
    Subset,
)
from nbcompare.words import ENCODINGS, IMPRECISE_TESTS, PROCEDURES, STOCHASTIC_PROCEDURES

_DATASET = Rule(
    "dataset",
    lambda s, word: word is not None and word not in s.datasets,
    always,
    "the data set is not selected",
)
_IDLE = (
    *(Idle(name, lambda s: s.method != "resampling") for name in ("n_resamples", "rng")),
    NO_FILL,
)


def _no_diagram(model: StochasticModel) -> str:
    result = model.result
    known = result.groups is not None and result.open_groups is not None
    return "" if known else "there are more than 200 groups"


def _no_runs(model: StochasticModel) -> str:
    dataset = model.choices.value("dataset")
    where = "" if dataset is None else f" on {dataset}"
    return "" if model.runs() else f"neither algorithm has several runs of a fold{where}"


class StochasticModel(ExperimentModel):
    """A comparison by repeated runs."""

    function = "compare_stochastic"
    rules, idle = (CONTROL, *RUN_RULES, _DATASET), _IDLE
    detailed = ("pair", "dataset")
    foremost = ("algorithms", "control", "procedure", "alpha")
    figure_kinds: ClassVar[Mapping[str, FigureKind]] = {
        "membership": FigureKind(
            "p-values",
            plots.membership,
            effect="draws the p-value of each pair as a fuzzy set or an interval",
        ),
        "outcome": FigureKind(
            "diagram of outcomes",
            plots.outcome_diagram,
            unavailable=_no_diagram,
            from_end=True,
            effect="joins the algorithms between which no difference was found",
        ),
        "runs": FigureKind(
            "runs of the pair, by fold",
            plots.fold_boxplots,
            lambda model: model.runs(),
            of="data",
            unavailable=_no_runs,
            effect="shows the runs of two algorithms on a data set",
        ),
    }

    def defaults(self, settings: dict[str, Any]) -> Mapping[str, Any]:
        """Return the procedure that shows most of these data."""
        return {"procedure": "fuzzy" if self.facts()["repeated"] else "interval"}

    def facts(self) -> Mapping[str, Any]:
        """Return the size of the selected data, and what its scores are."""
        return facts_of_runs(self.selection)

    def seconds(self, state: State) -> float:
        """Return a rough time by pairs, cuts of a fuzzy set, folds, and what is drawn."""
        data = self.selection
        pairs = state.k - 1 if state.control is not None else state.k * (state.k - 1) / 2
        cells = pairs * data.n_datasets * data.n_folds * (50 if state.procedure == "fuzzy" else 1)
        if state.method == "resampling":
            return float(1.5e-7 * cells * state.n_resamples)
        return float((1e-5 if state.test == "permutation" else 1e-6) * cells)

    def design(self) -> str:
        """Return the procedure, what represents the runs, the test and the adjustment."""
        result: StochasticComparison = self.result
        procedure = STOCHASTIC_PROCEDURES[result.procedure]
        test = IMPRECISE_TESTS[result.test].label if result.test else ""
        against = "all pairs" if result.control is None else f"control {result.control}"
        labels = [PROCEDURES[name].label_with(result.control) for name in result.adjust]
        encoding = ENCODINGS[result.encoding]
        runs = f"{result.encoding}{' interval' if encoding.has_coverage else ''} of the runs"
        if result.coverage is not None:
            runs += f" (coverage {result.coverage:g})"
        words = (
            procedure.label,
            runs,
            test,
            against,
            " and ".join(labels) or "raw p-values",
        )
        return ", ".join(filter(None, words))

    def settled(self) -> Mapping[str, str]:
        """Return what ``auto`` and defaults stand for."""
        result: StochasticComparison = self.result
        return {
            "procedure": result.procedure,
            "scale": "one scale" if scales_of(self.selection).one else "several scales",
            "test": result.test or "none",
            "encoding": result.encoding,
            "coverage": "none" if result.coverage is None else f"{result.coverage:g}",
            "blocks": result.blocks,
        }

    # ---------------------------------------------------------------------- one pair

    def _first_pair(self) -> tuple[str, str]:
        """Return the first pair of which one has several runs; the first without any."""
        data: Experiment = self.selection
        several, _ = _counted(data)
        repeated = {name for place, name in enumerate(data.algorithms) if several[:, place].any()}
        pairs = self._pairs()
        return next((pair for pair in pairs if repeated.intersection(pair)), pairs[0])

    def _pairs(self) -> list[tuple[str, str]]:
        """Return the hypotheses, by the names that they are about."""
        tests = self.result.hypotheses
        return list(zip(tests.first, tests.second or (), strict=True))

    def details(self) -> Details:
        """Return the hypotheses, the outcome of the selected one, and the runs behind it."""
        result: StochasticComparison = self.result
        pairs, outcomes = self._pairs(), result.hypotheses.outcome
        entries = [
            (pair, f"{outcome}: {pair[0]} – {pair[1]}")
            for pair, outcome in zip(pairs, outcomes, strict=True)
        ]
        pair = self._pair()
        told = f"{pair[0]} and {pair[1]}: {outcomes[pairs.index(pair)]} at α = {result.alpha:g}."
        return Details("pair", entries, pair, [told, *self._evidence()])

    def _pair(self) -> tuple[str, str]:
        """Return the hypothesis that is looked into."""
        pairs = self._pairs()
        return pairs[nearest_pair(self.choices.value("pair") or self._first_pair(), pairs)]

    def _evidence(self) -> list[Plot | str]:
        """Return the runs of the pair, unless they are the figure already."""
        chosen = self.runs()
        if not chosen:
            return [f"There are no {self.figure_kinds['runs'].label}: {_no_runs(self)}."]
        if self.drawn() == "runs":
            return []
        key = ("runs", *chosen.values(), *self.choices.subsets().values())
        return [self.parts.made(key, lambda: plots.fold_boxplots(self.selection, **chosen))]

    def runs(self) -> dict[str, Any]:
        """Return what of the runs is drawn: whose boxes, beside whom, where; nothing without runs.

        Of the two, the first that has several runs in a fold has the boxes.
        """
        data: Experiment = self.selection
        if data.is_interval:
            return {}
        several, some = _counted(data)
        dataset = self.choices.value("dataset")
        pair = self._pair()
        one, other = map(data.algorithms.index, pair)
        for name in data.datasets if dataset is None else (dataset,):
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
    """Return whether there are several runs of a fold, and any, by data set and algorithm."""
    runs = (~np.isnan(data.lower)).sum(axis=3)
    return (runs > 1).any(axis=2), (runs > 0).any(axis=2)


class FuzzyPValueBuilder(ExperimentBuilder):
    """Compare algorithms by repeated runs with controls, fuzzy p-values, and code.

    As :class:`CDDiagramBuilder`, for :func:`nbcompare.compare_stochastic`: what the runs of
    a fold become, at which coverage, and by which test, with the p-value as a fuzzy set,
    the outcome, and the runs behind a pair.

    Parameters
    ----------
    experiment : Experiment or dataframe
        The scores, with runs of those algorithms that depend on a random seed.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only; a message says how it was
        read.
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

    _compare_stochastic = SettingsOf("compare_stochastic")
    view = shown_figure(StochasticModel)
    algorithms = Subset("Algorithms", "k")
    datasets = Subset("Data sets", "n", least=1)
    pair = SelectedPair(label="Hypothesis", help="the pair whose runs are shown")
    dataset = SelectedName(
        "datasets", label="Runs on data set", help="the data set whose runs are shown"
    )

    _model_kind = StochasticModel
