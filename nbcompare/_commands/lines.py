"""Lines: their parser, and options that are given to it, read from what it found, and written.

Their words, defaults and help stand in :mod:`nbcompare._options`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from nbcompare._options import OPTIONS, Option, list_of_names
from nbcompare._validation import named, nearest, not_a_choice, shown


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
        hint = f" (default: {option.default})" if option.default not in (None, ()) else ""
        # words are listed as choices, marks in the text that explains them
        words = f"{{{','.join(option.choices or ())}}}" if _has_words(option) else ""
        parser.add_argument(
            flag(name, prefix),
            dest=_key(name, prefix),
            type=_word_list if option.several else reader_of(option),
            action="extend" if option.takes_names else "append" if option.repeats else "store",
            default=argparse.SUPPRESS,
            metavar=words if words and not option.several else option.metavar or argument.upper(),
            help=option.help + hint + (_listed(option) if option.several else ""),
        )


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
        if OPTIONS[name].takes_names and value:
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
            elif option.takes_names:
                what = "names, separated by commas (in double quotation marks if a name has one)"
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


# ------------------------------------------------------------------------------- the parser


class _Once(argparse.Action):
    """Keeps a value, and complains of a second one."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        """Keep the value."""
        if getattr(namespace, self.dest, self.default) is not self.default:
            raise argparse.ArgumentError(self, "must be given once; leave out all but one.")
        setattr(namespace, self.dest, self.const if self.nargs == 0 else values)


class _FlagOnce(_Once):
    """Keeps that an option is there."""

    def __init__(self, option_strings: list[str], dest: str, **more: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, const=True, **{"default": False} | more)


class OptionParser(argparse.ArgumentParser):
    """A parser that says what is wrong with an option in one plain sentence.

    An option that makes no list may be given once.
    """

    where_listed = "--help"

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        for name, action in ((None, _Once), ("store", _Once), ("store_true", _FlagOnce)):
            self.register("action", name, action)

    def sentence(self, message: str) -> str:
        """Return a message of argparse, which names the option first, as a sentence."""
        about = re.fullmatch(r"argument (?:-\w/)?([^:]+): (.*)", message, re.DOTALL)
        if about is None:
            return message
        option, what = about.groups()
        if what == "expected one argument":
            return f"{option} needs a value after it."
        return f"{option} {what}" if what.startswith("must ") else f"{option}: {what}"

    def error(self, message: str) -> NoReturn:
        """Complain, and end the program."""
        super().error(self.sentence(message))

    @property
    def options(self) -> tuple[str, ...]:
        """All options, as a line writes them."""
        return tuple(dict.fromkeys(re.findall(r"(?<![\w-])--[a-z][\w-]*", self.format_help())))

    def refuse_option(self, option: str, having: Sequence[str] = ()) -> NoReturn:
        """Complain of an option that the parser does not know, but others may have."""
        near = nearest(option.lstrip("-"), [name.lstrip("-") for name in self.options])
        hint = f"{self.where_listed} lists the options."
        if having:
            verb = "command {} has" if len(having) == 1 else "commands {} have"
            hint = f"The {verb.format(named(having))} it."
        elif near:
            hint = f"Did you mean --{near}?"
        self.error(f"there is no option {option}. {hint}")


def add_document(
    add: Callable[..., object], add_flag: Callable[[str, str], object], *, date: str
) -> None:
    """Give a parser the options of the report itself.

    ``add`` adds an argument, ``add_flag`` an option without a value and its help; ``date`` says in
    the help what the date is.
    """
    add("--title", metavar="TEXT", help="title of the report")
    add(
        "--author",
        dest="authors",
        action="append",
        default=[],
        metavar="NAME",
        help="name of an author; may be given again",
    )
    add("--abstract", metavar="TEXT", help="a summary, in Markdown")
    add("--date", metavar="TEXT", help=date)
    add_flag(
        "--full",
        "everything that suits the data: conditions of tests, other designs, effects, all scores "
        "and tables (default: four pages)",
    )
    add_flag("--code", "print the code in PDF and LaTeX too")
