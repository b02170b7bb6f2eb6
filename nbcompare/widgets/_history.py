"""What was set before: undo and redo, and all settings of a builder as a dictionary."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from nbcompare._validation import listed, named
from nbcompare.widgets._choices import ChosenSettings
from nbcompare.widgets._settings import SettingError

if TYPE_CHECKING:
    from nbcompare.widgets._live import Live
    from nbcompare.widgets._model import Model

MOST_STEPS = 100


class Step(NamedTuple):
    """The settings at one time, and what had given way and would come back."""

    values: dict[str, Any]
    displaced: dict[str, Any]


class History:
    """The settings of a builder, step by step.

    Parameters
    ----------
    choices : ChosenSettings
        Their present values are the first step.
    """

    def __init__(self, choices: ChosenSettings) -> None:
        self._choices = choices
        self._past: deque[Step] = deque(maxlen=MOST_STEPS)
        self._future: list[Step] = []
        self._is_going = False  # through the steps, which makes none
        self._now = self._taken()

    def _taken(self) -> Step:
        choices = self._choices
        values = {name: choices.value(name) for name in choices.settings}
        return Step(values, dict(choices.displaced))

    @property
    def values(self) -> dict[str, Any]:
        """The settings as they are."""
        return self._now.values

    @property
    def can_undo(self) -> bool:
        """Whether there is a step before this one."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether a step was undone."""
        return bool(self._future)

    def to_undo(self) -> str:
        """Return what the settings are called that :meth:`back` would change."""
        return self._changing(self._past)

    def to_redo(self) -> str:
        """Return what the settings are called that :meth:`forth` would change."""
        return self._changing(self._future)

    def _changing(self, steps: deque[Step] | list[Step]) -> str:
        if not steps:
            return ""
        settings, other, now = self._choices.settings, steps[-1].values, self._now.values
        return named([settings[name].label for name in now if now[name] != other[name]])

    def note(self) -> None:
        """Begin a new step if anything is other than it was, with all that gave way."""
        if self._is_going:
            return
        now = self._taken()
        if now.values != self._now.values:
            self._past.append(self._now)
            self._future.clear()
        self._now = now

    def clear(self) -> None:
        """Forget every step: the settings are of other data."""
        self._past.clear()
        self._future.clear()
        self._now = self._taken()

    @contextmanager
    def back(self) -> Iterator[Step]:
        """Give the step before, which is to be set."""
        with self._going(self._past, self._future) as step:
            yield step

    @contextmanager
    def forth(self) -> Iterator[Step]:
        """Give the step that was undone last, which is to be set."""
        with self._going(self._future, self._past) as step:
            yield step

    @contextmanager
    def _going(self, of: deque[Step] | list[Step], to: deque[Step] | list[Step]) -> Iterator[Step]:
        step = of[-1]
        self._is_going = True
        try:
            yield step
        finally:
            self._is_going = False
        of.pop()
        to.append(self._now)
        self._now = self._taken()


class Remembering:
    """What every builder has beside its traits: settings as one value, and steps."""

    _model: Model
    _live: Live
    # settings in the order of their traits, which is that of their controls
    _order: ClassVar[tuple[str, ...]]
    _history: History
    _free: frozenset[str] = frozenset()  # settings that may give way to what is asked for

    if TYPE_CHECKING:

        @property
        def data(self) -> Any: ...

        def hold(self) -> AbstractContextManager[Any]: ...

        def selected(self, axis: str) -> tuple[str, ...]: ...

    def chosen(self, name: str) -> None:
        """Take note that a setting is set, if only to what it was."""
        self._model.choices.chosen(name)

    # ------------------------------------------------------------------------ as one value

    @property
    def steps(self) -> History:
        """The steps that can be undone or done again."""
        return self._history

    @property
    def settings(self) -> dict[str, Any]:
        """All settings that are not as a builder of these data begins, in values of JSON.

        They are arguments: ``CDDiagramBuilder(experiment, **builder.settings)`` is the same
        again. Set to such a dictionary, the settings that it does not name begin anew; what
        the builder does not take is refused, and changes nothing.
        """
        choices = self._model.choices
        values = {name: choices.value(name) for name in self._order}
        first = self._model.beginning(values)
        return {name: _plain(value) for name, value in values.items() if value != first[name]}

    @settings.setter
    def settings(self, settings: Mapping[str, Any]) -> None:
        choices = self._model.choices
        given = self._cleaned(settings)
        wanted = {**self._model.beginning(given), **given}
        self._free = frozenset(self._order) - set(given)
        try:
            with self.hold():
                for name in choices.settled_order():
                    setattr(self, name, wanted[name])
        finally:
            self._free = frozenset()

    def _cleaned(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return values as the settings take them, each for itself."""
        kind = type(self).__name__
        if not isinstance(settings, Mapping):
            raise SettingError(
                f"`settings` must be a dictionary, such as another {kind} has as its settings; "
                f"got {type(settings).__name__}."
            )
        unknown = [name for name in settings if name not in self._order]
        if unknown:
            raise SettingError(
                f"{kind} has no setting {listed(unknown)}; it has {listed(self._order, most=20)}."
            )
        traits = self._model.choices.settings
        return {name: traits[name].validate(self, value) for name, value in settings.items()}

    # ------------------------------------------------------------------------ step by step

    def undo(self) -> None:
        """Set everything as it was before the last change; nothing happens without one.

        A change and what gave way to it are one step, and so is what is set within
        :meth:`hold`. The last 100 steps are kept; other data begin without any.
        """
        if self._history.can_undo:
            self._go(self._history.back(), "Undone.")

    def redo(self) -> None:
        """Set everything as it was before the last :meth:`undo`."""
        if self._history.can_redo:
            self._go(self._history.forth(), "Done again.")

    def _go(self, way: AbstractContextManager[Step], done: str) -> None:
        choices = self._model.choices
        before = self._history.values
        with way as step:
            with self.hold():
                for name in self._order:
                    setattr(self, name, step.values[name])
            choices.displaced = dict(step.displaced)
        self._tell(done, before)

    def _tell(self, done: str, before: Mapping[str, Any]) -> None:
        """Say what has been done, and what is other than before."""
        choices = self._model.choices
        told = choices.told(before) or ["The settings are so already."]
        choices.notices[:] = [" ".join([done, *told])]
        self._live.changed()

    # ------------------------------------------------------------------- what is recommended

    def use_recommended(self) -> None:
        """Set the design that :func:`nbcompare.recommend` advises for the selected data.

        The control, the level and the selection stay; it is one step of the history.

        Raises
        ------
        ValueError
            If nothing is recommended for such data, or for this analysis.
        """
        before = self._history.values
        advised, told = self._model.recommended()
        with self.hold():
            for name, value in advised.items():
                setattr(self, name, value)
        self._tell(told, before)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value
