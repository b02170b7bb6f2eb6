"""Procedures that adjust p-values for the number of hypotheses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nbcompare.words._word import by_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """A procedure that adjusts p-values.

    Attributes
    ----------
    name : str
        The word for the option ``adjust``.
    label : str
        The name as a paper prints it.
    effect : str
        What it does, as the end of a sentence that begins with its label.
    cites : tuple of str
        Keys of the literature.
    against_control : str
        The label for comparisons with a control; empty if it is the same.
    single_step : bool
        True if one critical value holds for all hypotheses, which gives a critical difference.
    all_pairs_only : bool
        True if the procedure is for all pairs only, not for comparisons with a control.
    has_levels : bool
        True if each hypothesis has a level that its p-value is compared with.
    controls : {"family-wise error", "false discovery rate"}
        The error rate that is at most the significance level.
    if_some_false : str
        Why the procedure does not control it if some null hypotheses are false, as the end of a
        sentence; empty if it does.
    if_dependent : str
        What the procedure needs to control it, if the tests may not fulfil that, as the end
        of a sentence about the procedure; "blocks" stands for what the tests have in common.
    """

    name: str
    label: str
    effect: str
    cites: tuple[str, ...]
    if_some_false: str = ""
    against_control: str = ""
    single_step: bool = False
    all_pairs_only: bool = False
    has_levels: bool = True
    controls: Literal["family-wise error", "false discovery rate"] = "family-wise error"
    if_dependent: str = ""

    def label_with(self, control: str | None) -> str:
        """Return the label of the procedure for all pairs or for comparisons with a control."""
        return self.label if control is None else self.against_control or self.label


# 1 - (1 - 0.05)^(4/3), see stats.adjust
_FINNER = (
    "with three hypotheses, of which one is clearly false, the probability of a false rejection "
    "at the level 0.05 is 0.066, and with more hypotheses it is larger. The literature recommends "
    "the procedure all the same"
)
# The order is that of García et al. (2010), with procedures for the false discovery rate added.
PROCEDURES = by_name(
    Procedure(
        name="bonferroni",
        label="Bonferroni",
        effect="multiplies each p-value by the number of hypotheses: simple, and the least "
        "powerful",
        cites=("dunn1961",),
        against_control="Bonferroni–Dunn",
        single_step=True,
    ),
    Procedure(
        name="sidak",
        label="Šidák",
        effect="is slightly more powerful than Bonferroni, in one step as well",
        cites=("sidak1967",),
        single_step=True,
    ),
    Procedure(
        name="holm",
        label="Holm",
        effect="goes from the smallest p-value upwards: more powerful than Bonferroni, for any "
        "tests",
        cites=("holm1979",),
    ),
    Procedure(
        name="hochberg",
        label="Hochberg",
        effect="goes from the largest p-value downwards, and rejects at least what Holm rejects",
        cites=("hochberg1988",),
    ),
    Procedure(
        name="hommel",
        label="Hommel",
        effect="rejects at least what Hochberg rejects",
        cites=("hommel1988",),
        has_levels=False,
    ),
    Procedure(
        name="holland",
        label="Holland",
        effect="is Holm's procedure with Šidák's levels: slightly more powerful",
        cites=("holland1987",),
    ),
    Procedure(
        name="rom",
        label="Rom",
        effect="is Hochberg's procedure with slightly larger levels",
        cites=("rom1990",),
    ),
    Procedure(
        name="finner",
        label="Finner",
        effect="is more powerful than Holland, but may exceed the significance level where some "
        "null hypotheses are false",
        cites=("finner1993",),
        if_some_false=_FINNER,
    ),
    Procedure(
        name="li",
        label="Li",
        effect="decides by the p-value and the largest of all; it needs independent tests, which "
        "tests on the same data sets are not",
        cites=("li2008",),
        has_levels=False,
        if_dependent="if the tests are independent. Tests of algorithms on the same blocks are not "
        "independent",
    ),
    Procedure(
        name="benjamini-hochberg",
        label="Benjamini–Hochberg",
        effect="limits the expected share of false rejections among all rejections, not the "
        "probability of any: more powerful, a weaker promise",
        cites=("benjamini1995",),
        controls="false discovery rate",
        if_dependent="if the tests are independent or positively dependent, which is not proved "
        "for tests of algorithms on the same blocks",
    ),
    Procedure(
        name="benjamini-yekutieli",
        label="Benjamini–Yekutieli",
        effect="limits the expected share of false rejections too, for any tests, and is less "
        "powerful",
        cites=("benjamini2001",),
        controls="false discovery rate",
    ),
    Procedure(
        name="nemenyi",
        label="Nemenyi",
        effect="compares all average ranks with one critical difference: the classical CD diagram",
        cites=("nemenyi1963",),
        single_step=True,
        all_pairs_only=True,
        has_levels=False,
    ),
    Procedure(
        name="shaffer",
        label="Shaffer",
        effect="is Holm's procedure for all pairs, and uses that not every set of these "
        "hypotheses can be true together: more powerful",
        cites=("shaffer1986",),
        all_pairs_only=True,
    ),
    Procedure(
        name="bergmann-hommel",
        label="Bergmann–Hommel",
        effect="uses all sets of hypotheses that can be true together: the most powerful for all "
        "pairs, slow for many algorithms",
        cites=("bergmann1988",),
        all_pairs_only=True,
        has_levels=False,
    ),
)
