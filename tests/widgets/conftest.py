"""Small experiments, an event loop as a kernel has one, and the rule of what is offered."""

import asyncio
import inspect
import itertools

import numpy as np
import pytest
from traitlets import TraitError

import nbcompare as nbc


def experiment(n, k, *, missing=(), seed=3):
    rng = np.random.default_rng(seed)
    scores = np.round(rng.normal(size=(n, k)) + 0.4 * np.arange(k), 1)
    for cell in missing:
        scores[cell] = np.nan
    return nbc.Experiment.from_array(scores, direction="maximize")


@pytest.fixture(scope="session")
def make():
    return experiment


@pytest.fixture(scope="session")
def demsar():
    return nbc.datasets.load("demsar2006")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a test that is a coroutine to its end, as within a kernel."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    fixtures = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**fixtures), 600))
    return True


async def _until(met):
    while not met():
        await asyncio.sleep(0.01)


@pytest.fixture(scope="session")
def until():
    """Let the loop run on until something holds."""
    return _until


@pytest.fixture(scope="session")
def drawn():
    """Let the loop run on until nothing of a builder is to be drawn any more."""

    async def drawn(builder):
        live = builder._live
        await _until(lambda: not (live.worker.busy or live.redraw.waiting))

    return drawn


def _offers(builder, options):
    try:
        with builder.hold():
            for name, word in options.items():
                setattr(builder, name, word)
    except TraitError:
        return False
    # a word that was there before gives way silently
    return all(getattr(builder, name) == word for name, word in options.items())


def _accepts(compare, options):
    try:
        compare(**options)
    except ValueError:
        return False
    return True


@pytest.fixture(scope="session")
def offered_or_accepted():
    """Find the choices of words that only a builder offers, or only the API accepts."""

    def one_of_both(builder, compare, words):
        found = []
        for chosen in itertools.product(*words.values()):
            options = dict(zip(words, chosen, strict=True))
            offers, accepts = _offers(builder, options), _accepts(compare, options)
            if offers != accepts:
                found.append((options, "offered" if offers else "accepted"))
        return found

    return one_of_both
