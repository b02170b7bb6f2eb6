"""Tables as people bring them to a Bayesian comparison: of MOABB, in percent, ten times tenfold."""

import re
from pathlib import Path

import pytest

import nbcompare as nbc
from nbcompare import Experiment
from nbcompare.cli import main

HERE = Path(__file__).parent / "bayesian"


def line(name, *more):
    return ["compare-bayesian", str(HERE / name), "--direction", "maximize", *more]


def said(capsys):
    out, err = capsys.readouterr()
    return " ".join(f"{out} {err}".split())


def test_a_table_of_moabb_whose_subjects_are_folds(capsys):
    asked = line("moabb.csv", "--algorithm", "pipeline")
    assert main(asked) == 1
    message = said(capsys)
    assert "column 'subject' must be settled" in message
    assert "--fold subject" in message
    assert main([*asked, "--fold", "subject"]) == 1
    advice = re.search(r"hundredth: (--rope [\d.]+);", said(capsys))[1].split()
    assert main([*asked, "--fold", "subject", *advice]) == 0
    told = said(capsys)
    assert "(Bayesian signed-rank test, 3 data sets)" in told
    assert "3 data sets can make probabilities extreme by chance" in told
    data = Experiment.read(
        HERE / "moabb.csv", direction="maximize", algorithm="pipeline", fold="subject"
    )
    assert nbc.compare_bayesian(data, rope=0.01).sentences[0] in told
    one = nbc.compare_bayesian(data, rope=0.01, dataset="Weibo2014")
    assert (one.test, one.n_differences) == ("correlated-t", 6)
    assert main([*asked, "--fold", "subject", *advice, "--datasets", "Weibo2014"]) == 0
    assert one.sentences[0] in said(capsys)


def test_accuracies_in_percent_need_a_region_in_percent(capsys):
    asked = line("percent.csv", "--decimal", ",")
    data = Experiment.read(HERE / "percent.csv", direction="maximize", decimal=",")
    result = nbc.compare_bayesian(data, rope=1)
    row, _ = result.pair("Random Forest", "XGBoost")
    assert result.equivalent[row] > 0.5
    assert main([*asked, "--rope", "1"]) == 0
    assert result.sentences[0] in said(capsys)
    # no difference is larger than ten percentage points
    assert main([*asked, "--rope", "10"]) == 0
    assert "holds every difference, of which the largest is 3.8" in said(capsys)
    assert "rope-too-wide" not in {note.code for note in result.notes}


def test_ten_times_tenfold_needs_its_ratio(capsys):
    asked = line("ten_by_ten.csv", "--rope", "0.01")
    assert main(asked) == 1
    message = said(capsys)
    assert "--ratio, the size of a test set over that of a training set, must be given" in message
    advice = re.search(r"(--ratio 1/9) for tenfold", message)[1].split()
    assert main([*asked, *advice]) == 0
    data = Experiment.read(HERE / "ten_by_ten.csv", direction="maximize")
    result = nbc.compare_bayesian(data, rope=0.01, ratio=1 / 9)
    assert result.sentences[0] in said(capsys)
    baycomp = pytest.importorskip("baycomp")
    scores = dict(zip(data.algorithms, data.scores[0].reshape(2, -1), strict=True))
    theirs = baycomp.CorrelatedTTest.probs(scores["j48"], scores["nbc"], 0.01, runs=10)
    row, turned = result.pair("nbc", "j48")
    found = [part[row] for part in (result.first_better, result.equivalent, result.second_better)]
    assert (found[::-1] if turned else found) == pytest.approx(list(theirs)[::-1], abs=1e-10)


@pytest.mark.parametrize("typed", ["1%", "0,01", ""])
def test_what_is_no_number(capsys, typed):
    with pytest.raises(SystemExit):
        main(line("percent.csv", f"--rope={typed}"))
    assert f"--rope must be a number; got '{typed}'." in capsys.readouterr().err
