"""Rankings of the algorithms, and the omnibus tests that go with them."""

from __future__ import annotations

from dataclasses import dataclass

from nbcompare.words._word import by_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Omnibus:
    """An omnibus test of whether there is any difference among the algorithms.

    Attributes
    ----------
    name : str
        The key of its result.
    header : str
        Name of its statistic in a table.
    statistic : str
        Name of its statistic in a sentence.
    short : str
        Name in the label of a design that begins with it.
    cites : tuple of str
        Keys of the literature.
    infinite_if : str
        Further condition, if all data sets agree, for the statistic to be infinite.
    """

    name: str
    header: str
    statistic: str
    short: str
    cites: tuple[str, ...]
    infinite_if: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    r"""A way to rank the algorithms.

    Attributes
    ----------
    name : str
        The word for the option ``ranking``.
    label : str
        Name on a control of a builder.
    ranks : str
        Name of its ranks in a sentence.
    average_rank : str
        Name of the average of its ranks.
    effect : str
        What it does, as the end of a sentence that begins with its label.
    method : str
        Description in the table of the method.
    omnibus : tuple of str
        Names of its omnibus tests; the last one decides.
    cites : tuple of str
        Keys of the literature, beside that of its tests.
    within_datasets : bool
        True if it compares scores within data sets only, so that the scores of a data set can
        be ranked although others are missing.
    needs_scale : bool
        True if it compares sizes of differences over data sets, which must be on one scale.
    corrected, printed : str
        The part of the formula of its omnibus test that depends on the treatment of ties:
        corrected for them, and as the papers print it.
    false_positives : str
        Measured probabilities that the printed z finds a difference between algorithms that
        perform equally on 30 data sets, at 0.05, for 2, 5 and 10 algorithms; empty if it is
        calibrated.
    """

    name: str
    label: str
    ranks: str
    average_rank: str
    effect: str
    method: str
    omnibus: tuple[str, ...]
    cites: tuple[str, ...] = ()
    within_datasets: bool
    needs_scale: bool = True
    corrected: str
    printed: str
    false_positives: str = ""


OMNIBUS = by_name(
    Omnibus(
        name="friedman",
        header="Friedman χ²",
        statistic="Friedman's χ²",
        short="Friedman",
        cites=("friedman1937",),
    ),
    Omnibus(
        name="iman-davenport",
        header="Iman–Davenport F",
        statistic="Iman and Davenport's F",
        short="Iman–Davenport",
        cites=("iman1980",),
    ),
    Omnibus(
        name="aligned",
        header="Aligned ranks T",
        statistic="the χ² of aligned ranks",
        short="aligned ranks",
        cites=("hodges1962",),
    ),
    Omnibus(
        name="quade",
        header="Quade F",
        statistic="Quade's F",
        short="Quade",
        cites=("quade1979",),
        infinite_if=" with equally large ranges",
    ),
    Omnibus(
        name="skillings-mack",
        header="Skillings–Mack χ²",
        statistic="Skillings and Mack's χ²",
        short="Skillings–Mack",
        cites=("skillings1981",),
    ),
    Omnibus(
        name="anova",
        header="Repeated-measures ANOVA F",
        statistic="Greenhouse and Geisser's repeated-measures F",
        short="ANOVA",
        cites=("greenhouse1959",),
    ),
)

RANKINGS = by_name(
    Ranking(
        name="friedman",
        label="Friedman",
        ranks="Friedman's ranks",
        average_rank="average rank",
        effect="ranks the algorithms within each data set, 1 for the best",
        method="mid-ranks within each data set (Friedman); 1 is best",
        omnibus=("friedman", "iman-davenport"),
        within_datasets=True,
        needs_scale=False,
        corrected=r"\frac{(k-1)\, n^2 \sum_j \left(R_j - \frac{k+1}{2}\right)^2}"
        r"{\sum_{i,j} \left(r_{ij} - \frac{k+1}{2}\right)^2}",
        printed=r"\frac{12 n}{k(k+1)} \left[\sum_j R_j^2 - \frac{k(k+1)^2}{4}\right]",
    ),
    Ranking(
        name="aligned",
        label="aligned ranks",
        ranks="aligned ranks",
        average_rank="average aligned rank",
        effect="takes the mean of each data set away from its scores and ranks all of them "
        "together, so that larger differences count more",
        method="mid-ranks of all scores less the mean of their data set (aligned ranks, "
        "Hodges and Lehmann); 1 is best",
        omnibus=("aligned",),
        within_datasets=False,
        corrected=r"\sum_{i,j} r_{ij}^2",
        printed=r"\frac{kn(kn+1)(2kn+1)}{6}",
        false_positives="0.169, 0.076 and 0.067",
    ),
    Ranking(
        name="quade",
        label="Quade",
        ranks="Quade's ranks",
        average_rank="weighted average rank",
        effect="ranks within each data set, and data sets on which the scores differ more have "
        "more weight",
        method="mid-ranks within each data set, weighted by the rank of its range (Quade); "
        "1 is best",
        omnibus=("quade",),
        within_datasets=False,
        corrected=r"\sum_{i,j} S_{ij}^2",
        printed=r"\frac{n(n+1)(2n+1)\,k(k+1)(k-1)}{72}",
        false_positives="0.175, 0.004 and 0.000",
    ),
)
for _ranking in RANKINGS.values():
    if unknown := [name for name in _ranking.omnibus if name not in OMNIBUS]:
        raise KeyError(f"the ranking {_ranking.name!r} has unknown omnibus tests: {unknown}")
