"""Paragraphs on methods: their literature exists, and what was left out is said once."""

import re

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.words import CITATIONS
from nbcompare.words._word import _texts


def test_keys_are_in_the_literature():
    for name, text in _texts("methods.md").items():
        for keys in re.findall(r"\[@([^\]]+)\]", text):
            assert set(keys.split("; @")) <= set(CITATIONS), name


@pytest.fixture(scope="module")
def gaps():
    scores = np.random.default_rng(1).random((9, 3))
    scores[2, 1] = np.nan
    return nbc.Experiment.from_array(scores, direction="maximize")


@pytest.mark.parametrize("function", [nbc.rank_intervals, nbc.contrast_estimation])
def test_a_data_set_that_was_left_out_is_said_once(gaps, function):
    told = " ".join(function(gaps, missing="drop").sentences)
    assert told.count("left out") == 1
