"""Make the histories ``convergence_de`` by the command below.

``python -m bundled.make_convergence_de FILE.csv.gz`` writes how seven optimisers
converge on 19 functions in 10 and in 30 dimensions: 15 runs of 20,000 evaluations each, and the
best error so far at 50 regular points. It needs nothing but NumPy and takes about three minutes.

After the design of Derrac, J., García, S., Hui, S., Suganthan, P. N. and Herrera, F. (2014), whose
six optimisers are all of differential evolution; here three are, beside four of other kinds. As is
usual in competitions of the IEEE CEC, an error below 1e-8 counts as none and stands as 0 in the
file; others keep four significant digits. The budget is such that some functions are solved long
before its end and others never are.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from bundled.functions import FUNCTIONS, Problem
from bundled.optimisers import BUDGET, OPTIMISERS, Streams
from bundled.study import output_path, seed, write_table
from nbcompare._arrays import FloatArray

# The NumPy with which the bundled file was made.
MADE_WITH = "2.4.6"
DIMENSIONS = (10, 30)
N_RUNS = 15
N_POINTS = 50
SOLVED = 1e-8
EVALUATIONS = tuple(BUDGET // N_POINTS * point for point in range(1, N_POINTS + 1))
PROBLEMS = {
    problem.name: problem
    for problem in (Problem(name, size) for name in FUNCTIONS for size in DIMENSIONS)
}


def history(problem: str, algorithm: str, runs: Sequence[int]) -> FloatArray:
    """Return best errors so far [run, point]; a run does not depend on those beside it.

    Parameters
    ----------
    problem, algorithm : str
        Names in ``PROBLEMS`` and ``OPTIMISERS``.
    runs : sequence of int
        Numbers of runs, which count from 1.
    """
    objective = PROBLEMS[problem]
    streams = Streams([seed(problem, algorithm, run) for run in runs])
    values = np.full((len(runs), BUDGET), np.inf)
    best = np.full(len(runs), np.inf)
    done = 0
    for batch in OPTIMISERS[algorithm](objective, objective.dimension, streams):
        part = batch[:, : BUDGET - done]
        values[:, done : done + part.shape[1]] = part
        done += part.shape[1]
        best = np.minimum(best, part.min(axis=1))
        if done == BUDGET or (best < SOLVED).all():
            break  # nothing of what follows is kept
    return _as_stored(np.minimum.accumulate(values, axis=1)[:, np.array(EVALUATIONS) - 1])


def _as_stored(errors: FloatArray) -> FloatArray:
    """Round errors to four significant digits, to 0 where a function is solved."""
    rounded = [float(f"{error:.4g}") if error >= SOLVED else 0.0 for error in errors.flat]
    return np.array(rounded).reshape(errors.shape)


def rows(
    problems: Iterable[str] = tuple(PROBLEMS), n_runs: int = N_RUNS
) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the file, one per run, with a progress bar."""
    from tqdm.auto import tqdm

    cells = [(problem, algorithm) for problem in problems for algorithm in OPTIMISERS]
    runs = range(1, n_runs + 1)
    for problem, algorithm in tqdm(cells, desc="optimising", delay=2, mininterval=1):
        for run, errors in zip(runs, history(problem, algorithm, runs), strict=True):
            yield (problem, algorithm, run, *(f"{error:.4g}" for error in errors))


def main(arguments: Sequence[str] | None = None) -> int:
    """Translate a command line into the file.

    Returns
    -------
    int
        Exit code, 0.
    """
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    path = output_path(parser, arguments, "a row per run")
    write_table(path, ("problem", "algorithm", "run", *EVALUATIONS), rows())
    print(f"{path}: made with NumPy {np.__version__}; the bundled file with {MADE_WITH}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
