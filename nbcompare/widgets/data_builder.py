"""DataBuilder: a table of scores, read with controls, and the builders that go on from there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from traitlets import Bunch

from nbcompare.experiment import Experiment, Frame
from nbcompare.histories import Histories
from nbcompare.widgets._autosave import Autosave, opened
from nbcompare.widgets._builder import Builder
from nbcompare.widgets._data_model import DataModel, Source, source_of
from nbcompare.widgets._data_screen import DataScreen
from nbcompare.widgets._data_settings import settings_of_tables


class DataBuilder(Builder):
    """Read a table of scores with controls, see what is understood, and go on to the analysis.

    The last line of a cell, or ``display(builder)``, shows it: the first rows of the table, what
    each column was taken for, what is doubtful, with a button for each way on, and tabs for the
    comparison, for repeated runs and for a report. Every control is a trait under the name that
    :meth:`nbcompare.Experiment.read` gives it. What is better is never guessed.

    Parameters
    ----------
    source : str, Path, dataframe, Experiment or Histories, optional
        A file, a dataframe, or scores or histories that were read; a log of runs is recognised.
        Without it, a file is uploaded or chosen from the working folder.
    example : str, optional
        The name of a bundled example, in the place of ``source``.
    project : str or Path, optional
        The file of a project, ``study.nbcompare``, which keeps the data and what is set on all
        pages, some moments after each change. One that is there already is gone on with,
        whatever ``source`` is; :func:`nbcompare.open_project` reads it.
    **settings
        Traits to begin with.

    Attributes
    ----------
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better.
    dataset, algorithm, fold, run, item : str or tuple of str, optional
        Columns, as in :meth:`nbcompare.Experiment.read`; labels of several are joined.
    score, lower, upper, domain, higher_is_better, cluster, measure, status, failed : str, optional
        The same.
    columns, rows, unit : str, optional
        The same.
    where : mapping of str to str or list of str, optional
        The same; also given as ``"split=test"``.
    ignore, keep, ignore_rows, keep_rows, missing_words, ok : tuple of str
        The same.
    cutoff : float, optional
        The same.
    edits : list of (int, str, str)
        The same; a cell that is edited on the screen stands here.
    transpose : bool
        Whether rows are algorithms.
    brackets, decimal, thousands, separator, encoding, sheet, format : str, optional
        The same.
    experiment, result : Experiment
        What was read, under either name; reading it raises the error of the table, if it has one.
    histories : Histories or None
        What was read of a log of runs.
    column_names : tuple of str
        The columns of the table.
    code : str
        Python that reads the same experiment.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    TypeError
        For another source, and for settings that there are not.
    ValueError
        For a value that a setting does not take; also a ``traitlets.TraitError``; and for a file
        that is no project. An error of
        the table itself is shown, and raised by ``experiment``.

    Examples
    --------
    >>> import pandas as pd
    >>> import nbcompare as nbc
    >>> frame = pd.DataFrame({
    ...     "dataset": ["iris", "wine", "iris", "wine"], "split": ["test", "test", "dev", "dev"],
    ...     "A": [0.9, 0.8, 0.7, 0.6], "B": [0.8, 0.7, 0.75, 0.65]})
    >>> builder = nbc.DataBuilder(frame, direction="maximize", where={"split": "test"})
    >>> builder.experiment
    <Experiment: 2 algorithms on 2 data sets, maximize>
    """

    locals().update(settings_of_tables())

    _model: DataModel
    _model_kind = DataModel
    _screen_kind = DataScreen

    def __init__(
        self,
        source: str | Path | Frame | Experiment | None = None,
        *,
        example: str | None = None,
        project: str | Path | None = None,
        **settings: Any,
    ) -> None:
        if source is not None and example is not None:
            raise ValueError("`source` and `example` are two ways to choose; give one of them.")
        self._autosave: Autosave | None = None
        kept = None if project is None else opened(Path(project))
        if kept is not None and kept.given:
            data, said = source_of(kept, self._order)
            super().__init__(data, **{**said, **settings})
        else:
            super().__init__(Source(source, example=example), **settings)
        if project is not None and kept is not None:
            self._autosave = Autosave(self, Path(project), kept)

    def open(self) -> None:
        """Make what it consists of, and open the pages that its project has settings of."""
        is_closed = self.root is None
        super().open()
        screen = self._live.screen if self._is_made else None
        if is_closed and self._autosave is not None and isinstance(screen, DataScreen):
            self._autosave.begin(screen.tabs)

    def close(self) -> None:
        """Take the widgets away, as every builder does; its project is written before."""
        if self._is_made and self._autosave is not None:
            self._autosave.end()
        super().close()

    def _changed(self, change: Bunch | None) -> None:
        super()._changed(change)
        if self._ready and self._autosave is not None:
            self._autosave.ask()

    @property
    def source(self) -> Any:
        """The file, dataframe or experiment; setting another one begins anew."""
        return self.data.given

    @source.setter
    def source(self, source: str | Path | Frame | Experiment | None) -> None:
        self.data = Source(source)

    experiment = Builder.result  # as it is read with the settings as they are

    @property
    def histories(self) -> Histories | None:
        """The histories of a log of runs; None for scores."""
        return self._model.histories()

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns of the table; none while it cannot be read."""
        return self._model.columns()

    def __repr__(self) -> str:
        name = self.data.name or "nothing chosen"
        preview = self._model.preview
        return f"<DataBuilder: {name}, {'not read' if preview.experiment is None else 'read'}>"
