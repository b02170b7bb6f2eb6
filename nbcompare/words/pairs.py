"""Tests of two algorithms, after an omnibus test or by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from nbcompare.words._word import by_name


@dataclass(frozen=True, slots=True, kw_only=True)
class PairwiseTest:
    """A test of each pair of algorithms after the omnibus test.

    Attributes
    ----------
    name : str
        The word for the option ``pairs``.
    label : str
        Name on a control of a builder.
    effect : str
        What it does, as the end of a sentence that begins with its label.
    statistic : str
        Header of its statistic in a table.
    test : str
        Name in a sentence on one pair; AVERAGE stands for the average rank.
    recommended : str
        Name in a recommendation, after "by".
    estimate : str
        Its estimate of how large the difference of two algorithms is.
    plural : str
        Name for several pairs; empty for the test of average ranks, which needs none.
    methods : mapping of str to str
        Description in the table of the method, by how p is computed; AVERAGE stands for the
        average rank.
    by_ranks : bool
        True if it compares average ranks, which depend on the other algorithms too.
    has_intervals : bool
        True if there is an interval of the difference that goes with it.
    needs_scale : bool
        True if it compares sizes of differences over data sets, which must be on one scale.
    is_transitive : bool
        True if its hypotheses about A and B, and B and C, imply that about A and C, as those do
        that swapping two algorithms changes nothing.
    null : str
        Its null hypothesis, as the end of a sentence, where it says more than that two algorithms
        perform equally.
    omnibus : tuple of str
        Omnibus tests that are added for this test, and decide.
    cites : tuple of str
        Keys of the literature.
    estimate_cites : tuple of str
        Keys of the literature on its estimate.
    """

    name: str
    label: str
    effect: str
    statistic: str
    test: str
    recommended: str
    estimate: str
    plural: str = ""
    methods: Mapping[str, str]
    by_ranks: bool
    has_intervals: bool = True
    needs_scale: bool = True
    is_transitive: bool = False
    null: str = ""
    omnibus: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    estimate_cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTest:
    """A test of two algorithms by themselves.

    Attributes
    ----------
    name : str
        The word for the option ``test``.
    label : str
        Name in a sentence.
    statistic, effect, estimate : str
        Names of its statistic, its effect size and its estimate of the difference.
    estimate_in_full : str
        Description of the estimate.
    interval : str
        Description of the source of the confidence interval.
    null : str
        Its null hypothesis, as that of a :class:`PairwiseTest`.
    methods, zeros : tuple of str
        The words for the options ``method`` and ``zeros`` that it accepts, the usual one first.
    cites : tuple of str
        Keys of the literature.
    """

    name: str
    label: str
    statistic: str
    effect: str
    estimate: str
    estimate_in_full: str
    interval: str
    null: str = ""
    methods: tuple[str, ...] = ("auto", "exact", "normal")
    zeros: tuple[str, ...] = ()
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Zeros:
    """A way in which a test treats data sets on which two algorithms tie.

    Attributes
    ----------
    name : str
        The word for the option ``zeros``.
    method : str
        Description in the table of the method.
    note : str
        Description as the end of a sentence.
    signs : str
        The same for the sign test; empty if that does not accept it.
    cites : tuple of str
        Keys of the literature.
    """

    name: str
    method: str
    note: str
    signs: str = ""
    cites: tuple[str, ...] = ()


# How a caption says where p comes from, by ``method`` of the result.
P_LAWS = MappingProxyType(
    {"exact": "exact p", "normal": "p by the normal law", "t": "p by Student's t"}
)

_SYMMETRIC = "the differences of two algorithms are symmetric about 0"

PAIRWISE_TESTS = by_name(
    PairwiseTest(
        name="ranks",
        label="average ranks",
        effect="compares the average ranks of two algorithms, which depend on the other "
        "algorithms too",
        statistic="z",
        test="test of AVERAGEs",
        recommended="the difference of their average ranks",
        estimate="median difference",
        methods={
            "exact": "permutation test of the difference of two AVERAGEs, two-sided; exact under "
            "exchangeability of all algorithms",
            "normal": "normal approximation of the difference of two AVERAGEs, two-sided",
        },
        by_ranks=True,
        has_intervals=False,
        needs_scale=False,
        is_transitive=True,
    ),
    PairwiseTest(
        name="exchange",
        label="exchange",
        effect="asks whether swapping two algorithms would change anything: needs no common scale, "
        "and the other algorithms are weights only",
        statistic="difference of rank sums",
        test="exchange test",
        recommended="the exchange test",
        estimate="median difference",
        plural="exchange tests",
        methods={
            "exact": "exchange test: all ways to swap the two on the data sets, given the others, "
            "counted; two-sided",
            "normal": "exchange test: swaps of the two on the data sets, given the others, by the "
            "normal law; two-sided",
        },
        by_ranks=False,
        has_intervals=False,
        needs_scale=False,
        is_transitive=True,
        cites=("pesarin2010",),
    ),
    PairwiseTest(
        name="wilcoxon",
        label="Wilcoxon",
        effect="compares the scores of two algorithms alone, by signs and ranks of their "
        "differences",
        statistic="signed ranks",
        test="Wilcoxon's signed-rank test",
        recommended="Wilcoxon's signed-rank test",
        estimate="Hodges–Lehmann shift",
        plural="Wilcoxon's signed-rank tests",
        methods={
            "exact": "Wilcoxon's signed-rank test of the two algorithms alone, exact, two-sided; "
            "zero differences count half for either",
            "normal": "Wilcoxon's signed-rank test of the two algorithms alone, by its normal "
            "approximation, two-sided; zero differences count half for either",
        },
        by_ranks=False,
        null=_SYMMETRIC,
        cites=("wilcoxon1945",),
        estimate_cites=("hodges1963",),
    ),
    PairwiseTest(
        name="t",
        label="paired t",
        effect="compares the mean scores of two algorithms alone, and assumes that their "
        "differences are approximately normal",
        statistic="t",
        test="paired t test",
        recommended="the paired t test",
        estimate="mean difference",
        plural="paired t tests",
        methods={"t": "paired t test of the mean scores of the two algorithms alone, two-sided"},
        by_ranks=False,
        is_transitive=True,
        omnibus=("anova",),
        cites=("student1908",),
    ),
)
PAIR_TESTS = by_name(
    PairTest(
        name="wilcoxon",
        label="Wilcoxon signed-rank test",
        statistic="sum of signed ranks",
        effect="matched-pairs rank-biserial correlation",
        estimate="Hodges–Lehmann estimate",
        estimate_in_full="median of the averages of any two differences (Hodges and Lehmann)",
        interval="from the null distribution of untied signed ranks",
        null=_SYMMETRIC,
        zeros=("demsar", "split", "wilcox", "pratt"),
        cites=("demsar2006", "hodges1963", "kerby2014", "wilcoxon1945"),
    ),
    PairTest(
        name="sign",
        label="sign test",
        statistic="wins minus losses",
        effect="share of wins minus share of losses",
        estimate="median",
        estimate_in_full="median of the differences",
        interval="order statistics, from the null distribution of the sign test",
        methods=("auto", "exact"),
        zeros=("wilcox", "demsar"),
        cites=("demsar2006", "dixon1946"),
    ),
    PairTest(
        name="rank-sum",
        label="rank-sum test",
        statistic="U",
        effect="rank-biserial correlation",
        estimate="Hodges–Lehmann estimate",
        estimate_in_full="median of the differences of any score of the one from any of the other "
        "(Hodges and Lehmann)",
        interval="from the null distribution of the untied rank sum",
        cites=("hodges1963", "mann1947", "wendt1972"),
    ),
    PairTest(
        name="t",
        label="paired t test",
        statistic="t",
        effect="Cohen's d_z",
        estimate="mean",
        estimate_in_full="mean of the differences",
        interval="Student's t",
        methods=("auto",),
        cites=("cohen1988", "demsar2006", "student1908"),
    ),
)
ZEROS = by_name(
    Zeros(
        name="demsar",
        method="ranked, and their ranks shared evenly; of an odd number one is dropped (Demšar)",
        note="their ranks are shared evenly between R+ and R−",
        signs="they are split evenly between wins and losses",
    ),
    Zeros(
        name="split",
        method="ranked, and their ranks shared evenly",
        note="their ranks are shared evenly between R+ and R−",
    ),
    Zeros(
        name="wilcox",
        method="dropped before ranking",
        note="they are dropped before ranking",
        signs="they do not count in the test, but do in the interval, which may reach 0 although "
        "the difference is significant",
    ),
    Zeros(
        name="pratt",
        method="ranked, then dropped (Pratt)",
        note="they are ranked, then dropped",
        cites=("pratt1959",),
    ),
)
