"""No result contradicts itself, or the same question asked another way."""

import dataclasses

import numpy as np
import pytest
from consistency import counted

import nbcompare as nbc
from nbcompare.results import Labelled

DEMSAR = nbc.datasets.load("demsar2006")


def no_faults(seeds):
    counts, first = counted(seeds)
    assert not counts, first


def test_few_experiments():
    no_faults(range(4))


@pytest.mark.slow
@pytest.mark.parametrize("start", [100, 125, 150, 175])
def test_more_experiments(start):
    no_faults(range(start, start + 25))


@pytest.mark.weekly
@pytest.mark.parametrize("start", range(1000, 6000, 250))
def test_many_experiments(start):
    no_faults(range(start, start + 250))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rejected": np.ones(6, dtype=bool)}, "not that of the deciding p-value"),
        ({"pvalue": np.full(6, 0.9)}, "not that of its logarithm"),
        ({"lower": np.full(6, -1.0), "upper": np.full(6, 1.0)}, "disagrees with its decision"),
        ({"estimate": np.full(6, 9.0)}, "outside its interval"),
        (
            {"adjusted": Labelled({"holm": np.zeros(6)})},
            "smaller than the unadjusted one",
        ),
    ],
)
def test_contradictions_are_found(change, said):
    result = nbc.compare(DEMSAR)
    tests = {
        one.name: getattr(result.hypotheses, one.name)
        for one in dataclasses.fields(result.hypotheses)
    }
    broken = dataclasses.replace(result, hypotheses=nbc.results.Hypotheses(**tests | change))
    assert any(said in text for text in broken.check())
