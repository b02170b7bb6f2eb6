"""CDDiagramBuilder: a comparison by ranks under one's hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from nbcompare import analysis, plots
from nbcompare._options import AUTO, BEST
from nbcompare._render import format_number, format_p
from nbcompare.experiment import Experiment
from nbcompare.results import Comparison
from nbcompare.stats.logical import MOST_ALGORITHMS
from nbcompare.widgets._experiment import ExperimentBuilder, foreign_control
from nbcompare.widgets._rules import Rule, State, View
from nbcompare.widgets._screen import Details
from nbcompare.widgets._settings import Member, Number, Selected, Subset, Viewed, Word, Words
from nbcompare.words import PAIRWISE_TESTS, PROCEDURES


def _ranked_with_gaps(state: State) -> bool:
    return bool(state.missing == "skillings-mack" and state.n_missing)


def _by_position(state: State) -> bool:
    """Whether p falls with the distance of average ranks, whatever the pair."""
    return state.pairs == "ranks" and not _ranked_with_gaps(state)


# What compare() refuses; each rule looks only at settings that stand in rules before it.
_RULES = (
    Rule(
        "missing",
        ("raise",),
        lambda s: s.n_missing > 0,
        "{n_missing} of {n_cells} scores missing",
    ),
    Rule(
        "missing",
        ("drop",),
        lambda s: s.n_missing > 0 and s.n_complete < 2,
        "fewer than 2 data sets have scores of all algorithms",
    ),
    Rule(
        "formulas",
        ("printed",),
        _ranked_with_gaps,
        "there are none for ranks of what is there",
    ),
    Rule(
        "ranking",
        ("aligned", "quade"),
        _ranked_with_gaps,
        "every score is needed for that, and missing ones are not left out",
    ),
    Rule("control", foreign_control, lambda _: True, "the algorithm is not selected"),
    Rule(
        "adjust",
        tuple(name for name, procedure in PROCEDURES.items() if procedure.all_pairs_only),
        lambda s: s.control is not None,
        "for comparisons of all pairs only; choose no control",
    ),
    Rule(
        "adjust",
        ("nemenyi",),
        lambda s: not _by_position(s),
        "only for tests of pairs by the average ranks of a complete table",
    ),
    Rule(
        "adjust",
        ("bergmann-hommel",),
        lambda s: s.k > MOST_ALGORITHMS and not _by_position(s),
        f"not feasible for more than {MOST_ALGORITHMS} algorithms unless pairs are tested by the "
        "average ranks of a complete table",
    ),
)


def facts_of_gaps(experiment: Experiment) -> Mapping[str, Any]:
    """What the rules need to know of missing scores."""
    gaps = experiment.missing
    return {
        "n_missing": int(gaps.sum()),
        "n_cells": gaps.size,
        "n_complete": int((~gaps.any(axis=1)).sum()),
    }


def seconds_of_ranks(state: State) -> float:
    """Only Bergmann and Hommel's procedure takes long, by the number of algorithms."""
    adjust = state.adjust if isinstance(state.adjust, tuple) else (state.adjust,)
    if state.control is not None or not {"bergmann-hommel", AUTO}.intersection(adjust):
        return 0.0
    if _by_position(state):
        return float(2.0 * (state.k / 50) ** 4)
    return float(0.6 * 3.0 ** (min(state.k, MOST_ALGORITHMS) - 15))


def _too_many_groups(builder: CDDiagramBuilder) -> str:
    return "" if builder.result.groups is not None else "there are more than 200 groups"


class CDDiagramBuilder(ExperimentBuilder):
    """Compare algorithms by ranks, by hand: controls, critical difference diagram, and code.

    The last line of a cell, or ``display(builder)``, shows it. Every control is a trait
    under the name that :func:`nbcompare.compare` gives it: setting one moves the control,
    and reading :attr:`result` computes at once. A choice that does not go with the others
    is refused; one that does not go with a change made later gives way to another, which
    the screen says.

    Parameters
    ----------
    experiment : Experiment
        The scores.
    **settings
        Traits to begin with. Without them, those that :func:`nbcompare.recommend` says.

    Attributes
    ----------
    ranking, pairs, control, adjust, alpha, formulas, missing
        As in :func:`nbcompare.compare`.
    algorithms, datasets : tuple of str
        What is selected, in the order of the experiment; None stands for all.
    view : {"cd", "matrix", "bars"}
        The critical difference diagram, the p-values of all pairs, or average ranks as bars.
        The matrix stands in for a diagram of more than 200 groups.
    pair : tuple of str, optional
        Two algorithms whose hypothesis is told in full; the one with the smallest p
        without it.
    result : Comparison
        What ``compare`` gives with these settings.
    figure : Plot
        The figure of the view.
    code : str
        Python that gives both again.

    Raises
    ------
    TypeError
        If it is no experiment, or there is no such setting.
    ValueError
        For a value that a setting does not take; also a ``traitlets.TraitError``.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> builder = nbc.CDDiagramBuilder(nbc.datasets.load("demsar2006"), control="C4.5")
    >>> builder.ranking, builder.pairs, builder.adjust
    ('aligned', 'wilcoxon', 'holm')
    >>> builder.adjust = "finner"
    >>> builder.result
    <Comparison: 4 algorithms, 14 data sets, control 'C4.5', Finner, 2 of 3 hypotheses rejected>
    >>> print(builder.code)
    import nbcompare as nbc
    <BLANKLINE>
    experiment = nbc.datasets.load("demsar2006")
    result = nbc.compare(
        experiment, ranking="aligned", pairs="wilcoxon", control="C4.5", adjust="finner"
    )
    nbc.plots.cd_diagram(result)
    """

    ranking = Word("ranking")
    pairs = Word("pairs")
    control = Member("control", extra=(BEST,))
    adjust = Words("adjust", optional=True, label="Adjustment")
    alpha = Number("alpha", label="Alpha")
    missing = Word("missing", label="Missing scores")
    formulas = Word("formulas")
    view = Viewed(label="Figure", help="what is drawn")
    algorithms = Subset("Algorithms", "k")
    datasets = Subset("Data sets", "n")
    pair = Selected(label="Hypothesis", help="the pair of algorithms that is told in full")

    _function = "compare"
    _detailed = ("pair",)
    _rules = _RULES
    _views: ClassVar[Mapping[str, View]] = {
        "cd": View("CD diagram", plots.cd_diagram, unavailable=_too_many_groups),
        "matrix": View("matrix of p-values", plots.pvalue_matrix),
        "bars": View("average ranks as bars", plots.rank_bars),
    }

    def _defaults(self, settings: dict[str, Any]) -> Mapping[str, Any]:
        """What is recommended for the selected data, the control and the level."""
        asked = {name: settings[name] for name in ("control", "alpha") if name in settings}
        chosen = {name: settings[name] for name in ("algorithms", "datasets") if settings.get(name)}
        try:
            data = self.data.select(**chosen) if chosen else self.data
            return analysis.recommend(data, **asked).options
        except (ValueError, TypeError):
            return {}  # the screen, or `result`, says what is wrong

    def _facts(self) -> Mapping[str, Any]:
        return {**super()._facts(), **facts_of_gaps(self.selection)}

    def _seconds(self, state: State) -> float:
        return seconds_of_ranks(state)

    # ------------------------------------------------------------------- one hypothesis

    def _details(self) -> Details:
        tests = self.result.hypotheses
        pairs = list(zip(tests.first, tests.second, strict=True))
        entries = [
            (pair, f"p = {tests.decisive(row)}: {pair[0]} – {pair[1]}")
            for row, pair in enumerate(pairs)
        ]
        wanted = self.pair
        if wanted is None:
            return Details("pair", entries, pairs[0], [self._told_pair(0)])
        for pair in (wanted, wanted[::-1]):
            if pair in pairs:
                return Details("pair", entries, pair, [self._told_pair(pairs.index(pair))])
        told = f"{wanted[0]} and {wanted[1]} are not among the hypotheses."
        return Details("pair", entries, None, [told])

    def _told_pair(self, row: int) -> str:
        """One hypothesis in a sentence."""
        result: Comparison = self.result
        tests = result.hypotheses
        raw = format_p(float(tests.pvalue[row]), float(tests.log10_pvalue[row]))
        statistic = PAIRWISE_TESTS[result.pairs].statistic
        found = [f"{statistic} = {tests._statistic(row)}", f"p = {raw}"]
        for name, values in tests.adjusted.items():
            p = format_p(float(values[row]), float(tests.log10_adjusted[name][row]))
            found.append(f"adjusted p = {p} ({PROCEDURES[name].label})")
        decided = "rejected" if tests.rejected[row] else "not rejected"
        text = (
            f"{tests.first[row]} and {tests.second[row]}: {', '.join(found)}; "
            f"{decided} at α = {result.alpha:g}."
        )
        if tests.effect_size is None or tests.wins is None:
            return text
        effect = format_number(float(tests.effect_size[row]), 2)
        counts = [int(count[row]) for count in (tests.wins, tests.ties, tests.losses)]  # type: ignore[index]
        return (
            f"{text} Effect size {effect} (rank-biserial); {tests.first[row]} wins {counts[0]}, "
            f"ties {counts[1]}, loses {counts[2]}."
        )
