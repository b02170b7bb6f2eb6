"""The commands ``report`` and ``tables``, which write files to hand in, and ``verify``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbcompare import _commands, _options
from nbcompare._commands import READING_OPTIONS, SELECT_OPTIONS
from nbcompare._messages import Speech
from nbcompare._options import COMPARE_OPTIONS
from nbcompare._render.latex import VENUES
from nbcompare._validation import did_you_mean, shown
from nbcompare.cli._data import (
    LOG_FILES,
    OF_BOTH,
    OF_HISTORIES_ALONE,
    TABLE_FILES,
    Answer,
    check_source,
    command,
    experiment,
    exported,
    first_given,
    keep_sentence,
    need_direction,
    reading_speech,
    scores,
    speech,
    tell_notes,
)
from nbcompare.cli._project import is_project, report_of_project
from nbcompare.cli._signals import in_order
from nbcompare.cli._surroundings import remark
from nbcompare.words import PROCEDURES

if TYPE_CHECKING:
    from nbcompare.cli._data import Subcommands

_TREND_OPTIONS = ("cutpoints", "optimum_tolerance", "aggregate", "differences", "null")
_STOCHASTIC_OPTIONS = ("procedure", "encoding", "coverage", "blocks")
_CV_OPTIONS = ("ratio",)
_BAYESIAN_OPTIONS = ("rope", "threshold")
_TARGET_OPTIONS = ("targets", "precisions")
_AGGREGATES_OPTIONS = ("baseline", "target")
_PLAN_OPTIONS = ("power", "unit", "prior", "largest")
# Options whose word is also that of an option of the comparison by ranks
_PREFIXED = (
    "stochastic.test",
    "stochastic.adjust",
    "stochastic.method",
    "stochastic.n_resamples",
    "rng",
    "stochastic.missing",
)
_PREFIX = "stochastic"
# Before options of reading that are about the histories, beside a table of scores
_OF_LOGS = "histories"
_SHARED = ("control", "alpha", "formulas")
_RANKS_ONLY = {_options.AUTO, "nemenyi"}
_UNORDERED_ONLY = {name for name, procedure in PROCEDURES.items() if procedure.all_pairs_only}
_SELECT = (*SELECT_OPTIONS["experiment"], *SELECT_OPTIONS["histories"][1:])
# Options of a comparison that tables of all rankings and procedures leave open
_OF_SUPPLEMENT = {"control", "pairs", "scale", "formulas", "missing", "fill"}
_RANKINGS = tuple(
    word for word in _options.OPTIONS["ranking"].choices or () if word != _options.AUTO
)


def add_commands(commands: Subcommands) -> None:
    """Add the three commands."""
    _add_report(commands)
    _add_tables(commands)
    _add_verify(commands)


# ------------------------------------------------------------------------------- report


def _add_report(commands: Subcommands) -> None:
    report = command(
        commands,
        "report",
        "turn a table of results into a report",
        "nbcompare report scores.csv --direction maximize --control C4.5 -o report.html",
    )
    report.usage = "%(prog)s [data] -o OUTPUT [options]"
    report.description = (
        "Turn a table of results, or a project (study.nbcompare) with its own settings, into a "
        "report."
    )
    report.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        action="append",
        help="report.html (one page, no network needed), report.ipynb, report.pdf, report.tex or "
        "report.bib (the literature, for LaTeX); may be given again",
    )
    _add_measures(report)
    _add_document(report.add_argument_group("what the report tells"))
    _commands.add_arguments(report.add_argument_group("what to compute"), COMPARE_OPTIONS)
    runs = report.add_argument_group("repeated runs of stochastic algorithms")
    runs.add_argument(
        "--stochastic",
        action="store_true",
        help="compare them by their runs, beside their means (default: where it is quick)",
    )
    _commands.add_arguments(runs, _STOCHASTIC_OPTIONS)
    _commands.add_arguments(runs, _PREFIXED, _PREFIX)
    _commands.add_arguments(
        report.add_argument_group("typical scores of repeated runs"), _AGGREGATES_OPTIONS
    )
    folds = report.add_argument_group("cross-validation on one data set")
    folds.add_argument(
        "--cv",
        action="store_true",
        help="compare the algorithms on the folds of the data set, as --ratio alone does too",
    )
    _commands.add_arguments(folds, _CV_OPTIONS)
    _commands.add_arguments(
        report.add_argument_group(
            "probabilities of differences and of practical equivalence, with --rope"
        ),
        _BAYESIAN_OPTIONS,
    )
    planned = report.add_argument_group(
        "how many data sets the next experiment needs, by simulation, which takes a while"
    )
    planned.add_argument(
        "--plan", action="store_true", help="plan it, as each of these options does too"
    )
    _commands.add_arguments(planned, _PLAN_OPTIONS)
    logs = report.add_argument_group("how optimisers converge, beside or instead of scores")
    logs.add_argument(
        "--histories",
        type=Path,
        metavar="FILE",
        help=f"logs of runs ({LOG_FILES})",
    )
    _add_of_histories(logs)
    _commands.add_arguments(logs, (*_TREND_OPTIONS, *_TARGET_OPTIONS))
    _commands.add_arguments(
        report.add_argument_group("which problems to compare on"),
        SELECT_OPTIONS["histories"][1:],
    )
    report.set_defaults(command=_report, parser=report)


def _add_of_histories(group: argparse._ActionsContainer) -> None:
    """Add the options of reading that are about histories, beside a table of scores or alone."""
    _commands.add_arguments(group, OF_HISTORIES_ALONE)
    _commands.add_arguments(group, OF_BOTH, _OF_LOGS)


def _add_measures(parser: argparse.ArgumentParser) -> None:
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


def _measures(given: argparse.Namespace) -> dict[str, Any]:
    """Return what a line says of several measures, as arguments of reading."""
    if given.measures_column is None:
        return {} if given.measures is None else {"measures": given.measures}
    only = {} if given.measures is None else {"only": given.measures}
    return {"measures": given.measures_column, **only}


def _measures_flags(given: argparse.Namespace) -> dict[str, str]:
    """Return the options that give the arguments of several measures."""
    column = "--measures" if given.measures_column is None else "--measures-column"
    return {"measures": column, "only": "--measures"}


def _add_document(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--sections",
        type=_section_names,
        metavar="NAME,NAME",
        help=f"of {', '.join(_options.SECTIONS)} (default: those that suit the data)",
    )
    _commands.add_document(
        group.add_argument,
        lambda option, what: group.add_argument(option, action="store_true", help=what),
        date="date to print on the report, or today: the day of the export (default: none)",
    )


def _section_names(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in _options.SECTIONS:
            raise argparse.ArgumentTypeError(
                f"must be names of {', '.join(_options.SECTIONS)}; got {shown(name)}."
                f"{did_you_mean(name, _options.SECTIONS)}"
            )
    return names


def _report(given: argparse.Namespace) -> Answer:
    from nbcompare.report.make import check_outputs
    from nbcompare.report.report import Report

    if is_project(given):
        return report_of_project(given, _report_speech(given))
    reading, logs = _reading(given)
    if _measures(given) and given.data is None:
        given.parser.error(f"{_measures_flags(given)['measures']} is for a table of scores")
    compare = _commands.given(given, COMPARE_OPTIONS)
    stochastic = _stochastic(given, compare)
    cv = _cv(given, compare)
    bayesian = _bayesian(given)
    aggregates = _aggregates(given)
    planned = _planned(given)

    words = _report_speech(given)
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
            stochastic=stochastic,
            convergence={**_of_trends(compare), **_commands.given(given, _TREND_OPTIONS)},
            cv=cv,
            bayesian=bayesian,
            targets=_commands.given(given, _TARGET_OPTIONS) or None,
            aggregates=aggregates,
            plan=planned,
        )
        if given.sections is None:
            for text in filter(None, (*report.picked, report.advice)):
                remark(words.says(text))
        return exported(given.output, report, words)


def _reading(given: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return how to read the table of scores, and the histories."""
    if given.histories is None:
        alone = first_given(given, OF_HISTORIES_ALONE) or first_given(given, OF_BOTH, _OF_LOGS)
        if alone:
            given.parser.error(f"{alone} is for --histories")
        return check_source(given), {}
    if str(given.data) == str(given.histories) == "-":
        given.parser.error("standard input is one table; name a file for --histories")
    logs = _reading_of_histories(given)
    if "direction" not in logs and not given.histories.is_dir():
        need_direction(given, "histories", _flags_of_histories(given).get("direction"))
    # they are about the histories, unless there is a table of scores
    return (check_source(given) if given.data is not None else {}), logs


def _reading_of_histories(given: argparse.Namespace) -> dict[str, Any]:
    """Return how to read the histories.

    Beside a table of scores, the plain options are about the scores; with histories alone, both
    spellings are about these.
    """
    own = _commands.given(given, OF_BOTH, _OF_LOGS)
    if given.data is not None:
        return _commands.given(given, OF_HISTORIES_ALONE) | own
    shared = _commands.given(given, READING_OPTIONS["histories"])
    for name, option in _commands.flags(OF_BOTH, _OF_LOGS).items():
        if name in own and shared.get(name, own[name]) != own[name]:
            plain = _commands.flags(OF_BOTH)[name]
            given.parser.error(f"give either {plain} or {option}")
    return shared | own


def _flags_of_histories(given: argparse.Namespace) -> dict[str, str]:
    """Return the options that are about the histories instead of the plain ones."""
    return _commands.flags(OF_BOTH, _OF_LOGS) if given.data is not None else {}


def _stochastic(given: argparse.Namespace, compare: dict[str, Any]) -> dict[str, Any] | None:
    """Return options of the comparison by runs, own and shared ones; None without it."""
    own = {
        **_commands.given(given, _STOCHASTIC_OPTIONS),
        **_commands.given(given, _PREFIXED, _PREFIX),
    }
    if not given.stochastic and "stochastic" not in (given.sections or ()):
        alone = first_given(given, _STOCHASTIC_OPTIONS) or first_given(given, _PREFIXED, _PREFIX)
        if alone:
            given.parser.error(f"{alone} is for --stochastic")
        return None
    shared = {name: compare[name] for name in _SHARED if name in compare}
    shared |= _adjust_of_others(compare)
    if compare.get("missing") in (_options.OPTIONS["stochastic.missing"].choices or ()):
        shared |= {name: compare[name] for name in ("missing", "fill") if name in compare}
    return {**shared, **own}


def _of_trends(compare: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the comparison that the analysis of convergence shares."""
    shared: dict[str, Any] = {
        name: compare[name] for name in ("alpha", "formulas") if name in compare
    }
    if "adjust" in compare and not _UNORDERED_ONLY & set(compare["adjust"] or ()):
        shared["adjust"] = compare["adjust"]
    return shared


def _cv(given: argparse.Namespace, compare: dict[str, Any]) -> dict[str, Any] | None:
    """Return options of the comparison on the folds of one data set; None without it."""
    own = _commands.given(given, _CV_OPTIONS)
    if given.sections is not None and "cv" not in given.sections and own:
        given.parser.error(f"{first_given(given, _CV_OPTIONS)} is for --cv")
    if not given.cv and not own and "cv" not in (given.sections or ()):
        return None
    taken = compare.get("missing") in (_options.OPTIONS["cv.missing"].choices or ())
    missing = {"missing": compare["missing"]} if taken else {}
    return {**_adjust_of_others(compare), **missing, **own}


def _bayesian(given: argparse.Namespace) -> dict[str, Any] | None:
    """Return options of the Bayesian comparison; None without it."""
    own = _commands.given(given, _BAYESIAN_OPTIONS)
    if own and "rope" not in own:
        given.parser.error(f"{first_given(given, _BAYESIAN_OPTIONS)} is for --rope")
    if own and given.sections is not None and "bayesian" not in given.sections:
        given.parser.error("--rope is for the section bayesian, which --sections leaves out")
    return own or None


def _aggregates(given: argparse.Namespace) -> dict[str, Any] | None:
    """Return options of the aggregates of runs; None if a line gives none."""
    own = _commands.given(given, _AGGREGATES_OPTIONS)
    if own and given.sections is not None and "aggregates" not in given.sections:
        option = first_given(given, _AGGREGATES_OPTIONS)
        given.parser.error(f"{option} is for the section aggregates, which --sections leaves out")
    return own or None


def _planned(given: argparse.Namespace) -> dict[str, Any] | None:
    """Return options of the plan; None without it."""
    own = _commands.given(given, _PLAN_OPTIONS)
    option = "--plan" if given.plan else first_given(given, _PLAN_OPTIONS)
    if option and given.sections is not None and "plan" not in given.sections:
        given.parser.error(f"{option} is for the section plan, which --sections leaves out")
    return own if option or "plan" in (given.sections or ()) else None


def _adjust_of_others(compare: dict[str, Any]) -> dict[str, Any]:
    """Return the adjustment of the comparison by ranks, if tests of other kinds take it."""
    named = "adjust" in compare and not _RANKS_ONLY & set(compare["adjust"] or ())
    return {"adjust": compare["adjust"]} if named else {}


def _data(
    given: argparse.Namespace, reading: dict[str, Any], logs: dict[str, Any]
) -> dict[str, Any]:
    """Read the experiment, the histories, or both."""
    from nbcompare import datasets
    from nbcompare.histories import Histories

    found: dict[str, Any] = {}
    more = _measures_flags(given)
    with reading_speech("experiment", given.data, more).telling():
        if given.data is not None:
            part = _commands.given(given, SELECT_OPTIONS["experiment"])
            found["experiment"] = scores(given, {**reading, **part}, _measures(given))
        elif given.example is not None:
            example = datasets.load(given.example)
            found["histories" if isinstance(example, Histories) else "experiment"] = example
    with reading_speech("histories", given.histories, _flags_of_histories(given)).telling():
        if given.histories is not None:
            found["histories"] = Histories.read(given.histories, **logs)
    for takes, data in found.items():
        tell_notes(data, reading_speech(takes, given.data))
        keep_sentence(given, data, given.data if takes == "experiment" else given.histories)
        with reading_speech(takes, None).telling():
            chosen = SELECT_OPTIONS[takes]
            found[takes] = (
                {name: _commands.selected(one, given, chosen) for name, one in data.items()}
                if isinstance(data, dict)
                else _commands.selected(data, given, chosen)
            )
    return found


def _report_speech(given: argparse.Namespace) -> Speech:
    """Return the words of a report for what the API says: several analyses share its options."""
    names = (*READING_OPTIONS["experiment"], *OF_HISTORIES_ALONE, *_SELECT)
    options = {
        **_commands.flags(_PREFIXED, _PREFIX),
        **_commands.flags((*names, *COMPARE_OPTIONS)),
        **_commands.flags(
            (
                *_STOCHASTIC_OPTIONS,
                *_AGGREGATES_OPTIONS,
                *_CV_OPTIONS,
                *_BAYESIAN_OPTIONS,
                *_TREND_OPTIONS,
                *_TARGET_OPTIONS,
                *_PLAN_OPTIONS,
            )
        ),
        **{name: f"--{name}" for name in ("histories", "sections", "title", "date")},
    }
    return speech(options).about(*given.output)


# ------------------------------------------------------------------------------- tables


def _add_tables(commands: Subcommands) -> None:
    tables = command(
        commands,
        "tables",
        "write ranks, tests and adjusted p-values as LaTeX tables",
        "nbcompare tables scores.csv --direction maximize --control C4.5 > tables.tex",
    )
    tables.add_argument(
        "-o", "--output", type=Path, help="file to write (default: standard output), or a folder"
    )
    tables.add_argument(
        "--venue",
        choices=tuple(VENUES),
        help="write what a paper takes in, with tables that fit its columns, into the folder -o: "
        "one file for each table, methods, diagram and literature",
    )
    tables.add_argument(
        "--fragment", action="store_true", help="only the tables, to include into a paper"
    )
    tables.add_argument("--title", default=argparse.SUPPRESS, help="of the document")
    tables.add_argument(
        "--all",
        action="store_true",
        help="every ranking and every procedure at two levels, with contrasts, as a supplement",
    )
    tables.add_argument(
        "--rankings",
        type=lambda text: text.split(","),
        default=argparse.SUPPRESS,
        metavar="NAME,NAME",
        help=f"which to tabulate with --all, of {', '.join(_RANKINGS)} (default: all)",
    )
    _commands.add_arguments(tables.add_argument_group("what to compute"), COMPARE_OPTIONS)
    tables.set_defaults(command=_tables, parser=tables)


def _tables(given: argparse.Namespace) -> Answer:
    options = _commands.given(given, COMPARE_OPTIONS)
    more = {name: getattr(given, name) for name in ("title", "rankings") if hasattr(given, name)}
    settled = [name for name in options if name not in _OF_SUPPLEMENT]
    if given.all and settled:
        flag = _commands.flag(settled[0])
        given.parser.error(f"--all writes every ranking and procedure: give {flag} without --all")
    if not given.all and "rankings" in more:
        given.parser.error("--rankings goes with --all; without it, --ranking takes one")
    if given.venue is not None:
        if given.all or given.fragment or more:
            given.parser.error("--venue goes without --all, --rankings, --fragment and --title")
        if given.output is None:
            given.parser.error("--venue writes several files: give -o and a folder for them")
    table = experiment(given)
    from nbcompare._files import check_target, write_whole
    from nbcompare.report.tables import latex_supplement, latex_tables, paper_kit

    flags = _commands.flags(COMPARE_OPTIONS) | {"rankings": "--rankings"}
    if given.venue is not None:
        with speech(flags).telling(), in_order():
            files = paper_kit(table, given.output, venue=given.venue, **options)
        return Answer("\n".join(map(str, files)), is_all=False)
    if given.output is not None:
        check_target(given.output)
    write = latex_supplement if given.all else latex_tables
    with speech(flags).telling():
        text = write(table, fragment=given.fragment, **more, **options)
    if given.output is None:
        return Answer(text.removesuffix("\n"))
    with in_order():
        write_whole(given.output, text)
    return Answer(str(given.output), is_all=False)


# ------------------------------------------------------------------------------- verify


def _add_verify(commands: Subcommands) -> None:
    what = "compute the results of a report again, and say whether it still holds"
    parser = commands.add_parser(
        "verify",
        usage="%(prog)s REPORT --data FILE [options]",
        help=what,
        description=f"{what[0].upper()}{what[1:]}. The exit code is 0 if it does, 1 if it does "
        "not, 2 if that cannot be said, as of a PDF, of whose pages no number is compared.",
        epilog="example: nbcompare verify report.html --data scores.csv",
    )
    parser.add_argument("page", type=Path, metavar="REPORT", help="report.html, .pdf or .ipynb")
    parser.add_argument(
        "--data", type=Path, metavar="FILE", help=f"table of scores ({TABLE_FILES})"
    )
    parser.add_argument(
        "--histories",
        type=Path,
        metavar="FILE",
        help=f"logs of runs ({LOG_FILES})",
    )
    parser.add_argument("--example", metavar="NAME", help="a bundled example instead of a file")
    _add_measures(parser)
    files = parser.add_argument_group("how to read the files, as it was for the report")
    _commands.add_arguments(files, READING_OPTIONS["experiment"])
    _commands.add_arguments(
        parser.add_argument_group("which part of the table of scores to read"),
        SELECT_OPTIONS["experiment"],
    )
    _add_of_histories(files)
    parser.set_defaults(command=_verify, parser=parser)


def _verify(given: argparse.Namespace) -> Answer:
    """Say whether the report holds, and where it does not."""
    from nbcompare.report import verify

    names = (*READING_OPTIONS["experiment"], *OF_HISTORIES_ALONE, *SELECT_OPTIONS["experiment"])
    options = _commands.flags(names) | {
        name: f"--{name}" for name in ("data", "histories", "example")
    }
    options |= _measures_flags(given)
    words = speech(options).about(given.page.name, given.data, given.histories)
    logs = _reading_of_histories(given) if given.histories is not None else {}
    try:
        with words.telling():
            found = verify(
                given.page,
                data=given.data,
                histories=given.histories,
                example=given.example,
                reading={
                    **_commands.given(
                        given, (*READING_OPTIONS["experiment"], *SELECT_OPTIONS["experiment"])
                    ),
                    **_measures(given),
                },
                history_reading=logs,
            )
    except (ValueError, MemoryError, ImportError) as error:
        given.parser.error(words.says(str(error)))
    code = 0 if found.holds else 1 if found.all_problems or found.is_whole is False else 2
    return Answer(str(found), code, unsaid=2, is_all=False)
