"""Procedures, tests and encodings of runs for comparing algorithms by repeated runs."""

from __future__ import annotations

from dataclasses import dataclass

from nbcompare.words._word import by_name


@dataclass(frozen=True, slots=True, kw_only=True)
class StochasticProcedure:
    """A procedure that compares algorithms by repeated runs.

    Attributes
    ----------
    name : str
        The word for the option ``procedure``.
    label : str
        The name as a paper prints it.
    encodings : tuple of str
        Names of the encodings that it accepts; the first is the default.
    coverage : float or None
        Default coverage of the intervals; None if its encodings have no coverage.
    is_test : bool
        True if it is itself a test, of means, and needs no test of pairs.
    cites : tuple of str
        Keys of the literature.
    explanation : str
        Description of how it uses the runs in a report, in Markdown.
    """

    name: str
    label: str
    encodings: tuple[str, ...]
    coverage: float | None
    is_test: bool
    cites: tuple[str, ...]
    explanation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpreciseTest:
    """A test of two algorithms that gives interval-valued and fuzzy p-values.

    Attributes
    ----------
    name : str
        The word for the option ``test``.
    label : str
        Name in a sentence.
    in_full : str
        Name in a report.
    on_halves : str
        What happens where ties make the statistic a multiple of one half, as the end of a
        sentence; empty if that cannot be.
    cites : tuple of str
        Keys of the literature.
    """

    name: str
    label: str
    in_full: str
    on_halves: str
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """A number or interval that represents the runs of a fold.

    Attributes
    ----------
    name : str
        The word for the option ``encoding``.
    label : str
        Name in a sentence; ``{}`` stands for its coverage.
    number : str
        Name of the number that represents the runs; empty for an interval.
    has_coverage : bool
        True if it is an interval whose coverage can be chosen.
    cites : tuple of str
        Keys of the literature.
    """

    name: str
    label: str
    number: str = ""
    has_coverage: bool = False
    cites: tuple[str, ...] = ()


ENCODINGS = by_name(
    Encoding(name="central", label="the central interval{} (linear quantiles)", has_coverage=True),
    Encoding(name="shortest", label="the shortest interval{}", has_coverage=True),
    Encoding(name="range", label="the interval from the least to the greatest of them"),
    Encoding(name="mean", label="their mean", number="mean of runs"),
    Encoding(name="median", label="their median", number="median of runs"),
    Encoding(
        name="bootstrap-mean",
        label="the percentile interval{} of their bootstrapped mean",
        has_coverage=True,
        cites=("efron1993",),
    ),
)
STOCHASTIC_PROCEDURES = by_name(
    StochasticProcedure(
        name="bootstrap-a",
        label="Bootstrap-A",
        encodings=("mean", "median"),
        coverage=None,
        is_test=True,
        cites=("otero2013",),
        explanation="""Runs of an algorithm on the same fold are not independent observations: they
are represented by one number.""",
    ),
    StochasticProcedure(
        name="bootstrap-b",
        label="Bootstrap-B",
        encodings=("central", "shortest", "range", "mean", "median"),
        coverage=0.1,  # as in the paper: a tenth of the runs, around their median
        is_test=True,
        cites=("otero2013",),
        explanation="""Runs of an algorithm on the same fold are not independent observations: they
are represented by an interval, so that a mean over the $n$ blocks is an interval too.""",
    ),
    StochasticProcedure(
        name="interval",
        label="interval p-values",
        encodings=("central", "shortest", "range", "mean", "median"),
        coverage=0.9,  # as in the paper: all but 5 % at either end
        is_test=False,
        cites=("couso2011", "otero2010"),
        explanation="""Runs of an algorithm on the same fold are not independent observations: they
are represented by an interval. Which value in it is the algorithm's is not known.""",
    ),
    StochasticProcedure(
        name="fuzzy",
        label="fuzzy p-values",
        encodings=("central", "bootstrap-mean"),
        coverage=0.9,
        is_test=False,
        cites=("couso2008", "otero2010"),
        explanation="""Runs of an algorithm on the same fold are not independent observations: they
are represented by nested intervals, one for every coverage, which together are a fuzzy set.""",
    ),
)
IMPRECISE_TESTS = by_name(
    ImpreciseTest(
        name="wilcoxon",
        label="Wilcoxon's signed-rank test",
        in_full="Wilcoxon's signed-ranks test",
        on_halves="; where ties make W a multiple of one half, it is rounded towards the centre",
        cites=("wilcoxon1945",),
    ),
    ImpreciseTest(
        name="rank-sum",
        label="the rank-sum test",
        in_full="the rank-sum test",
        on_halves="; where ties make U a multiple of one half, it is rounded towards the centre",
        cites=("mann1947",),
    ),
    ImpreciseTest(
        name="sign",
        label="the sign test",
        in_full="the sign test",
        on_halves="",
        cites=("dixon1946",),
    ),
    ImpreciseTest(
        name="t",
        label="the paired t test",
        in_full="the paired t test",
        on_halves="",
        cites=("student1908",),
    ),
    ImpreciseTest(
        name="permutation",
        label="sign flips of the mean difference",
        in_full="a permutation test of the mean difference",
        on_halves="",
        cites=("otero2013",),
    ),
)
for _procedure in STOCHASTIC_PROCEDURES.values():
    if unknown := [name for name in _procedure.encodings if name not in ENCODINGS]:
        raise KeyError(f"the procedure {_procedure.name!r} has unknown encodings: {unknown}")
