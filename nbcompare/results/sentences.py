"""Sentences of findings that several results share: who leads, and which pairs differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from nbcompare._options import TWO_SIDED
from nbcompare._render import stated_p
from nbcompare.results.hypotheses import (
    DECISIONS,
    DIFFERENT,
    EQUIVALENT,
    INCONCLUSIVE,
    NEGLIGIBLE,
    Hypotheses,
    better_first,
)
from nbcompare.results.wording import (
    article,
    capital,
    counted,
    every,
    joined,
    listed_or,
    number,
    opening,
)
from nbcompare.words import PROCEDURES

# A sentence counts more pairs, algorithms or groups than this instead of listing them; the table
# lists all.
MOST_LISTED = 6
NOT_EQUAL = "This does not mean that they perform equally."

# Notes that could change what a reader concludes, by their importance: what makes the answer void,
# what makes an error more likely than stated, what was assumed of the data. What only says how the
# scores were read or used stands with the notes.
_CAVEATS = """
    never-significant all-tied hardly-rejects identical-differences all-alike rope-too-wide
    few-datasets no-variance undecided few-runs targets-from-data coarse-points short-runs
    equal-targets

    page-null no-adjustment finner-true-hypotheses li-dependence logical-relations opposite-signs
    asymmetric folds repetitions control-from-data benjamini-hochberg-dependence
    false-discoveries dependent-folds printed-z printed-rom

    few-problems skillings-mack pretest means ratio pairs-single pairing-ignored fold-order unpaired
    near-threshold cut-runs budgets worst dropped available folds-dropped margin-out-of-reach
    margin-too-wide large-scores not-recommended approximate
"""
CAVEATS = tuple(_CAVEATS.split())


# ------------------------------------------------------------------------------ words


def text_of(result: Any, code: str) -> str:
    """Return the text of a note, so that findings and notes have the same; empty without it."""
    return next((note.text for note in result.notes if note.code == code), "")


def caveat(result: Any, about: str = "", but: Sequence[str] = ()) -> str:
    """Return what a reader should take care of: the note that matters most; empty without one.

    ``about`` comes before it in any case. Notes on procedures that do not decide, which are all
    but the first, do not count, nor do those with a code in ``but``.
    """
    others = tuple(f"{name}-" for name in getattr(result, "adjust", ())[1:])
    texts = {n.code: n.text for n in reversed(result.notes) if not n.code.startswith(others)}
    first = next((texts[code] for code in CAVEATS if code in texts and code not in but), "")
    text = f"{about} {first}".strip()
    return f"Read with care: {text}" if text else ""


# ------------------------------------------------------------------------------ who leads


def leader(
    noun: str,
    where: str,
    ordered: Sequence[str],
    values: Mapping[str, float],
    show: Callable[[str], str],
    scores: str = "",
    control: str | None = None,
) -> str:
    """Say which algorithm has the best average, or which share it, and where a control stands.

    ``where`` names the data, ``ordered`` has the best first, ``values`` are compared, ``show``
    returns the average of an algorithm as text, and ``scores`` ends the parentheses.
    """
    k, first = len(ordered), ordered[0]
    best = [name for name in ordered if _are_equal(values[name], values[first])]
    told = f"({show(first)}{scores})"
    of_all = f"of the {counted(k, 'algorithm')} on {where}"
    if len(best) == k:
        return f"{capital(every(k, 'algorithm'))} have the same {noun} on {where} {told}."
    if len(best) > 1:
        several = f"{number(len(best)).capitalize()} algorithms"
        names = joined(best) if len(best) <= MOST_LISTED else several
        text = f"{names} share the best {noun} {of_all} {told}."
    elif k == 2:
        against = f"{show(first)} against {show(ordered[1])} of {ordered[1]}"
        return f"{first} has the better {noun} {of_all} ({against}{scores})."
    else:
        text = f"{first} has the best {noun} {of_all} {told}."
    if control is None or control in best:
        return text
    before = ordered[: ordered.index(control)]
    ahead = sum(not _are_equal(values[name], values[control]) for name in before)
    behind = f"{number(ahead)} {'other' if ahead == 1 else 'others'}"
    place = f"{article(noun)} {noun} of {show(control)}, behind {behind}"
    return f"{text} The control, {control}, has {place}."


def _are_equal(one: float, other: float) -> bool:
    """Return whether two averages differ by no more than the rounding of their sums."""
    return math.isclose(one, other, rel_tol=1e-12)


# ------------------------------------------------------------------ which differences there are


@dataclass(frozen=True)
class Pairs:
    """The tested pairs of a result, as sentences tell of them.

    Attributes
    ----------
    first, second : sequence of str
        The algorithms of each pair; the first is the control if there is one.
    sides : sequence of int
        1 where the first is better, -1 where the second is, 0 where that is not known.
    found : tuple of int
        The pairs with a significant difference.
    control : str or None
        The control; None for all pairs.
    ordered : tuple of str
        The algorithms, best first.
    text : callable
        Returns the deciding p-value of a pair as text.
    size : callable
        Returns a number that orders the deciding p-values.
    adjusted : bool
        Whether p-values are adjusted.
    alternative : {"two-sided", "better", "worse"}
        What the tests of a control ask of it.
    """

    first: Sequence[str]
    second: Sequence[str]
    sides: Sequence[int]
    found: tuple[int, ...]
    control: str | None
    ordered: tuple[str, ...]
    text: Callable[[int], str]
    size: Callable[[int], float]
    adjusted: bool
    alternative: str = TWO_SIDED

    @classmethod
    def of(
        cls,
        tests: Hypotheses,
        ordered: tuple[str, ...],
        control: str | None,
        alternative: str = TWO_SIDED,
    ) -> Self:
        """Return the tested pairs of a family, of which those without a sign are told, too."""
        logs = next(iter(tests.log10_adjusted.values()), tests.log10_pvalue)
        return cls(
            first=tests.first,
            second=tests.second,
            sides=np.where(tests.statistic >= 0, 1, -1).tolist(),
            found=tuple(np.flatnonzero(tests.rejected).tolist()),
            control=control,
            ordered=ordered,
            text=tests.decisive,
            size=lambda row: float(logs[row]),
            adjusted=bool(tests.adjusted),
            alternative=alternative,
        )

    def __len__(self) -> int:
        return len(self.first)

    @property
    def p_name(self) -> str:
        """Name of the deciding p-value."""
        return "adjusted p" if self.adjusted else "unadjusted p"

    @property
    def smallest(self) -> str:
        """The smallest deciding p-value, with its name."""
        row = min(range(len(self)), key=self.size)
        return stated_p(self.text(row), f"smallest {self.p_name}")

    @property
    def anywhere(self) -> str:
        """Where a difference was looked for, such as ``between any two of them``."""
        if self.control is None:
            return "between any two of them"
        return f"between the control, {self.control}, and any other algorithm"

    def better_first(self, row: int) -> tuple[str, str]:
        """Return the algorithms of a pair, the better one first."""
        pair = self.first[row], self.second[row]
        return pair if self.sides[row] >= 0 else (pair[1], pair[0])

    def p_of(self, rows: Sequence[int]) -> str:
        """Return the deciding p-values of some pairs as one text."""
        texts = {self.text(row) for row in rows}
        if len(texts) > 1:
            largest = self.text(max(rows, key=self.size))
            return f"{self.p_name} at most {largest.removeprefix('< ')}"
        return f"{stated_p(texts.pop(), self.p_name)}{' each' if len(rows) > 1 else ''}"

    def alike(self, rows: Sequence[int]) -> list[tuple[list[str], tuple[str, ...], list[int]]]:
        """Return the algorithms that are better than the same ones, these, and the pairs."""
        places = {name: place for place, name in enumerate(self.ordered)}
        worse: dict[str, list[int]] = {}
        for row in rows:
            worse.setdefault(self.better_first(row)[0], []).append(row)
        alike: dict[tuple[str, ...], list[str]] = {}
        for name in sorted(worse, key=places.__getitem__):
            beaten = {self.better_first(row)[1] for row in worse[name]}
            alike.setdefault(tuple(sorted(beaten, key=places.__getitem__)), []).append(name)
        return [
            (better, losers, [row for name in better for row in worse[name]])
            for losers, better in alike.items()
        ]


def established(pairs: Pairs, open_: int = 0, test: str = "") -> str:
    """Say which pairs differ significantly, or that none does.

    ``open_`` of the others are inconclusive, and ``test`` names that of the only pair.
    """
    if len(pairs) == 1:
        side = "" if pairs.alternative == TWO_SIDED else "one-sided"
        about = ", ".join(filter(None, (test, side, stated_p(pairs.text(0)))))
        pair = pairs.first[0], pairs.second[0]
        return verdict(pair, pairs.sides[0], about, pairs.alternative, rejected=bool(pairs.found))
    if not pairs.found and pairs.alternative == TWO_SIDED:
        return f"No significant difference was found {pairs.anywhere} ({pairs.smallest})."
    if not pairs.found:
        what = f"is not shown to be {pairs.alternative} than any other algorithm"
        return f"The control, {pairs.control}, {what} ({pairs.smallest})."
    if pairs.control is not None:
        return _against_control(pairs, pairs.control, open_)
    found, rest = pairs.found, len(pairs) - len(pairs.found)
    if not rest:
        places = [tuple(map(pairs.ordered.index, pairs.better_first(row))) for row in found]
        follow = all(pairs.sides) and all(better < worse for better, worse in places)
        order = f", in the order {', '.join(pairs.ordered)}" if follow else ""
        every_pair = capital(every(len(pairs), "pair"))
        return f"{every_pair} differ significantly ({pairs.p_of(found)}){order}."
    if len(found) > MOST_LISTED:
        return _many(pairs, open_)
    told = ", and ".join(_clauses(pairs))
    if open_:
        return f"{told}; {_others(rest, open_, 'pair')}."
    others = "any other two"
    if rest == 1:
        others = joined(
            next(pairs.better_first(row) for row in range(len(pairs)) if row not in found)
        )
    return f"{told}; no significant difference was found between {others}."


def _others(rest: int, open_: int, noun: str) -> str:
    """Say how many of the pairs without a significant difference are inconclusive."""
    verb = "is" if open_ == 1 else "are"
    if rest == open_:
        return f"the other {counted(rest, noun) if rest > 1 else noun} {verb} inconclusive"
    return (
        f"of the other {counted(rest, noun)}, {number(open_)} {verb} inconclusive, and no "
        "significant difference was found in the rest"
    )


def _clauses(pairs: Pairs) -> list[str]:
    """Return a clause for each set of algorithms that are better than the same ones."""
    sided = [row for row in pairs.found if pairs.sides[row]]
    clauses = [
        f"{joined(better)} {'are' if len(better) > 1 else 'is'} significantly better than "
        f"{joined(losers)} ({pairs.p_of(rows)})"
        for better, losers, rows in pairs.alike(sided)
    ]
    clauses += [
        f"{pairs.first[row]} and {pairs.second[row]} differ significantly ({pairs.p_of([row])}), "
        "though it is not clear which is better"
        for row in pairs.found
        if not pairs.sides[row]
    ]
    return [clauses[0], *(text.replace("significantly ", "", 1) for text in clauses[1:])]


def _many(pairs: Pairs, open_: int) -> str:
    """Tell of many pairs their number, and how far the best algorithm leads."""
    found, (best, *others) = pairs.found, pairs.ordered
    won = [pairs.better_first(row) for row in found if pairs.sides[row]]
    left = [name for name in others if (best, name) not in won]
    unsure = f", {number(open_)} {'is' if open_ == 1 else 'are'} inconclusive" if open_ else ""
    text = f"Of {len(pairs):,} pairs, {len(found):,} differ significantly ({pairs.p_of(found)})"
    if len(left) == len(others):
        return f"{text}{unsure}, but {best} is not shown to be better than any other algorithm."
    if not left:
        return f"{text}{unsure}; {best} is better than every other algorithm."
    beaten = number(len(others) - len(left))
    text = f"{text}{unsure}; {best} is better than {beaten} of the {number(len(others))} others"
    if len(left) > MOST_LISTED or open_:
        return f"{text}."
    return f"{text}, and no significant difference was found between it and {listed_or(left)}."


def _against_control(pairs: Pairs, control: str, open_: int) -> str:
    clauses = []
    sides = (
        ("better than the control", [row for row in pairs.found if pairs.sides[row] < 0]),
        ("worse than the control", [row for row in pairs.found if pairs.sides[row] > 0]),
        ("different from the control", [row for row in pairs.found if not pairs.sides[row]]),
    )
    for side, rows in sides:
        if not rows:
            continue
        names = [pairs.second[row] for row in rows]
        if len(rows) == len(pairs) and len(rows) > 1:
            told = f"{every(len(rows), 'other algorithm')} are"
        elif len(rows) > MOST_LISTED:
            told = f"{counted(len(rows), 'algorithm')} are"
        else:
            told = f"{joined(names)} {'are' if len(rows) > 1 else 'is'}"
        clauses.append(f"{told} significantly {side}, {control} ({pairs.p_of(rows)})")
    text = capital("; ".join(clauses))
    rest = [pairs.second[row] for row in range(len(pairs)) if row not in pairs.found]
    if not rest:
        return f"{text}."
    if open_:
        return f"{text}; {_others(len(rest), open_, 'comparison')}."
    several = counted(len(rest), "other algorithm")
    told = several if len(rest) > MOST_LISTED else listed_or(rest)
    if pairs.alternative == TWO_SIDED:
        return f"{text}; no significant difference from {told} was found."
    return f"{text}; the control is not shown to be {pairs.alternative} than {told}."


def verdict(
    pair: tuple[str, str], side: int, about: str, alternative: str, *, rejected: bool
) -> str:
    """Say what the test of one pair shows; ``side`` is 1 if the first is better, -1 if worse."""
    better, worse = pair if side >= 0 else pair[::-1]
    if alternative != TWO_SIDED:
        claim = f"{pair[0]} is {'significantly ' * rejected}{alternative} than {pair[1]}"
        return f"{'' if rejected else 'It is not shown that '}{claim} ({about})."
    if not rejected:
        return f"No significant difference was found between {better} and {worse} ({about})."
    if not side:
        return (
            f"{better} and {worse} differ significantly ({about}); it is not clear which is better."
        )
    return f"{better} is significantly better than {worse} ({about})."


def sides(alternative: str) -> str:
    """Return ``two-sided`` or ``one-sided``."""
    return TWO_SIDED if alternative == TWO_SIDED else "one-sided"


# ---------------------------------------------------------------------------- within a margin


def about_margin(tests: Hypotheses, margin: str) -> str:
    """Say which pairs are equivalent, which differ negligibly, and how many are inconclusive.

    ``margin`` is the margin as text. Pairs that were not compared with one are left out.
    """
    if tests.outcome is None:
        return ""
    if len(tests) == 1:
        return _OF_ONE[tests.outcome[0]].format(*better_first(tests, 0), margin)
    rows = {word: [i for i, it in enumerate(tests.outcome) if it == word] for word in DECISIONS}
    told = []
    if same := rows[EQUIVALENT]:
        pairs = [" is equivalent to ".join(better_first(tests, row)) for row in same]
        many = f"{len(same)} pairs are equivalent (the table lists them)"
        told.append(joined(pairs) if len(same) <= MOST_LISTED else many)
    if small := rows[NEGLIGIBLE]:
        pairs = [f"between {joined(better_first(tests, row))}" for row in small]
        many = f"{len(small)} differences are significant but negligible (the table lists them)"
        few = f"the difference is significant but negligible {', and '.join(pairs)}"
        told.append(few if len(small) <= MOST_LISTED else many)
    text = f"Within the margin of {margin}, {'; '.join(told) or 'no pair is equivalent'}."
    if n := len(rows[INCONCLUSIVE]):
        text += f" {opening(n, 'pair')} {'is' if n == 1 else 'are'} inconclusive: neither "
        text += "significantly different nor equivalent."
    return text


# Sentences on the only pair, after the one that says whether the difference is significant
_OF_ONE = {
    DIFFERENT: "It is not shown to lie within the margin of {2}.",
    NEGLIGIBLE: "It is negligible: it lies within the margin of {2}.",
    EQUIVALENT: "Within the margin of {2}, {0} is equivalent to {1}.",
    INCONCLUSIVE: "Nor are the two shown to be equivalent within the margin of {2}.",
}


def claims(adjust: Sequence[str]) -> str:
    """Say which errors claims of difference and of equivalence have after this adjustment."""
    procedure = PROCEDURES[adjust[0]] if adjust else None
    if procedure is None:
        of_difference = "are not adjusted: each has error α by itself"
    elif procedure.if_some_false or procedure.if_dependent:
        of_difference = "keep family-wise error α only on the condition that a note names"
        if procedure.controls != "family-wise error":
            of_difference = f"keep {procedure.controls} α"
    else:
        of_difference = f"keep {procedure.controls} α"
    return f"Claims of difference {of_difference}; claims of equivalence keep family-wise error α"


def level_text(confidence: float) -> str:
    """Return a confidence level as text, such as ``99.17 %``."""
    return f"{100 * confidence:.4g} %"
