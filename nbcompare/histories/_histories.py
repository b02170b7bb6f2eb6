"""Histories: frozen, labelled best-so-far values with the direction that is better."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt

from nbcompare import _tables, formats
from nbcompare._arrays import digest, median_over
from nbcompare._options import BETTER, default
from nbcompare._render import MOST_ROWS, Column, Notes, Part, Rich, Table, format_numbers, plural
from nbcompare._validation import labels_or_numbers
from nbcompare.experiment import WRITING, Experiment, Source, Unsettled, explained, understood
from nbcompare.histories import _folders, _values, _views
from nbcompare.histories._columns import LABELS, LogReading, infer
from nbcompare.histories._logs import Logs, arrange
from nbcompare.histories._recorder import Recorder
from nbcompare.histories._regular import regular
from nbcompare.histories._values import Values, evaluations_text
from nbcompare.histories._views import Runtimes, runtimes

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Histories(Values, Rich):
    """Values in the runs of optimisers or learners, at points of their budgets.

    Make them with :meth:`read` (a file or folder), :meth:`from_frame` (a dataframe),
    :meth:`from_array` or :meth:`record` (as the optimisers run). They never change;
    :meth:`select` gives a smaller part.

    Attributes
    ----------
    values : ndarray of float, shape (n_problems, n_algorithms, n_runs, n_points)
        Best value so far, or raw values, in the measure's own direction. Algorithms with fewer
        runs than others are padded with NaN. Read-only.
    evaluations : ndarray of float, shape (n_problems, n_points)
        Evaluations of the objective spent at each point, the same for all algorithms; the
        last is that up to which values are compared. Problems may differ. Read-only.
    problems, algorithms : tuple of str
        Labels, in the order of the arrays. Runs are not paired between algorithms; they
        are numbered in the order of their labels.
    direction : {"maximize", "minimize"}
        Whether high or low values are better.
    optimum : ndarray of float, shape (n_problems,), or None
        Known optima. No value is better than these, but for rounding (1e-12 of the larger
        of the optimum and the largest value on the problem).
    measure : str or None
        What was measured.
    citation : str or None
        Where the histories were published.
    notes : tuple of Note
        What was done to make regular histories of uneven logs.
    is_raw : bool
        Whether values may get worse, as rewards of a learner do. Such histories are compared
        at a step (:meth:`at`) or by the area under them (:meth:`area`).
    schema : Schema or None
        How the table or folder was understood, column by column; None unless it was read.
    logged : Events or None
        What was logged of each run, with the budget of its own, if ``values`` do not say it all;
        ``events`` are these, or else the values at the points.
    dimensions : ndarray of float, shape (n_problems,), or None
        Dimensions of the problems, from a folder, or a column of a table that is called
        ``dimension`` or ``dim`` and has one positive number for each problem.

    Examples
    --------
    >>> histories = Histories.from_array(
    ...     [[[8.0, 4.0, 2.0, 1.0], [8.0, 6.0, 5.0, 4.0]]], evaluations=[25, 50, 75, 100],
    ...     direction="minimize", problems=["sphere"], algorithms=["DE", "random search"])
    >>> histories
    <Histories: 2 algorithms on 1 problem, 1 run, 4 points to 100 evaluations, minimize>
    >>> histories.at_cutpoints(2)[0, :, 0].tolist()
    [[4.0, 1.0], [6.0, 4.0]]
    """

    # ------------------------------------------------------------------- making them

    @classmethod
    @_tables.remembered
    def read(
        cls,
        path: str | Path,
        *,
        direction: str | None = None,
        problem: str | Sequence[str] | None = None,
        algorithm: str | Sequence[str] | None = None,
        run: str | Sequence[str] | None = None,
        evaluations: str | None = None,
        value: str | None = None,
        optimum: str | float | Mapping[str, float] | None = None,
        columns: str | None = None,
        where: Mapping[str, str | Sequence[str]] | None = None,
        ignore: Iterable[str] = default("ignore"),
        n_points: int | None = None,
        budget: float | Mapping[str, float] | None = None,
        values: str = default("values"),
        worse: str = default("worse"),
        early: str = default("early"),
        optimum_tolerance: float | None = None,
        measure: str | None = None,
        instances: str | None = default("instances"),
        missing_words: Iterable[str] = default("missing_words"),
        edits: Iterable[tuple[int, str, str]] = default("edits"),
        decimal: str | None = default("decimal"),
        thousands: str | None = default("thousands"),
        separator: str | None = default("separator"),
        encoding: str = default("text.encoding"),
        sheet: str | None = default("sheet"),
    ) -> Self:
        r"""Read logs of runs from a table of any format, or a folder of COCO or IOHprofiler.

        Parameters
        ----------
        path : str or Path
            A file as :meth:`Experiment.read` takes it, or ``-`` for standard input; a pattern of
            files with the same columns, ``"logs/{algorithm}/{problem}/{run}.csv"``; or a folder
            that holds, at any depth, logs of several algorithms. In a folder, problems are called
            by function and dimension ("Sphere 5D"), and the best so far is taken of what was
            logged.

            - *IOHprofiler*: ``IOHprofiler_*.json`` or the older ``*.info``, and their ``.dat``.
            - *COCO* (BBOB): ``*.info``, and their ``.dat`` and ``.tdat``, which are taken
              together: the one is logged at targets, the other at numbers of evaluations. Values
              are differences to the optimum, or to a reference value where it is not known.
              Evaluations are those of the objective. Runs that did not end are left out (note
              ``broken-off``).
        direction : {"maximize", "minimize"}
            Whether high or low values are better; may be left out if the folder says so.
        problem, algorithm, run, evaluations, value, optimum
            As in :meth:`from_frame`; in a folder, ``optimum`` only as a number or mapping. In a
            folder of COCO it is 0, unless values are differences to a reference value.
        columns, where, ignore, n_points, budget, values, worse, early, measure
            As in :meth:`from_frame`.
        optimum_tolerance : float, optional
            As in :meth:`from_frame`: 0, or the precision (1e-8) at which runs of COCO stop.
            :func:`compare_convergence` has one of its own.
        instances : {"runs", "problems"}, optional
            In a folder, whether the instances of a function are runs on one problem, which is
            usual (COCO and IOHanalyzer do), or each is a problem of its own ("ManyAffine 5D,
            instance 3"), as for MA-BBOB, where every instance is another function. Needed
            where there is more than one instance of a function in a dimension.
        missing_words, edits, decimal, thousands, separator, encoding, sheet
            As in :meth:`Experiment.read`.

        Returns
        -------
        Histories
            Values that are empty or one of ``NA N/A NaN null None ? -`` were not logged.
            Labels are taken as they stand.

        Raises
        ------
        DataError
            Names the file, row and column of a cell that cannot be read, or problem,
            algorithm and run of a history that breaks a rule of :meth:`from_frame`.
        FileNotFoundError
            If there is no such file or folder.

        Examples
        --------
        A row for each logged value, in columns that are recognised by their names:

        >>> import tempfile
        >>> from pathlib import Path
        >>> text = (
        ...     "problem,algorithm,run,evaluations,value\n"
        ...     "sphere,DE,1,10,5.0\nsphere,DE,1,30,2.0\n"
        ...     "sphere,SA,1,10,7.0\nsphere,SA,1,30,4.0\n")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "logs.csv")
        ...     characters = path.write_text(text, encoding="utf-8")
        ...     histories = Histories.read(path, direction="minimize")
        >>> histories
        <Histories: 2 algorithms on 1 problem, 1 run, 2 points to 30 evaluations, minimize>
        >>> histories.values[0, :, 0].tolist()
        [[5.0, 2.0], [7.0, 4.0]]
        """
        given = locals()
        reading = LogReading.of(given)
        if isinstance(path, str | Path) and Path(path).is_dir():
            reading.refuse_table_words()
            logs = _folders.read(Path(path), direction, instances)
            return cls._from_logs(logs, reading)
        if instances is not None:
            raise ValueError("`instances` is for a folder of logs; leave it out for a file.")
        _folders.refuse_archive(path)
        reading.check_direction()
        text = _tables.TextFormat(**{name: given[name] for name in WRITING[:4]})
        word = formats.recognised(Path(path)) if isinstance(path, str | Path) else None
        if word in _OF_LOGS:
            table = formats.imported(Path(path), word, text).table
        else:
            table = _tables.read(path, text=text, sheet=sheet)
        return cls._from_source(Source(table, reading))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        direction: str,
        problem: str | Sequence[str] | None = None,
        algorithm: str | Sequence[str] | None = None,
        run: str | Sequence[str] | None = None,
        evaluations: str | None = None,
        value: str | None = None,
        optimum: str | float | Mapping[str, float] | None = None,
        columns: str | None = None,
        where: Mapping[str, str | Sequence[str]] | None = None,
        ignore: Iterable[str] = default("ignore"),
        n_points: int | None = None,
        budget: float | Mapping[str, float] | None = None,
        values: str = default("values"),
        worse: str = default("worse"),
        early: str = default("early"),
        optimum_tolerance: float = 0.0,
        measure: str | None = None,
        missing_words: Iterable[str] = default("missing_words"),
        edits: Iterable[tuple[int, str, str]] = default("edits"),
    ) -> Self:
        """Take logs of runs from a dataframe: pandas, polars, pyarrow, or any narwhals knows.

        The rules, for logs that are uneven:

        - *Points.* If all runs on a problem were logged at the same evaluations, and these
          are as many for every problem, they are the points. Otherwise, or with
          ``n_points``, points are regular, j/n of the problem's budget, and take the value
          at the last evaluation that is not beyond them. A run that is first logged after
          the first point has its first value there (note ``late-start``). Regular points of
          raw values begin where the last run has begun.
        - *Budget.* An algorithm's budget on a problem is the longest of its runs; the
          problem's is the smallest of these (note ``budgets``), leaving aside algorithms of
          which every run ends at the optimum. Problems may differ. With ``budget``, it is
          what that says: what was logged beyond it is left out, and every run lasts to it.
          Values are compared up to the problem's budget; running times to targets count each
          run with all evaluations that it had, which are in ``events``.
        - *Runs that stop before the budget* have their last value carried forward if they
          are at the optimum (note ``reached-early``); others are an error, or carried
          forward too with ``early="carry"`` (note ``stopped-early``).
        - *Values that get worse* within a run are an error, or the best so far stands in
          their place with ``worse="keep-best"``, or they stay with ``values="raw"``.
        - *Columns*: each is used, or is proven not to matter (it is constant, a copy, the
          number of the row, or describes the problem, the algorithm or the run), or counts or
          measures something else and is left out (note ``columns``), or is an error that says
          what to type.
        - *Runs* may differ in number; a (problem, algorithm) without any is ``missing``.

        Parameters
        ----------
        frame : dataframe
            Long: a row per logged value, in any order. Wide: a row per run, and columns named
            by numbers of evaluations. Otherwise: a row per step, and columns as ``columns`` says.
        direction : {"maximize", "minimize"}
            Whether high or low values are better.
        problem, algorithm : str or list of str, optional
            Columns of labels; those of several are joined by " / ". Columns are recognised when
            they are called so (``problem``, ``function``, ``env``; ``algorithm``, ``optimizer``).
            Where no column can name problems, there is one.
        run : str or list of str, optional
            Column that tells runs apart (``run``, ``seed``, ``trial``). Without it there is one
            run per problem and algorithm in a long table; in a wide one, each row is a run of
            its own.
        evaluations, value : str, optional
            Columns of a long table: evaluations spent (``FE``, or else ``iteration``,
            ``timesteps``, ``epoch``), positive and different within a run, and the value
            (``fitness``, ``episode_reward``, ``val_loss``), or the only column of numbers that
            is left. A row without a value is left out (note ``missing-values``).
        optimum : str, float or mapping from every problem to a float, optional
            Known optima: a column, one number for all problems, or one each.
        columns : str, optional
            How the names of columns of values are made, with ``problem``, ``algorithm``,
            ``run`` or ``evaluations`` in braces: ``run{run}``, ``{algorithm}_{run}``.
        where : mapping of str to str or list of str, optional
            Labels of the only rows to read, by column: ``{"split": "test"}``.
        ignore : list of str
            Columns to leave out.
        n_points : int, optional
            How many regular points ``values`` have; 100 (or the budget, if smaller) where the
            logs share none. Running times and values at cut-points are those of the logs.
        budget : float or mapping from every problem to a float, optional
            Evaluations that each run had. Needed where only improvements were logged.
        values : {"best", "raw"}
            ``best``: values are the best so far. ``raw``: they may get worse, and stay as they
            are, as the rewards of a learner.
        worse : {"raise", "keep-best"}
            What to do with a value that is worse than one before it in its run.
        early : {"raise", "carry"}
            What to do with a run that stops before the budget, and not at the optimum.
        optimum_tolerance : float, default 0
            Distance from the optimum (in the measure's units) up to which a run that stops
            has reached it.
        measure : str, optional
            Name of what was measured; the name of the value column by default.
        missing_words : list of str, optional
            Words that stand for a value that was not logged, in any case; also numbers as text.
        edits : list of (int, str, str)
            As in :meth:`Experiment.from_frame`.

        Returns
        -------
        Histories
            Problems and algorithms in order of first appearance.

        Raises
        ------
        DataError
            If a rule is broken; it names problem, algorithm and run.

        Examples
        --------
        Two runs, logged when they improved:

        >>> import pandas as pd
        >>> logs = pd.DataFrame({
        ...     "problem": "sphere", "algorithm": ["DE"] * 3 + ["SA"] * 2,
        ...     "evaluations": [10, 30, 90, 10, 50], "value": [5.0, 2.0, 0.5, 7.0, 4.0]})
        >>> histories = Histories.from_frame(logs, direction="minimize", budget=100, n_points=4)
        >>> histories.values[0, :, 0].tolist()
        [[5.0, 2.0, 2.0, 0.5], [7.0, 4.0, 4.0, 4.0]]
        """
        reading = LogReading.of(locals()).check_direction()
        return cls._from_source(Source(_tables.from_frame(frame), reading))

    @classmethod
    def from_array(
        cls,
        values: npt.ArrayLike,
        *,
        direction: str,
        evaluations: npt.ArrayLike | None = None,
        problems: Sequence[object] | None = None,
        algorithms: Sequence[object] | None = None,
        optimum: float | Mapping[str, float] | npt.ArrayLike | None = None,
        measure: str | None = None,
        is_raw: bool = False,
        dimensions: float | Mapping[str, float] | npt.ArrayLike | None = None,
    ) -> Self:
        """Take histories from an array.

        Parameters
        ----------
        values : array_like, shape (n_problems, n_algorithms[, n_runs], n_points)
            Best values so far, or raw ones. A run is NaN at all points if there is none.
        direction : {"maximize", "minimize"}
            Whether high or low values are better.
        evaluations : array_like, shape (n_points,) or (n_problems, n_points), optional
            Evaluations spent at each point, positive and increasing; 1, 2, ... by default.
        problems, algorithms : sequence, optional
            Labels; numbers from 1, and A1, A2, ..., by default.
        optimum : float, mapping from every problem to a float, or array_like, optional
            Known optima: one for all problems, or one each.
        measure : str, optional
            Name of what was measured.
        is_raw : bool
            Whether values may get worse.
        dimensions : float, mapping from every problem to a float, or array_like, optional
            Dimensions of the problems, by which :func:`nbcompare.plots.runtime_distribution` may
            divide evaluations.

        Returns
        -------
        Histories
            The values with their labels.

        Raises
        ------
        DataError
            If a history gets worse, has gaps, is infinite, or is better than the optimum: it names
            problem, algorithm, run and evaluation. If evaluations do not increase.
        ValueError
            If the direction is unknown, or shapes or numbers of labels do not fit.

        Examples
        --------
        >>> Histories.from_array([[[3, 2, 0]]], direction="minimize", optimum=0).evaluations
        array([[1., 2., 3.]])
        """
        array = _values.check_shape(values)
        if evaluations is None:
            evaluations = np.arange(1, array.shape[3] + 1)
        names = labels_or_numbers(problems, "problems", len(array), "values")
        return cls(
            values=array,
            evaluations=np.asarray(evaluations),
            problems=names,
            algorithms=labels_or_numbers(
                algorithms, "algorithms", array.shape[1], "values", before="A"
            ),
            direction=direction,
            optimum=_values.optima_of(optimum, names),
            measure=measure,
            is_raw=is_raw,
            dimensions=dimensions,  # type: ignore[arg-type]  # checked there
        )

    @classmethod
    def record(cls, *, direction: str) -> Recorder[Self]:
        """Return a recorder that watches objectives, counts evaluations and keeps the best.

        Parameters
        ----------
        direction : {"maximize", "minimize"}
            Whether high or low values are better.

        Returns
        -------
        Recorder
            ``watch(function, problem=..., algorithm=...)`` begins a run and gives the
            objective to pass to an optimiser (of SciPy, or any other that calls it in this
            process, several points at once if it likes); ``run(problem=..., algorithm=...)``
            begins one that is logged in a loop of your own; ``histories()`` are the result.

        Examples
        --------
        >>> from scipy.optimize import differential_evolution
        >>> recorder = Histories.record(direction="minimize")
        >>> for seed in range(3):
        ...     sphere = recorder.watch(lambda x: (x**2).sum(axis=0), problem="sphere",
        ...                             algorithm="DE")
        ...     result = differential_evolution(sphere, [(-5, 5)] * 2, rng=seed, maxiter=9,
        ...                                     polish=False, vectorized=True,
        ...                                     updating="deferred")
        >>> recorder.histories(optimum=0)
        <Histories: 1 algorithm on 1 problem, 3 runs, 100 points to 300 evaluations, minimize>
        """
        return Recorder(direction=direction, make=cls._from_logs)

    @classmethod
    def _from_source(cls, source: Source) -> Self:
        return _settled(cls._attempt, source)

    @classmethod
    def _attempt(cls, source: Source) -> Self:
        reading = cast(LogReading, source.reading)
        return cls._of(arrange(understood(source.table, reading, infer), reading), reading)

    @classmethod
    def _from_logs(cls, logs: Logs, reading: LogReading) -> Self:
        return _settled(lambda tried: cls._of(logs, tried), reading)

    @classmethod
    def _of(cls, logs: Logs, reading: LogReading) -> Self:
        is_known = logs.optimum is not None and not isinstance(reading.optimum, float | Mapping)
        optima = _values.optima_of(logs.optimum if is_known else reading.optimum, logs.problems)
        events, points, notes = regular(logs, optima, reading)
        numbers = zip(LABELS, events.ends.shape, strict=True)
        sizes = {role: n for role, n in numbers if n > 1 or role != "run"}
        return cls(
            values=events.at(points),
            evaluations=points,
            logged=events,
            problems=tuple(logs.problems),
            algorithms=tuple(logs.algorithms),
            direction=logs.direction,
            optimum=optima,
            measure=logs.measure if reading.measure is None else reading.measure,
            notes=(*logs.notes, *notes),
            is_raw=reading.is_raw,
            dimensions=logs.dimensions,
            schema=None if logs.schema is None else replace(logs.schema, sizes=sizes),
        )

    # ---------------------------------------------------------------- views of the runs

    def at(self, evaluations: float, *, early: str = default("early")) -> Experiment:
        """Return the value of each run at a number of evaluations: the fixed-budget view.

        Parameters
        ----------
        evaluations : float
            How many evaluations of the objective, the same on every problem.
        early : {"raise", "carry"}
            What to do where the budget of a problem is smaller: raise an error, or let the last
            value of its runs stand.

        Returns
        -------
        Experiment
            Problems as data sets, runs as runs, in the direction of the histories. Values are those
            at the last recorded point that is not beyond ``evaluations``; a note says how far
            before it that point may be.

        Raises
        ------
        DataError
            If values end before, or if nothing was recorded by then: it names problem, algorithm
            and run.

        See Also
        --------
        Histories.targets : the fixed-target view.
        Histories.area : the mean over all evaluations.
        Histories.at_cutpoints : values at regular shares of each problem's budget, as an array.

        Examples
        --------
        >>> histories = Histories.from_array(
        ...     [[[9, 5, 1], [7, 6, 6]], [[4, 4, 2], [8, 3, 3]]], direction="minimize",
        ...     evaluations=[10, 20, 30], problems=["sphere", "Rastrigin"])
        >>> experiment = histories.at(20)
        >>> experiment.scores[:, :, 0, 0].tolist(), experiment.datasets
        ([[5.0, 6.0], [4.0, 3.0]], ('sphere', 'Rastrigin'))
        """
        return _views.at(self, evaluations, early)

    def area(self) -> Experiment:
        r"""Return the mean value of each run over the evaluations: the area under its curve.

        With values :math:`v_1, \dots, v_n` at evaluations :math:`e_1 < \dots < e_n`, the points
        that all runs on the problem have, the score is by the trapezoid rule

        .. math:: \frac{1}{e_n - e_1} \sum_{i=1}^{n-1} (e_{i+1} - e_i) \frac{v_i + v_{i+1}}{2},

        which is exact for curves that are straight between their points. It is in units of the
        measure, so that problems with other budgets have comparable scores.

        Returns
        -------
        Experiment
            Problems as data sets, runs as runs, in the direction of the histories.

        Raises
        ------
        DataError
            If there is only one point.

        See Also
        --------
        Histories.at : values at one number of evaluations.

        Examples
        --------
        A learning curve that gets worse in between: (10 · (0 + 6) / 2 + 30 · (6 + 4) / 2) / 40.

        >>> histories = Histories.from_array(
        ...     [[[0, 6, 4]]], direction="maximize", evaluations=[10, 20, 50], is_raw=True)
        >>> histories.area().scores.tolist()
        [[[[4.5]]]]
        """
        return _views.area(self)

    def targets(self, targets: Any = None, *, precisions: npt.ArrayLike | None = None) -> Runtimes:
        """Return when every run reached each of several targets: the fixed-target view.

        These are the plain records; :func:`nbcompare.fixed_targets` gives expected running times
        and rates of success.

        Parameters
        ----------
        targets : array_like, mapping from every problem to numbers, or "quantiles", optional
            Values of the objective. A run reaches one when its best value is that or better.
            ``quantiles``: ten for every problem that are chosen from these histories, the deciles
            of all values that were recorded on it, up to the best of all.
        precisions : array_like, optional
            Distances from the known optima instead. Without either, 51 of them, from 1e2 to 1e-8
            in equal steps of their logarithm, as COCO has them.

        Returns
        -------
        Runtimes
            Evaluations of each run up to and including the first that was logged with a value at
            the target, also beyond the budgets of other algorithms.

        Raises
        ------
        DataError
            If optima are needed and not known, or values are raw.
        ValueError
            If targets are not numbers that differ, or not as many for every problem.

        References
        ----------
        Hansen, N., Auger, A., Ros, R., Mersmann, O., Tušar, T. and Brockhoff, D. (2021). COCO: a
        platform for comparing continuous optimizers in a black-box setting. Optimization Methods
        and Software 36 (1), 114-144.

        Examples
        --------
        >>> histories = Histories.from_array(
        ...     [[[[9, 5, 1], [7, 6, 6]]]], direction="minimize", evaluations=[10, 20, 30])
        >>> histories.targets([5, 1]).evaluations[0, 0].tolist()
        [[20.0, 30.0], [inf, inf]]
        """
        self.check_best_so_far("targets")
        return runtimes(self, targets, precisions)

    # ------------------------------------------------------------------------- shown

    @cached_property
    def fingerprint(self) -> str:
        """Digest of labels, direction, points, values and optima, as ``sha256:...``.

        The same for the same histories, whatever the order of rows and columns and
        whatever the file format.
        """
        rows = sorted(range(self.n_problems), key=self.problems.__getitem__)
        columns = sorted(range(self.n_algorithms), key=self.algorithms.__getitem__)
        described = {
            "direction": self.direction,
            "problems": [self.problems[i] for i in rows],
            "algorithms": [self.algorithms[j] for j in columns],
            "shape": list(self.values.shape),
            "has_optimum": self.optimum is not None,
            **({"is_raw": True} if self.is_raw else {}),
        }
        arrays = [self.evaluations[rows], self.values[np.ix_(rows, columns)]]
        if self.logged is not None:
            events = self.logged.select(rows, columns)
            described["ends"] = events.ends.tolist()
            arrays += [events.evaluations, events.values]
        return digest(described, [*arrays, *([] if self.optimum is None else [self.optimum[rows]])])

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas dataframe with a row per value, which ``from_frame`` reads back.

        Returns
        -------
        pandas.DataFrame
            Columns problem, algorithm, run (from 1), evaluations, value, and optimum if it
            is known.
        """
        import pandas as pd

        events = self.events
        spent, counts = events.evaluations, events.lengths[events.lengths > 0]
        problem, algorithm, run = np.repeat(np.array(events.places).T, counts, axis=1)
        is_whole = (spent == np.floor(spent)).all() and (spent < 2**53).all()
        columns: dict[str, Any] = {
            "problem": np.array(self.problems, dtype=object)[problem],
            "algorithm": np.array(self.algorithms, dtype=object)[algorithm],
            "run": run + 1,
            "evaluations": spent.astype(np.int64 if is_whole else np.float64),
            "value": events.values,
        }
        if self.optimum is not None:
            columns["optimum"] = self.optimum[problem]
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        return f"<Histories: {_described(self)}>"

    def _parts(self) -> tuple[Part, ...]:
        table = _display_table(self)
        return (table, Notes(self.notes)) if self.notes else (table,)


_OF_LOGS = ("folder", "stable-baselines3")  # formats
_Said = TypeVar("_Said", LogReading, Source)
_Made = TypeVar("_Made")


def _settled(make: Callable[[_Said], _Made], given: _Said) -> _Made:
    """Make histories, or raise an error with words to type, each of which was tried."""

    def tried(said: _Said) -> set[str]:
        make(said)
        return set()

    try:
        return make(given)
    except Unsettled as doubt:
        raise explained(doubt, given, tried) from None


# ---------------------------------------------------------------------------------- display


def _display_table(histories: Histories) -> Table:
    """Return a table of the numbers of runs and final medians on the first problems."""
    shown = slice(MOST_ROWS)
    final = median_over(histories.values[shown, :, :, -1])
    numbers = ("evaluations", "runs", *histories.algorithms)
    cells = [
        histories.problems[shown],
        [evaluations_text(budget) for budget in histories.budgets[shown]],
        [_span(counts[counts > 0]) for counts in histories.n_runs[shown]],
        *map(format_numbers, final.T),
    ]
    return Table(
        (Column("problem"), *(Column(name, number=True) for name in numbers)),
        tuple(zip(*cells, strict=True)),
        caption=f"Median final {histories.measure or 'value'} ({BETTER[histories.direction]})",
        n_hidden=max(0, histories.n_problems - MOST_ROWS),
    )


def _described(histories: Histories) -> str:
    """Describe histories: ``5 algorithms on 38 problems, 15 runs, 50 points to ...``."""
    counts = histories.n_runs[histories.n_runs > 0]
    least, most = histories.budgets.min(), histories.budgets.max()
    span = evaluations_text(most)
    if least < most:
        span = f"{evaluations_text(least)}-{span}"
    return ", ".join(
        [
            f"{plural(histories.n_algorithms, 'algorithm')} on "
            f"{plural(histories.n_problems, 'problem')}",
            f"{_span(counts)} run{'s' if counts.max() > 1 else ''}",
            f"{plural(histories.n_points, 'point')} to {span} evaluation{'s' if most != 1 else ''}",
            *([histories.measure] if histories.measure else []),
            *(["raw values"] if histories.is_raw else []),
            histories.direction,
        ]
    )


def _span(counts: Any) -> str:
    least, most = int(counts.min()), int(counts.max())
    return f"{most:,}" if least == most else f"{least:,}-{most:,}"
