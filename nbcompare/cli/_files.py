"""The commands ``tables``, which writes tables to hand in, and ``verify``."""

from __future__ import annotations

import argparse
from pathlib import Path

from nbcompare import _commands, _options
from nbcompare._commands import READING_OPTIONS, SELECT_OPTIONS, OptionParser
from nbcompare._messages import Mistake
from nbcompare._options import COMPARE_OPTIONS
from nbcompare.cli._data import (
    OF_HISTORIES_ALONE,
    READING,
    TABLE_FILES,
    Answer,
    Command,
    add_data,
    add_options,
    data_of,
    speech,
)
from nbcompare.cli._report import add_logs, add_measures, measures_of, reading_of_logs
from nbcompare.cli._signals import in_order

# Options of a comparison that tables of all rankings and procedures leave open
_OF_SUPPLEMENT = {"control", "pairs", "scale", "formulas", "missing", "fill"}
_SCORES = READING["experiment"]


def commands() -> tuple[Command, ...]:
    """Return the two commands."""
    return (
        Command(
            "tables",
            "write ranks, tests and adjusted p-values as LaTeX tables",
            "[data] [options]",
            _add_tables,
            _tables,
            "nbcompare tables scores.csv --direction maximize --control C4.5 > tables.tex",
        ),
        Command(
            "verify",
            "compute the results of a report again, and say whether it still holds",
            "REPORT --data FILE [options]",
            _add_verify,
            _verify,
            "nbcompare verify report.html --data scores.csv",
            " The exit code is 0 if it does, 1 if it does not, 2 if that cannot be said, as of a "
            "PDF, of whose pages no number is compared.",
        ),
    )


def _add_tables(parser: OptionParser) -> None:
    from nbcompare._render.latex import VENUES

    rankings = (word for word in _options.OPTIONS["ranking"].choices or () if word != _options.AUTO)
    add_data(parser)
    parser.add_argument(
        "-o", "--output", type=Path, help="file to write (default: standard output), or a folder"
    )
    parser.add_argument(
        "--venue",
        choices=tuple(VENUES),
        help="write what a paper takes in, with tables that fit its columns, into the folder -o: "
        "one file for each table, methods, diagram and literature",
    )
    parser.add_argument(
        "--siunitx", action="store_true", help="with --venue: align numbers at their points"
    )
    parser.add_argument(
        "--fragment", action="store_true", help="only the tables, to include into a paper"
    )
    parser.add_argument("--title", default=argparse.SUPPRESS, help="of the document")
    parser.add_argument(
        "--all",
        action="store_true",
        help="every ranking and every procedure at two levels, with contrasts, as a supplement",
    )
    parser.add_argument(
        "--rankings",
        type=lambda text: text.split(","),
        default=argparse.SUPPRESS,
        metavar="NAME,NAME",
        help=f"which to tabulate with --all, of {', '.join(rankings)} (default: all)",
    )
    add_options(parser, "what to compute", COMPARE_OPTIONS)


def _tables(given: argparse.Namespace) -> Answer:
    options = _commands.given(given, COMPARE_OPTIONS)
    more = {name: getattr(given, name) for name in ("title", "rankings") if hasattr(given, name)}
    settled = [name for name in options if name not in _OF_SUPPLEMENT]
    if given.all and settled:
        flag = _commands.flag(settled[0])
        given.parser.error(f"--all writes every ranking and procedure: give {flag} without --all")
    if not given.all and "rankings" in more:
        given.parser.error("--rankings goes with --all; without it, --ranking takes one")
    if given.siunitx and given.venue is None:
        given.parser.error("--siunitx goes with --venue")
    if given.venue is not None:
        if given.all or given.fragment or more:
            given.parser.error("--venue goes without --all, --rankings, --fragment and --title")
        if given.output is None:
            given.parser.error("--venue writes several files: give -o and a folder for them")
    table = data_of(given)
    from nbcompare._files import check_target, write_whole
    from nbcompare.report.tables import latex_supplement, latex_tables, paper_kit

    words = speech(_commands.flags(COMPARE_OPTIONS) | {"rankings": "--rankings"})
    if given.venue is not None:
        with words.telling(), in_order():
            files = paper_kit(
                table, given.output, venue=given.venue, siunitx=given.siunitx, **options
            )
        return Answer("\n".join(map(str, files)))
    if given.output is not None:
        check_target(given.output)
    write = latex_supplement if given.all else latex_tables
    with words.telling():
        text = write(table, fragment=given.fragment, **more, **options)
    if given.output is None:
        return Answer(text.removesuffix("\n"))
    with in_order():
        write_whole(given.output, text)
    return Answer(str(given.output))


def _add_verify(parser: OptionParser) -> None:
    parser.add_argument("page", type=Path, metavar="REPORT", help="report.html, .pdf or .ipynb")
    parser.add_argument(
        "--data", type=Path, metavar="FILE", help=f"table of scores ({TABLE_FILES})"
    )
    parser.add_argument("--example", metavar="NAME", help="a bundled example instead of a file")
    add_measures(parser)
    files = add_options(
        parser, "how to read the files, as it was for the report", READING_OPTIONS["experiment"]
    )
    part = "which part of the table of scores to read"
    add_options(parser, part, SELECT_OPTIONS["experiment"])
    add_logs(files)


def _verify(given: argparse.Namespace) -> Answer:
    """Say whether the report holds, and where it does not."""
    from nbcompare.report import verify

    measures, flags = measures_of(given)
    flags |= {name: f"--{name}" for name in ("data", "histories", "example")}
    words = speech(_commands.flags((*_SCORES, *OF_HISTORIES_ALONE)) | flags)
    words = words.about(given.page.name, given.data, given.histories)
    try:
        with words.telling():
            found = verify(
                given.page,
                data=given.data,
                histories=given.histories,
                example=given.example,
                reading=_commands.given(given, _SCORES) | measures,
                history_reading=reading_of_logs(given) if given.histories is not None else {},
            )
    except Mistake as error:
        given.parser.error(str(error))
    except MemoryError as error:
        given.parser.error(words.says(str(error)))
    code = 0 if found.holds else 1 if found.all_problems or found.is_whole is False else 2
    return Answer(str(found), code, unsaid=2)
