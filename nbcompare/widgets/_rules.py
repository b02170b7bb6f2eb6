"""What goes with what: rules that say why a word is not available, and views that may not be."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Any, NamedTuple

from nbcompare.plots import Plot


class Rule(NamedTuple):
    """Words that a setting does not take while something holds of the others.

    Attributes
    ----------
    setting : str
        The trait.
    words : container or callable
        The words concerned; or a function of the state and a word that says whether it is.
    when : callable
        Of the state: the settings and the facts of the data, by name.
    reason : str
        Why, as the end of a sentence; filled with the state.
    """

    setting: str
    words: Container[Any] | Callable[[State, Any], bool]
    when: Callable[[State], bool]
    reason: str

    def concerns(self, state: State, word: Any) -> bool:
        """Whether it speaks of the word, or of one of several."""
        each = word if isinstance(word, tuple) else (word,)
        if callable(self.words):
            return any(self.words(state, one) for one in each)
        return any(one in self.words for one in each)


class Idle(NamedTuple):
    """A setting that makes no difference while something holds of the others.

    It can be set all the same, as the API takes it; its control is put away.
    """

    setting: str
    when: Callable[[State], bool]


class State(dict[str, Any]):
    """Settings and facts by name, as attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class View(NamedTuple):
    """A figure: what it is called, the function that draws it, and what may keep it from that.

    Attributes
    ----------
    label : str
        On the control.
    draw : callable
        A function of :mod:`nbcompare.plots`, which the generated code calls by its name.
    takes : callable
        Of the builder: the arguments beside the result or data, as keywords.
    of : {"result", "data"}
        What is drawn.
    unavailable : callable
        Of the builder: why it cannot be drawn, empty if it can.
    """

    label: str
    draw: Callable[..., Plot]
    takes: Callable[[Any], dict[str, Any]] = lambda _: {}
    of: str = "result"
    unavailable: Callable[[Any], str] = lambda _: ""


def reasons(rules: tuple[Rule, ...], setting: str, word: Any, state: State) -> Iterator[str]:
    """Why the word cannot be had in this state; nothing if it can."""
    for rule in rules:
        if rule.setting == setting and rule.concerns(state, word) and rule.when(state):
            yield rule.reason.format(**state)
