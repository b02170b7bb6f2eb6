"""A rule that refuses words of an option, and how it raises an error or explains itself."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any, NamedTuple


class State(dict[str, Any]):
    """A dict of options and of facts about the data, which are also attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def always(_: State) -> bool:
    """Return True, as the condition of rules that hold in every state."""
    return True


class Rule(NamedTuple):
    """A rule that refuses words of an option under a condition.

    The texts are formatted with the state, and with the refused word as ``word``.

    Attributes
    ----------
    option : str
        Name of the argument.
    words : container or callable
        The words that are refused, or a function of the state and a word that returns whether
        the word is refused.
    when : callable
        Function of the state that returns whether the rule applies.
    reason : str
        Reason for the refusal, as a clause that builders show beside the word.
    instead : str
        Advice in the words of the API, as sentences that follow the reason in an error.
    message : str
        The whole text of the error, for problems with the data rather than with the option.
    error : type
        Class of the error.
    """

    option: str
    words: Container[Any] | Callable[[State, Any], bool]
    when: Callable[[State], bool]
    reason: str
    instead: str = ""
    message: str = ""
    error: type[ValueError] = ValueError

    def refused(self, state: State, value: Any) -> Iterator[Any]:
        """Yield the words of a value, which may be a tuple of words, that the rule refuses."""
        if not self.when(state):
            return
        for word in value if isinstance(value, tuple) else (value,):
            if self.words(state, word) if callable(self.words) else word in self.words:
                yield word

    def told(self, state: State, word: Any) -> str:
        """Return the reason as text."""
        return self.reason.format(**{**state, "word": word})

    def raised(self, state: State, word: Any) -> ValueError:
        """Return an error with the argument, its value, the reason and the advice."""
        text = self.message or f"`{self.option}` must not be {{word!r}} here: {self.reason}."
        if self.instead:
            text = f"{text} {self.instead}"
        return self.error(text.format(**{**state, "word": word}))


def check_rules(rules: Sequence[Rule], state: State, *options: str) -> None:
    """Raise the error of the first rule that refuses an option.

    If options are named, only their rules are checked.
    """
    for rule in rules:
        if options and rule.option not in options:
            continue
        for word in rule.refused(state, state[rule.option]):
            raise rule.raised(state, word)


def refusals(
    rules: Sequence[Rule], option: str, value: Any, state: State
) -> Iterator[tuple[Rule, Any]]:
    """Yield each rule that refuses a value of an option in this state, with the refused word."""
    for rule in rules:
        if rule.option == option:
            for word in rule.refused(state, value):
                yield rule, word
