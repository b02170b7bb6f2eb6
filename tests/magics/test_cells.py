"""``%%compare`` over a table that is pasted into the cell."""

import pytest
from IPython.core.error import UsageError

import nbcompare as nbc

SCORES = "dataset,C4.5,naive Bayes,CN2\niris,0.94,0.95,0.93\nadult,0.8,0.7,0.7\nwine,0.9,0.8,0.7\n"


def test_the_table_is_read_as_a_file_would_be(shell, displayed, here):
    (here / "scores.csv").write_text(SCORES)
    expected = nbc.compare(nbc.Experiment.read("scores.csv", direction="maximize"), control="CN2")
    done = shell.run_cell(f"%%compare --direction maximize --control CN2 --as first\n{SCORES}")
    done.raise_error()
    assert done.result is shell.user_ns["first"]
    assert done.result.to_json() == expected.to_json()
    assert len(displayed) == 1


def test_a_table_from_a_spreadsheet(shell, displayed):
    pasted = "\n\n" + SCORES.replace(",", "\t").replace(".", ",")
    line = "'C4,5' 'naive Bayes' --direction maximize --decimal , --data-as read"
    result = shell.run_cell_magic("compare_pair", line, pasted)
    assert (result.first, result.second) == ("C4,5", "naive Bayes")
    assert shell.user_ns["read"].mean_scores[0].tolist() == [0.94, 0.95, 0.93]


ROWS = [line.split(",") for line in SCORES.splitlines()]
COPIED = {
    "markdown": "\n".join(
        f"| {' | '.join(row)} |" for row in [ROWS[0], ["---"] * 4, *ROWS[1:]]
    ).replace("0.95", "**0.95**"),
    "latex": "\\begin{tabular}{lrrr}\n\\toprule\n"
    + " \\\\\n".join(" & ".join(row) for row in ROWS).replace("0.95", "\\textbf{0.95}")
    + " \\\\\n\\end{tabular}",
    "html": "<table>"
    + "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in ROWS)
    + "</table>",
}


@pytest.mark.parametrize("name", COPIED)
def test_a_table_that_is_copied_from_a_document(shell, displayed, name):
    line = "--direction maximize --data-as read"
    shell.run_cell(f"%%compare {line}\n{COPIED[name]}\n").raise_error()
    assert shell.user_ns["read"].algorithms == ("C4.5", "naive Bayes", "CN2")
    assert shell.user_ns["read"].mean_scores[0].tolist() == [0.94, 0.95, 0.93]
    wrong = COPIED[name].replace("0.7", "oops", 1)
    with pytest.raises(UsageError, match=r"the cell, .*must be a number; got 'oops'"):
        shell.run_cell_magic("compare", "--direction maximize", wrong)


def test_rows_are_chosen_by_their_labels(shell, displayed):
    rows = [
        f"{data},{name},{split},0.{i}{j}{k}"
        for i, data in enumerate("xyz", 1)
        for j, name in enumerate("AB", 1)
        for k, split in enumerate(("test", "dev"), 1)
    ]
    cell = "\n".join(["dataset,algorithm,split,score", *rows])
    with pytest.raises(UsageError, match="--where split=test"):
        shell.run_cell_magic("compare", "--direction maximize", cell)
    line = "--where split=test --direction maximize --data-as read"
    result = shell.run_cell_magic("compare", line, cell)
    assert result.design.n_datasets == 3
    assert shell.user_ns["read"].mean_scores[0].tolist() == [0.111, 0.121]


def test_histories_in_a_cell(shell, displayed):
    rows = [
        f"{problem},{name},{at},{value / at}"
        for problem in ("f1", "f2", "f3")
        for name, value in (("DE", 1), ("SA", 2))
        for at in (10, 20, 30, 40)
    ]
    table = "\n".join(["problem,algorithm,evaluations,value", *rows])
    result = shell.run_cell_magic("page_trend", "--direction minimize --cutpoints 4", table)
    assert result.design.datasets == ("f1", "f2", "f3")
    assert set(result.design.algorithms) == {"DE", "SA"}


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (
            SCORES.replace("0.8,0.7,0.7", "0.8,oops,0.7"),
            "the cell, row 2 ('adult'), column 'naive Bayes' must be a number; got 'oops'.",
        ),
        # a blank line, and a label over two lines, before the row that is wrong
        (
            "\n" + SCORES.replace("iris,", '\n"Fisher\niris",').replace("0.8,0.7,0.7", "0.8,0.7"),
            "the cell, row 2 has 3 cells for the 4 names in the header; got 'adult,0.8,0.7'.",
        ),
        (
            "dataset,algorithm,score\nrow 1,a,1\nrow 1,b,2\nrow 1,a,3\n",
            "the cell: rows 1 and 3 both hold the score of dataset 'row 1', algorithm 'a'.",
        ),
        ("dataset,a,a\nx,1,2\n", "the cell: column names must be distinct; got 'a' in columns 2"),
        (
            "a;b,c;d,e\n",
            "the cell: the header could be separated by ',' and ';'. Pass --separator to settle",
        ),
        (" \n", "the cell is empty; paste a table with a header below the line."),
    ],
)
def test_mistakes_name_the_row_of_the_table(shell, displayed, cell, message):
    with pytest.raises(UsageError) as caught:
        shell.run_cell_magic("compare", "--direction maximize", cell)
    assert str(caught.value).startswith(f"%compare: {message}")
    assert displayed == []


def test_a_cell_has_no_encoding(shell):
    with pytest.raises(UsageError, match=r"--text-encoding tells how .*a cell is text"):
        shell.run_cell_magic("compare", "--text-encoding latin-1 --direction maximize", SCORES)


def test_a_cell_says_what_is_better(shell):
    with pytest.raises(UsageError, match="a table in a cell does not say what is better: add --di"):
        shell.run_cell_magic("compare", "", SCORES)
    with pytest.raises(UsageError, match="too many, since the table is in the cell: 'exp'"):
        shell.run_cell_magic("compare", "exp --direction maximize", SCORES)


def test_notes_on_a_table_that_a_line_reads_stand_below_the_result(
    shell, displayed, here, monkeypatch, capsys
):
    from dataclasses import replace

    from nbcompare._render import Note

    made = nbc.Experiment._read.__func__
    notes = (Note("guessed", "Column 'rank' was left out; pass keep=\"rank\" to keep it."),)
    monkeypatch.setattr(
        nbc.Experiment,
        "_read",
        classmethod(lambda cls, *more: replace(made(cls, *more), notes=notes)),
    )
    (here / "scores.csv").write_text(SCORES)
    told = "note: Column 'rank' was left out; pass --keep rank to keep it.\n"
    pasted = f"%%compare --direction maximize --data-as read\n{SCORES}"
    for cell in (pasted, "first = %describe scores.csv --direction maximize"):
        shell.run_cell(cell).raise_error()
        printed = capsys.readouterr().out
        assert printed.endswith(told)
        assert printed.count("note:") == 1
    assert printed == told  # a result that gets a name is not displayed
    shell.run_cell("%describe read")  # its notes were told when it was read
    assert "note:" not in capsys.readouterr().out


def test_a_line_reads_the_part_that_it_names(shell, displayed, here, monkeypatch):
    (here / "scores.csv").write_text(SCORES)
    whole = nbc.Experiment.read("scores.csv", direction="maximize")
    expected = nbc.describe(whole.select(algorithms=["CN2", "naive Bayes"], datasets=["iris"]))
    asked = []
    read = nbc.Experiment.read.__func__
    monkeypatch.setattr(
        nbc.Experiment,
        "read",
        classmethod(lambda cls, path, **more: asked.append(more) or read(cls, path, **more)),
    )
    line = "--direction maximize --algorithms 'CN2, naive Bayes' --datasets iris"
    assert shell.run_line_magic("describe", f"scores.csv {line}").to_json() == expected.to_json()
    assert shell.run_cell_magic("describe", line, SCORES).to_json() == expected.to_json()
    part = {"algorithms": ["CN2", "naive Bayes"], "datasets": ["iris"]}
    assert asked == [{"direction": "maximize", **part}] * 2
