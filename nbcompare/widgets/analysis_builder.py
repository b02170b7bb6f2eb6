"""A builder for any analysis, made from its record: controls, figure, tables and code."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, NamedTuple

from nbcompare import plots
from nbcompare._commands import ANALYSES, Analysis, function_of
from nbcompare._options import BEST
from nbcompare._validation import check_choice
from nbcompare.analysis.units import is_within
from nbcompare.experiment import Experiment
from nbcompare.widgets import _code
from nbcompare.widgets._builder import (
    CONTROL,
    AnalysisBuilder,
    ExperimentBuilder,
    ExperimentModel,
    HistoriesBuilder,
    HistoriesModel,
)
from nbcompare.widgets._model import AnalysisModel, FigureKind, shown_figure
from nbcompare.widgets._settings import Member, SelectedPair, SettingsOf, Subset
from nbcompare.widgets.within import WithinBuilder

# What a pair of algorithms on a data set takes where draws are many, and where there are none
_DRAWN, _COUNTED = 1.3e-3, 1e-5
_RECORDS = {record.function: record for record in ANALYSES}


class _Call(NamedTuple):
    """A call of a public function, for a worker."""

    record: Analysis
    data: Any
    options: dict[str, Any]

    def run(self) -> Any:
        """Return what the function returns."""
        function = function_of(self.record.function)
        return self.record.call(function, self.data, (), self.options)


class _FromRecord(AnalysisModel):
    """An analysis whose record says all there is to know."""

    record: ClassVar[Analysis]
    foremost = ("algorithms", "control", "pair", "alpha")

    def seconds(self, state: Any) -> float:
        """Return about how long it takes, by pairs, rows and random draws."""
        data = self.selection
        rows = len(data.problems) if self.record.takes == "histories" else data.n_datasets
        pairs = len(data.algorithms) * (len(data.algorithms) - 1) / 2
        drawn = {"n_samples", "n_resamples"}.intersection(self.choices.settings)
        return float(pairs * rows * (_DRAWN if drawn else _COUNTED))

    def named(self) -> dict[str, Any]:
        """Return what the function takes by position, by the names of its arguments."""
        settings = self.choices.settings
        if "pair" in settings:
            names = self.selected("algorithms")
            # one alone is compared with itself, which the function refuses in plain words
            first, second = self.choices.value("pair") or (*names, names[0])[:2]
            return {"a": first, "b": second}
        if "control" in self.record.arguments:
            return {"control": self.choices.value("control") or BEST}
        return {}

    def task(self) -> Any:
        """Return the call of the analysis."""
        return _Call(self.record, self.selection, {**self.choices.arguments(), **self.named()})

    def key(self) -> tuple[Any, ...]:
        """Return what the result depends on, of these data."""
        asked = {**self.choices.arguments(), **self.named()}
        return repr(asked), *self.choices.subsets().values()

    def call_code(self, data: _code.Expression) -> str:
        """Return the call of the analysis as code."""
        record, options = self.record, {**self.named(), **self.choices.given()}
        first = [] if record.data_argument else [data]
        named = {record.data_argument: data} if record.data_argument else {}
        function = f"nbc.{record.function}"
        return _code.call(function, first, {**named, **options}, target="result")

    @property
    def builder_code(self) -> str:
        """Python code that makes the builder with the settings that it has."""
        data = _code.name_of(self.data, _code.user_names()) or self.data_name
        first = [self.function, _code.Expression(data)]
        return _code.call("nbc.builder", first, self.builder.settings)


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


def builder_class(function: str) -> type[AnalysisBuilder]:
    """Return the class of the builders of a function; the one that is written for it, if any."""
    check_choice(function, "function", tuple(_RECORDS))
    record = _RECORDS[function]
    if not record.builder:
        return _made(record.function)
    special: type[AnalysisBuilder] = getattr(
        importlib.import_module("nbcompare.widgets"), record.builder
    )
    return special


@cache
def _made(function: str) -> type[AnalysisBuilder]:
    record = _RECORDS[function]
    is_of_histories = record.takes == "histories"
    model_base = HistoriesModel if is_of_histories else ExperimentModel
    base = HistoriesBuilder if is_of_histories else ExperimentBuilder
    figures = _figures_of(record)
    model: type[AnalysisModel] = type(
        f"{record.result}Model",
        (_FromRecord, model_base),
        {
            "record": record,
            "function": function,
            "figure_kinds": figures,
            "rules": (CONTROL,) if {"control"} & {*record.options, *record.arguments} else (),
            "__module__": __name__,
        },
    )
    body: dict[str, Any] = {"_options": SettingsOf(function)}
    if len(figures) > 1:
        body["view"] = shown_figure(model)
    if {"a", "b"} <= record.arguments.keys() and not record.data_argument:
        body["pair"] = SelectedPair(label="Pair", help="the two algorithms that are compared")
    elif "control" in record.arguments:
        body["control"] = Member("control")
    body["algorithms"] = Subset("Algorithms", "k", least=1)
    axis, noun = ("problems", "Problems") if is_of_histories else ("datasets", "Data sets")
    body[axis] = Subset(noun, "n", least=1)
    doc = f"A builder of :func:`nbcompare.{function}`; :func:`nbcompare.builder` makes it."
    body |= {"_model_kind": model, "__doc__": doc, "__module__": __name__}
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
    kind: Callable[..., AnalysisBuilder] = builder_class(function)
    if function == "compare" and isinstance(data, Experiment) and is_within(data):
        kind = WithinBuilder  # as compare itself goes by the unit
    if direction is not None:
        settings = {"direction": direction, **settings}
    return kind(data, **settings)
