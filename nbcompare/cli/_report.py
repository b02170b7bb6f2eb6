"""The command ``report``, which turns a table, logs of runs, or a project into a report."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple

from nbcompare import _commands, _options
from nbcompare._commands import READING_OPTIONS, SELECT_OPTIONS, OptionParser
from nbcompare._files import PROJECT
from nbcompare._messages import Speech
from nbcompare._options import COMPARE_OPTIONS, OPTIONS
from nbcompare._validation import did_you_mean, shown
from nbcompare.cli._data import (
    LOG_FILES,
    OF_BOTH,
    OF_HISTORIES_ALONE,
    Answer,
    Command,
    add_data,
    add_options,
    check_source,
    exported,
    first_given,
    need_direction,
    read,
    reading_speech,
    speech,
)
from nbcompare.cli._signals import in_order
from nbcompare.cli._surroundings import remark
from nbcompare.words import PROCEDURES

# Before options of reading that are about the histories, beside a table of scores
_OF_LOGS = "histories"
_ORDERED = {name for name, procedure in PROCEDURES.items() if procedure.all_pairs_only}


class _Part(NamedTuple):
    """A part of a report beside the comparison by ranks, which has options of its own.

    Attributes
    ----------
    argument : str
        Of ``Report``, which takes the options; the section that is about it has the same name.
    heading : str
        Heading of its options in the help.
    options : tuple of str
        Its own options.
    prefixed : tuple of str
        Own options whose word is also that of an option of the comparison; on a line, the
        argument stands before it.
    ask : str
        Help of the option that asks for it without another one; empty if there is none.
    needs : str
        The option without which it cannot be.
    shared : tuple of str
        Options that it takes from the comparison, if it has them.
    not_adjusted : set of str
        Words of ``adjust`` that it does not take from there.
    """

    argument: str
    heading: str
    options: tuple[str, ...]
    prefixed: tuple[str, ...] = ()
    ask: str = ""
    needs: str = ""
    shared: tuple[str, ...] = ()
    not_adjusted: frozenset[str] = frozenset({_options.AUTO, "nemenyi"})

    @property
    def flags(self) -> dict[str, str]:
        """Its options, as a line writes them, by argument."""
        return _commands.flags(self.options) | _commands.flags(self.prefixed, self.argument)


_TRENDS = _Part(
    "convergence",
    "how optimisers converge, beside or instead of scores",
    ("cutpoints", "optimum_tolerance", "aggregate", "differences", "null"),
    shared=("alpha", "formulas", "adjust"),
    not_adjusted=frozenset(_ORDERED),
)
_TARGETS = _Part("targets", _TRENDS.heading, ("targets", "precisions"))
_PARTS = (
    _Part(
        "stochastic",
        "repeated runs of stochastic algorithms",
        ("procedure", "encoding", "coverage", "blocks"),
        prefixed=(
            "stochastic.test",
            "stochastic.adjust",
            "stochastic.method",
            "stochastic.n_resamples",
            "rng",
            "stochastic.missing",
        ),
        ask="compare them by their runs, beside their means, as each of these options does too "
        "(default: where it is quick)",
        shared=("control", "alpha", "formulas", "adjust", "missing", "fill"),
    ),
    _Part("aggregates", "typical scores of repeated runs", ("baseline", "target")),
    _Part(
        "cv",
        "cross-validation on one data set",
        ("ratio",),
        ask="compare the algorithms on the folds of the data set, as --ratio alone does too",
        shared=("adjust", "missing"),
    ),
    _Part(
        "bayesian",
        "probabilities of differences and of practical equivalence, with --rope",
        ("rope", "threshold"),
        needs="rope",
    ),
    _Part(
        "plan",
        "how many data sets the next experiment needs, by simulation, which takes a while",
        ("power", "unit", "prior", "largest"),
        ask="plan it, as each of these options does too",
    ),
)


def command() -> Command:
    """Return the command."""
    return Command(
        "report",
        "turn a table of results into a report",
        "[data] -o OUTPUT [options]",
        _add,
        _report,
        "nbcompare report scores.csv --direction maximize --control C4.5 -o report.html",
        " So does a project (study.nbcompare), with its own settings.",
    )


def _add(parser: OptionParser) -> None:
    add_data(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        action="append",
        help="report.html (one page, no network needed), report.ipynb, report.pdf, report.tex or "
        "report.bib (the literature, for LaTeX); may be given again",
    )
    add_measures(parser)
    document = parser.add_argument_group("what the report tells")
    document.add_argument(
        "--sections",
        type=_section_names,
        metavar="NAME,NAME",
        help=f"of {', '.join(_options.SECTIONS)} (default: those that suit the data)",
    )
    _commands.add_document(
        document.add_argument,
        lambda option, what: document.add_argument(option, action="store_true", help=what),
        date="date to print on the report, or today: the day of the export (default: none)",
    )
    add_options(parser, "what to compute", COMPARE_OPTIONS)
    for part in _PARTS:
        group = parser.add_argument_group(part.heading)
        if part.ask:
            group.add_argument(f"--{part.argument}", action="store_true", help=part.ask)
        _commands.add_arguments(group, part.options)
        _commands.add_arguments(group, part.prefixed, part.argument)
    logs = parser.add_argument_group(_TRENDS.heading)
    add_logs(logs)
    _commands.add_arguments(logs, (*_TRENDS.options, *_TARGETS.options))
    add_options(parser, "which problems to compare on", SELECT_OPTIONS["histories"][1:])


def add_logs(group: argparse._ActionsContainer) -> None:
    """Add the histories, and how to read them, beside a table of scores or alone."""
    group.add_argument("--histories", type=Path, metavar="FILE", help=f"logs of runs ({LOG_FILES})")
    _commands.add_arguments(group, OF_HISTORIES_ALONE)
    _commands.add_arguments(group, OF_BOTH, _OF_LOGS)


def add_measures(parser: OptionParser) -> None:
    """Let a line name several measures of one table."""
    group = parser.add_argument_group(
        "several measures in one table, each with its --direction: accuracy=maximize,loss=minimize"
    )
    group.add_argument(
        "--measures-column", metavar="COLUMN", help="column with the measure of each row"
    )
    group.add_argument(
        "--measures",
        type=lambda text: text.split(","),
        metavar="NAME,NAME",
        help="the measures: of those in --measures-column, or else columns of scores",
    )


def measures_of(given: argparse.Namespace) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what a line says of several measures, as arguments of reading, and their options."""
    names, column = given.measures, given.measures_column
    if column is None:
        return {} if names is None else {"measures": names}, {"measures": "--measures"}
    only = {} if names is None else {"only": names}
    return {"measures": column, **only}, {"measures": "--measures-column", "only": "--measures"}


def _section_names(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in _options.SECTIONS:
            raise argparse.ArgumentTypeError(
                f"must be names of {', '.join(_options.SECTIONS)}; got {shown(name)}."
                f"{did_you_mean(name, _options.SECTIONS)}"
            )
    return names


# ------------------------------------------------------------------------------- its line


def _report(given: argparse.Namespace) -> Answer:
    from nbcompare.report.make import check_outputs
    from nbcompare.report.report import Report

    words = _speech(given)
    if given.data is not None and given.data.suffix.lower() == PROJECT:
        return _report_of_project(given, words)
    reading, logs = _reading(given)
    compare = _commands.given(given, COMPARE_OPTIONS)
    parts: dict[str, Any] = {part.argument: _options_of(part, given, compare) for part in _PARTS}
    trends = _shared(_TRENDS, compare) | _commands.given(given, _TRENDS.options)
    with in_order(), words.telling():
        check_outputs(given.output)
        report = Report(
            **_data(given, reading, logs),
            title=given.title,
            authors=given.authors,
            abstract=given.abstract,
            date=given.date,
            full=given.full,
            code=given.code,
            sections=given.sections,
            compare=compare,
            convergence=trends,
            targets=_commands.given(given, _TARGETS.options) or None,
            **parts,
        )
        if given.sections is None:
            for text in filter(None, (*report.picked, report.advice)):
                remark(words.says(text))
        return exported(given.output, report, words)


def _report_of_project(given: argparse.Namespace, words: Speech) -> Answer:
    """Write the report of a project, whose data and settings are in its file."""
    blank = given.parser.parse_args([str(given.data), "-o", "-"])
    for name, value in vars(given).items():
        if name not in ("data", "output") and value != getattr(blank, name, None):
            option = next(one for one in given.parser._actions if one.dest == name)  # noqa: SLF001 - argparse lists them nowhere else
            given.parser.error(
                f"{option.option_strings[0]} is for a table; the settings of a project are in its "
                f"file. Change them with: nbcompare app {given.data}"
            )
    from nbcompare.project import open_project
    from nbcompare.report.make import check_outputs
    from nbcompare.widgets.project_report import report_of

    with in_order(), words.telling():
        check_outputs(given.output)
        try:
            report = report_of(open_project(given.data))
        except TypeError as error:  # of settings that there are not
            raise ValueError(f"{given.data} cannot be read: {error}") from None
        return exported(given.output, report, words)


def _options_of(
    part: _Part, given: argparse.Namespace, compare: dict[str, Any]
) -> dict[str, Any] | None:
    """Return the options of a part, own ones and those of the comparison; None without it."""
    own = _commands.given(given, part.options)
    own |= _commands.given(given, part.prefixed, part.argument)
    sections = given.sections
    option = f"--{part.argument}" if part.ask and getattr(given, part.argument) else None
    option = option or next((flag for name, flag in part.flags.items() if name in own), None)
    if option and part.needs and part.needs not in own:
        given.parser.error(f"{option} is for {_commands.flag(part.needs)}")
    if option and sections is not None and part.argument not in sections:
        given.parser.error(
            f"{option} is for the section {part.argument}, which --sections leaves out"
        )
    is_asked = option or (part.ask and part.argument in (sections or ()))
    return _shared(part, compare) | own if is_asked else None


def _shared(part: _Part, compare: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the comparison that a part takes, too."""
    found = {name: compare[name] for name in part.shared if name in compare}
    if part.not_adjusted & {*(found.get("adjust") or ())}:
        del found["adjust"]
    treatments = OPTIONS[f"{part.argument}.missing"].choices or () if "missing" in found else ()
    if found.get("missing") not in treatments:
        found = {name: value for name, value in found.items() if name not in ("missing", "fill")}
    return found


def _reading(given: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return how to read the table of scores, and the histories."""
    if given.data is None and given.measures_column is None and given.measures is not None:
        given.parser.error("--measures is for a table of scores")
    if given.data is None and given.measures_column is not None:
        given.parser.error("--measures-column is for a table of scores")
    if given.histories is None:
        alone = first_given(given, OF_HISTORIES_ALONE) or first_given(given, OF_BOTH, _OF_LOGS)
        if alone:
            given.parser.error(f"{alone} is for --histories")
        return check_source(given), {}
    if str(given.data) == str(given.histories) == "-":
        given.parser.error("standard input is one table; name a file for --histories")
    logs = reading_of_logs(given)
    if "direction" not in logs and not given.histories.is_dir():
        need_direction(given, "histories", _flags_of_logs(given).get("direction"))
    # they are about the histories, unless there is a table of scores
    return (check_source(given) if given.data is not None else {}), logs


def reading_of_logs(given: argparse.Namespace) -> dict[str, Any]:
    """Return how to read the histories.

    Beside a table of scores, the plain options are about the scores; with histories alone, both
    spellings are about these.
    """
    plain = OF_HISTORIES_ALONE if given.data is not None else READING_OPTIONS["histories"]
    own, shared = _commands.given(given, OF_BOTH, _OF_LOGS), _commands.given(given, plain)
    for name, option in _commands.flags(OF_BOTH, _OF_LOGS).items():
        if name in own and shared.get(name, own[name]) != own[name]:
            given.parser.error(f"give either {_commands.flags(OF_BOTH)[name]} or {option}")
    return shared | own


def _flags_of_logs(given: argparse.Namespace) -> dict[str, str]:
    """Return the options that are about the histories instead of the plain ones."""
    return _commands.flags(OF_BOTH, _OF_LOGS) if given.data is not None else {}


def _data(
    given: argparse.Namespace, reading: dict[str, Any], logs: dict[str, Any]
) -> dict[str, Any]:
    """Read the experiment, the histories, or both."""
    from nbcompare import datasets

    measures, flags = measures_of(given)
    found: dict[str, Any] = {}
    if given.data is not None or given.example is not None:
        of_logs = given.example in datasets.names("histories")
        takes = "histories" if of_logs else "experiment"
        words = reading_speech(takes, given.data, flags)
        part = SELECT_OPTIONS[takes]
        found[takes] = read(given, takes, given.data, reading, words, part, measures)
    if given.histories is not None:
        words = reading_speech("histories", given.histories, _flags_of_logs(given))
        part = SELECT_OPTIONS["histories"]
        found["histories"] = read(given, "histories", given.histories, logs, words, part)
    return found


def _speech(given: argparse.Namespace) -> Speech:
    """Return the words of a report for what the API says: several analyses share its options."""
    options: dict[str, str] = {}
    for part in _PARTS:
        options |= _commands.flags(part.prefixed, part.argument)
    selects = (*SELECT_OPTIONS["experiment"], *SELECT_OPTIONS["histories"])
    names = (*READING_OPTIONS["experiment"], *OF_HISTORIES_ALONE, *selects, *COMPARE_OPTIONS)
    own = (name for part in (*_PARTS, _TRENDS, _TARGETS) for name in part.options)
    options |= _commands.flags((*names, *own))
    options |= {name: f"--{name}" for name in ("histories", "sections", "title", "date")}
    return speech(options).about(*given.output)
