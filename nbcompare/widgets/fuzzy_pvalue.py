"""FuzzyPValueBuilder: algorithms whose runs scatter, with controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from nbcompare import plots
from nbcompare._arrays import BoolArray
from nbcompare.analysis.rules import RUN_RULES, State, facts_of_runs
from nbcompare.plots import Plot
from nbcompare.widgets._builder import ExperimentBuilder, settings_for
from nbcompare.widgets._elements import Pair
from nbcompare.widgets._model import NO_FILL, AnalysisModel, FigureKind
from nbcompare.widgets._settings import Idle, SelectedName


def _no_diagram(model: StochasticModel) -> str:
    result = model.result
    known = result.groups is not None and result.open_groups is not None
    return "" if known else "there are more than 200 groups"


class StochasticModel(AnalysisModel):
    """A comparison by repeated runs."""

    function = "compare_stochastic"
    rules = RUN_RULES
    idle = (
        *(Idle(name, lambda s: s.method != "resampling") for name in ("n_resamples", "rng")),
        NO_FILL,
    )
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

    def _has_runs(self, least: int) -> BoolArray:
        """Return whether a fold has so many runs, by data set and algorithm."""
        runs = (~np.isnan(self.selection.lower)).sum(axis=3)
        found: BoolArray = (runs >= least).any(axis=2)
        return found

    def usual_pair(self, pairs: Sequence[Pair]) -> Pair | None:
        """Return the first pair of which one has several runs."""
        several = self._has_runs(2)
        algorithms = self.selection.algorithms
        names = {name for place, name in enumerate(algorithms) if several[:, place].any()}
        return next((pair for pair in pairs if names.intersection(pair)), None)

    def evidence(self, pair: Pair) -> Sequence[str | Plot]:
        """Return the runs of the pair, fold by fold."""
        if not (chosen := self._runs(pair)):
            dataset = self.choices.value("dataset")
            where = "" if dataset is None else f" on {dataset}"
            return [f"Neither algorithm has several runs of a fold{where}."]
        return [self.drawn_once(plots.fold_boxplots, self.selection, **chosen)]

    def _runs(self, pair: Pair) -> dict[str, Any]:
        """Return what of the runs is drawn: whose boxes, beside whom, where; nothing without runs.

        Of the two, the first that has several runs in a fold has the boxes.
        """
        data, dataset = self.selection, self.choices.value("dataset")
        if data.is_interval:
            return {}
        several, some = (self._has_runs(least) for least in (2, 1))
        one, other = map(data.algorithms.index, pair)
        for name in data.datasets if dataset is None else (dataset,):
            place = data.datasets.index(name)
            for boxed, beside in ((one, other), (other, one)):
                if several[place, boxed] and some[place, beside]:
                    names = data.algorithms[boxed], (data.algorithms[beside],)
                    return {"algorithm": names[0], "others": names[1], "dataset": name}
        return {}


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
    view : {"membership", "outcome"}
        The p-values as fuzzy sets (or intervals), or the diagram of outcomes.
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

    _model_kind = StochasticModel
    locals().update(settings_for(StochasticModel))

    dataset = SelectedName(
        "datasets", label="Runs on data set", help="the data set whose runs are shown"
    )
