"""The package as a whole: what it exports, and what importing it costs."""

import subprocess
import sys

import pytest

import nbcompare as nbc


def loaded_after(statement):
    code = f"import sys; {statement}; print(*sorted(m for m in sys.modules if '.' not in m))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_loads_none_of_the_heavy_packages():
    heavy = {"numpy", "scipy", "pandas", "matplotlib", "IPython", "nbconvert", "narwhals"}
    assert not loaded_after("import nbcompare") & heavy


def test_statistics_load_neither_pandas_nor_matplotlib():
    loaded = loaded_after("import nbcompare.stats.omnibus, nbcompare.stats.posthoc")
    assert "numpy" in loaded
    assert not loaded & {"pandas", "matplotlib", "IPython", "narwhals"}


def test_comparing_needs_no_matplotlib_and_no_notebook_machinery():
    statement = "import nbcompare as n; n.compare(n.datasets.load('demsar2006'))"
    assert not loaded_after(statement) & {"matplotlib", "nbconvert", "nbformat", "nbclient"}


@pytest.mark.parametrize("name", nbc.__all__)
def test_public_names_are_there(name):
    assert getattr(nbc, name) is not None
    assert name in dir(nbc)


def test_unknown_name():
    with pytest.raises(AttributeError, match=r"^module 'nbcompare' has no attribute 'comparee'$"):
        nbc.comparee  # noqa: B018
