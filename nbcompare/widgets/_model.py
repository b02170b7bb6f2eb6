"""Models: the results, figures and code that builders make of their settings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from nbcompare._commands import BY_FUNCTION, Analysis
from nbcompare._display import current
from nbcompare._options import AUTO, BEST
from nbcompare._render import Notes, Part, Table
from nbcompare.analysis.data import check_histories
from nbcompare.analysis.rules import Rule, State
from nbcompare.experiment import experiment_of
from nbcompare.plots import Plot
from nbcompare.results import tables_of
from nbcompare.widgets import _code
from nbcompare.widgets._elements import Pair, stands_for
from nbcompare.widgets._settings import ChosenSettings, Idle, Setting, Subset, options_of
from nbcompare.widgets._worker import Task, Work
from nbcompare.words import PROCEDURES

_MOST_KEPT = 8  # results: going back to one is free
_FEWEST_KEPT = 2  # figures, which are large
# Settings that are no part of the design, and on which a recommendation depends
ASKED = frozenset({"algorithms", "datasets", "problems", "control", "alpha"})
# Pairs times data sets up to which estimates of all pairs take less than about two seconds
_MOST_ESTIMATED = 1_000_000
# what stands for failed scores matters where these get the worst score
NO_FILL = Idle("fill", lambda s: s.missing != "worst")


class Kept(dict[Any, Any]):
    """A cache of the last values that were computed, by what they were computed from."""

    def __init__(self, most: int = _MOST_KEPT) -> None:
        super().__init__()
        self._most = most

    def keep(self, key: Any, value: Any) -> Any:
        """Keep a value, forget the oldest ones, and return it."""
        self[key] = value
        while len(self) > self._most:
            del self[next(iter(self))]
        return value

    def made(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return the value that is kept, or make it."""
        return self[key] if key in self else self.keep(key, make())


class Model(ABC):
    """The data of one builder, and what is computed from them with its settings.

    Parameters
    ----------
    builder : HasTraits
        Its traits are the settings.
    data : object
        The data that the builder was given.
    settings : mapping
        The traits by name.
    """

    rules: ClassVar[tuple[Rule, ...]] = ()
    idle: ClassVar[tuple[Idle, ...]] = ()
    noun: ClassVar[str] = "result"  # what is shown

    def __init__(self, builder: Any, data: Any, settings: Mapping[str, Setting]) -> None:
        self.builder = builder
        self.data = self.checked(data)
        self.frame: tuple[Any, str | None] | None = None  # what the data were read from
        # Returns the code that binds the data to a name, if someone else made them
        self.loaded_by: Callable[[str], str] | None = None
        self.results, self.parts = Kept(), Kept()
        # What is known of a result that is being computed, under its key
        self.draft: tuple[tuple[Any, ...], Any] | None = None
        self.choices = ChosenSettings(
            builder, settings, self.rules, self.idle, self._facts_of_selection
        )

    # ---------------------------------------------------------------- for subclasses to say

    @abstractmethod
    def checked(self, data: Any) -> Any:
        """Return the data if they are of the right class, else raise a TypeError."""

    def defaults(self, settings: dict[str, Any]) -> Mapping[str, Any]:
        """Return settings to begin with, where they are not those of the API."""
        return {}

    def usual(self, name: str) -> Any:
        """Return what a setting is if nobody sets it, before what is recommended."""
        setting = self.choices.settings[name]
        return setting.words(self.builder) if isinstance(setting, Subset) else setting.default_value

    def facts(self) -> Mapping[str, Any]:
        """Return what the rules need to know of the selected data."""
        return {}

    def seconds(self, state: State) -> float:
        """Return about how long it takes, from the sizes alone."""
        return 0.0

    @abstractmethod
    def key(self) -> tuple[Any, ...]:
        """Return what the result depends on, of these data."""

    @abstractmethod
    def task(self) -> Work:
        """Return the computation of what is kept under the key."""

    @property
    def result(self) -> Any:
        """The result of the settings as they are; computed when it is read."""
        return self.results.made(self.key(), lambda: self.task()())

    @property
    @abstractmethod
    def code(self) -> str:
        """Python code that gives the result again."""

    def check(self, name: str, value: Any) -> None:
        """Raise a ValueError for a value that does not go with the other settings."""
        return

    def has_control(self, name: str) -> bool:
        """Return whether a setting matters for these data."""
        return True

    def selected(self, axis: str) -> tuple[str, ...]:
        """Return the names on an axis that are selected."""
        names: tuple[str, ...] = self.choices.value(axis)
        return names

    def repair(self) -> None:
        """Put other values where some do not go with the rest any more."""
        self.choices.repair()

    # ------------------------------------------------------------------ the same in all

    def beginning(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return what every setting is if only these are given: usual, or recommended."""
        usual = {name: self.usual(name) for name in self.choices.settings}
        asked = {name: given[name] for name in ASKED if name in given}
        key = ("usual", *asked.items())
        return {**usual, **self.parts.made(key, lambda: self.defaults(asked))}

    def not_usual(self) -> list[str]:
        """Return the names of the settings that are not as usual."""
        now = {name: self.choices.value(name) for name in self.choices.settings}
        return [name for name, value in self.beginning(now).items() if now[name] != value]

    def replace(self, data: Any) -> None:
        """Take other data, and forget what was computed from those before."""
        self.data = self.checked(data)
        self.frame = None
        self.forget()

    def forget(self) -> None:
        """Keep nothing that was computed."""
        self.results.clear()
        self.parts.clear()
        self.draft = None

    @property
    def has_draft(self) -> bool:
        """Whether all that is known of the result, with the settings as they are, is a draft."""
        key = self.key()
        return key not in self.results and self.draft is not None and self.draft[0] == key

    def told_of_draft(self) -> str:
        """Return a sentence that says that what is shown is a draft."""
        return f"The {self.noun} below is preliminary."

    def data_code(self, data: Any, name: str) -> tuple[str, str]:
        """Return what the data are called in the code, and the code that binds them to that."""
        space = _code.user_names()
        named = _code.name_of(data, space)
        if named:
            return named, ""
        if data is self.data and self.loaded_by is not None:
            return name, self.loaded_by(name)
        reading = _code.reading(self.frame, name) if data is self.data else ""
        builder = _code.name_of(self.builder, space)
        own = f"{name} = {builder}.{name}" if builder else ""
        return name, reading or own or _code.loading(data, name)

    def estimate(self) -> float:
        """Return the seconds that the result may take as things stand."""
        return self.seconds(self.choices.state())

    def _facts_of_selection(self) -> Mapping[str, Any]:
        key = ("facts", *self.choices.subsets().values())
        facts: Mapping[str, Any] = self.parts.made(key, lambda: dict(self.facts()))
        return facts


class FigureKind(NamedTuple):
    """A figure of a result: what it is called, how it is drawn, and what may prevent that.

    Attributes
    ----------
    label : str
        On the control.
    draw : callable
        A function of :mod:`nbcompare.plots`, which the generated code calls by its name.
    unavailable : callable
        A function of the model: why it cannot be drawn, empty if it can.
    effect : str
        What it shows, as the end of a sentence that begins with its label.
    from_end : bool
        Whether its right side is what has to be seen where there is too little room.
    """

    label: str
    draw: Callable[..., Plot]
    unavailable: Callable[[Any], str] = lambda _: ""
    effect: str = ""
    from_end: bool = False


class Pick(NamedTuple):
    """Something that can be done with a part of a figure.

    Attributes
    ----------
    label : str
        What it is called in a menu.
    setting : str
        The setting of the builder that changes.
    value : object
        What the setting becomes.
    at_once : bool
        Whether it happens at a click, without a menu, if nothing else can be done.
    refusal : str
        Why it cannot be done now; empty if it can.
    """

    label: str
    setting: str
    value: Any
    at_once: bool = False
    refusal: str = ""


class Details(NamedTuple):
    """The pairs of algorithms in a result, the one that is looked into, and what that shows."""

    entries: Sequence[tuple[Pair, str]]
    pair: Pair
    shown: Sequence[str | Plot]


class AnalysisModel(Model):
    """One function of the analysis, called with the settings of a builder.

    Its record and the table of options say all that a builder needs; a subclass names the function,
    and adds what is special: figures, rules, defaults, what takes long (more than a second runs in
    another process), and the evidence that is shown behind a pair of algorithms.
    """

    function: ClassVar[str]
    figure_kinds: ClassVar[Mapping[str, FigureKind]] = {}
    # Settings whose controls stand beside the pair that they are about, below the figure
    detailed: ClassVar[tuple[str, ...]] = ("pair",)
    # Settings whose controls are always in sight; others are behind a button
    foremost: ClassVar[tuple[str, ...]] = ("algorithms", "control", "alpha")
    beside_design: ClassVar[tuple[str, ...]] = ()  # settings that change nothing about the design
    telling: ClassVar[int] = -1  # place of the column that tells most of a pair, without p-values

    def __init__(self, builder: Any, data: Any, settings: Mapping[str, Setting]) -> None:
        super().__init__(builder, data, settings)
        self.figures = Kept(_FEWEST_KEPT)

    @classmethod
    def record(cls) -> Analysis:
        """Return the record of the analysis."""
        return BY_FUNCTION[cls.function]

    @classmethod
    def options(cls) -> Mapping[str, str]:
        """Return the options that the builder has, and their entries in the table."""
        return options_of(cls.function)

    @property
    def data_name(self) -> str:
        """What the data are called, in the builder and in the code."""
        return self.record().takes

    def checked(self, data: Any) -> Any:
        """Return the data, if they are what the analysis takes."""
        if self.data_name != "histories":
            return experiment_of(data, None)
        histories = check_histories(data)
        histories.check_best_so_far("a comparison of convergence")
        return histories

    def forget(self) -> None:
        """Keep nothing that was computed."""
        super().forget()
        self.figures.clear()

    # ----------------------------------------------------------------------- the result

    def named(self) -> dict[str, Any]:
        """Return what the function takes by position, by the names of its arguments."""
        arguments = self.record().arguments
        if "a" in arguments and not self.record().data_argument:
            names = self.selected("algorithms")
            # one alone is compared with itself, which the function refuses in plain words
            first, second = self.choices.value("pair") or (*names, names[0])[:2]
            return {"a": first, "b": second}
        return {"control": self.choices.value("control") or BEST} if "control" in arguments else {}

    def key(self) -> tuple[Any, ...]:
        """Return what the result depends on, which is not the number of processes."""
        asked = {**self.choices.arguments(), **self.named(), "n_jobs": None}
        return repr(asked), *self.choices.subsets().values()

    def task(self) -> Work:
        """Return the call of the analysis."""
        options = {**self.choices.arguments(), **self.named()}
        return Task(self.function, self.selection, options)

    @property
    def selection(self) -> Any:
        """The part of the data that is analysed."""
        subsets, data = self.choices.subsets(), self.data
        whole = all(value == getattr(data, name) for name, value in subsets.items())
        key = ("selection", *subsets.values())
        return self.parts.made(key, lambda: data if whole else data.select(**subsets))

    @property
    def result(self) -> Any:
        """The result of the analysis with the settings as they are; computed when it is read."""
        if self.draft is not None and self.has_draft:
            return self.draft[1]
        return super().result

    def in_short(self) -> Sequence[str]:
        """Return the sentences of the result that stand open on the screen.

        Without any, these are its findings, as far as there is room.
        """
        return ()

    def settled(self) -> dict[str, str]:
        """Return what settings that are left open stand for in the result, as it is spelled."""
        found = {}
        for name, setting in self.choices.settings.items():
            value = getattr(self.result, name, None)
            if setting.is_argument and isinstance(value, str | int | float | tuple):
                found[name] = setting.spelled(value) or "none"
        return found

    def design(self) -> str:
        """Return how the result was found: what words stand for that the data can settle."""
        settings = self.choices.settings
        told = {
            settings[name].noun: word
            for name, word in self.settled().items()
            if settings[name].entry.choices and settings[name].entry.default in (AUTO, None)
        }
        return "; ".join(f"{what}: {word}" for what, word in told.items())

    def tabled(self) -> list[Part]:
        """Return the tables of the result, complete unless that takes long, and their notes."""
        if self.has_draft:
            return self._tabled()
        tabled: list[Part] = self.parts.made(("tabled", *self.key()), self._tabled)
        return tabled

    def _tabled(self) -> list[Part]:
        n_pairs, result = len(self.selected("algorithms")) ** 2, self.result
        is_quick = n_pairs * result.design.n_datasets <= _MOST_ESTIMATED
        tables = tables_of(result) if is_quick else ()
        told = [part for part in result._parts() if isinstance(part, Notes) or not tables]
        return [*tables, *told]

    # --------------------------------------------------------------------- pairs, and parts

    def _pairs(self) -> tuple[Sequence[str], Mapping[Pair, Sequence[str]]]:
        """Return the pairs that the result has a row for, with its cells, and their headers."""
        names = frozenset(self.selected("algorithms"))
        tables = [part for part in self.tabled() if isinstance(part, Table)]
        table = next((one for one in tables if stands_for(names, one, 2)), None)
        if table is None or "pair" not in self.choices.settings:
            return (), {}
        rows = [row for row in table.rows if {row[0], row[1]} <= names]
        headers = [column.header for column in table.columns]
        return headers, {(str(row[0]), str(row[1])): row for row in rows}

    def details(self) -> Details | None:
        """Return the pairs, and what the result says of the one that is looked into."""
        headers, rows = self._pairs()
        if not rows:
            return None
        pair = nearest_pair(self.choices.value("pair"), list(rows))
        place = self._decisive(headers)
        entries = [
            ((a, b), f"{headers[place]} {row[place]}: {a} – {b}") for (a, b), row in rows.items()
        ]
        cells = zip(headers[2:], rows[pair][2:], strict=True)
        told = "; ".join(f"{what} {cell}" for what, cell in cells if cell)
        return Details(entries, pair, [f"{pair[0]} and {pair[1]}: {told}.", *self.evidence(pair)])

    def _decisive(self, headers: Sequence[str]) -> int:
        """Return the place of the column that decides on a pair: p as it is adjusted first."""
        adjusted = [f"p, {PROCEDURES[it].label}" for it in getattr(self.result, "adjust", ())[:1]]
        found = (it for it in (*adjusted, "adjusted p", "p") if it in headers)
        return headers.index(next(found, headers[self.telling]))

    def evidence(self, pair: Pair) -> Sequence[str | Plot]:
        """Return sentences and figures of what is behind a pair."""
        return ()

    def drawn_once(self, draw: Callable[..., Plot], *about: Any, **options: Any) -> Plot:
        """Return a figure of a part of the result, which is kept."""
        named = (one for one in about if isinstance(one, str | tuple))
        key = (draw.__name__, *named, *options.items(), *self.key(), current())
        figure: Plot = self.parts.made(key, lambda: draw(*about, **options))
        return figure

    def picks(self, state: State, names: tuple[str, ...], dataset: str = "") -> list[Pick]:
        """Return what can be done with a part of a figure, by what it is about.

        A point of a scatter is a data set, which can be left out to see what the result is then.
        """
        selected, found = self.selected("algorithms"), list[Pick]()
        settings = self.choices.settings
        if dataset and "datasets" in settings:
            rest = tuple(name for name in self.selected("datasets") if name != dataset)
            found = [Pick(f"Leave out {dataset}", "datasets", rest)] if rest else []
        elif not set(names) <= set(selected):
            return []
        elif len(names) == 2 and "pair" in settings:
            return [Pick("Show this pair", "pair", names, at_once=True)]
        elif len(names) > 2:
            only = tuple(name for name in selected if name in names)
            return [Pick("Leave out all others", "algorithms", only)] if only != selected else []
        elif len(names) == 1:
            (name,) = names
            control = getattr(self.result, "control", None)  # "best" is an algorithm by now
            if control == name:
                found.append(Pick("Compare all pairs again", "control", None))
            elif "control" in settings:
                found.append(Pick("Make it the control", "control", name))
            if control not in (None, name) and "pair" in settings:
                found.append(Pick(f"Show its comparison with {control}", "pair", (control, name)))
            if len(selected) > 2:
                rest = tuple(other for other in selected if other != name)
                found.append(Pick("Leave it out", "algorithms", rest))
        return [
            one._replace(refusal=self.choices.reason(one.setting, one.value, state) or "")
            for one in found
        ]

    # ----------------------------------------------------------------------- the figure

    @property
    def figure(self) -> Plot:
        """The figure that is chosen; another one where the result cannot be drawn so."""
        if self.has_draft:
            return self.kind.draw(self.result)
        key = (*self.key(), self.drawn(), current())
        figure: Plot = self.figures.made(key, lambda: self.kind.draw(self.result))
        return figure

    @property
    def kind(self) -> FigureKind:
        """The kind of figure that is drawn."""
        return self.figure_kinds[self.drawn()]

    def drawn(self) -> str:
        """Return the figure that is chosen, or the first other one that can be drawn."""
        wanted = self._wanted()
        if len(self.figure_kinds) == 1:
            return wanted  # without asking for a result, which may take long
        names = [wanted, *(name for name in self.figure_kinds if name != wanted)]
        return next((name for name in names if not self.not_drawn(name)), wanted)

    def _wanted(self) -> str:
        """Return the figure that is chosen; where there is but one, nobody chooses."""
        chosen = "view" in self.choices.settings
        return str(self.choices.value("view")) if chosen else next(iter(self.figure_kinds))

    def not_drawn(self, name: str) -> str:
        """Return why a figure cannot be drawn, empty if it can; a ValueError without a result."""
        _ = self.result
        return self.figure_kinds[name].unavailable(self)

    def instead_of_figure(self) -> list[str]:
        """Return why another figure is shown than was asked for."""
        if not self.figure_kinds or (wanted := self._wanted()) == (drawn := self.drawn()):
            return []
        one, other = self.figure_kinds[wanted].label, self.figure_kinds[drawn].label
        return [f"The figure is “{other}”, not “{one}”: {self.not_drawn(wanted)}."]

    # ------------------------------------------------------------------------- the code

    @property
    def code(self) -> str:
        """Python code that gives the result and the figure again."""
        name, loading = self.data_code(self.data, self.data_name)
        chosen = {
            axis: (names, getattr(self.data, axis))
            for axis, names in self.choices.subsets().items()
        }
        selection = _code.selection(name, chosen, target="selection")
        data = _code.Expression("selection" if selection else name)
        record, options = self.record(), {**self.named(), **self.choices.given()}
        if record.data_argument:
            options = {record.data_argument: data, **options}
        first = [] if record.data_argument else [data]
        made = _code.call(f"nbc.{self.function}", first, options, target="result")
        lines = [loading, selection, made, self._drawing()]
        return "import nbcompare as nbc\n\n" + "\n".join(filter(None, lines))

    def _drawing(self) -> str:
        if not self.figure_kinds:
            return ""
        try:
            return f"nbc.plots.{self.kind.draw.__name__}(result)"
        except ValueError:  # there is no result, and the code says why when it is run
            return "result"

    @property
    def builder_code(self) -> str:
        """Python code that makes the builder with the settings that it has."""
        data, _ = self.data_code(self.data, self.data_name)
        kind = type(self.builder).__name__
        named = not type(self.builder).__module__.endswith(".analysis_builder")
        first = [] if named else [self.function]
        function = f"nbc.{kind}" if named else "nbc.builder"
        return _code.call(function, [*first, _code.Expression(data)], self.builder.settings)


def nearest_pair(wanted: Pair | None, pairs: Sequence[Pair]) -> Pair:
    """Return a pair of those that there are, in either order; the nearest if it is not there.

    That is the first that shares an algorithm with it, and the first of all without such a one.
    """
    for pair in () if wanted is None else (wanted, wanted[::-1]):
        if pair in pairs:
            return pair
    shared = (pair for pair in pairs if not set(pair).isdisjoint(wanted or ()))
    return next(shared, pairs[0])
