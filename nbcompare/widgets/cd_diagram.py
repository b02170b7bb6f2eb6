"""CDDiagramBuilder: a comparison by ranks, with controls."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar

from nbcompare import analysis, plots
from nbcompare._display import current
from nbcompare._options import AUTO, TWO_SIDED
from nbcompare._render import format_number, format_p, stated_p
from nbcompare._validation import DataError
from nbcompare.analysis.rules import RANK_RULES, State, by_position, facts_of_scores
from nbcompare.analysis.scales import scales_of
from nbcompare.analysis.units import is_within
from nbcompare.experiment import Experiment
from nbcompare.results import BayesianComparison, Comparison
from nbcompare.results.bayesian import told_of_pair
from nbcompare.results.hypotheses import statistic_text
from nbcompare.stats.logical import MOST_ALGORITHMS
from nbcompare.widgets._beside import (
    BESIDE_RULES,
    Both,
    BothTask,
    arguments,
    code,
    differences,
    seconds_beside,
)
from nbcompare.widgets._builder import CONTROL, NO_FILL, ExperimentBuilder, ExperimentModel
from nbcompare.widgets._choices import ChosenSettings
from nbcompare.widgets._code import Expression
from nbcompare.widgets._model import Details, FigureKind, Pick, nearest_pair, shown_figure
from nbcompare.widgets._settings import Margin, SelectedPair, SettingsOf, Subset, Switch, options_of
from nbcompare.words import (
    PAIR_TESTS,
    PAIRWISE_TESTS,
    PROCEDURES,
    RANKINGS,
    TREATMENTS_OF,
)

COMPARED_RULES = (CONTROL, *RANK_RULES)
# Hypotheses times data sets up to which other designs are tried too, within half a second
_MOST_VARIED = 1000
_MOST_JOINED = 20  # algorithms of a diagram to begin with
_LAWS = {"exact": "exact", "normal": "normal approximation", "t": "Student's t"}


def seconds_of_ranks(state: State) -> float:
    """Return the time of the adjustment; only Bergmann and Hommel's procedure takes long."""
    adjust = state.adjust if isinstance(state.adjust, tuple) else (state.adjust,)
    if state.control is not None or not {"bergmann-hommel", AUTO}.intersection(adjust):
        return 0.0
    is_bounded = "bergmann-hommel" not in adjust  # as what is recommended is
    if by_position(state):
        return float(2.0 * (min(state.k, 50 if is_bounded else state.k) / 50) ** 4)
    return float(0.6 * 3.0 ** (min(state.k, 14 if is_bounded else MOST_ALGORITHMS) - 15))


def _too_many_groups(model: RankModel) -> str:
    return "" if model.result.groups is not None else "there are more than 200 groups"


def recommended_design(data: Any, choices: ChosenSettings) -> tuple[dict[str, Any], str]:
    """Return the settings that are recommended for data, and what they amount to.

    What is recommended is the default of most options, and follows a later selection.
    """
    asked = {name: choices.value(name) for name in ("control", "alpha", "scale")}
    advice = analysis.recommend(data, **asked)
    kept = {*asked, "intervals", "margin"}  # they belong to the question, not to the design
    options = {name: choices.settings[name].entry.default for name in options_of("compare")}
    design = {name: value for name, value in options.items() if name not in kept}
    return {**design, "missing": advice.missing}, advice.sentences[0]


def design_of(result: Comparison) -> str:
    """Return the ranks, the hypotheses, the tests and the adjustment of a comparison."""
    pairs = PAIRWISE_TESTS[result.pairs]
    against = "all pairs" if result.control is None else f"control {result.control}"
    labels = [PROCEDURES[name].label_with(result.family_control) for name in result.adjust]
    words = (
        RANKINGS[result.ranking].ranks,
        against,
        "" if pairs.by_ranks else pairs.test,
        " and ".join(labels) or "raw p-values",
    )
    return ", ".join(filter(None, words))


def settled_of(result: Comparison, data: Experiment) -> Mapping[str, str]:
    """Return what ``auto`` and the best stand for in a comparison."""
    adjusted = [PROCEDURES[name].label_with(result.family_control) for name in result.adjust]
    return {
        "ranking": RANKINGS[result.ranking].label,
        "pairs": PAIRWISE_TESTS[result.pairs].label,
        "adjust": ", ".join(adjusted),
        "method": _LAWS[result.method],
        "scale": "one scale" if scales_of(data).one else "several scales",
    }


class RankModel(ExperimentModel):
    """A comparison by ranks."""

    function = "compare"
    advises = True
    rules = (*COMPARED_RULES, *BESIDE_RULES)
    idle = (NO_FILL,)
    detailed = ("pair",)
    usual_design = "recommended"
    _varied: tuple[Comparison | None, str] = (None, "")
    figure_kinds: ClassVar[Mapping[str, FigureKind]] = {
        "cd": FigureKind(
            "CD diagram",
            plots.cd_diagram,
            unavailable=_too_many_groups,
            from_end=True,
            effect="places the algorithms by average rank, and joins those without a significant "
            "difference",
        ),
        "matrix": FigureKind(
            "matrix of p-values",
            plots.pvalue_matrix,
            effect="shows the adjusted p-value of every hypothesis",
        ),
        "bars": FigureKind(
            "average ranks as bars", plots.rank_bars, effect="shows how far the ranks are apart"
        ),
        "posterior": FigureKind(
            "matrix of probabilities",
            plots.posterior_matrix,
            of="bayesian",
            unavailable=lambda model: "" if model.is_beside else "the Bayesian comparison is off",
            effect="shows how probable it is that one algorithm of a pair is better by more than "
            "the margin, and that both are equivalent",
        ),
    }

    def checked(self, data: Any) -> Experiment:
        """Return the experiment, if ``compare`` compares it over data sets."""
        experiment = super().checked(data)
        if is_within(experiment):
            raise DataError(
                f"`experiment` must hold scores on data sets; got {experiment.unit}. "
                "WithinBuilder compares these."
            )
        return experiment

    def defaults(self, settings: dict[str, Any]) -> Mapping[str, Any]:
        """Return the treatment of missing scores that is recommended, and a figure that suits k."""
        asked = {name: settings[name] for name in ("control", "alpha") if name in settings}
        chosen = {name: settings[name] for name in ("algorithms", "datasets") if settings.get(name)}
        # with more names than a diagram can join in a way that is read
        n_names = len(settings.get("algorithms") or self.data.algorithms)
        view = {"view": "bars"} if n_names > _MOST_JOINED else {}
        try:
            data = self.data.select(**chosen) if chosen else self.data
            return {"missing": analysis.recommend(data, **asked).missing, **view}
        except (ValueError, TypeError):
            return view  # the screen, or `result`, says what is wrong

    def recommended(self) -> tuple[dict[str, Any], str]:
        """Return the design that is recommended for the selected data."""
        return recommended_design(self.selection, self.choices)

    def facts(self) -> Mapping[str, Any]:
        """Return the size of the selected data, and what is missing."""
        return facts_of_scores(self.selection)

    def seconds(self, state: State) -> float:
        """Return about how long the adjustment and random draws take."""
        return seconds_of_ranks(state) + (seconds_beside(state) if state.bayesian else 0.0)

    def design(self) -> str:
        """Return the ranks, the hypotheses, the tests and the adjustment."""
        return design_of(self.result)

    def settled(self) -> Mapping[str, str]:
        """Return what ``auto`` and the best stand for."""
        return settled_of(self.result, self.selection)

    # ------------------------------------------------------- the Bayesian comparison beside it

    @property
    def is_beside(self) -> bool:
        """Whether there is a Bayesian comparison too."""
        return bool(self.choices.value("bayesian"))

    def key(self) -> tuple[Any, ...]:
        """Return what the results depend on, of these data."""
        beside = ("bayesian", self.choices.value("margin")) if self.is_beside else ()
        return *super().key(), *beside

    def task(self) -> Any:
        """Return the call of the analysis, with that of the Bayesian comparison if it is on."""
        ranked = super().task()
        if not self.is_beside:
            return ranked
        return BothTask(ranked, self.results.get(super().key()), arguments(self.choices))

    @property
    def result(self) -> Comparison:
        """The comparison by ranks; computed when it is read."""
        both = self.results.get(self.key())
        if isinstance(both, Both):
            return both.comparison
        alone: Comparison = self.results.made(super().key(), super().task().run)
        return alone

    @property
    def bayesian(self) -> BayesianComparison | None:
        """The Bayesian comparison, None while it is off; computed when it is read."""
        if not self.is_beside:
            return None
        both: Both = self.results.made(self.key(), self.task().run)
        return both.bayesian

    def answers(self) -> tuple[Any, ...]:
        """Return the comparison by ranks, and the Bayesian one if it is on."""
        bayesian = self.bayesian
        return (self.result,) if bayesian is None else (self.result, bayesian)

    def remarks(self) -> tuple[str, ...]:
        """Say for which pairs the two answers differ."""
        bayesian = self.bayesian
        return () if bayesian is None else differences(self.result, bayesian)

    def following(self, name: str, value: Any) -> dict[str, Any]:
        """Draw the probabilities when they are switched on."""
        return {"view": "posterior"} if name == "bayesian" and value else {}

    def further_code(self, data: Expression) -> str:
        """Return the call of the Bayesian comparison, if it is on."""
        return code(data, self.choices) if self.is_beside else ""

    def picks(self, state: State, names: tuple[str, ...], dataset: str = "") -> list[Pick]:
        """Return what can be done with a part of a figure."""
        found = super().picks(state, names, dataset)
        if len(names) == 2 and found and not dataset and self.drawn() == "posterior":
            found[0] = found[0]._replace(label="Show the posterior distribution of this pair")
        return found

    def _posterior(self, pair: tuple[str, str]) -> list[str | plots.Plot]:
        """Return the probabilities of a pair, and the distribution behind them."""
        bayesian = self.bayesian
        if bayesian is None:
            return []
        row, _ = bayesian.pair(*pair)
        told = f"{told_of_pair(bayesian, row)} (Bayesian comparison)."
        if bayesian.draws is None:
            return [told]
        key = ("simplex", *pair, *self.key(), current())
        drawn = self.parts.made(key, lambda: plots.posterior_simplex(bayesian, *pair))
        return [told, drawn]

    # ------------------------------------------------------------------- one hypothesis

    def details(self) -> Details:
        """Return the hypotheses, and the selected one in a sentence."""
        tests = self.result.hypotheses
        pairs = list(zip(tests.first, tests.second, strict=True))
        entries = [
            (pair, f"{stated_p(tests.decisive(row))}: {pair[0]} – {pair[1]}")
            for row, pair in enumerate(pairs)
        ]
        row = nearest_pair(self.choices.value("pair"), pairs)
        pair = pairs[row]
        shown = [self._sentence(row), *self._sensitivity()]
        return Details("pair", entries, pair, [*shown, *self._posterior(pair), *self._scores(pair)])

    def _scores(self, pair: tuple[str, str]) -> list[plots.Plot]:
        """Return the scores of the two on the data sets compared, if they can be compared alone."""
        result: Comparison = self.result
        asked = result.design.options
        known = asked["missing"] in TREATMENTS_OF["compare_pair"]
        datasets = result.design.datasets
        options: dict[str, Any] = {
            "test": result.pairs if result.pairs in PAIR_TESTS else AUTO,
            "scale": asked["scale"],
            "missing": asked["missing"] if known else "drop",
            "fill": asked["fill"] if known else None,
        }

        def drawn() -> plots.Plot:
            data = self.selection.select(datasets=datasets)
            return plots.pair_scatter(analysis.compare_pair(data, *pair, **options))

        key = ("scatter", *pair, *datasets, *options.values(), current())
        with suppress(ValueError):
            return [self.parts.made(key, drawn)]
        return []

    def _sensitivity(self) -> list[str | plots.Plot]:
        """Say how far the primary design, if it is shown, agrees with others; if that is quick."""
        result: Comparison = self.result
        options = result.design.options
        names = ("ranking", "pairs", "adjust", "method", "formulas", "alternative")
        if [options[it] for it in names] != [AUTO, AUTO, (AUTO,), AUTO, "corrected", TWO_SIDED]:
            return []
        if len(result.hypotheses) * result.design.n_datasets > _MOST_VARIED:
            return []
        if self._varied[0] is not result:
            asked = {
                name: options[name] for name in ("control", "alpha", "scale", "missing", "fill")
            }
            self._varied = result, analysis.sensitivity(self.selection, **asked).summary
        return [self._varied[1]]

    def _sentence(self, row: int) -> str:
        """Return one hypothesis as a sentence."""
        result: Comparison = self.result
        tests = result.hypotheses
        raw = format_p(float(tests.pvalue[row]), float(tests.log10_pvalue[row]))
        statistic = PAIRWISE_TESTS[result.pairs].statistic
        found = [f"{statistic} = {statistic_text(tests, row)}", stated_p(raw)]
        for name, values in tests.adjusted.items():
            p = format_p(float(values[row]), float(tests.log10_adjusted[name][row]))
            found.append(f"{stated_p(p, 'adjusted p')} ({PROCEDURES[name].label})")
        decided = "significant" if tests.rejected[row] else "not significant"
        text = (
            f"{tests.first[row]} and {tests.second[row]}: {', '.join(found)}; "
            f"{decided} at α = {result.alpha:g}."
        )
        if not tests.has_effects:
            return text
        shown = {name: values[0] for name, values in tests.effects([row]).items()}
        effect = format_number(float(shown["effect_size"]), 2)
        if "outcome" in shown:
            text = f"{text} With a margin of {result.margin_text}: {shown['outcome']}."
        return (
            f"{text} Effect size {effect} (rank-biserial); {tests.first[row]} wins "
            f"{shown['wins']}, ties {shown['ties']}, loses {shown['losses']}."
        )


class CDDiagramBuilder(ExperimentBuilder):
    """Compare algorithms by ranks with controls, a critical difference diagram, and code.

    The last line of a cell, or ``display(builder)``, shows it. Every control is a trait
    under the name that :func:`nbcompare.compare` gives it: setting one moves the control,
    and reading :attr:`result` computes at once. A choice that does not go with the others
    is refused; one that does not go with a later change is replaced, with a message, and comes
    back when it goes with the others again. :meth:`undo` and :meth:`redo` go through the changes.
    In the scatter of the pair, a data set can be left out to see what the result is without it.

    Parameters
    ----------
    experiment : Experiment or dataframe
        The scores.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only; a message says how it was
        read.
    **settings
        Traits to begin with; by default ``auto``, which is what :func:`nbcompare.recommend`
        advises.

    Attributes
    ----------
    ranking, pairs, control, adjust, alpha, method, formulas, missing
        As in :func:`nbcompare.compare`.
    margin : float, optional
        As in :func:`nbcompare.compare`; also 0, which is for ``bayesian`` alone.
    bayesian : bool
        Whether :func:`nbcompare.compare_bayesian` compares the algorithms, too. It needs a margin,
        which is its region of practical equivalence; 0 stands for no such region.
    algorithms, datasets : tuple of str
        What is selected, in the order of the experiment; None stands for all.
    view : {"cd", "matrix", "bars", "posterior"}
        The critical difference diagram, the p-values of all pairs, average ranks as bars, or the
        probabilities of all pairs, if ``bayesian`` is on.
        The matrix stands in for a diagram of more than 200 groups.
    pair : tuple of str, optional
        Two algorithms whose hypothesis is reported in full; by default the one with the
        smallest p.
    result : Comparison
        What ``compare`` gives with these settings.
    bayesian_result : BayesianComparison or None
        What ``compare_bayesian`` gives beside it; None while ``bayesian`` is off.
    figure : Plot
        The figure of the view.
    code : str
        Python that gives both again.
    settings : dict
        The traits that are not as they begin, in values of JSON; it can be set.

    Raises
    ------
    TypeError
        If the data are no experiment, or there is no such setting.
    ValueError
        For a value that a setting does not take; also a ``traitlets.TraitError``.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> builder = nbc.CDDiagramBuilder(nbc.datasets.load("demsar2006"), control="C4.5")
    >>> builder.ranking, builder.pairs, builder.adjust
    ('auto', 'auto', 'auto')
    >>> builder.adjust = "finner"
    >>> builder.result
    <Comparison: 4 algorithms, 14 data sets, control 'C4.5', Finner, 2 of 3 hypotheses rejected>
    >>> print(builder.code)
    import nbcompare as nbc
    <BLANKLINE>
    experiment = nbc.datasets.load("demsar2006")
    result = nbc.compare(experiment, control="C4.5", adjust="finner")
    nbc.plots.cd_diagram(result)
    >>> builder.settings
    {'control': 'C4.5', 'adjust': 'finner'}
    >>> builder.undo()
    >>> builder.adjust
    'auto'
    """

    _compare = SettingsOf("compare")
    margin = Margin("margin")
    bayesian = Switch(
        "Bayesian",
        "how probable it is that an algorithm is better, or that two are practically equivalent: "
        "differences up to the margin do not matter in practice, and 0 stands for no such margin",
        does="probabilities, too",
    )
    view = shown_figure(RankModel)
    algorithms = Subset("Algorithms", "k")
    datasets = Subset("Data sets", "n")
    pair = SelectedPair(label="Hypothesis", help="the pair of algorithms that is reported in full")

    _model: RankModel
    _model_kind = RankModel

    @property
    def bayesian_result(self) -> BayesianComparison | None:
        """The Bayesian comparison, None while it is off; computed when it is read."""
        return self._model.bayesian
