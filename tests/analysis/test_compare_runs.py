"""Comparison by independent runs on one data set."""

from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nbcompare as nbc
from nbcompare.cli import main


def read(runs, **options):
    return nbc.Experiment.from_array(np.asarray(runs), unit="runs", **options)


NOISE = np.random.default_rng(1).normal([0.4, 0.5, 0.42], 0.04, (10, 3)).round(2)
DATA = read(NOISE, direction="minimize", algorithms=["A", "B", "C"])
FEW = read(NOISE[:6], direction="minimize", algorithms=["A", "B", "C"])


@pytest.fixture(scope="module")
def result():
    """The exact laws of ten runs each, which take half a second."""
    return nbc.compare_runs(DATA)


def pair_of(result, first, second):
    frame = result.to_frame().set_index(["first", "second"])
    return frame.loc[(first, second)]


def test_p_is_that_of_all_ways_to_choose_runs():
    runs = np.array([[3, 1], [3, 2], [4, 2], [5, 3]])
    found = nbc.compare_runs(read(runs, direction="maximize"), adjust=None).to_frame()
    pooled = stats.rankdata(runs.ravel(order="F"))
    sums = [sum(pooled[i] for i in chosen) for chosen in combinations(range(8), 4)]
    observed = pooled[:4].sum()
    tail = np.mean([total >= observed for total in sums])
    assert found["pvalue"].item() == pytest.approx(min(1, 2 * tail), rel=1e-12)
    assert found["first"].item() == "A1"


def test_estimates_by_their_definitions(result):
    for first, second in (("A", "B"), ("C", "B"), ("A", "C")):
        row = pair_of(result, first, second)
        one, other = (NOISE[:, DATA.algorithms.index(name)] for name in (first, second))
        gains = np.subtract.outer(other, one)  # lower is better
        assert row["shift"] == pytest.approx(np.median(gains), abs=1e-12)
        chance = np.mean(gains > 1e-12) + np.mean(np.abs(gains) <= 1e-12) / 2
        assert row["superiority"] == pytest.approx(chance, abs=1e-12)
        assert row["lower"] <= row["shift"] <= row["upper"]
        assert row["superiority_lower"] <= chance <= row["superiority_upper"]
    assert dict(result.mean_scores) == pytest.approx(
        dict(zip("ABC", NOISE.mean(axis=0), strict=True))
    )
    assert dict(result.n_runs) == {"A": 10, "B": 10, "C": 10}


def test_runs_are_not_paired_and_may_differ_in_number(result):
    plain = result.to_frame()
    mixed = np.random.default_rng(0).permuted(NOISE, axis=0)
    again = nbc.compare_runs(read(mixed, direction="minimize", algorithms=["A", "B", "C"]))
    assert again.to_frame().equals(plain)
    fewer = NOISE.copy()
    fewer[7:, 1] = np.nan
    result = nbc.compare_runs(read(fewer, direction="minimize", algorithms=["A", "B", "C"]))
    assert dict(result.n_runs) == {"A": 10, "B": 7, "C": 10}
    assert result.extent == "7 to 10 runs each"
    expected = stats.mannwhitneyu(NOISE[:7, 1], NOISE[:, 0], method="asymptotic").statistic
    row = pair_of(result, "A", "B")
    assert row["superiority"] == pytest.approx(expected / 70)


def test_direction_flipped_with_negated_scores_changes_nothing():
    turned = read(-NOISE[:6], direction="maximize", algorithms=["A", "B", "C"])
    one, other = (nbc.compare_runs(it).to_frame() for it in (FEW, turned))
    assert one.drop(columns="lower").round(12).equals(other.drop(columns="lower").round(12))


@settings(max_examples=10, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=3, max_size=7),
    st.permutations(["A", "B", "C"]),
)
def test_relabelling_and_monotone_transforms(rows, order):
    scores = np.array(rows, dtype=float)
    names = ["A", "B", "C"]
    plain = nbc.compare_runs(read(scores, direction="maximize", algorithms=names))
    columns = [names.index(name) for name in order]
    other = nbc.compare_runs(read(scores[:, columns], direction="maximize", algorithms=order))
    curved = nbc.compare_runs(read(np.exp(scores), direction="maximize", algorithms=names))
    for one, two in permutations(names, 2):
        found = [
            {
                row.pvalue
                for row in it.to_frame().itertuples()
                if {row.first, row.second} == {one, two}
            }
            for it in (plain, other, curved)
        ]
        assert found[0] == found[1] == found[2]
    frame = plain.to_frame()
    assert (frame["shaffer"] >= frame["pvalue"]).all()
    assert ((frame["lower"] > 0) | (frame["upper"] < 0) <= frame["rejected"]).all()


def test_all_scores_tied():
    result = nbc.compare_runs(read(np.ones((5, 3)), direction="maximize"))
    assert (result.hypotheses.pvalue == 1).all()
    assert (result.superiority == 0.5).all()
    assert [note.code for note in result.notes] == ["all-tied"]


def test_compare_takes_it_for_runs_of_one_data_set():
    assert nbc.compare(FEW).to_json() == nbc.compare_runs(FEW).to_json()
    controlled = nbc.compare(FEW, control="A", adjust="holm", alpha=0.01)
    assert (
        controlled.to_json()
        == nbc.compare_runs(FEW, control="A", adjust="holm", alpha=0.01).to_json()
    )
    with pytest.raises(ValueError, match="`missing` must be left out with runs"):
        nbc.compare(FEW, missing="drop")


def test_kruskal_and_wallis_stands_beside_several(result):
    expected = stats.kruskal(*NOISE.T)
    assert result.omnibus.statistic == pytest.approx(expected.statistic)
    assert "Any difference" in str(result.section("methods"))
    assert nbc.compare_runs(DATA.select(algorithms=["A", "B"])).omnibus is None


def test_the_best_mean_is_told_with_digits_of_its_own():
    draws = 10.0 ** np.random.default_rng(0).normal([-9.0, -2.0, 2.5], 0.3, (20, 3))
    found = nbc.compare_runs(read(draws, direction="minimize", algorithms=["A", "B", "C"]))
    told = float(found.findings[0].partition("runs each (")[2].partition(";")[0])
    assert told == pytest.approx(draws[:, 0].mean(), rel=5e-3)


def test_rows_of_a_dataframe_are_runs(tmp_path, capsys):
    scores = np.random.default_rng(2).normal(size=(12, 3))
    frame = pd.DataFrame(scores, columns=list("ABC"))
    data = nbc.Experiment.from_frame(frame, direction="minimize", unit="runs")
    expected = nbc.compare_runs(data).hypotheses.pvalue.tolist()
    assert nbc.compare_runs(frame, direction="minimize").hypotheses.pvalue.tolist() == expected
    frame.to_csv(tmp_path / "runs.csv", index=False)
    assert main(["compare-runs", str(tmp_path / "runs.csv"), "--direction", "minimize"]) == 0
    assert "12 runs" in capsys.readouterr().out
