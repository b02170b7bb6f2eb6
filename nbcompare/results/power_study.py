"""The result of a study of power and type I error by simulation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from nbcompare._arrays import FloatArray, IntArray, LockedArrays
from nbcompare._render import Part, Table, plural
from nbcompare._validation import check_choice, check_labels, check_name
from nbcompare.results._result import Result, Sections
from nbcompare.results.imprecise import INCONCLUSIVE
from nbcompare.results.labelled import Labelled, frame_of_cells, table_of
from nbcompare.results.texts import Cited, on_methods
from nbcompare.results.wording import joined, opening, percent

if TYPE_CHECKING:
    import pandas as pd

# The outcomes of a pair, in the order of the last axis of the counts
FIRST, SECOND, NONE = "first better", "second better", "none"
OUTCOMES = (FIRST, SECOND, NONE, INCONCLUSIVE)
# The outcomes of a test of any difference, likewise
OMNIBUS_OUTCOMES = ("significant", "not significant", INCONCLUSIVE)
# What is estimated for each design over all pairs, and for each pair
POWER, WRONG, TYPE1, FAMILY, COMPLETE, OMNIBUS = SHARES = (
    "power", "wrong", "type1", "family", "complete", "omnibus"
)  # fmt: skip
TRUTHS = {1: "first better", 0: "equal", -1: "second better"}
_KINDS = ("right", "missing", "retained", "wrong", "inconclusive")
_MOST_TOLD = 6  # designs that have a sentence


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Shares(LockedArrays):
    """Shares of simulated experiments, with intervals.

    Attributes
    ----------
    successes, trials : ndarray of float
        Counts. A mean over the pairs of an experiment counts as one trial, so its successes need
        not be whole. There are no trials where nothing is to be found.
    lower, upper : ndarray of float
        Ends of the intervals, Clopper and Pearson's in studies; 0 and 1 without any trial.
    """

    successes: FloatArray
    trials: FloatArray
    lower: FloatArray
    upper: FloatArray

    @property
    def share(self) -> FloatArray:
        """The shares; 0 without any trial."""
        return np.asarray(self.successes / np.maximum(self.trials, 1.0))


class PowerCurve(NamedTuple):
    """A share by effect, where it is defined, with its interval."""

    effects: FloatArray
    share: FloatArray
    lower: FloatArray
    upper: FloatArray


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PowerStudy(Result):
    """How often designs come to right, missing and wrong conclusions in simulated experiments.

    :func:`nbcompare.study.run` returns it; it displays itself. Its sections are ``power``,
    ``counts`` (the layout of Tables 2 and 4 of the 2013 paper), ``pairs at 0.03`` for each
    effect (that of Tables 3 and 5), ``findings``, ``methods``, ``notes``, ``method`` and
    ``references``.

    Attributes
    ----------
    model : str
        Description of what was simulated.
    effect_name : str
        Description of the effect.
    effects : ndarray of float, shape (n_effects,)
        The effects.
    repetitions : int
        Number of simulated experiments for each effect.
    designs : tuple of str
        Names of the designs.
    levels : tuple of float or None
        Nominal level of each design, if it has one.
    first, second : tuple of str
        The algorithms of each pair.
    truth : ndarray of int, shape (n_effects, n_pairs)
        1 where the first is better, -1 where the second is, 0 where they are equal.
    counts : ndarray of int, shape (n_effects, n_designs, n_pairs, 4)
        Numbers of experiments with the outcomes ``first better``, ``second better``, ``none`` and
        ``inconclusive``.
    omnibus : ndarray of int, shape (n_effects, n_designs, 3)
        Numbers of experiments in which the test of any difference was ``significant``, ``not
        significant`` and ``inconclusive``; all 0 for a design without such a test.
    family : ndarray of int, shape (n_effects, n_designs)
        Numbers of experiments with at least one wrong conclusion.
    complete : ndarray of int, shape (n_effects, n_designs)
        Numbers of experiments in which all differences were found.
    confidence : float
        Coverage of the intervals.
    shares : mapping of str to Shares, shape (n_effects, n_designs)
        ``power``: differences that were found, of those that there are. ``wrong``: pairs of which
        a difference was claimed that is not there, or is the other way round, of all pairs; the
        papers call this the type I error. ``type1``: the same of pairs that are equal. ``family``:
        experiments with a wrong conclusion. ``complete``: experiments in which all differences
        were found. ``omnibus``: experiments in which the test of any difference was significant.
    pair_shares : mapping of str to Shares, shape (n_effects, n_designs, n_pairs)
        ``right`` and ``wrong`` conclusions on each pair.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The options.
    """

    model: str
    effect_name: str
    effects: FloatArray
    repetitions: int
    designs: tuple[str, ...]
    levels: tuple[float | None, ...]
    first: tuple[str, ...]
    second: tuple[str, ...]
    truth: IntArray
    counts: IntArray
    omnibus: IntArray
    family: IntArray
    complete: IntArray
    confidence: float
    shares: Labelled[Shares]
    pair_shares: Labelled[Shares]

    # ------------------------------------------------------------------ conclusions

    def _where(self, truth: int) -> IntArray:
        """Return 1 where the truth is this, in an array that multiplies counts of pairs."""
        return np.asarray(self.truth[:, np.newaxis] == truth, dtype=np.int64)

    @property
    def right(self) -> IntArray:
        """Numbers of experiments in which a difference that is there was found.

        Shape (n_effects, n_designs, n_pairs), like those of the other conclusions. The five of
        them add up to ``repetitions``.
        """
        first, second = self.counts[..., 0], self.counts[..., 1]
        return np.asarray(first * self._where(1) + second * self._where(-1))

    @property
    def missing(self) -> IntArray:
        """Numbers of experiments in which a difference that is there was not found."""
        return self.counts[..., 2] * (1 - self._where(0))

    @property
    def retained(self) -> IntArray:
        """Numbers of experiments in which no difference was found, and there is none."""
        return self.counts[..., 2] * self._where(0)

    @property
    def wrong(self) -> IntArray:
        """Numbers of experiments in which a wrong difference was found.

        There is none, or it is the other way round.
        """
        return self.counts[..., 0] * (1 - self._where(1)) + self.counts[..., 1] * (
            1 - self._where(-1)
        )

    @property
    def inconclusive(self) -> IntArray:
        """Numbers of experiments in which nothing could be concluded about a pair."""
        return np.asarray(self.counts[..., 3])

    @property
    def has_omnibus(self) -> tuple[bool, ...]:
        """Whether each design has a test of any difference."""
        return tuple(bool(found.any()) for found in np.moveaxis(self.omnibus, 1, 0))

    def curve(self, share: str, design: str) -> PowerCurve:
        """Return a share by effect, where it is defined: there is no power without a difference.

        Parameters
        ----------
        share : {"power", "wrong", "type1", "family", "complete", "omnibus"}
            What is asked for, as in ``shares``.
        design : str
            One of ``designs``.

        Returns
        -------
        PowerCurve
            Arrays with an element for each effect at which the share is defined: ``effects``;
            ``share``, from 0 to 1; and ``lower`` and ``upper``, the ends of its binomial intervals.

        Raises
        ------
        ValueError
            If the share or the design is unknown.
        """
        found = self.shares[check_choice(share, "share", SHARES)]
        place = self.designs.index(check_name(design, "design", self.designs))
        there = found.trials[:, place] > 0
        return PowerCurve(
            self.effects[there],
            found.share[there, place],
            found.lower[there, place],
            found.upper[there, place],
        )

    def mean(self, share: str, design: str) -> float | None:
        """Return the mean of a share over the effects where it is defined; None if there is none.

        The mean powers in the last rows of Tables 2 and 4 of the 2013 paper are such means; those
        of wrong conclusions leave out the effect 0 there.

        Parameters
        ----------
        share : {"power", "wrong", "type1", "family", "complete", "omnibus"}
            What is asked for, as in ``shares``.
        design : str
            One of ``designs``.

        Returns
        -------
        float or None
            The mean, from 0 to 1; each effect counts equally.

        Raises
        ------
        ValueError
            If the share or the design is unknown.
        """
        found = self.curve(share, design).share
        return float(found.mean()) if len(found) else None

    def select(self, designs: Iterable[str]) -> Self:
        """Return the same study with these designs only, for example for a table or a figure.

        Parameters
        ----------
        designs : list of str
            Some of ``designs``, in the order in which they are to be shown.

        Returns
        -------
        PowerStudy
            The study with these designs, in the order given. This one is not changed.

        Raises
        ------
        TypeError
            If a single name is given instead of a list.
        ValueError
            If a name is none of ``designs``, or given twice, or there is none.

        Examples
        --------
        >>> from nbcompare import study
        >>> model = study.BinomialErrors(n_datasets=8, n_runs=2)
        >>> both = study.run(model, study.PAPER_2013[:2], effects=[0.1], repetitions=2)
        >>> both.select(["Friedman + Wilcoxon"])
        <PowerStudy: On average over the effects: Friedman + Wilcoxon: 0.0 % of the differences were
        found, and 0.0 % of the conclusions were wrong>
        """
        names = check_labels(designs, "designs")
        if not names:
            raise ValueError("`designs` must hold at least one design; got none.")
        at = [self.designs.index(check_name(name, "designs", self.designs)) for name in names]
        counts = {
            name: getattr(self, name)[:, at] for name in ("counts", "omnibus", "family", "complete")
        }
        options = Labelled({**self.design.options, "designs": names})
        return replace(
            self,
            designs=names,
            levels=tuple(self.levels[place] for place in at),
            shares=_selected(self.shares, at),
            pair_shares=_selected(self.pair_shares, at),
            design=replace(self.design, options=options),
            **counts,
        )

    # --------------------------------------------------------------------- findings

    def _account(self) -> tuple[tuple[str, ...], ...]:
        order = sorted(self.designs, key=lambda name: -(self.mean(POWER, name) or 0.0))
        told = []
        for name in order[:_MOST_TOLD]:
            power, wrong = self.mean(POWER, name), self.mean(WRONG, name) or 0.0
            found = (
                "" if power is None else f"{percent(power, 1)} of the differences were found, and "
            )
            told.append(f"{name}: {found}{percent(wrong, 1)} of the conclusions were wrong")
        rest = len(order) - len(told)
        more = f" The tables list {plural(rest, 'more design')}." if rest else ""
        return ((f"On average over the effects: {'; '.join(told)}.{more}", self._at_null(order)),)

    def _at_null(self, names: list[str]) -> str:
        """Return a sentence on experiments in which no algorithms differ, if there are some."""
        null = np.flatnonzero((self.truth == 0).all(axis=1))
        if not len(null):
            return ""
        found, parts = self.shares[FAMILY], []
        for name in names[:_MOST_TOLD]:
            at = (null[0], self.designs.index(name))
            ends = f"{percent(found.lower[at], 1)} to {percent(found.upper[at], 1)}"
            level = self.levels[at[1]]
            nominal = "" if level is None else f"; level of its tests {percent(level)}"
            parts.append(f"{name} in {percent(found.share[at], 1)} ({ends}{nominal})")
        return (
            f"Where no algorithms differ (effect {self.effects[null[0]]:g}), a difference was "
            f"claimed by {joined(parts)} of the experiments, with {percent(self.confidence)} "
            "intervals."
        )

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        designs = f"{opening(len(self.designs), 'design')} ({joined(self.designs)})"
        ends = " to ".join(dict.fromkeys(f"{f():g}" for f in (self.effects.min, self.effects.max)))
        return on_methods("power study", self, cite, designs_in_full=designs, ends=ends)

    # ----------------------------------------------------------------------- tables

    def to_frame(self, by: str = "pairs") -> pd.DataFrame:
        """Return the counts as a pandas dataframe.

        Parameters
        ----------
        by : {"pairs", "designs"}
            ``pairs``: a row per effect, design and pair, with the ``truth``, the numbers of
            ``right``, ``missing``, ``retained``, ``wrong`` and ``inconclusive`` conclusions, and
            the shares of right and wrong ones with their intervals. ``designs``: a row per effect
            and design, with the shares of ``shares`` and their intervals, which are missing where
            they are not defined.

        Returns
        -------
        pandas.DataFrame
            The shares have columns such as ``power``, ``power_lower`` and ``power_upper``.
        """
        is_by_pair = check_choice(by, "by", ("pairs", "designs")) == "pairs"
        axes: dict[str, Sequence[Any]] = {"effect": self.effects.tolist(), "design": self.designs}
        arrays: dict[str, Any] = {}
        if is_by_pair:
            axes["pair"] = range(len(self.first))
            words = [[TRUTHS[value] for value in row] for row in self.truth.tolist()]
            arrays = {
                "first": np.array(self.first, dtype=object),
                "second": np.array(self.second, dtype=object),
                "truth": np.array(words, dtype=object)[:, np.newaxis],
            } | {kind: getattr(self, kind) for kind in _KINDS}
        for name, found in (self.pair_shares if is_by_pair else self.shares).items():
            title = f"{name}_share" if is_by_pair else name
            for suffix, part in (("", "share"), ("_lower", "lower"), ("_upper", "upper")):
                values = np.where(found.trials > 0, getattr(found, part), np.nan)
                arrays[f"{title}{suffix}"] = values
        frame = frame_of_cells(axes, arrays)
        return frame.drop(columns="pair") if is_by_pair else frame

    def _tables(self) -> tuple[Part, ...]:
        return (self._power(), self._counts())

    def _sections(self) -> Sections:
        at = {
            f"pairs at {effect:g}": lambda place=place: self._pairs(place)
            for place, effect in enumerate(self.effects.tolist())
        }
        return {"power": self._power, "counts": self._counts, **at}

    def _first_rows(self) -> tuple[Part, ...]:
        return (self._power().cut(),)

    def _power(self) -> Table:
        """Return the table of power and wrong conclusions by effect, with intervals."""
        numbers = {"effect": [*(f"{effect:g}" for effect in self.effects), "mean"]}
        for at, name in enumerate(self.designs):
            for what in (POWER, WRONG):
                found, mean = self.shares[what], self.mean(what, name)
                parts = (found.trials, found.share, found.lower, found.upper)
                cells = [
                    f"{share:.3f} ({low:.3f} to {high:.3f})" if trials else "–"
                    for trials, share, low, high in zip(
                        *(part[:, at] for part in parts), strict=True
                    )
                ]
                numbers[f"{name}: {what}"] = [*cells, "–" if mean is None else f"{mean:.3f}"]
        caption = (
            "Share of the differences that were found (power), and of all pairs with a wrong "
            f"conclusion, by {self.effect_name}; {percent(self.confidence)} intervals"
        )
        return table_of({}, numbers, caption)

    def _counts(self) -> Table:
        """Return the counts by effect, as in Tables 2 and 4 of the paper."""
        numbers = {"effect": [f"{effect:g}" for effect in self.effects]}
        for at, (name, has) in enumerate(zip(self.designs, self.has_omnibus, strict=True)):
            found = self.omnibus[:, at]
            if has:
                numbers[f"{name}: any difference"] = [str(n) for n in found[:, 0]]
            if found[:, 2].any():
                numbers[f"{name}: any, inconclusive"] = [str(n) for n in found[:, 2]]
        for name, counts in self._conclusions().items():
            numbers[name] = [str(n) for n in counts.sum(axis=1)]
        caption = (
            f"Conclusions on {plural(len(self.first), 'pair')} in "
            f"{plural(self.repetitions, 'experiment')} per effect ({self.effect_name})"
        )
        return table_of({}, numbers, caption)

    def _pairs(self, place: int) -> Table:
        """Return the counts by pair for one effect, as in Tables 3 and 5 of the paper."""
        pairs = zip(self.first, self.second, strict=True)
        texts = {
            "pair": [*(f"{one} against {other}" for one, other in pairs), "mean"],
            "truth": [*(TRUTHS[value] for value in self.truth[place].tolist()), ""],
        }
        numbers = {
            name: [*(str(n) for n in counts[place]), f"{counts[place].mean():.1f}"]
            for name, counts in self._conclusions().items()
        }
        caption = (
            f"Conclusions in {plural(self.repetitions, 'experiment')} with an effect of "
            f"{self.effects[place]:g} ({self.effect_name})"
        )
        return table_of(texts, numbers, caption)

    def _conclusions(self) -> dict[str, IntArray]:
        """Return counts by effect and pair, as the paper has them, by design and conclusion."""
        told = {
            "right": self.right,
            "none found": self.counts[..., 2],
            "wrong": self.wrong,
            INCONCLUSIVE: self.inconclusive,
        }
        return {
            f"{name}: {word}": counts[:, at]
            for at, name in enumerate(self.designs)
            for word, counts in told.items()
            if word != INCONCLUSIVE or counts[:, at].any()
        }


def _selected(shares: Mapping[str, Shares], designs: list[int]) -> Labelled[Shares]:
    """Return the shares of the designs at these places."""
    parts = ("successes", "trials", "lower", "upper")
    return Labelled(
        {
            name: Shares(**{part: getattr(found, part)[:, designs] for part in parts})
            for name, found in shares.items()
        }
    )
