"""Tab in the lines of magics, as the completer of the shell gives it."""

import pandas as pd
import pyarrow as pa
import pytest
from IPython.core.completer import provisionalcompleter

import nbcompare as nbc
from nbcompare.words import PROCEDURES

TABLE = "\ndataset,DE,it's\nx,1,2\ny,3,4"


@pytest.fixture
def tab(shell, experiment, here):
    """What may stand at the |, each with the text that it replaces."""
    shell.user_ns["frame"] = pd.DataFrame({"set": ["x", "y"], "C4.5": [1, 2], "CN2": [2.0, 3]})
    shell.user_ns["arrow"] = pa.table({"set": ["x", "y"], "CN2": [1.0, 2.0]})
    shell.user_ns["path"] = here / "scores of 2006.csv"
    shell.user_ns["told"] = nbc.compare(experiment)
    (here / "scores of 2006.csv").write_text("dataset,C4.5,CN2\nx,1,2\ny,2,1\n")

    def complete(text):
        at = text.index("|")
        text = text.replace("|", "")
        with provisionalcompleter():
            found = list(shell.Completer.completions(text, at))
        return [(text[one.start : one.end], one.text) for one in found]

    return complete


def texts(found):
    return [text for _, text in found]


_HO = [word for word in PROCEDURES if word.startswith("ho")]


@pytest.mark.parametrize(
    ("text", "replaced", "expected"),
    [
        ("%compare exp --adj|", "--adj", ["--adjust"]),
        ("x = %compare exp --ran|", "--ran", ["--ranking"]),
        ("a = 1\n%compare exp --ranking |", "", ["auto", "friedman", "aligned", "quade"]),
        ("%compare exp --ranking=q|", "q", ["quade"]),
        ("%compare exp --adjust ho|", "ho", _HO),
        ("%compare exp --adjust finner,ho|", "ho", _HO),
        ("%compare exp --adjust holm,hol|", "hol", ["holland"]),
        ("%compare e|", "e", ["exp"]),
        ("%compare |", "", ["exp", "frame", "arrow", "path", "'scores of 2006.csv'"]),
        ("%compare 'sc|'", "'sc", ["'scores of 2006.csv"]),
        ("%cd_diagram |", "", ["exp", "frame", "arrow", "path", "told", "'scores of 2006.csv'"]),
        ("%compare exp --control |", "", ["good", "'so so'", "bad", "best"]),
        ("%compare exp --control s|", "s", ["'so so'"]),
        ("%compare exp --control 's|", "'s", ["'so so'"]),
        ('%compare exp --control "s|', '"s', ['"so so"']),
        ("%compare exp --control 's|'", "'s", ["'so so"]),
        ("%compare exp --control=b|", "b", ["bad", "best"]),
        ("%compare exp --algorithms s|", "s", ["'so so'"]),
        ("%compare exp --algorithms bad,|", "", ["good", "'so so'"]),
        ("%compare exp --algorithms bad,s|", "s", ["'so so'"]),
        ("%compare exp --datasets=2,|", "", ["1", "3", "4"]),
        ("%compare exp --datasets |", "", ["1", "2", "3", "4"]),
        ("%compare exp --mar|", "--mar", ["--margin"]),
        ("%compare_cv exp g|", "g", ["good"]),
        ("%plan |", "", ["exp", "frame", "arrow", "path", "'scores of 2006.csv'"]),
        ("%plan exp --plan|", "--plan", ["--plan-for"]),
        ("%plan exp --plan-for |", "", ["auto", "datasets", "folds", "runs", "items"]),
        ("%plan exp --control s|", "s", ["'so so'"]),
        ("%plan exp --missing |", "", ["raise", "drop"]),
        ("%compare_cv exp --test c|", "c", ["corrected-t", "classical"]),
        ("%compare_pair exp |", "", ["good", "'so so'", "bad"]),
        ("%compare_pair exp good s|", "s", ["'so so'"]),
        ("%fuzzy_pvalue exp 'so so' g|", "g", ["good"]),
        ("%multiple_sign_test exp b|", "b", ["bad", "best"]),
        ("%compare frame --dataset set --control c|", "c", ["C4.5", "CN2"]),
        ("%compare arrow --failed p|", "p", ["par2", "par10"]),
        ("%compare arrow --format we|", "we", ["weka"]),
        ("%compare path --control c|", "c", ["C4.5", "CN2"]),
        ("%compare 'scores of 2006.csv' --control c|", "c", ["C4.5", "CN2"]),
        (f"%%compare --control |{TABLE}", "", ["DE", '"it\'s"', "best"]),
        (f"%%compare_pair DE |{TABLE}", "", ['"it\'s"']),
        ("%nbreport |", "", ["told"]),
        ("%nbreport --builder |", "", ["exp"]),
        ("%nbreport r.html --ti|", "--ti", ["--title"]),
    ],
)
def test_what_may_stand_there(tab, text, replaced, expected):
    assert tab(text) == [(replaced, word) for word in expected]


def test_only_options_that_are_left_and_that_suit(tab):
    after_experiment = texts(tab("%compare exp --alpha 0.1 --|"))
    assert "--control" in after_experiment
    assert not {"--alpha", "--direction", "--separator"} & set(after_experiment)
    assert {"--direction", "--separator"} <= set(texts(tab("%compare scores.csv --|")))
    assert "--builder" in texts(tab("%compare exp |"))  # no word is left: options


def test_names_that_begin_with_a_dash(tab, shell, experiment):
    shell.user_ns["odd"] = nbc.Experiment.from_array(
        experiment.mean_scores, direction="maximize", algorithms=["-dash", "--as", "plain"]
    )
    assert texts(tab("%compare_pair odd |")) == ["plain"]
    assert texts(tab("%compare_pair odd -- |")) == ["-dash", "--as", "plain"]
    assert texts(tab("%compare_pair odd -- -dash --|")) == ["--as"]
    assert texts(tab("%compare odd --control -|")) == ["-dash", "--as"]


@pytest.mark.slow
def test_other_lines_are_left_alone(tab):
    assert "'so so'" not in texts(tab("%timeit exp |"))
    assert "--adjust" not in texts(tab(f"%%timeit\n%%compare --adj|{TABLE}"))
    assert texts(tab("%compare nothing --control |")) == texts(tab("%%compare --control |\n?"))
