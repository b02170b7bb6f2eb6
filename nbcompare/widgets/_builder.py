"""The classes that users see of builders: traits, a result, a figure, code, undo and redo."""

from __future__ import annotations

import importlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from traitlets import Bunch

from nbcompare._options import Choice, Option
from nbcompare._validation import listed, named
from nbcompare.experiment import FRAME, Experiment, Frame, experiment_of, refuse_reading
from nbcompare.histories import Histories
from nbcompare.plots import Plot
from nbcompare.widgets import _html
from nbcompare.widgets._live import Live
from nbcompare.widgets._model import ASKED, AnalysisModel, Model
from nbcompare.widgets._screen import AnalysisScreen, Screen
from nbcompare.widgets._settings import (
    Member,
    SelectedPair,
    Setting,
    SettingError,
    ShownFigure,
    Subset,
    settings_of,
)
from nbcompare.widgets._surface import Surface

MOST_STEPS = 100  # that can be undone
Values = dict[str, Any]


def settings_for(model: type[AnalysisModel]) -> dict[str, Setting]:
    """Return the traits of a builder of an analysis, in the order of their controls."""
    record, options = model.record(), model.options()
    found = settings_of(options)
    if "control" in record.arguments:
        found["control"] = Member("control")
    if len(model.figure_kinds) > 1:
        kinds = model.figure_kinds
        figures = {name: Choice(it.label, it.effect) for name, it in kinds.items()}
        view = Option(next(iter(kinds)), figures, "which figure is drawn", label="Figure")
        found["view"] = ShownFigure(view)
    has_pairs = "a" in record.arguments or "control" in options or record.takes == "histories"
    found["algorithms"] = Subset("Algorithms", "k", least=2 if has_pairs else 1)
    if record.takes == "histories":
        found["problems"] = Subset("Problems", "n", least=1)
    else:
        found["datasets"] = Subset("Data sets", "n", least=1)
    if has_pairs:
        found["pair"] = SelectedPair(label="Pair", help="the two algorithms that are looked into")
    return found


class Builder(Surface):
    """Controls over the settings of a model, as traits.

    It is a widget, which can stand in boxes and tabs among others; what it consists of is made
    when it is first shown. In a cell of its own it also leaves a still view for those who open
    the notebook later.

    Parameters
    ----------
    data : object
        What the model is made for.
    **settings
        Traits to begin with.
    """

    _model_kind: Callable[..., Model]
    _screen_kind: ClassVar[type[Screen]]
    # settings in the order of their traits, which is that of their controls
    _order: ClassVar[tuple[str, ...]]
    _free: frozenset[str] = frozenset()  # settings that may give way to what is asked for
    _is_stepping = False  # through earlier settings, which is not a new step

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._order = tuple(
            name
            for kind in reversed(cls.__mro__)
            for name, trait in vars(kind).items()
            if isinstance(trait, Setting)
        )

    if TYPE_CHECKING:
        # traits are made from the table of options when the class is

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self, data: Any, **settings: Any) -> None:
        self._ready = self._is_made = False
        traits: dict[str, Any] = type(self).class_traits()
        self._model = self._model_kind(self, data, {name: traits[name] for name in self._order})
        if unknown := self._unknown(settings):
            raise TypeError(unknown)
        choices = self._model.choices
        self._register_validator(self._fitting, self._order)
        super().__init__(**dict.fromkeys(choices.of_data()))
        with self.hold_trait_notifications():
            for name, value in settings.items():
                setattr(self, name, value)
            # what is recommended gives way to what is asked for
            advised = self._model.defaults(dict(settings))
            for name in choices.settled_order():
                wanted = name in advised and name not in settings
                if wanted and choices.reason(name, advised[name]) is None:
                    setattr(self, name, advised[name])
        self._model.repair()
        choices.notices.clear()
        self._past: deque[Values] = deque(maxlen=MOST_STEPS)
        self._future: deque[Values] = deque(maxlen=MOST_STEPS)
        self._now = self._values()
        self._ready = True
        self._live = Live(self, self._model, self._screen_kind)
        self.observe(self._changed, names=list(self._order))
        self._is_made = True
        if self.comm is not None:
            self.open()

    # ----------------------------------------------------------------------------- public

    @property
    def data(self) -> Any:
        """The data that the builder was made for, all of them."""
        return self._model.data

    @data.setter
    def data(self, data: Any) -> None:
        self._model.replace(data)
        self._live.forget()
        self._ready = False  # one change, however many settings give way
        try:
            with self.hold():
                for name in self._model.choices.of_data():
                    setattr(self, name, None)
        finally:
            self._ready = True
        self._changed(None)
        self._past.clear()
        self._future.clear()

    @property
    def result(self) -> Any:
        """The result of the settings as they are; computed when it is read."""
        return self._model.result

    @property
    def code(self) -> str:
        """Python code that gives the same again."""
        return self._model.code

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Set several settings as one: ``with builder.hold(): ...``."""
        with self.hold_trait_notifications():
            yield

    def selected(self, axis: str) -> tuple[str, ...]:
        """Return the names on an axis that are selected, such as ``algorithms``."""
        return self._model.selected(axis)

    @property
    def value(self) -> Any:
        """The result, under the name by which widgets such as ``interactive_output`` ask."""
        return self.result

    @property
    def widget(self) -> Builder:
        """The builder itself, with everything drawn."""
        self.open()
        return self

    # ----------------------------------------------------------------- settings, and steps

    def _values(self) -> Values:
        return {name: getattr(self, name) for name in self._order}

    @property
    def settings(self) -> dict[str, Any]:
        """All settings that are not as a builder of these data begins, in values of JSON.

        They are arguments: ``CDDiagramBuilder(experiment, **builder.settings)`` is the same
        again. Set to such a dictionary, the settings that it does not name begin anew; what
        the builder does not take is refused, and changes nothing.
        """
        values = self._values()
        first = self._model.beginning(values)
        return {name: _plain(value) for name, value in values.items() if value != first[name]}

    @settings.setter
    def settings(self, settings: Mapping[str, Any]) -> None:
        if not isinstance(settings, Mapping):
            raise SettingError(
                "`settings` must be a dictionary, such as another "
                f"{type(self).__name__} has as its settings; got {type(settings).__name__}."
            )
        if unknown := self._unknown(settings):
            raise SettingError(unknown)
        choices = self._model.choices
        given = {
            name: choices.settings[name].validate(self, value) for name, value in settings.items()
        }
        wanted = {**self._model.beginning(given), **given}
        self._free = frozenset(self._order) - set(given)
        try:
            with self.hold():
                for name in choices.settled_order():
                    setattr(self, name, wanted[name])
        finally:
            self._free = frozenset()

    def _unknown(self, settings: Mapping[str, Any]) -> str:
        """Return what is wrong with the names of settings, if anything is."""
        unknown = [name for name in settings if name not in self._order]
        kind, there = type(self).__name__, listed(self._order, most=20)
        return f"{kind} has no setting {listed(unknown)}; it has {there}." if unknown else ""

    def undo(self) -> None:
        """Set everything as it was before the last change; nothing happens without one.

        A change and what gave way to it are one step, and so is what is set within
        :meth:`hold`. The last 100 steps are kept; other data begin without any.
        """
        self._step(self._past, self._future, "Undone.")

    def redo(self) -> None:
        """Set everything as it was before the last :meth:`undo`."""
        self._step(self._future, self._past, "Done again.")

    def _step(self, of: deque[Values], to: deque[Values], done: str) -> None:
        """Set all settings as they were in the last step of the one kind, and keep another."""
        if not of:
            return
        before, wanted = self._now, of[-1]
        self._is_stepping = True
        try:
            with self.hold():
                for name in self._order:
                    setattr(self, name, wanted[name])
        finally:
            self._is_stepping = False
        to.append(before)
        of.pop()
        self._tell(done, before)

    def next_steps(self) -> dict[str, str]:
        """Return what :meth:`undo` and :meth:`redo` would change, empty if there is nothing."""
        labels = {name: setting.label for name, setting in self._model.choices.settings.items()}
        now = self._now
        return {
            step: named([labels[it] for it in now if now[it] != kept[-1][it]]) if kept else ""
            for step, kept in (("undo", self._past), ("redo", self._future))
        }

    def use_recommended(self) -> None:
        """Set the design as it begins, which is what is recommended for the selected data.

        The control, the level and the selection stay; it is one step.
        """
        before, settings = self._now, self._model.choices.settings
        design = {name for name, setting in settings.items() if setting.is_argument} - ASKED
        self.settings = {name: value for name, value in before.items() if name not in design}
        self._tell("The design is as recommended.", before)

    def _tell(self, done: str, before: Values) -> None:
        """Say what has been done, and what is other than before."""
        choices = self._model.choices
        told = choices.told(before) or ["The settings are so already."]
        choices.notices[:] = [" ".join([done, *told])]
        self._live.changed()

    # --------------------------------------------------------------------------- a widget

    def open(self) -> None:
        """Make what it consists of, and let the page know of it, if it is closed."""
        if not self._is_made or self.root is not None:
            return
        self.root = self._live.open().root
        self.handle_here()
        if self.comm is None:
            super().open()
        else:  # some applications give every widget a connection at once
            self.send_state(("elements", "first"))
        self.hiding = _html.hiding(str(self.comm.comm_id) if self.comm else "")

    def rest(self) -> None:
        """Leave the still view of the settings as they are."""
        self._live.leave_snapshot()

    @property
    def model_id(self) -> str:
        """The name by which a page knows it; whoever asks for it is about to show it."""
        self.open()
        return str(self.comm.comm_id)

    def close(self) -> None:
        """Take the widgets away and end what is being computed; the snapshot stays.

        Settings and :attr:`result` work on; displayed again, the builder has new widgets.
        """
        if self._is_made:
            self._live.close()
        if self.comm is None:
            return
        self.layout.close()
        super().close()
        # as it was before it was opened; the widget's own way of display went with its model
        self.root = None
        self._model_id = None
        self._trait_values.pop("layout")
        self.__dict__.pop("_repr_mimebundle_")

    def __del__(self) -> None:
        """Do nothing: one that has an open model is kept by ipywidgets until it is closed."""

    def __panel__(self) -> Any:
        """Return what Panel shows: the builder, as wide as its page."""
        pane = importlib.import_module("panel.pane")  # nobody else has it
        return pane.IPyWidget(self, sizing_mode="stretch_width")

    def _ipython_display_(self) -> None:
        self._live.display()

    # ---------------------------------------------------------------------------- changes

    def _take(self, data: Any, direction: str | None, settings: dict[str, Any]) -> None:
        """Make the builder for an experiment, or for a dataframe with a direction."""
        if direction is None and (data is None or isinstance(data, Experiment)):
            Builder.__init__(self, data, **settings)
            return
        unknown = [name for name in settings if name not in self._order]
        refuse_reading(unknown, direction, type(self).__name__)
        made = experiment_of(data, direction)
        Builder.__init__(self, made, **settings)
        self._model.frame = data, direction
        self._model.choices.notices.extend(note.text for note in made.notes if note.code == FRAME)

    def _fitting(self, _owner: Any, proposal: Bunch) -> Any:
        """Return a value that goes with the other settings, when all of them are set."""
        name, value = str(proposal.trait.name), proposal.value
        if name in self._free:
            return value  # it gives way
        refusal = self._model.choices.refusal(name, value)
        if refusal:
            raise SettingError(refusal)
        try:
            self._model.check(name, value)
        except (ValueError, TypeError) as error:
            raise SettingError(str(error)) from None
        return value

    def _changed(self, change: Bunch | None) -> None:
        if not self._ready:
            return
        self._model.choices.notices.clear()
        self._ready = False  # what follows is one change, not several
        try:
            self._model.repair()
        finally:
            self._ready = True
        now = self._values()
        if not self._is_stepping and now != self._now:
            self._past.append(self._now)
            self._future.clear()
        self._now = now
        self._live.changed()


class AnalysisBuilder(Builder):
    """A builder of one function of the analysis, with figures of its result."""

    _model: AnalysisModel
    _screen_kind = AnalysisScreen

    @property
    def function(self) -> str:
        """The name of the function."""
        return self._model.function

    @property
    def options(self) -> dict[str, Any]:
        """Options of the function that differ from its defaults."""
        return self._model.choices.given()

    @property
    def selection(self) -> Any:
        """The part of the data that is analysed."""
        return self._model.selection

    @property
    def figure(self) -> Plot:
        """The figure that is chosen; another one where the result cannot be drawn so."""
        return self._model.figure

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"<{type(self).__name__}: {self.selection!r}{', ' if given else ''}{given}>"


class ExperimentBuilder(AnalysisBuilder):
    """A builder with ``experiment``, ``algorithms`` and ``datasets``."""

    def __init__(
        self, experiment: Experiment | Frame, *, direction: str | None = None, **settings: Any
    ) -> None:
        self._take(experiment, direction, settings)

    # setting others begins anew with all of their algorithms and data sets
    experiment = Builder.data


class HistoriesBuilder(AnalysisBuilder):
    """A builder with ``histories``, ``algorithms`` and ``problems``."""

    def __init__(self, histories: Histories, **settings: Any) -> None:
        super().__init__(histories, **settings)

    # setting others begins anew with all of their algorithms and problems
    histories = Builder.data


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value
