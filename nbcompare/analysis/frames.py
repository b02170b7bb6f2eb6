"""What every analysis has: data that may be a dataframe, options that are checked, a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from functools import cache, wraps
from inspect import Signature, signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from nbcompare._commands import own_of, record_of
from nbcompare._options import OPTIONS, Option
from nbcompare._render import Note
from nbcompare.analysis._data import check_experiment, check_missing, design_of, design_of_histories
from nbcompare.analysis._family import check_adjust
from nbcompare.analysis.rules import State
from nbcompare.experiment import FRAME, Experiment, experiment_of, is_frame, refuse_reading
from nbcompare.results import Result
from nbcompare.stats.permutation import generator
from nbcompare.words import TREATMENTS_OF

if TYPE_CHECKING:
    from nbcompare.histories import Histories

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


# Arguments that are data, and no options
_DATA = frozenset({"experiment", "histories", "direction", "names"})
_LATER = frozenset({"ratio"})  # is checked with the folds that it is about


def called(
    function: str, arguments: Mapping[str, Any], *, by_order: bool = False
) -> tuple[Experiment, State]:
    """Return the experiment and the options among the arguments of a function, checked.

    ``by_order`` says that the function uses the order of scores alone.
    """
    asked = check_options(function, arguments)
    given, direction = arguments["experiment"], arguments["direction"]
    return check_experiment(given, direction, by_order=by_order), asked


def check_options(function: str, arguments: Mapping[str, Any]) -> State:
    """Return the options among the arguments of a function, checked.

    The rules on options that go together are checked by :func:`check_rules`.
    """
    asked = State({name: value for name, value in arguments.items() if name not in _DATA})
    for name, value in asked.items():
        option = _option(function, name)
        if name == "adjust":
            asked[name] = check_adjust(value)
        elif name == "rng":
            generator(value)  # refuses an invalid seed, also where nothing is drawn
        elif name == "missing" and function in TREATMENTS_OF:
            check_missing(value, asked.get("fill"), function)
        elif option is not None and name not in _LATER:
            asked[name] = option.checked(value, name)
    return asked


@cache  # of the tables, which do not change
def _option(function: str, name: str) -> Option | None:
    record = record_of(name, own_of(function))
    return None if record is None else OPTIONS[record]


def result_of(
    kind: type[_Made],
    data: Experiment | Histories,
    asked: State,
    *,
    notes: Iterable[Note],
    given: Any = None,
    **found: Any,
) -> _Made:
    """Return a result, with the options that it has by name as they were asked for or ``found``.

    ``given`` are the data before data sets with missing scores were left out.
    """
    kept = {one.name: asked[one.name] for one in fields(kind) if one.name in asked}
    design = (
        design_of(data, asked, given=given)
        if isinstance(data, Experiment)
        else design_of_histories(data, data if given is None else given, asked)
    )
    return kind(**{**kept, "notes": tuple(notes), "design": design, **found})
