"""WithinBuilder: algorithms on the folds or runs of one data set, or on items, with controls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from nbcompare import plots
from nbcompare._validation import DataError
from nbcompare.analysis.rules import FOLD_RULES
from nbcompare.analysis.units import is_within
from nbcompare.experiment import Experiment
from nbcompare.widgets._builder import ExperimentBuilder
from nbcompare.widgets._model import CONTROL, AnalysisModel, FigureKind


class WithinModel(AnalysisModel):
    """A comparison within one data set, or on items."""

    function = "compare"
    rules = (CONTROL, *FOLD_RULES)
    figure_kinds: ClassVar[Mapping[str, FigureKind]] = {
        "intervals": FigureKind("intervals of the differences", plots.interval_forest),
    }

    @classmethod
    def options(cls) -> Mapping[str, str]:
        """Return the options that such a comparison has."""
        return {name: name for name in ("control", "adjust", "alpha", "missing")}

    def checked(self, data: Any) -> Experiment:
        """Return the experiment, if ``compare`` compares it within a data set."""
        experiment: Experiment = super().checked(data)
        if not is_within(experiment):
            raise DataError(
                "`experiment` must hold folds or runs of one data set, or items; got scores on "
                f"{experiment.n_datasets} data sets. CDDiagramBuilder compares these."
            )
        return experiment

    def has_control(self, name: str) -> bool:
        """Return whether there is something to choose."""
        if name == "missing":
            return bool(self.data.losses.any)
        return name != "datasets" or self.data.n_datasets > 1

    def facts(self) -> Mapping[str, Any]:
        """Return the number of algorithms."""
        return {"k": self.selection.n_algorithms}


class WithinBuilder(ExperimentBuilder):
    """Compare algorithms on folds or runs of one data set, or on items, with controls and code.

    As :class:`CDDiagramBuilder`, for data that :func:`nbcompare.compare` compares by
    :func:`nbcompare.compare_cv`, :func:`nbcompare.compare_runs` or
    :func:`nbcompare.compare_items`.

    Parameters
    ----------
    experiment : Experiment or dataframe
        The scores, whose ``unit`` is folds, runs or items.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only; a message says how it was
        read.
    **settings
        Traits to begin with.

    Attributes
    ----------
    control, adjust, alpha, missing : object
        As in :func:`nbcompare.compare`; ``missing`` for folds and items only.
    algorithms, datasets : tuple of str
        What is selected, in the order of the experiment; None stands for all.
    pair : tuple of str, optional
        Two algorithms whose hypothesis is reported in full; by default the one with the
        smallest p.
    result : WithinComparison
        What ``compare`` gives with these settings.
    figure : Plot
        The intervals of the differences.
    code : str
        Python that gives both again.

    Raises
    ------
    DataError
        If the scores are those of data sets.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> answers = np.random.default_rng(1).integers(0, 2, size=(60, 3))
    >>> data = nbc.Experiment.from_array(answers, direction="maximize", unit="items")
    >>> builder = nbc.WithinBuilder(data)
    >>> builder.control = "A1"
    >>> builder.result
    <ItemComparison: 3 algorithms, 60 items, control 'A1', Holm, 0 of 2 hypotheses rejected>
    """

    _model_kind = WithinModel
