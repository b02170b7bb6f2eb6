"""What every builder is: settings that are checked, and a result, a figure and code of them."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, ClassVar

from traitlets import Bunch, HasTraits, MetaHasTraits

from nbcompare._display import current
from nbcompare._validation import listed
from nbcompare.analysis._rules import Rule, State, reasons
from nbcompare.plots import Plot
from nbcompare.widgets import _code
from nbcompare.widgets._live import Live
from nbcompare.widgets._rules import Idle, View
from nbcompare.widgets._settings import Setting, Subset
from nbcompare.widgets._worker import Task

if TYPE_CHECKING:
    from nbcompare.widgets._screen import Details

_MOST_KEPT = 8  # results: going back to one is free
_FEWEST_KEPT = 2  # figures, which are large


class _Meta(ABCMeta, MetaHasTraits):
    """Of classes with traits that leave methods to their subclasses."""


class Builder(HasTraits, metaclass=_Meta):
    """Controls over one function of the analysis; see its subclasses.

    To write another one, in a file of its own:

    1. Declare a trait per control, called as the argument: ``Word`` (one of the words of
       an option), ``Words`` (several), ``Number`` (with the check of the API), ``Member``
       (an algorithm, or another word), ``Subset`` (names that enter), ``Viewed`` (the
       figure), ``Selected`` and ``Place`` (what is looked at more closely). An option that
       has its own entry in the table is named by it: ``method = Word("stochastic.method")``.
    2. Set the class variables below. Rules say which words a setting does not take and why:
       all that the function refuses, save what only the data can tell; a test goes through
       the words and holds the rules against the function.
    3. Fill the hooks: :meth:`_checked`, :meth:`_defaults`, :meth:`_facts` (for rules),
       :meth:`_seconds` (what is said to take more than a second runs in another process)
       and :meth:`_details` (what a ``Selected`` offers and shows: sentences and figures).

    The screen, the code, the snapshot, saving and progress need nothing more.
    """

    # The attribute that holds the data, the function of `analysis`, and its result's name.
    _data_name: ClassVar[str] = "experiment"
    _function: ClassVar[str]
    # Settings in the order of their traits, which is that of their controls
    _order: ClassVar[tuple[str, ...]]
    # In the order in which they are settled: a rule may look only at settings that rules
    # before it have settled.
    _rules: ClassVar[tuple[Rule, ...]] = ()
    _idle: ClassVar[tuple[Idle, ...]] = ()
    _views: ClassVar[Mapping[str, View]]
    # Settings whose controls stand beside what they select, below the figure
    _detailed: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._order = tuple(
            name
            for kind in reversed(cls.__mro__)
            for name, trait in vars(kind).items()
            if isinstance(trait, Setting)
        )

    def __init__(self, data: Any, **settings: Any) -> None:
        self._data = self._checked(data)
        unknown = [name for name in settings if name not in self._order]
        if unknown:
            raise TypeError(
                f"{type(self).__name__} has no setting {listed(unknown)}; "
                f"it has {listed(self._order, most=20)}."
            )
        self._results: dict[Any, Any] = {}
        self._figures: dict[Any, Plot] = {}
        self._parts: dict[Any, Any] = {}
        self._notices: list[str] = []
        self._ready = False
        super().__init__(**dict.fromkeys(self._of_data()))
        with self.hold_trait_notifications():
            for name, value in settings.items():
                setattr(self, name, value)
            # what is recommended gives way to what is asked for
            advised = self._defaults(dict(settings))
            for name in self._settled_order():
                wanted = name in advised and name not in settings
                if wanted and self._reason(name, advised[name]) is None:
                    setattr(self, name, advised[name])
        self._repair()
        self._notices.clear()
        self._ready = True
        self._live = Live(self)
        self.observe(self._changed, names=list(self._order))

    # ---------------------------------------------------------------- for subclasses to say

    @abstractmethod
    def _checked(self, data: Any) -> Any:
        """The data if they are of the right class, else a TypeError."""

    def _defaults(self, settings: dict[str, Any]) -> Mapping[str, Any]:
        """Settings to begin with, where they are not those of the API."""
        return {}

    def _facts(self) -> Mapping[str, Any]:
        """What rules need to know of the selected data."""
        return {}

    def _seconds(self, state: State) -> float:
        """About how long the analysis takes, from the sizes alone."""
        return 0.0

    # ----------------------------------------------------------------------------- public

    @property
    def data(self) -> Any:
        """The data that the builder was made for, all of them."""
        return self._data

    @data.setter
    def data(self, data: Any) -> None:
        self._data = self._checked(data)
        for kept in (self._results, self._figures, self._parts):
            kept.clear()
        self._live.forget()
        self._ready = False  # one change, however many settings give way
        try:
            with self.hold():
                for name in self._of_data():
                    setattr(self, name, None)
        finally:
            self._ready = True
        self._changed(None)

    @property
    def selection(self) -> Any:
        """The part of the data that is analysed."""
        subsets = self._subsets()
        key = ("selection", *subsets.values())
        if key not in self._parts:
            whole = all(value == getattr(self._data, name) for name, value in subsets.items())
            self._keep(self._parts, key, self._data if whole else self._data.select(**subsets))
        return self._parts[key]

    @property
    def result(self) -> Any:
        """What the analysis finds with the settings as they are; computed when it is read."""
        key = self._key()
        if key not in self._results:
            self._keep(self._results, key, self._task().run())
        return self._results[key]

    @property
    def figure(self) -> Plot:
        """The figure of the view; of another view where the result cannot be drawn so."""
        key = (*self._key(), self._drawn_view(), *self._view_options().items(), current())
        if key not in self._figures:
            view = self._views[self._drawn_view()]
            of = self.result if view.of == "result" else self.selection
            self._keep(self._figures, key, view.draw(of, **self._view_options()), _FEWEST_KEPT)
        return self._figures[key]

    @property
    def code(self) -> str:
        """Python that gives the result and the figure again."""
        lines = [self._data_code(), self._selection_code(), self._analysis_code()]
        body = "\n".join(filter(None, [*lines, self._figure_code()]))
        return f"import nbcompare as nbc\n\n{body}"

    def hold(self) -> AbstractContextManager[Any]:
        """Set several settings as one: ``with builder.hold(): ...``."""
        held: AbstractContextManager[Any] = self.hold_trait_notifications()
        return held

    def selected(self, axis: str) -> tuple[str, ...]:
        """The names on an axis that are selected, such as ``algorithms``."""
        names: tuple[str, ...] = getattr(self, axis)
        return names

    def close(self) -> None:
        """Take the widgets away and end what is being computed; the snapshot stays.

        Settings and :attr:`result` work on; displayed again, it has new widgets.
        """
        self._live.close()

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._given().items())
        return f"<{type(self).__name__}: {self.selection!r}{', ' if given else ''}{given}>"

    def _ipython_display_(self) -> None:
        self._live.display()

    # ------------------------------------------------------------------------------ state

    @classmethod
    def _settings(cls) -> dict[str, Setting]:
        """The settings by name, in the order of their controls."""
        traits = cls.class_traits()
        return {name: traits[name] for name in cls._order}  # type: ignore[misc]

    @classmethod
    def _of_data(cls) -> list[str]:
        """Settings whose values are names of the data."""
        return [name for name, setting in cls._settings().items() if setting.is_of_data]

    def _arguments(self) -> dict[str, Any]:
        """What the analysis is called with beside the data."""
        return {
            name: getattr(self, name)
            for name, setting in self._settings().items()
            if setting.is_argument
        }

    def _key(self) -> tuple[Any, ...]:
        """What the result depends on, of these data."""
        return *self._arguments().values(), *self._subsets().values()

    def _subsets(self) -> dict[str, tuple[str, ...]]:
        """The selected names by axis."""
        subsets = [name for name, kind in self._settings().items() if isinstance(kind, Subset)]
        return {name: getattr(self, name) for name in subsets}

    def _estimate(self) -> float:
        """Seconds that the analysis may take as things stand."""
        return self._seconds(self._state())

    def _task(self) -> Task:
        return Task(self._function, self.selection, self._arguments())

    def _state(self) -> State:
        """Settings, and facts of the selection."""
        key = ("facts", *self._subsets().values())
        if key not in self._parts:
            self._keep(self._parts, key, dict(self._facts()))
        return State({**self._parts[key], **{name: getattr(self, name) for name in self._order}})

    def _reason(self, name: str, word: Any, state: State | None = None) -> str | None:
        """Why a word is not available now, None if it is."""
        if all(rule.option != name for rule in self._rules):
            return None
        return next(reasons(self._rules, name, word, state or self._state()), None)

    def _is_idle(self, name: str, state: State) -> bool:
        """Whether a setting makes no difference as things stand."""
        return any(idle.setting == name and idle.when(state) for idle in self._idle)

    def _settled_order(self) -> list[str]:
        """Settings without rules, then the others so that each depends on those before it."""
        ruled = list(dict.fromkeys(rule.option for rule in self._rules))
        return [*(name for name in self._order if name not in ruled), *ruled]

    def _given(self) -> dict[str, Any]:
        """The arguments that differ from the defaults of the API."""
        settings = self._settings()
        return {
            name: value
            for name, value in self._arguments().items()
            if value != settings[name].entry.default
        }

    def _changed(self, change: Bunch | None) -> None:
        if not self._ready:
            return
        self._notices.clear()
        self._repair()
        self._live.changed()

    def _repair(self) -> None:
        """Put another word where one does not go with the rest any more."""
        ready, self._ready = self._ready, False  # what follows is one change, not several
        try:
            for name in dict.fromkeys(rule.option for rule in self._rules):
                value = getattr(self, name)
                reason = self._reason(name, value)
                if reason is not None:
                    setattr(self, name, next(self._instead(name, value)))
                    self._notices.append(self._told(name, value, reason))
        finally:
            self._ready = ready

    def _instead(self, name: str, value: Any) -> Iterator[Any]:
        """What may take the place of a word: the default, else the first that there is.

        Of several words, those that can stay do.
        """
        setting = self._settings()[name]
        if isinstance(value, tuple):
            kept = tuple(word for word in value if self._reason(name, word) is None)
            if kept:
                yield kept[0] if len(kept) == 1 else kept
        for word in (setting.default_value, *setting.words(self)):
            if self._reason(name, word) is None:
                yield word

    def _told(self, name: str, value: Any, reason: str) -> str:
        setting = self._settings()[name]
        now, before = setting.spelled(getattr(self, name)), setting.spelled(value)
        return f"{setting.label} is now “{now}”, not “{before}”: {reason}."

    def _drawn_view(self) -> str:
        """The view, or the first other one that can be drawn."""
        wanted = str(getattr(self, "view", "") or next(iter(self._views)))
        names = [wanted, *(name for name in self._views if name != wanted)]
        return next((name for name in names if not self._not_drawn(name)), wanted)

    def _not_drawn(self, name: str) -> str:
        """Why a view cannot be drawn, empty if it can; a ValueError without a result."""
        _ = self.result
        return self._views[name].unavailable(self)

    def _view_options(self) -> dict[str, Any]:
        """The arguments of the drawing, which can be hashed."""
        return self._views[self._drawn_view()].takes(self)

    @staticmethod
    def _keep(kept: dict[Any, Any], key: Any, value: Any, most: int = _MOST_KEPT) -> None:
        kept[key] = value
        while len(kept) > most:
            kept.pop(next(iter(kept)))

    # ------------------------------------------------------------------------------- code

    def _data_code(self) -> str:
        """A line that names the data, unless the user's namespace does."""
        if self._named_data():
            return ""
        builder = _code.name_of(self, self._namespace())
        if builder:
            return f"{self._data_name} = {builder}.{self._data_name}"
        return _code.loading(self._data, self._data_name)

    def _named_data(self) -> str:
        return _code.name_of(self._data, self._namespace())

    def _selection_code(self) -> str:
        chosen = {
            name: (names, getattr(self._data, name)) for name, names in self._subsets().items()
        }
        return _code.selection(self._named_data() or self._data_name, chosen, target="selection")

    def _analysis_code(self) -> str:
        data = "selection" if self._selection_code() else self._named_data() or self._data_name
        given = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self._given().items()
        }
        function = f"nbc.{self._function}"
        return _code.call(function, [_code.Expression(data)], given, target="result")

    def _figure_code(self) -> str:
        try:
            view = self._views[self._drawn_view()]
            options = self._view_options()
        except ValueError:  # there is no result, and the code says why when it is run
            return "result"
        data = "selection" if self._selection_code() else self._named_data() or self._data_name
        of = _code.Expression("result" if view.of == "result" else data)
        return _code.call(f"nbc.plots.{view.draw.__name__}", [of], options)

    @staticmethod
    def _namespace() -> Mapping[str, Any]:
        from IPython.core.getipython import get_ipython

        shell = get_ipython()
        return {} if shell is None else dict(shell.user_ns)

    # ------------------------------------------------------------------------- the screen

    def _details(self) -> Details | None:
        """What is behind a selection on the screen, if this builder has one."""
        return None

    def _instead_of_view(self) -> list[str]:
        """Why another figure is shown than was asked for."""
        wanted, drawn = str(getattr(self, "view", "")), self._drawn_view()
        if wanted in ("", drawn):
            return []
        one, other = self._views[wanted].label, self._views[drawn].label
        return [f"The figure is “{other}”, not “{one}”: {self._not_drawn(wanted)}."]
