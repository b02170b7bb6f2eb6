"""Expected running times to targets, and how often runs reach them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import MINIMIZE, QUANTILES
from nbcompare._render import Strong, Table
from nbcompare._validation import DataError, check_name, positions, shown
from nbcompare.experiment import Experiment
from nbcompare.results._result import Result, Sections
from nbcompare.results.labelled import frame_of_cells, table_of
from nbcompare.results.sentences import MOST_LISTED, caveat
from nbcompare.results.texts import Cited, on_methods
from nbcompare.results.wording import counted, joined

if TYPE_CHECKING:
    import pandas as pd


NO_SUCCESS = "no success"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FixedTargets(Result):
    """Expected running times of optimisers to targets, and how often they reach them.

    :func:`nbcompare.fixed_targets` returns it; it displays itself. Nothing is tested. Its
    sections are ``findings`` (the answer in a few sentences), ``standing`` (success by
    algorithm), ``ert`` (expected running times by problem, to the hardest target or, if no run
    reached it, the hardest of those that were reached on the most problems), ``methods`` (a
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
    budgets : ndarray of float, shape (n_problems, n_algorithms)
        Most evaluations that a run had.
    cells : ndarray of int, shape (n_steps, 2)
        The runs, evaluation by evaluation: places of the problem and of the algorithm.
    evaluations : ndarray of float, shape (n_steps,)
        Evaluations, which increase within a cell.
    hits : ndarray of int, shape (n_steps,)
        How many pairs of a run and a target are first reached at that evaluation.
    ended : ndarray of int, shape (n_steps,)
        How many runs end there that missed a target.
    dimensions : ndarray of float, shape (n_problems,), or None
        Dimensions of the problems, if they are known.
    restarts : bool
        Whether hits beyond the end of a run are simulated by restarts.
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
    budgets: FloatArray
    cells: IntArray
    evaluations: FloatArray
    hits: IntArray
    ended: IntArray
    dimensions: FloatArray | None
    restarts: bool
    missing: str

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
    def reached(self) -> FloatArray:
        """Share of all targets that all runs of an algorithm reached, shape (n_algorithms,)."""
        there = self.n_runs.sum(axis=0) * self.n_targets
        return np.asarray(self.successes.sum(axis=(0, 2)) / there)

    @property
    def has_uneven_budgets(self) -> bool:
        """Whether runs that missed a target had a tenth fewer evaluations than those of others."""
        missed = self.successes.sum(axis=2) < self.n_runs * self.n_targets
        budgets = np.where(self.n_runs > 0, self.budgets, 0.0)
        return bool((missed & (budgets < 0.9 * budgets.max(axis=1, keepdims=True))).any())

    @property
    def ordered(self) -> tuple[str, ...]:
        """Algorithms by the share of targets reached; ties in the order of the data."""
        return tuple(self.algorithms[i] for i in np.argsort(-self.reached, kind="stable"))

    def distribution(
        self,
        algorithm: str,
        problems: Iterable[str] | None = None,
        *,
        per_dimension: bool = False,
    ) -> tuple[FloatArray, FloatArray]:
        """Return the distribution of runtimes: the share reached by a number of evaluations.

        Parameters
        ----------
        algorithm : str
            One of ``algorithms``.
        problems : iterable of str, optional
            The problems to count; all by default.
        per_dimension : bool
            Whether evaluations are divided by the dimension of the problem.

        Returns
        -------
        evaluations : ndarray of float
            Evaluations at which something was reached on these problems, increasing.
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
        at, hits, _ = self.steps_of(rows, column, per_dimension=per_dimension)
        at, place = np.unique(at[hits > 0], return_inverse=True)
        total = self.n_runs[rows, column].sum() * self.n_targets
        return at, np.cumsum(np.bincount(place, weights=hits[hits > 0])) / total

    def check_dimensions(self) -> FloatArray:
        """Return the dimensions of the problems, or raise an error that says how to give them."""
        if self.dimensions is None:
            raise DataError(
                "the dimensions of the problems are not known: read a folder of COCO or "
                "IOHprofiler, or a table with a column called dimension, or pass dimensions= to "
                "Histories.from_array."
            )
        return self.dimensions

    def steps_of(
        self, rows: Sequence[int], column: int, *, per_dimension: bool
    ) -> tuple[FloatArray, IntArray, IntArray]:
        """Return evaluations, hits and ends of an algorithm on the problems of these places."""
        cells, spent = self.cells, self.evaluations
        if per_dimension:
            spent = spent / self.check_dimensions()[cells[:, 0]]
        where = np.isin(cells[:, 0], rows) & (cells[:, 1] == column)
        return spent[where], self.hits[where], self.ended[where]

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
        measure = f"expected running time to {self.target_name(place)}"
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

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas dataframe with a row per problem, algorithm and target.

        Returns
        -------
        pandas.DataFrame
            Columns problem, algorithm, target, precision (if the targets are distances from
            optima), ert (infinite without a success), successes and runs.
        """
        axes = {"problem": self.problems, "algorithm": self.algorithms}
        frame = frame_of_cells(
            {**axes, "": range(self.n_targets)},
            {
                "target": self.targets[:, np.newaxis],
                **({} if self.precisions is None else {"precision": self.precisions}),
                "ert": self.ert,
                "successes": self.successes,
                "runs": self.n_runs[..., np.newaxis],
            },
        )
        return frame.drop(columns="")

    # ----------------------------------------------------------------------- tables

    def _sections(self) -> Sections:
        return {"standing": self._standing, "ert": self._ert}

    def _standing(self) -> Table:
        """Return how much each algorithm reached, of all targets and of some of them."""
        order = [self.algorithms.index(name) for name in self.ordered]
        numbers = {"targets reached": [_percent(float(self.reached[at])) for at in order]}
        last = self.n_targets - 1
        for place in sorted({0, self.n_targets // 2, last}):
            hits, name = self.successes[:, :, place], f"{self.target_name(place)}"
            if self.precisions is not None:
                name = f"{self.precisions[place]:.4g}"
            name = name.removeprefix("the ").removesuffix(" target")
            for what, found, of in (
                ("problems", (hits > 0).sum(axis=0), np.full(len(order), len(hits))),
                ("runs", hits.sum(axis=0), self.n_runs.sum(axis=0)),
            ):
                numbers[f"{what}, {name}"] = [f"{found[at]:,} of {of[at]:,}" for at in order]
        distances = ", as distances from the optimum," * (self.precisions is not None)
        caption = (
            f"Share of all targets that all runs reached; and for some targets{distances} the "
            "problems on which at least one run did, and the runs"
        )
        return table_of({"algorithm": self.ordered}, numbers, caption)

    def _ert(self) -> Table:
        """Return the expected running times to the hardest target, with the successful runs."""
        place = self._hardest
        times, hits = self.ert[:, :, place], self.successes[:, :, place]
        best = np.isfinite(times) & (times == times.min(axis=1, keepdims=True))
        numbers = {}
        for at, name in enumerate(self.algorithms):
            columns = zip(times[:, at], hits[:, at], self.n_runs[:, at], best[:, at], strict=True)
            numbers[name] = [
                (Strong if least else str)(f"{_time(float(time))} ({n} of {runs})")
                for time, n, runs, least in columns
            ]
        caption = (
            f"Expected running times to {self.target_name(place)}, in evaluations, "
            "with the numbers of successful runs"
        )
        return table_of({"problem": self.problems}, numbers, caption)

    # --------------------------------------------------------------------- findings

    def target_name(self, place: int) -> str:
        """Name a target: its distance from the optimum, its value, or its number.

        Parameters
        ----------
        place : int
            Number of the target, from 0, the easiest.

        Returns
        -------
        str
            A name such as ``1e-08 from the optimum``, ``12.5`` or ``the hardest target``.
        """
        values, last = self.targets[:, place], self.n_targets - 1
        if self.precisions is not None:
            return f"{self.precisions[place]:.4g} from the optimum"
        if (values == values[0]).all():
            return f"{values[0]:.6g}"
        names = {0: "the easiest target", last: "the hardest target" if last else "the target"}
        return names.get(place, f"target {place + 1} of {self.n_targets}")

    def _account(self) -> tuple[tuple[str, ...], ...]:
        untested = "These figures describe the runs, and nothing is tested."
        return (
            (self._success(), self._shares()),
            (self._fastest(),),
            (caveat(self, untested),),
        )

    @property
    def _hardest(self) -> int:
        """Number of the hardest target, or where no run reached it, of one that says more, from 0.

        That is the hardest of those that runs reached on the most problems.
        """
        n_solved = self.successes.any(axis=1).sum(axis=0)
        last = self.n_targets - 1
        return last if n_solved[last] else last - int(np.argmax(n_solved[::-1]))

    def _success(self) -> str:
        """Say on how many problems each algorithm, or the first ones, reach the hardest target."""
        place, last, n = self._hardest, self.n_targets - 1, len(self.problems)
        hits, runs = self.successes[:, :, place], self.n_runs.sum(axis=0)
        counts, successful = (hits > 0).sum(axis=0), hits.sum(axis=0)
        first, *others = np.lexsort((-successful, -counts)).tolist()
        unreached = f"No algorithm reaches {self.target_name(last)} in any run."
        if not counts[first]:
            return unreached

        def told(at: int, noun: str = "") -> str:
            of_runs = f"{successful[at]:,} of {runs[at]:,}"
            return f"{of_runs}{noun}" if n == 1 else f"{counts[at]} of {n:,}{noun} ({of_runs} runs)"

        on, noun = ("in", " runs") if n == 1 else ("on", " problems")
        clauses = [
            f"{self.algorithms[first]} reaches {self.target_name(place)} {on} {told(first, noun)}"
        ]
        clauses += [f"{self.algorithms[at]} {on} {told(at)}" for at in others]
        if len(others) > MOST_LISTED:
            rest = counted(len(clauses) - MOST_LISTED, "other")
            clauses = [*clauses[:MOST_LISTED], f"the {rest} {on} no more"]
        return f"{f'{unreached} ' * (place < last)}{joined(clauses)}."

    def _shares(self) -> str:
        """Say how many of all targets the runs of the best and the worst algorithm reach."""
        if self.n_targets == 1:
            return ""
        names = self.ordered
        if len(names) > MOST_LISTED:
            names = (names[0], names[1], names[-1])
        are_uneven, told = self.has_uneven_budgets, list[str]()
        for name in names:
            at = self.algorithms.index(name)
            had = self.budgets[self.n_runs[:, at] > 0, at]
            within = f" within {_span([_time(float(n)) for n in (had.min(), had.max())])}"
            whole = " of all targets" if not told else ""
            verb = " reaches" if not told else ""
            share = _percent(float(self.reached[at]))
            told.append(f"{name}{verb} {share}{whole}{within * are_uneven}")
        grow = " evaluations; more evaluations reach more targets"
        return f"{joined(told)}{grow * are_uneven}."

    def _fastest(self) -> str:
        """Say who has the least expected running time to the hardest target on how many."""
        place, names = self._hardest, self.algorithms
        times = self.ert[:, :, place]
        solved = times[np.isfinite(times).any(axis=1)]
        if not len(solved) or len(names) == 1:
            return ""
        if len(times) == 1:
            order = np.argsort(times[0], kind="stable")[: np.isfinite(times).sum()][:MOST_LISTED]
            first, *others = ((_time(float(times[0, at])), names[at]) for at in order)
            against = f", against {joined([f'{time} of {name}' for time, name in others])}"
            return (
                f"The least expected running time to {self.target_name(place)} is that of "
                f"{first[1]}: {first[0]} evaluations{against * bool(others)}."
            )
        ahead = (solved == solved.min(axis=1, keepdims=True)).sum(axis=0)
        best = [names[at] for at in np.flatnonzero(ahead == ahead.max())]
        who = joined(best) if len(best) <= MOST_LISTED else f"{len(best)} algorithms"
        verb, each = ("has", "") if len(best) == 1 else ("have", " each")
        unsolved = counted(len(times) - len(solved), "problem")
        nobody = f"; on {unsolved} no run of any algorithm reaches it"
        return (
            f"Of the {counted(len(solved), 'problem')} on which at least one run reaches "
            f"{self.target_name(place)}, {who} {verb} the least expected running time "
            f"on {ahead.max()}{each}{nobody if len(solved) < len(times) else ''}."
        )

    # ---------------------------------------------------------------------- methods

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        values, precisions = self.targets, self.precisions
        how = "deciles of all values that the runs recorded on the problem"
        if precisions is not None:
            ends = _span([f"{precisions[at]:.4g}" for at in (0, -1)])
            how = f"{ends} from the known optimum"
        elif self.chosen != QUANTILES:
            how = "values of the objective"
            if (values == values[0]).all() and self.n_targets <= MOST_LISTED:
                how += f", {joined([f'{value:.6g}' for value in values[0]])}"
        restarts = f"continued by simulated restarts{cite('hansen2022')}" if self.restarts else ""
        return on_methods(
            "fixed targets",
            self,
            cite,
            runs=_span([f"{n:,}" for n in (self.n_runs.min(), self.n_runs.max())]),
            noun="run" if self.n_runs.max() == 1 else "runs",
            most=_span([_time(float(n)) for n in (self.budgets.min(), self.budgets.max())]),
            how=how,
            left_out=joined(self.design.left_out) or None,
            continued=restarts or "without simulated restarts",
        )


def _span(ends: list[str]) -> str:
    return " to ".join(dict.fromkeys(ends))


def _percent(share: float) -> str:
    """Return a share as text; only nothing is 0 %, and only everything 100 %.

    Examples
    --------
    >>> _percent(0.7314), _percent(0.99999), _percent(1.0), _percent(1e-6)
    ('73.1 %', '99.9 %', '100 %', '0.1 %')
    """
    if share in (0.0, 1.0):
        return f"{100 * share:.0f} %"
    return f"{min(max(100 * share, 0.1), 99.9):.1f} %"


def _time(expected: float) -> str:
    """Return an expected running time as text, or that there is no success.

    Examples
    --------
    >>> _time(12345.67), _time(7.25), _time(float("inf"))
    ('12,346', '7.25', 'no success')
    """
    if not np.isfinite(expected):
        return NO_SUCCESS
    if expected >= 1e9:
        return f"{expected:.3e}"
    return f"{expected:,.0f}" if expected >= 100 else f"{expected:.4g}"
