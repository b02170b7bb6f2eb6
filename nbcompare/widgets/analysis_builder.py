"""A builder for any analysis, made from its record: controls, figure, tables and code."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

from nbcompare import plots
from nbcompare._commands import BY_FUNCTION, Analysis
from nbcompare._validation import check_choice
from nbcompare.analysis.comparison import is_within
from nbcompare.experiment import Experiment
from nbcompare.widgets._builder import (
    AnalysisBuilder,
    ExperimentBuilder,
    HistoriesBuilder,
    settings_for,
)
from nbcompare.widgets._model import AnalysisModel, FigureKind

# What a pair of algorithms on a data set takes where draws are many, and where there are none
_DRAWN, _COUNTED = 1.3e-3, 1e-5


class _FromRecord(AnalysisModel):
    """An analysis whose record says all there is to know."""

    def seconds(self, state: Any) -> float:
        """Return about how long it takes, by pairs, rows and random draws."""
        data = self.selection
        rows = len(data.problems) if self.data_name == "histories" else data.n_datasets
        pairs = len(data.algorithms) * (len(data.algorithms) - 1) / 2
        drawn = {"n_samples", "n_resamples"}.intersection(self.choices.settings)
        return float(pairs * rows * (_DRAWN if drawn else _COUNTED))


def _figures_of(record: Analysis) -> dict[str, FigureKind]:
    """Return the figures of the results of an analysis, by name."""
    why = record.withheld

    def lacking(model: Any) -> str:
        return str(getattr(model.result, why) or "") if why else ""

    names = [(record.figure, lacking), (record.instead, lambda _: "")]
    return {
        name: FigureKind(name.replace("_", " "), getattr(plots, name), unavailable=reason)
        for name, reason in names
        if name
    }


@cache
def class_for(function: str) -> type[AnalysisBuilder]:
    """Return the class of the builders of a function that none is written for."""
    record = BY_FUNCTION[function]
    model = type(
        f"{record.result}Model",
        (_FromRecord,),
        {
            "function": function,
            "figure_kinds": _figures_of(record),
            # what it does not work without stands in sight
            "foremost": ("algorithms", "control", *record.needs, "alpha"),
            "__module__": __name__,
        },
    )
    base = HistoriesBuilder if record.takes == "histories" else ExperimentBuilder
    doc = f"A builder of :func:`nbcompare.{function}`; :func:`nbcompare.builder` makes it."
    body = {"_model_kind": model, "__doc__": doc, "__module__": __name__, **settings_for(model)}
    make: Callable[..., Any] = type(base)
    made: type[AnalysisBuilder] = make(f"{record.result}Builder", (base,), body)
    return made


def builder(
    function: str, data: Any, *, direction: str | None = None, **settings: Any
) -> AnalysisBuilder:
    """Return a builder of any analysis: controls of its options, its figure, tables, and code.

    Parameters
    ----------
    function : str
        The name of a function of this package that analyses an experiment or histories, such as
        ``"compare_bayesian"``, ``"compare_cv"``, ``"aggregate_runs"`` or ``"fixed_targets"``. Where
        a builder is written for it, as :class:`CDDiagramBuilder` is for ``"compare"``, that is
        returned.
    data : Experiment, dataframe or Histories
        What the function takes.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only.
    **settings
        Options of the function and ``algorithms``, ``datasets`` or ``problems`` to begin with; for
        a function of two algorithms also ``pair``.

    Returns
    -------
    AnalysisBuilder
        A widget with the traits of :class:`CDDiagramBuilder` as far as the function has such
        options: ``result``, ``figure``, ``code``, ``settings``.

    Raises
    ------
    ValueError
        For a function that there is not, or a value that a setting does not take.
    TypeError
        For other data, and for settings that there are not.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> builder = nbc.builder("rank_intervals", nbc.datasets.load("demsar2006"), confidence=0.9)
    >>> print(builder.code)
    import nbcompare as nbc
    <BLANKLINE>
    experiment = nbc.datasets.load("demsar2006")
    result = nbc.rank_intervals(experiment, confidence=0.9)
    """
    check_choice(function, "function", tuple(BY_FUNCTION))
    name = BY_FUNCTION[function].builder
    if function == "compare" and isinstance(data, Experiment) and is_within(data):
        name = "WithinBuilder"  # as compare itself goes by the unit
    named = importlib.import_module("nbcompare.widgets")
    kind = getattr(named, name) if name else class_for(function)
    if direction is not None:
        settings = {"direction": direction, **settings}
    made: AnalysisBuilder = kind(data, **settings)
    return made
