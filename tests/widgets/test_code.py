"""The code that a builder shows gives what the builder shows."""

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

import nbcompare as nbc
from nbcompare._options import OPTIONS
from nbcompare.widgets import CDDiagramBuilder, _code

GAPS = [(0, 1), (5, 3), (7, 0)]


@pytest.fixture
def named(monkeypatch):
    """A user's namespace, as builders see it."""
    space = {}
    monkeypatch.setattr(_code, "user_names", lambda: space)
    return space


def run(code, **names):
    space = dict(names)
    exec(code, space)
    return space


def found(compute):
    """A result as JSON, or what is wrong with the data."""
    try:
        return compute().to_json()
    except nbc.DataError as error:
        return str(error)


@st.composite
def chosen(draw):
    """Settings one after the other, some of which will not go with those before."""
    names = [f"A{j}" for j in range(1, 6)]
    datasets = [str(i) for i in range(1, 13)]
    words = {
        name: st.sampled_from(OPTIONS[name].choices)
        for name in ("ranking", "pairs", "formulas", "missing")
    }
    procedures = st.sampled_from((None, *OPTIONS["adjust"].choices))
    several = st.lists(
        st.sampled_from(OPTIONS["adjust"].choices[:-1]), min_size=2, max_size=3, unique=True
    )
    words |= {
        "control": st.sampled_from((None, "best", *names)),
        "adjust": st.one_of(procedures, several),
        "alpha": st.floats(0.001, 0.3),
        "algorithms": st.lists(st.sampled_from(names), min_size=2, unique=True),
        "datasets": st.lists(st.sampled_from(datasets), min_size=4, unique=True),
        "view": st.sampled_from(("cd", "bars", "matrix")),
    }
    order = draw(st.lists(st.sampled_from(list(words)), min_size=1, max_size=8, unique=True))
    return [(name, draw(words[name])) for name in order]


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(wanted=chosen(), gaps=st.booleans())
def test_code_gives_the_identical_result_and_figure(make, wanted, gaps):
    experiment = make(12, 5, missing=GAPS if gaps else ())
    builder = CDDiagramBuilder(experiment)
    for name, value in wanted:
        with contextlib.suppress(TraitError):
            setattr(builder, name, value)
    if found(lambda: builder.result).startswith("{"):
        drawing = builder.code.splitlines()[-1]
        kind = builder._model.figure_kinds[builder.view]
        assert drawing == f"nbc.plots.{kind.draw.__name__}(result)"
    # the same result; or, where the data do not go with the settings, the same error
    again = found(lambda: run(builder.code, experiment=experiment)["result"])
    assert again == found(lambda: builder.result)
    assert all(len(line) <= 88 for line in builder.code.splitlines())


def test_data_go_by_the_name_that_the_user_gave_them(named, make):
    experiment = make(8, 4)
    builder = CDDiagramBuilder(experiment)
    assert "result = nbc.compare(experiment)" in builder.code
    named["mine"] = builder
    assert builder.code.splitlines()[2:4] == [
        "experiment = mine.experiment",
        "result = nbc.compare(experiment)",
    ]
    named |= {"_": experiment, "scores": experiment}
    assert builder.code.splitlines()[2] == "result = nbc.compare(scores)"
    builder.algorithms = ["A1", "A3", "A4"]
    assert builder.code.splitlines()[2:] == [
        "selection = scores.select(",
        '    algorithms=[name for name in scores.algorithms if name != "A2"]',
        ")",
        "result = nbc.compare(selection)",
        "nbc.plots.cd_diagram(result)",
    ]
    code = builder.code
    assert run(code, scores=experiment)["result"].to_json() == builder.result.to_json()


@pytest.mark.slow
def test_strange_names_and_long_lists_stay_what_they_are(named):
    names = (
        'it"s',
        "it's",
        "a\nb",
        "back\\slash",
        "α",
        "a\u202eb",
        "$x$ {y}",
        *("x" * n for n in (40, 50, 60)),
    )
    scores = np.random.default_rng(1).normal(size=(8, len(names)))
    data = nbc.Experiment.from_array(scores, direction="maximize", algorithms=names)
    # names that nobody would write
    named |= {"_1": data, "class": data, "not it": data, "result": data}
    builder = CDDiagramBuilder(data)
    for name in data.algorithms:
        builder.control = name
        assert run(builder.code, experiment=data)["result"].control == name
    builder.algorithms = data.algorithms[::2]
    assert all(len(line) <= 88 for line in builder.code.splitlines())
    assert run(builder.code, experiment=data)["result"].to_json() == builder.result.to_json()


def test_data_without_a_name_are_loaded_again(named, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "scores.csv"
    file.write_text("dataset,A,B\nx,1,2\ny,3,5\nz,2,4\n")
    builder = CDDiagramBuilder(nbc.Experiment.read(file, direction="minimize"), ranking="quade")
    assert 'experiment = nbc.Experiment.read("scores.csv", direction="minimize")' in builder.code
    assert run(builder.code)["result"].to_json() == builder.result.to_json()
    file.write_text("dataset,A,B\nx,9,2\n")  # other data by now
    assert "read(" not in builder.code
    named["mine"] = builder.experiment
    assert "nbc.compare(mine" in builder.code
