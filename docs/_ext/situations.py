"""Kinds of experiments over several data sets, and what the rules of ``recommend`` say of each.

The rules are asked by the facts that they depend on, for every number of algorithms, so that the
numbers at which a recommendation changes are those of the code. Each kind makes data of its own,
with which the same is asked of ``recommend`` itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

import nbcompare as nbc
from nbcompare.analysis._design import Advice, Facts, decided, n_hypotheses
from nbcompare.analysis.scales import Scales

CONTROL = "A1"
# Beyond so many algorithms, recommendations are not looked at.
MOST = 300
_MOST_DATASETS = 1300
ALPHA = 0.05


class Loss(NamedTuple):
    """What an experiment lacks: how many scores, and how many others lack a fold.

    Attributes
    ----------
    name : str
        Part of the label of a section.
    asks : str
        The answer to the question of what is missing, as a link.
    short : str
        The same in a heading.
    n_missing, n_incomplete : int
        The numbers, as the rules are told of them.
    """

    name: str
    asks: str
    short: str
    n_missing: int
    n_incomplete: int

    @property
    def n_folds(self) -> int:
        """How many folds data need that lack this."""
        return 3 if self.n_incomplete else 1

    def lose(self, scores: np.ndarray) -> None:
        """Take what is missing from scores of shape (n_datasets, n_algorithms, n_folds)."""
        for i in range(self.n_missing):
            scores[-1 - i, i] = np.nan
        for i in range(self.n_incomplete):
            scores[i, i, i] = np.nan


LOSSES = (
    Loss(
        "complete",
        "Nothing: every algorithm has a score on every data set, in the same folds and runs",
        "nothing missing",
        n_missing=0,
        n_incomplete=0,
    ),
    Loss(
        "gaps",
        "Some scores: an algorithm has none at all on a data set",
        "some scores missing",
        n_missing=2,
        n_incomplete=0,
    ),
    Loss(
        "folds",
        "Some folds or runs: an algorithm has fewer on a data set than others",
        "some folds or runs missing",
        n_missing=0,
        n_incomplete=2,
    ),
    Loss(
        "both",
        "Both: some scores, and some folds or runs of others",
        "scores and folds or runs missing",
        n_missing=2,
        n_incomplete=2,
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


# Whether the data sets are on one scale
SCALES = (True, False)


class Row(NamedTuple):
    """A range of numbers of algorithms with one recommendation, and the scales it holds for."""

    scales: tuple[bool, ...]
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
        return Facts(
            k=k,
            n=n,
            n_scored=n,
            n_common=n - self.loss.n_missing,
            n_cells=n * k,
            m=n_hypotheses(k, self.aim.control),
            alpha=ALPHA,
            control=self.aim.control,
            scales=Scales(2.0 if one_scale else 1e6, one_scale, stated=False),
            n_missing=self.loss.n_missing,
            n_incomplete=self.loss.n_incomplete,
        )

    def data(self, k: int, n: int, *, one_scale: bool, seed: int = 1) -> nbc.Experiment:
        """Return such an experiment, of which each two algorithms share n data sets."""
        # data sets without a score of one of the first two algorithms are added
        rows = n + self.loss.n_missing
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
        """Return what is recommended, by scales and numbers of algorithms."""
        one, several = (self._ranges(one_scale) for one_scale in SCALES)
        if [row[1:] for row in one] == [row[1:] for row in several]:
            return tuple(row._replace(scales=SCALES) for row in one)
        return one + several

    def reasons(self) -> Iterator[Why]:
        """Yield each rule that decides somewhere, once."""
        told: set[str] = set()
        for row in self.rows():
            for one_scale in row.scales:
                facts = self._facts_of(row.fewest, one_scale)
                rules = decided(facts, {})
                for option in Outcome._fields:
                    rule = rules[option]
                    if rule.text and rule.code not in told:
                        told.add(rule.code)
                        yield Why(option, rule, facts)

    def n_datasets(self, k: int) -> int:
        """Return how many data sets each two algorithms share in an example, just enough ones."""
        return fewest_for_wilcoxon(n_hypotheses(k, self.aim.control))

    def _ranges(self, one_scale: bool) -> tuple[Row, ...]:
        rows: list[Row] = []
        for k in range(self.aim.fewest, self.aim.most + 1):
            outcome = outcome_of(self._facts_of(k, one_scale))
            if rows and rows[-1].outcome == outcome:
                rows[-1] = rows[-1]._replace(most=k)
            else:
                rows.append(Row((one_scale,), k, k, outcome))
        return tuple(rows)

    def _facts_of(self, k: int, one_scale: bool) -> Facts:
        return self.facts(k, self.n_datasets(k), one_scale=one_scale)


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
