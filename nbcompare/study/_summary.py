"""Counts of right and wrong conclusions, and shares with binomial intervals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare.results import Labelled, Shares
from nbcompare.results.power_study import (
    COMPLETE,
    FAMILY,
    OMNIBUS,
    OMNIBUS_OUTCOMES,
    OUTCOMES,
    POWER,
    TYPE1,
    WRONG,
)
from nbcompare.stats.binomial import clopper_pearson
from nbcompare.study._simulate import Tally


class Summary(NamedTuple):
    """What a result keeps of the outcomes; see :class:`nbcompare.PowerStudy`."""

    counts: IntArray
    omnibus: IntArray
    family: IntArray
    complete: IntArray
    shares: Labelled[Shares]
    pair_shares: Labelled[Shares]


def summary_of(tally: Tally, truth: IntArray, confidence: float) -> Summary:
    """Count the outcomes by effect, design and pair."""
    outcomes = np.moveaxis(tally.outcomes, 1, 2)  # effect, design, repetition, pair
    places = range(len(OUTCOMES))
    counts = np.stack([(outcomes == place).sum(axis=2) for place in places], axis=-1)
    tests = np.moveaxis(tally.omnibus, 1, 2)
    omnibus = np.stack(
        [(tests == place).sum(axis=2) for place in range(len(OMNIBUS_OUTCOMES))], axis=-1
    )
    # 1 where a difference was claimed in favour of the first, -1 of the second
    claims = np.select([outcomes == 0, outcomes == 1], [1, -1], 0)
    true = truth[:, np.newaxis, np.newaxis]
    right, wrong = (claims != 0) & (claims == true), (claims != 0) & (claims != true)
    family = wrong.any(axis=3).sum(axis=2)
    complete = (right | (true == 0)).all(axis=3).sum(axis=2)

    repetitions = outcomes.shape[2]
    differ = (truth != 0).sum(axis=1)[:, np.newaxis]
    equal = truth.shape[1] - differ
    is_equal = (truth == 0)[:, np.newaxis]
    of_right, of_wrong = right.sum(axis=2), wrong.sum(axis=2)

    def per_pair(successes: IntArray, n_pairs: IntArray) -> Shares:
        """Return the mean over pairs, of which there are none in some cases."""
        means = successes / np.maximum(n_pairs, 1)
        return _shares(means, repetitions * (n_pairs > 0), confidence)

    shares = {
        POWER: per_pair(of_right.sum(axis=2), differ),
        WRONG: per_pair(of_wrong.sum(axis=2), differ + equal),
        TYPE1: per_pair((of_wrong * is_equal).sum(axis=2), equal),
        FAMILY: _shares(family, repetitions, confidence),
        COMPLETE: _shares(complete * (differ > 0), repetitions * (differ > 0), confidence),
        OMNIBUS: _shares(omnibus[..., 0], omnibus.sum(axis=2), confidence),
    }
    pair_shares = {
        "right": _shares(of_right, repetitions * (truth != 0)[:, np.newaxis], confidence),
        WRONG: _shares(of_wrong, repetitions, confidence),
    }
    return Summary(counts, omnibus, family, complete, Labelled(shares), Labelled(pair_shares))


def _shares(successes: IntArray | FloatArray, trials: IntArray | int, confidence: float) -> Shares:
    good = np.asarray(successes, dtype=np.float64)
    of = np.broadcast_to(np.asarray(trials, dtype=np.float64), good.shape).copy()
    return Shares(**clopper_pearson(good, of, confidence)._asdict(), successes=good, trials=of)
