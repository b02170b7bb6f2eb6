"""Results to try things on, as experiments, each with its citation.

Published tables, and two experiments with runs that this project made: modules
``make_stochastic_cv`` and ``make_stochastic_regression`` make them again.

Examples
--------
>>> from nbcompare import datasets
>>> datasets.names()
('demsar2006', 'demsar2006_ranks', 'otero2013_auc', 'otero2013_simulated', 'stochastic_cv',
 'stochastic_regression')
>>> datasets.load("demsar2006")
<Experiment: 4 algorithms on 14 data sets, AUC, maximize>
>>> datasets.load("stochastic_cv")
<Experiment: 5 algorithms on 10 data sets, 10 folds, 30 runs, error, minimize>
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import resources

from nbcompare._options import MAXIMIZE, MINIMIZE
from nbcompare._validation import check_choice
from nbcompare.datasets._make import MADE_WITH
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
_MADE = (
    f"Made by the nbcompare developers with scikit-learn {MADE_WITH} (BSD 3-Clause), "
    "`python -m nbcompare.datasets.make_{name}`"
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
    "stochastic_cv": _Table(
        MINIMIZE,
        "error",
        f"{_MADE.format(name='stochastic_cv')}: test errors of five classifiers in 10 stratified "
        "folds, 30 runs per fold of the three stochastic ones. The data sets come with "
        "scikit-learn, which has them from the UCI Machine Learning Repository, or, where the "
        "name says so, are generated; the two Gaussians are those of Sánchez, Otero and "
        "Alcalá (2006). The data themselves are not in the file.",
    ),
    "stochastic_regression": _Table(
        MINIMIZE,
        "mean squared error",
        f"{_MADE.format(name='stochastic_regression')}: mean squared test errors of a neural "
        "network, 30 runs per fold, and of linear and quadratic least squares in 10 folds, after "
        "the design of Otero, Sánchez and Couso (2010). The data are those on diabetes of Efron, "
        "Hastie, Johnstone and Tibshirani (2004), which come with scikit-learn, and three "
        "generated from the functions of Friedman (1991). The data themselves are not in the file.",
    ),
}


def names() -> tuple[str, ...]:
    """Names that :func:`load` knows."""
    return tuple(_TABLES)


def load(name: str) -> Experiment:
    """Load a bundled experiment.

    Parameters
    ----------
    name : str
        One of :func:`names`. ``demsar2006``: AUC of 4 variants of C4.5 on 14 data sets;
        ``demsar2006_ranks``: the ranks printed beside them; ``otero2013_auc``: 5 classifiers
        on 40 imbalanced data sets; ``otero2013_simulated``: 5 simulated algorithms on 32 data
        sets; ``stochastic_cv``: test errors of 3 stochastic and 2 deterministic classifiers
        on 10 data sets, 10 folds, 30 runs; ``stochastic_regression``: mean squared errors of
        a neural network (30 runs) and of linear and quadratic least squares on 4 data sets,
        10 folds.

    Returns
    -------
    Experiment
        With its ``citation``.
    """
    table = _TABLES[check_choice(name, "name", names())]
    with resources.as_file(resources.files(__name__) / f"{name}.csv") as path:
        experiment = Experiment.read(path, direction=table.direction, measure=table.measure)
    return replace(experiment, citation=table.citation)
