"""Parser of a line, which complains in plain sentences, and the options of a report itself."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import NoReturn

from nbcompare._commands.lines import reader_of
from nbcompare._options import COLUMN_NUMBERS, LONGEST_CELL, PDF_STANDARDS, Option
from nbcompare._validation import nearest


class OptionParser(argparse.ArgumentParser):
    """A parser that says what is wrong with an option in one plain sentence."""

    where_listed = "--help"

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


def add_document(add: Callable[..., object], *, date: str, cell: str) -> None:
    """Give a parser the options of the report itself, by a function that adds an argument.

    ``date`` and ``cell`` are words of the help: what the date is, and what may take so long.
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
    add(
        "--columns",
        type=reader_of(Option(COLUMN_NUMBERS[0], COLUMN_NUMBERS, "", int)),
        metavar="N",
        help=f"columns of text in PDF and LaTeX: 2 for a supplement (default: {COLUMN_NUMBERS[0]})",
    )
    add(
        "--pdf-standard",
        type=reader_of(Option(PDF_STANDARDS[0], PDF_STANDARDS, "")),
        metavar="NAME",
        help="what a PDF conforms to: ua-1, or a-3a: PDF/A-3a for archives, and PDF/UA-1 as well "
        f"(default: {PDF_STANDARDS[0]})",
    )
    add(
        "--timeout",
        type=reader_of(Option(LONGEST_CELL, None, "", float)),
        default=LONGEST_CELL,
        metavar="SECONDS",
        help=f"longest time for {cell} (default: %(default)g)",
    )
