"""What is done with every table that is refused: what the message offers is typed."""

from pathlib import Path

import pytest

from nbcompare import Experiment
from nbcompare._validation import DataError


@pytest.fixture
def type_all_advice():
    """Read a table that is refused with each of the offered arguments; each must be accepted."""

    def typed(source, **options):
        reading = Experiment.read if isinstance(source, Path) else Experiment.from_frame
        with pytest.raises(DataError) as caught:
            reading(source, **options)
        experiments = []
        for advice in caught.value.advice:
            try:
                experiments.append(reading(source, **options | advice))
            except (TypeError, ValueError) as error:
                pytest.fail(f"{advice} was offered by:\n{caught.value}\nand refused by:\n{error}")
        return experiments

    return typed
