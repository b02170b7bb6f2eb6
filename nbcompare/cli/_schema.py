"""The command that shows how a table or logs are understood, and the line that compares them."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbcompare import _commands
from nbcompare._commands import READING_OPTIONS, OptionParser
from nbcompare._files import write_whole
from nbcompare._options import DIRECTIONS, MAXIMIZE, RAW
from nbcompare._validation import DataError
from nbcompare.cli._data import (
    OF_BOTH,
    OF_HISTORIES_ALONE,
    READING,
    Answer,
    Command,
    add_data,
    add_options,
    check_source,
    first_given,
    need_direction,
    reading_speech,
)

if TYPE_CHECKING:
    from nbcompare.experiment import Schema
    from nbcompare.histories import Histories

_SCORES = READING["experiment"]
_OF_SCORES_ALONE = tuple(name for name in _SCORES if name not in OF_BOTH)


def command() -> Command:
    """Return ``nbcompare read``."""
    return Command(
        "read",
        "show what each column of a table of scores, or of logs of runs, is taken for, what is "
        "doubtful, and the line that compares them",
        "[data] [options]",
        _add,
        _show,
        "nbcompare read scores.csv --where split=test",
    )


def _add(parser: OptionParser) -> None:
    add_data(parser)
    logs = add_options(parser, "how to read logs of runs", OF_HISTORIES_ALONE)
    logs.add_argument(
        "--histories",
        action="store_true",
        help="these are logs of runs (default: if they are no table of scores)",
    )
    logs.add_argument(
        "--at", type=float, help="write the value of each run after so many evaluations, as a score"
    )
    logs.add_argument(
        "--area", action="store_true", help="write the mean of each curve over its evaluations"
    )
    logs.add_argument("-o", "--output", type=Path, help="table of these scores to write (.csv)")


def _show(given: argparse.Namespace) -> Answer:
    from nbcompare import formats
    from nbcompare.experiment import called

    if given.data is None or given.example is not None:
        given.parser.error("give a table of scores, or logs of runs")
    of_logs, of_scores = (
        reading_speech(takes, given.data) for takes in ("histories", "experiment")
    )
    writes = given.at is not None or given.area
    if writes != (given.output is not None) or (given.area and given.at is not None):
        given.parser.error("scores of logs need --at or --area, and a file: -o scores.csv")
    if writes or given.histories or first_given(given, OF_HISTORIES_ALONE):
        if wrong := first_given(given, _OF_SCORES_ALONE):
            given.parser.error(f"{wrong} is for a table of scores, not for logs of runs")
        with of_logs.telling():
            return _written(given) if writes else _logs(given)
    is_settled = first_given(given, _OF_SCORES_ALONE) or str(given.data) == "-"  # read once
    try:
        with of_scores.telling():
            schema, answer = _scores(given)
    except (ValueError, IsADirectoryError):
        of_program = formats.recognised(given.data)
        may_be_logs = of_program in (None, "folder", "stable-baselines3")
        if is_settled or not (may_be_logs and (of_program or given.data.exists())):
            raise
        with of_logs.telling():
            found = _logs_if_any(given)
        if found is None:
            raise
        return found
    counts = called("evaluations", schema.scores)
    if is_settled or not counts:
        return answer
    try:
        return _logs(given)
    except ValueError:
        raise DataError(
            f"{schema.source}: column {counts[0]!r} may count evaluations. Pass --keep "
            f"{shlex.quote(counts[0])} if it holds scores, or --histories to see what these lack "
            "to be logs of runs."
        ) from None


def _scores(given: argparse.Namespace) -> tuple[Schema, Answer]:
    """Show how a table of scores is understood."""
    from nbcompare.experiment import read_schema

    options = _commands.given(given, _SCORES)
    schema, notes, is_known = read_schema(given.data, **options)
    words = reading_speech("experiment", given.data)
    told = [str(schema), *(f"Note: {words.says(note.text)}" for note in notes)]
    if not is_known:
        told.append("Add --direction maximize if high scores are better, or --direction minimize.")
    line = _line("compare", given.data, options, _SCORES)
    return schema, Answer("\n\n".join([*told, f"To compare: {line}"]))


def _written(given: argparse.Namespace) -> Answer:
    """Write the score of each run in logs as a table, which the other commands take."""
    from nbcompare.histories import Histories

    options = check_source(given, "histories")
    histories = Histories.read(given.data, **options)
    scores = histories.area() if given.area else histories.at(given.at)
    write_whole(given.output, scores.to_frame("long").to_csv(index=False))
    known = {"direction": histories.direction, "measure": scores.measure}
    return Answer(f"To compare: {_line('compare', given.output, known, _SCORES)}")


def _logs_if_any(given: argparse.Namespace) -> Answer | None:
    """Show how logs are understood; None for what does not look like logs."""
    from nbcompare.experiment import ReadingError, called

    try:
        return _logs(given)
    except ReadingError as error:
        names = [use.name for use in error.columns]
        if not names or called("evaluations", names):
            raise
    except ValueError:
        if given.data.is_dir():
            raise
    return None


def _logs(given: argparse.Namespace) -> Answer:
    """Show how logs are understood, and a line for each direction in which they can be read."""
    from nbcompare.experiment import ReadingError

    options = _commands.given(given, READING_OPTIONS["histories"])
    is_said = "direction" in options or given.data.is_dir()
    if str(given.data) == "-" and not is_said:
        need_direction(given, "histories")
    words = reading_speech("histories", given.data)
    read: dict[str, tuple[Histories, str]] = {}
    refused: list[ReadingError] = []
    for way in [{}] if is_said else [{"direction": word} for word in DIRECTIONS]:
        try:
            histories, more, why = _read(given.data, {**options, **way})
        except ReadingError as error:
            refused.append(error)
            continue
        chosen = {**options, **way, **more}
        names = READING_OPTIONS["histories"]
        line = _line("page-trend", given.data, chosen, names)
        if min(histories.n_problems, histories.n_algorithms) < 2:  # too few for a trend
            line = _line("fixed-targets", given.data, chosen, names)
            line += " --targets quantiles" * (histories.optimum is None)
        if histories.is_raw:
            line = f"{_line('read', given.data, chosen, names)} --area -o scores.csv"
        better = "" if is_said else f", if {_HIGH_OR_LOW[histories.direction]} values are better"
        read[f"To compare{better}: {line}"] = histories, why
    if not read:  # advice that holds in either direction is better
        raise min(refused, key=lambda error: any("direction" in way for way in error.advice))
    shown, why = next(iter(read.values()))
    texts = filter(None, [*(note.text for note in shown.notes), why])
    notes = [f"Note: {words.says(text)}" for text in texts]
    return Answer("\n\n".join([str(shown.schema), *notes, *read]))


_HIGH_OR_LOW = {word: "high" if word == MAXIMIZE else "low" for word in DIRECTIONS}


def _read(path: Path, options: Mapping[str, Any]) -> tuple[Histories, dict[str, Any], str]:
    """Read logs, with what else they need as to uneven runs, and why; refuse other doubts."""
    from nbcompare.experiment import ReadingError, joined
    from nbcompare.histories import Histories

    try:
        return Histories.read(path, **options), {}, ""
    except ReadingError as error:
        is_other_direction = any("direction" in way for way in error.advice)
        ways = [dict(way) for way in error.advice if way.get("values") != RAW]
        if error.columns or is_other_direction or not ways:
            raise
        return Histories.read(path, **joined(options, ways[0])), ways[0], error.text


def _line(name: str, path: Path, options: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return shlex.join(["nbcompare", name, str(path), *_commands.written(options, names)])
