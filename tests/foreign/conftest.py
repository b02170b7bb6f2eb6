"""What is done with every table that is refused: what the message offers is typed."""

from pathlib import Path

import pytest

from nbcompare import Experiment
from nbcompare._validation import DataError
from nbcompare.experiment import ReadingError, _pipeline


@pytest.fixture
def type_all_advice():
    """Read a table that is refused with each of the offered arguments; each must be accepted.

    With ``may_read``, the table may be read at once.
    """

    def typed(source, may_read=False, **options):
        reading = Experiment.read if isinstance(source, Path) else Experiment.from_frame
        try:
            read = reading(source, **options)
        except DataError as error:
            refused = error
        else:
            assert may_read, f"read at once: {read!r}"
            return [read]
        experiments = []
        for advice in getattr(refused, "advice", ()):
            try:
                experiments.append(reading(source, **options | advice))
            except (TypeError, ValueError) as error:
                pytest.fail(f"{advice} was offered by:\n{refused}\nand refused by:\n{error}")
        return experiments

    return typed


@pytest.fixture
def read_text(tmp_path):
    """Return a function that reads a text as a table of which high scores are better."""

    def read(text, name="t.csv", **options):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return Experiment.read(tmp_path / name, **{"direction": "maximize"} | options)

    return read


@pytest.fixture(autouse=True)
def every_advice_is_typed(monkeypatch):
    """Let every refusal in these tests, by whatever door, prove what it offers."""
    cells_of = _pipeline.cells_of

    def typed(source):
        try:
            return cells_of(source)
        except ReadingError as error:
            for way in error.advice:
                cells_of(source.with_advice(way))
            raise

    monkeypatch.setattr(_pipeline, "cells_of", typed)
