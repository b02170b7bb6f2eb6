"""The result of the fixed-target view: expected running times and rates of success."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import MINIMIZE
from nbcompare._render import Column, Note, Part, Strong, Table, plural
from nbcompare._validation import check_name, positions, shown
from nbcompare.experiment import Experiment
from nbcompare.results import fixed_targets_account as account
from nbcompare.results._cited import Cited
from nbcompare.results._result import Result, Sections
from nbcompare.results.design import Design
from nbcompare.words import cited

if TYPE_CHECKING:
    import pandas as pd

NO_SUCCESS = "no success"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FixedTargets(Result):
    """Expected running times of optimisers to targets, and how often they reach them.

    :func:`nbcompare.fixed_targets` returns it; it displays itself. Nothing is tested. Its
    sections are ``findings`` (the answer in a few sentences), ``standing`` (success by
    algorithm), ``ert`` (expected running times to the hardest target, by problem), ``methods`` (a
    paragraph for a paper), ``notes``, ``method`` and ``references``.

    Attributes
    ----------
    targets : ndarray of float, shape (n_problems, n_targets)
        Targets as values of the objective, the easiest first.
    precisions : ndarray of float, shape (n_targets,), or None
        Distances of the targets from the optima, if they were given so.
    chosen : {"precisions", "values", "quantiles"}
        How the targets were chosen.
    ert : ndarray of float, shape (n_problems, n_algorithms, n_targets)
        Expected running times in evaluations; infinite without a success.
    successes : ndarray of int, shape (n_problems, n_algorithms, n_targets)
        Numbers of runs that reached the target.
    n_runs : ndarray of int, shape (n_problems, n_algorithms)
        Numbers of runs.
    points : ndarray of float, shape (n_problems, n_points)
        Evaluations at the recorded points; the last is the budget of every run.
    hits : ndarray of int, shape (n_problems, n_algorithms, n_points)
        How many pairs of a run and a target are reached first at each point.
    missing : str
        The option used.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data, with problems in the place of data sets, and the options.
    """

    targets: FloatArray
    precisions: FloatArray | None
    chosen: str
    ert: FloatArray
    successes: IntArray
    n_runs: IntArray
    points: FloatArray
    hits: IntArray
    missing: str
    notes: tuple[Note, ...]
    design: Design

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Labels of the algorithms, in the order of the data."""
        return self.design.algorithms

    @property
    def problems(self) -> tuple[str, ...]:
        """Labels of the problems, in the order of the data."""
        return self.design.datasets

    @property
    def n_targets(self) -> int:
        """Number of targets on each problem."""
        return int(self.targets.shape[1])

    @property
    def budgets(self) -> FloatArray:
        """Evaluations of every run on a problem, shape (n_problems,)."""
        return self.points[:, -1]

    @property
    def reached(self) -> FloatArray:
        """Share of all targets that all runs of an algorithm reached, shape (n_algorithms,)."""
        there = self.n_runs.sum(axis=0) * self.n_targets
        return np.asarray(self.hits.sum(axis=(0, 2)) / there)

    @property
    def ordered(self) -> tuple[str, ...]:
        """Algorithms by the share of targets reached; ties in the order of the data."""
        return tuple(self.algorithms[i] for i in np.argsort(-self.reached, kind="stable"))

    def distribution(
        self, algorithm: str, problems: Iterable[str] | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return the distribution of runtimes: the share reached by a number of evaluations.

        Parameters
        ----------
        algorithm : str
            One of ``algorithms``.
        problems : iterable of str, optional
            The problems to count; all by default.

        Returns
        -------
        evaluations : ndarray of float
            Recorded points of these problems at which something was reached, increasing.
        shares : ndarray of float
            Share of all triples of problem, target and run that were reached by then.

        Examples
        --------
        >>> import nbcompare as nbc
        >>> result = nbc.fixed_targets(nbc.Histories.from_array(
        ...     [[[9, 4, 1], [7, 6, 6]]], direction="minimize"), targets=[8, 5])
        >>> [part.tolist() for part in result.distribution("A1")]
        [[2.0], [1.0]]
        """
        column = self.algorithms.index(check_name(algorithm, "algorithm", self.algorithms))
        rows = positions(problems, self.problems, "problems")
        counts = self.hits[rows, column].ravel()
        at, place = np.unique(self.points[rows].ravel()[counts > 0], return_inverse=True)
        total = self.n_runs[rows, column].sum() * self.n_targets
        return at, np.cumsum(np.bincount(place, weights=counts[counts > 0])) / total

    def to_experiment(self, target: float | None = None) -> Experiment:
        """Return the expected running times to one target as scores, for tests.

        There is one target for each problem, because running times to several targets on a problem
        come from the same runs: as rows of a test they would not be independent.

        Parameters
        ----------
        target : float, optional
            One of the ``precisions``, or of the values if all problems have the same; the hardest
            target by default.

        Returns
        -------
        Experiment
            Problems as data sets; lower is better. An algorithm without success has an infinite
            score, which is the worst and ties with others: :func:`nbcompare.compare` then tests
            average ranks, and what needs more than the order of scores refuses them.

        Raises
        ------
        ValueError
            If there is no such target.

        Examples
        --------
        >>> import nbcompare as nbc
        >>> histories = nbc.datasets.load("convergence_de")
        >>> result = nbc.fixed_targets(histories, precisions=[1, 1e-8])
        >>> experiment = result.to_experiment(1e-8)
        >>> experiment.n_datasets, experiment.direction, experiment.measure
        (38, 'minimize', 'expected running time to 1e-08 from the optimum')
        >>> int(experiment.n_infinite)
        177
        """
        place = self._place(target)
        lower = self.ert[:, :, place, np.newaxis, np.newaxis]
        measure = f"expected running time to {account.target_name(self, place)}"
        return Experiment(
            lower=lower,
            upper=lower,
            datasets=self.problems,
            algorithms=self.algorithms,
            folds=("1",),
            direction=MINIMIZE,
            measure=measure,
            citation=self.design.citation,
            infinite=NO_SUCCESS,
            notes=self.notes,
        )

    def _place(self, target: float | None) -> int:
        """Return the number of a target, from 0."""
        if target is None:
            return self.n_targets - 1
        known = self.precisions
        if known is None:
            known = self.targets[0]
            if (self.targets != known).any():
                raise ValueError(
                    "`target` must be left out: the targets differ between problems, and the "
                    f"hardest one of each is taken; got {shown(target)}."
                )
        if isinstance(target, bool) or not isinstance(target, int | float | np.number):
            raise ValueError(
                "`target` must be one number, because running times to several targets on a "
                f"problem are not independent; got {shown(target)}."
            )
        close = np.flatnonzero(np.isclose(known, float(target), rtol=1e-9, atol=0.0))
        if not close.size:
            some = ", ".join(f"{value:g}" for value in known.tolist()[:3])
            raise ValueError(
                f"`target` must be one of the {self.n_targets} targets ({some}, ..., "
                f"{known[-1]:g}); got {shown(target)}."
            )
        return int(close[0])

    @property
    def references(self) -> tuple[str, ...]:
        """References for targets and running times, sorted by author."""
        return cited(("auger2005", "hansen2021", "wang2022"))

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas dataframe with a row per problem, algorithm and target.

        Returns
        -------
        pandas.DataFrame
            Columns problem, algorithm, target, precision (if the targets are distances from
            optima), ert (infinite without a success), successes and runs.
        """
        import pandas as pd

        problem, algorithm, target = (axis.ravel() for axis in np.indices(self.ert.shape))
        columns: dict[str, Any] = {
            "problem": np.array(self.problems, dtype=object)[problem],
            "algorithm": np.array(self.algorithms, dtype=object)[algorithm],
            "target": self.targets[problem, target],
        }
        if self.precisions is not None:
            columns["precision"] = self.precisions[target]
        columns |= {
            "ert": self.ert.ravel(),
            "successes": self.successes.ravel(),
            "runs": self.n_runs[problem, algorithm],
        }
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        best = self.ordered[0]
        share = account.percent(float(self.reached.max()))
        return (
            f"<FixedTargets: {plural(len(self.algorithms), 'algorithm')}, "
            f"{plural(len(self.problems), 'problem')}, {plural(self.n_targets, 'target')}; "
            f"{best!r} reached most, {share}>"
        )

    # ---------------------------------------------------------------------- display

    def _tables(self) -> tuple[Part, ...]:
        return (self._standing(), self._ert())

    def _sections(self) -> Sections:
        return {
            "standing": lambda: (self._standing(),),
            "ert": lambda: (self._ert(),),
        }

    def _account(self) -> tuple[tuple[str, ...], ...]:
        return account.findings(self)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        return account.methods(self, cite)

    def _method(self) -> tuple[tuple[str, str], ...]:
        return account.method(self)

    def _standing(self) -> Table:
        """Return how much each algorithm reached, of all targets and of some of them."""
        places = account.told_targets(self)
        columns = [Column("algorithm"), Column("targets reached", number=True)]
        for place in places:
            name = account.short_name(self, place)
            columns += [
                Column(f"problems, {name}", number=True),
                Column(f"runs, {name}", number=True),
            ]
        reached = self.reached
        rows = []
        for name in self.ordered:
            column = self.algorithms.index(name)
            runs = int(self.n_runs[:, column].sum())
            cells = [name, account.percent(float(reached[column]))]
            for place in places:
                hits = self.successes[:, column, place]
                cells += [
                    f"{int((hits > 0).sum()):,} of {len(hits):,}",
                    f"{int(hits.sum()):,} of {runs:,}",
                ]
            rows.append(tuple(cells))
        return Table(
            tuple(columns),
            tuple(rows),
            caption="Share of all targets that all runs reached; and for some targets"
            f"{', as distances from the optimum,' * (self.precisions is not None)} the problems on "
            "which at least one run did, and the runs",
        )

    def _ert(self) -> Table:
        """Return the expected running times to the hardest target, with the successful runs."""
        last = self.n_targets - 1
        columns = (Column("problem"), *(Column(name, number=True) for name in self.algorithms))
        least = self.ert[:, :, last].min(axis=1)
        rows = []
        for row, problem in enumerate(self.problems):
            cells = []
            for column in range(len(self.algorithms)):
                expected = float(self.ert[row, column, last])
                text = account.time_text(expected)
                hits, runs = self.successes[row, column, last], self.n_runs[row, column]
                text = f"{text} ({hits} of {runs})"
                is_best = np.isfinite(expected) and expected == least[row]
                cells.append(Strong(text) if is_best else text)
            rows.append((problem, *cells))
        return Table(
            columns,
            tuple(rows),
            caption=f"Expected running times to {account.target_name(self, last)}, in "
            "evaluations, with the numbers of successful runs",
        )
