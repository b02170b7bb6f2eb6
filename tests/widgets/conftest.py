"""Small experiments, and an event loop as a kernel has one."""

import asyncio

import numpy as np
import pytest

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


@pytest.fixture
def in_loop():
    """Run a coroutine function to its end, as within a kernel."""

    def run(coroutine):
        async def limited():
            return await asyncio.wait_for(coroutine(), 30)

        return asyncio.run(limited())

    return run
