"""The text of a report: what each section explains, in words and formulas.

Those on one ranking, test or procedure stand in :mod:`nbcompare.words`.
"""

from __future__ import annotations

from collections.abc import Mapping

from nbcompare._options import better
from nbcompare._render import Column, Table, markdown, plural
from nbcompare._validation import named
from nbcompare.experiment import FRAME, Experiment
from nbcompare.histories import Histories
from nbcompare.results import (
    BayesianComparison,
    Comparison,
    ConvergenceComparison,
    GroupedComparison,
    ItemComparison,
    RunComparison,
    StochasticComparison,
    WithinComparison,
)
from nbcompare.results.hypotheses import worse_than
from nbcompare.words import DIFFERENCES, IMPRECISE_TESTS, RANKINGS, explanation

_MOST_IN_CELL = 5  # algorithms that a cell of a table names

DESIGN = "Rules from the literature recommend these tests for data of this kind."
CONDITIONS = """Parametric tests require these conditions. An asterisk marks a condition that a test
rejects."""

METHODS = "This text can be pasted into a paper."
APPENDIX = "How the comparison was made, its tables in full, and what else was looked at."

APPENDIX_FOLD = "Ranks, tests, conditions, alternatives and options"

SENSITIVITY = """The primary test was chosen by a rule that does not see its outcome. The others
show how much depends on this choice; none of them replaces it."""
SENSITIVITY_FIGURE = """A filled circle is a significant difference; the darker its cell, the
stricter a procedure suffices. The last column counts the data sets without each of which the
primary design decides otherwise."""
PLAN = """Experiments of growing size are drawn from these data, the pilot, and tested in the same
way. The power for a pair is the share of them that find it significant, in the direction of the
pilot."""
PLAN_FIGURE = """A curve is the power for a pair, or for all significant pairs at once, with a
pointwise band. Dotted: the wanted power; star: the smallest size that reaches it; dashed: the size
of these data."""
PLAN_FOLD = "Power by size, and how it was simulated"
SENSITIVITY_FOLD = "Every design: sentences, procedures, tests of pairs"


# ------------------------------------------------------------------------------------- data


def reading_text(data: Experiment | Histories) -> str:
    """Say how the file of the data was understood, and what was left out of it."""
    schema = data.schema
    read = [] if schema is None or schema.source == FRAME else [*schema.sentences]
    source = [f"Source: {data.citation}"] if data.citation else []
    return " ".join(map(markdown.escape, [*read, *source]))


# ------------------------------------------------------------------------------------ ranks

_FORMS = {
    "corrected": "corrected for ties",
    "printed": "as printed in the papers, for ranks without ties",
}
_SKILLINGS_MACK = r"""Under the null hypothesis that all $k$ algorithms perform equally, all orders
of the algorithms that have a score on a data set are equally likely. With $k_i$ scores on data set
$i$, the statistic of Skillings and Mack is

$$SM = A^\top \Sigma^+ A, \qquad
A_j = \sum_i \sqrt{\frac{12}{k_i+1}} \left(r_{ij} - \frac{k_i+1}{2}\right),$$

where $\Sigma$ is the covariance matrix of $A$, FORM. Without missing scores it equals
Friedman's statistic."""
_INCOMPLETE_RANKS = r"""On every data set the algorithms that have a score are ranked, 1 for the
best; tied algorithms share the mean of their ranks. The average ranks are adjusted for the
opponents that each algorithm met: they are the effects $\Sigma^+ A$ of the test below, on the scale
of average ranks."""
_ANOVA = r"""The pairwise tests are t tests, so the parametric omnibus test decides: the
repeated-measures analysis of variance, with its degrees of freedom corrected by the method of
Greenhouse and Geisser."""
_CD_DIAGRAM = """The algorithms stand at their average ranks, the best at the right. Thick bars join
those without a significant difference."""
_CD_MATRIX = """The matrix shows the adjusted p-values of all pairs, because the algorithms form too
many groups for a critical difference diagram."""
_CD_CONTROL = """The algorithms stand at their average ranks, the best at the right. Filled marks
differ significantly from the control; for hollow marks no significant difference was found."""
MATRIX = """The matrix shows the adjusted p-values of all pairs. A triangle points to the better
algorithm; filled triangles and bold digits mark significant differences."""
RANK_HEATMAP = """A row is a data set. The best algorithms there are blue, the worst ones orange;
the last row has the average ranks. Tied algorithms share the mean of their ranks."""
BARS = """The bars are average ranks, the best first; the control is dark. Hatching means that no
significant difference from the control was found. A dashed line marks the critical difference,
where the adjustment procedure has one."""
ALL_PAIRS = """Each cell shows the difference between the mean scores, the numbers of wins, ties and
losses, and the p-value of a pair. The test does not compare the means, so a difference between
means may point the other way."""
ALL_PAIRS_BY_WINS = """Each cell shows the share of data sets on which the row is better than the
column, the numbers of wins, ties and losses, and the p-value of a pair. The data sets are on
several scales, so that differences between mean scores mean little."""
PAIR = """The two algorithms are compared by Wilcoxon's signed-rank test, the usual test of two
algorithms, and the size of their difference is estimated."""
SCATTER = "Each point is a data set. On the diagonal the two algorithms performed equally."
CONTRAST = """The differences between the algorithms are estimated in units of the measure, by
medians of the differences that are made consistent with one another. The intervals come from
resampled data sets."""
RANK_INTERVALS = """The interval of an algorithm is for its average rank on all data sets of the
same kind, of which these are a sample."""
GROUPS = """Within each group of data sets the algorithms are ranked, and tested, as if there were
no other data sets."""
_GROUP_DIAGRAMS = "There is a diagram for each group, all with the same axis."
SIGNS = "The multiple sign test compares the wins and losses of each algorithm against the control."
FOLDS = "Two algorithms are compared on the folds of one data set."
CORRECTED_T = r"""Each pair is tested by the corrected resampled t test of Nadeau and Bengio. With
the mean $\bar d$ and the standard deviation $s$ of the $n$ differences on the test sets, and the
sizes $n_2$ of a test set and $n_1$ of a training set,

$$t = \frac{\bar d}{\sqrt{\left(\frac1n + \frac{n_2}{n_1}\right) s^2}}$$

has approximately Student's t distribution with $n - 1$ degrees of freedom if the two algorithms
have the same expected score. The term $n_2/n_1$ takes account of training sets that overlap;
without it, far too many differences would be found."""
ITEMS = r"""If swapping two algorithms changes nothing, each difference on an item has a
random sign. For scores of 0 and 1, the items on which one alone is right are then split evenly
between the two (McNemar's test); for others, the mean difference is compared with those of all
choices of signs, of whole clusters where items belong together. The standard error of the mean of
the differences $d_i$ of $n$ items in clusters of $n_g$ is

$$\frac1n \sqrt{\sum_{g} \frac{\left(\sum_{i \in g} (d_i - \bar d)\right)^2}{1 - n_g / n}}.$$

Means over several benchmarks give each of them the same weight."""
RUNS = r"""The runs of each pair are ranked together, with mid-ranks for ties. If their
distributions are the same, every choice of ranks is equally likely for the first (the rank-sum test
of Mann and Whitney). The shift is the median of all differences of a run of the first and one of
the second (Hodges and Lehmann), and

$$A_{12} = P(X > Y) + \tfrac12 P(X = Y)$$

is the probability that a run of the first is better than one of the second (Vargha and Delaney),
estimated by all pairs of runs."""
DIFFERENCES_IN_SHORT = """Points are differences, the better algorithm first, and lines are their
confidence intervals, which hold together. Filled points are significant differences."""
_DIFFERENCES = """Points are estimates, the better algorithm first, and lines are confidence
intervals. Filled points are significant differences."""
_MARGIN = """Squares are pairs whose interval lies strictly inside the margin, which is shaded:
these differences are too small to matter."""


_POSTERIOR = """Each cell shows the probability that the row is better. The mark points to the
algorithm that is likelier better; what is filled and framed is claimed."""
_POSTERIOR_OF_THREE = """Each cell shows the probability that the row is better and, after “eq.”,
that the two are practically equivalent. The mark stands for the most probable of the three; what is
filled and framed is claimed."""
OTHER_QUESTION = """A p-value says how unlikely such differences are if two algorithms perform
equally. The probabilities here answer another question: how probable it is, given the data and a
prior, that one is better, or that the two differ too little to matter. They do not take part in the
decisions of the tests above, which are the primary analysis."""


def bayesian_text(result: BayesianComparison) -> str:
    """Say what is claimed."""
    region = (
        f"Differences of at most {markdown.escape(result.region)} count as practically equivalent. "
        if result.rope
        else ""
    )
    return f"{region}A claim has at least the probability {result.threshold:g}."


def posterior_text(result: BayesianComparison) -> str:
    """Explain the matrix of probabilities."""
    return _POSTERIOR_OF_THREE if result.rope else _POSTERIOR


def bayesian_method_text(result: BayesianComparison) -> str:
    """Explain how the probabilities are computed, and what other model there is."""
    return "\n\n".join(
        explanation("bayesian", word) for word in (result.record.name, "hierarchical")
    )


def differences_text(result: Comparison) -> str:
    """Explain the intervals of the differences of pairs."""
    return _DIFFERENCES if result.margin is None else f"{_DIFFERENCES} {_MARGIN}"


def extent_text(result: WithinComparison) -> str:
    """Say on which test sets or items, or by which runs, the algorithms are compared."""
    alone = "" if isinstance(result, ItemComparison) else " alone"
    by = "" if isinstance(result, RunComparison) else "their scores on the same "
    return (
        f"The algorithms are compared on {markdown.escape(result.where)}{alone}, "
        f"by {by}{result.extent}."
    )


def measures_text(experiments: Mapping[str, Experiment]) -> str:
    """Say which measures there are, and that nothing is adjusted over them."""
    told = [
        f"{markdown.escape(name)} ({markdown.escape(better(one.direction, one.turned))})"
        for name, one in experiments.items()
    ]
    return (
        f"The algorithms are compared by {plural(len(told), 'measure')}, each by itself: "
        f"{'; '.join(told)}. Nothing is adjusted over the measures: the more there are, the more "
        "likely a false rejection by at least one of them is."
    )


def measures_table(comparisons: Mapping[str, Comparison]) -> str:
    """Return a table of who is best by each measure, and who is significantly worse."""
    rows = []
    for name, result in comparisons.items():
        best = result.ordered[0]
        worse = worse_than(result.hypotheses, best)
        apart = [it for it in result.ordered if it in worse]
        near = [it for it in result.ordered[1:] if it not in worse]
        shown = [named(part, most=_MOST_IN_CELL) if part else "none" for part in (apart, near)]
        rows.append((name, f"{best} ({result.average_ranks[best]:.2f})", *shown))
    heads = ("measure", "best (average rank)", "significantly worse", "not significantly worse")
    return markdown.render([Table(tuple(map(Column, heads)), tuple(rows))])


def ranks_text(result: Comparison) -> str:
    """Explain how the algorithms are ranked."""
    return _INCOMPLETE_RANKS if result.has_gaps else explanation("ranks", result.ranking)


def omnibus_text(result: Comparison) -> str:
    """Explain the test of the hypothesis that all algorithms perform equally."""
    ranking, is_printed = RANKINGS[result.ranking], result.formulas == "printed"
    text = _SKILLINGS_MACK
    if not result.has_gaps:
        formula = ranking.printed if is_printed else ranking.corrected
        text = explanation("omnibus", ranking.name).replace("FORMULA", formula)
    if result.tied is False and not is_printed:
        text = text.replace(", FORM,", "").replace(", FORM", "")
    text = text.replace("FORM", _FORMS[result.formulas])
    return f"{text}\n\n{_ANOVA}" if "anova" in result.omnibus else text


def hypotheses_text(result: Comparison) -> str:
    """Explain how two algorithms are compared."""
    return explanation("pairs", result.pairs)


def groups_text(result: GroupedComparison) -> str:
    """Explain the diagrams of the groups."""
    legend = _CD_DIAGRAM if result.first.control is None else _CD_CONTROL
    return f"{_GROUP_DIAGRAMS} {legend}"


def diagram_text(result: Comparison) -> str:
    """Explain the figure that sums up a comparison."""
    if result.control is not None:
        return _CD_CONTROL
    return _CD_MATRIX if result.groups is None else _CD_DIAGRAM


# --------------------------------------------------------------------- stochastic algorithms

OVERALL = r"""Each algorithm is compared with the mean of all algorithms by the mean of its
differences over the $n$ blocks. Under the null hypothesis the scores in a block may be permuted
among the algorithms; $p$ is the proportion of permutations, over all blocks, whose mean is at least
as extreme as the observed one."""
_BOOTSTRAP_PAIRS = r"""Two algorithms $u$ and $v$ are compared by the mean of their differences
over the $n$ blocks,

$$\bar d_{uv} = \frac{1}{n} \sum_{i=1}^{n} \left(x_{iu} - x_{iv}\right).$$

Under the null hypothesis the two may be exchanged in any block, which changes the sign of the
difference there."""
_PAIRS = r"""Two algorithms are compared by TEST for every selection of one value from each
interval. The p-value is the interval from the smallest to the largest p-value of these tests,

$$p_{uv} = \left[\min_{x \in X} p(x_u, x_v),\ \max_{x \in X} p(x_u, x_v)\right],$$

where $X$ is the set of all selections."""
_FUZZY = r"""At every coverage $c$ this interval is a cut of a fuzzy p-value, with membership $1 -
c$."""
_OUTCOMES = r"""A difference is significant if the whole interval of the adjusted p-value is at most
$\alpha$, not significant if the whole interval is above $\alpha$, and inconclusive if the variation
between runs leaves both possible."""
_OUTCOME_DIAGRAM = """The algorithms stand at their means; a grey line spans the interval of each
mean. A solid bar joins algorithms among which no difference is significant or inconclusive. A
hollow bar joins algorithms among which none is significant, but some are inconclusive."""
_OUTCOME_CONTROL = """The algorithms stand at their means; a grey line spans the interval of each
mean. Filled marks differ significantly from the control; for hollow marks no significant difference
was found; half-filled marks are inconclusive."""
_TOO_MANY = """The figure shows the p-value of each pair, because the algorithms form too many
groups for a diagram."""
MEMBERSHIP = """Each p-value is drawn as a fuzzy set: the height of the outline is the membership of
a value, and the thick line is the cut that decides."""
INTERVALS = "Each line is the interval of a p-value; a dashed one marks the significance level."

AGGREGATES = """The interquartile mean, mean and median say how large the typical score of a run is,
and the probability of improvement says how often a run of one algorithm is better than a run of
another on the same data set."""
INTERVAL_ESTIMATES = """Each line is the interval of an aggregate, with a point at the estimate; the
algorithm with the best interquartile mean comes first."""
PROFILES = """A curve shows which share of the runs of an algorithm is at least as good as a score;
curves that cross say that neither algorithm is better everywhere. Bands are pointwise intervals."""
IMPROVEMENT = """Each cell shows the probability that a run of the row is better than one of the
column, with its interval. A triangle points to the algorithm that is better more often; it is
filled, and the cell framed, where the interval excludes one half."""
ALL_PROBABILITIES = "Probabilities of all pairs"


def runs_text(result: StochasticComparison) -> str:
    """Explain how the runs of an algorithm are combined."""
    return explanation("runs", result.procedure)


def outcomes_text(result: StochasticComparison) -> str:
    """Explain how two stochastic algorithms are compared."""
    if result.test is None:
        return f"{_BOOTSTRAP_PAIRS}\n\n{_OUTCOMES}"
    text = _PAIRS.replace("TEST", IMPRECISE_TESTS[result.test].in_full)
    fuzzy = f"\n\n{_FUZZY}" if result.procedure == "fuzzy" else ""
    return f"{text}{fuzzy}\n\n{_OUTCOMES}"


def has_diagram(result: StochasticComparison) -> bool:
    """Return whether a diagram sums up a comparison by runs; else its p-values do."""
    return result.groups is not None and result.open_groups is not None


def outcome_diagram_text(result: StochasticComparison) -> str:
    """Explain the figure that sums up a comparison by runs."""
    if not has_diagram(result):
        return _TOO_MANY
    return _OUTCOME_DIAGRAM if result.control is None else _OUTCOME_CONTROL


# ------------------------------------------------------------------------------ convergence

HISTORIES = """The data are the best values found so far in every run, at regular points of the
budget."""
CURVES = """The curves are medians of the runs, with bands from the lower to the upper quartile, on
all problems, or on some that are evenly chosen."""
_TESTS = r"""At $c$ regular cut-points of the budget, each algorithm is represented by the AGGREGATE
of its runs. The differences DIFFERENCES of two algorithms are ranked over the cut-points of each of
the $n$ problems. Page's statistic

$$L = \sum_{i=1}^{n} \sum_{j=1}^{c} j\, r_{ij}$$

is large if the ranks increase, which they do if RISING."""
_BASIC_ALTERNATIVE = """Once an algorithm has reached the optimum, only the other one can improve,
and the basic ranks turn against the algorithm that was faster; the alternative ranks continue in
its favour."""
HEATMAP = "The map shows the p-values of all ordered pairs; framed cells are significant."
_STANDING = """The average ranks say which algorithm is ahead at the last cut-point. Wins are the
WINS; losses are the LOSSES."""


TARGETS = """A target is a value that a run is to reach; the harder the targets that an algorithm
reaches, in more runs and with fewer evaluations, the better. Nothing is tested."""
DISTRIBUTION = """A curve shows which share of all problems, targets and runs an algorithm has
reached by a number of evaluations. A cross is where the budget of unsuccessful runs ends."""
ERT = """The expected running time is the number of evaluations of all runs, those of successful
ones up to the target, over the number of successful runs. The least one of a problem is bold."""


def standing_text(result: ConvergenceComparison) -> str:
    """Explain the table of who is ahead, with its wins and losses."""
    claim = result.claim
    return _STANDING.replace("WINS", claim.wins).replace("LOSSES", claim.losses)


def trend_text(result: ConvergenceComparison) -> str:
    """Explain the tests of trends."""
    tests = _TESTS.replace("AGGREGATE", result.aggregate).replace("RISING", result.claim.rising)
    tests = tests.replace("DIFFERENCES", DIFFERENCES[result.differences].explanation)
    more = f"\n\n{_BASIC_ALTERNATIVE}" if len(result.versions) > 1 else ""
    return f"{tests}\n\n{explanation('null', result.null)}{more}"
