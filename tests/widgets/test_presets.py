"""Settings in JSON files."""

import json
import re

import pytest

import nbcompare as nbc
from nbcompare.widgets import CDDiagramBuilder, FuzzyPValueBuilder, PageTrendBuilder


def state(builder):
    return {name: getattr(builder, name) for name in builder._order}


@pytest.fixture
def chosen(demsar):
    return CDDiagramBuilder(
        demsar,
        control="C4.5",
        adjust=["finner", "holm"],
        alpha=0.1,
        algorithms=demsar.algorithms[:3],
        pair=("C4.5", "C4.5+m"),
        view="bars",
    )


def test_a_preset_gives_the_same_builder(chosen, demsar, tmp_path):
    path = chosen.save_preset(tmp_path / "mine.json")
    content = json.loads(path.read_text())
    assert (content["version"], content["builder"]) == (1, "CDDiagramBuilder")
    assert content["settings"] == chosen.settings
    other = CDDiagramBuilder(demsar, datasets=demsar.datasets[:5], ranking="quade")
    before = state(other)
    other.load_preset(str(path))
    assert state(other) == state(chosen)
    other.undo()
    assert state(other) == before
    assert state(CDDiagramBuilder(demsar, preset=path)) == state(chosen)
    changed = CDDiagramBuilder(demsar, preset=str(path), alpha=0.2)
    assert (changed.alpha, changed.view) == (0.2, "bars")
    assert [file.name for file in tmp_path.iterdir()] == ["mine.json"]  # nothing beside it


def test_a_preset_that_names_nothing_of_the_data_goes_with_others(demsar, make, tmp_path):
    path = CDDiagramBuilder(demsar, ranking="aligned", alpha=0.1).save_preset(tmp_path / "p.json")
    builder = CDDiagramBuilder(make(9, 5), preset=path)
    assert (builder.ranking, builder.alpha, len(builder.algorithms)) == ("aligned", 0.1, 5)


def test_of_a_dataframe_too(demsar, tmp_path):
    path = CDDiagramBuilder(demsar, alpha=0.1).save_preset(tmp_path / "p.json")
    frame = demsar.to_frame()
    builder = CDDiagramBuilder(frame, direction="maximize", preset=path)
    assert builder.alpha == 0.1


def test_names_that_the_data_lack_are_told_all_at_once(chosen, make, tmp_path):
    path = chosen.save_preset(tmp_path / "p.json")
    data = make(9, 3)
    builder = CDDiagramBuilder(data)
    before = state(builder)
    message = (
        f"{path}: the data have no algorithm 'C4.5', 'C4.5+m' and 'C4.5+cf'; the data have 'A1', "
        "'A2' and 'A3'. Rename them in the file, or take 'control', 'algorithms' and 'pair' out "
        "of it."
    )
    for load in (builder.load_preset, lambda path: CDDiagramBuilder(data, preset=path)):
        with pytest.raises(ValueError, match=re.escape(message)):
            load(path)
    assert state(builder) == before
    assert not builder.steps.can_undo


def test_problems_and_data_sets_too(tmp_path):
    histories = nbc.datasets.load("convergence_de")
    trend = PageTrendBuilder(histories, problems=histories.problems[:4], problem="sphere (30)")
    path = trend.save_preset(tmp_path / "p.json")
    assert state(PageTrendBuilder(histories, preset=path)) == state(trend)
    text = path.read_text().replace("sphere (30)", "f2 <new>")
    path.write_text(text)
    with pytest.raises(
        ValueError, match=r"the data have no problem 'f2 <new>'; the data have 'sphere"
    ):
        PageTrendBuilder(histories, preset=path)


GOOD = {
    "form": "settings of an nbcompare builder",
    "version": 1,
    "nbcompare": "0.1.0",
    "builder": "CDDiagramBuilder",
    "settings": {},
}


def changed(**content):
    return json.dumps({**GOOD, **content})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is no JSON: Expecting value in line 1, column 1. Mend that place"),
        ('{"form": ', "is no JSON"),
        ("[1, 2]", "holds no settings of a builder. Write one with save_preset"),
        ('{"alpha": 0.1}', "holds no settings of a builder"),
        ('{"alpha": NaN}', "holds no settings of a builder: NaN is no number"),
        ("[" * 100_000, "nested too deeply"),
        (b"\xff\xfe\x00", "is no text in UTF-8"),
        (changed(version=2, nbcompare="9.1"), "was written by nbcompare 9.1, whose settings"),
        (changed(version="1"), "does not say which version"),
        (changed(version=True), "does not say which version"),
        (changed(builder="PageTrendBuilder"), "holds settings of a PageTrendBuilder, not of a CD"),
        (changed(builder=["x"]), "holds settings of a ?, not of a CDDiagramBuilder"),
        (changed(settings=[]), "must have its `settings` as an object"),
        (changed(settings={"colour": 1}), "CDDiagramBuilder has no setting 'colour'; it has"),
        (changed(settings={"alpha": "x"}), "`alpha` must be a number between 0 and 1"),
        (changed(settings={"alpha": [0.1]}), "`alpha` must be a number between 0 and 1"),
        (changed(settings={"alpha": 1e999}), "holds no settings of a builder: Infinity"),
        (changed(settings={"alpha": 0.1, "adjust": {"a": 1}}), "`adjust` must be"),
        (changed(settings={"datasets": "iris"}), "`datasets` must be"),
        (changed(settings={"datasets": 3}), "`datasets` must be"),
        (changed(settings={"control": 3}), "`control` must be"),
        (changed(settings={"pair": "C4.5"}), "`pair` must be two different algorithms"),
        (changed(settings={"control": "C4.5", "adjust": "nemenyi"}), "`adjust` must not be"),
    ],
)
def test_a_bad_file_is_named_and_changes_nothing(demsar, tmp_path, content, message):
    path = tmp_path / "bad.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    builder = CDDiagramBuilder(demsar, alpha=0.2, pairs="wilcoxon", adjust="shaffer")
    before = state(builder)
    for load in (builder.load_preset, lambda path: CDDiagramBuilder(demsar, preset=path)):
        with pytest.raises(ValueError, match=re.escape(message)) as caught:
            load(path)
        assert str(caught.value).startswith(str(path))
    assert state(builder) == before
    assert not builder.steps.can_undo


def test_no_such_file_and_no_such_folder(demsar, tmp_path):
    builder = CDDiagramBuilder(demsar)
    missing = tmp_path / "none.json"
    with pytest.raises(FileNotFoundError, match=r"there is no file .*none\.json\. Write one"):
        builder.load_preset(missing)
    with pytest.raises(FileNotFoundError, match=r"there is no file .*none\.json\."):
        CDDiagramBuilder(demsar, preset=missing)
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        builder.save_preset(tmp_path / "no" / "p.json")
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        builder.save_preset(tmp_path)
    with pytest.raises(OSError, match="cannot read"):
        builder.load_preset(tmp_path)


def test_a_preset_is_replaced_whole(chosen, demsar, tmp_path):
    path = CDDiagramBuilder(demsar).save_preset(tmp_path / "p.json")
    chosen.save_preset(path)
    assert json.loads(path.read_text())["settings"] == chosen.settings


def test_a_file_that_a_person_wrote_by_hand(demsar, tmp_path):
    path = tmp_path / "hand.json"
    path.write_bytes(b"\xef\xbb\xbf" + changed(settings={"adjust": ["holm"]}).encode())
    assert CDDiagramBuilder(demsar, preset=path).adjust == "holm"


def test_of_other_builders(tmp_path):
    runs = nbc.datasets.load("stochastic_regression")
    builder = FuzzyPValueBuilder(runs, encoding="bootstrap-mean", dataset=runs.datasets[1])
    path = builder.save_preset(tmp_path / "p.json")
    assert state(FuzzyPValueBuilder(runs, preset=path)) == state(builder)
