"""Logs of a run by Stable-Baselines3: episodes of its monitors, or evaluations of the learner."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nbcompare._tables import (
    PLAIN,
    RawTable,
    TextFormat,
    lines_of,
    opened_text,
    parsed_json,
    read_delimited,
    stacked,
)
from nbcompare._validation import DataError
from nbcompare.formats.arrays import arrays_in
from nbcompare.formats.given import Given, Imported, score

# What EvalCallback saves first
_EVALUATIONS = r"PK\x03\x04[\s\S]{26}timesteps\.npy"
SIGN = rf'\A(#\{{.*"t_start":|{_EVALUATIONS})'
SUFFIXES = (".csv", ".npz")
_READING = {"direction": "maximize"}
# Of an episode: its reward, its steps, and seconds since the start
_CALLED = {"r": "episode_reward", "l": "episode_length", "t": "time"}
_PER_EPISODE = {"results": "mean_reward", "ep_lengths": "mean_ep_length", "successes": "success"}


def read(given: Given) -> Imported:
    """Return the rewards of one run over its timesteps."""
    return read_run([given.path], given.text)


def read_run(files: Sequence[Path], text: TextFormat = PLAIN) -> Imported:
    """Return the rewards of a run over its timesteps.

    Parameters
    ----------
    files : sequence of Path
        Evaluations, or a monitor; of environments that ran side by side, the monitor of each.
    text : TextFormat
        How text is written.
    """
    if not files[1:] and files[0].suffix.lower() == ".npz":
        return Imported(_evaluations(files[0]), _READING)
    starts, tables = zip(*(_monitor(file, text) for file in files), strict=True)
    names = tables[0].columns
    columns = {name: stacked([table.columns[name] for table in tables]) for name in names}
    late = np.repeat(np.array(starts) - min(starts), [table.n_rows for table in tables])
    run = RawTable(files[0].name, columns, text=text)
    run = run.with_columns({"time": run.numbers("time") + late})
    if tables[1:]:  # an episode counts when it ends, as in `load_results`
        run = run.part(np.argsort(run.numbers("time"), kind="stable"))
    steps = {"timesteps": np.cumsum(run.numbers("episode_length"))}
    return Imported(run.with_columns(steps, kept=None), _READING)


def _monitor(file: Path, text: TextFormat) -> tuple[float, RawTable]:
    """Return when the episodes in a file began, which its first line says, and these."""
    with opened_text(file, text.encoding) as stream:
        lines = lines_of(stream, file.name)
        first = next(lines, "")
        if not first.startswith("#{"):
            raise DataError(
                f"{file.name} is no monitor of Stable-Baselines3, of which alone a run may have "
                "several files. Write {run} for the * in the pattern if each is a run."
            )
        head: Any = parsed_json(first[1:], f"{file.name}, line 1")
        table = read_delimited(lines, file.name, None, text)
    if lacking := [name for name in _CALLED if name not in table.columns]:
        raise DataError(f"{file.name} must have the columns r, l and t; it has no {lacking[0]!r}.")
    columns = {_CALLED.get(name, name): held for name, held in table.columns.items()}
    if head.get("env_id") not in (None, "None"):
        columns["env"] = np.full(table.n_rows, str(head["env_id"]), dtype=object)
    start = score(head.get("t_start"), f"{file.name}, line 1, 't_start'") or 0.0
    return start, RawTable(file.name, columns, text=text)


def _evaluations(file: Path) -> RawTable:
    """Return the means over the episodes of each evaluation."""
    arrays = arrays_in(file)
    steps = arrays["timesteps"]
    columns = {"timesteps": steps.astype(np.float64)}
    for name, called in _PER_EPISODE.items():
        if name in arrays:
            one = arrays[name]
            if one.ndim != 2 or len(one) != len(steps) or one.dtype.kind not in "biuf":
                raise DataError(
                    f"{file.name}: {name!r} must have a row of numbers for each of the "
                    f"{len(steps)} timesteps; got shape {one.shape} of {one.dtype}."
                )
            columns[called] = one.mean(axis=1)
    return RawTable(file.name, columns)
