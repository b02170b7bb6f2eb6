"""The extensions of the documentation site."""

import importlib
import os
import sys
from pathlib import Path

import pytest

EXTENSIONS = Path(__file__).parents[2] / "docs" / "_ext"


@pytest.fixture(scope="session")
def extension():
    """Import an extension of the site by name; those that work inside Sphinx need it."""
    sys.path.insert(0, str(EXTENSIONS))

    def imported(name):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name.partition(".")[0] not in {"sphinx", "docutils"}:
                raise
            if os.environ.get("NBCOMPARE_REQUIRE_DOCS"):
                raise
            pytest.skip('no Sphinx: pip install -e ".[docs]"')

    yield imported
    sys.path.remove(str(EXTENSIONS))
