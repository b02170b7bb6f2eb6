import copy
import pickle
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from nbcompare import Experiment, compare, compare_ranks, datasets

COLUMNS = ["first", "second", "statistic", "pvalue", "log10_pvalue"]
EFFECTS = ["effect_size", "wins", "ties", "losses", "mean_difference", "estimate"]


@pytest.fixture(scope="module")
def result():
    return compare(datasets.load("otero2013_simulated"), adjust=["nemenyi", "holm"])


@pytest.fixture(scope="module")
def of_ranks():
    return compare_ranks({"A": 1.2, "B": 2.3, "C": 2.5}, 10)


def arrays(result):
    tests = result.hypotheses
    for field in fields(tests):
        value = getattr(tests, field.name)
        if isinstance(value, np.ndarray):
            yield field.name, value
    for name in ("adjusted", "log10_adjusted"):
        yield from getattr(tests, name).items()


def revived(result):
    return pickle.loads(pickle.dumps(result))


@pytest.mark.parametrize("again", [lambda r: r, revived, copy.copy, copy.deepcopy])
def test_nothing_can_be_changed(result, again):
    kept = again(result)
    for name in ("alpha", "hypotheses", "groups"):
        with pytest.raises(FrozenInstanceError):
            setattr(kept, name, None)
    with pytest.raises(FrozenInstanceError):
        kept.hypotheses.pvalue = None
    with pytest.raises(FrozenInstanceError):
        kept.design.version = None
    with pytest.raises(FrozenInstanceError):
        kept.omnibus["friedman"].pvalue = 0.0
    assert len(list(arrays(kept))) == 14
    for _, array in arrays(kept):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    for mapping in (
        kept.average_ranks,
        kept.omnibus,
        kept.hypotheses.adjusted,
        kept.design.options,
    ):
        with pytest.raises(TypeError, match="does not support item assignment"):
            mapping["A1"] = 0


def test_average_ranks_as_an_array(result):
    averages = np.asarray(result.average_ranks)
    assert averages.tolist() == list(result.average_ranks.values())
    assert list(result.average_ranks) == ["A1", "A2", "A3", "A4", "A5"]
    assert np.argsort(result.average_ranks).tolist() == [0, 1, 2, 3, 4]


def test_columns_of_the_frame(result, of_ranks):
    assert result.to_frame().columns.tolist() == [*COLUMNS, *EFFECTS, "nemenyi", "holm", "rejected"]
    assert of_ranks.to_frame().columns.tolist() == [*COLUMNS, "bergmann-hommel", "rejected"]
    raw = compare_ranks({"A": 1.2, "B": 2.3, "C": 2.5}, 10, adjust=None)
    assert raw.to_frame().columns.tolist() == [*COLUMNS, "rejected"]
    frame = result.to_frame()
    assert frame.index.tolist() == list(range(10))
    assert frame["first"].tolist() == list(result.hypotheses.first)
    kinds = frame.dtypes[["statistic", "wins", "rejected"]].astype(str).tolist()
    assert kinds == ["float64", "int64", "bool"]


def test_the_frame_is_a_copy_and_complete():
    many = compare(
        Experiment.from_array(np.random.default_rng(0).random((5, 12)), direction="minimize")
    )
    frame = many.to_frame()
    assert len(frame) == 66
    frame.loc[0, "pvalue"] = 0.5
    frame.loc[0, "rejected"] = True
    assert many.to_frame().loc[0, "pvalue"] != 0.5
    assert "... and 46 more rows; to_frame() returns all rows" in str(many)
    assert "more rows" not in str(many.section("hypotheses"))
    assert many.to_latex().count(r" \\") > 66


def test_rows_are_sorted_by_p_then_by_the_order_of_the_algorithms():
    # one and the same difference of rank sums, thrice
    scores = np.tile([1, 2, 3, 4], (7, 1))
    data = Experiment.from_array(scores, direction="minimize")
    tests = compare(data, pairs="ranks").hypotheses
    assert list(zip(tests.first, tests.second, strict=True)) == [
        ("A1", "A4"), ("A1", "A3"), ("A2", "A4"), ("A1", "A2"), ("A2", "A3"), ("A3", "A4"),
    ]  # fmt: skip
    assert len(set(tests.pvalue.tolist())) == 3


def test_one_line_each(result, of_ranks):
    assert repr(result) == f"<Comparison: {result.findings[0].removesuffix('.')}>"
    assert repr(result.hypotheses) == "<Hypotheses: 10, 4 rejected>"
    assert repr(of_ranks.section("ranks")) == "<View: ranks>"


def test_critical_difference_only_of_single_step_procedures(result, of_ranks):
    assert result.critical_difference == pytest.approx(2.7278 * result.standard_error, rel=1e-4)
    assert of_ranks.critical_difference is None
    assert "critical difference" in str(result.section("method"))
    assert "critical difference" not in str(of_ranks.section("method"))


def test_order_of_algorithms_with_tied_ranks():
    one = compare(Experiment.from_array([[4, 2, 2, 1], [4, 2, 2, 3]], direction="minimize"))
    assert dict(one.average_ranks) == {"A1": 4, "A2": 2, "A3": 2, "A4": 2}
    assert one.ordered == ("A2", "A3", "A4", "A1")
