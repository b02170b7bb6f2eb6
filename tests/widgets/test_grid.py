"""The grid of a DataBuilder: all rows in blocks, cells that are edited, and what is wrong."""

import pytest

import nbcompare as nbc


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"d{row},0.{row % 7 + 1},0.{row % 5 + 2}\n" for row in range(1_000))
    (tmp_path / "t.csv").write_text(f"dataset,A,B\n{rows}")
    return "t.csv"


def grid_of(builder, sent):
    grid = builder.widget._live.screen.head
    grid.send = lambda message, buffers=(): sent.append(message)
    return grid


@pytest.mark.slow
def test_rows_come_in_blocks(table):
    sent = []
    grid = grid_of(nbc.DataBuilder(table, direction="maximize"), sent)
    assert (grid.n_rows, len(grid.rows)) == (1_000, 100)
    for first in (900, 1_000, -1, "x", 950):
        grid.hear({"first": first}, ())
    assert [(one["first"], len(one["rows"])) for one in sent] == [(900, 100), (950, 50)]
    assert sent[0]["rows"][0] == ["d900", "0.5", "0.2"]


@pytest.mark.slow
def test_an_edit_is_a_step_that_can_be_undone(table):
    sent = []
    builder = nbc.DataBuilder(table, direction="maximize")
    grid = grid_of(builder, sent)
    version = grid.version
    grid.hear({"edits": [[900, 1, "0.99"], [0, 2, "0.98"], [5_000, 1, "x"], [0, 9, "x"]]}, ())
    assert builder.edits == ((901, "A", "0.99"), (1, "B", "0.98"))
    assert builder.experiment.mean_scores[[0, 900], [1, 0]].tolist() == [0.98, 0.99]
    assert 'edits=[[901, "A", "0.99"], [1, "B", "0.98"]]' in builder.code
    builder._live.draw()
    assert (grid.edited, grid.rows[0]) == ([[900, 1], [0, 2]], ["d0", "0.1", "0.98"])
    assert grid.version > version
    found = [one.text for one in builder._model.findings()]
    assert [text for text in found if "edited" in text] == ["Chosen: 2 cells edited."]
    # what the source has anyway is no edit
    grid.hear({"edits": [[0, 2, "0.2"]]}, ())
    assert builder.edits == ((901, "A", "0.99"),)
    builder.undo()
    builder.undo()
    assert builder.edits == ()
    builder.redo()
    assert len(builder.edits) == 2
    builder.source = table
    assert builder.edits == ()


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["maximize", None])
def test_what_is_no_number_is_said_at_its_cell(table, direction):
    builder = nbc.DataBuilder(table, direction=direction)
    grid = grid_of(builder, [])
    grid.hear({"edits": [[3, 1, "abc"], [4, 0, "a name"], [5, 1, ""]]}, ())
    builder._live.draw()
    assert grid.wrong == [[3, 1, "It must be a number, as all others of this column are."]]


def test_so_is_a_cell_of_the_source(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("dataset,A,B\nx,1,2\ny,3,4x\nz,5,6\nw,7,8\n")
    grid = grid_of(nbc.DataBuilder("t.csv", direction="maximize"), [])
    ((row, column, text),) = grid.wrong
    assert (row, column) == (1, 2)
    assert "must be a number" in text


def test_edits_of_a_dataframe_and_in_a_project(table, tmp_path):
    builder = nbc.DataBuilder(table, direction="maximize", edits=[(1, "A", "0.75")])
    nbc.Project(builder.experiment).save(tmp_path / "study.nbcompare")
    again = nbc.open_project(tmp_path / "study.nbcompare")
    assert again.given["experiment"].reading["edits"] == [[1, "A", "0.75"]]
    assert again.experiment.fingerprint == builder.experiment.fingerprint
    opened = nbc.DataBuilder(project=tmp_path / "study.nbcompare")
    assert opened.edits == builder.edits
