"""Planning of an experiment: how many data sets, folds or runs it needs, by a pilot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from nbcompare._options import default
from nbcompare._progress import Progress
from nbcompare._render import Note, plural
from nbcompare.analysis.frames import asked_of, keep_read
from nbcompare.experiment import FRAME, Experiment, Frame, experiment_of
from nbcompare.results import Labelled, Plan
from nbcompare.results.plan import ITEMS, NOUNS, RUNS
from nbcompare.study._pilot import Piloted, Simulated, piloted_by
from nbcompare.study._simulate import seed_of
from nbcompare.study._sizes import ENOUGH, Search, powers_of

Adjust = str | Sequence[str] | None
_LEAST = 2
_SMALL = 10  # data sets, folds or runs of a pilot: fewer tell little about others
_MORE_ITEMS = 8  # times as many as the pilot has are tried by default
_SLOW = 300  # experiments around an answer where each takes long


def plan(
    pilot: Experiment | Frame,
    *,
    direction: str | None = None,
    unit: str = default("unit"),
    power: float = default("power"),
    prior: float = default("prior"),
    largest: int = default("largest"),
    control: str | None = default("control"),
    pairs: str = default("pairs"),
    ranking: str = default("ranking"),
    adjust: Adjust = default("adjust"),
    alpha: float = default("alpha"),
    method: str = default("method"),
    scale: str = default("scale"),
    formulas: str = default("formulas"),
    ratio: float | None = default("ratio"),
    missing: str = default("plan.missing"),
    confidence: float = default("confidence"),
    rng: int | None = 0,
    n_jobs: int | None = None,
) -> Plan:
    """Say how many data sets an experiment needs to find the differences of a pilot.

    Populations that the pilot leaves open are drawn, experiments of growing numbers of data sets
    from each of them, and the tests of :func:`nbcompare.compare` are applied. The answer is the
    smallest number at which the wanted share of the experiments, over all populations, finds the
    differences of the pilot (the assurance): for each pair in the pilot's direction, and for all
    pairs that the pilot found significant at once. Of a single data set, folds or runs are planned.

    Parameters
    ----------
    pilot : Experiment or dataframe
        At least 2 algorithms. A few data sets, folds or runs of each algorithm that is planned for.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    unit : {"auto", "datasets", "folds", "runs", "items"}
        What is planned. ``datasets``: the number of data sets, compared by :func:`compare`.
        ``folds``: that of the folds of a single data set, or of random splits if it has runs
        without folds, compared by :func:`compare_cv` with the ``ratio`` of the pilot. Their
        training sets overlap, so the folds of each draw have a random part in common. ``runs``:
        that of the runs of each fold, drawn for each algorithm by itself; several data sets are
        compared by :func:`compare`, the folds of a single one by :func:`compare_stochastic`, and
        the runs of one without folds by :func:`compare_runs`. ``items``: that of the items of one
        benchmark, or of their clusters, compared by :func:`compare_items`. ``auto``: data sets if
        there are several, else items, runs without folds, folds, or runs of each fold if some
        algorithms have fewer runs.
    power : float, default 0.8
        The wanted probability of finding what is there, on average over the populations.
    prior : float, default 2
        How many data sets (folds, runs) without a difference are added to those of the pilot, since
        differences that are significant in a small pilot tend to be too large: those of 10 become
        smaller by a sixth. 0 adds none.
    largest : int, default 500
        The largest number that is tried; of items, by default 8 times as many as the pilot has if
        that is more.
    control, pairs, ranking, adjust, alpha, method, scale, formulas
        Options of :func:`compare`. What is ``auto`` is settled by the pilot, also whether the data
        sets are on one scale. Of the folds or runs of one data set, ``control``, ``adjust`` and
        ``alpha`` alone. The control ``"best"`` is the best one of the pilot, as if it were named.
    ratio : float, optional
        The size of a test set over that of a training set, for folds, as in :func:`compare_cv`.
    missing : {"raise", "drop"}
        What to do if a score is missing: raise an error, or leave out the data set.
    confidence : float, default 0.95
        Coverage of the intervals.
    rng : int or None, default 0
        Seed of the random numbers. None draws a new one, which the result records.
    n_jobs : int, optional
        Number of workers, -1 for as many as there are cores; needs joblib. By default it is that
        of ``joblib.parallel_config``, if one is in use, else 1. The result is the same with any.

    Returns
    -------
    Plan
        The result, which displays itself; ``n`` is the number.
        :func:`nbcompare.plots.planning_curve` shows it.

    Raises
    ------
    DataError
        If scores are missing, intervals or infinite, if there is too little to draw from, or if no
        two algorithms differ.
    ValueError
        If an option is out of range or does not go with what is planned.

    Notes
    -----
    A population gives each data set of the pilot a random weight (Rubin's Bayesian bootstrap). What
    the prior adds has the differences of the pilot's data sets with either sign: there, scores are
    reflected at the middle between the best and the worst, so that no scale is needed and ties stay
    ties. Four experiments come from each population. The pairs of them in which both, one or none
    finds a difference tell how much the power differs between populations, whose probits are taken
    for normal. The interval of an answer has the numbers that the middle part of the populations
    need for the wanted power.

    Numbers that grow by half are looked at first, with 800 experiments each, then around each
    answer until there are 2,500 (120 and 300 where runs are compared, which takes long). Up to 20,
    each number has experiments of its own, because the power of exact tests grows in jumps.
    Beyond, a logistic curve over the logarithm of the number tells the power around the answer.
    Where the power falls now and then as the number grows, neighbours are pooled.

    The decisions are those of :func:`compare` on every simulated experiment. A plan is as good as
    its pilot: fewer than 10 data sets say little.

    References
    ----------
    Rubin (1981), O'Hagan et al. (2005), Demšar (2006), Button et al. (2013), Green and MacLeod
    (2016). The ``references`` of the result give them in full.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> pilot = nbc.datasets.load("demsar2006").select(algorithms=["C4.5", "C4.5+m"])
    >>> plan = nbc.plan(pilot)
    >>> plan
    <Plan: To find that C4.5+m is better than C4.5, the only difference that the pilot found
    significant, with a power of 0.8 on average over what the pilot leaves open, 24 data sets are
    needed (95 % interval 8 to 137); the pilot has 14>
    >>> nbc.plan(pilot, prior=0).n < plan.n
    True
    """
    arguments = locals()
    experiment = experiment_of(pilot, direction, "pilot")
    of_data = ("pilot", "direction", "n_jobs")
    asked = {name: value for name, value in arguments.items() if name not in of_data}
    options: dict[str, Any] = {**asked_of("plan", asked), "adjust": _procedures(adjust)}
    options["rng"] = seed_of(rng)
    piloted = piloted_by(experiment, options)
    if piloted.unit == ITEMS and largest == default("largest"):  # of which there are many
        options["largest"] = max(largest, _MORE_ITEMS * piloted.n)
    targets = piloted.targets
    with Progress("simulated experiments", None) as bar:
        search = Search(
            Simulated(piloted, prior=options["prior"], seed=options["rng"], n_jobs=n_jobs, bar=bar),
            len(targets.first) + bool(targets.significant.any()),
            least=_LEAST,
            largest=options["largest"],
            pilot=piloted.n,
            power=options["power"],
            confidence=options["confidence"],
            enough=ENOUGH if piloted.design.is_fast else _SLOW,
        )
        for total in search.run():
            bar.expect(total)
            seen = {**options, "largest": int(search.tallies.sizes[-1])}  # larger ones are to come
            bar.offer(partial(_result, experiment, piloted, search, seen))
    result = _result(experiment, piloted, search, options)
    if not isinstance(pilot, Experiment):
        keep_read(result, experiment)
    return result


def _procedures(adjust: Adjust) -> str | tuple[str, ...] | None:
    return adjust if adjust is None or isinstance(adjust, str) else tuple(adjust)


def _result(
    experiment: Experiment, piloted: Piloted, search: Search, options: Mapping[str, Any]
) -> Plan:
    targets, answers = piloted.targets, search.answers
    n_pairs = len(targets.first)
    # those that need least first; of several, those with the smaller p
    needed = answers.n[:n_pairs]
    rank = np.arange(n_pairs) if targets.significant.any() else -targets.difference
    order = np.lexsort((rank, np.where(needed == 0, 2**60, needed)))
    columns = np.append(order, np.arange(n_pairs, len(answers)))
    found, rising = powers_of(search.tallies, columns, options["confidence"])
    kept = ("power", "alpha", "prior", "largest", "confidence")
    read = tuple(note for note in experiment.notes if note.code == FRAME)
    return Plan(
        **{name: options[name] for name in kept},
        unit=piloted.unit,
        n_pilot=piloted.n,
        first=tuple(targets.first[row] for row in order),
        second=tuple(targets.second[row] for row in order),
        difference=targets.difference[order],
        pvalue=targets.pvalue[order],
        significant=targets.significant[order],
        needed=answers.take(order),
        together=answers.take(columns[n_pairs:]) if len(answers) > n_pairs else None,
        sizes=search.tallies.sizes,
        repetitions=search.tallies.trials,
        found=found,
        rising=rising,
        tests=piloted.tests,
        several_scales=piloted.several_scales,
        notes=(*read, *_notes(piloted)),
        design=replace(piloted.result.design, options=Labelled(options)),
    )


def _notes(piloted: Piloted) -> Iterator[Note]:
    if piloted.n < _SMALL:
        noun = NOUNS[piloted.unit]
        yield Note(
            "small-pilot",
            f"The pilot has {plural(piloted.n, noun)}: fewer than {_SMALL} say little about "
            "others, and the plan is as uncertain as the pilot. Plan again when there are more.",
        )
    if not piloted.targets.significant.any():
        yield Note(
            "nothing-significant",
            "The pilot found no pair significant. What looks like a difference there may be "
            "chance, and a plan for it too.",
        )
    equal = piloted.targets.n_equal
    if equal:
        yield Note(
            "equal-pairs",
            f"{plural(equal, 'pair')} {'does' if equal == 1 else 'do'} not differ in the pilot, so "
            "there is nothing to plan for.",
        )
    if any(note.code == "control-from-data" for note in piloted.notes):
        yield Note(
            "control-from-data",
            f"The control, {piloted.control}, was chosen from the pilot. In the experiments "
            "to come it is one that is named beforehand.",
        )
    kept = {"one-data-set", "no-variance", "ratio", "clusters"}
    if piloted.unit == RUNS:  # more runs do not make more folds, more data sets and folds do
        kept.add("never-significant")
    yield from (note for note in piloted.notes if note.code in kept)
