"""The result of aggregating runs: typical scores, probabilities of improvement, profiles."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import FloatArray, LockedArrays
from nbcompare._options import BETTER, MAXIMIZE, MINIMIZE
from nbcompare._render import Table, format_number, plural
from nbcompare._validation import check_choice, check_name
from nbcompare.results._result import Result, Sections
from nbcompare.results.labelled import Labelled, frame_of, frame_of_cells, table_of
from nbcompare.results.sentences import MOST_LISTED, caveat, text_of
from nbcompare.results.texts import Cited, on_methods, settings
from nbcompare.results.wording import counted, format_alike, in_measure, joined, number, percent
from nbcompare.words import AGGREGATES

if TYPE_CHECKING:
    import pandas as pd

_DECIMALS = 2  # of a probability
_MOST_DECIMALS = 6
_FAR = 100  # times the usual length of an interval
_MOST_DIGITS, _EXPONENT_DIGITS = 9, 3  # of a number without an exponent, and of one with it
_ENDS = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Estimates(LockedArrays):
    """Estimates and the ends of their intervals, in arrays of one shape.

    Attributes
    ----------
    estimate, lower, upper : ndarray of float
        In the order of the algorithms; of pairs, the row is the algorithm that is better.
    """

    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Profiles(LockedArrays):
    """Performance profiles: how many runs are better than each of many scores.

    Attributes
    ----------
    thresholds : ndarray of float, shape (n_thresholds,)
        Scores in ascending order; none of them is the score of a run.
    share : ndarray of float, shape (n_algorithms, n_thresholds)
        Share of the runs of an algorithm that are better; data sets count equally.
    lower, upper : ndarray of float, the same shape
        Ends of the interval at each threshold by itself.
    """

    thresholds: FloatArray
    share: FloatArray
    lower: FloatArray
    upper: FloatArray


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RunAggregates(Result):
    """Aggregates of the runs of algorithms over data sets, with stratified bootstrap intervals.

    :func:`nbcompare.aggregate_runs` returns it; it displays itself. Its sections are ``findings``
    (the answer in a few sentences), ``aggregates`` (unless they are ``withheld``),
    ``improvement`` (all pairs, the clearest first), ``methods`` (a paragraph for a paper),
    ``notes``, ``method`` and ``references``.

    Attributes
    ----------
    interquartile_mean, mean, median : Estimates or None
        By algorithm, in units of the measure, or normalised; None if they are ``withheld``.
    optimality_gap : Estimates or None
        What runs lack to the ``target`` on average, less is better; None without a target.
    improvement : Estimates
        Probabilities that a run of the algorithm of the row is better than one of that of the
        column on the same data set, shape (n_algorithms, n_algorithms).
    profiles : Profiles or None
        Shares of runs beyond scores; None if they are ``withheld``.
    baseline : tuple of str
        The two algorithms whose means are 0 and 1 on every data set; empty if there are none.
    low, high : mapping of str to float, or None
        By data set, in units of the measure, the scores that are normalised to 0 and 1.
    target : float or None
        What the optimality gap is measured to.
    withheld : str
        Why scores of different data sets are not pooled, and what would allow it; empty if they
        are.
    n_runs : mapping of str to int
        By algorithm, the fewest runs on a data set.
    confidence : float
        Nominal coverage of each interval by itself.
    n_resamples : int
        Number of resamples of the runs.
    missing : str
        Treatment of missing scores.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    """

    interquartile_mean: Estimates | None
    mean: Estimates | None
    median: Estimates | None
    optimality_gap: Estimates | None
    improvement: Estimates
    profiles: Profiles | None
    baseline: tuple[str, ...]
    low: Labelled[float] | None
    high: Labelled[float] | None
    target: float | None
    withheld: str
    n_runs: Labelled[int]
    confidence: float
    n_resamples: int
    missing: str

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Algorithms in the order of the data, and of the arrays."""
        return self.design.algorithms

    @property
    def datasets(self) -> tuple[str, ...]:
        """Data sets in the order of the data."""
        return self.design.datasets

    @property
    def is_normalized(self) -> bool:
        """Whether scores are normalised by a baseline."""
        return self.low is not None

    @property
    def direction(self) -> str:
        """Which aggregates are better: ``maximize`` or ``minimize``; higher if normalised."""
        is_low = self.design.direction == MINIMIZE and not self.is_normalized
        return MINIMIZE if is_low else MAXIMIZE

    @property
    def measure(self) -> str:
        """Name of what is aggregated, such as ``AUC`` or ``normalised AUC``."""
        name = self.design.measure or "score"
        return f"normalised {name}" if self.is_normalized else name

    @property
    def better(self) -> str:
        """Direction of the aggregates in words, such as ``higher is better``."""
        return BETTER[self.direction] if self.is_normalized else self.design.better

    @property
    def aggregates(self) -> Mapping[str, Estimates]:
        """The aggregates that there are, by name, such as ``interquartile-mean``."""
        there = {name: getattr(self, record.field) for name, record in AGGREGATES.items()}
        return Labelled({name: value for name, value in there.items() if value is not None})

    @property
    def ordered(self) -> tuple[str, ...]:
        """Algorithms from best to worst interquartile mean; ties in the order of the data.

        Without it, by how often their runs are better than those of all others.
        """
        values = self.improvement.estimate.mean(axis=1)
        if self.interquartile_mean is not None:
            values = self.interquartile_mean.estimate
            values = values if self.direction == MAXIMIZE else -values
        order = np.argsort(-values, kind="stable")
        return tuple(self.algorithms[place] for place in order)

    def aggregate(self, name: str) -> Estimates:
        """Return an aggregate by its name.

        Parameters
        ----------
        name : {"interquartile-mean", "median", "mean", "optimality-gap"}
            Which one.

        Returns
        -------
        Estimates
            Arrays of shape (n_algorithms,), in the order of the data.

        Raises
        ------
        ValueError
            If the name is unknown, or the aggregate was not computed; the message then says what
            would allow it.
        """
        check_choice(name, "name", tuple(AGGREGATES))
        if name in self.aggregates:
            return self.aggregates[name]
        raise ValueError(f"There is no {AGGREGATES[name].label}: {self._why_not}")

    @property
    def _why_not(self) -> str:
        if self.withheld:
            return f"{self.withheld[:1].lower()}{self.withheld[1:]}"
        return (
            "what runs lack to a target needs one. Compute the aggregates with target=..., a score "
            "in units of the measure, or with baseline=..., where the target is 1."
        )

    def better_than(self, a: str, b: str) -> tuple[float, float, float]:
        """Return the probability that a run of ``a`` is better than one of ``b``.

        Parameters
        ----------
        a, b : str
            Two of ``algorithms``.

        Returns
        -------
        estimate, lower, upper : float
            The probability on the same data set, ties counted half, and the ends of its interval.

        Raises
        ------
        ValueError
            If one of the two is not an algorithm of the result.
        """
        row, column = (
            self.algorithms.index(check_name(name, argument, self.algorithms))
            for name, argument in ((a, "a"), (b, "b"))
        )
        parts = (self.improvement.estimate, self.improvement.lower, self.improvement.upper)
        first, low, high = (float(part[row, column]) for part in parts)
        return first, low, high

    def amount(self, name: str) -> Callable[[float], str]:
        """Return a function that formats an aggregate and the ends of its interval alike.

        There are as many decimals as the intervals are worth: two digits of their usual length.

        Parameters
        ----------
        name : {"interquartile-mean", "median", "mean", "optimality-gap"}
            The aggregate.

        Returns
        -------
        callable
            Function from a number, in units of the aggregate, to its text.

        Raises
        ------
        ValueError
            If :meth:`aggregate` raises it.
        """
        found = self.aggregate(name)
        values = np.concatenate([found.estimate, found.lower, found.upper])
        lengths = (found.upper - found.lower)[found.upper > found.lower]
        largest = float(np.abs(values).max())
        whole = math.floor(math.log10(largest)) + 1 if largest > 0 else 0
        if not len(lengths):
            return format_alike(values)
        decimals = 1 - math.floor(math.log10(float(np.median(lengths))))
        if whole + max(decimals, 0) > _MOST_DIGITS or decimals > _MOST_DECIMALS:
            return _with_exponent
        return lambda value: format_number(float(value), max(decimals, 0))

    def told(self, name: str, place: int) -> str:
        """Return an aggregate of one algorithm as text, with its interval.

        Parameters
        ----------
        name : {"interquartile-mean", "median", "mean", "optimality-gap"}
            The aggregate.
        place : int
            Position of the algorithm in ``algorithms``.

        Returns
        -------
        str
            Text such as ``0.1205 (0.1161 to 0.1249)``, in units of the aggregate. The interval is
            left out if its ends are equal.

        Raises
        ------
        ValueError
            If :meth:`aggregate` raises it.
        """
        found, show = self.aggregate(name), self.amount(name)
        estimate, low, high = (it[place] for it in (found.estimate, found.lower, found.upper))
        if low == high:
            return show(estimate)
        usual = float(np.median((found.upper - found.lower)[found.upper > found.lower]))
        is_short = len({*map(show, (estimate, low, high))}) < 3
        if is_short or high - low > _FAR * usual:  # it is far shorter or longer than the others
            decimals = 1 - math.floor(math.log10(high - low))
            if decimals <= _MOST_DECIMALS:
                show = partial(format_number, decimals=max(decimals, 0))
            else:
                show = _with_exponent
        return f"{show(estimate)} ({show(low)} to {show(high)})"

    def chance(self, value: float, decimals: int = _DECIMALS) -> str:
        """Return a probability as text, which seems to be 0, 1/2 or 1 only if it is.

        Parameters
        ----------
        value : float
            Probability from 0 to 1.
        decimals : int, default 2
            Number of decimals. There are up to 6 where fewer would make it seem to be 0, 1/2 or 1.

        Returns
        -------
        str
            The probability, such as ``0.62``.
        """
        text = format_number(value, decimals)
        while decimals < _MOST_DECIMALS and any(
            float(text) == edge and abs(value - edge) > 1e-9 for edge in (0, 0.5, 1)
        ):
            decimals += 1
            text = format_number(value, decimals)
        return text

    def pair_text(self, a: str, b: str) -> str:
        """Return the probability that a run of ``a`` is better than one of ``b``, as text.

        Parameters
        ----------
        a, b : str
            Two of ``algorithms``.

        Returns
        -------
        str
            The probability and its interval, such as ``0.62 (0.59 to 0.65)``.

        Raises
        ------
        ValueError
            If one of the two is not an algorithm of the result.
        """
        value, low, high = map(self.chance, self.better_than(a, b))
        return f"{value} ({low} to {high})"

    def clear(self, a: str, b: str) -> bool:
        """Return whether the interval of the probability of improvement excludes one half.

        Parameters
        ----------
        a, b : str
            Two of ``algorithms``.

        Returns
        -------
        bool
            Whether all of the interval lies above one half, or all of it below.

        Raises
        ------
        ValueError
            If one of the two is not an algorithm of the result.
        """
        _, low, high = self.better_than(a, b)
        return low > 0.5 or high < 0.5

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """All pairs, the one whose runs are better more often first; the clearest pairs first."""
        found = self.improvement
        first, second = np.triu_indices(len(self.algorithms), 1)
        turned = found.estimate[first, second] < 0.5
        row, column = np.where(turned, second, first), np.where(turned, first, second)
        order = np.lexsort((-found.estimate[row, column], -found.lower[row, column]))
        names = self.algorithms
        return tuple((names[row[pair]], names[column[pair]]) for pair in order)

    def to_frame(self, what: str | None = None) -> pd.DataFrame:
        """Return the aggregates, the pairs or the performance profiles as a pandas dataframe.

        Parameters
        ----------
        what : {"aggregates", "improvement", "profiles"}, optional
            ``aggregates``: a row for each algorithm and aggregate, with the columns algorithm,
            aggregate, estimate, lower and upper. ``improvement``: a row for each pair, the
            clearest first, with the columns first, second, probability (that a run of the first is
            better), lower and upper. ``profiles``: a row for each algorithm and threshold, with
            the columns algorithm, threshold, share, lower and upper. By default the aggregates, or
            the pairs if there are no aggregates.

        Returns
        -------
        pandas.DataFrame
            The table, with the ends of the interval of each number. Aggregates are in units of the
            measure, or normalised; probabilities and shares are from 0 to 1.

        Raises
        ------
        ValueError
            If ``what`` is none of these, or if what is asked for is ``withheld``.
        """
        if what is None:
            what = "improvement" if self.withheld else "aggregates"
        check_choice(what, "what", ("aggregates", "improvement", "profiles"))
        if what == "improvement":
            rows = [(a, b, *self.better_than(a, b)) for a, b in self.pairs]
            names = ("first", "second", "probability", "lower", "upper")
            return frame_of(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
        if self.profiles is None:
            raise ValueError(f"`what` must be 'improvement'. {self.withheld}")
        if what == "profiles":
            axes: dict[str, Sequence[Any]] = {"algorithm": self.algorithms}
            axes["threshold"] = self.profiles.thresholds.tolist()
            parts = {name: getattr(self.profiles, name) for name in ("share", "lower", "upper")}
            return frame_of_cells(axes, parts)
        order = [self.algorithms.index(name) for name in self.ordered]
        axes = {"aggregate": tuple(self.aggregates), "algorithm": self.ordered}
        parts = {
            part: np.array([getattr(one, part)[order] for one in self.aggregates.values()])
            for part in ("estimate", "lower", "upper")
        }
        frame = frame_of_cells(axes, parts)
        return frame[["algorithm", "aggregate", *parts]]

    # ---------------------------------------------------------------------- display

    def _sections(self) -> Sections:
        aggregates = {} if self.withheld else {"aggregates": self._aggregates}
        return {**aggregates, "improvement": self._improvement}

    def _not_there(self) -> dict[str, str]:
        if not self.withheld:
            return {}
        return {"aggregates": f"{self.withheld[:1].lower()}{self.withheld[1:]}".rstrip(".")}

    def _aggregates(self) -> Table:
        places = [self.algorithms.index(name) for name in self.ordered]
        numbers = {
            AGGREGATES[word].label: [self.told(word, place) for place in places]
            for word in self.aggregates
        }
        caption = (
            f"Aggregates of the runs with {percent(self.confidence)} intervals, best interquartile "
            f"mean first ({self.measure}, {self.better})"
        )
        if self.optimality_gap is not None:
            caption += f"; optimality gaps to {self.target:g}, less is better"
        return table_of({"algorithm": self.ordered}, numbers, caption)

    def _improvement(self) -> Table:
        first, second = zip(*self.pairs, strict=True)
        chances = [[*map(self.chance, self.better_than(*pair))] for pair in self.pairs]
        numbers = {
            "first better": [value for value, _, _ in chances],
            f"{percent(self.confidence)} interval": [" to ".join(ends) for _, *ends in chances],
        }
        caption = (
            "Probabilities that a run of the first algorithm is better than one of the second on "
            f"the same data set, ties counted half ({self.design.better})"
        )
        if len(self.pairs) > 1:
            caption += "; the pair with the highest lower end of its interval first"
        return table_of({"first": first, "second": second}, numbers, caption)

    def _method(self) -> tuple[tuple[str, str], ...]:
        explained = [
            (AGGREGATES[name].label, AGGREGATES[name].explanation.removeprefix("is "))
            for name in self.aggregates
        ]
        told = {"baseline": None, "target": self._target() if self.target is not None else None}
        return settings(
            self.design, vars(self) | told, explained, f"{self._scored()}; {self._runs}"
        )

    # --------------------------------------------------------------------- findings

    def _account(self) -> tuple[tuple[str, ...], ...]:
        typical = () if self.withheld else (self._typical(), *self._other_leaders())
        answers = (*typical, *self._improvement_sentence(), self.withheld)
        return answers, (text_of(self, "these-datasets"), caveat(self))

    @property
    def _runs(self) -> str:
        """How many runs there are on a data set, such as ``5 runs``."""
        return plural(self.design.n_runs, "run", min(self.n_runs.values()))

    def _scored(self) -> str:
        design = self.design
        text = f"{design.measure or 'scores'}, {design.better}"
        if design.n_folds > 1:
            folds = plural(design.n_folds, "fold", design.fewest[0])
            text += f"; a run's score is its mean over {folds}"
        if self.baseline:
            low, high = self.baseline
            text += "; normalised on each data set to 0 for the mean of "
            text += f"{low} and 1 for that of {high}"
        elif self.is_normalized:
            text += "; normalised on each data set to 0 and 1 for two given scores"
        return text

    def _target(self) -> str:
        target = f"{self.target:g}"
        return f"{target} (normalised)" if self.is_normalized else in_measure(self.design, target)

    def _typical(self) -> str:
        """Tell the interquartile means, of the best and the worst if there are many."""
        names, word = self.ordered, "interquartile-mean"
        place = {name: i for i, name in enumerate(self.algorithms)}
        told = [f"{name} {self.told(word, place[name])}" for name in names]
        direction = f"{self.measure}, {self.better}, {percent(self.confidence)} intervals"
        if len(names) <= MOST_LISTED:
            return (
                f"The interquartile means of all runs are, best first ({direction}): "
                f"{joined(told)}."
            )
        return (
            f"Of {len(names)} algorithms, the best interquartile means of all runs are "
            f"({direction}): {joined(told[:_ENDS])}; the worst is {told[-1]}."
        )

    def _other_leaders(self) -> tuple[str, ...]:
        """Say which algorithms lead by the mean and the median, if it is another one."""
        best = self.ordered[0]
        at = self.algorithms.index(best)
        others: dict[str, list[str]] = {}
        for name, found in self.aggregates.items():
            less = AGGREGATES[name].is_gap or self.direction != MAXIMIZE
            values = -found.estimate if less else found.estimate
            leader = int(values.argmax())
            if values[leader] > values[at] and self.told(name, leader) != self.told(name, at):
                label = f"the {AGGREGATES[name].label} ({self.told(name, leader)})"
                others.setdefault(self.algorithms[leader], []).append(label)
        if not others:
            return ()
        told = [f"{name} by {joined(labels)}" for name, labels in others.items()]
        return (f"Other aggregates have another algorithm ahead: {'; '.join(told)}.",)

    def _improvement_sentence(self) -> tuple[str, ...]:
        """Say how often runs of the best algorithm are better, and which pairs are open."""
        best, *others = self.ordered
        interval = f"{percent(self.confidence)} interval"
        if not others:
            return ()
        chances = {name: self.better_than(best, name)[0] for name in others}
        nearest = min(others, key=chances.__getitem__)
        value, low, high = map(self.chance, self.better_than(best, nearest))
        more = "" if value == self.chance(1.0) else " or more"
        same = "" if self.design.n_datasets == 1 else " on the same data set"
        if len(others) == 1:
            tied = "" if self.clear(best, nearest) else ", which includes one half"
            return (
                f"A run of {best} is better than one of {nearest}{same} with probability {value} "
                f"({interval} {low} to {high}{tied}).",
            )
        first = (
            f"A run of {best} is better than one of any other algorithm{same} with probability "
            f"{value}{more}; the least is that against {nearest} ({interval} {low} to {high})."
        )
        return (first, self._open())

    def _open(self) -> str:
        """Count the pairs of which one has the better runs more often, as far as the runs tell."""
        pairs = self.pairs
        left = [pair for pair in pairs if not self.clear(*pair)]
        if not left:
            return (
                f"For each of the {counted(len(pairs), 'pair')}, the interval of this probability "
                "excludes one half."
            )
        if len(left) == len(pairs):
            return "For no pair does the interval of this probability exclude one half."
        named = ""
        if len(left) <= _ENDS:
            named = f" ({'; '.join(f'{a} and {b}' for a, b in left)})"
        clear = len(pairs) - len(left)
        return (
            f"For {number(clear)} of the {counted(len(pairs), 'pair')}, the interval of this "
            f"probability excludes one half; for the other {number(len(left))}{named}, the runs "
            "leave open which algorithm is better more often."
        )

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        which = ""
        if names := [AGGREGATES[name].label for name in self.aggregates]:
            target = "" if self.target is None else f" to the target {self._target()}"
            which = f" the {joined(names)}{target} of the runs over all data sets, and"
        told = {"runs": self._runs, "scores": self._scored(), "level": percent(self.confidence)}
        return on_methods("aggregates", self, cite, which=which, **told)


def _with_exponent(value: float) -> str:
    """Return a number that is far from 1 as text."""
    return format_number(float(f"{value:.{_EXPONENT_DIGITS}g}"))
