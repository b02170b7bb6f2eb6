"""Parser of a line, which complains in plain sentences, and the options of a report itself."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Any, NoReturn

from nbcompare._validation import nearest


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

    def refuse_option(self, option: str) -> NoReturn:
        """Complain of an option that the parser does not know."""
        option = option.partition("=")[0]
        near = nearest(option, self.options)
        hint = f"Did you mean {near}?" if near else f"{self.where_listed} lists the options."
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
