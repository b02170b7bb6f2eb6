"""Every adjustment procedure by its name, from the data to the result."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.words import PROCEDURES

EXPERIMENT = nbc.datasets.load("otero2013_simulated")
# from the most cautious to the one that uses most of what is known
STRONGER = [
    ("bonferroni", "sidak"),
    ("bonferroni", "holm"),
    ("sidak", "holland"),
    ("holm", "holland"),
    ("holm", "hochberg"),
    ("hochberg", "hommel"),
    ("hochberg", "rom"),
    ("holm", "shaffer"),
    ("shaffer", "bergmann-hommel"),
]


@pytest.mark.parametrize("name", PROCEDURES)
def test_all_pairs(name):
    result = nbc.compare(EXPERIMENT, adjust=name)
    frame = result.to_frame()
    assert result.adjust == (name,)
    assert (frame[name] >= frame["pvalue"] * (1 - 1e-12)).all()
    assert frame[name].le(1).all()
    assert (frame["rejected"] == (frame[name] <= 0.05)).all()
    logs = np.asarray(result.hypotheses.log10_adjusted[name])
    np.testing.assert_allclose(10.0**logs, frame[name], rtol=1e-9)
    assert PROCEDURES[name].label in str(result)
    assert len(result.references) > 4


@pytest.mark.parametrize("name", [n for n in PROCEDURES if not PROCEDURES[n].all_pairs_only])
def test_with_a_control(name):
    result = nbc.compare(EXPERIMENT, adjust=name, control="A1", pairs="ranks")
    assert len(result.hypotheses) == 4
    assert (result.critical_difference is not None) == (name in {"bonferroni", "sidak"})


@pytest.mark.parametrize(("cautious", "stronger"), STRONGER)
@pytest.mark.parametrize("ranking", ["friedman", "aligned", "quade"])
def test_no_weaker_than_the_procedure_it_improves(cautious, stronger, ranking):
    frame = nbc.compare(EXPERIMENT, ranking=ranking, adjust=[cautious, stronger]).to_frame()
    # Shaffer and Bergmann–Hommel are not nested in single adjusted p-values, rejections are
    assert not ((frame[cautious] <= 0.05) & (frame[stronger] > 0.05)).any()


@pytest.mark.parametrize("pairs", ["ranks", "wilcoxon"])
def test_false_discovery_rate_is_named_wherever_it_decides(pairs):
    result = nbc.compare(EXPERIMENT, adjust=["benjamini-hochberg", "holm"], pairs=pairs)
    rows = dict(result.section("method").parts[0].rows)
    assert rows["adjustment"] == (
        "Benjamini–Hochberg (controls the false discovery rate), "
        "Holm (controls the family-wise error)"
    )
    assert any("Benjamini, Y. and Hochberg, Y. (1995)" in text for text in result.references)
    other = nbc.compare(EXPERIMENT, adjust=["holm", "benjamini-yekutieli"], pairs=pairs)
    assert "false discovery" not in " ".join(other.sentences)
    assert "false-discoveries" not in {note.code for note in other.notes}


def test_sidak_has_a_critical_difference():
    result = nbc.compare(EXPERIMENT, adjust="sidak", pairs="ranks", method="normal")
    ranks = result.average_ranks
    for row in result.to_frame().itertuples():
        apart = abs(ranks[row.first] - ranks[row.second])
        assert row.rejected == (apart >= result.critical_difference)
