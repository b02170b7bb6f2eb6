"""Options of a line: given to a parser, read from what was parsed, and written again.

Their words, defaults and help stand in :mod:`nbcompare._options`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from nbcompare._options import OPTIONS, Option, list_of_names, names_in
from nbcompare._validation import not_a_choice, shown


def flag(name: str, prefix: str = "") -> str:
    """Return an option of the table as a line writes it: ``--n-points``.

    With a prefix it is ``--prefix-name``, as where several analyses share a line.
    """
    word = OPTIONS[name].flag or name.rpartition(".")[2]
    return "--" + "-".join(filter(None, [prefix, word])).replace("_", "-")


def _key(name: str, prefix: str) -> str:
    """Return the name under which a parser keeps an option."""
    return flag(name, prefix)[2:].replace("-", "_")


def flags(names: Iterable[str], prefix: str = "") -> dict[str, str]:
    """Return the options that give arguments of the API, by argument."""
    return {name.rpartition(".")[2]: flag(name, prefix) for name in names}


def add_arguments(
    parser: argparse._ActionsContainer, names: Iterable[str], prefix: str = ""
) -> None:
    """Give a parser an option for each name; those that a line leaves out stay absent."""
    for name in names:
        option, argument = OPTIONS[name], name.rpartition(".")[2]
        if option.switch:
            parser.add_argument(
                flag(name, prefix),
                dest=_key(name, prefix),
                action="store_true",
                default=argparse.SUPPRESS,
                help=option.help,
            )
            continue
        if option.alias:
            _add_names(parser, name)
            continue
        hint = f" (default: {option.default})" if option.default not in (None, ()) else ""
        # words are listed as choices, marks in the text that explains them
        words = f"{{{','.join(option.choices or ())}}}" if _has_words(option) else ""
        parser.add_argument(
            flag(name, prefix),
            dest=_key(name, prefix),
            type=_word_list if option.several else reader_of(option),
            action="append" if option.repeats else "store",
            default=argparse.SUPPRESS,
            metavar=words if words and not option.several else option.metavar or argument.upper(),
            help=option.help + hint + (_listed(option) if option.several else ""),
        )


def _add_names(parser: argparse._ActionsContainer, name: str) -> None:
    """Give a parser an option that takes names, and the former one, which takes one name."""
    option = OPTIONS[name]
    parser.add_argument(
        flag(name),
        dest=_key(name, ""),
        type=_names_in,
        action="extend",
        default=argparse.SUPPRESS,
        metavar=option.metavar,
        help=option.help,
    )
    parser.add_argument(
        f"--{option.alias}",
        dest=_key(name, ""),
        action="append",
        default=argparse.SUPPRESS,
        help=argparse.SUPPRESS,
    )


def _names_in(text: str) -> list[str]:
    """Return the names of a list that is written as a row of a CSV file."""
    names = names_in(text)
    if not all(names) or not names:
        raise argparse.ArgumentTypeError(
            f"must be names, separated by commas (in double quotation marks if a name has one); "
            f"got {shown(text)}."
        )
    return names


def given(arguments: argparse.Namespace, names: Iterable[str], prefix: str = "") -> dict[str, Any]:
    """Return the options that a line gives, ready to pass on as keywords."""
    found = {
        name.rpartition(".")[2]: getattr(arguments, _key(name, prefix))
        for name in names
        if hasattr(arguments, _key(name, prefix))
    }
    return found | ({"where": dict(found["where"])} if "where" in found else {})


def written(options: Mapping[str, Any], names: Iterable[str]) -> Iterator[str]:
    """Yield options as the words of a line; those that are None are left out."""
    for name in names:
        value = options.get(name.rpartition(".")[2])
        if OPTIONS[name].switch:
            yield from [flag(name)] if value else []
            continue
        if OPTIONS[name].alias and value:
            value = list_of_names(*value)
        if name == "where":
            value = list((value or {}).items())
        for one in value if isinstance(value, list) else [] if value is None else [value]:
            yield from (flag(name), _as_typed(one))


def _as_typed(value: object) -> str:
    """Return a value as a line has it; None names what a mapping gives for all others."""
    if isinstance(value, list | tuple) and len(value) == 3:  # an edit of a cell
        return "{}:{}={}".format(*value)
    if isinstance(value, tuple):  # a column, and labels in it
        column, labels = value
        return f"{column}={list_of_names(*([labels] if isinstance(labels, str) else labels))}"
    if not isinstance(value, Mapping):
        return str(value)
    pairs = [f"{name}={word}" for name, word in value.items() if name is not None]
    return ",".join([*([str(value[None])] if None in value else []), *pairs])


def reader_of(option: Option) -> Callable[[str], Any]:
    """Return what reads the value of an option, and says what is wrong with one."""

    def read(text: str) -> Any:
        try:
            value = option.type(text)
        except ValueError:
            what = "a whole number" if option.type is int else "a number"
            if "=" in option.metavar:
                what = option.metavar
            elif "," in option.metavar:
                what = "numbers, separated by commas"
            raise argparse.ArgumentTypeError(f"must be {what}; got {shown(text)}.") from None
        if option.choices and not isinstance(value, dict) and value not in option.choices:
            raise argparse.ArgumentTypeError(not_a_choice(value, option.choices))
        return value

    return read


def _has_words(option: Option) -> bool:
    return bool(option.choices) and all(word[0].isalnum() for word in option.choices or ())


def _word_list(text: str) -> list[str] | None:
    # the function that receives the list checks its words
    return None if text == "none" else text.split(",")


def _listed(option: Option) -> str:
    return f"; of {', '.join(option.choices or ())}; or none"
