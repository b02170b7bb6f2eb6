"""PlanBuilder: how many data sets, folds or runs an experiment needs, with controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from nbcompare import plots
from nbcompare._options import AUTO
from nbcompare._render import plural
from nbcompare._validation import DataError
from nbcompare.analysis.rules import RANK_RULES, Rule, State, facts_of_scores
from nbcompare.plots import Plot
from nbcompare.results import Plan
from nbcompare.results.plan import FOLDS, ITEMS, RUNS
from nbcompare.study import unit_of
from nbcompare.widgets._builder import ExperimentBuilder, settings_for
from nbcompare.widgets._elements import Pair
from nbcompare.widgets._model import AnalysisModel, FigureKind
from nbcompare.widgets._settings import Idle
from nbcompare.widgets.cd_diagram import scatter, seconds_of_ranks

# Options that a comparison over data sets alone has
_BY_DATASETS = ("ranking", "pairs", "method", "scale", "formulas")
# Experiments that a plan simulates, roughly, and seconds of a hypothesis on a data set in each
_SIMULATED, _SECONDS = 20_000, 5e-6
_RUNS = 15.0  # seconds of a plan for runs, whose tests take long
# Seconds that are added: it is always simulated beside the kernel, where it would leave a bar
_BESIDE = 10.0


def _unit(state: State) -> str:
    """Return what is planned with these settings."""
    return str(state.auto_unit if state.unit == AUTO else state.unit)


def _on_one(state: State) -> bool:
    """Return whether a single data set is what the tests are about."""
    return state.n < 2 or _unit(state) == FOLDS


def _on_several(rule: Rule) -> Rule:
    """Return a rule for plans of several data sets; of one, the plan itself checks its options."""
    return rule._replace(when=lambda s: not _on_one(s) and rule.when(s))


class PlanModel(AnalysisModel):
    """A plan by a pilot."""

    function = "plan"
    rules = tuple(map(_on_several, RANK_RULES))
    idle = (
        Idle("unit", lambda s: s.n_runs < 2 or s.n == s.n_folds == 1 or s.auto_unit == ITEMS),
        Idle("ratio", lambda s: _unit(s) != FOLDS),
        *(Idle(name, _on_one) for name in (*_BY_DATASETS, "missing")),
    )
    foremost = ("algorithms", "control", "unit", "power", "prior", "alpha")
    telling = 3  # how many are needed
    beside_design = ("largest", "missing", "confidence", "rng", "n_jobs")
    figure_kinds: ClassVar[Mapping[str, FigureKind]] = {
        "power": FigureKind("power by number", plots.planning_curve)
    }

    def facts(self) -> Mapping[str, Any]:
        """Return the size of the pilot, what is missing, and what it can be planned for."""
        data = self.selection
        counts = {"n_folds": data.n_folds, "n_runs": data.n_runs}
        units = {"auto_unit": AUTO}
        with suppress(DataError):  # it is told when the plan is made
            units["auto_unit"] = unit_of(data, AUTO)
        return {**facts_of_scores(data, self.function), **counts, **units}

    def seconds(self, state: State) -> float:
        """Return about how long the simulation takes, by pairs and data sets."""
        pairs = state.k - 1 if state.control is not None else state.k * (state.k - 1) / 2
        n = min(2 * max(state.n, 10), state.largest)
        simulated = _SIMULATED * _SECONDS * pairs * n
        if _unit(state) == RUNS:
            return _BESIDE + max(_RUNS, float(simulated))
        return float(_BESIDE + simulated + seconds_of_ranks(state))

    def told_of_draft(self) -> str:
        """Say how little of the simulation the plan is made of."""
        result: Plan = self.result
        return (
            f"The plan below is preliminary: it is made of the first "
            f"{plural(int(result.repetitions.sum()), 'simulated experiment')}, and of no more than "
            f"{plural(result.largest, result.noun)}."
        )

    def in_short(self) -> Sequence[str]:
        """Return what was found; the tests stand beside the controls."""
        return tuple(self.result.findings)

    def design(self) -> str:
        """Return the tests that are planned for."""
        told: str = self.result.tests
        return told.removeprefix("Design: ").removesuffix(".")

    def evidence(self, pair: Pair) -> Sequence[str | Plot]:
        """Return the scores of a pair in the pilot by data set, if these are several."""
        design = self.result.design
        several = len(design.datasets) > 1
        return scatter(self, pair, scale=design.options["scale"]) if several else []


class PlanBuilder(ExperimentBuilder):
    """Plan an experiment by a pilot with controls, a curve of power, and code.

    As :class:`CDDiagramBuilder`, for :func:`nbcompare.plan`. The simulation takes seconds: it runs
    beside the kernel, which stays free, and shows preliminary plans, which say that they are, until
    there is the plan itself. A change of a setting ends a simulation that is not wanted any more.

    Parameters
    ----------
    experiment : Experiment or dataframe
        The scores of the pilot.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only; a message says how it was
        read.
    **settings
        Traits to begin with; without them, as ``plan`` has them.

    Attributes
    ----------
    power, unit, prior, largest, control, ranking, pairs, adjust, alpha : object
        As in :func:`nbcompare.plan`, like the next ones.
    method, scale, formulas, missing, confidence, rng, n_jobs : object
        The seed ``rng`` is 0 at first, so that the same settings give the same plan.
    algorithms, datasets : tuple of str
        What of the pilot is used, in the order of the experiment; None stands for all.
    pair : tuple of str, optional
        Two algorithms that are looked into; without it, those that need least.
    result : Plan
        What ``plan`` gives with these settings.
    figure : Plot
        Power by the number of data sets, folds or runs.
    code : str
        Python that gives both again.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> builder = nbc.PlanBuilder(nbc.datasets.load("demsar2006"), control="C4.5", largest=30)
    >>> builder.prior = 4
    >>> builder.power, builder.prior
    (0.8, 4.0)
    >>> print(builder.code)
    import nbcompare as nbc
    <BLANKLINE>
    experiment = nbc.datasets.load("demsar2006")
    result = nbc.plan(experiment, prior=4.0, largest=30, control="C4.5")
    nbc.plots.planning_curve(result)
    """

    _model_kind = PlanModel
    locals().update(settings_for(PlanModel))

    @property
    def result(self) -> Plan:
        """The plan with the settings as they are; computed when it is read."""
        self._model.draft = None  # which is for the screen alone
        plan: Plan = self._model.result
        return plan

    @property
    def figure(self) -> plots.Plot:
        """The figure of the plan."""
        self._model.draft = None
        return self._model.figure
