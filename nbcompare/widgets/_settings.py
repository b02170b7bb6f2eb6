"""Traits of a builder, one per control, under the name and with the checks of the API."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from traitlets import HasTraits, TraitError, TraitType

from nbcompare._options import OPTIONS, Option
from nbcompare._validation import check_name, check_probability, listed, positions
from nbcompare.words import PAIRWISE_TESTS, PROCEDURES

if TYPE_CHECKING:
    from nbcompare.widgets._builder import Builder

# How a word is spelled on a control, where that tells more than the word itself.
_SPELLED: Mapping[str, Mapping[Any, str]] = {
    "ranking": {"auto": "auto (as recommended)"},
    "control": {None: "none: all pairs", "best": "the best ranked"},
    "pairs": {name: test.label for name, test in PAIRWISE_TESTS.items()},
    "adjust": {
        None: "none: raw p-values",
        "auto": "auto (as recommended)",
        **{name: procedure.label for name, procedure in PROCEDURES.items()},
    },
    "formulas": {"corrected": "corrected for ties", "printed": "as printed"},
    "missing": {
        "raise": "raise an error",
        "drop": "leave out the data set",
        "skillings-mack": "rank what is there",
    },
    "stochastic.missing": {
        "raise": "raise an error",
        "drop": "leave out the block",
        "interval": "an interval of all it could be",
    },
    "convergence.missing": {"raise": "raise an error", "drop": "leave out the problem"},
}


class SettingError(TraitError, ValueError):
    """A value that a setting does not take; the setting keeps the one it had."""


class Setting(TraitType[Any, Any], ABC):
    """A trait that is checked as the API checks the argument of its name.

    Parameters
    ----------
    option : str, optional
        Its entry in the table of options, which gives default, words and help.
    label : str, optional
        What the control is called; the name by default.
    help : str, optional
        Shown when the pointer rests on the control; that of the option by default.
    """

    # whether the analysis takes it as an argument
    is_argument = True
    # whether its values are names of the data: other data begin without
    is_of_data = False

    def __init__(self, option: str = "", *, label: str = "", help: str = "") -> None:
        entry = OPTIONS.get(option)
        super().__init__(default_value=entry.default if entry else None)
        self.option = option
        self.label = label or option.rpartition(".")[2].replace("_", " ").capitalize()
        self.help = help or (entry.help if entry else "")

    @property
    def entry(self) -> Option:
        """What the table of options says."""
        return OPTIONS[self.option]

    def validate(self, obj: Builder, value: Any) -> Any:
        """The value as the API would take it."""
        try:
            return self.clean(obj, value)
        except (ValueError, TypeError) as error:
            raise SettingError(str(error)) from None

    def _cross_validate(self, obj: HasTraits, value: Any) -> Any:
        """Whether it goes with the other settings; traitlets asks when all of them are set."""
        value = super()._cross_validate(obj, value)
        reason = obj._reason(str(self.name), value)  # type: ignore[attr-defined]
        if reason:
            raise SettingError(f"`{self.name}` must not be {value!r} here: {reason}.")
        return value

    # ----------------------------------------------------- for kinds of settings to say

    @abstractmethod
    def clean(self, obj: Builder, value: Any) -> Any:
        """The value, or a ValueError or TypeError that names the setting."""

    def words(self, obj: Builder) -> tuple[Any, ...]:
        """What can be chosen, whether or not it is available just now; () for anything."""
        return ()

    def spelled(self, word: Any) -> str:
        """A word as the control shows it."""
        if isinstance(word, tuple):
            return ", ".join(map(self.spelled, word))
        plain = "as by default" if word is None else str(word)
        spelled = _SPELLED.get(self.option) or _SPELLED.get(self.option.rpartition(".")[2], {})
        return spelled.get(word, plain)


class Word(Setting):
    """One of the words of an option; ``optional`` ones may be None."""

    def __init__(self, option: str, *, optional: bool = False, **texts: str) -> None:
        super().__init__(option, **texts)
        self.optional = optional

    def clean(self, obj: Builder, value: Any) -> Any:
        """A word that the option lists."""
        if value is None and self.optional:
            return None
        return self.entry.check(value, str(self.name))

    def words(self, obj: Builder) -> tuple[Any, ...]:
        """Those of the option."""
        return (*((None,) if self.optional else ()), *(self.entry.choices or ()))


class Words(Word):
    """One word, or a tuple of several, as ``adjust`` takes them."""

    def clean(self, obj: Builder, value: Any) -> Any:
        """Words that the option lists, none twice; a single one stands for itself."""
        if value is None or isinstance(value, str):
            return super().clean(obj, value)
        if not isinstance(value, Iterable):
            return self.entry.check(value, str(self.name))
        several = tuple(self.entry.check(word, str(self.name)) for word in value)
        if len(set(several)) < len(several):
            raise ValueError(f"`{self.name}` must not name one twice; got {listed(several)}.")
        if len(several) > 1 and "auto" in several:
            raise ValueError(f"`{self.name}` must be 'auto' alone; got {listed(several)}.")
        return several[0] if len(several) == 1 else (several or None)


class Number(Setting):
    """A number that a check of the API accepts; ``optional`` ones may be None."""

    def __init__(
        self,
        option: str,
        *,
        check: Callable[[object, str], float] = check_probability,
        step: float = 0.01,
        optional: bool = False,
        **texts: str,
    ) -> None:
        super().__init__(option, **texts)
        self.check, self.step, self.optional = check, step, optional

    def clean(self, obj: Builder, value: Any) -> Any:
        """What the check makes of it."""
        return None if value is None and self.optional else self.check(value, str(self.name))


class Member(Setting):
    """One algorithm, or another word such as ``best``, or None."""

    def __init__(self, option: str, *, extra: tuple[str, ...] = (), **texts: str) -> None:
        super().__init__(option, **texts)
        self.extra = extra

    def clean(self, obj: Builder, value: Any) -> Any:
        """The name of an algorithm of the data."""
        if value is None or value in self.extra:
            return value
        return check_name(value, str(self.name), obj.data.algorithms)

    def words(self, obj: Builder) -> tuple[Any, ...]:
        """None, the other words, and the algorithms that are selected."""
        names = obj.selected("algorithms")
        return (None, *(word for word in self.extra if word not in names), *names)

    def spelled(self, word: Any) -> str:
        """Algorithms as they are called, though one be called as another word."""
        return super().spelled(word) if word is None or word in self.extra else str(word)


class Subset(Setting):
    """Which of the algorithms, data sets or problems enter; all by default."""

    is_argument, is_of_data = False, True

    def __init__(self, noun: str, symbol: str = "") -> None:
        super().__init__(help=f"{noun} that enter the analysis", label=noun)
        self.symbol = symbol

    def clean(self, obj: Builder, value: Any) -> Any:
        """Names in the order of the data; None stands for all."""
        names = getattr(obj.data, str(self.name))
        return tuple(names[place] for place in sorted(positions(value, names, str(self.name))))

    def words(self, obj: Builder) -> tuple[Any, ...]:
        """All names of the data."""
        names: tuple[str, ...] = getattr(obj.data, str(self.name))
        return names

    def spelled(self, word: Any) -> str:
        """A name as it stands."""
        return str(word)


class Selected(Setting):
    """A pair of algorithms to look at more closely, or None for the first hypothesis."""

    is_argument, is_of_data = False, True

    def clean(self, obj: Builder, value: Any) -> Any:
        """Two distinct algorithms of the data."""
        if value is None:
            return None
        several = isinstance(value, Iterable) and not isinstance(value, str)
        names = tuple(value) if several else ()
        if len(names) != 2 or names[0] == names[1]:
            raise ValueError(f"`{self.name}` must be two different algorithms; got {value!r}.")
        return tuple(check_name(name, str(self.name), obj.data.algorithms) for name in names)


class Place(Setting):
    """A data set or problem to look at more closely, or None for the first that suits."""

    is_argument, is_of_data = False, True

    def __init__(self, axis: str, **texts: str) -> None:
        super().__init__(**texts)
        self.axis = axis

    def clean(self, obj: Builder, value: Any) -> Any:
        """A name on the axis of the data."""
        if value is None:
            return None
        return check_name(value, str(self.name), getattr(obj.data, self.axis))

    def words(self, obj: Builder) -> tuple[Any, ...]:
        """None, and the names that are selected."""
        return (None, *obj.selected(self.axis))

    def spelled(self, word: Any) -> str:
        """A name as it stands."""
        return "the first" if word is None else str(word)


class Viewed(Setting):
    """Which figure is shown."""

    is_argument = False

    def clean(self, obj: Builder, value: Any) -> Any:
        """The name of a view."""
        return check_name(value, str(self.name), tuple(obj._views))

    def words(self, obj: Builder) -> tuple[Any, ...]:
        """The views of the builder."""
        return tuple(obj._views)

    def spelled(self, word: Any) -> str:
        """What the builder calls the view."""
        return self._labels.get(word, str(word))

    def class_init(self, cls: type[HasTraits], name: str | None) -> None:
        """Learn what the views are called."""
        super().class_init(cls, name)
        self._labels: dict[Any, str] = {key: view.label for key, view in cls._views.items()}  # type: ignore[attr-defined]
        self.default_value = next(iter(self._labels))
