"""The extensions of the documentation site, and the site if it was built."""

import importlib
import os
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def _missing(reason):
    if os.environ.get("NBCOMPARE_REQUIRE_DOCS"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def extension():
    """Import an extension of the site by name; those that work inside Sphinx need it."""
    sys.path.insert(0, str(DOCS / "_ext"))

    def imported(name):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name not in {"sphinx", "docutils"}:
                raise
            _missing('no Sphinx: pip install -e ".[docs]"')

    yield imported
    sys.path.remove(str(DOCS / "_ext"))


@pytest.fixture(scope="session")
def site():
    """The folder of the built site."""
    named = os.environ.get("NBCOMPARE_DOCS")
    if not named or not (Path(named) / "index.html").exists():
        _missing("no built site: `sphinx-build docs SITE`, and name SITE in NBCOMPARE_DOCS")
    return Path(named)
