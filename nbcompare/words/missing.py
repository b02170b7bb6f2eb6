"""Treatments of missing scores, and which function takes which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from nbcompare.words._word import by_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Treatment:
    """A treatment of missing scores.

    A score is missing altogether if an algorithm has none on a data set. A score is incomplete if
    an algorithm lacks some folds or runs that another one has on the data set.

    Attributes
    ----------
    name : str
        The word for the option ``missing``.
    label : str
        Name on a control of a builder.
    effect : str
        What it does, as the end of a sentence that begins with its name.
    settled : str
        What was done, in the table of a recommendation.
    altogether, incomplete : bool
        Whether it says what to do with scores that are missing altogether, and with incomplete
        ones.
    cites : tuple of str
        Keys of the literature.
    """

    name: str
    label: str
    effect: str
    settled: str
    altogether: bool = True
    incomplete: bool = True
    cites: tuple[str, ...] = ()


TREATMENTS = by_name(
    Treatment(
        name="raise",
        label="raise an error",
        effect="raises an error that names the cells",
        settled="none is missing",
        altogether=False,
        incomplete=False,
    ),
    Treatment(
        name="drop-folds",
        label="leave out folds and runs",
        effect="keeps the folds and runs that all algorithms have",
        settled="only folds and runs that all algorithms have",
    ),
    Treatment(
        name="drop",
        label="leave out the data set",
        effect="leaves out the data set",
        settled="data sets without every score are left out",
    ),
    Treatment(
        name="worst",
        label="the worst score of the data set",
        effect="gives what is missing the worst score of the data set",
        settled="what failed gets the worst score of its data set",
    ),
    Treatment(
        name="available",
        label="average what is there",
        effect="averages the available scores",
        settled="means of what is there",
        altogether=False,
    ),
    Treatment(
        name="skillings-mack",
        label="rank the available scores",
        effect="ranks the available scores",
        settled="ranks of what is there (Skillings and Mack)",
        incomplete=False,
        cites=("skillings1981",),
    ),
    Treatment(
        name="interval",
        label="an interval of all possible scores",
        effect="replaces a lost fold by the interval of all scores observed on the data set",
        settled="an interval of all observed scores",
    ),
)

_OF_SCORES = ("raise", "drop-folds", "drop", "worst", "available")
# The treatments that each function takes, its default first
TREATMENTS_OF: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "compare": (*_OF_SCORES, "skillings-mack"),
        "compare_pair": _OF_SCORES,
        "multiple_sign_test": _OF_SCORES,
        "contrast_estimation": _OF_SCORES,
        "rank_intervals": _OF_SCORES,
        "compare_stochastic": (*_OF_SCORES, "interval"),
        "compare_cv": ("raise", "drop-folds"),
        "compare_items": ("raise", "drop-folds"),
        "compare_bayesian": _OF_SCORES,
        "aggregate_runs": _OF_SCORES,
        "plan": ("raise", "drop"),
    }
)
