"""WithinBuilder: algorithms on the folds or runs of one data set, or on items, with controls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from nbcompare import plots
from nbcompare._render import format_p, stated_p
from nbcompare._validation import DataError
from nbcompare.analysis.rules import FOLD_RULES
from nbcompare.analysis.units import is_within
from nbcompare.experiment import Experiment
from nbcompare.results import WithinComparison
from nbcompare.results.within import better_first, difference, interval_text
from nbcompare.widgets._builder import CONTROL, ExperimentBuilder, ExperimentModel
from nbcompare.widgets._model import Details, FigureKind, nearest_pair
from nbcompare.widgets._settings import SelectedPair, Subset, setting_of


class WithinModel(ExperimentModel):
    """A comparison within one data set, or on items."""

    function = "compare"
    rules = (CONTROL, *FOLD_RULES)
    detailed = ("pair",)
    figure_kinds: ClassVar[Mapping[str, FigureKind]] = {
        "intervals": FigureKind("intervals of the differences", plots.interval_forest),
    }

    def checked(self, data: Any) -> Experiment:
        """Return the experiment, if ``compare`` compares it within a data set."""
        experiment = super().checked(data)
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

    def design(self) -> str:
        """Return the test, the hypotheses and the adjustment."""
        result: WithinComparison = self.result
        against = "all pairs" if result.control is None else f"control {result.control}"
        return ", ".join((result.test_label, against, result.procedure))

    def details(self) -> Details:
        """Return the hypotheses, and the selected one in a sentence."""
        result: WithinComparison = self.result
        tests = result.hypotheses
        pairs = [better_first(result, row) for row in range(len(tests))]
        texts = [stated_p(tests.decisive(row)) for row in range(len(pairs))]
        entries = [
            (pair, f"{p}: {pair[0]} – {pair[1]}") for pair, p in zip(pairs, texts, strict=True)
        ]
        row = nearest_pair(self.choices.value("pair"), pairs)
        first, second = pairs[row]
        size = result.size(difference(result, row))
        raw = stated_p(format_p(float(tests.pvalue[row]), float(tests.log10_pvalue[row])))
        text = (
            f"{first} – {second}: {result.difference_name} {size} {interval_text(result, row)}, "
            f"{raw}{f', adjusted {texts[row]}' if result.adjust else ''}; "
            f"{'significant' if tests.rejected[row] else 'not significant'} "
            f"at α = {result.alpha:g}."
        )
        return Details("pair", entries, pairs[row], [text])


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

    control, adjust, alpha, missing = map(setting_of, ("control", "adjust", "alpha", "missing"))
    algorithms = Subset("Algorithms", "k")
    datasets = Subset("Data sets", "n", least=1)
    pair = SelectedPair(label="Hypothesis", help="the pair of algorithms that is reported in full")

    _model_kind = WithinModel
