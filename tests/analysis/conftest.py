import json
from pathlib import Path

import numpy as np
import pytest

from nbcompare import Experiment

REFERENCE = Path(__file__).parents[1] / "reference"


@pytest.fixture(scope="session")
def reference():
    """Numbers of the folder ``reference`` by the name of their file."""
    return lambda name: json.loads((REFERENCE / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def experiment():
    """An experiment from an array of scores; smaller is better unless told."""

    def make(scores, direction="minimize", **labels):
        return Experiment.from_array(np.asarray(scores), direction=direction, **labels)

    return make
