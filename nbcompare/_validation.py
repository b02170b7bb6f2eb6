"""Checks of user input, with errors that name the argument, what it must be and what it was.

Every public function validates through these, so that the same mistake gets the same
sentence everywhere. Nothing here knows what the values are used for.
"""

from __future__ import annotations

import datetime
import difflib
import itertools
import json
import math
import numbers
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard, cast

if TYPE_CHECKING:  # a command line is understood, and its help printed, without NumPy
    import numpy.typing as npt

    from nbcompare._arrays import FloatArray

# Invisible characters, and those that reorder the text after them: controls, byte-order marks,
# overrides and isolates of the writing direction.
_UNSEEN = re.compile(
    "[\\x00-\\x08\\x0e-\\x1b\\x7f-\\x84\\x86-\\x9f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]"
)
_HALF_CHARACTERS = re.compile("[\\ud800-\\udfff]")  # no encoding can write them
# Of characters of ASCII: 0 between words and labels, 1 printed, 2 another
_KINDS = bytes(0 if c in b" \n" else 1 if 32 < c < 127 else 2 for c in range(256))
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
_LONGEST_SHOWN = 80
_LONG_MESSAGE, _LONG_WORD = 800, re.compile(r"\S{100,}")
_MOST_COMPARED = 1_000  # names among which a near miss is looked for


class DataError(ValueError):
    """Error in the data themselves: a cell, a label or a file, which the message names."""

    def __init__(self, message: str) -> None:
        super().__init__(_brief(message))


def _brief(message: str) -> str:
    """Return a long message with long words of the data cut."""
    if len(message) <= _LONG_MESSAGE:
        return message
    return _LONG_WORD.sub(lambda found: f"{found[0][:_LONGEST_SHOWN]}...{found[0][-2:]}", message)


class DirectionError(DataError):
    """Error where nothing says which scores are better, or two say different things."""


# What the json module says, and what that means to a reader of the file
_FAULTS_OF_JSON = {
    "Expecting ',' delimiter": "a comma is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting property name": "a name in quotation marks is missing",
    "Expecting value": "a value is missing",
    "Unterminated string": "a text has no closing quotation mark",
    "Invalid control character": "a text holds a control character",
    "Invalid \\": "a backslash stands before another letter than JSON allows",
    "Illegal trailing comma": "a comma stands before the end",
    "Extra data": "something follows its end",
}
_PLAIN_REASON = re.compile(r"[\w ,.:;'-]{3,200}")


def because(error: BaseException) -> str:
    """Return a colon and the reason why something could not be read; nothing if it is Python's own.

    Examples
    --------
    >>> because(DataError("The sheet is empty.")), because(KeyError("xl/workbook.xml"))
    (': The sheet is empty', '')
    """
    told = " ".join(str(error).split())
    if isinstance(error, json.JSONDecodeError):
        fault = next((it for key, it in _FAULTS_OF_JSON.items() if error.msg.startswith(key)), "")
        place = f"line {error.lineno}, character {error.colno}"
        return f": {fault} ({place})" if fault else f": it is no JSON at {place}"
    if isinstance(error, UnicodeDecodeError):
        return f": byte {error.start + 1} is not UTF-8 text"
    if isinstance(error, RecursionError):
        return ": its lists or objects are nested too deeply"
    if "integer string conversion" in told:
        return ": a number has too many digits"
    # no message of Python itself, and few of NumPy, begins so and ends with a full stop
    is_of_python = type(error).__module__ == "builtins"
    if isinstance(error, DataError) or (is_of_python and re.fullmatch(r"[`A-Z].*\.", told)):
        return f": {told.removesuffix('.')}"
    is_plain = _PLAIN_REASON.fullmatch(told) and "__" not in told and "0x" not in told
    return f": {told.removesuffix('.')}" if is_plain and not is_of_python else ""


def shown(value: object) -> str:
    """Return the ``repr`` of what arrived, on one line of an error message."""
    text = " ".join(repr(value).split())
    if len(text) <= _LONGEST_SHOWN:
        return text
    cut = text[: _LONGEST_SHOWN - 4].removesuffix("\\")
    # what is quoted ends, so that the advice behind it is told from it
    opened = re.search("['\"]", _QUOTED.sub("", cut))
    return f"{cut}...{opened[0] if opened else ''}"


def listed(names: Iterable[object], *, most: int = 8) -> str:
    """List names in an error message, never a screenful of them: ``'a', 'b' and 3 more``."""
    items = [repr(name) for name in names]
    if len(items) > most:
        return f"{', '.join(items[:most])} and {len(items) - most} more"
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def named(names: Sequence[str], *, most: int = 8) -> str:
    """Return names as a sentence lists them: ``A, B and 3 more``."""
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def distinct(wish: str, taken: Container[str], joint: str = "_") -> str:
    """Return a name, with a number behind it if it is taken."""
    others = (f"{wish}{joint}{number}" for number in itertools.count(2))
    return next(name for name in itertools.chain([wish], others) if name not in taken)


def nearest(word: object, names: Iterable[str]) -> str | None:
    """Return the name that was most likely meant, None if there is no such name.

    The same letters in another case come first, then the only name that begins like the word,
    then the name whose letters are most alike.

    Examples
    --------
    >>> nearest("svm", ["kNN", "SVM"]), nearest("max", ["maximize", "minimize"])
    ('SVM', 'maximize')
    >>> nearest("hlom", ["holm", "hommel"]), nearest("ho", ["holm", "hommel"])
    ('holm', 'holm')
    """
    text = str(word).casefold()
    folded: dict[str, str] = {}
    for name in names:
        folded.setdefault(name.casefold(), name)
    if not text or text in folded:
        return folded.get(text)
    begun = [name for key, name in folded.items() if key.startswith(text)]
    if len(begun) == 1:
        return begun[0]
    near = difflib.get_close_matches(text, list(folded)[:_MOST_COMPARED], n=1)
    return folded[near[0]] if near else None


def did_you_mean(word: object, names: Iterable[str]) -> str:
    """Return a hint at the name that was most likely meant, to end a message; perhaps nothing."""
    near = nearest(word, names)
    return "" if near is None else f" Did you mean {shown(near)}?"


def not_a_choice(value: object, choices: Sequence[object]) -> str:
    """Say what was expected in place of a word or a number, and what may have been meant."""
    alternatives = " or ".join(
        [", ".join(map(repr, choices[:-1])), repr(choices[-1])]
        if len(choices) > 1
        else [repr(choices[0])]
    )
    hint = did_you_mean(value, [str(one) for one in choices]) if isinstance(value, str) else ""
    return f"must be {alternatives}; got {shown(value)}.{hint}"


def check_choice(value: object, argument: str, choices: Sequence[str]) -> str:
    """Return one of the words in ``choices``, spelled out; a near miss is suggested."""
    if isinstance(value, str) and value in choices:
        return value
    raise ValueError(f"`{argument}` {not_a_choice(value, choices)}")


def check_name(value: object, argument: str, names: Sequence[str]) -> str:
    """Return one of the labels in ``names`` (algorithms, data sets, columns)."""
    if isinstance(value, str) and value in names:
        return value
    raise ValueError(
        f"`{argument}` must be one of {listed(names)}; got {shown(value)}."
        f"{did_you_mean(value, names)}"
    )


def _check_number(
    value: object, argument: str, is_right: Callable[[float], bool], what: str
) -> float:
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if is_number and is_right(float(cast(float, value))):
        return float(cast(float, value))
    raise ValueError(f"`{argument}` must be {what}; got {shown(value)}.")


def check_probability(value: object, argument: str) -> float:
    """Return a number strictly between 0 and 1, such as a significance level."""
    what = "a number between 0 and 1, exclusive"
    return _check_number(value, argument, lambda number: 0 < number < 1, what)


def check_share(value: object, argument: str) -> float:
    """Return a number above 0 and at most 1, such as a coverage."""
    what = "a number above 0 and at most 1"
    return _check_number(value, argument, lambda number: 0 < number <= 1, what)


def check_threshold(value: object, argument: str) -> float:
    """Return a probability above 1/2 and below 1, which at most one of several can reach."""
    what = "a probability above 0.5 and below 1, such as 0.95"
    return _check_number(value, argument, lambda number: 0.5 < number < 1, what)


def check_nonnegative(value: object, argument: str) -> float:
    """Return a finite number of at least 0, such as a tolerance."""
    what = "a number of at least 0"
    return _check_number(value, argument, lambda number: 0 <= number < math.inf, what)


def check_positive(value: object, argument: str) -> float:
    """Return a finite number above 0, such as a margin."""
    what = "a number above 0"
    return _check_number(value, argument, lambda number: 0 < number < math.inf, what)


def check_count(value: object, argument: str, *, least: int) -> int:
    """Return a whole number not below ``least``."""
    is_whole = isinstance(value, numbers.Integral) or (
        isinstance(value, float) and value.is_integer()
    )
    what = f"a whole number of at least {least}"
    if not is_whole:
        raise ValueError(f"`{argument}` must be {what}; got {shown(value)}.")
    _check_number(value, argument, lambda number: number >= least, what)
    return int(cast(int, value))


def check_jobs(value: object, argument: str) -> int:
    """Return a number of processes; -1 stands for as many as there are cores."""
    if not isinstance(value, bool) and isinstance(value, numbers.Integral) and int(value) != 0:
        return int(value)
    raise ValueError(
        f"`{argument}` must be a whole number of processes, or -1 for as many as there are cores; "
        f"got {shown(value)}."
    )


def check_finite(value: npt.ArrayLike, argument: str, *, ndim: int | None = None) -> FloatArray:
    """Return a float array without NaN or infinity, of ``ndim`` dimensions when given."""
    import numpy as np

    array = check_real(value, argument)
    if ndim is not None and array.ndim != ndim:
        raise ValueError(
            f"`{argument}` must have {ndim} dimension{'s' if ndim != 1 else ''}; "
            f"got an array of shape {array.shape}."
        )
    # A sum is finite only if every number is; if it overflows, the numbers are checked one by one.
    with np.errstate(over="ignore", invalid="ignore"):
        surely_finite = bool(np.isfinite(array.sum()))
    if not surely_finite and not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise DataError(
            f"`{argument}` must hold finite numbers; got {float(array[where])!r} at index {where}."
        )
    return array


def check_pvalues(value: npt.ArrayLike, argument: str, *, log10: bool = False) -> FloatArray:
    """Return p-values in [0, 1], or their common logarithms in [-inf, 0], in 1 or 2 dimensions."""
    import numpy as np

    array = check_real(value, argument)
    if array.ndim not in (1, 2):
        raise ValueError(
            f"`{argument}` must have 1 or 2 dimensions; got an array of shape {array.shape}."
        )
    inside = array <= 0 if log10 else (array >= 0) & (array <= 1)
    if not inside.all():
        where = tuple(np.argwhere(~inside)[0].tolist())
        requirement = "logarithms of p-values, none above 0" if log10 else "p-values from 0 to 1"
        raise ValueError(
            f"`{argument}` must hold {requirement}; got {float(array[where])!r} at index "
            f"{where[0] if len(where) == 1 else where}."
        )
    return array


class Distinct(tuple[str, ...]):
    """Labels that a reader of tables has found to be clean and distinct: not checked again."""

    __slots__ = ()


def check_labels(value: Iterable[object], argument: str) -> tuple[str, ...]:
    """Return labels as text on one line each, none blank, none twice."""
    if isinstance(value, Distinct):
        return value
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise TypeError(f"`{argument}` must be a list of names; got {shown(value)}.")
    given = tuple(value)
    if are_clean(given) and len(set(given)) == len(given):
        return cast(tuple[str, ...], given)
    labels = tuple("" if _is_missing(item) else clean_label(item) for item in given)
    seen: dict[str, int] = {}
    for position, label in enumerate(labels, start=1):
        if not label:
            raise DataError(f"`{argument}` must not be blank; label {position} is.")
        if label in seen:
            raise DataError(
                f"`{argument}` must be distinct; got {shown(label)} at positions "
                f"{seen[label]} and {position}."
            )
        seen[label] = position
    return labels


def check_groups(
    given: Mapping[str, str] | Iterable[tuple[str, str]], argument: str, datasets: Sequence[str]
) -> tuple[str, ...]:
    """Return the group of each data set, which a mapping gives, or pairs of the two."""
    group_of = dict(given)
    for name in group_of:
        if name not in datasets:
            raise ValueError(
                f"`{argument}` must name data sets of the experiment; got {shown(name)}."
                f"{did_you_mean(name, datasets)}"
            )
    left = [name for name in datasets if name not in group_of]
    if left:
        raise ValueError(
            f"`{argument}` must give a group for every data set; not for {listed(left)}."
        )
    return tuple(group_of[name] for name in datasets)


def labels_or_numbers(
    given: Sequence[object] | None, argument: str, count: int, where: str, *, before: str = ""
) -> tuple[str, ...]:
    """Return labels for one axis of an array; without any, numbers with a word ``before`` them."""
    if given is None:
        return Distinct([f"{before}{i}" for i in range(1, count + 1)])
    labels = check_labels(given, argument)
    if len(labels) != count:
        raise ValueError(
            f"`{argument}` must have one label per {argument.removesuffix('s')} in `{where}`, "
            f"{count}; got {len(labels)}."
        )
    return labels


def one_line(text: object, argument: str) -> str | None:
    """Return a caption on one line, None if there is nothing in it."""
    if text is not None and not isinstance(text, str):
        raise TypeError(f"`{argument}` must be text; got {shown(text)}.")
    return None if text is None else clean_label(text) or None


def positions(wanted: Iterable[str] | None, labels: tuple[str, ...], argument: str) -> list[int]:
    """Return the positions of the labels that were asked for, in the order asked for."""
    if wanted is None:
        return list(range(len(labels)))
    if isinstance(wanted, str) or not isinstance(wanted, Iterable):
        raise TypeError(f"`{argument}` must be a list of names; got {shown(wanted)}.")
    position = {label: i for i, label in enumerate(labels)}
    names = [
        name if isinstance(name, str) and name in position else check_name(name, argument, labels)
        for name in wanted
    ]
    if not names:
        raise ValueError(f"`{argument}` must name at least one of {listed(labels)}; got none.")
    return [position[name] for name in check_labels(names, argument)]


def check_real(value: npt.ArrayLike, argument: str) -> FloatArray:
    """Return a float array; NaN and infinity pass, text, dates and complex numbers do not."""
    import numpy as np

    from nbcompare._arrays import widened

    if hasattr(value, "mask") and np.ma.isMaskedArray(value):  # numpy.ma takes long to import
        raise ValueError(f"`{argument}` must be a plain array; got a masked array.")
    try:
        raw: npt.NDArray[Any] = np.asarray(value)
        if raw.dtype.kind not in "biufO" or any(
            isinstance(item, str | bytes) for item in (raw.flat if raw.dtype.kind == "O" else ())
        ):
            raise TypeError
        return widened(raw)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"`{argument}` must be an array of real numbers; got {shown(value)}."
        ) from None


def clean_label(value: object) -> str:
    r"""Return the text of a label on one line: single spaces, nothing that cannot be seen.

    Examples
    --------
    >>> clean_label(" C4.5\n rules "), clean_label(3.0), clean_label("\x1b[1mbold")
    ('C4.5 rules', '3', '[1mbold')
    """
    if type(value) is str and value.isprintable() and " " not in value:
        return value  # nearly all are clean
    if _is_float(value) and abs(float(value)) < 2**53 and value % 1 == 0:
        value = int(value)  # a column of whole numbers with a gap arrives as floats: 3.0 is "3"
    text = str(value)
    if isinstance(value, datetime.datetime):
        text = text.removesuffix(" 00:00:00")  # a column of dates may arrive as times
    if not text.isprintable():
        text = _HALF_CHARACTERS.sub("\ufffd", _UNSEEN.sub("", text))
    return " ".join(text.split())


def are_clean(labels: Sequence[object]) -> bool:
    """Tell whether all are text that :func:`clean_label` leaves as it is, and none is empty.

    A million labels take hundredths of a second. False is no more than a doubt: of no labels at
    all, and of characters that are not printed.

    Examples
    --------
    >>> are_clean(["C4.5 rules", "CN2"]), are_clean(["C4.5  rules"]), are_clean(["CN2", ""])
    (True, False, False)
    """
    if set(map(type, labels)) != {str}:
        return False
    lines = "\n".join(["", *cast(Sequence[str], labels), ""])
    if lines.count("\n") != len(labels) + 1:
        return False
    if not lines.isascii():
        is_printed = lines.replace("\n", "").isprintable()
        return is_printed and "\n\n" not in lines.replace(" ", "\n")
    kinds = lines.encode().translate(_KINDS)
    # no two blanks in a row, and nothing that is not printed
    return b"\0\0" not in kinds and b"\2" not in kinds


def _is_missing(value: object) -> bool:
    return value is None or (_is_float(value) and math.isnan(value))


def _is_float(value: object) -> TypeGuard[float]:
    """Tell whether it is a float of Python or of NumPy."""
    return isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral)
