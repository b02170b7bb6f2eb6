"""The design of a comparison: what the caller asked for, and for the rest what is recommended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from nbcompare._arrays import FloatArray, are_tied, has_gaps
from nbcompare._options import AUTO, NORMAL, TWO_SIDED
from nbcompare._render import Note
from nbcompare._validation import DataError, named
from nbcompare.analysis import _notes
from nbcompare.analysis._family import is_out_of_all_pairs
from nbcompare.analysis.rules import facts_of_gaps
from nbcompare.analysis.scales import Scales
from nbcompare.experiment import Experiment
from nbcompare.results.texts import note
from nbcompare.stats import incomplete, posthoc
from nbcompare.stats.logical import MOST_ALGORITHMS
from nbcompare.words import PAIR_TESTS, PAIRWISE_TESTS, PROCEDURES, RANKINGS, texts_of_advice

# Up to so many, Bergmann and Hommel's procedure takes half a second with any tests of pairs.
MOST_BY_DEFAULT = 14
MOST_BY_RANKS = 50  # the same with tests by average ranks
MOST_BY_SHAFFER = 200
# The chi-squared distributions of rank tests are rough approximations up to this many data sets.
FEW_DATASETS = 10


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts that the rules depend on; ``chosen`` holds the options settled so far.

    ``fits`` names what the caller asked for that goes with tests of pairs by average ranks only,
    ``printed`` says that the formulas of the papers were asked for, and ``margin`` that
    differences are compared with a margin.
    """

    k: int
    n: int  # data sets with scores of two algorithms
    n_scored: int  # the fewest data sets on which two algorithms have scores
    n_common: int  # data sets with a fold that all algorithms have
    n_cells: int
    m: int  # hypotheses
    alpha: float
    control: str | None
    scales: Scales  # whether the data sets are on one scale
    n_missing: int = 0
    n_incomplete: int = 0
    sides: int = 2  # of the tests of pairs
    n_alike: int = 0  # data sets on which all algorithms tie, which count for no test
    # on how many data sets each pair ties at least, if that leaves too few to reject; no rule may
    # look at it, as it depends on which algorithm has which score
    n_tied: int = 0
    fits: str = ""
    printed: bool = False
    margin: bool = False
    chosen: dict[str, str] = field(default_factory=dict)

    @property
    def one_scale(self) -> bool:
        """Return whether the data sets seem to be on one scale."""
        return self.scales.one

    @property
    def complete(self) -> bool:
        """Return whether every data set has every score."""
        return self.chosen["missing"] != "skillings-mack"

    @property
    def n_shared(self) -> int:
        """The fewest data sets by which two algorithms are compared, after what was settled."""
        after = {"worst": self.n_cells // self.k, "drop-folds": self.n_common}
        return after.get(self.chosen["missing"], self.n_scored)

    @property
    def smallest(self) -> float:
        """The smallest p-value that the exact tests of a pair by signs can have."""
        return min(1.0, self.sides * 2.0 ** (self.n_alike - self.n_shared))

    @property
    def smallest_adjusted(self) -> float:
        """The smallest such p-value after the first step of an adjustment."""
        return min(1.0, self.m * self.smallest)

    @property
    def by_position(self) -> bool:
        """Return whether p depends on the difference of average ranks only."""
        return self.chosen["pairs"] == "ranks" and self.chosen["missing"] != "skillings-mack"


class Advice(NamedTuple):
    """A choice, its condition and the code of its reason, which stands in ``words/advice.toml``."""

    value: str
    when: Callable[[Facts], bool]
    code: str

    @property
    def text(self) -> str:
        """The reason, with facts in braces; empty without one."""
        return texts_of_advice(self.code).get("text", "")

    @property
    def source(self) -> str:
        """Key of the literature behind the reason."""
        return texts_of_advice(self.code).get("source", "")

    @property
    def because(self) -> str:
        """What follows the choice in the sentence on a design; empty if nothing does."""
        return texts_of_advice(self.code).get("because", "")


def _always(_: Facts) -> bool:
    return True


# For each option, the first rule whose condition holds decides. The order of the options matters,
# because a rule may depend on the options that were settled before.
RULES: Mapping[str, tuple[Advice, ...]] = {
    "missing": (
        Advice("raise", lambda f: f.n_missing + f.n_incomplete == 0, "complete"),
        Advice(
            "worst",
            lambda f: bool(f.n_incomplete) and (bool(f.n_missing) or f.n_common < 2),
            "failures",
        ),
        Advice("drop-folds", lambda f: f.n_incomplete > 0, "common-folds"),
        Advice("drop", lambda f: f.k == 2, "both-scores"),
        Advice("skillings-mack", _always, "gaps"),
    ),
    "ranking": (
        Advice("friedman", lambda f: f.k == 2, "one-pair"),
        Advice("friedman", _always, "average-ranks"),
    ),
    "pairs": (
        Advice("wilcoxon", lambda f: f.margin, "margin"),
        Advice("ranks", lambda f: bool(f.fits), "fits"),
        Advice("exchange", lambda f: bool(f.scales.order_alone), "order-alone"),
        Advice("exchange", lambda f: not f.one_scale, "exchange-within"),
        Advice("exchange", lambda f: f.n_shared < 2, "apart"),
        Advice("wilcoxon", lambda f: f.k == 2, "exact-pair"),
        Advice("wilcoxon", _always, "pair-alone"),
    ),
    "adjust": (
        Advice("holm", lambda f: f.printed, "printed"),
        Advice("holm", lambda f: f.m == 1, "one-hypothesis"),
        Advice("holm", lambda f: f.control is not None, "any-dependence"),
        Advice(
            "holm", lambda f: not PAIRWISE_TESTS[f.chosen["pairs"]].is_transitive, "not-logical"
        ),
        Advice(
            "bergmann-hommel",
            lambda f: f.k <= (MOST_BY_RANKS if f.by_position else MOST_BY_DEFAULT),
            "logical",
        ),
        Advice("holm", lambda f: f.k > MOST_BY_SHAFFER, "very-many"),
        Advice("shaffer", _always, "logical-many"),
    ),
    "strength": (
        Advice("weak", lambda f: f.complete and f.smallest_adjusted > f.alpha, "powerless"),
        Advice("weak", lambda f: f.n_shared < 2 * f.k, "few-datasets"),
        Advice(
            "adequate",
            lambda f: f.n_shared < 4 * f.k or f.n_shared <= FEW_DATASETS,
            "enough-datasets",
        ),
        Advice("strong", _always, "many-datasets"),
    ),
}


_USUAL = next(iter(RANKINGS))  # the ranking that goes with all tests of pairs
# Why pairs are tested as they are where only average ranks are known
_NO_SCORES = "by the normal law, because average ranks alone give no exact p-values"


class Settled(NamedTuple):
    """The options of a comparison, all of them words of the records.

    ``why`` is a sentence on the design, and ``notes`` say how it differs from what is recommended.
    """

    ranking: str
    pairs: str
    procedures: tuple[str, ...]
    method: str
    why: str
    notes: tuple[Note, ...]


def settled(
    experiment: Experiment,
    scores: FloatArray,
    scales: Scales,
    options: Mapping[str, Any],
) -> Settled:
    """Settle options left open so that they fit those given.

    The choice depends on the size of the experiment and on the ranges of the scores, never on
    which algorithm is best.
    """
    k, named_one = experiment.n_algorithms, options["control"]
    if is_out_of_all_pairs(options, experiment.algorithms):
        named_one = None
    facts = replace(
        facts_of(
            experiment,
            scores,
            options["control"],
            options["alpha"],
            scales,
            options["alternative"],
        ),
        fits=_fits(options, experiment.n_algorithms),
        m=n_hypotheses(k, named_one),
        printed=options["formulas"] == "printed",
        margin=options["margin"] is not None,
    )
    missing = "skillings-mack" if facts.n_missing else "raise"
    words = _settled(facts, missing, options)
    asked = tuple(options[name] for name in ("ranking", "pairs", "adjust"))
    is_free = asked == (AUTO, AUTO, (AUTO,)) and not (facts.fits or facts.printed or facts.margin)
    notes = () if is_free else tuple(_differences(facts.chosen, facts))
    return words._replace(method=_method(options), notes=notes)


def settled_pair(
    experiment: Experiment, scores: FloatArray, scales: Scales, test: str, alpha: float
) -> tuple[str, str, tuple[Note, ...]]:
    """Settle the test of two algorithms by the rules for a comparison that has no others.

    Returns the test, a sentence on it and why it is taken, and notes on what is recommended. Of two
    algorithms, ranks within data sets are signs.
    """
    facts = facts_of(experiment, scores, None, alpha, scales)
    rules = decided(facts, {"missing": "raise"})
    pairs = facts.chosen["pairs"]
    advised = pairs if pairs in PAIR_TESTS else "sign"
    label = f"the {PAIR_TESTS[advised].label}"
    if test == AUTO:
        return advised, f"Design: {label} ({filled(rules['pairs'].because, facts)}).", ()
    asked = f"the {PAIR_TESTS[test].label}"
    notes = () if test == advised else (_recommended(label, asked),)
    return test, f"Design, as asked: {asked}.", notes


def settled_by_ranks(k: int, n: int, options: Mapping[str, Any]) -> Settled:
    """Settle the options of a comparison of which only average ranks are known."""
    control = options["control"]
    facts = Facts(
        k=k,
        n=n,
        n_scored=n,
        n_common=n,
        n_cells=n * k,
        m=n_hypotheses(k, control),
        alpha=options["alpha"],
        control=control,
        scales=Scales(1.0, one=True, stated=False),
    )
    return _settled(facts, "raise", options, pairs=_NO_SCORES)


def _settled(facts: Facts, missing: str, options: Mapping[str, Any], **because: str) -> Settled:
    """Settle what is not said, with more reasons than those of the rules."""
    procedures = options["adjust"]
    said = {"missing": missing}
    said |= {name: options[name] for name in ("ranking", "pairs") if options[name] != AUTO}
    if procedures != (AUTO,):
        said["adjust"] = procedures[0] if procedures else ""
    rules = decided(facts, said)
    chosen = facts.chosen
    because |= {
        option: filled(rule.because, facts)
        for option, rule in rules.items()
        if option in ("pairs", "adjust")
    }
    return Settled(
        chosen["ranking"],
        chosen["pairs"],
        procedures if "adjust" in said else (chosen["adjust"],),
        options["method"],
        _sentence(chosen, facts, because),
        (),
    )


def _method(options: Mapping[str, Any]) -> str:
    """Return how p is computed: as asked, or by the normal law where nothing else goes with it.

    Nemenyi's procedure has no exact law, and its p-values must not be below raw exact ones.
    """
    method: str = options["method"]
    approximate = options["formulas"] == "printed" or "nemenyi" in options["adjust"]
    return NORMAL if method == AUTO and approximate else method


def _fits(options: Mapping[str, Any], k: int) -> str:
    """Name what was asked for that goes with tests of pairs by average ranks only."""
    if options["formulas"] == "printed":
        return "the use of the printed formulas"
    if options["ranking"] not in (AUTO, _USUAL):
        return f"the choice of {RANKINGS[options['ranking']].ranks}"
    for name in options["adjust"]:
        if name == "nemenyi" or (name == "bergmann-hommel" and k > MOST_ALGORITHMS):
            return f"{PROCEDURES[name].label}'s procedure"
    return ""


def _words(chosen: Mapping[str, str], control: str | None) -> tuple[str, str, str]:
    """Return the parts of a design in words."""
    return (
        RANKINGS[chosen["ranking"]].ranks,
        f"tests of pairs by {PAIRWISE_TESTS[chosen['pairs']].recommended}",
        f"{PROCEDURES[chosen['adjust']].label_with(control)}'s adjustment"
        if chosen["adjust"]
        else "no adjustment",
    )


def _sentence(chosen: Mapping[str, str], facts: Facts, because: Mapping[str, str]) -> str:
    """Return a sentence on the design and why it is taken."""
    ranks, pairs, adjustment = _words(chosen, facts.control)
    if "pairs" in because:
        pairs += f" ({because['pairs']})"
    if "adjust" in because:
        adjustment += f", {because['adjust']}"
    tail = "" if because else ", as asked"
    parts = (pairs, adjustment) if facts.k == 2 else (ranks, pairs, adjustment)
    stated = facts.scales.stated and facts.scales.one  # several scales have a reason or a note
    scale = " The data sets are stated to be on one scale." if stated else ""
    return f"Design{tail}: {'; '.join(parts)}.{scale}"


def _differences(chosen: Mapping[str, str], facts: Facts) -> list[Note]:
    """Return a note if the design is not the one that is recommended for the data."""
    plain = replace(facts, fits="", printed=False, margin=False, chosen={})
    decided(plain, {"missing": chosen["missing"]})
    other = [
        (here, there)
        for option, here, there in zip(
            ("ranking", "pairs", "adjust"),
            _words(chosen, facts.control),
            _words(plain.chosen, facts.control),
            strict=True,
        )
        if chosen[option] != plain.chosen[option]
    ]
    if not other:
        return []
    return [_recommended(named([there for _, there in other]), named([here for here, _ in other]))]


def _recommended(there: str, here: str) -> Note:
    return note("not-recommended", there=there, here=here)


# What the texts of rules name
_FACTS = (
    "k", "n_shared", "n_missing", "n_incomplete", "n_cells", "m", "alpha", "smallest", "fits",
)  # fmt: skip


def decided(facts: Facts, said: Mapping[str, str]) -> dict[str, Advice]:
    """Settle the options that are not said, and return the rule that decided each."""
    rules: dict[str, Advice] = {}
    for option, choices in RULES.items():
        if option in said:
            facts.chosen[option] = said[option]
        else:
            rules[option] = next(rule for rule in choices if rule.when(facts))
            facts.chosen[option] = rules[option].value
    return rules


def facts_of(
    experiment: Experiment,
    scores: FloatArray,
    control: str | None,
    alpha: float,
    scales: Scales,
    alternative: str = TWO_SIDED,
) -> Facts:
    """Return what the rules depend on: scores are turned so that smaller is better."""
    k = scores.shape[1]
    names = experiment.algorithms
    first, second = posthoc.pairs(k, names.index(control) if control in names else None)
    n = n_scored = len(scores)
    n_missing, apart = 0, None
    if not experiment.is_complete and has_gaps(scores):
        known = ~np.isnan(scores)
        n_missing = known.size - int(np.count_nonzero(known))
        counted = known.astype(np.float64)
        shared = counted.T @ counted  # products of integers are slow
        n_scored = int(shared[first, second].min())
        n = int((known.sum(axis=1) >= 2).sum())
        apart = incomplete.unlinked(scores)
    if n < 2:
        raise DataError(
            f"`experiment` must hold at least 2 data sets with scores of 2 algorithms; got {n}."
        )
    if apart is not None:
        one, other = (experiment.algorithms[j] for j in apart)
        raise DataError(
            f"`experiment` has no data set that {one!r} and {other!r} share, and no other "
            "algorithms link them. Select algorithms that are linked with experiment.select(...)."
        )
    m = len(first)
    return Facts(
        k=k,
        n=n,
        n_scored=n_scored,
        n_missing=n_missing,
        n_incomplete=len(experiment.incomplete),
        n_common=facts_of_gaps(experiment, "compare").get("n_common", experiment.n_datasets),
        n_cells=scores.size,
        m=m,
        alpha=alpha,
        control=control,
        scales=scales,
        sides=2 if alternative == TWO_SIDED else 1,
        n_alike=0 if n_missing else n_alike(scores),
        n_tied=0
        if n_missing
        else _notes.ties_that_hinder(scores, first, second, m, alpha, alternative),
    )


def n_alike(scores: FloatArray) -> int:
    """Return on how many data sets all algorithms tie."""
    return int(np.count_nonzero(are_tied(scores.min(axis=1), scores.max(axis=1))))


def n_hypotheses(k: int, control: str | None) -> int:
    """Return the number of pairs of k algorithms, or of those with the control."""
    return k * (k - 1) // 2 if control is None else k - 1


def filled(text: str, facts: Facts) -> str:
    """Return the text of a rule with the facts in it."""
    if "{" not in text:
        return text
    return text.format(
        **{name: getattr(facts, name) for name in _FACTS},
        **{name: getattr(facts.scales, name) for name in ("several", "why_several")},
        twice=2 * facts.k,
        ties=_notes.tied_on(facts.n_alike, facts.n_shared),
        too_large=f", too large to reject any of {facts.m:,} hypotheses" if facts.m > 1 else "",
    )
