"""``nbcompare report``: from a table of results to files that can be handed in."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbcompare import _commands, _options
from nbcompare.cli._data import (
    HISTORY_OPTIONS,
    OF_HISTORIES_ALONE,
    Answer,
    check_source,
    command,
    flag,
    need_direction,
)
from nbcompare.cli._signals import in_order

if TYPE_CHECKING:
    from nbcompare.cli._data import Commands
    from nbcompare.report.report import Report

_TREND_OPTIONS = ("cutpoints", "optimum_tolerance", "aggregate", "differences", "null")
_STOCHASTIC_OPTIONS = ("procedure", "encoding", "coverage", "blocks")
# Those that share a word with options of the comparison by ranks
_PREFIXED = (
    "stochastic.test",
    "adjust",
    "stochastic.method",
    "stochastic.n_resamples",
    "rng",
    "stochastic.missing",
)
_PREFIX = "stochastic"
_SHARED = ("control", "alpha", "formulas")
_RANKS_ONLY = {_options.AUTO, "nemenyi"}


def add_commands(commands: Commands) -> None:
    """Add the command."""
    report = command(
        commands,
        "report",
        "turn a table of results into a report",
        "nbcompare report scores.csv --direction maximize --control C4.5 -o report.html",
    )
    report.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        action="append",
        help="report.html (one page, no network needed), report.ipynb, report.pdf or report.tex; "
        "may be given again",
    )
    _add_document(report.add_argument_group("what the report tells"))
    _commands.add_arguments(report.add_argument_group("what to compute"), _commands.COMPARE_OPTIONS)
    runs = report.add_argument_group("repeated runs of stochastic algorithms")
    runs.add_argument(
        "--stochastic", action="store_true", help="compare them by their runs, beside their means"
    )
    _commands.add_arguments(runs, _STOCHASTIC_OPTIONS)
    _commands.add_arguments(runs, _PREFIXED, _PREFIX)
    logs = report.add_argument_group("how optimisers converge, beside or instead of scores")
    logs.add_argument(
        "--histories",
        type=Path,
        metavar="FILE",
        help="logs of runs (.csv, .tsv, .parquet, or an IOHprofiler folder)",
    )
    _commands.add_arguments(logs, (*OF_HISTORIES_ALONE, *_TREND_OPTIONS))
    report.set_defaults(command=_report, parser=report)


def _add_document(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--sections",
        type=_section_names,
        metavar="NAME,NAME",
        help=f"of {', '.join(_options.SECTIONS)} (default: those that suit the data)",
    )
    _commands.add_document(
        group.add_argument,
        date="as it shall be read (default: none)",
        cell="one cell of the notebook",
    )


def _section_names(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in _options.SECTIONS:
            raise argparse.ArgumentTypeError(
                f"there is no section {name!r}; sections are {', '.join(_options.SECTIONS)}"
            )
    return names


def _report(given: argparse.Namespace) -> Answer:
    from nbcompare.report import export

    reading, logs = _reading(given)
    compare = _commands.given(given, _commands.COMPARE_OPTIONS)
    stochastic = _stochastic(given, compare)

    def build() -> Report:
        # Imported while the kernel starts: pandas, scipy and matplotlib take a second.
        from nbcompare.report.report import Report

        return Report(
            **_data(given, reading, logs),
            title=given.title,
            authors=given.authors,
            abstract=given.abstract,
            date=given.date,
            sections=given.sections,
            compare=compare,
            stochastic=stochastic,
            convergence=_commands.given(given, _TREND_OPTIONS),
        )

    with in_order():
        paths = export(given.output, build, timeout=given.timeout)
    return Answer("\n".join(map(str, paths)), is_all=False)


def _reading(given: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """How to read the table of scores, and the histories."""
    if given.histories is None:
        alone = _commands.given(given, OF_HISTORIES_ALONE)
        if alone:
            given.parser.error(f"--{flag(next(iter(alone)))} is for --histories")
        return check_source(given), {}
    logs = _commands.given(given, HISTORY_OPTIONS)
    if "direction" not in logs and not given.histories.is_dir():
        need_direction(given, "file of values")
    # they are about the histories, unless a table of scores shares them
    return (check_source(given) if given.data is not None else {}), logs


def _stochastic(given: argparse.Namespace, compare: dict[str, Any]) -> dict[str, Any] | None:
    """Options of the comparison by runs: its own, and those it shares; None without it."""
    own = {
        **_commands.given(given, _STOCHASTIC_OPTIONS),
        **_commands.given(given, _PREFIXED, _PREFIX),
    }
    if not given.stochastic and "stochastic" not in (given.sections or ()):
        for name in own:
            plain = name in _STOCHASTIC_OPTIONS
            option = flag(name if plain else f"{_PREFIX}-{name}")
            given.parser.error(f"--{option} is for --stochastic")
        return None
    shared = {name: compare[name] for name in _SHARED if name in compare}
    if not _RANKS_ONLY & set(compare.get("adjust") or ()) and "adjust" in compare:
        shared["adjust"] = compare["adjust"]
    if compare.get("missing") == "drop":
        shared["missing"] = "drop"
    return {**shared, **own}


def _data(
    given: argparse.Namespace, reading: dict[str, Any], logs: dict[str, Any]
) -> dict[str, Any]:
    """The experiment, the histories, or both."""
    from nbcompare import datasets
    from nbcompare.experiment import Experiment
    from nbcompare.histories import Histories

    found: dict[str, Any] = {}
    if given.data is not None:
        found["experiment"] = Experiment.read(given.data, **reading)
    elif given.example is not None:
        example = datasets.load(given.example)
        found["histories" if isinstance(example, Histories) else "experiment"] = example
    if given.histories is not None:
        found["histories"] = Histories.read(given.histories, **logs)
    return found
