"""PlanBuilder: how many data sets, folds or runs an experiment needs, with controls."""

from __future__ import annotations

from collections.abc import Container, Mapping
from contextlib import suppress
from typing import Any, ClassVar, cast

from nbcompare import analysis, plots
from nbcompare._display import current
from nbcompare._options import AUTO, OPTIONS
from nbcompare._render import plural, stated_p
from nbcompare._render.numbers import format_p
from nbcompare._validation import DataError
from nbcompare.analysis.ranks import compare_datasets
from nbcompare.analysis.rules import (
    FOLD_RULES,
    RANK_RULES,
    Rule,
    State,
    facts_of_scores,
)
from nbcompare.experiment import Experiment
from nbcompare.results import Comparison, Plan
from nbcompare.results.plan import DATASETS, FOLDS, ITEMS, RUNS
from nbcompare.results.wording import percent
from nbcompare.study import unit_of
from nbcompare.widgets._builder import CONTROL, ExperimentBuilder, ExperimentModel
from nbcompare.widgets._choices import Idle
from nbcompare.widgets._model import Details, FigureKind, nearest_pair
from nbcompare.widgets._settings import SelectedPair, SettingsOf, Subset, options_of
from nbcompare.widgets.cd_diagram import design_of, seconds_of_ranks, settled_of

_OPTIONS = options_of("plan")
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


def _only_on_one(rule: Rule) -> Rule:
    """Return a rule of the comparison of folds, for plans of a single data set."""

    def refuses(_: State, word: Any) -> bool:
        return word != AUTO and word in cast("Container[Any]", rule.words)

    return rule._replace(words=refuses, when=lambda s: _on_one(s) and rule.when(s))


def _on_several(rule: Rule) -> Rule:
    """Return a rule on missing scores for plans of several data sets, which can be left out."""
    return rule._replace(when=lambda s: not _on_one(s) and rule.when(s))


_UNIT_RULES = (
    Rule("unit", (DATASETS,), lambda s: s.n < 2, "there is one data set"),
    Rule("unit", (FOLDS,), lambda s: s.n > 1, "they are planned for one data set, not {n}"),
    Rule("unit", (FOLDS,), lambda s: s.n_folds * s.n_runs < 2, "there is one score of each"),
    Rule("unit", (FOLDS,), lambda s: s.fewer_runs, "some algorithms have fewer runs than others"),
    Rule("unit", (RUNS,), lambda s: s.n_runs < 2, "no fold has several runs"),
    Rule("unit", (ITEMS,), lambda s: s.auto_unit != ITEMS, "there are no items of one benchmark"),
    Rule("unit", (FOLDS, RUNS), lambda s: s.auto_unit == ITEMS, "there are items"),
    Rule("unit", (FOLDS,), lambda s: s.n == s.n_folds == 1, "there are runs without folds"),
)
_RANK_RULES = tuple(
    _on_several(rule) if rule.option == "missing" else rule
    for rule in RANK_RULES
    if rule.option in _OPTIONS
)
_ON_ONE_RULES = (
    *(
        Rule(
            name,
            lambda _, word, name=name: word != OPTIONS[_OPTIONS[name]].default,  # type: ignore[misc]
            _on_one,
            "what is planned for one data set has no such choice",
        )
        for name in (*_BY_DATASETS, "missing")
    ),
    *map(_only_on_one, FOLD_RULES),
    Rule(
        "ratio",
        lambda _, value: value is not None,
        lambda s: _unit(s) != FOLDS,
        "no folds of one data set are planned",
    ),
)


class PlanModel(ExperimentModel):
    """A plan by a pilot."""

    function = "plan"
    rules = (CONTROL, *_UNIT_RULES, *_RANK_RULES, *_ON_ONE_RULES)
    idle = (
        Idle("unit", lambda s: s.n_runs < 2 or s.n == s.n_folds == 1 or s.auto_unit == ITEMS),
        Idle("ratio", lambda s: _unit(s) != FOLDS),
        *(Idle(name, _on_one) for name in (*_BY_DATASETS, "missing")),
    )
    detailed = ("pair",)
    pair_noun = "pair"
    foremost = ("algorithms", "control", "unit", "power", "prior", "alpha")
    beside_design = ("largest", "missing", "confidence", "rng", "n_jobs")
    figure_kinds: ClassVar[Mapping[str, FigureKind]] = {
        "power": FigureKind("power by number", plots.planning_curve)
    }

    def facts(self) -> Mapping[str, Any]:
        """Return the size of the pilot, what is missing, and what it can be planned for."""
        data: Experiment = self.selection
        counts = {"n_folds": data.n_folds, "n_runs": data.n_runs}
        units = {"fewer_runs": bool(data.fewer_runs), "auto_unit": AUTO}
        with suppress(DataError):  # it is told when the plan is made
            units["auto_unit"] = unit_of(data, AUTO)
        facts = facts_of_scores(data, self.function)
        return {**facts, **counts, **units}

    def seconds(self, state: State) -> float:
        """Return about how long the simulation takes, by pairs and data sets."""
        pairs = state.k - 1 if state.control is not None else state.k * (state.k - 1) / 2
        n = min(2 * max(state.n, 10), state.largest)
        simulated = _SIMULATED * _SECONDS * pairs * n
        if _unit(state) == RUNS:
            return _BESIDE + max(_RUNS, float(simulated))
        return float(_BESIDE + simulated + seconds_of_ranks(state))

    def key(self) -> tuple[Any, ...]:
        """Return what the result depends on, which is not the number of processes."""
        known = self.choices.arguments()
        known.pop("n_jobs", None)
        return *known.values(), *self.choices.subsets().values()

    def told_of_draft(self) -> str:
        """Say how little of the simulation the plan is made of."""
        result: Plan = self.result
        return (
            f"The plan below is preliminary: it is made of the first "
            f"{plural(int(result.repetitions.sum()), 'simulated experiment')}, and of no more than "
            f"{plural(result.largest, result.noun)}."
        )

    def in_short(self) -> tuple[str, ...]:
        """Return what was found; the tests stand beside the controls."""
        result: Plan = self.result
        return result.findings

    @property
    def pilot(self) -> Comparison | None:
        """The comparison of the pilot whose tests are planned for; None of a single data set."""
        if _on_one(self.choices.state()):
            return None
        asked = self.choices.arguments()
        options = {name: asked[name] for name in options_of("compare") if name in asked}

        def compared() -> Comparison:
            return compare_datasets(self.selection, **options, intervals="none")

        pilot: Comparison = self.parts.made(("pilot", *self.key()), compared)
        return pilot

    def design(self) -> str:
        """Return the tests that are planned for."""
        pilot = self.pilot
        if pilot is not None:
            return design_of(pilot)
        told: str = self.result.tests
        return told.removeprefix("Design: ").removesuffix(".")

    def settled(self) -> Mapping[str, str]:
        """Return what ``auto`` and the best stand for."""
        pilot = self.pilot
        words = {} if pilot is None else settled_of(pilot, self.selection)
        return {**words, "unit": f"{self.result.noun}s", "n_jobs": "1"}

    # ------------------------------------------------------------------------ one pair

    def details(self) -> Details:
        """Return the pairs, which need least first, and the selected one in a sentence."""
        result: Plan = self.result
        pairs = list(zip(result.first, result.second, strict=True))
        entries = [
            (pair, f"{self._number(row)}: {pair[0]} over {pair[1]}")
            for row, pair in enumerate(pairs)
        ]
        row = nearest_pair(self.choices.value("pair"), pairs)
        shown = [self._sentence(row), *self._evidence(pairs[row])]
        return Details("pair", entries, pairs[row], shown)

    def _number(self, row: int) -> str:
        """Return the number that a pair needs, with its noun."""
        result: Plan = self.result
        n = int(result.needed.n[row])
        return plural(n, result.noun) if n else f"more than {plural(result.largest, result.noun)}"

    def _sentence(self, row: int) -> str:
        """Return what a pair needs, and what the pilot found of it."""
        result: Plan = self.result
        needed = result.needed
        told = ""
        if needed.interval(row):
            told = f" ({percent(result.confidence)} interval {needed.interval(row)})"
        ends = f"{needed.power_lower[row]:.2f} to {needed.power_upper[row]:.2f}"
        there = f"the power is {needed.power[row]:.2f} there on average ({ends})"
        if not needed.n[row]:
            there = (
                f"with {result.largest:,}, the power is {needed.power[row]:.2f} on average ({ends})"
            )
        found = "significant" if result.significant[row] else "not significant"
        return (
            f"To find that {result.first[row]} is better than {result.second[row]} with a power of "
            f"{result.power:g}: {self._number(row)}{told}; {there}. In the pilot, the mean "
            f"difference is {result.difference[row]:.3g}, which is {found} at "
            f"α = {result.alpha:g} ({stated_p(format_p(float(result.pvalue[row])))})."
        )

    def _evidence(self, pair: tuple[str, str]) -> list[str | plots.Plot]:
        """Return the scores of a pair in the pilot, by data set or by run, if these are there."""
        result: Plan = self.result
        datasets = result.design.datasets

        def drawn() -> plots.Plot:
            data = self.selection.select(datasets=datasets)
            if len(datasets) > 1:
                scale = result.design.options["scale"]
                return plots.pair_scatter(analysis.compare_pair(data, *pair, scale=scale))
            return plots.fold_boxplots(data, pair[0], pair[1:])

        with suppress(ValueError):
            key = ("scatter", *pair, *datasets, current())
            return [self.parts.made(key, drawn)]
        return []


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

    _plan = SettingsOf("plan")
    algorithms = Subset("Algorithms", "k")
    datasets = Subset("Data sets", "n", least=1)
    pair = SelectedPair(label="Pair", help="the pair of algorithms that is looked into")

    _model_kind = PlanModel

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
        figure: plots.Plot = self._model.figure
        return figure
