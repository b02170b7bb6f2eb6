"""Published tables of results, as experiments, each with its citation.

Examples
--------
>>> from nbcompare import datasets
>>> datasets.names()
('demsar2006', 'demsar2006_ranks', 'otero2013_auc', 'otero2013_simulated')
>>> datasets.load("demsar2006")
<Experiment: 4 algorithms on 14 data sets, AUC, maximize>
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import resources

from nbcompare._options import MAXIMIZE, MINIMIZE
from nbcompare._validation import check_choice
from nbcompare.experiment import Experiment

_DEMSAR = (
    "Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. "
    "Journal of Machine Learning Research 7, 1–30, Table 6"
)
_OTERO = (
    "Otero, J., Sánchez, L., Couso, I. and Palacios, A. (2013). Bootstrap analysis of multiple "
    "repetitions of experiments using an interval-valued multiple comparison procedure. "
    "Journal of Computer and System Sciences"
)


@dataclass(frozen=True, slots=True)
class _Table:
    direction: str
    measure: str
    citation: str


_TABLES = {
    "demsar2006": _Table(
        MAXIMIZE,
        "AUC",
        f"{_DEMSAR}: the areas under the curve as printed. The printed ranks do not all follow "
        "from them: on 'voting' two classifiers are tied at 0.975 but were ranked 2 and 3.",
    ),
    "demsar2006_ranks": _Table(
        MINIMIZE,
        "rank",
        f"{_DEMSAR}: the ranks as printed, from which that paper's statistics follow.",
    ),
    "otero2013_auc": _Table(
        MAXIMIZE,
        "AUC",
        f"{_OTERO}, Table 6: areas under the curve, the 40 of 64 data sets that are legible. Two "
        "rows are printed as 'glass'; the second is called 'glass (2)' here.",
    ),
    "otero2013_simulated": _Table(
        MINIMIZE,
        "error",
        f"{_OTERO}, Table 1: simulated errors of five algorithms on 32 data sets.",
    ),
}


def names() -> tuple[str, ...]:
    """Names that :func:`load` knows."""
    return tuple(_TABLES)


def load(name: str) -> Experiment:
    """Load a bundled experiment.

    Parameters
    ----------
    name : {"demsar2006", "demsar2006_ranks", "otero2013_auc", "otero2013_simulated"}
        ``demsar2006``: AUC of 4 variants of C4.5 on 14 data sets; ``demsar2006_ranks``:
        the ranks printed beside them; ``otero2013_auc``: 5 classifiers on 40 imbalanced
        data sets; ``otero2013_simulated``: 5 simulated algorithms on 32 data sets.

    Returns
    -------
    Experiment
        With its ``citation``.
    """
    table = _TABLES[check_choice(name, "name", names())]
    with resources.as_file(resources.files(__name__) / f"{name}.csv") as path:
        experiment = Experiment.read(path, direction=table.direction, measure=table.measure)
    return replace(experiment, citation=table.citation)
