"""FuzzyPValueBuilder: algorithms whose runs scatter, with controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from nbcompare import plots
from nbcompare.analysis.rules import RUN_RULES, State, facts_of_runs
from nbcompare.plots import Plot
from nbcompare.widgets._builder import ExperimentBuilder, settings_for
from nbcompare.widgets._elements import Pair
from nbcompare.widgets._model import NO_FILL, AnalysisModel, FigureKind
from nbcompare.widgets._settings import Idle


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
    detailed = ("pair",)
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

    def evidence(self, pair: Pair) -> Sequence[str | Plot]:
        """Return the p-value of the pair alone."""
        return [self.drawn_once(plots.membership, self.result, rows=(pair,))]


class FuzzyPValueBuilder(ExperimentBuilder):
    """Compare algorithms by repeated runs with controls, fuzzy p-values, and code.

    As :class:`CDDiagramBuilder`, for :func:`nbcompare.compare_stochastic`: what the runs of
    a fold become, at which coverage, and by which test, with the p-value as a fuzzy set and the
    outcome.

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
        Two algorithms whose p-value is shown alone; those of the first hypothesis without it.
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
