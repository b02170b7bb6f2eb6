"""Dataframes in the place of an experiment, for every analysis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from inspect import Signature, signature
from typing import Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from nbcompare.experiment import FRAME, Experiment, experiment_of, is_frame, refuse_reading
from nbcompare.results import Result

_Arguments = ParamSpec("_Arguments")
_Made = TypeVar("_Made", bound=Result)
_Function = TypeVar("_Function", bound=Callable[..., Any])

# Experiments that were made of dataframes: nobody else has them, but a report needs them
_READ: WeakKeyDictionary[Result, Experiment] = WeakKeyDictionary()


def of_frames(function: Callable[_Arguments, _Made]) -> Callable[_Arguments, _Made]:
    """Let an analysis take a dataframe with ``direction`` for its experiment.

    The experiment is the argument of that name, or the first one, which may be something else
    where a second one follows it. The result then begins with notes on how the dataframe was read,
    and :func:`read_for` gives the experiment.
    """
    parameters = list(signature(function).parameters)
    is_either = "experiment" in parameters[1:]

    @wraps(function)
    def taking(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Made:
        by_name = "experiment" in options
        alone = len(arguments) == 1 and options.get("b") is None
        first = bool(arguments) and (parameters[0] == "experiment" or (is_either and alone))
        given = options.get("experiment") if by_name else arguments[0] if first else None
        if given is None or isinstance(given, Experiment) or not is_frame(given):
            return function(*arguments, **options)
        plain: dict[str, Any] = dict(options)
        unknown = [name for name in plain if name not in parameters]
        refuse_reading(unknown, plain.get("direction"), function.__name__)
        made = experiment_of(given, plain.pop("direction", None))
        if by_name:
            plain["experiment"] = made
        rest: tuple[Any, ...] = arguments if by_name else (made, *arguments[1:])
        result = function(*rest, **plain)
        told: Any = result
        read = tuple(note for note in made.notes if note.code == FRAME)
        result = replace(told, notes=(*read, *result.notes))
        keep_read(result, made)
        return result

    return taking


def takes_options_of(other: Callable[..., Any]) -> Callable[[_Function], _Function]:
    """Show the options of another analysis, which a function passes on, in its signature."""

    def showing(function: _Function) -> _Function:
        own = dict(signature(function).parameters)
        last = list(own)[-1]
        theirs = {name: one for name, one in signature(other).parameters.items() if name not in own}
        del own[last]
        shown: Any = function
        shown.__signature__ = Signature([*own.values(), *theirs.values()])
        return function

    return showing


def keep_read(result: Result, experiment: Experiment) -> None:
    """Remember the experiment that was made of a dataframe for a result."""
    _READ[result] = experiment


def read_for(result: Result) -> Experiment | None:
    """Return the experiment that was made of a dataframe for a result; None for other results."""
    return _READ.get(result)
