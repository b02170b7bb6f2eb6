"""Builders over an experiment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from nbcompare._options import BEST
from nbcompare._validation import shown
from nbcompare.experiment import Experiment
from nbcompare.widgets._builder import Builder
from nbcompare.widgets._rules import State


def foreign_control(state: State, word: Any) -> bool:
    """Whether a control is an algorithm that is not selected."""
    return word is not None and word not in state.algorithms and word != BEST


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

    def _facts(self) -> Mapping[str, Any]:
        return {"k": len(self.selected("algorithms")), "n": len(self.selected("datasets"))}
