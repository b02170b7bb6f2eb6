"""Expected running times and rates of success of optimisers, for fixed targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._options import QUANTILES, default
from nbcompare._render import Note
from nbcompare._validation import named
from nbcompare.analysis.convergence import check_histories, without_incomplete
from nbcompare.analysis.frames import asked_of, result_of
from nbcompare.analysis.rules import TREND_RULES, State, check_rules, facts_of_histories
from nbcompare.histories import Histories, Runtimes
from nbcompare.results import FixedTargets
from nbcompare.results.texts import note
from nbcompare.stats.fixed_targets import expected_running_times, restarted, steps_of_runs

# A hit is known to this share of its evaluations, or a note says that the points are coarse
_FINE = 0.1


def fixed_targets(
    histories: Histories,
    *,
    targets: Any = default("targets"),
    precisions: npt.ArrayLike | None = default("precisions"),
    restarts: bool = default("restarts"),
    missing: str = default("convergence.missing"),
) -> FixedTargets:
    """Compute how long optimisers take to reach targets, and how often they do.

    The **expected running time** (ERT) of an algorithm to a target on a problem is the sum of the
    evaluations of all its runs, those of a successful run up to and including the evaluation that
    reached the target and those of any other run in full, whatever budget other algorithms had,
    divided by the number of successful runs. Without a success it is infinite. It estimates how
    long independent restarts would take on average. The share of all targets that runs have
    reached by a number of evaluations is the runtime distribution, which
    :func:`nbcompare.plots.runtime_distribution` draws. Nothing is tested.

    Parameters
    ----------
    histories : Histories
        Any number of algorithms and problems.
    targets : array_like, mapping from every problem to numbers, or "quantiles", optional
        Values of the objective; a run reaches one when its best value is that or better. A list
        is for all problems; a mapping has as many for each. ``quantiles``: ten for every problem
        that are chosen from these histories, the deciles of all values that were recorded on it,
        up to the best of all; they depend on which algorithms are there.
    precisions : array_like, optional
        Distances from the known optima instead. Without either, 51 of them, from 1e2 to 1e-8 in
        equal steps of their logarithm, as COCO has them.
    restarts : bool
        Whether the runtime distribution goes on beyond the end of runs that missed a target, by
        simulated restarts: runs of the algorithm on the problem are drawn and added up until one
        reaches the target. The figures of COCO do so. Expected running times are the same.
    missing : {"raise", "drop"}
        ``raise``: a problem on which an algorithm has no run is an error that names it.
        ``drop``: such problems are left out.

    Returns
    -------
    FixedTargets
        The result, which displays itself; see also its ``to_frame()`` and ``sentences``, and
        ``to_experiment()``, which gives the expected running times to one target as scores that
        :func:`nbcompare.compare` takes.

    Raises
    ------
    DataError
        If optima are needed and not known, or an algorithm has no run on a problem.
    ValueError
        If targets are not numbers that differ, or not as many for every problem.

    Notes
    -----
    A hit counts at the first evaluation that was **logged** with a value at the target: exact where
    improvements are logged; a note says so where logs are at points that all runs share, so far
    apart that this matters. Runs count with their own evaluations, those that stop at a target
    with the evaluations until then.

    Expected running times to several targets on one problem come from the same runs, so they are
    not independent, and a test takes one target for each problem.

    References
    ----------
    Auger, A. and Hansen, N. (2005). Performance evaluation of an advanced local search
    evolutionary algorithm. IEEE Congress on Evolutionary Computation, 1777-1784.
    Hansen, N., Auger, A., Ros, R., Mersmann, O., Tušar, T. and Brockhoff, D. (2021). COCO: a
    platform for comparing continuous optimizers in a black-box setting. Optimization Methods and
    Software 36 (1), 114-144.
    Wang, H., Vermetten, D., Ye, F., Doerr, C. and Bäck, T. (2022). IOHanalyzer: detailed
    performance analyses for iterative optimization heuristics. ACM Transactions on Evolutionary
    Learning and Optimization 2 (1), 1-29.

    Examples
    --------
    Of two runs of 30 evaluations, one reaches 2, at 20 evaluations: (20 + 30) / 1.

    >>> import nbcompare as nbc
    >>> histories = nbc.Histories.from_array(
    ...     [[[[9, 2, 1], [7, 6, 6]], [[8, 7, 6], [9, 6, 5]]]], direction="minimize",
    ...     evaluations=[10, 20, 30], algorithms=["DE", "random search"])
    >>> result = nbc.fixed_targets(histories, targets=[6, 2])
    >>> result.to_frame()[["algorithm", "target", "ert", "successes", "runs"]]
           algorithm  target   ert  successes  runs
    0             DE     6.0  20.0          2     2
    1             DE     2.0  50.0          1     2
    2  random search     6.0  25.0          2     2
    3  random search     2.0   inf          0     2
    """
    asked = asked_of("fixed_targets", locals())
    check_histories(histories).check_best_so_far("fixed targets")
    data, left_out = _complete(histories, missing)
    found = data.targets(targets, precisions=precisions)
    times = expected_running_times(found.evaluations, found.budgets)
    missed = np.isinf(found.evaluations).any(axis=3)
    steps = steps_of_runs(
        _restarted(found) if restarts else found.evaluations,
        np.where(missed, found.budgets, np.nan),
    )
    chosen = "precisions"
    if targets is not None:
        chosen = QUANTILES if isinstance(targets, str) else "values"
    asked["targets"] = _recorded(targets)
    asked["precisions"] = None if precisions is None else _numbers(precisions)
    return result_of(
        FixedTargets,
        data,
        asked,
        given=histories,
        targets=found.targets,
        precisions=found.precisions,
        chosen=chosen,
        ert=times.expected,
        successes=times.successes,
        n_runs=data.n_runs,
        budgets=np.nanmax(found.budgets, axis=2),
        **steps._asdict(),
        dimensions=data.dimensions,
        notes=(*data.notes, *left_out, *_notes(data, chosen, found)),
    )


def _numbers(values: Any) -> tuple[float, ...]:
    return tuple(np.atleast_1d(values).astype(float).tolist())


def _recorded(targets: Any) -> Any:
    """Return targets as a result records them: a mapping as rows of a name and numbers."""
    if targets is None or isinstance(targets, str):
        return targets
    if isinstance(targets, Mapping):
        return tuple((str(name), *_numbers(values)) for name, values in targets.items())
    if isinstance(targets, list | tuple) and targets and isinstance(targets[0], list | tuple):
        return tuple((str(row[0]), *map(float, row[1:])) for row in targets)
    return _numbers(targets)


def _restarted(found: Runtimes) -> FloatArray:
    """Return the evaluations at the hits, beyond the end of unsuccessful runs by restarts."""
    hits = found.evaluations.copy()
    for place in np.ndindex(found.n_runs.shape):
        label = f"{found.problems[place[0]]}\0{found.algorithms[place[1]]}"
        rows = (*place, slice(found.n_runs[place]))
        source = np.random.default_rng(int.from_bytes(label.encode(), "big"))
        hits[rows] = restarted(hits[rows], found.budgets[rows], source)
    return hits


def _complete(histories: Histories, missing: str) -> tuple[Histories, tuple[Note, ...]]:
    """Return the histories without problems that an algorithm has no run on."""
    if not histories.missing.any():
        return histories, ()
    facts = facts_of_histories(histories) | {"needed": 1}
    check_rules(TREND_RULES, State(facts, missing=missing), "missing")
    return without_incomplete(histories)


# --------------------------------------------------------------------------------- notes


def _notes(data: Histories, chosen: str, found: Runtimes) -> Iterator[Note]:
    if chosen == QUANTILES:
        yield note("targets-from-data")
    same = (found.targets[:, 1:] == found.targets[:, :-1]).any(axis=1)
    if same.any():
        why = ", because many runs recorded the same value."
        if chosen == "precisions":
            why = ": the numbers there are too large for differences as small as these precisions."
        yield note("equal-targets", problems=_problems(found, same), why=why)
    nowhere = np.asarray(~found.reached[..., -1].any(axis=(1, 2)))
    if nowhere.any():
        yield note("unreached", problems=_problems(found, nowhere))
    if data.logged is None:
        yield from _of_points(found, data.evaluations)
    if any(note.code == "stopped-early" for note in data.notes):
        yield note("short-runs")
    least, most = data.n_runs.min(), data.n_runs.max()
    if most == 1:
        yield note("single-runs/targets")
    elif least < most:
        yield note("runs-differ/targets", least=least, most=most)


def _problems(found: Runtimes, where: BoolArray) -> str:
    return named([found.problems[i] for i in np.flatnonzero(where)], most=3)


def _of_points(found: Runtimes, points: FloatArray) -> Iterator[Note]:
    """Yield a note if hits may have been long before the point that shows them."""
    at = found.evaluations[found.reached]
    before = [
        np.append(0.0, own)[np.searchsorted(own, hits[np.isfinite(hits)])]
        for own, hits in zip(points, found.evaluations, strict=True)
    ]
    since = np.concatenate(before)
    # of a step to the next evaluation, the evaluation is known
    coarse = np.maximum(at - since - 1, 0) > _FINE * at
    if not coarse.any():
        return
    first = (since == 0) & coarse
    even = (
        f", {_percent(first)} even at any evaluation up to the first point" if first.any() else ""
    )
    yield note("coarse-points", share=_percent(coarse), fine=_FINE, even=even)


def _percent(mask: BoolArray) -> str:
    share = float(np.mean(mask))
    return f"{share:.0%}" if share >= 0.01 else "less than 1%"
