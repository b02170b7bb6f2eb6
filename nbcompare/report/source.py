"""Where the data of a report come from, and the Python that loads them again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from nbcompare.datasets import load_experiment, load_histories, names
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories


class Section(NamedTuple):
    """A heading, text that explains, a cell that computes."""

    identity: str
    heading: str
    text: str
    code: str


@dataclass(frozen=True, slots=True)
class Source:
    """Scores, and how the notebook loads them."""

    experiment: Experiment
    code: str
    name: str

    @classmethod
    def file(cls, path: Path, shown: str, options: Mapping[str, Any]) -> Source:
        """A file of scores; ``shown`` is its path as seen from the notebook."""
        arguments = ", ".join([repr(shown), *keywords(options)])
        experiment = Experiment.read(path, **options)
        return cls(experiment, f"nbc.Experiment.read({arguments})", path.stem)

    @classmethod
    def example(cls, name: str) -> Source:
        """A bundled experiment."""
        return cls(load_experiment(name), f"nbc.datasets.load({name!r})", name)


@dataclass(frozen=True, slots=True)
class HistorySource:
    """Histories, and how the notebook loads them."""

    histories: Histories
    code: str
    name: str

    @classmethod
    def file(cls, path: Path, shown: str, options: Mapping[str, Any]) -> HistorySource:
        """A file or folder of logs; ``shown`` is its path as seen from the notebook."""
        arguments = ", ".join([repr(shown), *keywords(options)])
        return cls(Histories.read(path, **options), f"nbc.Histories.read({arguments})", path.stem)

    @classmethod
    def example(cls, name: str) -> HistorySource:
        """Bundled histories."""
        return cls(load_histories(name), f"nbc.datasets.load({name!r})", name)


def holds_histories(example: str) -> bool:
    """Whether a bundled example is about optimisers' runs rather than scores."""
    return example in names("histories")


def keywords(options: Mapping[str, Any]) -> list[str]:
    """``name=value`` as in a call."""
    return [f"{name}={value!r}" for name, value in options.items()]
