"""Rules on which options go together, read by the analyses, which raise, and by the builders."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any, NamedTuple


class State(dict[str, Any]):
    """Options, and facts of the data, by name and as attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def always(_: State) -> bool:
    """Hold whatever the state is."""
    return True


class Rule(NamedTuple):
    """Words that an option does not take while something holds of the others.

    All texts are filled with the state, and with the ``word`` that is refused.

    Attributes
    ----------
    option : str
        The argument.
    words : container or callable
        The words that are refused; or a function of the state and a word that says whether
        it is.
    when : callable
        A function of the state that says whether the rule applies.
    reason : str
        Why the word is refused, as a clause in plain words: builders show it beside the word.
    instead : str
        What to do, as sentences in the words of the API, which follow the reason in an error.
    message : str
        The whole error, where the data are at fault rather than the option.
    error : type
        Of the error.
    """

    option: str
    words: Container[Any] | Callable[[State, Any], bool]
    when: Callable[[State], bool]
    reason: str
    instead: str = ""
    message: str = ""
    error: type[ValueError] = ValueError

    def refused(self, state: State, value: Any) -> Iterator[Any]:
        """Yield the words of a value that the rule refuses; a tuple holds several words."""
        if not self.when(state):
            return
        for word in value if isinstance(value, tuple) else (value,):
            if self.words(state, word) if callable(self.words) else word in self.words:
                yield word

    def told(self, state: State, word: Any) -> str:
        """Return the reason as text."""
        return self.reason.format(**{**state, "word": word})

    def raised(self, state: State, word: Any) -> ValueError:
        """Return the error that names the argument, what arrived, why not, and the way on."""
        text = self.message or f"`{self.option}` must not be {{word!r}} here: {self.reason}."
        if self.instead:
            text = f"{text} {self.instead}"
        return self.error(text.format(**{**state, "word": word}))


def check_rules(rules: Sequence[Rule], state: State, *options: str) -> None:
    """Raise the error of the first rule that refuses an option; of those named, if any are."""
    for rule in rules:
        if options and rule.option not in options:
            continue
        for word in rule.refused(state, state[rule.option]):
            raise rule.raised(state, word)


def refusals(
    rules: Sequence[Rule], option: str, value: Any, state: State
) -> Iterator[tuple[Rule, Any]]:
    """Yield the rules by which an option does not take a value in this state, and the word."""
    for rule in rules:
        if rule.option == option:
            for word in rule.refused(state, value):
                yield rule, word
