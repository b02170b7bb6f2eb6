"""Live tables: what the page is sent, and what it may send."""

import json

import pytest

import nbcompare as nbc
from nbcompare._render import Column, Note, Notes, Prose, Strong, Table
from nbcompare.results import tables_of
from nbcompare.widgets import CDDiagramBuilder, FuzzyPValueBuilder, PageTrendBuilder
from nbcompare.widgets._elements import LiveTable

NAMES = ("A", "B", "<b>C</b>")


@pytest.fixture
def shown():
    """Show parts in tables of their own; what the page gets."""

    def shown(*parts, names=NAMES, selected=None, picks=True):
        widget = LiveTable(lambda pair: None)
        widget.show(parts, names, selected, picks=picks)
        return json.loads(widget.content)

    return shown


def table(headers, *rows):
    return Table(tuple(Column(one, number=i > 1) for i, one in enumerate(headers)), rows)


class TestContent:
    def test_tables_and_notes_are_complete_and_prose_is_left_out(self, shown):
        rows = [(name, f"{place}.5") for place, name in enumerate("abc" * 20)]
        cut = table(("data set", "score"), *rows).cut(5)
        notes = Notes((Note("code", "Read <this>."),))
        block, noted = shown(Prose(("No.",)), cut, notes)
        assert block["rows"] == [list(row) for row in rows[:5]]
        assert block["remainder"] == "and 55 more rows; to_frame() returns all rows"
        assert noted == {"texts": ["Read <this>."]}

    def test_what_stands_out_is_named_by_its_place(self, shown):
        (block,) = shown(table(("a", "b"), ("x", "1"), ("y", Strong("2"))))
        assert block["rows"][1] == ["y", "2"]
        assert block["strong"] == [[1, 1]]

    @pytest.mark.parametrize(
        ("rows", "names", "is_ordered", "picks"),
        [
            ([("A", "0.1"), ("<b>C</b>", "0.2")], [0], False, False),
            ([("A", "B"), ("A", "<b>C</b>")], [0, 1], False, True),
            ([("A", "B"), ("B", "A")], [0, 1], True, True),
            ([("A", "B"), ("A", "other")], [0], False, False),
            ([("A", "B"), ("all 2", "")], [0, 1], False, True),
            ([("all 2", "")], [], False, False),
            ([("Friedman", "0.1")], [], False, False),
            ([], [], False, False),
        ],
    )
    def test_rows_stand_for_the_names_that_they_begin_with(
        self, shown, rows, names, is_ordered, picks
    ):
        (block,) = shown(table(("one", "other"), *rows))
        found = [block[name] for name in ("names", "ordered", "picks", "matrix")]
        assert found == [names, is_ordered, picks, False]
        (unpicked,) = shown(table(("one", "other"), *rows), picks=False)
        assert not unpicked["picks"]

    def test_cells_of_a_matrix_stand_for_row_and_column(self, shown):
        (block,) = shown(table(("faster", "A", "B"), ("A", "", "0.1"), ("B", "0.2", "")))
        assert (block["names"], block["matrix"], block["picks"]) == ([0], True, True)


class TestMessages:
    def test_a_pair_that_is_picked(self):
        heard = []
        widget = LiveTable(heard.append)
        widget.hear({"pick": ["A", "B"]}, ())
        assert heard == [("A", "B")]


class TestBuilders:
    @pytest.mark.slow
    def test_all_rows_are_there_and_the_chosen_pair_is_told(self, make):
        builder = CDDiagramBuilder(make(20, 12), pairs="ranks", adjust="holm")
        screen = builder._live.open()
        blocks = json.loads(screen.tables.content)
        assert [len(block["rows"]) for block in blocks if "rows" in block] == [
            len(part.rows) for part in tables_of(builder.result)
        ]
        assert len(blocks[2]["rows"]) == 66
        tests = builder.result.hypotheses
        assert screen.tables.selected == [tests.first[0], tests.second[0]]
        builder.close()

    @pytest.mark.slow
    @pytest.mark.parametrize("turned", [False, True])
    def test_a_picked_pair_is_the_setting_whichever_is_first(self, demsar, turned):
        builder = CDDiagramBuilder(demsar)
        screen = builder._live.open()
        pair = builder.result.hypotheses.first[3], builder.result.hypotheses.second[3]
        screen.tables.hear({"pick": list(pair[::-1] if turned else pair)}, ())
        assert builder.pair == pair
        screen = builder._live.open()
        assert screen.tables.selected == list(pair)
        assert f"{pair[0]} and {pair[1]}: " in screen.told.value
        builder.close()

    def test_names_that_are_no_pair_change_nothing(self, demsar):
        builder = CDDiagramBuilder(demsar)
        builder._live.open().tables.hear({"pick": ["C4.5", "nobody"]}, ())
        assert builder.pair is None
        builder.close()

    @pytest.mark.slow
    def test_pairs_of_runs_and_cells_of_convergence(self):
        runs = nbc.datasets.load("stochastic_regression")
        histories = nbc.datasets.load("convergence_de")
        for builder in (
            FuzzyPValueBuilder(runs, procedure="interval"),
            PageTrendBuilder(histories, optimum_tolerance=1e-8),
        ):
            screen = builder._live.open()
            picked = [block for block in json.loads(screen.tables.content) if block.get("picks")]
            row = picked[-1]["rows"][-1]
            pair = (row[0], picked[-1]["columns"][1][0]) if picked[-1]["matrix"] else tuple(row[:2])
            screen.tables.hear({"pick": list(pair)}, ())
            assert builder.pair == pair
            builder.close()

    @pytest.mark.slow
    def test_estimates_of_too_many_scores_are_those_of_the_first_rows(self, make, monkeypatch):
        from nbcompare.widgets import _model

        monkeypatch.setattr(_model, "_MOST_ESTIMATED", 100)
        builder = CDDiagramBuilder(make(20, 12), pairs="ranks", adjust="holm")
        blocks = json.loads(builder._live.open().tables.content)
        assert [len(block["rows"]) for block in blocks if "rows" in block] == [12, 20]
        assert "and 46 more rows" in blocks[1]["remainder"]
        builder.close()
