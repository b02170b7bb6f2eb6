"""Models: the results, figures and code that builders make of their settings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from nbcompare._display import current
from nbcompare._render import Part, Prose
from nbcompare.analysis.rules import Rule, State
from nbcompare.plots import Plot
from nbcompare.widgets import _code
from nbcompare.widgets._choices import ChosenSettings, Idle
from nbcompare.widgets._settings import Setting, ShownFigure, Subset
from nbcompare.widgets._worker import Task

_MOST_KEPT = 8  # results: going back to one is free
_FEWEST_KEPT = 2  # figures, which are large
# Settings that are no part of the design, and on which a recommendation depends
_ASKED = frozenset({"algorithms", "datasets", "problems", "control", "alpha"})


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
    choices_kind: ClassVar[type[ChosenSettings]] = ChosenSettings
    advises: ClassVar[bool] = False  # whether a design can be recommended

    def __init__(self, builder: Any, data: Any, settings: Mapping[str, Setting]) -> None:
        self.builder = builder
        self.data = self.checked(data)
        self.frame: tuple[Any, str | None] | None = None  # what the data were read from
        # Returns the code that binds the data to a name, if someone else made them
        self.loaded_by: Callable[[str], str] | None = None
        self.results, self.parts = Kept(), Kept()
        # What is known of a result that is being computed, under its key
        self.draft: tuple[tuple[Any, ...], Any] | None = None
        self.choices = self.choices_kind(
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

    def recommended(self) -> tuple[dict[str, Any], str]:
        """Return the settings of the recommended design, and a sentence that says what it is.

        Raises a ValueError where nothing is recommended.
        """
        raise ValueError("nothing is recommended for this analysis.")

    def facts(self) -> Mapping[str, Any]:
        """Return what the rules need to know of the selected data."""
        return {}

    def seconds(self, state: State) -> float:
        """Return about how long it takes, from the sizes alone."""
        return 0.0

    @abstractmethod
    def key(self) -> tuple[Any, ...]:
        """Return what the result depends on, of these data."""

    def task(self) -> Any:
        """Return the computation of what is kept under the key, if that may take long."""
        raise NotImplementedError(f"a {self.noun} is made at once")

    @property
    @abstractmethod
    def result(self) -> Any:
        """The result of the settings as they are."""

    @property
    @abstractmethod
    def code(self) -> str:
        """Python code that gives the result again."""

    def answers(self) -> tuple[Any, ...]:
        """Return the results that are shown, the principal one first."""
        return (self.result,)

    def remarks(self) -> tuple[str, ...]:
        """Return sentences on several results together."""
        return ()

    def lasting(self) -> list[Part]:
        """Return what the results say, as it stays in a cell."""
        parts = [part for answer in self.answers() for part in answer._parts()]
        return [*parts, *([Prose(self.remarks())] if self.remarks() else [])]

    def following(self, name: str, value: Any) -> dict[str, Any]:
        """Return other settings that a person sets by this choice on a control."""
        return {}

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
        asked = {name: given[name] for name in _ASKED if name in given}
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
    takes : callable
        A function of the model: the arguments beside the result or data, as keywords, which
        can be hashed.
    of : str
        What is drawn: ``data``, or the name of a result, in the model and in the code.
    unavailable : callable
        A function of the model: why it cannot be drawn, empty if it can.
    effect : str
        What it shows, as the end of a sentence that begins with its label.
    from_end : bool
        Whether its right side is what has to be seen where there is too little room.
    """

    label: str
    draw: Callable[..., Plot]
    takes: Callable[[Any], dict[str, Any]] = lambda _: {}
    of: str = "result"
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
    """A selection on the screen: what can be selected, and what that shows."""

    setting: str
    entries: Sequence[tuple[Any, str]]
    value: Any
    shown: Sequence[str | Plot]


class AnalysisModel(Model):
    """One function of the analysis, called with the settings of a builder.

    To write another builder, in a file of its own:

    1. Make a subclass of this one with the class variables below. The rules are those of the
       analysis, and others about what is selected; a test goes through the words and holds
       them against the function.
    2. Fill the hooks: :meth:`checked`, :meth:`defaults`, :meth:`facts` (for the rules),
       :meth:`seconds` (what is said to take more than a second runs in another process)
       and :meth:`details` (what a selected pair offers and shows: sentences and figures).
    3. Make a subclass of ``Builder`` with ``SettingsOf(function)``, which puts a trait for each
       option of the command, and the settings that only the builder has.

    The screen, the code, the snapshot, saving and progress need nothing more.
    """

    function: ClassVar[str]
    data_name: ClassVar[str] = "experiment"  # of the attribute that holds the data
    figure_kinds: ClassVar[Mapping[str, FigureKind]]
    # Settings whose controls stand beside what they select, below the figure
    detailed: ClassVar[tuple[str, ...]] = ()
    pair_noun: ClassVar[str] = "hypothesis"  # for what `pair` selects
    # Settings whose controls are always in sight; others are behind a button
    foremost: ClassVar[tuple[str, ...]] = ("algorithms", "control", "alpha")
    beside_design: ClassVar[tuple[str, ...]] = ()  # settings that change nothing about the design
    usual_design: ClassVar[str] = "default"  # what a design is called that nobody changed

    def __init__(self, builder: Any, data: Any, settings: Mapping[str, Setting]) -> None:
        super().__init__(builder, data, settings)
        self.figures = Kept(_FEWEST_KEPT)

    def details(self) -> Details | None:
        """Return what is behind a selection on the screen, if this builder has one."""
        return None

    def picks(self, state: State, names: tuple[str, ...], dataset: str = "") -> list[Pick]:
        """Return what can be done with a part of a figure, by what it is about.

        A point of a scatter is a data set, which can be left out to see what the result is then.
        """
        if dataset and "datasets" in self.choices.settings:
            rest = tuple(name for name in self.selected("datasets") if name != dataset)
            found = [Pick(f"Leave out {dataset}", "datasets", rest)] if rest else []
            return self._with_refusals(found, state)
        selected = self.selected("algorithms")
        if not set(names) <= set(selected):
            return []
        if len(names) == 2:
            return [Pick(f"Show this {self.pair_noun}", "pair", names, at_once=True)]
        if len(names) > 2:
            only = tuple(name for name in selected if name in names)
            return [Pick("Leave out all others", "algorithms", only)] if only != selected else []
        (name,) = names
        found = []
        control = getattr(self.result, "control", None)  # "best" is an algorithm by now
        if control == name:
            found.append(Pick("Compare all pairs again", "control", None))
        elif "control" in self.choices.settings:
            found.append(Pick("Make it the control", "control", name))
        if control is not None and control != name:
            found.append(Pick(f"Show its comparison with {control}", "pair", (control, name)))
        if len(selected) > 2:
            rest = tuple(other for other in selected if other != name)
            found.append(Pick("Leave it out", "algorithms", rest))
        return self._with_refusals(found, state)

    def _with_refusals(self, found: list[Pick], state: State) -> list[Pick]:
        """Return what can be done, and why not where that is so."""
        return [
            one._replace(refusal=self.choices.reason(one.setting, one.value, state) or "")
            for one in found
        ]

    def in_short(self) -> Sequence[str]:
        """Return the sentences of the result that stand open on the screen.

        Without any, these are its findings, as far as there is room.
        """
        return ()

    def design(self) -> str:
        """Return in a few words how the result was found, empty if there is nothing to say."""
        return ""

    def settled(self) -> Mapping[str, str]:
        """Return what settings that are left open stand for in the result, as it is spelled."""
        return {}

    def forget(self) -> None:
        """Keep nothing that was computed."""
        super().forget()
        self.figures.clear()

    def key(self) -> tuple[Any, ...]:
        """Return what the result depends on, of these data."""
        return *self.choices.arguments().values(), *self.choices.subsets().values()

    def task(self) -> Task:
        """Return the call of the analysis."""
        return Task(self.function, self.selection, self.choices.arguments())

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
        return self.results.made(self.key(), lambda: self.task().run())

    # ----------------------------------------------------------------------- the figure

    @property
    def figure(self) -> Plot:
        """The figure that is chosen; another one where the result cannot be drawn so."""
        if self.has_draft:
            return self.draw(self.kind)
        options = self.kind.takes(self)
        key = (*self.key(), self.drawn(), *options.items(), current())
        figure: Plot = self.figures.made(key, lambda: self.draw(self.kind))
        return figure

    @property
    def kind(self) -> FigureKind:
        """The kind of figure that is drawn."""
        return self.figure_kinds[self.drawn()]

    def draw(self, kind: FigureKind) -> Plot:
        """Return a figure of this kind."""
        drawn = self.selection if kind.of == "data" else getattr(self, kind.of)
        return kind.draw(drawn, **kind.takes(self))

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
        named = _code.name_of(self.data, _code.user_names())
        data = named or self.data_name
        loading = "" if named else self._loading()
        chosen = {
            name: (names, getattr(self.data, name))
            for name, names in self.choices.subsets().items()
        }
        selection = _code.selection(data, chosen, target="selection")
        analysed = _code.Expression("selection" if selection else data)
        analysis = self.call_code(analysed)
        further = self.further_code(analysed)
        lines = [loading, selection, analysis, further, self._drawing(analysed)]
        return "import nbcompare as nbc\n\n" + "\n".join(filter(None, lines))

    def call_code(self, data: _code.Expression) -> str:
        """Return the call of the analysis."""
        return _code.call(f"nbc.{self.function}", [data], self.choices.given(), target="result")

    @property
    def builder_code(self) -> str:
        """Python code that makes the builder with the settings that it has."""
        data = _code.name_of(self.data, _code.user_names()) or self.data_name
        name = f"nbc.{type(self.builder).__name__}"
        return _code.call(name, [_code.Expression(data)], self.builder.settings)

    def further_code(self, data: _code.Expression) -> str:
        """Return the code of a further result, empty without one."""
        return ""

    def _loading(self) -> str:
        if self.loaded_by is not None:
            return self.loaded_by(self.data_name)
        reading = _code.reading(self.frame, self.data_name)
        if reading:
            return reading
        builder = _code.name_of(self.builder, _code.user_names())
        if builder:
            return f"{self.data_name} = {builder}.{self.data_name}"
        return _code.loading(self.data, self.data_name)

    def _drawing(self, data: _code.Expression) -> str:
        if not self.figure_kinds:
            return ""
        try:
            kind = self.kind
            options = kind.takes(self)
        except ValueError:  # there is no result, and the code says why when it is run
            return "result"
        of = data if kind.of == "data" else _code.Expression(kind.of)
        return _code.call(f"nbc.plots.{kind.draw.__name__}", [of], options)


def nearest_pair(wanted: tuple[str, str] | None, pairs: Sequence[tuple[str, str]]) -> int:
    """Return the place of a pair among the hypotheses, in either order.

    Where it is not among them, the first that shares an algorithm with it is nearest, and the first
    of all without such a one.
    """
    if wanted is None:
        return 0
    for pair in (wanted, wanted[::-1]):
        if pair in pairs:
            return pairs.index(pair)
    shared = (place for place, pair in enumerate(pairs) if not set(pair).isdisjoint(wanted))
    return next(shared, 0)


def shown_figure(model: type[AnalysisModel]) -> ShownFigure:
    """Return the setting for the figures of a model."""
    kinds = model.figure_kinds.items()
    return ShownFigure(
        {name: kind.label for name, kind in kinds},
        {name: kind.effect for name, kind in kinds if kind.effect},
    )
