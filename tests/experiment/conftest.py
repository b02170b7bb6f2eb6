"""Tables as text, written to a file and read."""

import pytest

from nbcompare import Experiment


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a table from its text, or its lines."""

    def read(*lines, name="t.csv", **arguments):
        path = tmp_path / name
        path.write_text("\n".join(lines), encoding="utf-8")
        return Experiment.read(path, **{"direction": "maximize"} | arguments)

    return read
