"""Questions that researchers ask of results, and what answers each: a call, a command, a magic.

A recommendation names those that the data can answer, beside the comparison that it is about. Which
these are is decided in :mod:`nbcompare.analysis.recommend`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType

from nbcompare.words._word import by_name

# What a command has in the place of the data, with the options that say how to read them
SCORES, LOGS = "SCORES", "LOGS"
# What the reader must choose, in capitals in calls, commands and magics
CHOICES = MappingProxyType(
    {
        "ROPE": "the largest difference that does not matter, in units of the measure",
        "MARGIN": "the largest difference that does not matter, in units of the measure",
        "LOW": "an algorithm whose score counts as 0",
        "HIGH": "an algorithm whose score counts as 1",
        "DATASET": "the name of a data set",
        "RATIO": "the size of a test set over that of a training set",
        "TARGETS": "values of the measure to be reached",
        "EVALUATIONS": "a number of evaluations",
    }
)
# not in names, which are in quotation marks
_CAPITALS = re.compile(rf"(?<![\w'\"])(?:{'|'.join(CHOICES)})(?![\w'\"])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, and what answers it.

    Attributes
    ----------
    name : str
        Code for programs to test for.
    of : {"experiment", "histories"}
        The data that it is asked of, as they are called in ``call`` and ``magic``.
    asks : str
        The question, as a researcher asks it.
    applies : str
        When it can be asked, for a list of all questions.
    text : str
        What the answer says, and what it does not, in at most two sentences.
    call : str
        Code that answers it, after ``import nbcompare as nbc``.
    command : str
        What does the same in a shell, with ``SCORES`` or ``LOGS`` for the file and how to read it;
        empty if no command does.
    magic : str
        What does the same in a notebook; empty if no magic does.
    source : str
        Key of the literature.
    """

    name: str
    of: str
    asks: str
    applies: str
    text: str
    call: str
    command: str = ""
    magic: str = ""
    source: str

    @property
    def cites(self) -> tuple[str, ...]:
        """Keys of the literature."""
        return (self.source,)


def choices_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the words of ``CHOICES`` that occur in calls, in the order of the table."""
    found = {word for text in texts for word in _CAPITALS.findall(text)}
    return tuple(word for word in CHOICES if word in found)


QUESTIONS = by_name(
    # ------------------------------------------------------------------ of an experiment
    Question(
        name="equivalence",
        of="experiment",
        asks="How probable is it that one algorithm is better by more than a margin, or that two "
        "are practically equivalent?",
        applies="several data sets on one scale, and a difference that does not matter in practice",
        text="The Bayesian signed-rank test gives these probabilities for every pair, without an "
        "adjustment for the number of pairs. It is no remedy for few data sets: there, the prior "
        "counts.",
        call="nbc.compare_bayesian(experiment, rope=ROPE)",
        command=f"nbcompare compare-bayesian {SCORES} --rope ROPE",
        magic="%compare_bayesian experiment --rope ROPE",
        source="benavoli2017",
    ),
    Question(
        name="margin",
        of="experiment",
        asks="Are two algorithms equivalent within a margin, with the error rate under control?",
        applies="data sets on one scale, enough of them for intervals of the differences, and a "
        "difference that does not matter in practice",
        text="A pair is equivalent if the interval of its difference lies strictly inside the "
        "margin. That needs no prior, and the family-wise error of such claims is controlled.",
        call="nbc.compare(experiment, margin=MARGIN)",
        command=f"nbcompare compare {SCORES} --margin MARGIN",
        magic="%compare experiment --margin MARGIN",
        source="schuirmann1987",
    ),
    Question(
        name="groups",
        of="experiment",
        asks="Which algorithms differ within each group of data sets?",
        applies="data sets in several groups, such as domains, of which one has at least two",
        text="Each group is compared by itself. A difference that is significant in one group and "
        "not in another does not show that the groups differ.",
        call="nbc.compare_by(experiment)",
        command=f"nbcompare compare-by {SCORES}",
        magic="%compare_by experiment",
        source="gelman2006",
    ),
    Question(
        name="runs",
        of="experiment",
        asks="Which differences are real, given that every run has another score?",
        applies="repeated runs",
        text="The tests take account of how much the runs vary, which means hide. Where they vary "
        "too much for a decision, the outcome is inconclusive.",
        call="nbc.compare_stochastic(experiment)",
        command=f"nbcompare compare-stochastic {SCORES}",
        magic="%compare_stochastic experiment",
        source="otero2013",
    ),
    Question(
        name="typical-run",
        of="experiment",
        asks="How good is a typical run, and how often does a run of one algorithm beat one of "
        "another?",
        applies="repeated runs, and data sets on one scale or two baselines",
        text="Robust averages over all runs and probabilities of improvement answer this, also for "
        "few runs, with intervals of their noise. They describe these data sets, and test nothing.",
        call="nbc.aggregate_runs(experiment)",
        command=f"nbcompare aggregate-runs {SCORES}",
        magic="%aggregate_runs experiment",
        source="agarwal2021",
    ),
    Question(
        name="profiles",
        of="experiment",
        asks="How often is an algorithm within a factor of the best?",
        applies="costs: positive scores of which low ones are better, such as times or errors",
        text="Performance profiles show, for every factor, the share of data sets on which the "
        "cost is at most so many times the lowest. They test nothing, and the order of two "
        "algorithms in them may depend on a third.",
        call="nbc.plots.performance_profiles(experiment)",
        source="dolan2002",
    ),
    Question(
        name="one-data-set",
        of="experiment",
        asks="Do the algorithms differ on this one data set?",
        applies="the folds of cross-validation, or random splits",
        text="The corrected resampled t test compares them on the folds of one data set, whose "
        "training sets overlap. It says nothing about other data sets.",
        call="nbc.compare_cv(experiment, dataset=DATASET)",
        command=f"nbcompare compare-cv {SCORES} --datasets DATASET",
        magic="%compare_cv experiment --datasets DATASET",
        source="nadeau2003",
    ),
    Question(
        name="items",
        of="experiment",
        asks="Do the algorithms differ on these items?",
        applies="items of benchmarks, such as questions or images, that all algorithms were tried "
        "on",
        text="McNemar's test, or flips of the signs of differences, compare them on each item, "
        "with standard errors of clusters. They say nothing about other kinds of tasks.",
        call="nbc.compare_items(experiment)",
        command=f"nbcompare compare-items {SCORES}",
        magic="%compare_items experiment",
        source="miller2024",
    ),
    Question(
        name="one-data-set-runs",
        of="experiment",
        asks="Do the runs of the algorithms differ on this one data set?",
        applies="independent runs, such as random seeds, without folds",
        text="The rank-sum test compares the runs of each pair on one data set, and A12 says how "
        "often one run beats another. They say nothing about other data sets.",
        call="nbc.compare_runs(experiment, dataset=DATASET)",
        command=f"nbcompare compare-runs {SCORES} --datasets DATASET",
        magic="%compare_runs experiment --datasets DATASET",
        source="vargha2000",
    ),
    Question(
        name="one-data-set-equivalence",
        of="experiment",
        asks="How probable is a difference that matters on this one data set?",
        applies="the folds of cross-validation, or random splits, and a difference that does not "
        "matter in practice",
        text="The Bayesian correlated t test gives the probabilities that one of two algorithms is "
        "better there, or that they are practically equivalent. It says nothing about other data "
        "sets.",
        call="nbc.compare_bayesian(experiment, dataset=DATASET, rope=ROPE)",
        command=f"nbcompare compare-bayesian {SCORES} --datasets DATASET --rope ROPE",
        magic="%compare_bayesian experiment --datasets DATASET --rope ROPE",
        source="corani2015",
    ),
    Question(
        name="how-many",
        of="experiment",
        asks="How many data sets would I need?",
        applies="a pilot: at least two algorithms that differ",
        text="Experiments with more and more data sets are drawn from these data and tested, until "
        "most of them find the same differences. That assumes that these differences are the true "
        "ones; a share can be taken off them.",
        call="nbc.plan(experiment)",
        command=f"nbcompare plan {SCORES}",
        magic="%plan experiment",
        source="green2016",
    ),
    # ------------------------------------------------------------------ of histories
    Question(
        name="convergence",
        of="histories",
        asks="Which algorithm makes more progress, stage by stage?",
        applies="at least two algorithms on at least two problems",
        text="Page's trend test compares the shapes of convergence at points of the budget. It "
        "does not say when a given value is reached, nor test who is ahead at the end.",
        call="nbc.compare_convergence(histories)",
        command=f"nbcompare page-trend {LOGS}",
        magic="%page_trend histories",
        source="derrac2014",
    ),
    Question(
        name="targets",
        of="histories",
        asks="How many evaluations does an algorithm need to reach a given value, and how often "
        "does it reach it?",
        applies="known optima, or values that are worth reaching",
        text="Expected running times and success rates answer this, whatever the budgets of the "
        "runs. Targets must be chosen before the results are seen.",
        call="nbc.fixed_targets(histories)",
        command=f"nbcompare fixed-targets {LOGS}",
        magic="%fixed_targets histories",
        source="hansen2021",
    ),
    Question(
        name="fixed-budget",
        of="histories",
        asks="Which algorithm is best after a given number of evaluations?",
        applies="a budget that is known beforehand",
        text="The best values at that number of evaluations are scores, which are compared like "
        "others. The answer may be another one for another budget.",
        call="nbc.compare(histories.at(EVALUATIONS))",
        source="hansen2021",
    ),
    Question(
        name="area",
        of="histories",
        asks="Which algorithm has the better values over the whole budget?",
        applies="learning curves, of which values may get worse",
        text="The mean of each curve over its evaluations, which is the area under it, is a score "
        "that is compared like others. It weighs the beginning as much as the end.",
        call="nbc.compare(histories.area())",
        source="hansen2021",
    ),
)
