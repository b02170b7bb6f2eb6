"""What goes with what: rules that say why a word is not available, and views that may not be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from nbcompare.analysis._rules import State
from nbcompare.plots import Plot


class Idle(NamedTuple):
    """A setting that makes no difference while something holds of the others.

    It can be set all the same, as the API takes it; its control is put away.
    """

    setting: str
    when: Callable[[State], bool]


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
