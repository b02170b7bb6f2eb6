"""The findings of a comparison: whole sentences, on tables of every kind."""

import re
from pathlib import Path

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare import Experiment, compare, datasets, sensitivity
from nbcompare.results.findings import account
from nbcompare.results.sentences import CAVEATS

DEMSAR = datasets.load("demsar2006")


def findings(result, *sensitivity):
    return tuple(
        text
        for group in account(result, *(one.summary for one in sensitivity))
        for text in group
        if text
    )


def of(scores, **options):
    return compare(Experiment.from_array(scores, direction="minimize"), **options)


def noise(n, k, step=0.0, seed=0):
    return np.random.default_rng(seed).normal(size=(n, k)) + step * np.arange(k)


def test_means_that_differ_by_the_rounding_of_their_sums_share_the_first_place():
    """FURIA and 1NN have 0.8175 each, and one of the sums is larger in its last bit."""
    first, *_ = nbc.compare_stochastic(datasets.load("otero2013_auc")).findings
    assert first.startswith("1NN and FURIA share the best mean")


@pytest.mark.parametrize(
    ("options", "start"),
    [
        ({"adjust": None}, "The p-values are not adjusted for the 6 hypotheses"),
        ({"adjust": "benjamini-hochberg"}, "Benjamini–Hochberg's procedure controls the false"),
        ({"adjust": "finner", "control": "C4.5"}, "Finner's procedure controls the family-wise"),
        ({"adjust": ["holm", "finner"], "control": "C4.5"}, None),
        ({}, None),
    ],
)
def test_a_caveat_is_told_that_could_change_a_decision(options, start):
    told = findings(compare(DEMSAR, **options))
    cautions = [text for text in told if text.startswith("Read with care: ")]
    assert bool(cautions) == (start is not None)
    assert all(text.startswith(f"Read with care: {start}") for text in cautions)


def test_each_caveat_is_a_note_of_the_package():
    package = Path(nbc.__file__).parent
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in package.glob("**/*.py")
        if path.name != "sentences.py"
    )
    texts = (package / "words" / "notes.md").read_text(encoding="utf-8")
    source += "".join(f'"{code}"' for code in re.findall(r"^## ([\w-]+)", texts, re.MULTILINE))
    procedures = {code.rpartition("-true")[0] or code.removesuffix("-dependence"): code
                  for code in CAVEATS if "-true" in code or "-dependence" in code}  # fmt: skip
    assert set(procedures) <= set(nbc.words.PROCEDURES)
    for code in set(CAVEATS) - set(procedures.values()):
        assert f'"{code}"' in source


def test_sections_show_the_findings_and_a_json_copy_tells_the_same():
    result, varied = compare(DEMSAR), sensitivity(DEMSAR)
    for one, expected in (
        (result, findings(result)),
        (varied, findings(varied.primary, varied)),
        (nbc.results.from_json(varied.to_json()), findings(result, varied)),
    ):
        assert " ".join(str(one.section("findings")).split()) == " ".join(expected)


def test_the_table_of_pairs():
    lines = str(compare(DEMSAR).section("pairs")).splitlines()
    headers = "pair difference interval effect size W/T/L p adjusted p significant"
    assert " ".join(lines[1].split()) == headers
    assert " ".join(lines[4].split()) == (
        "C4.5+m+cf – C4.5 0.0200 -0.0010 to 0.0500 0.76 11/1/2 0.0125 0.0623 no"
    )
    assert [line.split()[-1] for line in lines[3:]] == ["yes"] + ["no"] * 5
    control = str(compare(DEMSAR, control="C4.5").section("pairs")).splitlines()
    # the better one first, also against a control
    assert " ".join(control[3].split()).startswith("C4.5+m – C4.5 0.0130 0.0005 to 0.0320 0.83 10/")
    assert all(" C4.5 " in f" {line} " for line in control[3:])
    many = str(of(noise(20, 8)).section("pairs"))
    assert "the first 20 of 28" in many
    assert many.count(" – A") == 20
    assert "to_frame" not in many
    # the established ones stand first even where adjusted p is not in the order of p
    lines = str(of(noise(25, 7, 0.35)).section("pairs")).splitlines()[3:]
    decisions = [line.endswith("yes") for line in lines]
    assert decisions == sorted(decisions, reverse=True)
