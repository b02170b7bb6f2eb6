"""What a Bayesian comparison found, and how, in sentences for a report and a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbcompare._render import format_number, plural
from nbcompare.results._cited import Cited, computed, missing, scored
from nbcompare.results._established import capital, counted, every, first_caveat
from nbcompare.results.decisions import EQUIVALENT
from nbcompare.results.pair_wording import MOST_LISTED

if TYPE_CHECKING:
    from nbcompare.results.bayesian import BayesianComparison

_NONE = "none"


def answers(result: BayesianComparison) -> tuple[str, ...]:
    """Return sentences on what can be claimed about the pairs, and about how many nothing can."""
    claims = [row for row, word in enumerate(result.decision) if word != _NONE]
    told = [_many(result, claims)]
    if len(claims) <= MOST_LISTED:
        told = [_claim(result, row) for row in claims]
    return (*told, *_open(result, len(claims)))


def findings(result: BayesianComparison) -> tuple[tuple[str, ...], ...]:
    """Return sentences on what can be claimed, and a caveat."""
    text = first_caveat(result.notes, ())
    return (answers(result), (f"Read with care: {text}" if text else "",))


def methods(result: BayesianComparison, cite: Cited) -> tuple[str, ...]:
    """Return the sentences of a paragraph on the methods."""
    k = counted(len(result.algorithms), "algorithm")
    on = f"{result.where} alone" if result.record.on_folds else result.where
    folds = ""
    if result.ratio is not None:
        folds = (
            f", on {result.splits}, with test sets {format_number(result.ratio, 3)} times the size "
            "of the training sets"
        )
    which = f"{capital(every(len(result), 'pair'))} were"
    if result.control is not None:
        which = f"The control, {result.control}, was"
    elif len(result) == 1:
        which = "The two were"
    against = "" if result.control is None else " with each other algorithm"
    draws = "" if result.n_samples is None else f", with {result.n_samples:,} Monte Carlo draws"
    alike = ", or the two are equivalent," if result.rope else ""
    region = (
        f"The region of practical equivalence holds differences of at most {result.region}."
        if result.rope
        else "There is no region of practical equivalence."
    )
    return (
        f"We compared {k} on {on} by {scored(result.design)}{folds}.",
        missing(result.design),
        f"{which} compared{against} by the {result.record.label}{cite(*result.record.cites)}"
        f"{draws}.",
        region,
        f"A pair was decided if one algorithm is better{alike} with a posterior probability of at "
        f"least {result.threshold:g}; probabilities are about each pair by itself.",
        computed(result.design),
    )


def probability(text: str) -> str:
    """Return a formatted probability as the rest of a sentence: ``0.981``, ``above 0.999``."""
    return text.replace("> ", "above ").replace("< ", "below ")


def told_of_pair(result: BayesianComparison, row: int) -> str:
    """Tell the probabilities of a pair, such as a page says them where a reader points."""
    a, b = result.first[row], result.second[row]
    parts = [
        (f"{a} is better", float(result.first_better[row])),
        *([("equivalent", float(result.equivalent[row]))] if result.rope else []),
        (f"{b} is better", float(result.second_better[row])),
    ]
    told = ", ".join(f"{what} {probability(result.chance(value))}" for what, value in parts)
    return f"{a} – {b}: {told}; claim: {result.claim(row)}"


def _claim(result: BayesianComparison, row: int) -> str:
    pair = (result.first[row], result.second[row])
    if result.decision[row] == EQUIVALENT:
        value = probability(result.chance(float(result.equivalent[row])))
        return (
            f"The probability that {pair[0]} and {pair[1]} differ by at most {result.region} is "
            f"{value}: practically equivalent."
        )
    lead = float(result.first_better[row]), float(result.second_better[row])
    better, worse = pair if lead[0] >= lead[1] else pair[::-1]
    by = f" by more than {result.region}" if result.rope else ""
    value = probability(result.chance(max(lead)))
    return f"With probability {value}, {better} is better than {worse}{by}."


def _many(result: BayesianComparison, claims: list[int]) -> str:
    """Count the claims about many pairs, and say how far the best algorithm leads."""
    alike = sum(result.decision[row] == EQUIVALENT for row in claims)
    better = len(claims) - alike
    by = f" by more than {result.region}" if result.rope else ""
    told = [
        f"for {better:,} one algorithm is better{by}" if better else "",
        f"{alike:,} {'is' if alike == 1 else 'are'} practically equivalent" if alike else "",
    ]
    text = (
        f"Of {plural(len(result), 'pair')}, {' and '.join(filter(None, told))}, each with "
        f"probability at least {result.threshold:g}"
    )
    best = result.ordered[0]
    beaten = sum(_claimed_better(result, row) == best for row in claims)
    others = len(result.algorithms) - 1
    if not beaten or result.control is not None:
        return f"{text}."
    whom = "every other algorithm" if beaten == others else f"{beaten} of the {others} others"
    return f"{text}; {best} is better than {whom}."


def _claimed_better(result: BayesianComparison, row: int) -> str:
    """Return the algorithm that is claimed to be better; empty if the two are equivalent."""
    if result.decision[row] == EQUIVALENT:
        return ""
    first = result.first_better[row] >= result.second_better[row]
    return result.first[row] if first else result.second[row]


def _open(result: BayesianComparison, n_claims: int) -> tuple[str, ...]:
    """Say about how many pairs nothing can be claimed."""
    rest, level = len(result) - n_claims, f"{result.threshold:g}"
    if not rest:
        return ()
    if len(result) == 1:
        a, b = result.first[0], result.second[0]
        values = [
            probability(result.chance(float(part[0])))
            for part in (result.first_better, result.equivalent, result.second_better)
        ]
        middle = f", that they are practically equivalent {values[1]}" if result.rope else ""
        return (
            f"Nothing can be claimed about {a} and {b} with probability {level}: the probability "
            f"that {a} is better is {values[0]}{middle}, and that {b} is better {values[2]}.",
        )
    which = "any pair" if not n_claims else f"the other {plural(rest, 'pair')}"
    if n_claims and rest == 1:
        which = "the remaining pair"
    return (f"Nothing can be claimed about {which} with probability {level}.",)
