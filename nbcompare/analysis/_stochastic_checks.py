"""What a comparison of stochastic algorithms may be asked for, and what goes together."""

from __future__ import annotations

import numpy as np

from nbcompare._options import AUTO, OPTIONS
from nbcompare._validation import DataError, check_share, listed
from nbcompare.analysis import _checks
from nbcompare.analysis._blocks import Runs

# What each procedure can make of the runs of a fold; the first unless told otherwise.
_ENCODINGS = {
    "bootstrap-a": ("mean", "median"),
    "bootstrap-b": ("central", "shortest", "range", "mean", "median"),
    "interval": ("central", "shortest", "range", "mean", "median"),
    "fuzzy": ("central", "bootstrap-mean"),
}
_COVERED = ("central", "shortest", "bootstrap-mean")
# Encodings that show how far runs scatter, of which one run says nothing
_SCATTER = ("central", "shortest", "range", "bootstrap-mean")
# As in the papers: a tenth of the runs, around their median; all but 5 % at either end
_COVERAGE = {"bootstrap-b": 0.1, "interval": 0.9, "fuzzy": 0.9}
_BOOTSTRAP = ("bootstrap-a", "bootstrap-b")


def check_words(procedure: str, blocks: str, method: str, formulas: str, missing: str) -> None:
    """Each one of its choices, and together possible."""
    for name, value in (
        ("procedure", procedure),
        ("blocks", blocks),
        ("stochastic.method", method),
        ("formulas", formulas),
        ("stochastic.missing", missing),
    ):
        OPTIONS[name].check(value, name.rpartition(".")[2])
    if formulas == "printed" and procedure not in _BOOTSTRAP:
        raise ValueError(
            "`formulas` must be 'corrected' but for the bootstrap tests, of which the paper prints "
            f"some; got 'printed' with procedure={procedure!r}."
        )
    if missing == "interval" and procedure == "bootstrap-a":
        raise ValueError(
            "`missing` must not be 'interval' with procedure='bootstrap-a', which takes numbers; "
            "procedure='bootstrap-b' takes both."
        )


def check_test(test: str | None, procedure: str) -> str | None:
    """The test behind an interval-valued p; bootstrap tests are tests themselves."""
    if procedure in _BOOTSTRAP:
        if test is not None:
            raise ValueError(
                f"`test` must be None with procedure={procedure!r}, which is a test itself; got "
                f"{test!r}. It goes with procedure='interval' or 'fuzzy'."
            )
        return None
    return OPTIONS["stochastic.test"].check("wilcoxon" if test is None else test, "test")


def check_encoding(
    encoding: str | None, coverage: float | None, procedure: str
) -> tuple[str, float | None]:
    """An encoding that the procedure can use, and a coverage if it has one."""
    allowed = _ENCODINGS[procedure]
    settled = allowed[0] if encoding is None else encoding
    OPTIONS["encoding"].check(settled, "encoding")
    if settled not in allowed:
        raise ValueError(
            f"`encoding` must be {' or '.join(map(repr, allowed))} with procedure={procedure!r}; "
            f"got {settled!r}."
        )
    if settled not in _COVERED:
        if coverage is not None:
            raise ValueError(
                f"`coverage` must be None with encoding={settled!r}, which has none; got "
                f"{coverage!r}."
            )
        return settled, None
    return settled, check_share(_COVERAGE[procedure] if coverage is None else coverage, "coverage")


def check_stochastic_adjust(adjust: _checks.Adjust, control: str | None, k: int) -> tuple[str, ...]:
    """Procedures for p-values of pairs that are tested by themselves."""
    procedures = _checks.check_adjust(adjust, control)
    if procedures == (AUTO,):
        raise ValueError(
            "`adjust` must name a procedure for stochastic algorithms, as 'holm' or "
            "'bergmann-hommel'; got 'auto'."
        )
    _checks.check_possible(procedures, k, None)
    return procedures


def check_runs(runs: Runs, encoding: str, procedure: str) -> None:
    """Enough runs to tell how far they scatter, wherever an algorithm has any."""
    intervals = runs.upper is not runs.lower
    if intervals and encoding in ("shortest", "bootstrap-mean"):
        raise DataError(
            f"`encoding` must not be {encoding!r} for interval-valued scores; 'central' takes "
            "quantiles of their ends."
        )
    if intervals or encoding not in _SCATTER:
        return
    if procedure == "fuzzy" and not runs.repeated.any():
        raise DataError(
            "`experiment` must hold several runs of some algorithm for fuzzy p-values; got one run "
            "per fold of every one. compare(...) and procedure='bootstrap-a' compare single runs."
        )
    alone = (runs.counts == 1) & runs.repeated[np.newaxis, :, np.newaxis]
    if alone.any():
        where = [
            f"{runs.algorithms[algorithm]} on {runs.names[block]}"
            for block, algorithm, _ in np.argwhere(alone)
        ]
        raise DataError(
            f"`experiment` must hold several runs wherever an algorithm has any; got one of "
            f"{listed(dict.fromkeys(where), most=5)}. One run does not say how far runs scatter."
        )
