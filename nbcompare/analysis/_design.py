"""The design of a comparison: what the caller asked for, and for the rest what is recommended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from nbcompare._arrays import FloatArray
from nbcompare._options import AUTO, NORMAL
from nbcompare._render import Note
from nbcompare._validation import named
from nbcompare.analysis._advice import Facts
from nbcompare.analysis._family import is_out_of_all_pairs
from nbcompare.analysis.recommend import decided, facts_of, filled, n_hypotheses
from nbcompare.analysis.scales import Scales
from nbcompare.experiment import Experiment
from nbcompare.stats.logical import MOST_ALGORITHMS
from nbcompare.words import PAIR_TESTS, PAIRWISE_TESTS, PROCEDURES, RANKINGS

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
    """Settle what is not said so that it fits what is said.

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
    return words._replace(method=_method(options), notes=tuple(_differences(facts.chosen, facts)))


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
    return Note(
        "not-recommended",
        f"Recommended for these data: {there}, in place of {here}. Decide before the results are "
        "seen.",
    )
