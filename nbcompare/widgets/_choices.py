"""The choices on a builder: its settings, and which of their words go together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from nbcompare.analysis.rules import Rule, State, always, refusals
from nbcompare.widgets._settings import Member, Setting, Subset

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
        of_selected = map(self._of_selected, self._members())
        self.rules = (*of_selected, *(rule for rule in rules if rule.option in settings))
        self.idle = idle
        self._facts = facts
        self.notices: list[str] = []  # what gave way to the last change
        # what the words that leave a setting open stand for, as far as that is known
        self.settled: Mapping[str, str] = {}

    def _members(self) -> list[Member]:
        return [setting for setting in self.settings.values() if isinstance(setting, Member)]

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
