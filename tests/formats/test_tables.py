"""Arrays, tables for the eye, and tables in many files."""

import contextlib
import io
import zipfile

import numpy as np
import pytest
from mutations import HTML, MARKDOWN

from nbcompare import DataError, Experiment
from nbcompare._tables import TextFormat
from nbcompare.formats import imported, label, recognised


def write(folder, name, content):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def rows_of(table):
    """Return rows as tuples, empty cells as None."""
    return [
        tuple(None if cell is None or cell != cell else cell for cell in row)
        for row in zip(*(list(table[name]) for name in table.columns), strict=True)
    ]


def refused(path, word, message, **options):
    with pytest.raises(DataError, match=message):
        imported(path, word, **options)


def codes(made):
    return [code for code, _ in made.notes]


# --------------------------------------------------------------------------------- arrays


def test_an_array(tmp_path):
    path = tmp_path / "t.npy"
    np.save(path, np.array([[0.5, 0.25], [0.75, np.nan]]))
    assert recognised(path) == "numpy"
    made = imported(path, "numpy", algorithms=["A", "B"])
    assert list(made.table.columns) == ["dataset", "algorithm", "score"]
    assert rows_of(made.table) == [(1, "A", 0.5), (1, "B", 0.25), (2, "A", 0.75), (2, "B", None)]
    assert made.reading == {"dataset": "dataset", "algorithm": "algorithm", "score": "score"}
    refused(path, "numpy", r"t\.npy has no names of algorithms\. Pass algorithms=, one for each of")
    refused(path, "numpy", "has 2 columns for 1 algorithms, 'A'", algorithms=["A"])


def test_a_pickled_dictionary_as_of_rliable(tmp_path):
    file = tmp_path / "t.npy"
    runs = np.random.default_rng(0).random((2, 5, 3))
    np.save(file, {"A": runs[0], "B": runs[1]})
    with pytest.raises(DataError, match=r"numpy\.load and allow_pickle=True.*from_array: .* item"):
        Experiment.read(file, direction="maximize", algorithms=["A", "B"])
    scores = np.load(file, allow_pickle=True).item()
    table = np.stack([one.T for one in scores.values()], axis=1)[:, :, None]
    made = Experiment.from_array(table, direction="maximize", algorithms=list(scores))
    assert made.algorithms == ("A", "B")
    np.testing.assert_array_equal(made.scores[:, :, 0], runs.transpose(2, 0, 1))


def test_an_array_of_folds_and_runs(tmp_path):
    scores = np.arange(24).reshape(1, 2, 3, 4)
    np.save(tmp_path / "t.npy", scores)
    made = imported(tmp_path / "t.npy", "numpy", algorithms=["A", "B"])
    assert list(made.table.columns) == ["dataset", "algorithm", "fold", "run", "score"]
    assert rows_of(made.table)[:2] == [(1, "A", 1, 1, 0.0), (1, "A", 1, 2, 1.0)]
    assert rows_of(made.table)[-1] == (1, "B", 3, 4, 23.0)
    assert (made.reading["fold"], made.reading["run"]) == ("fold", "run")


def test_single_precision_is_read_as_printed(tmp_path):
    scores = [0.82, 0.62, 0.74, 0.59, 0.67]
    np.savez(tmp_path / "t.npz", A=np.float32(scores), B=np.float32(scores[::-1]))
    made = imported(tmp_path / "t.npz", "numpy")
    assert [row[2] for row in rows_of(made.table) if row[1] == "A"] == scores
    assert codes(made) == ["precision"]


def test_arrays_by_name(tmp_path):
    path = tmp_path / "t.npz"
    np.savez_compressed(path, SVM=np.ones((2, 3)), RF=np.zeros((2, 3)))
    assert recognised(path) == "numpy"
    made = imported(path, "numpy")
    assert list(made.table.columns) == ["dataset", "algorithm", "fold", "score"]
    assert rows_of(made.table)[3] == (1, "RF", 1, 0.0)
    np.savez(path, scores=np.ones((4, 2)))
    assert imported(path, "numpy", algorithms=["A", "B"]).table.n_rows == 8
    np.savez(path, A=np.ones(3), B=np.ones(4))
    refused(
        path, "numpy", r"an array per algorithm, all of one shape; got 'A \(3,\)' and 'B \(4,\)'"
    )


def claimed(shape):
    """Return an array's file whose header says more than there is."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        stream, {"descr": "<f8", "fortran_order": False, "shape": shape}
    )
    return stream.getvalue() + bytes(16)


def zipped(content):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("A.npy", content)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.npy", b""),
        ("t.npy", b"text"),
        ("t.npy", b"\x93NUMPY\x01\x00"),
        ("t.npy", claimed((2**40, 2**10))),
        ("t.npy", claimed((10**30,))),
        ("t.npy", zipped(b"")),
        ("t.npz", b"PK\x03\x04"),
        ("t.npz", zipped(b"no array")),
        ("t.npz", zipped(claimed((2**40, 2**10)))),
        ("t.npz", zipped(claimed((2**10, 2**10)))[:-30]),
    ],
    ids=range(10),
)
def test_damaged_arrays(name, content, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    refused(path, "numpy", rf"{name} ", algorithms=["A", "B"])


@pytest.mark.parametrize(
    "array",
    [
        np.array([["a", "b"]]),
        np.array([[1j, 2]]),
        np.array([[{}, 2]], dtype=object),
        np.ones(3),
        np.ones((1, 1, 1, 1, 1)),
        np.ones((0, 2)),
    ],
    ids=range(6),
)
def test_arrays_of_something_else(array, tmp_path):
    np.save(tmp_path / "t.npy", array, allow_pickle=True)
    refused(tmp_path / "t.npy", "numpy", r"^t\.npy ", algorithms=["A", "B"])


# ------------------------------------------------------------------------------- Markdown


def test_markdown(tmp_path):
    path = write(tmp_path, "t.md", MARKDOWN)
    assert recognised(path) == "markdown"
    made = imported(path, "markdown")
    assert list(made.table.columns) == ["Data set", "SVM", "RF"]
    assert rows_of(made.table) == [
        ("iris", 0.95, 0.9),
        ("wine | red", 0.75, 0.5),
        ("zoo", 0.7, 0.65),
    ]
    assert made.reading == {}


def test_markdown_without_outer_bars(tmp_path):
    path = write(tmp_path, "t.md", "d | A* | B\n--|--|--\nx\\_1 | _1_ | 2\ny | 3 | 4")
    assert rows_of(imported(path, "markdown").table) == [("x_1", 1.0, 2), ("y", 3, 4)]
    assert "A*" in imported(path, "markdown").table.columns


def test_damaged_markdown(tmp_path):
    refused(write(tmp_path, "t.md", "text"), "markdown", "t.md must hold one table.*got 0")
    refused(write(tmp_path, "t.md", MARKDOWN * 2), "markdown", "must hold one table.*got 2")
    ragged = MARKDOWN.replace("| 0.5 |", "|")
    refused(write(tmp_path, "t.md", ragged), "markdown", "row 3 of the table has 2 cells for the 3")
    twice = MARKDOWN.replace("`RF`", "SVM")
    refused(write(tmp_path, "t.md", twice), "markdown", "column names must be distinct")
    refused(write(tmp_path, "t.md", "|a|b|\n|-|-|\n"), "markdown", "a header and a row below it")


# ---------------------------------------------------------------------------------- LaTeX

LATEX = r"""\begin{table}[t]
\caption{Accuracy \& time}  % of all
\begin{tabular}{@{}l*{2}{cc}@{}}
\toprule
 & \multicolumn{2}{c}{Accuracy} & \multicolumn{2}{c}{Time} \\
\cmidrule(lr){2-3} \cmidrule(lr){4-5}
Data set & SVM & \textsc{RF} & SVM & \textsc{RF} \\ \midrule
\multicolumn{5}{l}{\textit{Small}} \\
iris\_v2 & \textbf{0.95} & $0.9$ & 3 & 12.5\\[2pt]
wine     & {\bf 0.75} & \underline{\textbf{0.8}} & -- & 4 \\
% zoo & 1 & 1 & 1 & 1 \\
\bottomrule
\end{tabular}
\end{table}
"""


def test_latex(tmp_path):
    path = write(tmp_path, "t.tex", LATEX)
    assert recognised(path) == "latex"
    made = imported(path, "latex")
    assert list(made.table.columns) == [
        "Data set",
        "Accuracy / SVM",
        "Accuracy / RF",
        "Time / SVM",
        "Time / RF",
    ]
    assert rows_of(made.table) == [("iris_v2", 0.95, 0.9, 3, 12.5), ("wine", 0.75, 0.8, None, 4)]
    assert made.notes == (
        ("header", "Names in 2 rows of the header were joined."),
        ("left-out", "Rows with one cell over all columns were left out: 'Small'."),
    )


def test_latex_with_hlines_and_multirow(tmp_path):
    text = r"""\begin{tabularx}{\textwidth}{|l|l|r|} \hline
Data & Method & Score \\ \hline
\multirow{2}{*}{iris} & SVM & 1 \\ \cline{2-3}
 & RF & 2 \\ \hline
\multirow{2}{2cm}{wine} & SVM & 3 \\
 & RF & 4 \\ \hline
\end{tabularx}"""
    made = imported(write(tmp_path, "t.tex", text), "latex")
    assert rows_of(made.table) == [
        ("iris", "SVM", 1),
        ("iris", "RF", 2),
        ("wine", "SVM", 3),
        ("wine", "RF", 4),
    ]
    assert made.notes == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (r"\end{tabular}", "", "t.tex must hold one whole tabular"),
        (r"\begin{tabular}", "", "t.tex must hold one whole tabular; got 0"),
        (r"\bottomrule", r"\begin{tabular}{l} a \end{tabular}", "got 2 that begin"),
        (r"{@{}l*{2}{cc}@{}}", "{l", "t.tex has an open brace"),
        (r"\multicolumn{2}{c}{Time}", "Time", "t.tex, row 2 of the table has 5 cells for the 4"),
        (r"\multicolumn{2}{c}{Time}", r"\multicolumn{2x}{c}{Time}", "must have a number; got '2x'"),
        (r"\multicolumn{2}{c}{Time}", r"\multicolumn{2}{c}", "t.tex ends within a command"),
        (r"\multicolumn{5}", r"\multicolumn{9999}", "row 3 of the table has 9999 cells for the 5"),
    ],
)
def test_damaged_latex(old, new, message, tmp_path):
    refused(write(tmp_path, "t.tex", LATEX.replace(old, new, 1)), "latex", message)


# ----------------------------------------------------------------------------------- HTML


def test_html(tmp_path):
    path = write(tmp_path, "t.html", HTML)
    assert recognised(path) == "html"
    made = imported(path, "html")
    assert list(made.table.columns) == ["dataset", "acc / A & B", "acc / C 2"]
    assert made.table.labels("dataset") == ["iris", "007", "zoo", "yeast"]
    scores = [(0.95, 0.9), (0.75, 0.5), (0.25, 1e-3), (0.25, 0.5)]
    assert [row[1:] for row in rows_of(made.table)] == scores


def test_html_without_a_marked_header(tmp_path):
    text = "<table><tr><td>d</td><td>A</td></tr><tr><td>x</td><td>1</td></tr></table>"
    assert rows_of(imported(write(tmp_path, "t.htm", text), "html").table) == [("x", 1)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" ", "must hold one table in HTML; got 0"),
        (HTML * 2, "got 2"),
        ("<table>", "a header and a row below it"),
        ("<table><td>a</table>", "a header and a row below it"),
        ("<table><tr><td colspan=999999>a<tr><td>1", "at most 16,384 are read"),
        ("<table>" + "<table>" * 5000, "got 5001"),
        ("<table><tr><th>a<th>b<tr><td>1", "row 2 of the table has 1 cells for the 2"),
    ],
)
def test_damaged_html(text, message, tmp_path):
    refused(write(tmp_path, "t.html", text), "html", rf"t\.html .*{message}|t\.html, {message}")


def test_html_in_comments_is_no_table(tmp_path):
    text = HTML.replace("<tr><th>iris", "<!-- <table> --><tr><th>iris").replace("0.9<", "0.9 < 1<")
    made = imported(write(tmp_path, "t.html", text), "html")
    assert made.table["acc / C 2"][0] == "0.9 < 1"


@pytest.mark.parametrize("part", ["<!--", "<", "</", "<![CDATA[", "<?", "<b ", "<b a='>"])
def test_open_tags_take_no_time(part, tmp_path):
    text = HTML.replace("iris", "iris" + part * 20_000)
    with contextlib.suppress(DataError):
        imported(write(tmp_path, "t.html", text), "html")


@pytest.mark.slow
def test_open_ends_of_rows_take_no_time(tmp_path):
    text = LATEX.replace("wine", "wine " + "\\\\[" * 20_000)
    refused(write(tmp_path, "t.tex", text), "latex", "row 5 of the table has 1 cells for the 5")


# --------------------------------------------------------------------------------- folders


def test_a_pattern_of_files(tmp_path):
    for algorithm in ("svm", "rf"):
        for dataset in ("iris", "wine"):
            text = f"seed,acc\n1,0.{len(algorithm)}\n2,0.{len(dataset)}\n"
            write(tmp_path, f"results/{algorithm}/{dataset}.csv", text)
    write(tmp_path, "results/readme.txt", "text")
    path = tmp_path / "results" / "{algorithm}" / "{dataset}.csv"
    assert recognised(path) == "folder"
    assert label("folder", path) != label("folder", tmp_path) == "tables in a folder"
    made = imported(path, "folder")
    assert list(made.table.columns) == ["algorithm", "dataset", "seed", "acc"]
    assert rows_of(made.table)[:3] == [
        ("rf", "iris", 1, 0.2),
        ("rf", "iris", 2, 0.4),
        ("rf", "wine", 1, 0.2),
    ]
    assert made.table.n_rows == 8
    assert made.reading == {"algorithm": "algorithm", "dataset": "dataset"}


def test_other_words_become_columns(tmp_path):
    write(tmp_path, "svm/svm-test-s1.csv", "dataset,score\niris,90%\nwine,\n")
    write(tmp_path, "svm/svm-test-s2.csv", "dataset,score\niris,70%\nwine,none given\n")
    made = imported(tmp_path / "{algorithm}/{algorithm}-{split}-s{run}.csv", "folder")
    assert rows_of(made.table) == [
        ("svm", "test", "1", "iris", "90%"),
        ("svm", "test", "1", "wine", None),
        ("svm", "test", "2", "iris", "70%"),
        ("svm", "test", "2", "wine", "none given"),
    ]
    assert made.reading == {"algorithm": "algorithm", "run": "run"}
    text = TextFormat(missing=frozenset({"", "none given"}))
    known = made.table.read_as(text, ["score"])
    assert rows_of(known)[2] == ("svm", "test", "2", "iris", 70.0)
    assert known.percents("score").tolist() == [True, False, True, False]


def test_a_folder_of_files(tmp_path):
    for name in ("a", "b"):
        write(tmp_path, f"{name}.csv", "d,s\nx,1\n")
    write(tmp_path, "notes.pdf", "")
    made = imported(tmp_path, "folder")
    assert rows_of(made.table) == [("a", "x", 1), ("b", "x", 1)]
    assert made.reading == {}


def test_folders_that_cannot_be_read(tmp_path):
    write(tmp_path, "a_b_c.csv", "x,s\n1,1\n")
    refused(tmp_path / "{algorithm}_{dataset}.csv", "folder", "a_b_c.csv fits .* in two ways")
    refused(tmp_path / "{x}_b_c.csv", "folder", "a_b_c.csv must have .* and none of the names 'x'")
    refused(tmp_path / "{x}.json", "folder", "There is no file")
    refused(tmp_path / "results.csv", "folder", "must be a folder, or have roles")
    write(tmp_path, "d_b_c.csv", "x,t\n1,1\n")
    refused(tmp_path / "{algorithm}_b_c.csv", "folder", "must have the columns of .*a_b_c.csv")
    empty = tmp_path / "empty"
    empty.mkdir()
    refused(empty, "folder", "There is no file")
