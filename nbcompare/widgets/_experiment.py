"""Builders over an experiment."""

from __future__ import annotations

from typing import Any, ClassVar

from nbcompare._options import BEST
from nbcompare._validation import shown
from nbcompare.analysis._rules import Rule, always
from nbcompare.experiment import Experiment
from nbcompare.widgets._builder import Builder

CONTROL = Rule(
    "control",
    lambda s, word: word is not None and word not in s.algorithms and word != BEST,
    always,
    "the algorithm is not selected",
)


class ExperimentBuilder(Builder):
    """A builder with ``experiment``, ``algorithms`` and ``datasets``."""

    _data_name: ClassVar[str] = "experiment"

    def __init__(self, experiment: Experiment, **settings: Any) -> None:
        super().__init__(experiment, **settings)

    @property
    def experiment(self) -> Experiment:
        """The scores; setting others begins anew with all of their algorithms and data sets."""
        experiment: Experiment = self.data
        return experiment

    @experiment.setter
    def experiment(self, experiment: Experiment) -> None:
        self.data = experiment

    def _checked(self, data: Any) -> Experiment:
        if not isinstance(data, Experiment):
            raise TypeError(
                f"`experiment` must be an Experiment; got {shown(data)}. "
                "Make one with Experiment.from_frame(frame, direction=...)."
            )
        return data
