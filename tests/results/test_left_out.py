"""The rows that a display leaves out: with those shown they are the whole table."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare._render import Table, parts_of
from nbcompare.results import from_json, left_out


def scores(*shape):
    values = np.random.default_rng(4).random(shape).round(3)
    return nbc.Experiment.from_array(values, direction="minimize")


WIDE, LONG = scores(8, 25), scores(30, 4)
MADE = {
    "comparison": (lambda: nbc.compare(WIDE, adjust="holm"), ["ranks", "hypotheses"]),
    "description": (lambda: nbc.describe(LONG), ["algorithms", "datasets"]),
    "description by rank": (lambda: nbc.describe(WIDE), ["algorithms", "datasets"]),
    "conditions": (lambda: nbc.check_conditions(WIDE), None),
    "contrast": (lambda: nbc.contrast_estimation(WIDE), None),
    "signs": (lambda: nbc.multiple_sign_test(WIDE, "A1"), None),
    "rank intervals": (lambda: nbc.rank_intervals(WIDE), None),
    "bayesian": (lambda: nbc.compare_bayesian(WIDE, rope=0.1, n_samples=20), ["pairs"]),
    "aggregates": (
        lambda: nbc.aggregate_runs(scores(3, 25, 1, 3), n_resamples=20),
        ["aggregates", "improvement"],
    ),
    "folds": (lambda: nbc.compare_cv(scores(1, 9, 10), dataset="1", ratio=0.1), None),
}


@pytest.mark.parametrize("kind", MADE)
def test_shown_and_left_out_are_all(kind):
    make, sections = MADE[kind]
    result = from_json(make().to_json())
    shown = [part for part in parts_of(result) if isinstance(part, Table)]
    rests = left_out(result)
    assert [len(rest) for rest in rests] == [table.n_hidden for table in shown]
    assert any(rests)
    for table, rest, section in zip(shown, rests, sections or [], strict=False):
        (whole,) = (p for p in parts_of(result.section(section)) if isinstance(p, Table))
        assert sorted([*table.rows, *rest]) == sorted(whole.rows)


def test_what_is_whole_leaves_out_nothing():
    result = nbc.compare(nbc.datasets.load("demsar2006"))
    assert left_out(result) == ((), ())


def test_a_table_may_be_too_long_for_a_page():
    result = nbc.compare(scores(8, 70), adjust="holm")
    assert [len(rest) for rest in left_out(result)] == [50, 0], "2,415 pairs"
