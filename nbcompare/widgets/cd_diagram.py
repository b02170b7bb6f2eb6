"""Builders of compare: by ranks over data sets, or within one data set or on items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from nbcompare import analysis, plots
from nbcompare._display import current
from nbcompare._options import AUTO
from nbcompare._validation import DataError
from nbcompare.analysis.comparison import is_within
from nbcompare.analysis.recommend import recommend
from nbcompare.analysis.rules import FOLD_RULES, RANK_RULES, State, by_position, facts_of_scores
from nbcompare.experiment import Experiment
from nbcompare.plots import Plot
from nbcompare.stats.logical import MOST_ALGORITHMS
from nbcompare.widgets._builder import ExperimentBuilder, settings_for
from nbcompare.widgets._elements import Pair
from nbcompare.widgets._model import NO_FILL, AnalysisModel, FigureKind
from nbcompare.words import PAIR_TESTS, TREATMENTS_OF

_MOST_JOINED = 20  # algorithms of a diagram to begin with


def seconds_of_ranks(state: State) -> float:
    """Return the time of the adjustment; only Bergmann and Hommel's procedure takes long."""
    adjust = state.adjust if isinstance(state.adjust, tuple) else (state.adjust,)
    if state.control is not None or not {"bergmann-hommel", AUTO}.intersection(adjust):
        return 0.0
    is_bounded = "bergmann-hommel" not in adjust  # as what is recommended is
    if by_position(state):
        return float(2.0 * (min(state.k, 50 if is_bounded else state.k) / 50) ** 4)
    return float(0.6 * 3.0 ** (min(state.k, 14 if is_bounded else MOST_ALGORITHMS) - 15))


def advised_missing(data: Experiment, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the treatment of missing scores that is recommended, if anything is."""
    asked = {name: settings[name] for name in ("control", "alpha") if name in settings}
    chosen = {name: settings[name] for name in ("algorithms", "datasets") if settings.get(name)}
    with suppress(ValueError, TypeError):  # the screen, or `result`, says what is wrong
        part = data.select(**chosen) if chosen else data
        return {"missing": recommend(part, **asked).missing}
    return {}


def scatter(model: AnalysisModel, pair: Pair, **options: Any) -> list[Plot]:
    """Return the scores of two algorithms on the data sets compared, if they can be compared."""

    def pair_scatter(*_: Any, **asked: Any) -> Plot:
        data = model.selection.select(datasets=datasets)
        return plots.pair_scatter(analysis.compare_pair(data, *pair, **asked))

    datasets = model.result.design.datasets
    key = ("scatter", *pair, *datasets, *options.items(), current())
    with suppress(ValueError):
        return [model.parts.made(key, lambda: pair_scatter(**options))]
    return []


class RankModel(AnalysisModel):
    """A comparison by ranks."""

    function = "compare"
    rules = RANK_RULES
    idle = (NO_FILL,)
    figure_kinds: ClassVar[Mapping[str, FigureKind]] = {
        "cd": FigureKind(
            "CD diagram",
            plots.cd_diagram,
            unavailable=lambda model: (
                "" if model.result.groups is not None else "there are more than 200 groups"
            ),
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
    }

    def checked(self, data: Any) -> Experiment:
        """Return the experiment, if ``compare`` compares it over data sets."""
        experiment: Experiment = super().checked(data)
        if is_within(experiment):
            raise DataError(
                f"`experiment` must hold scores on data sets; got {experiment.unit}. "
                "WithinBuilder compares these."
            )
        return experiment

    def defaults(self, settings: dict[str, Any]) -> Mapping[str, Any]:
        """Return the treatment of missing scores that is recommended, and a figure that suits k."""
        # with more names than a diagram can join in a way that is read
        n_names = len(settings.get("algorithms") or self.data.algorithms)
        view = {"view": "bars"} if n_names > _MOST_JOINED else {}
        return {**advised_missing(self.data, settings), **view}

    def facts(self) -> Mapping[str, Any]:
        """Return the size of the selected data, and what is missing."""
        return facts_of_scores(self.selection)

    def seconds(self, state: State) -> float:
        """Return about how long the adjustment takes."""
        return seconds_of_ranks(state)

    def evidence(self, pair: Pair) -> Sequence[str | Plot]:
        """Return the scores of a pair."""
        result, asked = self.result, self.result.design.options
        known = asked["missing"] in TREATMENTS_OF["compare_pair"]
        test = result.pairs if result.pairs in PAIR_TESTS else AUTO
        missing = (
            {name: asked[name] for name in ("missing", "fill")} if known else {"missing": "drop"}
        )
        return scatter(self, pair, test=test, scale=asked["scale"], **missing)


class CDDiagramBuilder(ExperimentBuilder):
    """Compare algorithms by ranks with controls, a critical difference diagram, and code.

    The last line of a cell, or ``display(builder)``, shows it. Every control is a trait
    under the name that :func:`nbcompare.compare` gives it: setting one moves the control,
    and reading :attr:`result` computes at once. A choice that does not go with the others
    is refused; one that does not go with a later change is replaced, with a message.
    :meth:`undo` and :meth:`redo` go through the changes. In the scatter of the pair, a data set
    can be left out to see what the result is without it.

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
    ranking, pairs, control, adjust, alpha, margin, method, formulas, missing
        As in :func:`nbcompare.compare`.
    algorithms, datasets : tuple of str
        What is selected, in the order of the experiment; None stands for all.
    view : {"cd", "matrix", "bars"}
        The critical difference diagram, the p-values of all pairs, or average ranks as bars.
        The matrix stands in for a diagram of more than 200 groups.
    pair : tuple of str, optional
        Two algorithms whose hypothesis is reported in full; by default the one with the
        smallest p.
    result : Comparison
        What ``compare`` gives with these settings.
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
    <Comparison: C4.5+m+cf has the best average rank of the four algorithms on 14 data sets (1.93;
    AUC, higher is better). The control, C4.5, has an average rank of 3.14, behind three others>
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

    _model_kind = RankModel
    locals().update(settings_for(RankModel))


class WithinModel(AnalysisModel):
    """A comparison within one data set, or on items."""

    function = "compare"
    rules = FOLD_RULES
    figure_kinds: ClassVar[Mapping[str, FigureKind]] = {
        "intervals": FigureKind("intervals of the differences", plots.interval_forest),
    }

    @classmethod
    def options(cls) -> Mapping[str, str]:
        """Return the options that such a comparison has."""
        return {name: name for name in ("control", "adjust", "alpha", "missing")}

    def checked(self, data: Any) -> Experiment:
        """Return the experiment, if ``compare`` compares it within a data set."""
        experiment: Experiment = super().checked(data)
        if not is_within(experiment):
            raise DataError(
                "`experiment` must hold folds or runs of one data set, or items; got scores on "
                f"{experiment.n_datasets} data sets. CDDiagramBuilder compares these."
            )
        return experiment

    def has_control(self, name: str) -> bool:
        """Return whether there is something to choose."""
        if name == "missing":
            return bool(self.data.losses.any)
        return name != "datasets" or self.data.n_datasets > 1

    def facts(self) -> Mapping[str, Any]:
        """Return the number of algorithms."""
        return {"k": self.selection.n_algorithms}


class WithinBuilder(ExperimentBuilder):
    """Compare algorithms on folds or runs of one data set, or on items, with controls and code.

    As :class:`CDDiagramBuilder`, for data that :func:`nbcompare.compare` compares by
    :func:`nbcompare.compare_cv`, :func:`nbcompare.compare_runs` or
    :func:`nbcompare.compare_items`.

    Parameters
    ----------
    experiment : Experiment or dataframe
        The scores, whose ``unit`` is folds, runs or items.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only; a message says how it was
        read.
    **settings
        Traits to begin with.

    Attributes
    ----------
    control, adjust, alpha, missing : object
        As in :func:`nbcompare.compare`; ``missing`` for folds and items only.
    algorithms, datasets : tuple of str
        What is selected, in the order of the experiment; None stands for all.
    pair : tuple of str, optional
        Two algorithms whose hypothesis is reported in full; by default the one with the
        smallest p.
    result : WithinComparison
        What ``compare`` gives with these settings.
    figure : Plot
        The intervals of the differences.
    code : str
        Python that gives both again.

    Raises
    ------
    DataError
        If the scores are those of data sets.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> answers = np.random.default_rng(1).integers(0, 2, size=(60, 3))
    >>> data = nbc.Experiment.from_array(answers, direction="maximize", unit="items")
    >>> builder = nbc.WithinBuilder(data)
    >>> builder.control = "A1"
    >>> builder.result
    <ItemComparison: A3 has the best mean of the three algorithms on this benchmark, over 60 items
    (0.600; scores, higher is better). The control, A1, has a mean of 0.467, behind two others>
    """

    _model_kind = WithinModel
    locals().update(settings_for(WithinModel))
