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

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Literal, TypeVar, overload

import numpy as np

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


@dataclass(frozen=True, slots=True)
class _Bundled:
    kind: str
    direction: str
    measure: str
    citation: str


_BUNDLED = {
    name: _Bundled(**fields)
    for name, fields in tomllib.loads(
        Path(__file__).with_name("bundled.toml").read_text(encoding="utf-8")
    ).items()
}
_KINDS = ("experiment", "histories")


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
    kinds = _KINDS if kind is None else (check_choice(kind, "kind", _KINDS),)
    return tuple(name for name, each in _BUNDLED.items() if each.kind in kinds)


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
    is_experiment = _BUNDLED[check_choice(name, "name", names())].kind == "experiment"
    return load_experiment(name) if is_experiment else load_histories(name)


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
    return _read_histories(_bundled(name, "histories"), name)


# Nobody can change what is read, so that it is read once
@cache
def _read_histories(table: _Bundled, name: str) -> Histories:
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
    return _read_experiment(_bundled(name, "experiment"), name)


@cache
def _read_experiment(table: _Bundled, name: str) -> Experiment:
    with resources.as_file(resources.files(__name__) / f"{name}.csv") as path:
        experiment = Experiment.read(path, direction=table.direction, measure=table.measure)
    return _remembered(replace(experiment, citation=table.citation), name)


_WANTED = {
    "experiment": "an experiment, a table of scores; {} holds histories of optimisers. Experiments",
    "histories": "histories of optimisers; {} holds scores. Histories",
}


def _bundled(name: str, kind: str) -> _Bundled:
    """Return what is known of bundled results of a kind."""
    found = _BUNDLED[check_choice(name, "name", names())]
    if found.kind != kind:
        wanted = _WANTED[kind].format(repr(name))
        raise ValueError(f"`name` must name {wanted} are {listed(names(kind))}.")
    return found


def _remembered(data: _Data, name: str) -> _Data:
    remember(data, Origin("datasets.load", name, {}))
    return data
