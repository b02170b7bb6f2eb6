"""Bundled results to try things on, as experiments or histories, each with its citation.

Published tables, and what this project made: two experiments with runs and the histories of
some optimisers, whose programs are in the repository (``benchmarks/bundled``).

Examples
--------
>>> from nbcompare import datasets
>>> datasets.names()
('demsar2006', 'demsar2006_ranks', 'otero2013_auc', 'otero2013_simulated', 'stochastic_cv',
 'stochastic_regression', 'convergence_de')
>>> datasets.load("demsar2006")
<Experiment: 4 algorithms on 14 data sets, AUC, maximize>
>>> datasets.load("stochastic_cv")
<Experiment: 5 algorithms on 10 data sets, 10 folds, 30 runs, error, minimize>
>>> datasets.load("convergence_de")
<Histories: 7 algorithms on 38 problems, 15 runs, 50 points to 20,000 evaluations, error,
 minimize>
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import resources
from typing import Literal, TypeVar, overload

import numpy as np

from nbcompare._options import MAXIMIZE, MINIMIZE
from nbcompare._tables import Origin, remember
from nbcompare._validation import check_choice, listed
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories

_Data = TypeVar("_Data", Experiment, Histories)
_ExperimentName = Literal[
    "demsar2006",
    "demsar2006_ranks",
    "otero2013_auc",
    "otero2013_simulated",
    "stochastic_cv",
    "stochastic_regression",
]

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
    "Made by the nbcompare developers with scikit-learn 1.9.1 (BSD 3-Clause), program "
    "make_{name} of the repository"
)


@dataclass(frozen=True, slots=True)
class _Bundled:
    direction: str
    measure: str
    citation: str


_EXPERIMENTS: dict[str, _Bundled] = {
    "demsar2006": _Bundled(
        MAXIMIZE,
        "AUC",
        f"{_DEMSAR}: the areas under the curve as printed. The printed ranks do not all follow "
        "from them: on 'voting' two classifiers are tied at 0.975 but were ranked 2 and 3.",
    ),
    "demsar2006_ranks": _Bundled(
        MINIMIZE,
        "rank",
        f"{_DEMSAR}: the ranks as printed, from which that paper's statistics follow.",
    ),
    "otero2013_auc": _Bundled(
        MAXIMIZE,
        "AUC",
        f"{_OTERO}, Table 6: areas under the curve, the 40 of 64 data sets that are legible. Two "
        "rows are printed as 'glass'; the second is called 'glass (2)' here.",
    ),
    "otero2013_simulated": _Bundled(
        MINIMIZE,
        "error",
        f"{_OTERO}, Table 1: simulated errors of five algorithms on 32 data sets.",
    ),
    "stochastic_cv": _Bundled(
        MINIMIZE,
        "error",
        f"{_MADE.format(name='stochastic_cv')}: test errors of five classifiers in 10 stratified "
        "folds, 30 runs per fold of the three stochastic ones. The data sets come with "
        "scikit-learn, which has them from the UCI Machine Learning Repository, or, where the "
        "name says so, are generated; the two Gaussians are those of Sánchez, Otero and "
        "Alcalá (2006). The data themselves are not in the file.",
    ),
    "stochastic_regression": _Bundled(
        MINIMIZE,
        "mean squared error",
        f"{_MADE.format(name='stochastic_regression')}: mean squared test errors of a neural "
        "network, 30 runs per fold, and of linear and quadratic least squares in 10 folds, after "
        "the design of Otero, Sánchez and Couso (2010). The data are those on diabetes of Efron, "
        "Hastie, Johnstone and Tibshirani (2004), which come with scikit-learn, and three "
        "generated from the functions of Friedman (1991). The data themselves are not in the file.",
    ),
}


_HISTORIES: dict[str, _Bundled] = {
    "convergence_de": _Bundled(
        MINIMIZE,
        "error",
        "Made by the nbcompare developers with NumPy, program make_convergence_de of the "
        "repository: best errors so far of seven optimisers on 19 functions with shifted optima "
        "in 10 and in 30 dimensions, 15 runs of 20,000 evaluations, after the design of Derrac, "
        "García, Hui, Suganthan and Herrera (2014). Errors below 1e-8 stand as 0, others have four "
        "significant digits.",
    ),
}


def names(kind: str | None = None) -> tuple[str, ...]:
    """Return the names that :func:`load` knows.

    Parameters
    ----------
    kind : {"experiment", "histories"}, optional
        Only what is loaded as an :class:`~nbcompare.Experiment`, or as
        :class:`~nbcompare.Histories`.

    Examples
    --------
    >>> names("histories")
    ('convergence_de',)
    """
    kinds = {"experiment": tuple(_EXPERIMENTS), "histories": tuple(_HISTORIES)}
    if kind is None:
        return (*_EXPERIMENTS, *_HISTORIES)
    return kinds[check_choice(kind, "kind", tuple(kinds))]


@overload
def load(name: _ExperimentName) -> Experiment: ...
@overload
def load(name: Literal["convergence_de"]) -> Histories: ...
@overload
def load(name: str) -> Experiment | Histories: ...
def load(name: str) -> Experiment | Histories:
    """Load bundled results.

    Parameters
    ----------
    name : str
        One of :func:`names`. ``demsar2006``: AUC of 4 variants of C4.5 on 14 data sets;
        ``demsar2006_ranks``: the ranks printed beside them; ``otero2013_auc``: 5 classifiers
        on 40 imbalanced data sets; ``otero2013_simulated``: 5 simulated algorithms on 32 data
        sets; ``stochastic_cv``: test errors of 3 stochastic and 2 deterministic classifiers
        on 10 data sets, 10 folds, 30 runs; ``stochastic_regression``: mean squared errors of
        a neural network (30 runs) and of linear and quadratic least squares on 4 data sets,
        10 folds; ``convergence_de``: histories of 7 optimisers, among them 3 of differential
        evolution, on 38 problems, 15 runs.

    Returns
    -------
    Experiment or Histories
        With its ``citation``; histories with their optima, which are 0.
    """
    if check_choice(name, "name", names()) in _EXPERIMENTS:
        return load_experiment(name)
    return load_histories(name)


def load_histories(name: str) -> Histories:
    """Load bundled histories by a name that is known only at run time.

    Parameters
    ----------
    name : str
        One of ``names("histories")``.

    Returns
    -------
    Histories
        As :func:`load` gives them.

    Raises
    ------
    ValueError
        If there is no such name, or if it is that of an experiment.
    """
    table = _table_of(name, "histories", _HISTORIES)
    with resources.as_file(resources.files(__name__) / f"{name}.csv.gz") as path:
        histories = Histories.read(
            path, direction=table.direction, optimum=0.0, measure=table.measure
        )
    dimensions = np.array(
        [float(problem.rpartition("(")[2][:-1]) for problem in histories.problems]
    )
    return _remembered(replace(histories, citation=table.citation, dimensions=dimensions), name)


def load_experiment(name: str) -> Experiment:
    """Load a bundled experiment by a name that is known only at run time.

    Parameters
    ----------
    name : str
        One of ``names("experiment")``.

    Returns
    -------
    Experiment
        As :func:`load` gives it.

    Raises
    ------
    ValueError
        If there is no such name, or if it is that of histories.
    """
    table = _table_of(name, "experiment", _EXPERIMENTS)
    with resources.as_file(resources.files(__name__) / f"{name}.csv") as path:
        experiment = Experiment.read(path, direction=table.direction, measure=table.measure)
    return _remembered(replace(experiment, citation=table.citation), name)


_WANTED = {
    "experiment": "an experiment, a table of scores; {} holds histories of optimisers. Experiments",
    "histories": "histories of optimisers; {} holds scores. Histories",
}


def _table_of(name: str, kind: str, tables: dict[str, _Bundled]) -> _Bundled:
    """Return what is known of bundled results of a kind."""
    if check_choice(name, "name", names()) not in tables:
        wanted = _WANTED[kind].format(repr(name))
        raise ValueError(f"`name` must name {wanted} are {listed(tables)}.")
    return tables[name]


def _remembered(data: _Data, name: str) -> _Data:
    remember(data, Origin("datasets.load", name, {}))
    return data
