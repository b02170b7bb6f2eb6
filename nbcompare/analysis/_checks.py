"""What a comparison may be asked for, and what it decides by itself when asked to."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import ALL_PAIRS_ONLY, AUTO, BEST, PROCEDURES
from nbcompare._render import Note
from nbcompare._validation import check_choice, check_name, listed
from nbcompare.analysis.recommend import chosen
from nbcompare.experiment import Experiment
from nbcompare.stats.logical import MOST_ALGORITHMS

Adjust = str | Iterable[str] | None


def settle(
    experiment: Experiment,
    ranking: str,
    procedures: tuple[str, ...],
    pairs: str,
    control: str | None,
    alpha: float,
) -> tuple[str, tuple[str, ...], tuple[Note, ...]]:
    """Put what is recommended for ``auto``, and a note of what it is and why."""
    if ranking != AUTO and procedures != (AUTO,):
        return ranking, procedures, ()
    advice = chosen(experiment, control, alpha)
    settled = []
    if ranking == AUTO:
        ranking = advice.ranking
        settled.append(f"ranking={ranking!r}")
    if procedures == (AUTO,):
        procedure = advice.adjust
        too_many = experiment.n_algorithms > MOST_ALGORITHMS and pairs != "ranks"
        if procedure == "bergmann-hommel" and too_many:
            procedure = "shaffer"
        procedures = (procedure,)
        settled.append(f"adjust={procedure!r}")
    text = (
        f"{' and '.join(settled)}, as recommend(...) advises; it looks at the design, not at who "
        "is best, so the p-values keep their meaning."
    )
    return ranking, procedures, (Note("auto", text),)


def check_possible(procedures: tuple[str, ...], k: int, positions: FloatArray | None) -> None:
    """Whether the procedures can do without average ranks that p falls with."""
    if positions is not None:
        return
    if "nemenyi" in procedures:
        raise ValueError(
            "`adjust` must not be 'nemenyi' unless pairs are tested by the average ranks of a "
            "complete table, which is what Nemenyi's critical difference is of; take 'shaffer' or "
            "'holm'."
        )
    if "bergmann-hommel" in procedures and k > MOST_ALGORITHMS:
        raise ValueError(
            f"`adjust` must not be 'bergmann-hommel' for more than {MOST_ALGORITHMS} algorithms "
            f"unless pairs are tested by the average ranks of a complete table; got {k}. Take "
            "'shaffer', which is nearly as powerful, or pairs='ranks'."
        )


def check_gaps(ranking: str, formulas: str) -> None:
    """Whether ranks of what is there can be had as they were asked for."""
    for given, needed, argument in (
        (ranking, "friedman", "ranking"),
        (formulas, "corrected", "formulas"),
    ):
        if given != needed:
            raise ValueError(
                f"`{argument}` must be {needed!r} with missing='skillings-mack' and missing "
                f"scores; got {given!r}. missing='drop' takes complete data sets only."
            )


def check_adjust(adjust: Adjust, control: str | None) -> tuple[str, ...]:
    if adjust is None:
        return ()
    several = isinstance(adjust, Iterable) and not isinstance(adjust, str)
    names = tuple(adjust) if several else (adjust,)
    if names == (AUTO,):
        return (AUTO,)
    checked = tuple(check_choice(name, "adjust", tuple(PROCEDURES)) for name in names)
    if len(set(checked)) < len(checked):
        raise ValueError(f"`adjust` must not name a procedure twice; got {listed(checked)}.")
    for name in checked:
        if control is not None and name in ALL_PAIRS_ONLY:
            raise ValueError(
                f"`adjust` must be a procedure for comparisons with a control; {name!r} is for "
                "all pairs. Leave out `control`, or use 'holm' or 'bonferroni'."
            )
    return checked


def check_control(
    control: str | None, algorithms: tuple[str, ...], averages: FloatArray
) -> int | None:
    if control is None:
        return None
    if control == BEST and BEST not in algorithms:
        return int(np.argmin(averages))
    return algorithms.index(check_name(control, "control", algorithms))
