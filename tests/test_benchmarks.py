"""The benchmark beside peers: its definitions, and a run with what this environment has."""

import importlib
import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ORACLE = json.loads((ROOT / "tests" / "reference" / "oracle_tables.json").read_text())
# Partitions of more algorithms take long
TABLES = [table for table in ORACLE["tables"] if table["k"] <= 6]


@pytest.fixture(scope="module")
def peer():
    """The folder of the benchmark as a package, which it is for the command."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        yield {
            name: importlib.import_module(f"peer.{name}")
            for name in ("agreement", "definitions", "explained", "page")
        }
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))


def scores_of(table):
    """Scores of a reference table as tuples, of which the higher are better."""
    sign = -1 if table["direction"] == "minimize" else 1
    width = len(table["scores"][0]) // table["k"]
    rows = [[row[i : i + width] for i in range(0, len(row), width)] for row in table["scores"]]
    return tuple(tuple(sign * int(cell) / table["divisor"] for cell in row) for row in rows)


def close(expected):
    return pytest.approx(expected, rel=1e-10, abs=1e-300)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table['n']}x{table['k']}")
def test_definitions_agree_with_another_program(peer, table):
    by = peer["definitions"]
    scores = scores_of(table)
    ranked = table["rankings"]["friedman"]
    assert [float(rank) for rank in by.average_ranks(scores)] == close(ranked["average_ranks"])
    for formulas, tied in (("printed", False), ("corrected", True)):
        statistic, p = table["omnibus"]["friedman"][formulas]
        if statistic is None:
            continue
        assert float(by.friedman_statistic(scores, tied)) == close(statistic)
        assert by.friedman(scores, tied) == close(p)
    pairs = list(itertools.combinations(range(table["k"]), 2))
    for first, second, p in table["nemenyi"]:
        found = by.nemenyi(scores, False)[pairs.index((first, second))]
        assert found == pytest.approx(p, rel=1e-9)
    family = table["family"]
    if family["ranking"] == "friedman":
        tied = family["formulas"] == "corrected"
        expected = family["all_pairs"]
        assert by.holm(scores, tied) == close(expected["holm"])
        assert by.shaffer(scores, tied) == close(expected["shaffer"])
        assert by.bergmann_hommel(scores, tied) == close(expected["monotone"])
    for test in table["pair_tests"]:
        columns = list(zip(*scores, strict=True))
        first, second = (columns[place] for place in test["pair"])
        for split, word in ((False, "wilcox"), (True, "demsar")):
            p = test[word][3]
            assert by.wilcoxon_pair(first, second, split=split) == close(1.0 if p is None else p)


def test_a_departure_explains_only_what_it_gives(peer):
    by, explain = peer["definitions"], peer["explained"].explain
    scores = peer["agreement"].AGREEMENT_TABLES["with ties"]
    untied = by.nemenyi(scores, False)
    assert untied != close(by.nemenyi(scores))
    assert explain("nemenyi", untied, scores) == "It does not correct for ties."
    shifted = [p * 1.001 for p in untied]
    assert explain("nemenyi", shifted, scores).startswith("No departure")


@pytest.mark.weekly
def test_packages_of_this_environment_side_by_side(tmp_path):
    page = tmp_path / "peers.md"
    line = [sys.executable, str(ROOT / "benchmarks" / "peers.py"), "--here", "--small"]
    packages = "SciPy by hand,statsmodels"
    done = subprocess.run(
        [*line, "--only", packages, "--output", str(page)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(page.with_suffix(".json").read_text())
    assert list(told["packages"]) == ["nbcompare", *packages.split(",")]
    ours = [row for row in told["agreement"] if row["package"] == "nbcompare"]
    assert {row["quantity"] for row in ours} >= {"ranks", "shaffer", "bergmann-hommel", "wilcoxon"}
    assert [row for row in ours if not row["same"]] == []
    others = [row for row in told["agreement"] if row["package"] != "nbcompare"]
    assert all(row["same"] for row in others if row["quantity"] in ("ranks", "friedman"))
    assert [row for row in others if row["why"].startswith("No departure")] == []
    for row in told["times"]:
        assert row["seconds"] > 0, row
        assert row["memory"] > 10
    assert [row["package"] for row in told["times"]] == list(told["packages"])
    text = page.read_text()
    assert "| nbcompare | 4 of 4 |" in text
    assert text.count("could not be installed") == 0
    assert str(ROOT) not in text
