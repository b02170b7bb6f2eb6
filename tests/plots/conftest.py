"""Experiments to draw."""

import numpy as np
import pytest

import nbcompare as nbc


@pytest.fixture
def simulated():
    """Give an experiment of n data sets and k algorithms, the first ones better."""

    def simulated(n, k, *, names=None, spread=0.5, seed=3):
        noise = np.random.default_rng(seed).normal(size=(n, k))
        scores = noise + np.linspace(0, spread * k / 5, k)
        return nbc.Experiment.from_array(scores, direction="minimize", algorithms=names)

    return simulated
