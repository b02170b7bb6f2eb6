"""Live figures: what they send, what their parts are good for, and what a choice comes to."""

import base64
import html
import re

import matplotlib.figure
import numpy as np
import pytest
from traitlets import TraitError

import nbcompare as nbc
from nbcompare.plots import Plot
from nbcompare.widgets._figure import LiveFigure

EVIL = '<img src=x onerror="alert(1)"> & $a$'


def scores(n=12, k=4, *, runs=0, names=None):
    rng = np.random.default_rng(1)
    shape = (n, k, 2, runs) if runs else (n, k)
    steps = np.arange(k).reshape((1, k) + (1,) * (len(shape) - 2))
    values = (rng.normal(size=shape) + steps).round(2)
    return nbc.Experiment.from_array(values, direction="minimize", algorithms=names)


def histories(k=3):
    rng = np.random.default_rng(2)
    values = np.minimum.accumulate(rng.random((8, k, 12)) * (1 + np.arange(k))[:, None], axis=2)
    return nbc.Histories.from_array(values, direction="minimize")


BUILDERS = {
    "all pairs": lambda: nbc.CDDiagramBuilder(scores()),
    "control": lambda: nbc.CDDiagramBuilder(scores(), control="A2"),
    "the best as control": lambda: nbc.CDDiagramBuilder(scores(), control="best"),
    "matrix": lambda: nbc.CDDiagramBuilder(scores(), view="matrix"),
    "bars": lambda: nbc.CDDiagramBuilder(scores(), view="bars", control="A1"),
    "two algorithms": lambda: nbc.CDDiagramBuilder(scores(k=2)),
    "fuzzy": lambda: nbc.FuzzyPValueBuilder(scores(k=3, runs=3)),
    "outcomes": lambda: nbc.FuzzyPValueBuilder(scores(k=3, runs=3), view="outcome"),
    "trend": lambda: nbc.PageTrendBuilder(histories(), cutpoints=4),
}


def figure_of(builder):
    return builder._live.open().figure


def choose(figure, label, *names):
    """Choose what is offered under this label for the algorithms, as a page says it."""
    place = [about for about, _ in figure._marks].index(names)
    entries = figure.picks["lists"][figure.picks["of"][place]]
    number = [entry[0] for entry in entries].index(label)
    send(figure, figure.drawing["number"], place, number)


def send(figure, *choice):
    figure.hear({"pick": list(choice)}, [])


@pytest.mark.slow
def test_text_is_text_and_names_are_escaped():
    figure = figure_of(nbc.CDDiagramBuilder(scores(names=[EVIL, "B", "C", "D"])))
    svg = figure.drawing["svg"]
    assert "<img" not in svg
    assert html.escape(EVIL, quote=False) in re.sub(r"</?tspan[^>]*>", "", svg)
    (label,) = re.findall(r'<svg [^>]*aria-label="([^"]*)"', svg)
    assert html.unescape(label) == nbc.plots.cd_diagram(figure_result(EVIL)).alt
    assert figure.drawing["theme"] == "light"


def figure_result(name):
    return nbc.compare(scores(names=[name, "B", "C", "D"]))


def test_a_figure_without_a_record_is_a_picture():
    made = matplotlib.figure.Figure()
    ax = made.add_subplot()
    ax.imshow(np.eye(3))
    figure = LiveFigure()
    figure.show(Plot(made, ax, {}, f"An image of {EVIL}"))
    assert "svg" not in figure.drawing
    assert figure.drawing["alt"] == f"An image of {EVIL}"
    picture = base64.b64decode(figure.drawing["picture"].removeprefix("data:image/svg+xml;base64,"))
    assert b"<image " in picture
    figure.offer(lambda names, dataset: [])
    send(figure, figure.drawing["number"], 0, 0)  # of a figure that is gone
    figure.close()


@pytest.mark.parametrize("kind", BUILDERS)
def test_what_is_offered_can_be_done(kind):
    """Every entry is taken by its setting and leaves a result; every refusal is the setting's."""
    builder = BUILDERS[kind]()
    model = builder._model
    state = model.choices.state()
    figure_of(builder)
    figures = [one for one in builder._live.screen.root.elements() if isinstance(one, LiveFigure)]
    about = {about for figure in figures for about in figure._marks if any(about)}
    offered = {one for names, dataset in about for one in model.picks(state, names, dataset)}
    assert offered or kind == "two algorithms"
    for pick in offered:
        other = BUILDERS[kind]()
        if pick.refusal:
            with pytest.raises(TraitError):
                setattr(other, pick.setting, pick.value)
        else:
            setattr(other, pick.setting, pick.value)
            assert getattr(other, pick.setting) == pick.value
            assert other.result is not None


@pytest.mark.slow
async def test_a_change_is_told_at_once_and_draws_what_is_other(drawn, monkeypatch):
    builder = nbc.CDDiagramBuilder(scores())
    screen, sent = builder._live.open(), []
    builder.open()
    monkeypatch.setattr(builder, "send", lambda content: sent.append(content["patch"]))
    parts = ((screen.figure, "drawing"), (screen.code, "value"), (screen.tables, "content"))

    def heard():
        return [[name for one, name in parts if name in patch.get(one.id, ())] for patch in sent]

    builder.ranking = "quade"
    await drawn(builder)
    assert [names for names in heard() if names] == [["drawing", "value", "content"]]
    number = screen.figure.drawing["number"]
    sent.clear()
    builder.pair = ("A1", "A3")  # which changes the scatter, but not the figure
    await drawn(builder)
    assert sent
    assert not any(heard())
    assert screen.figure.drawing["number"] == number
    builder.close()


@pytest.mark.slow
def test_a_wide_diagram_is_drawn_anew_for_a_narrow_page():
    data = scores(k=6, names=[f"a name of some length, number {place}" for place in range(6)])
    builder = nbc.CDDiagramBuilder(data)
    figure = figure_of(builder)

    def size():
        svg = figure.drawing["svg"]
        found = re.search(r'width="([\d.]+)pt".*?font-size="([\d.]+)px"', svg, re.DOTALL)
        return float(found[1]) * 4 / 3, float(found[2])

    number, (wide, letters) = figure.drawing["number"], size()
    figure.arrive({"room": 0.9 * wide})  # scaled by the page
    assert figure.drawing["number"] == number
    figure.arrive({"room": 0.7 * wide})
    narrow, same = size()
    assert narrow < 0.85 * wide  # as near as the names allow
    assert same == letters
    assert figure.picks["lists"]
    choose(figure, "Make it the control", data.algorithms[0])
    assert builder.control == data.algorithms[0]
    figure.arrive({"room": 2 * wide})
    assert size() == (wide, letters)
