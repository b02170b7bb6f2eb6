"""Kinds of experiments over several data sets, and what the rules of ``recommend`` say of each.

The rules are asked by the facts that they depend on, for every number of algorithms, so that the
numbers at which a recommendation changes are those of the code. Each kind makes data of its own,
with which the same is asked of ``recommend`` itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np

import nbcompare as nbc
from nbcompare.analysis._advice import Advice, Facts
from nbcompare.analysis.recommend import decided, n_hypotheses
from nbcompare.analysis.scales import Scales

CONTROL = "A1"
# Beyond so many algorithms, recommendations are not looked at.
MOST = 300
_MOST_DATASETS = 1300
ALPHA = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What an experiment lacks.

    Attributes
    ----------
    name : str
        Part of the label of a section.
    asks : str
        The answer to the question of what is missing, as a link.
    short : str
        The same in a heading.
    facts : mapping of str to int
        What the rules are told of an experiment that lacks this.
    n_folds : int
        The folds of the data.
    lose : callable
        Takes what is missing from scores of shape (n_datasets, n_algorithms, n_folds).
    """

    name: str
    asks: str
    short: str
    facts: Mapping[str, int]
    n_folds: int
    lose: Callable[[np.ndarray], None]


def _nothing(scores: np.ndarray) -> None:
    pass


def _scores(scores: np.ndarray) -> None:
    scores[-1, 0], scores[-2, 1] = np.nan, np.nan


def _folds(scores: np.ndarray) -> None:
    scores[0, 0, 0], scores[1, 1, 1] = np.nan, np.nan


def _both(scores: np.ndarray) -> None:
    _scores(scores)
    _folds(scores)


LOSSES = (
    Loss(
        name="complete",
        asks="Nothing: every algorithm has a score on every data set, in the same folds and runs",
        short="nothing missing",
        facts={"n_missing": 0, "n_incomplete": 0},
        n_folds=1,
        lose=_nothing,
    ),
    Loss(
        name="gaps",
        asks="Some scores: an algorithm has none at all on a data set",
        short="some scores missing",
        facts={"n_missing": 2, "n_incomplete": 0},
        n_folds=1,
        lose=_scores,
    ),
    Loss(
        name="folds",
        asks="Some folds or runs: an algorithm has fewer on a data set than others",
        short="some folds or runs missing",
        facts={"n_missing": 0, "n_incomplete": 2},
        n_folds=3,
        lose=_folds,
    ),
    Loss(
        name="both",
        asks="Both: some scores, and some folds or runs of others",
        short="scores and folds or runs missing",
        facts={"n_missing": 2, "n_incomplete": 2},
        n_folds=3,
        lose=_both,
    ),
)


class Aim(NamedTuple):
    """Which algorithms are compared: part of a label, a heading, the link to it, how many."""

    name: str
    asks: str
    short: str
    fewest: int
    most: int
    control: str | None = None


AIMS = (
    Aim("two", "Two algorithms", "two", 2, 2),
    Aim("pairs", "Three or more, all with one another", "all pairs", 3, MOST),
    Aim(
        "control",
        "Three or more, all with one of them, the control",
        "with a control",
        3,
        MOST,
        CONTROL,
    ),
)


class Outcome(NamedTuple):
    """What is recommended: the words of the options."""

    missing: str
    ranking: str
    pairs: str
    adjust: str


class Case(NamedTuple):
    """Whether data sets are on one scale, and enough for Wilcoxon's test of a pair to reject."""

    one_scale: bool
    enough: bool


CASES = tuple(Case(one, enough) for one in (True, False) for enough in (True, False))


class Row(NamedTuple):
    """A range of numbers of algorithms with one recommendation, which holds in all cases."""

    cases: tuple[Case, ...]
    fewest: int
    most: int
    outcome: Outcome


class Why(NamedTuple):
    """A rule that settles an option, and the first facts for which it does."""

    option: str
    rule: Advice
    facts: Facts


class Situation(NamedTuple):
    """A kind of experiment: what it lacks, and which algorithms are compared."""

    loss: Loss
    aim: Aim

    @property
    def label(self) -> str:
        """Label of its section."""
        return f"choose-{self.loss.name}-{self.aim.name}"

    def facts(self, k: int, n: int, *, one_scale: bool) -> Facts:
        """Return the facts of such an experiment of k algorithms on n data sets."""
        lost = int(self.loss.facts["n_missing"])
        return Facts(
            k=k,
            n=n,
            n_scored=n,
            n_common=n - lost,
            n_cells=n * k,
            m=n_hypotheses(k, self.aim.control),
            alpha=ALPHA,
            control=self.aim.control,
            scales=Scales(2.0 if one_scale else 1e6, one_scale, stated=False),
            **self.loss.facts,
        )

    def data(self, k: int, n: int, *, one_scale: bool, seed: int = 1) -> nbc.Experiment:
        """Return such an experiment, of which each two algorithms share n data sets."""
        # data sets without a score of one of the first two algorithms are added
        rows = n + int(self.loss.facts["n_missing"])
        folds = self.loss.n_folds
        scores = np.random.default_rng(seed).normal(size=(rows, k, folds))
        if not one_scale:
            scores *= np.logspace(0, 12, rows)[:, np.newaxis, np.newaxis]
        self.loss.lose(scores)
        names = [f"A{i}" for i in range(1, k + 1)]
        return nbc.Experiment.from_array(
            scores if folds > 1 else scores[..., 0], direction="maximize", algorithms=names
        )

    def rows(self) -> tuple[Row, ...]:
        """Return what is recommended, by cases and numbers of algorithms."""
        alike: dict[tuple[tuple[int, Outcome], ...], tuple[Row, ...]] = {}
        for case in CASES:
            rows = self._ranges(case)
            key = tuple((row.fewest, row.outcome) for row in rows)
            known = alike.get(key, rows)
            cases = tuple(dict.fromkeys((*known[0].cases, case)))
            alike[key] = tuple(row._replace(cases=cases) for row in known)
        return tuple(row for rows in alike.values() for row in rows)

    def reasons(self) -> Iterator[Why]:
        """Yield each rule that decides in some case, once."""
        told: set[str] = set()
        for row in self.rows():
            for case in row.cases:
                facts = self._facts_of(row.fewest, case)
                rules = decided(facts, {})
                for option in Outcome._fields:
                    rule = rules[option]
                    if rule.text and rule.code not in told:
                        told.add(rule.code)
                        yield Why(option, rule, facts)

    def n_datasets(self, k: int, case: Case) -> int:
        """Return how many data sets each two algorithms share in an example of a case.

        Those that another treatment of what is missing would add are never just enough.
        """
        enough = fewest_for_wilcoxon(n_hypotheses(k, self.aim.control))
        return enough if case.enough else enough - 1 - self.loss.facts["n_missing"]

    def _ranges(self, case: Case) -> tuple[Row, ...]:
        rows: list[Row] = []
        for k in range(self.aim.fewest, self.aim.most + 1):
            outcome = outcome_of(self._facts_of(k, case))
            if rows and rows[-1].outcome == outcome:
                rows[-1] = rows[-1]._replace(most=k)
            else:
                rows.append(Row((case,), k, k, outcome))
        return tuple(rows)

    def _facts_of(self, k: int, case: Case) -> Facts:
        return self.facts(k, self.n_datasets(k, case), one_scale=case.one_scale)


SITUATIONS = tuple(Situation(loss, aim) for loss in LOSSES for aim in AIMS)


def outcome_of(facts: Facts) -> Outcome:
    """Return what the rules recommend by these facts."""
    rules = decided(replace(facts, chosen={}), {})
    return Outcome(*(rules[option].value for option in Outcome._fields))


@cache
def fewest_for_wilcoxon(n_tests: int) -> int:
    """Return the fewest data sets on which Wilcoxon's exact test can reject of so many."""
    blank = Situation(LOSSES[0], AIMS[1]).facts(3, 2, one_scale=True)
    return next(
        n
        for n in range(2, _MOST_DATASETS)
        if replace(blank, m=n_tests, n_scored=n, chosen={"missing": "raise"}).smallest_adjusted
        <= ALPHA
    )


def fewest_of_strength(k: int, strength: str) -> int:
    """Return the fewest data sets with which a design for k algorithms is called this."""
    situation = Situation(LOSSES[0], AIMS[1])
    words = ("weak", "adequate", "strong")
    return next(
        n
        for n in range(2, _MOST_DATASETS)
        if words.index(decided(situation.facts(k, n, one_scale=True), {})["strength"].value)
        >= words.index(strength)
    )
