"""Files as people have them: each is read right, or the words to type are said, and work."""

import builtins
import datetime
import gzip
import io
import json
import re
import sys
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pytest
from scipy.stats import rankdata

import nbcompare as nbc
from nbcompare import DataError, Experiment, Histories, _tables
from nbcompare._render import latex
from nbcompare._tables import lines, spreadsheet
from nbcompare._tables.printed import with_printed
from nbcompare._tables.text_format import printed
from nbcompare.cli import main
from nbcompare.report.notebook.source import alike, load_again, written

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

HERE = Path(__file__).parent / "cells"
NAN = np.nan
SCORES = "dataset,A,B\niris,0.9,0.8\nwine,0.8,0.7\nzoo,0.7,0.75\n"


def read(name, **options):
    return Experiment.read(HERE / name, **{"direction": "maximize"} | options)


def refused(name, message, kind=DataError, **options):
    with pytest.raises(kind) as caught:
        read(name, **options)
    assert str(caught.value) == message


def codes(experiment):
    return [note.code for note in experiment.notes]


def scores(experiment):
    return experiment.scores[:, :, 0, 0].tolist()


# ------------------------------------------------------------------ means and deviations


def test_means_with_deviations():
    experiment = read("plus_minus.csv")
    assert scores(experiment)[:2] == [[0.763, 0.751, 0.785], [0.947, 0.933, 0.96]]
    expected = [[0.021, 0.019, 0.02], [0.05, 0.04, 0.031], [0.03, 0.032, NAN]]
    np.testing.assert_array_equal(experiment.deviations, expected)
    assert experiment.missing.tolist() == [[False] * 3] * 2 + [[False, False, True]]
    assert codes(experiment) == ["deviations"]
    text = str(experiment)
    assert "0.763 ± 0.021" in text
    assert "± standard deviation" in text
    assert "runs" in text.partition("Note: ")[2]
    assert experiment.to_frame().dtypes.tolist() == [np.float64] * 3
    part = experiment.select(algorithms=["SVM", "C4.5"], datasets=["iris"])
    assert part.deviations.tolist() == [[0.031, 0.05]]


def test_deviations_of_negative_means_in_latex(read_text):
    text = latex.render(read_text("dataset,A,B\nx,-0.5 ± 0.1,0.5 ± 0.2\n")._parts())
    assert r"$-0.5$ $\pm$ 0.1 & 0.5 $\pm$ 0.2" in text


def test_latex():
    experiment = read("latex.csv")
    assert scores(experiment) == [[0.76, 0.75], [0.95, 0.93]]
    assert experiment.deviations.tolist() == [[0.02, 0.03], [0.05, 0.04]]


@pytest.mark.parametrize(
    ("cell", "mean", "deviation", "inside"),
    [
        ("0.76 ± 0.02", 0.76, 0.02, NAN),
        ("0.76±.02", 0.76, 0.02, NAN),
        ("0.76+-0.02", 0.76, 0.02, NAN),
        ("0.76 +/- 0.02", 0.76, 0.02, NAN),
        ("0.76 +/\u2212 0.02", 0.76, 0.02, NAN),
        ("\u22120.76 ± 0.02", -0.76, 0.02, NAN),
        (r"0.76 \pm 0.02", 0.76, 0.02, NAN),
        (r"$0.76 \pm 0.02$", 0.76, 0.02, NAN),
        (r"0.76 $\pm$ 0.02", 0.76, 0.02, NAN),
        (r"0.76{}\pm{}0.02", 0.76, 0.02, NAN),
        ("93.5% ± 1.5%", 93.5, 1.5, NAN),
        ("93.5 ± 1.5 %", 93.5, 1.5, NAN),
        (r"93.5 ± 1.5\%", 93.5, 1.5, NAN),
        ("1.2e3 ± 4E+01", 1200, 40, NAN),
        ("1,234.5 ± 2", 1234.5, 2, NAN),
        ("0.763(4)", 0.763, NAN, 4),
        ("0.763 (2.5)", 0.763, NAN, 2.5),
        ("93.5% (1)", 93.5, NAN, 1),
        ("0.763 ± 0.1 (4)", 0.763, 0.1, 4),
        ("$0.763$", 0.763, NAN, NAN),
        (r"\textbf{0.763} ± 0.02 (4)", 0.763, 0.02, 4),
        (r"$\mathbf{0.76} \pm 0.02$", 0.76, 0.02, NAN),
        (r"$0.76 \pm 0.02^{\ast\dagger}$", 0.76, 0.02, NAN),
        (r"$0.76^*$", 0.76, NAN, NAN),
        (r"\cellcolor[gray]{0.9}\underline{0.76}", 0.76, NAN, NAN),
        (r"{\bf 0.76}", 0.76, NAN, NAN),
        (r"0.76 ± 0.02 $\bullet$", 0.76, 0.02, NAN),
        (r"-\textbf{0.5}", -0.5, NAN, NAN),
        (r"$-$0.5", -0.5, NAN, NAN),
        (r"\textbf{93.5}\%", 93.5, NAN, NAN),
        ("0.76 ± 0.02*", 0.76, 0.02, NAN),
        ("**0.76 (2)**", 0.76, NAN, 2),
        ("**0.76** (2)", 0.76, NAN, 2),
        ("__1__", 1, NAN, NAN),
        ("<b>0.76</b>", 0.76, NAN, NAN),
        ('<b style="color: red">0.76</b><sup>†</sup>', 0.76, NAN, NAN),
        ("↑0.76", 0.76, NAN, NAN),
        ("0.76 ▼", 0.76, NAN, NAN),
        ("0.76 [0.7, 0.8]", 0.76, NAN, NAN),
    ],
)
def test_cells_of_papers(cell, mean, deviation, inside):
    made = printed(cell, _tables.PLAIN)
    np.testing.assert_array_equal(made[:3], [mean, deviation, inside])
    assert made.is_percent == ("%" in cell)


@pytest.mark.parametrize(
    "cell",
    ["iris (3)", "0.76 ± ", "± 0.02", "0.76 ± -0.02", "0.76 ± 0.02 ± 0.01", "0.76 (a)", "(0.76)",
     "0.76 (1) (2)", "0.76 [0.7]", "1,234 ± 5", "NA ± 0.1", "0.76 ± NA", "1e+-5x", "()",
     "0.76", "", "±", "1" * 200 + " ± 1", "0.91a", "0.91*a", "B*", "**", "2*10", "1*000", "2^{10}",
     "2<sup>10</sup>", "1__000", "0.91+", "~0.91", "~~0.91~~", r"\textbf{a}",
     r"0.91\textsuperscript{a}", r"\textbf{0.9}1", "1,816*"],
)  # fmt: skip
def test_cells_that_are_none_of_these(cell):
    assert printed(cell, _tables.PLAIN) is None


def test_decimal_commas_around_plus_minus(read_text):
    text = "dataset;A;B\nx;0,76 ± 0,02;0,7\ny;0,5 ± 0,01;0,6\n"
    with pytest.raises(DataError, match=r"got '0,76 ± 0,02'\. Pass decimal=','\.$"):
        read_text(text)
    experiment = read_text(text, decimal=",")
    np.testing.assert_array_equal(experiment.deviations, [[0.02, NAN], [0.01, NAN]])


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_dataframes_of_printed_scores(library):
    frame = library({"name": ["x", "y"], "A": ["0.9 ± 0.1", "0.8 ± 0.2"], "B": ["0.7 ± 0.1", None]})
    experiment = Experiment.from_frame(frame, direction="maximize")
    assert experiment.algorithms == ("A", "B")
    np.testing.assert_array_equal(experiment.deviations, [[0.1, 0.1], [0.2, NAN]])


def test_a_long_table_has_one_deviation_per_cell(read_text):
    experiment = read_text("dataset,algorithm,score\nx,B,0.9 ± 0.1\nx,A,0.8 ± 0.2\ny,A,0.5 ± 0.3\n")
    np.testing.assert_array_equal(experiment.deviations, [[0.1, 0.2], [NAN, 0.3]])
    experiment = read_text("dataset,algorithm,fold,score\nx,A,1,0.9 ± 0.1\nx,A,2,0.8 ± 0.2\n")
    assert experiment.deviations is None
    assert codes(experiment) == ["deviations-left-out"]


def test_ends_of_intervals_have_no_deviations(read_text):
    with pytest.raises(DataError, match=r"column 'lower' must be a number; got '0\.8 ± 0\.1'"):
        read_text("dataset,algorithm,lower,upper\nx,A,0.8 ± 0.1,0.9\nx,B,0.7,0.8\n")


def test_one_wrong_cell_among_printed_ones_is_named(read_text):
    text = "name,A,B\nx,0.9 ± 0.1,0.8 ± 0.1\ny,0.9 ± 0.1,oops\nz,1,0.7 ± 0.1\n"
    with pytest.raises(DataError, match=r"^t\.csv, row 2 \('y'\), column 'B' must be .*'oops'"):
        read_text(text)
    experiment = read_text(text, missing_words=["Oops"])
    assert experiment.missing.sum() == 1


# ------------------------------------------------------------------------------ brackets


def test_ranks_in_brackets():
    experiment = read("ranks.csv")
    assert scores(experiment)[0] == [0.763, 0.768, 0.771, 0.798]
    assert experiment.deviations is None
    assert codes(experiment) == ["ranks-in-brackets"]


def test_deviations_in_brackets():
    experiment = read("mean_std_brackets.csv", direction="minimize")
    assert scores(experiment) == [[123, 25, 0], [41, 39, 1e-8]]
    assert experiment.deviations.tolist() == [[34, 1.2, 0], [2.2, 7.5, 2.5e-9]]


@pytest.mark.parametrize("ties", ["average", "min"])
@pytest.mark.parametrize("best_is", ["high", "low"])
def test_ranks_agree_with_those_of_scipy(ties, best_is, tmp_path):
    random = np.random.default_rng(7)
    values = random.integers(0, 6, size=(30, 5)) / 8
    ranks = rankdata(-values if best_is == "high" else values, method=ties, axis=1)

    def table(ranks):
        rows = (
            ",".join([f"d{i}", *(f"{v} ({r:g})" for v, r in zip(row, its, strict=True))])
            for i, (row, its) in enumerate(zip(values, ranks, strict=True))
        )
        path = tmp_path / "t.csv"
        path.write_text("\n".join(["dataset,A,B,C,D,E", *rows]))
        return path

    for direction in ("maximize", "minimize"):
        experiment = Experiment.read(table(ranks), direction=direction)
        assert codes(experiment) == ["ranks-in-brackets"]
        np.testing.assert_array_equal(experiment.scores[:, :, 0, 0], values)
    ranks[17, 2] += 1
    with pytest.raises(DataError, match=r"brackets='std' or brackets='rank'"):
        Experiment.read(table(ranks), direction="maximize")
    assert codes(Experiment.read(table(ranks), direction="maximize", brackets="rank")) == [
        "ranks-in-brackets"
    ]


def test_ranks_in_a_long_table(read_text):
    assert codes(
        read_text("dataset,algorithm,score\nx,A,0.9 (1)\ny,A,0.5 (2)\nx,B,0.8 (2)\ny,B,0.7 (1)\n")
    ) == ["ranks-in-brackets"]


def test_last_digits_are_not_guessed(capsys):
    refused(
        "last_digits.csv",
        "last_digits.csv, row 1 ('x'), column 'A' has the score 0.76 and 3 in brackets, which may "
        "be a standard deviation or a rank. Pass brackets='std' or brackets='rank'. If it counts "
        "last digits (3 for 0.03), write 0.76 ± 0.03.",
    )
    assert read("last_digits.csv", brackets="rank").deviations is None
    assert read("last_digits.csv", brackets="std").deviations.tolist() == [[3, 2], [2, 2]]
    line = ["compare", str(HERE / "last_digits.csv"), "--direction", "maximize"]
    assert main(line) == 1
    assert "Pass --brackets std or --brackets rank." in capsys.readouterr().err
    assert main([*line, "--brackets", "rank"]) == 0


@pytest.mark.parametrize(
    ("cells", "options", "message"),
    [
        (["0.9 ± 0.1 (1)", "0.8 ± 0.1 (1.5)"], {}, r"deviation\. Pass brackets='rank'\. If it"),
        (["0.9 ± 0.1 (1)", "0.8 ± 0.1 (2)"], {"brackets": "std"}, "beside a standard deviation"),
        (["0.9 (-0.5)", "0.8 (0.1)"], {"brackets": "std"}, "must not be negative"),
        (["0.9 (-0.53)", "0.8 (0.1)"], {}, r"or a rank\. Pass brackets='rank'\."),
        (["0.9 (+0.02)", "0.8 (0.01)"], {}, "brackets='std' or brackets='rank'"),
        (["0.9 (1)", "0.8"], {}, "brackets='std' or brackets='rank'"),
        (["0.9 (1.5)", "0.8 (2.5)"], {}, "brackets='std' or brackets='rank'"),
    ],
)  # fmt: skip
def test_brackets_in_doubt(cells, options, message, read_text):
    with pytest.raises(DataError, match=message):
        read_text(f"dataset,A,B\nx,{cells[0]},{cells[1]}\n", **options)


def test_ranks_beside_deviations(read_text):
    experiment = read_text("dataset,A,B\nx,0.9 ± 0.1 (1),0.8 ± 0.2 (2)\n")
    assert experiment.deviations.tolist() == [[0.1, 0.2]]
    assert codes(experiment) == ["ranks-in-brackets", "deviations"]


@pytest.mark.parametrize(("name", "mark"), [("bold_markdown.csv", "**"), ("stars.csv", "*")])
def test_marks_of_the_best_are_read_and_noted(name, mark, tmp_path):
    text = (HERE / name).read_text()
    clean = tmp_path / "clean.csv"
    clean.write_text(text.replace(mark, ""))
    experiment = read(name)
    assert scores(experiment) == scores(Experiment.read(clean, direction="maximize"))
    (note,) = experiment.notes
    n_cells = text.count(mark) // (2 if mark == "**" else 1)
    cells = "1 cell holds marks" if n_cells == 1 else f"{n_cells} cells hold marks"
    assert note.code == "marks"
    assert note.text == f"{cells} beside the scores, which were left out: {mark}"
    assert experiment.deviations is None


def test_several_marks_and_deviations(read_text):
    experiment = read_text(
        "dataset,A,B\nx,\\textbf{0.763} ± 0.02,0.7† ± 0.1\ny,0.5 ± 0.3,<b>0.6</b> ± 0.2*\n"
    )
    assert scores(experiment) == [[0.763, 0.7], [0.5, 0.6]]
    assert experiment.deviations.tolist() == [[0.02, 0.1], [0.3, 0.2]]
    assert codes(experiment) == ["marks", "deviations"]
    assert r"3 cells hold marks" in experiment.notes[0].text
    assert experiment.notes[0].text.endswith(r": * <b> \textbf †")


def test_marks_in_a_dataframe_and_in_names():
    """What is no score keeps its mark, and no note speaks of it."""
    frame = pd.DataFrame({"dataset": ["1*", "2"], "A": ["0.9*", "0.8"], "B**": [0.5, 0.25]})
    experiment = Experiment.from_frame(frame, direction="maximize")
    assert experiment.datasets == ("1*", "2")
    assert experiment.algorithms == ("A", "B**")
    assert scores(experiment) == [[0.9, 0.5], [0.8, 0.25]]
    assert experiment.notes[0].text.startswith("1 cell holds marks")
    made = Experiment.from_frame(frame.rename(columns={"dataset": "task"}), direction="maximize",
                                 dataset="task")  # fmt: skip
    assert made.datasets == ("1*", "2")
    assert made.notes[0].text.startswith("1 cell holds marks")


@pytest.mark.parametrize("cell", ["0.91+", "0.91a", "0.91-", "2^{10}"])
def test_what_is_no_mark(cell, read_text):
    with pytest.raises(DataError, match=r"must be a number; .* Write the number alone"):
        read_text(f"dataset,A,B\nx,{cell},0.9\ny,0.8,0.9*\n")


def test_marks_where_none_are_read(read_text):
    with pytest.raises(DataError, match=r"Take the mark '\\textbf' out of the cells"):
        read_text("dataset,algorithm,lower,upper\nx,A,\\textbf{0.8},0.9\nx,B,0.7,0.8\n")


# ------------------------------------------------------------------------ words and gaps


def test_words_for_a_missing_score(capsys):
    columns = {"dataset": "problem", "algorithm": "solver", "score": "time"}
    options = {"direction": "minimize", **columns}
    refused(
        "timeouts.csv",
        "timeouts.csv, row 2 ('p1'), column 'time' must be a number; got 'Timeout'. "
        "Row 5 ('p3'), column 'time' must be a number; got 'failed'. Pass "
        "missing_words=['Timeout', 'failed']; or ignore_rows=['p1'], missing_words=['failed'].",
        **options,
    )
    experiment = read("timeouts.csv", missing_words=["timeout", "FAILED"], **options)
    assert experiment.missing.tolist() == [
        [False, True],
        [False, False],
        [True, False],
        [False] * 2,
    ]
    line = ["compare", str(HERE / "timeouts.csv"), "--direction", "minimize", "--missing", "drop"]
    line += [word for role, name in columns.items() for word in (f"--{role}", name)]
    assert main(line) == 1
    said = capsys.readouterr().err
    assert "--missing-words Timeout --missing-words failed;" in said
    assert "--ignore-rows p1" in said
    assert main([*line, "--missing-words", "Timeout", "--missing-words", "failed"]) == 0


def test_the_way_out_of_a_wide_table(read_text):
    text = "dataset,A,B,C\nit's,1,2,4\ny,crash,3,5\n"
    with pytest.raises(DataError) as caught:
        read_text(text)
    assert str(caught.value) == (
        "t.csv, row 2 ('y'), column 'A' must be a number; got 'crash'. Pass missing_words="
        "['crash']; or ignore_rows=['y'] to leave the row out; or "
        "ignore=['A'] to leave the column out."
    )
    for way in caught.value.advice:
        assert read_text(text, **way).n_datasets in (1, 2)
    with pytest.raises(DataError, match=r"missing_words=\['inf'\]; or ignore_rows=\[\"it's\"\] to"):
        read_text("dataset,A,B,C\nit's,inf,2,4\ny,1,3,5\n")


@pytest.mark.parametrize("rows", [3, 60_000])
def test_words_in_any_case_and_at_any_speed(rows, read_text):
    words = ["timeout", "TIMEOUT", "Timeout", "tImEoUt", "NA", "dnf"]
    experiment = read_text(
        "dataset,A,B\n"
        + "".join(f"d{i},{i * i},{words[i % 6] if i % 2 else i}\n" for i in range(rows)),
        missing_words=["TimeOut", "dnf"],
    )
    assert experiment.missing.sum() == rows // 2


def test_words_in_dataframes():
    frame = pd.DataFrame({"dataset": ["failed", "y"], "A": [1.0, 2.0], "B": ["Failed", 3]})
    with pytest.raises(DataError, match=r"Pass missing_words=\['Failed'\]"):
        Experiment.from_frame(frame, direction="maximize")
    experiment = Experiment.from_frame(frame, direction="maximize", missing_words=["failed"])
    assert experiment.datasets == ("failed", "y")  # labels are taken as they stand
    np.testing.assert_array_equal(scores(experiment), [[1, NAN], [2, 3]])


@pytest.mark.parametrize(
    ("word", "rows"), [("-1", 4), ("-1.0", 60_000), ("\u22121", 4), ("-1,0", 4)]
)
def test_numbers_that_stand_for_a_missing_score(word, rows, tmp_path):
    """They are taken by their value, however they are written; labels stay as they are."""
    cells = ["-1", "-1.0", "-1.00", "-10"]
    path = tmp_path / "t.csv"
    path.write_text(
        "dataset,A,B\n" + "".join(f"{i - 1},{i / 4},{cells[i % 4]}\n" for i in range(rows))
    )
    experiment = Experiment.read(path, direction="maximize", missing_words=[word])
    assert experiment.datasets[:2] == ("-1", "0")
    expected = np.arange(rows) % 4 != 3
    np.testing.assert_array_equal(experiment.missing[:, 1], expected)
    frame = pd.read_csv(path)
    made = Experiment.from_frame(frame, direction="maximize", missing_words=[word])
    np.testing.assert_array_equal(made.missing, experiment.missing)
    assert frame["B"].tolist()[0] == -1  # the dataframe of the caller stays as it is


def test_numbers_and_words_for_a_missing_score_together(read_text):
    options = {"direction": "minimize", "missing_words": ["999", "inf", "0", "crash"]}
    expected = [[NAN, NAN, 0.5], [NAN, 2, NAN], [1, NAN, NAN]]
    made = read_text(
        "dataset,A,B,C\nx,999,inf,0.5 ± 0.1\ny,crash,2,**999**\nz,1e0,9.99e2,0\n", **options
    )
    np.testing.assert_array_equal(scores(made), expected)
    frame = pd.DataFrame({"dataset": list("xyz"), "A": [999, "crash", 1.0], "B": [np.inf, 2, 999],
                          "C": ["0.5 ± 0.1", "**999**", "0"]})  # fmt: skip
    made = Experiment.from_frame(frame, **options)
    np.testing.assert_array_equal(scores(made), expected)
    np.testing.assert_array_equal(
        scores(read_text("dataset,A,B\nx,0%,5%\ny,2%,3%\n", **options)), [[NAN, 5], [2, 3]]
    )


def test_whole_numbers_that_are_missing_in_a_dataframe():
    frame = pd.DataFrame({"dataset": ["x", "y"], "A": [1, -1], "B": [2**53 + 1, 3]})
    made = Experiment.from_frame(frame, direction="maximize", missing_words=["-1"])
    np.testing.assert_array_equal(scores(made), [[1, 2**53], [NAN, 3]])


# -------------------------------------------------------------------------- saved indices


def test_a_saved_index_is_left_out():
    experiment = read("saved_index.csv")
    assert experiment.datasets == ("x", "y", "z")
    assert codes(experiment) == ["saved-index"]
    assert read("saved_twice.csv").algorithms == ("A", "B")
    assert "identifies the row" in str(read("saved_twice.csv").schema)


def test_what_looks_like_a_saved_index_but_is_needed(read_text):
    assert read_text(",A,B\n0,1,2\n1,2,1\n").datasets == ("0", "1")
    assert read_text("index,name,B\n0,x,2\n1,y,1\n").algorithms == ("B",)
    assert read_text("index,name,B\n5,x,2\n1,y,1\n").algorithms == ("index", "B")
    experiment = read_text("index,A,B\n0,1,2\n1,2,1\n", dataset="index")
    assert experiment.datasets == ("0", "1")


# -------------------------------------------------------------------------- spreadsheets


@pytest.fixture
def book(tmp_path):
    """Write sheets of rows to a file, and change it before it is saved."""

    def write(sheets, change=lambda book: None, name="t.xlsx"):
        made = openpyxl.Workbook()
        made.remove(made.active)
        for title, rows in sheets.items():
            sheet = made.create_sheet(title)
            for row in rows:
                sheet.append(row)
        change(made)
        made.save(tmp_path / name)
        return tmp_path / name

    return write


TABLE = [["dataset", "A", "B"], ["iris", 0.9, 0.8], [7, 0.8, None], ["zoo", 0.7, 0.75]]


def test_a_sheet(book):
    experiment = Experiment.read(book({"S": TABLE, "Empty": []}), direction="maximize")
    assert experiment.datasets == ("iris", "7", "zoo")
    np.testing.assert_array_equal(scores(experiment), [[0.9, 0.8], [0.8, NAN], [0.7, 0.75]])
    csv = "dataset,A,B\niris,0.9,0.8\n7,0.8,\nzoo,0.7,0.75\n"
    again = Experiment.from_frame(
        pd.read_csv(io.StringIO(csv)).set_index("dataset"), direction="maximize"
    )
    assert experiment.fingerprint == again.fingerprint


def test_sheets_are_chosen_by_name(book, capsys, monkeypatch):
    path = book({"Results": TABLE, "Old": TABLE[:3]})
    monkeypatch.chdir(path.parent)
    with pytest.raises(DataError) as caught:
        Experiment.read(path, direction="maximize")
    assert str(caught.value) == (
        "t.xlsx: sheets 'Results' and 'Old' hold data. Pass sheet='Results', for instance."
    )
    assert Experiment.read(path, direction="maximize", sheet="Old").n_datasets == 2
    with pytest.raises(ValueError, match=r"^`sheet` must be .*; got 'old'\. Did you mean 'Old'\?"):
        Experiment.read(path, direction="maximize", sheet="old")
    line = ["compare", "t.xlsx", "--direction", "maximize", "--missing", "drop"]
    assert main(line) == 1
    assert "Pass --sheet Results, for instance." in capsys.readouterr().err
    assert main([*line, "--sheet", "Results"]) == 0
    hidden = book({"Results": TABLE, "Old": TABLE}, _hide)
    assert Experiment.read(hidden, direction="maximize").n_datasets == 3


def _hide(book):
    book["Old"].sheet_state = "hidden"


def test_a_sheet_of_something_else(tmp_path):
    (tmp_path / "t.csv").write_text(SCORES)
    with pytest.raises(ValueError, match=r"`sheet` must be None, since t\.csv is no spreadsheet"):
        Experiment.read(tmp_path / "t.csv", direction="maximize", sheet="S")


def test_formulas_without_results(book):
    rows = [["dataset", "A", "B"], ["iris", 0.9, "=B2-0.1"], ["zoo", 0.7, 0.75]]
    with pytest.raises(DataError, match="cell C2 of sheet 'S' holds a formula, and the file does"):
        Experiment.read(book({"S": rows}), direction="maximize")
    rows[1][2] = 0.8
    assert Experiment.read(book({"S": rows}), direction="maximize").n_algorithms == 2


def table_in(path):
    return _tables.read(path)


def merged(*ranges):
    def change(book):
        for cells in ranges:
            book["S"].merge_cells(cells)

    return change


FOLDS = [["dataset", "fold", "A"], ["iris", 1, 0.9], [None, 2, 0.8], ["zoo", 1, 0.7]]
LEVELS = [
    [None, "GA", None, "SA", None],
    ["dataset", "acc", "time", "acc", "time"],
    ["x", 1, 2, 3, 4],
]
NAMES = ["dataset", "GA / acc", "GA / time", "SA / acc", "SA / time"]


def test_merged_cells_in_a_column_are_filled_down(book):
    path = book({"S": FOLDS}, merged("A2:A3"))
    experiment = Experiment.read(path, direction="maximize")
    assert experiment.datasets == ("iris", "zoo")
    assert experiment.n_folds == 2
    assert experiment.notes[0].code == "merged-cells"
    assert "A2:A3" in experiment.notes[0].text
    far = book({"S": FOLDS}, merged("F2:G9"))  # beside the table, with nothing in them
    with pytest.raises(DataError, match="row 2, column 'dataset' must be a label"):
        Experiment.read(far, direction="maximize")


@pytest.mark.parametrize("cells", ["B2:C2", "A2:B3", "A1:A2", "A4:C4"])
def test_merged_cells_that_may_mean_several_things(cells, book):
    with pytest.raises(DataError, match=rf"cells {cells} of sheet 'S' are merged\. Unmerge them"):
        Experiment.read(book({"S": FOLDS}, merged(cells)), direction="maximize")


def test_merged_names_right_above_scores(book):
    rows = [["dataset", "scores", None], ["x", 0.5, 0.25], ["y", 0.75, 1]]
    with pytest.raises(DataError, match=r"cells B1:C1 of sheet 'S' are merged\. Unmerge them"):
        Experiment.read(book({"S": rows}, merged("B1:C1")), direction="maximize")


def test_a_first_data_set_without_scores_is_no_row_of_the_header(book):
    rows = [["dataset", *LEVELS[0][1:]], [None, *LEVELS[1][1:]], ["w"], LEVELS[2]]
    table = table_in(book({"S": rows}, merged("A1:A2", "B1:C1", "D1:E1")))
    assert table["dataset"].tolist() == ["w", "x"]
    assert np.isnan(table["GA / acc"][0])


@pytest.mark.parametrize(
    ("rows", "ranges"),
    [
        (LEVELS, ["B1:C1", "D1:E1"]),
        (LEVELS, []),
        ([["dataset", *LEVELS[0][1:]], [None, *LEVELS[1][1:]], LEVELS[2]],
         ["A1:A2", "B1:C1", "D1:E1"]),
        ([["Results"], *LEVELS], ["A1:E1", "B2:C2", "D2:E2"]),
    ],
)  # fmt: skip
def test_several_rows_of_header(rows, ranges, book):
    table = table_in(book({"S": rows}, merged(*ranges)))
    assert list(table.columns) == NAMES
    assert table.levels["GA / time"] == ("GA", "time")
    assert table.levels["dataset"][-1] == "dataset"
    assert [float(table[name][0]) for name in NAMES[1:]] == [1, 2, 3, 4]
    assert [code for code, _ in table.notes] == (["title"] if len(rows) > 3 else [])


@pytest.mark.parametrize("names", [[None, None], ["solver", "measure"]])
@pytest.mark.parametrize("index", [[None], ["dataset"], ["dataset", "fold"]])
def test_headers_that_pandas_writes(names, index, tmp_path):
    columns = pd.MultiIndex.from_product([["GA", "SA"], ["acc", "time"]], names=names)
    frame = pd.DataFrame([[1, 2, 3, 4], [5, 6, 7, 8]], index=["x", "y"], columns=columns)
    if len(index) > 1:
        frame.index = pd.MultiIndex.from_product([["x"], ["a", "b"]])
    frame.index.names = index
    if index == [None] and names != [None, None]:
        return  # pandas then writes an empty row, and "solver" stands over the data sets
    frame.to_excel(tmp_path / "t.xlsx")
    table = table_in(tmp_path / "t.xlsx")
    assert list(table.columns) == [*("" if name is None else name for name in index), *NAMES[1:]]
    assert table["SA / time"].tolist() == [4, 8]
    assert table[index[0] or ""].tolist() == (["x", "x"] if len(index) > 1 else ["x", "y"])
    assert table.levels["SA / time"] == ("SA", "time")


def test_a_title_above_the_table(book):
    experiment = Experiment.read(book({"S": [["Mine"], *TABLE]}, merged("A1:C1")),
                                 direction="maximize")  # fmt: skip
    assert experiment.datasets == ("iris", "7", "zoo")
    assert [note.text for note in experiment.notes] == ["The title 'Mine' above the table was left "
                                                        "out."]  # fmt: skip
    assert table_in(book({"S": [["Mine"], *TABLE]}, merged("A1:C1"))).levels == {}


SPREAD_OUT = [0.61, 0.74, 0.58, 0.92, 0.83, 0.55, 0.79, 0.66, 0.71, 0.97, 0.64, 0.88, 0.52]


def hide(rows=(), columns=()):
    def change(book):
        for row in rows:
            book["S"].row_dimensions[row].hidden = True
        for first, last in columns:
            book["S"].column_dimensions.group(first, last, hidden=True)

    return change


@pytest.mark.parametrize(
    ("rows", "columns", "told"),
    [
        ([3], [], "row 3"),
        ([3, 7, 8, 9], [], "rows 3, 7, 8 and 9"),
        ([], [("D", "D")], "column D"),
        ([2], [("B", "C"), ("E", "E")], "row 2 and columns B, C and E"),
        ([5, 40], [("H", "Z")], "row 5"),
    ],
)
def test_hidden_rows_and_columns_are_named(rows, columns, told, book):
    content = [["dataset", *"ABCD"], *([f"d{i}", *SPREAD_OUT[i : i + 4]] for i in range(10))]
    with pytest.raises(DataError) as caught:
        Experiment.read(book({"S": content}, hide(rows, columns)), direction="maximize")
    assert str(caught.value) == (
        f"t.xlsx: sheet 'S' hides {told}. In the spreadsheet program, show what is hidden (clear "
        "the filter, if there is one), or delete it."
    )
    away = book({"S": content}, hide([40], [("H", "Z")]))  # nothing is in them
    assert Experiment.read(away, direction="maximize").n_datasets == 10
    other = book({"S": TABLE[:3], "Old": TABLE}, hide([2]))
    assert Experiment.read(other, direction="maximize", sheet="Old").n_datasets == 3


def test_percent_formats(book):
    rows = [["dataset", "A", "B"], ["x", 0.07, 0.29], ["y", 0.55, 0.57]]

    def format_some(cells):
        def change(book):
            for cell in cells:
                book["S"][cell].number_format = "0.0%"

        return change

    path = book({"S": rows}, format_some(["B2", "C2", "B3", "C3"]))
    experiment = Experiment.read(path, direction="maximize")
    assert scores(experiment) == [[7, 29], [55, 57]]
    assert codes(experiment) == ["percent-format"]
    with pytest.raises(DataError, match=r"\(7%\) has a percent sign, .* \(0\.55\) has none\."):
        Experiment.read(book({"S": rows}, format_some(["B2"])), direction="maximize")
    path = book({"S": rows}, lambda book: setattr(book["S"]["B2"], "number_format", '0.0"%"'))
    assert scores(Experiment.read(path, direction="maximize"))[0] == [0.07, 0.29]


def test_dates_in_place_of_scores(book):
    rows = [["dataset", "A"], ["x", datetime.date(2024, 3, 1)], ["y", 0.5]]
    with pytest.raises(DataError, match=r"column 'A' must be a number; .* It is a date: give"):
        Experiment.read(book({"S": rows}), direction="maximize")
    rows = [["dataset", "A"], [datetime.date(2024, 3, 1), 0.4], [datetime.date(2024, 4, 1), 0.5]]
    experiment = Experiment.read(book({"S": rows}), direction="maximize")
    assert experiment.datasets == ("2024-03-01", "2024-04-01")


def test_text_in_sheets_is_read_as_in_text_files(book):
    rows = [["dataset", "A", "B", "C"], ["x", "0.5", "-", "0.9 ± 0.1"], ["y", 0.25, "#N/A", 0.8]]
    path = book({"S": [*rows, ["z", 0.5, 0.75, 0.7]]})
    with pytest.raises(DataError, match=r"missing_words=\['#N/A'\]"):
        Experiment.read(path, direction="maximize", keep=["B"])
    rows[2][2] = 0.5
    experiment = Experiment.read(book({"S": rows}), direction="maximize")
    np.testing.assert_array_equal(scores(experiment), [[0.5, NAN, 0.9], [0.25, 0.5, 0.8]])
    assert experiment.deviations[0, 2] == 0.1
    rows = [["dataset", "A"], ["x", "0,5"], ["y", "0,25"]]
    path = book({"S": rows})
    with pytest.raises(DataError, match=r"Pass decimal=','"):
        Experiment.read(path, direction="maximize", dataset="dataset")
    experiment = Experiment.read(path, direction="maximize", decimal=",")
    assert scores(experiment) == [[0.5], [0.25]]


def test_tables_that_do_not_begin_in_the_corner(book):
    rows = [[], [], [None, None, "dataset", "A"], [None, None, "x", 1], [], [None, None, "y", 2]]
    experiment = Experiment.read(book({"S": rows}), direction="maximize")
    assert experiment.datasets == ("x", "y")
    rows = [["My results"], *TABLE]
    with pytest.raises(DataError, match=r"column 2 has no name\..* delete what stands above"):
        Experiment.read(book({"S": rows}), direction="maximize")
    rows = [["dataset", None, "A"], ["x", None, 1]]
    with pytest.raises(DataError, match="column 2 has no name"):
        Experiment.read(book({"S": rows}), direction="maximize")


@pytest.mark.parametrize("content", [b" ", b"PK\x03\x04oops", b"\xd0\xcf\x11\xe0" * 200])
def test_files_that_are_no_spreadsheets(content, tmp_path):
    path = tmp_path / "t.xlsx"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"t\.xlsx is not a readable \.xlsx file: "):
        Experiment.read(path, direction="maximize")


def test_empty_sheets(book):
    with pytest.raises(DataError, match="holds no data: every sheet is empty"):
        Experiment.read(book({"S": [], "T": []}), direction="maximize")
    with pytest.raises(DataError, match="sheet 'S' is empty"):
        Experiment.read(book({"S": []}), direction="maximize", sheet="S")


def test_sheets_that_are_too_large(book, monkeypatch):
    path = book({"S": TABLE})
    monkeypatch.setattr(spreadsheet, "_MOST_BYTES", 1000)
    with pytest.raises(DataError, match=r"bytes unpacks to more than 1,000.*set_options\(max_by"):
        Experiment.read(path, direction="maximize")
    monkeypatch.undo()
    monkeypatch.setattr(spreadsheet, "_MOST_CELLS", 5)
    with pytest.raises(DataError, match=r"more than 5 cells.*set_options\(max_cells=10\)"):
        Experiment.read(path, direction="maximize")
    with nbc.set_options(max_cells=100):
        assert Experiment.read(path, direction="maximize").n_algorithms


def test_a_row_far_below(book):
    """A row number far below costs no time for the rows between."""
    path = book({"S": TABLE})
    with zipfile.ZipFile(path) as parts:
        contents = {name: parts.read(name) for name in parts.namelist()}
    name = "xl/worksheets/sheet1.xml"
    contents[name] = contents[name].replace(b'<row r="4"', b'<row r="99999999999"')
    contents[name] = re.sub(rb'r="([ABC])4"', rb'r="\g<1>99999999999"', contents[name])
    with zipfile.ZipFile(path, "w") as parts:
        for part, content in contents.items():
            parts.writestr(part, content)
    with pytest.raises(DataError, match=r"the most that any spreadsheet has|is not a readable"):
        Experiment.read(path, direction="maximize")


# ---------------------------------------------------------------------------------- JSON


def test_json():
    experiment = read("records.json")
    assert experiment.datasets == ("x", "y", "z")
    np.testing.assert_array_equal(scores(experiment), [[0.9, 0.8], [0.7, NAN], [0.6, 0.5]])
    assert scores(read("columns.json")) == [[0.9, 0.8], [0.7, 0.75]]
    with pytest.raises(DataError, match=r"may be its rows or its columns\. Write it as a list of"):
        read("either.json")


@pytest.mark.parametrize("orient", ["records", "columns", "list"])
def test_what_pandas_writes(orient, read_text):
    frame = pd.DataFrame({"dataset": ["x", "007"], "A": [0.5, 1e-7], "B": [1, 2]})
    content = (
        json.dumps(frame.to_dict("list")) if orient == "list" else frame.to_json(orient=orient)
    )
    made = read_text(content, name="t.json")
    pd.testing.assert_frame_equal(made.to_frame().reset_index(), frame, check_dtype=False)


@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson", ".jsonl.gz", ".jsonl.zst"])
def test_records_by_line(suffix, tmp_path, capsys):
    content = (HERE / "runs.jsonl").read_bytes()
    packed = {"gz": gzip.compress, "zst": zstd.compress}.get(suffix.rpartition(".")[2], bytes)
    path = tmp_path / f"runs{suffix}"
    path.write_bytes(packed(content))
    options = {"dataset": "problem", "algorithm": "solver", "score": "time"}
    made = Experiment.read(path, direction="minimize", missing_words=["timeout"], **options)
    np.testing.assert_array_equal(scores(made), [[12.5, NAN], [7.25, 3.5]])
    with pytest.raises(DataError, match=r"row 2 \('p1'\), column 'time' .* missing_words=\['time"):
        Experiment.read(path, direction="minimize", **options)
    words = [word for role, name in options.items() for word in (f"--{role}", name)]
    line = ["compare", str(path), "--direction", "minimize", "--missing", "drop", *words]
    assert main([*line, "--missing-words", "timeout"]) in (0, 1)
    assert "must be a number" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (" ", r"t\.json is not readable JSON: it is empty"),
        ("[1, 2", r"JSON: a comma is missing \(line 1, character 6\)"),
        ("[1, 2]", r"t\.json, record 1 must be a record, .*; got 1\.$"),
        ("3", r"t\.json holds 3, which is not a table\. Write it as a list of records"),
        ("{}", "an object that is not a table"),
        ("[]", r"t\.json has no columns\."),
        ('{"A": [1], "B": [1, 2]}', "must be of the same length"),
        ('{"A": 1}', "an object that is not a table"),
        ('[{"A": 1, "A": 2}]', r"the name 'A' stands twice in one object\."),
        ('[{"dataset": "x", "A": [1]}]', r"column 'A' holds \[1\], which is neither"),
        ('[{"dataset": "x", "A": Infinity}]', r"column 'A' must be finite; got inf\."),
        ('[{"dataset": "x", "A": 1' + "0" * 400 + "}]", r"column 'A' must be finite; got inf\."),
        ("[" * 100_000, r"t\.json nests its lists or objects too deeply"),
        ('[{"dataset": "x", "A": ' + "1" * 5000 + "}]", "is not readable JSON: .*digits"),
        ('{"columns": ["A"], "data": [[1, 2]]}', "and hold no lists"),
    ],
)  # fmt: skip
def test_json_that_is_no_table(content, message, read_text):
    with pytest.raises(DataError, match=message):
        read_text(content, name="t.json")


def test_records_in_a_json_file():
    refused(
        "one_per_line.json",
        "one_per_line.json holds several JSON values, one after the other. If each line is a "
        "record, let its name end in .jsonl.",
    )


def test_json_that_is_too_long(read_text, monkeypatch):
    monkeypatch.setattr(lines, "_LONGEST_TEXT", 10)
    with pytest.raises(DataError, match=r"more than 10 characters\. Write one record in each line"):
        read_text('[{"dataset": "x", "A": 1}]', name="t.json")


def test_labels_in_json_stay_what_they_are(read_text):
    big = 2**53
    made = read_text(
        json.dumps([{"dataset": big + i, "A": i, "B": 1} for i in range(2)]),
        name="t.json",
        dataset="dataset",
    )
    assert made.datasets == (str(big), str(big + 1))


# ---------------------------------------------------------------------------- Zstandard


@pytest.mark.parametrize("rows", [3, 60_000])
def test_zstandard(rows, tmp_path):
    content = "dataset,A,B\n" + "".join(f"d{i},{i / 7},{i / 9}\n" for i in range(rows))
    (tmp_path / "t.csv").write_text(content)
    packed = zstd.compress(content.encode())
    (tmp_path / "t.csv.zst").write_bytes(packed)
    (tmp_path / "two.tsv.zst").write_bytes(
        b"".join(
            zstd.compress(part.encode()) for part in content.replace(",", "\t").partition("\n")
        )
    )
    made = [
        Experiment.read(tmp_path / name, direction="maximize")
        for name in ("t.csv", "t.csv.zst", "two.tsv.zst")
    ]
    assert len({each.fingerprint for each in made}) == 1
    (tmp_path / "cut.csv.zst").write_bytes(packed[:-9])
    with pytest.raises(DataError, match=r"cut\.csv\.zst is cut off: its compressed data have no"):
        Experiment.read(tmp_path / "cut.csv.zst", direction="maximize")
    summed = zstd.compress(content.encode(), options={zstd.CompressionParameter.checksum_flag: 1})
    (tmp_path / "bad.csv.zst").write_bytes(summed[:20] + b"oops" + summed[24:])
    with pytest.raises(DataError, match=r"bad\.csv\.zst is (damaged|cut off)"):
        Experiment.read(tmp_path / "bad.csv.zst", direction="maximize")


def test_names_that_say_something_else(tmp_path):
    (tmp_path / "plain.csv.zst").write_text(SCORES)
    with pytest.raises(DataError, match=r"is not compressed by Zstandard .* take \.zst from the"):
        Experiment.read(tmp_path / "plain.csv.zst", direction="maximize")
    (tmp_path / "packed.csv").write_bytes(zstd.compress(SCORES.encode()))
    with pytest.raises(DataError, match=r"is compressed by Zstandard\. Add \.zst to its name"):
        Experiment.read(tmp_path / "packed.csv", direction="maximize")
    (tmp_path / "t.xlsx.zst").write_bytes(b"")
    with pytest.raises(DataError, match="`path` must end in one of"):
        Experiment.read(tmp_path / "t.xlsx.zst", direction="maximize")


def test_a_line_that_fills_the_memory(tmp_path):
    """A small file with a line of gigabytes is refused after a few of its bytes."""
    block = zstd.compress(b"1" * 2**24)
    path = tmp_path / "bomb.csv.zst"
    path.write_bytes(zstd.compress(b"dataset,A\nx,") + block * 200)  # 3.4 GB
    assert path.stat().st_size < 2**20
    with pytest.raises(DataError, match=rf"more than {lines.LONGEST_ROW:,} characters"):
        Experiment.read(path, direction="maximize")


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("t.xlsx", "openpyxl", "excel"), ("t.csv.zst", "zstd", "zstd")],
)
def test_a_missing_library_is_named(name, module, extra, tmp_path, monkeypatch):
    if name.endswith("xlsx"):
        book = openpyxl.Workbook()
        book.save(tmp_path / name)
    else:
        (tmp_path / name).write_bytes(zstd.compress(SCORES.encode()))
    real = builtins.__import__

    def without(wanted, *arguments, **options):
        if module in (
            wanted.partition(".")[0],
            *(arguments[2] or () if len(arguments) > 2 else ()),
        ):
            raise ImportError(wanted)
        return real(wanted, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=rf"pip install 'nbcompare\[{extra}\]'"):
        Experiment.read(tmp_path / name, direction="maximize")


# ----------------------------------------------------------------------- standard input


@pytest.fixture
def piped(monkeypatch):
    def pipe(content):
        data = content if isinstance(content, bytes) else content.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))

    return pipe


@pytest.mark.parametrize("path", ["-", Path("-")])
def test_standard_input(path, piped, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    piped(SCORES.replace(",", ";"))
    experiment = Experiment.read(path, direction="maximize")
    assert experiment.n_datasets == 3
    assert _tables.origin_of(experiment) is None
    assert not sys.stdin.closed
    again = load_again(written(experiment).inside("made"), "made")
    assert alike(again, experiment)
    piped("problem,algorithm,evaluations,value\nf,A,1,3\nf,A,2,1\n")
    assert Histories.read(path, direction="minimize").n_points == 2


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("", {}, "standard input has no header"),
        ("dataset,A\nx,oops\ny,1\n", {}, r"^standard input, row 1 \('x'\), column 'A' must be"),
        (b"dataset,A\n\xe9,1\n", {}, r"^standard input is not utf-8 text\. Pass encoding="),
        (
            gzip.compress(SCORES.encode(), mtime=0),
            {},
            "standard input is compressed by gzip. Decompress",
        ),
        (zstd.compress(SCORES.encode()), {}, "standard input is compressed by Zstandard."),
        (SCORES, {"sheet": "S"}, "`sheet` must be None, since standard input is no spreadsheet"),
    ],
)  # fmt: skip
def test_standard_input_that_is_no_table(content, options, message, piped):
    piped(content)
    with pytest.raises(ValueError, match=message):
        Experiment.read("-", direction="maximize", **options)


def test_commands_read_standard_input(piped, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    piped(SCORES)
    assert main(["compare", "-", "--direction", "maximize"]) == 0
    expected = capsys.readouterr().out
    (tmp_path / "t.csv").write_text(SCORES)
    assert main(["compare", "t.csv", "--direction", "maximize"]) == 0
    assert capsys.readouterr().out == expected
    piped("dataset,A,B\nx,1,oops\ny,1,2\n")
    assert main(["compare", "-", "--direction", "maximize"]) == 1
    assert "standard input, row 1 ('x'), column 'B' must be a" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["report", "-", "--histories", "-", "--direction", "maximize", "-o", "r.html"])
    assert "standard input is one table" in capsys.readouterr().err


@pytest.mark.slow
def test_a_report_from_standard_input(piped, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    piped((HERE / "plus_minus.csv").read_bytes())
    line = ["report", "-", "--direction", "maximize", "--missing", "drop", "--full"]
    assert main([*line, "-o", "r.html"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.html"]
    page = (tmp_path / "r.html").read_text()
    assert "0.763 ± 0.021" in page
    (tmp_path / "t.csv").write_bytes((HERE / "plus_minus.csv").read_bytes())
    assert main(["verify", "r.html", "--data", "t.csv"]) == 0
    piped((HERE / "plus_minus.csv").read_bytes())
    assert main(["verify", "r.html", "--data", "-"]) == 0


# ------------------------------------------------------------------------- round trips


def test_labels_that_look_like_scores_stay_as_they_are():
    """Functions and their dimensions, in a column that only later turns out to hold labels."""
    frame = pd.DataFrame({"function": ["1 (10)", "1 (30)", "2 (10)"], "A": ["0.5 ± 0.1"] * 3})
    table = with_printed(_tables.from_frame(frame), ["a note"], _tables.PLAIN)
    assert table["function"].tolist() == [1, 1, 2]
    assert table.labels("function") == ["1 (10)", "1 (30)", "2 (10)"]
    made = Experiment.from_frame(frame, direction="maximize", dataset="function")
    assert made.datasets == ("1 (10)", "1 (30)", "2 (10)")
    part = table.part(np.array([2, 0]))
    assert part["function"].tolist() == [2, 1]
    assert part.columns["function"].of("inside").tolist() == [10, 10]
    assert part.labels("function") == ["2 (10)", "1 (10)"]


@pytest.mark.parametrize("name", ["plus_minus.csv", "latex.csv", "ranks.csv"])
def test_experiments_with_deviations_are_written_for_a_notebook(name):
    experiment = read(name)
    again = load_again(written(experiment).inside("made"), "made")
    assert alike(again, experiment)
    if experiment.deviations is None:
        assert again.deviations is None
    else:
        np.testing.assert_array_equal(again.deviations, experiment.deviations)
        bare = Experiment.from_frame(experiment.to_frame(), direction="maximize")
        assert bare.fingerprint == experiment.fingerprint
        assert not alike(bare, experiment)
