"""The classes that users see of builders: traits, a result, a figure, and code."""

from __future__ import annotations

import importlib
from abc import ABCMeta
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from traitlets import Bunch, MetaHasTraits

from nbcompare._options import BEST
from nbcompare._validation import listed, shown
from nbcompare.analysis.rules import Rule, always
from nbcompare.experiment import (
    FRAME,
    Experiment,
    Frame,
    experiment_of,
    refuse_reading,
)
from nbcompare.histories import Histories
from nbcompare.plots import Plot
from nbcompare.widgets import _html
from nbcompare.widgets._choices import Idle
from nbcompare.widgets._history import History, Remembering
from nbcompare.widgets._live import Live
from nbcompare.widgets._model import AnalysisModel, Model
from nbcompare.widgets._screen import AnalysisScreen, Screen
from nbcompare.widgets._settings import Setting, SettingError, SettingsOf
from nbcompare.widgets._surface import Surface

CONTROL = Rule(
    "control",
    lambda s, word: word is not None and word not in s.algorithms and word != BEST,
    always,
    "the algorithm is not selected",
)
# what stands for failed scores matters where these get the worst score
NO_FILL = Idle("fill", lambda s: s.missing != "worst")


class _Meta(ABCMeta, MetaHasTraits):
    """The metaclass of builders, which puts traits in the places of ``SettingsOf``."""

    def __new__(
        mcs, name: str, bases: tuple[type, ...], body: dict[str, Any], **options: Any
    ) -> _Meta:
        """Put a trait per option where the body asks for them."""
        full: dict[str, Any] = {}
        for key, value in body.items():
            full |= value.settings() if isinstance(value, SettingsOf) else {key: value}
        body.clear()
        body.update(full)  # in place: traitlets reads it once more in __init__
        return super().__new__(mcs, name, bases, body, **options)


class Builder(Remembering, Surface, metaclass=_Meta):
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
        unknown = [name for name in settings if name not in self._order]
        if unknown:
            raise TypeError(
                f"{type(self).__name__} has no setting {listed(unknown)}; "
                f"it has {listed(self._order, most=20)}."
            )
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
        choices.displaced.clear()
        self._history = History(choices)
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
        self._history.clear()

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
        choices = self._model.choices
        kept = dict(choices.displaced)
        try:
            with self.hold_trait_notifications():
                yield
        except SettingError:  # nothing has changed
            choices.displaced = kept
            raise

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

    # ------------------------------------------------------------------------- dataframes

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

    # ---------------------------------------------------------------------------- changes

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
        self._history.note()
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


class ExperimentModel(AnalysisModel):
    """An analysis of an experiment."""

    def checked(self, data: Any) -> Experiment:
        """Return the experiment."""
        if not isinstance(data, Experiment):
            raise TypeError(
                f"`experiment` must be an Experiment; got {shown(data)}. "
                "Make one with Experiment.from_frame(frame, direction=...)."
            )
        return data


class ExperimentBuilder(AnalysisBuilder):
    """A builder with ``experiment``, ``algorithms`` and ``datasets``."""

    def __init__(
        self, experiment: Experiment | Frame, *, direction: str | None = None, **settings: Any
    ) -> None:
        self._take(experiment, direction, settings)

    @property
    def experiment(self) -> Experiment:
        """The scores; setting others begins anew with all of their algorithms and data sets."""
        experiment: Experiment = self.data
        return experiment

    @experiment.setter
    def experiment(self, experiment: Experiment) -> None:
        self.data = experiment


class HistoriesModel(AnalysisModel):
    """An analysis of histories of runs."""

    data_name = "histories"

    def checked(self, data: Any) -> Histories:
        """Return the histories."""
        if not isinstance(data, Histories):
            raise TypeError(
                f"`histories` must be a Histories; got {shown(data)}. Make one with "
                "Histories.from_frame(frame, ...) or Histories.read(path, ...)."
            )
        data.check_best_so_far("a comparison of convergence")
        return data


class HistoriesBuilder(AnalysisBuilder):
    """A builder with ``histories``, ``algorithms`` and ``problems``."""

    def __init__(self, histories: Histories, **settings: Any) -> None:
        super().__init__(histories, **settings)

    @property
    def histories(self) -> Histories:
        """The histories; setting others begins anew with all of their algorithms and problems."""
        histories: Histories = self.data
        return histories

    @histories.setter
    def histories(self, histories: Histories) -> None:
        self.data = histories
