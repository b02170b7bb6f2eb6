"""Planning of an experiment by a pilot: the least numbers with which powers are reached."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import scipy

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import default
from nbcompare._progress import Progress
from nbcompare._render import Note, plural
from nbcompare.analysis.data import check_options, keep_read
from nbcompare.experiment import FRAME, Experiment, Frame, experiment_of
from nbcompare.results import Labelled, Plan, Shares
from nbcompare.results.plan import ITEMS, NOUNS, RUNS, Needed, PlanCurve, RisingPower
from nbcompare.stats.proportions import clopper_pearson
from nbcompare.study._pilot import Piloted, Simulated, piloted_by
from nbcompare.study._simulate import EACH, seed_of

# Numbers of the first round grow by this factor, with so many experiments each, or this share of
# those around an answer, which tell the interval
_GROWTH, _FIRST_LOOK, _LOOK_SHARE = 1.5, 120, 0.32
# Below, every number is looked at by itself, because the power of exact tests grows in jumps
_FEW = 20
ENOUGH = 2_500  # experiments around an answer
_WINDOW = 1.6  # numbers that differ from an answer by this factor at most tell its power
_SPREAD = (0.65, 1.0, 1.5)  # times an answer that is not certain yet
_SHARES = (0.15, 0.35, 0.7, 1.0)  # of the experiments, that rounds of the search add up to
_MOST_ROUNDS = 12
_HALVINGS = 40  # of the interval of a correlation
_LEAST_RATIO = 1e-3  # so that deviations are neither 0 nor infinite

# Simulates so many experiments of each of several numbers, and yields part by part in which of them
# each target was found: arrays by number, experiment and target; each EACH experiments are of one
# population
Simulate = Callable[[Sequence[int], int], Iterator[BoolArray]]


class Tallies:
    """Experiments by number, and how many of them found each target."""

    def __init__(self, n_targets: int) -> None:
        self._n_targets = n_targets
        self.trials_by_size: dict[int, int] = {}
        # of experiments that found each target, and of pairs of a population in which both did
        self._counts: dict[int, IntArray] = {}

    def add(self, sizes: Sequence[int], found: BoolArray) -> None:
        """Count more experiments."""
        for size, part in zip(sizes, found, strict=True):
            good = part.reshape(-1, EACH, self._n_targets).sum(axis=1)
            counts = np.stack([part.sum(axis=0), (good * (good - 1)).sum(axis=0)])
            self._counts[size] = self._counts.get(size, 0) + counts
            self.trials_by_size[size] = self.trials_by_size.get(size, 0) + len(part)

    @property
    def sizes(self) -> IntArray:
        """The numbers that were simulated, ascending."""
        return np.array(sorted(self.trials_by_size), dtype=np.int64)

    @property
    def trials(self) -> IntArray:
        """How many experiments of each."""
        return np.array([self.trials_by_size[size] for size in self.sizes.tolist()], dtype=np.int64)

    @property
    def found(self) -> IntArray:
        """How many found each target, in an array by number and target."""
        return np.array([self._counts[size][0] for size in self.sizes.tolist()])

    def spread(self, target: int) -> Spread:
        """Return how far the power of a target differs between populations."""
        pairs = np.array([self._counts[size][1, target] for size in self.sizes.tolist()])
        both = pairs / (self.trials * (EACH - 1))
        return Spread.of(self.found[:, target], both, self.trials)


class Search:
    """The search for one or several targets at once, of which each experiment has an outcome."""

    def __init__(
        self,
        simulate: Simulate,
        n_targets: int,
        *,
        least: int,
        largest: int,
        pilot: int,
        power: float,
        confidence: float,
        enough: int = ENOUGH,
    ) -> None:
        self._simulate = simulate
        self._least, self._largest, self._pilot = least, largest, pilot
        self._power, self._confidence, self._enough = power, confidence, enough
        self.tallies = Tallies(n_targets)
        self._targets = range(n_targets)
        self._begun = 0  # experiments of all rounds until now

    def run(self) -> Iterator[int]:
        """Simulate until the answers are known.

        Yields
        ------
        int
            After each part of the work, about how many experiments there will be, as the answers
            until then have it.
        """
        look = max(_FIRST_LOOK, round(_LOOK_SHARE * self._enough))
        looks = list(self._looks())
        for place, sizes in enumerate(looks):
            yield from self._add(sizes, look, look * len(looks[place + 1 :]))
            if all(self._is_clear(target) for target in self._targets):
                break
        for share in _SHARES:
            yield from self._refine(round(share * self._enough))

    @property
    def answers(self) -> Needed:
        """The answers for the targets, by what was simulated."""
        found = zip(*map(self._needed, self._targets), strict=True)
        return Needed(*map(np.array, found))

    def _add(self, sizes: Sequence[int], times: int, later: int = 0) -> Iterator[int]:
        """Simulate a round; ``later`` is how many experiments there are to be in others."""
        times = -(-times // EACH) * EACH
        self._begun += times * len(sizes)
        rest = None
        for part in self._simulate(sizes, times):
            self.tallies.add(sizes, part)
            if rest is None:  # in the parts of a round it changes little
                rest = sum(self._wanted(self._enough).values())
            yield self._begun + max(later, rest - (self._begun - int(self.tallies.trials.sum())))

    def _looks(self) -> Iterator[list[int]]:
        """Yield growing numbers, first those up to twice the pilot's, then one after the other."""
        sizes = [self._least]
        while sizes[-1] < self._largest:
            more = max(sizes[-1] + 1, math.ceil(sizes[-1] * _GROWTH))
            sizes.append(min(more, self._largest))
        first = [size for size in sizes if size <= 2 * self._pilot] or sizes[:1]
        yield first
        for size in sizes[len(first) :]:
            yield [size]

    def _is_clear(self, target: int) -> bool:
        """Tell whether the largest number so far is beyond the answer and its interval."""
        found, trials = self.tallies.found[-1, target], self.tallies.trials[-1]
        enough = clopper_pearson(found, trials, self._confidence).lower > self._power
        return bool(enough and self.tallies.spread(target).reached(self._power)[-1] > self._tail)

    @property
    def _tail(self) -> float:
        """The quantile of the normal law at the upper end of an interval."""
        return float(scipy.special.ndtri((1 + self._confidence) / 2))

    # -------------------------------------------------------------------- answers

    def _refine(self, enough: int) -> Iterator[int]:
        """Simulate around each answer until so many experiments tell it."""
        for _ in range(_MOST_ROUNDS):
            wanted = self._wanted(enough)
            if not wanted:
                return
            # numbers that need as many experiments are simulated together
            for times in sorted(set(wanted.values())):
                sizes = [size for size in sorted(wanted) if wanted[size] == times]
                yield from self._add(sizes, times)

    def _wanted(self, enough: int) -> dict[int, int]:
        """Return how many more experiments are wanted, by number."""
        wanted: dict[int, int] = {}
        for target in self._targets:
            for size, times in self._lacking(target, enough):
                wanted[size] = max(wanted.get(size, 0), times)
        return wanted

    def _lacking(self, target: int, enough: int) -> Iterator[tuple[int, int]]:
        """Yield numbers near the answer, and how many more experiments they need."""
        n = self._answer(target)
        known = self.tallies.trials_by_size
        if n is None:
            last = int(self.tallies.sizes[-1])
            if last < self._largest:  # the first look ended too early, by chance
                yield min(math.ceil(last * _GROWTH), self._largest), _FIRST_LOOK
            elif self._direct(target).upper[-1] >= self._power and known[last] < enough:
                yield last, enough - known[last]
            return
        if n <= _FEW:
            for size in range(max(n - 1, self._least), n + 1):
                if known.get(size, 0) < enough:
                    yield size, enough - known.get(size, 0)
            return
        near = sorted({min(round(n * factor), self._largest) for factor in _SPREAD})
        there = sum(times for size, times in known.items() if n / _WINDOW <= size <= n * _WINDOW)
        if there < enough:
            for size in near:
                yield size, math.ceil((enough - there) / len(near))

    def _direct(self, target: int) -> PlanCurve:
        """Return the power at every number that was simulated."""
        found, trials = self.tallies.found[:, target], self.tallies.trials
        ends = clopper_pearson(found, trials, self._confidence)
        return PlanCurve(self.tallies.sizes, found / trials, ends.lower, ends.upper)

    def _answer(self, target: int) -> int | None:
        """Return the least number with the wanted power; None if it is beyond the largest."""
        direct, trials = self._direct(target), self.tallies.trials
        shares = rising(direct.power, trials)
        if shares[-1] < self._power:
            return None
        place = int(np.argmax(shares >= self._power))
        n = int(direct.sizes[place])
        if place:
            below = int(direct.sizes[place - 1])
            part = (self._power - shares[place - 1]) / (shares[place] - shares[place - 1])
            n = math.ceil(round(below * (n / below) ** part, 9))
        if n <= _FEW:
            return n
        for _ in range(_MOST_ROUNDS):
            curve = self._smooth(target, n)
            if curve is None:
                return n
            above = curve.sizes[curve.power >= self._power]
            found = max(int(above[0]) if len(above) else int(curve.sizes[-1]), _FEW + 1)
            if found == n or found > self._largest:
                break
            n = found
        return n

    def _smooth(self, target: int, n: int) -> PlanCurve | None:
        """Return the power around a number; None if it cannot be told from numbers nearby.

        It is a logistic curve over the logarithm of the number. The interval is that of as many
        experiments as would tell a single share as surely.
        """
        sizes, trials, found = self.tallies.sizes, self.tallies.trials, self.tallies.found
        near = (sizes >= n / _WINDOW) & (sizes <= n * _WINDOW)
        if near.sum() < 2:
            return None
        places = np.arange(math.ceil(n / _WINDOW), math.floor(n * _WINDOW) + 1)
        fit = _logistic(np.log(sizes[near] / n), found[near, target], trials[near])
        if fit is None:
            return None
        power, variance = _predicted(*fit, np.log(places / n))
        alike = power * (1 - power) / variance
        ends = clopper_pearson(power * alike, alike, self._confidence)
        return PlanCurve(places, power, ends.lower, ends.upper)

    def _needed(self, target: int) -> tuple[float, ...]:
        """Return the answer for a target, in the order of the fields of a record."""
        n, direct, spread = self._answer(target), self._direct(target), self.tallies.spread(target)
        sizes, trials = direct.sizes, self.tallies.trials
        curve = None if n is None or n <= _FEW else self._smooth(target, n)
        if curve is None:
            curve = direct
            at = len(sizes) - 1  # also of a draft, whose curve goes beyond what was simulated
            if n is not None and n <= sizes[-1]:
                at = int(np.searchsorted(sizes, n))
            n = n and int(sizes[at])
        else:
            at = int(np.searchsorted(curve.sizes, n or 0))
        reached = rising(spread.reached(self._power), trials)
        low, high = (_first(sizes, reached, end) for end in (-self._tail, self._tail))
        ends = [
            np.interp(curve.sizes[at], sizes, rising(part, trials))
            for part in spread.ends(self._tail)
        ]
        return (
            n or 0,
            0 if low is None else min(math.ceil(low), n or self._largest),
            0 if high is None or n is None else max(math.ceil(high), n),
            curve.power[at],
            min(ends[0], curve.power[at]),
            max(ends[1], curve.power[at]),
        )


class Spread(NamedTuple):
    """How far the power differs between populations, by number.

    Its probit has a normal law with these centres and deviations, which agree with the shares of
    experiments, and of pairs of experiments of a population, that find what is to be found.
    """

    center: FloatArray
    deviation: FloatArray

    @classmethod
    def of(cls, found: IntArray, both: FloatArray, trials: IntArray) -> Spread:
        """Return the law by number found, share of pairs in which both did, and trials."""
        # both do not fall as the number grows, so that neighbours that do are pooled
        share, both = rising((found + 0.5) / (trials + 1), trials), rising(both, trials)
        z = scipy.special.ndtri(share)
        low, high = np.zeros((2, *share.shape))
        high += 1.0
        # P(both) = share - 2 T(z, r), with Owen's T and r^2 = (1 - rho) / (1 + rho)
        wanted = (share - both) / 2
        for _ in range(_HALVINGS):
            r = (low + high) / 2
            above = scipy.special.owens_t(z, r) > wanted
            low, high = np.where(above, low, r), np.where(above, r, high)
        r = np.clip((low + high) / 2, _LEAST_RATIO, 1 - _LEAST_RATIO)
        variance = (1 - r**2) / (2 * r**2)
        return cls(z * np.sqrt(1 + variance), np.sqrt(variance))

    def reached(self, power: float) -> FloatArray:
        """Return the probit of the share of populations whose power is at least this."""
        return np.asarray((self.center - scipy.special.ndtri(power)) / self.deviation)

    def ends(self, tail: float) -> tuple[FloatArray, FloatArray]:
        """Return powers between which those of the populations are, so many deviations apart."""
        return (
            scipy.special.ndtr(self.center - tail * self.deviation),
            scipy.special.ndtr(self.center + tail * self.deviation),
        )


def _first(sizes: IntArray, rising_values: FloatArray, wanted: float) -> float | None:
    """Return the number at which a curve reaches a value, between numbers by their logarithms."""
    if rising_values[-1] < wanted:
        return None
    at = int(np.argmax(rising_values >= wanted))
    if not at:
        return float(sizes[0])
    below, there = rising_values[at - 1], rising_values[at]
    step = (wanted - below) / (there - below)
    return float(sizes[at - 1] * (sizes[at] / sizes[at - 1]) ** step)


def powers_of(tallies: Tallies, targets: IntArray, confidence: float) -> tuple[Shares, RisingPower]:
    """Return the powers of targets as they were found, and as curves that do not fall.

    Their ends are those between which the powers of populations are.
    """
    tail = float(scipy.special.ndtri((1 + confidence) / 2))
    ends = np.array([tallies.spread(at).ends(tail) for at in targets.tolist()])
    lower, upper = ends.transpose(1, 2, 0)
    found = tallies.found[:, targets].astype(np.float64)
    trials = np.repeat(tallies.trials[:, np.newaxis].astype(np.float64), len(targets), axis=1)
    shares = Shares(successes=found, trials=trials, lower=lower, upper=upper)
    power, low, high = (
        np.array([rising(column, tallies.trials) for column in part.T]).T
        for part in (shares.share, lower, upper)
    )
    return shares, RisingPower(
        power=power, lower=np.minimum(low, power), upper=np.maximum(high, power)
    )


def _logistic(
    x: FloatArray, found: IntArray, trials: IntArray
) -> tuple[FloatArray, FloatArray] | None:
    """Return intercept and slope of a logistic regression, and their covariances.

    Half a success and half a failure are added at each place, so that it exists.
    """
    design = np.column_stack([np.ones_like(x), x])
    good, of = found + 0.5, trials + 1.0
    share = good.sum() / of.sum()
    at = np.array([math.log(share / (1 - share)), 0.0])
    for _ in range(50):
        p = scipy.special.expit(design @ at)
        information = design.T @ (design * (of * p * (1 - p))[:, np.newaxis])
        step = np.linalg.solve(information, design.T @ (good - of * p))
        at = at + step
        if np.abs(step).max() < 1e-10:
            break
    if at[1] <= 0:  # noise: nothing near tells where the power is reached
        return None
    return at, np.linalg.inv(information)


def _predicted(
    at: FloatArray, covariance: FloatArray, x: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the shares of a logistic regression, and their variances."""
    design = np.column_stack([np.ones_like(x), x])
    p = scipy.special.expit(design @ at)
    return p, (p * (1 - p)) ** 2 * np.einsum("ij,jk,ik->i", design, covariance, design)


def rising(shares: FloatArray, weights: IntArray) -> FloatArray:
    """Return the rising numbers nearest to these, by pooling neighbours that fall."""
    return np.asarray(scipy.optimize.isotonic_regression(shares, weights=weights).x)


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
    options: dict[str, Any] = {**check_options("plan", asked), "adjust": _procedures(adjust)}
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
