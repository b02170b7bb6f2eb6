"""Traits of builders, one per control, and the choices that go together with the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from traitlets import TraitError, TraitType

from nbcompare._commands import BY_FUNCTION
from nbcompare._options import OPTIONS, Choice, Option
from nbcompare._validation import check_name, listed, positions, shown
from nbcompare.analysis.rules import Rule, State, always, refusals

# The least and the largest value that sliders offer; others can be typed
_SLIDERS = {
    "alpha": (0.01, 0.2),
    "coverage": (0.5, 0.99),
    "power": (0.5, 0.99),
    "confidence": (0.8, 0.99),
    "threshold": (0.5, 0.99),
}
_OF_SCORES = ("margin", "rope")  # differences in units of the measure


class SettingError(TraitError, ValueError):
    """Raised for a value that a setting does not take; the setting keeps the one it had."""


class Setting(TraitType[Any, Any]):
    """A trait that is checked as the API checks the argument of its name.

    Without a subclass it is one of the words of an option, or on and off.

    Parameters
    ----------
    option : str or Option, optional
        Its entry in the table of options, which gives default, words, help and label.
    label : str, optional
        What the control is called; the option's by default.
    help : str, optional
        Shown when the pointer rests on the control; the option's by default.
    """

    # whether the analysis takes it as an argument
    is_argument = True
    # whether its values are names of the data: other data begin without
    is_of_data = False
    # what its control is: a list, a line of text, an area of several, ticks, or what is found
    form = "list"

    def __init__(self, option: str | Option = "", *, label: str = "", help: str = "") -> None:
        plain = ""
        self.entry = Option(None, None, help)
        if isinstance(option, Option):
            self.entry = option
        elif option:
            self.entry = OPTIONS[option]
            plain = option.rpartition(".")[2].replace("_", " ").capitalize()
        super().__init__(default_value=self.entry.default)
        self.label = label or self.entry.label or plain
        self.help = help or self.entry.help

    @property
    def effects(self) -> Mapping[Any, str]:
        """What each word does, as the end of a sentence that begins with it."""
        return self.entry.effects

    def validate(self, obj: Any, value: Any) -> Any:
        """Return the value as the API would take it."""
        try:
            return self.clean(obj, value)
        except (ValueError, TypeError) as error:
            raise SettingError(str(error)) from None

    def clean(self, obj: Any, value: Any) -> Any:
        """Return the value, or raise a ValueError or TypeError that names the setting."""
        return self.entry.checked(value, str(self.name))

    def words(self, obj: Any) -> tuple[Any, ...]:
        """Return what can be chosen, whether or not it is available now; () for anything."""
        if self.entry.switch:
            return (False, True)
        return (*((None,) if self.entry.optional else ()), *(self.entry.choices or ()))

    def spelled(self, word: Any) -> str:
        """Return a word as the control shows it."""
        if isinstance(word, tuple):
            return ", ".join(map(self.spelled, word))
        if self.entry.switch:
            return "on" if word else "off"
        return self.entry.spelled.get(word, "default" if word is None else str(word))

    def left_open(self, word: Any, stands_for: str) -> str:
        """Return a word that leaves it open, with what stands for it now."""
        return f"{'default' if word is None else word}: {stands_for}"

    def written(self, value: Any) -> Any:
        """Return the value as a person writes it."""
        several = isinstance(value, tuple | list)
        return "" if value is None else ", ".join(map(str, value)) if several else str(value)

    def read(self, text: Any) -> Any:
        """Return what a person wrote, as a value to be checked."""
        return text.strip() or None

    @property
    def noun(self) -> str:
        """The label within a sentence; that of what is on or off is a name."""
        return self.label if self.entry.switch else f"{self.label[0].lower()}{self.label[1:]}"


class WordList(Setting):
    """One word, or a tuple of several, as ``adjust`` takes them."""

    def clean(self, obj: Any, value: Any) -> Any:
        """Return words that the option lists, none twice; a single one stands for itself."""
        if value is None:
            return super().clean(obj, value)
        if isinstance(value, str) or not isinstance(value, Iterable):
            return self.entry.check(value, str(self.name))
        several = tuple(self.entry.check(word, str(self.name)) for word in value)
        if len(set(several)) < len(several):
            raise ValueError(f"`{self.name}` must not name one twice; got {listed(several)}.")
        if len(several) > 1 and "auto" in several:
            raise ValueError(f"`{self.name}` must be 'auto' alone; got {listed(several)}.")
        return several[0] if len(several) == 1 else (several or None)


class ShownFigure(Setting):
    """The figure that is shown."""

    is_argument = False


class Number(Setting):
    """A number that the check of its option accepts."""

    form = "text"

    @property
    def step(self) -> float:
        """The amount by which a click changes the number."""
        if self.entry.type is not int:
            return 0.01
        return float(10 ** max(0, len(str(self.entry.default or 0)) - 2))

    def ends(self, obj: Any) -> list[float]:
        """Return the ends of a slider: of usual shares, or of differences of these scores."""
        scores = getattr(obj.data, "mean_scores", None)
        if self.name not in _OF_SCORES or scores is None:
            return list(_SLIDERS.get(str(self.name), ()))
        known = scores[np.isfinite(scores)]
        largest = float(f"{np.ptp(known) / 5:.1g}") if known.size else 0.0
        return [0.0, largest] if largest else []

    def written(self, value: Any) -> Any:
        """Return the number, as a text as short as can be where there may be none."""
        if not self.entry.optional:
            return value
        short = "" if value is None else f"{value:g}"
        return short if value is None or float(short) == value else str(value)

    def read(self, text: Any) -> Any:
        """Return the number in a text; the check says what is wrong with another text."""
        if not isinstance(text, str) or not text.strip():
            return None if isinstance(text, str) else text
        # a large whole number keeps all of its digits; an option may read more, such as 1/9
        for kind in (int, float, self.entry.type):
            with suppress(ValueError):
                return kind(text)
        return text


class Written(Setting):
    """An option that is written as on a command line, such as several numbers with commas."""

    form = "text"

    def clean(self, obj: Any, value: Any) -> Any:
        """Return a value as it is, and text as the command line reads it."""
        if isinstance(value, str) and self.entry.type is not str:
            try:
                return self.entry.type(value) if value.strip() else None
            except (ValueError, TypeError):
                like = self.entry.metavar or "NUMBER"
                raise ValueError(
                    f"`{self.name}` must be written as {like}; got {shown(value)}."
                ) from None
        return tuple(value) if isinstance(value, list) else value

    def spelled(self, word: Any) -> str:
        """Return the value as a message shows it."""
        return self.written(word) or "default"


class Member(Setting):
    """One of the names on an axis of the data, or another word that the option spells."""

    def clean(self, obj: Any, value: Any) -> Any:
        """Return a name of the data, or the other word."""
        if value is None or (isinstance(value, str) and value in self.entry.spelled):
            return value
        return check_name(value, str(self.name), names_of(obj, self.entry.axis))

    def words(self, obj: Any) -> tuple[Any, ...]:
        """Return None, the other words, and the names that are selected."""
        names = obj.selected(self.entry.axis)
        return (*(word for word in self.entry.spelled if word not in names), *names)


class SelectedName(Member):
    """A data set or problem to look at more closely, or None for the first that suits."""

    is_argument, is_of_data = False, True

    def __init__(self, axis: str, *, label: str, help: str) -> None:
        first = {None: Choice("the first")}
        super().__init__(Option(None, first, help, label=label, axis=axis))


class SelectedPair(Setting):
    """A pair of algorithms to look at more closely, or None for the first of the result."""

    is_argument, is_of_data, form = False, True, "found"

    def clean(self, obj: Any, value: Any) -> Any:
        """Return two distinct algorithms of the data."""
        if value is None:
            return None
        several = isinstance(value, Iterable) and not isinstance(value, str)
        names = tuple(value) if several else ()
        if len(names) != 2 or names[0] == names[1]:
            raise ValueError(f"`{self.name}` must be two different algorithms; got {value!r}.")
        known = names_of(obj, "algorithms")
        return tuple(check_name(name, str(self.name), known) for name in names)


class Ticked(Setting):
    """Several names, each of which can be ticked."""

    is_argument, form = False, "ticks"
    symbol = ""  # stands for their number
    least = 0  # how many are needed

    def groups(self, obj: Any) -> Mapping[str, Sequence[int]]:
        """Return groups of names, and the places of their members."""
        return {}


class Subset(Ticked):
    """The algorithms, data sets or problems that enter the analysis; all by default."""

    is_of_data = True

    def __init__(self, noun: str, symbol: str = "", *, least: int = 2) -> None:
        super().__init__(help=f"{noun} that enter the analysis", label=noun)
        self.symbol, self.least = symbol, least

    def groups(self, obj: Any) -> Mapping[str, Sequence[int]]:
        """Return the groups of the data sets, and the places of their members."""
        domains = getattr(obj.data, "domains", None) if self.name == "datasets" else None
        groups: dict[str, list[int]] = {}
        for place, domain in enumerate(domains or ()):
            groups.setdefault(domain, []).append(place)
        return groups

    def clean(self, obj: Any, value: Any) -> Any:
        """Return names in the order of the data; None stands for all."""
        names = names_of(obj, str(self.name))
        return tuple(names[place] for place in sorted(positions(value, names, str(self.name))))

    def words(self, obj: Any) -> tuple[Any, ...]:
        """Return all names of the data."""
        return names_of(obj, str(self.name))


def setting_of(option: str) -> Setting:
    """Return the kind of setting that an option calls for."""
    entry = OPTIONS[option]
    if entry.axis:
        return Member(option)
    if entry.within is not None:
        return Number(option)
    if entry.several:
        return WordList(option)
    return Setting(option) if entry.choices or entry.switch else Written(option)


def options_of(function: str) -> dict[str, str]:
    """Return the options of a command, and their entries in the table, by argument."""
    return {name.rpartition(".")[2]: name for name in BY_FUNCTION[function].options}


def settings_of(options: Mapping[str, str]) -> dict[str, Setting]:
    """Return new traits for options, in their order."""
    return {name: setting_of(option) for name, option in options.items()}


def names_of(obj: Any, axis: str) -> tuple[str, ...]:
    """Return all names on an axis of the data; none without data."""
    names: tuple[str, ...] = () if obj.data is None else getattr(obj.data, axis)
    return names


_LONG = 80  # letters of a value in a message
_NOUNS = {"algorithms": "algorithm", "datasets": "data set", "problems": "problem"}


class Idle(NamedTuple):
    """A setting that makes no difference while something holds of the others.

    It can be set all the same, as the API takes it; its control is put away.
    """

    setting: str
    when: Callable[[State], bool]


class ChosenSettings:
    """The settings of one builder as they are now.

    Parameters
    ----------
    builder : HasTraits
        Its traits are the settings.
    settings : mapping
        The traits by name, in the order of their controls.
    rules : sequence of Rule
        In the order in which settings are settled: a rule may look only at settings that rules
        before it have settled. Those on names that are not selected any more come first.
    idle : sequence of Idle
        Settings whose controls are put away at times.
    facts : callable
        Returns what the rules need to know of the selected data.
    """

    def __init__(
        self,
        builder: Any,
        settings: Mapping[str, Setting],
        rules: Sequence[Rule],
        idle: Sequence[Idle],
        facts: Callable[[], Mapping[str, Any]],
    ) -> None:
        self.builder, self.settings = builder, settings
        members = [setting for setting in settings.values() if isinstance(setting, Member)]
        of_selected = map(self._of_selected, members)
        self.rules = (*of_selected, *(rule for rule in rules if rule.option in settings))
        self.idle = idle
        self._facts = facts
        self.notices: list[str] = []  # what gave way to the last change
        # what the words that leave a setting open stand for, as far as that is known
        self.settled: Mapping[str, str] = {}

    def _of_selected(self, setting: Member) -> Rule:
        """Return the rule that a name of the data must be among those that are selected."""

        def refuses(_: State, word: Any) -> bool:
            return word not in setting.words(self.builder)

        noun = _NOUNS[setting.entry.axis]
        return Rule(str(setting.name), refuses, always, f"the {noun} is not selected")

    def value(self, name: str) -> Any:
        """Return what a setting is set to."""
        return getattr(self.builder, name)

    def words(self, name: str) -> tuple[Any, ...]:
        """Return what a setting can be set to, whether or not it is available now."""
        return self.settings[name].words(self.builder)

    def arguments(self) -> dict[str, Any]:
        """Return what the analysis is called with beside the data."""
        return {
            name: self.value(name) for name, setting in self.settings.items() if setting.is_argument
        }

    def given(self) -> dict[str, Any]:
        """Return the arguments that differ from the defaults of the API."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self.arguments().items()
            if value != self.settings[name].entry.default
        }

    def subsets(self) -> dict[str, tuple[str, ...]]:
        """Return the selected names by axis."""
        return {
            name: self.value(name)
            for name, setting in self.settings.items()
            if isinstance(setting, Subset)
        }

    def of_data(self) -> list[str]:
        """Return the settings whose values are names of the data."""
        return [name for name, setting in self.settings.items() if setting.is_of_data]

    def state(self) -> State:
        """Return the settings, and facts of the selected data."""
        return State({**self._facts(), **{name: self.value(name) for name in self.settings}})

    def reason(self, name: str, value: Any, state: State | None = None) -> str | None:
        """Return why a value is not available now, None if it is."""
        for rule, word, known in self._refusals(name, value, state):
            return rule.told(known, word)
        return None

    def refusal(self, name: str, value: Any) -> str | None:
        """Return the error that the API would raise for a value now, None without any."""
        for rule, word, known in self._refusals(name, value, None):
            return str(rule.raised(known, word))
        return None

    def _refusals(
        self, name: str, value: Any, state: State | None
    ) -> Iterator[tuple[Rule, Any, State]]:
        if any(rule.option == name for rule in self.rules):
            known = state or self.state()
            for rule, word in refusals(self.rules, name, value, known):
                yield rule, word, known

    def is_idle(self, name: str, state: State) -> bool:
        """Return whether a setting makes no difference as things stand."""
        return any(idle.setting == name and idle.when(state) for idle in self.idle)

    def settled_order(self) -> list[str]:
        """Return settings without rules, then the others so that each depends on those before."""
        ruled = self._ruled()
        return [*(name for name in self.settings if name not in ruled), *ruled]

    def _ruled(self) -> list[str]:
        return list(dict.fromkeys(rule.option for rule in self.rules))

    def repair(self) -> None:
        """Put another word where one does not go with the others any more, with a notice."""
        for name in self._ruled():
            value = self.value(name)
            reason = self.reason(name, value)
            if reason is not None:
                setattr(self.builder, name, next(self._substitutes(name, value)))
                self.notices.append(f"{self._now(name, value)}: {reason}.")

    def told(self, before: Mapping[str, Any]) -> list[str]:
        """Return a sentence on each setting that was something else before."""
        return [
            f"{self._now(name, value)}."
            for name, value in before.items()
            if value != self.value(name)
        ]

    def _substitutes(self, name: str, value: Any) -> Iterator[Any]:
        """Yield what may take the place of a word: the default, else any that is available.

        Of several words, those that are still available stay.
        """
        if isinstance(value, tuple):
            kept = tuple(word for word in value if self.reason(name, word) is None)
            if kept:
                yield kept[0] if len(kept) == 1 else kept
        for word in (self.settings[name].default_value, *self.words(name)):
            if self.reason(name, word) is None:
                yield word

    def _now(self, name: str, value: Any) -> str:
        """Say what a setting is, and what it was."""
        setting, new = self.settings[name], self.value(name)
        if isinstance(setting, Subset):
            return f"{setting.label}: {len(new)} are now selected, not {len(value)}"
        now, before = (_short(setting.spelled(each)) for each in (new, value))
        return f"{setting.label} is now “{now}”, not “{before}”"


def _short(text: str) -> str:
    """Return a text without what goes beyond a line."""
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"
