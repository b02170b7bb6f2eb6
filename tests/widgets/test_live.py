"""Builders on a screen, as in a kernel but without a page."""

import json
import pickle
import signal
import subprocess
import sys
import threading

import pytest
from ipywidgets.widgets.widget import _instances as alive

import nbcompare as nbc
from nbcompare.widgets import CDDiagramBuilder, _live, _worker
from nbcompare.widgets._worker import Task, Worker
from nbcompare.widgets.cd_diagram import RankModel

pytestmark = pytest.mark.slow


def choose(builder, name, word):
    """What a person does with a list."""
    control = builder._live.screen.controls[name]
    control.arrive({"index": control.words.index(word)})


async def test_code_moves_the_controls_and_observers_hear_of_results(demsar, drawn):
    builder = CDDiagramBuilder(demsar)
    results, levels = [], []
    builder.observe(lambda change: results.append(change.new), "result")
    builder.observe(lambda change: levels.append(change.new), "alpha")
    screen = builder._live.open()
    for level in (0.3, 0.1):
        builder.alpha = level
    with builder.hold():
        builder.alpha = 0.2
        builder.control = "C4.5"
    assert screen.controls["alpha"].value == 0.2
    await drawn(builder)
    assert levels == [0.3, 0.1, 0.2]
    assert len(results) == 2  # changes in a row are drawn once
    assert results[-1] is builder.result


async def test_what_is_not_available_is_not_offered_and_says_why(demsar, drawn):
    builder = CDDiagramBuilder(demsar, pairs="ranks", adjust="nemenyi")
    screen = builder._live.open()
    adjust = screen.controls["adjust"]
    assert adjust.note == []
    choose(builder, "control", "C4.5")
    assert "Adjustment is now “auto (as recommended)”, not “Nemenyi”" in screen.message.value
    await drawn(builder)
    reason = "such procedures are for comparisons of all pairs, and there is a control"
    names = ["Nemenyi", "Shaffer", "Bergmann–Hommel"]
    disabled = [(adjust.options.index(name), reason) for name in names]
    assert adjust.off == disabled
    assert adjust.note == [f"Nemenyi, Shaffer and Bergmann–Hommel disabled: {reason}"]
    assert "Adjustment is now “auto (as recommended)”, not “Nemenyi”" in screen.message.value
    builder.alpha = 0.2
    assert screen.message.value == ""
    screen.controls["alpha"].arrive({"value": 7})
    assert screen.controls["alpha"].value == builder.alpha == 0.2
    assert "“Alpha” must be a number between 0 and 1, exclusive; got 7." in (screen.message.value)


async def test_data_that_cannot_be_compared_leave_the_last_view(demsar, drawn):
    builder = CDDiagramBuilder(demsar)
    screen = builder._live.open()
    before = screen.sentences.value
    screen.controls["datasets"].arrive({"ticked": [0]})
    await drawn(builder)
    assert "must hold at least 2 data sets to compare; got 1." in screen.message.value
    assert "The view below shows the previous settings." in screen.message.value
    assert screen.sentences.value == before
    screen.controls["datasets"].arrive({"ticked": []})  # none at all
    assert builder.datasets == demsar.datasets[:1]
    assert screen.controls["datasets"].ticked == [0]


def _escaped(text):
    return text.replace("<", "&lt;")


def test_without_a_loop_it_is_drawn_when_it_is_displayed(demsar):
    builder = CDDiagramBuilder(demsar)
    screen = builder._live.open()
    builder.alpha = 0.31
    assert screen.controls["alpha"].value == 0.31
    assert "0.31" not in screen.sentences.value
    builder._live.open()
    assert "0.31" in screen.sentences.value


def test_without_widgets_there_is_text(demsar, capsys):
    builder = CDDiagramBuilder(demsar)
    builder._ipython_display_()
    shown = capsys.readouterr().out
    assert str(builder.result) in shown
    assert builder.code in shown
    assert builder._live.screen is None


# ------------------------------------------------------------------------ long computations


@pytest.fixture
def slow_levels(monkeypatch):
    """Levels above 0.1 seem to take long."""
    monkeypatch.setattr(RankModel, "seconds", lambda self, state: state.alpha * 10)


@pytest.fixture
def begun(until):
    """Have a builder compute elsewhere, and wait until that has begun; the process."""

    async def begun(builder):
        builder.alpha = 0.15
        await until(lambda: builder._live.worker.busy)
        return builder._live.worker._process

    return begun


async def test_long_computations_run_elsewhere(demsar, drawn, begun, slow_levels, monkeypatch):
    builder = CDDiagramBuilder(demsar)
    screen = builder._live.open()
    before = screen.sentences.value
    monkeypatch.setattr(Task, "__call__", lambda self: pytest.fail("computed here"))
    process = await begun(builder)
    assert screen.progress.box.is_shown
    assert screen.sentences.value == before
    builder.alpha = 0.05  # which is there: nobody waits for the other
    assert process.poll() is not None
    assert not screen.progress.running
    builder.alpha = 0.25
    await drawn(builder)
    assert not screen.progress.running
    assert "at a family-wise error rate of 0.25" in screen.sentences.value
    monkeypatch.undo()
    expected = nbc.compare(demsar, **builder._model.choices.arguments())
    assert builder.result.to_json() == expected.to_json()
    builder._live.worker.cancel()


async def test_cancelled_computations_leave_the_last_view(demsar, begun, monkeypatch):
    builder = CDDiagramBuilder(demsar)
    screen = builder._live.open()
    before = screen.sentences.value
    monkeypatch.setattr(RankModel, "seconds", lambda self, state: 9.0)
    process = await begun(builder)
    screen.progress.button.click()
    assert process.poll() is not None
    assert "Cancelled. The view below shows the previous settings" in screen.message.value
    assert screen.sentences.value == before
    assert not screen.progress.box.is_shown
    # the result can still be had, here
    assert builder.result.alpha == 0.15


async def test_another_view_does_not_begin_a_computation_anew(
    demsar, until, drawn, begun, slow_levels
):
    builder = CDDiagramBuilder(demsar)
    builder._live.open()
    process = await begun(builder)
    builder.view = "bars"
    await until(lambda: not builder._live.redraw.waiting)
    assert builder._live.worker._process is process
    await drawn(builder)
    assert builder.figure.alt == nbc.plots.rank_bars(builder.result).alt
    assert builder._live.screen.figure.drawing["svg"].count(_escaped(builder.figure.alt)) == 1
    builder.close()


async def test_an_answer_is_kept_for_what_was_asked(demsar, until, drawn, begun, slow_levels):
    builder = CDDiagramBuilder(demsar)
    builder._live.open()
    await begun(builder)
    with builder.hold():  # nobody has been told yet that it is another level
        builder.alpha = 0.01
        await until(lambda: not builder._live.worker.busy)
    await drawn(builder)
    assert builder.result.alpha == 0.01
    assert "at a family-wise error rate of 0.01" in builder._live.screen.sentences.value
    builder.close()


async def test_other_data_are_not_answered_for_the_ones_before(make, drawn, begun, monkeypatch):
    monkeypatch.setattr(RankModel, "seconds", lambda self, state: 2.0)
    builder = CDDiagramBuilder(make(8, 3, seed=1), pairs="ranks", adjust="holm")
    builder._live.open()
    await begun(builder)
    builder.experiment = make(8, 3, seed=2)  # of the same names
    await drawn(builder)
    expected = nbc.compare(make(8, 3, seed=2), **builder._model.choices.arguments())
    assert builder.result.to_json() == expected.to_json()
    builder.close()


async def test_closed_it_leaves_nothing_and_opens_again(demsar, begun, monkeypatch):
    before = set(alive)
    builder = CDDiagramBuilder(demsar)
    builder._live.open()
    builder.open()
    assert len(set(alive) - before) == 2  # itself and its layout
    monkeypatch.setattr(RankModel, "seconds", lambda self, state: 2.0)
    process = await begun(builder)
    builder.close()
    assert process.poll() is not None
    assert set(alive) <= before
    assert not builder._live.redraw.waiting
    builder.alpha = 0.2
    assert builder.result.alpha == 0.2
    assert "at a family-wise error rate of 0.2" in builder._live.open().sentences.value
    builder.close()


def test_without_a_loop_no_process_is_begun(demsar, monkeypatch):
    monkeypatch.setattr(RankModel, "seconds", lambda self, state: 99.0)
    builder = CDDiagramBuilder(demsar)
    assert "at a family-wise error rate of 0.05" in builder._live.open().sentences.value
    assert not builder._live.worker.busy
    assert builder._live.worker._process is None


def test_a_task_ends_with_the_kernel_however_that_ended(make):
    """Reading ends on its side; nobody is left who could kill it."""
    data = nbc.datasets.load("stochastic_regression")
    slow = {"procedure": "fuzzy", "test": "permutation", "method": "resampling"}  # minutes
    process = _worker.started()
    pickle.dump(Task("compare", make(4, 3), {}), process.stdin)
    process.stdin.flush()
    assert pickle.load(process.stdout) == ("begin",)
    kind, result = pickle.load(process.stdout)
    assert (kind, result.design.n_datasets) == ("done", 4)
    pickle.dump(Task("compare_stochastic", data, slow), process.stdin)
    process.stdin.close()
    try:
        assert process.wait(5) in (0, -signal.SIGKILL)  # with what shares its work, if it can
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


async def test_errors_of_the_other_process_are_sentences(demsar, until):
    worker, outcomes = Worker(), []
    for data in (demsar.select(datasets=demsar.datasets[:1]), demsar):
        worker.start(Task("compare", data, {}), outcomes.append)
        process = worker._process
        await until(lambda: not worker.busy)
    assert worker._process is process  # it stays warm
    assert isinstance(outcomes[0], nbc.DataError)
    assert "at least 2 data sets" in str(outcomes[0])
    assert outcomes[1].to_json() == nbc.compare(demsar).to_json()
    process.kill()
    worker.start(Task("compare", demsar, {}), outcomes.append)
    await until(lambda: not worker.busy)
    worker.cancel()
    # it ended by itself, or was found so and another took its place
    assert isinstance(outcomes[2], RuntimeError | nbc.Comparison)


async def test_a_view_of_other_settings_says_so_until_it_is_gone(demsar, drawn, begun):
    """Whatever else there is to say: a refusal, or a setting of a new figure."""

    builder = CDDiagramBuilder(demsar)
    screen = builder._live.open()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(RankModel, "seconds", lambda self, state: 9.0)
        await begun(builder)
        screen.progress.button.click()
    behind = "The view below shows the previous settings."
    assert f"Cancelled. {behind} Change a setting to continue." in screen.message.value
    builder._live._act("alpha", 2)
    assert "“Alpha” must be" in screen.message.value
    assert behind in screen.message.value
    builder.view = "bars"
    await drawn(builder)
    assert behind not in screen.message.value
    builder._live._act("alpha", 2)
    assert behind not in screen.message.value
    builder.close()


def refuse_threads(self):
    raise RuntimeError("can't start new thread")


class Ended(subprocess.Popen):
    """A process that a sandbox ends before it reads anything."""

    def __init__(self, command, **options):
        super().__init__([*command[:-1], "raise SystemExit"], **options)


def refuse_processes(*_, **__):
    raise BlockingIOError(11, "Resource temporarily unavailable")


@pytest.mark.parametrize(
    ("place", "name", "refuse", "why"),
    [
        (subprocess, "Popen", refuse_processes, "Resource temporarily unavailable"),
        (threading.Thread, "start", refuse_threads, "can&#x27;t start new thread"),
        (subprocess, "Popen", Ended, "it ended before it began"),
        (sys, "executable", None, "no program of Python is known"),
    ],
)
async def test_without_another_process_the_kernel_computes_and_says_so(
    demsar, drawn, until, monkeypatch, place, name, refuse, why
):
    monkeypatch.setattr(RankModel, "seconds", lambda self, state: 99.0)

    builder, found = CDDiagramBuilder(demsar), []
    monkeypatch.setattr(place, name, refuse)
    builder.observe(lambda change: found.append(change.new.alpha), "result")
    screen = builder._live.open()
    await drawn(builder)
    builder.alpha = 0.15
    await until(lambda: 0.15 in found)
    await drawn(builder)
    assert found == [0.05, 0.15]
    told = screen.message.value.replace("[Errno 11] ", "")
    assert f"No other process can compute it ({why}" in told
    assert "the kernel computed it" in screen.message.value
    assert "at a family-wise error rate of 0.15" in screen.sentences.value
    assert not screen.progress.running
    builder.close()


async def test_an_interrupted_cell_leaves_a_builder_that_can_be_displayed(demsar, monkeypatch):
    def interrupted(self):
        raise KeyboardInterrupt

    builder = CDDiagramBuilder(demsar)
    with monkeypatch.context() as patched:
        patched.setattr(Task, "__call__", interrupted)
        with pytest.raises(KeyboardInterrupt):
            builder._live.open()
    screen = builder._live.open()
    assert "at a family-wise error rate of 0.05" in screen.sentences.value
    builder.close()


async def test_steps_are_told_of_how_many(demsar, until):
    """Random draws of a Bayesian comparison, in the process that makes them."""

    worker, outcomes, told = Worker(), [], []
    task = Task("compare_bayesian", demsar, {"n_samples": 400_000, "rope": 0.01})
    worker.start(task, outcomes.append, lambda *step: told.append(step))
    await until(lambda: not worker.busy)
    worker.cancel()
    assert isinstance(outcomes[0], nbc.BayesianComparison)
    assert told
    assert {step[1:] for step in told} == {(400_000, "random draws")}
    counts = [step[0] for step in told]
    assert counts == sorted(counts)
    assert counts[-1] <= 400_000


def test_what_takes_long_is_estimated_from_the_sizes(make):
    few, many = make(20, 9), make(20, 17)
    seconds = {
        (data.n_algorithms, pairs, adjust): CDDiagramBuilder(
            data, pairs=pairs, adjust=adjust
        )._model.estimate()
        for data in (few, many)
        for pairs in ("ranks", "wilcoxon")
        for adjust in ("holm", "bergmann-hommel")
    }
    assert [case for case, time in seconds.items() if time > _live.LONG] == [
        (17, "wilcoxon", "bergmann-hommel")
    ]


def test_the_still_view_says_that_it_is_older_until_it_is_exchanged(monkeypatch):
    left = []

    def leave(data, *, display_id, **_):
        left.append((display_id, data))

    monkeypatch.setattr(_live, "display", leave)
    builder = nbc.CDDiagramBuilder(nbc.datasets.load("demsar2006"))
    builder.open()
    live = builder._live
    live._left = live._state()
    live.mark_snapshot()
    live.leave_snapshot()
    assert left == []
    builder.alpha = 0.1
    live.draw()
    live.mark_snapshot()
    ((place, note),) = left
    assert place.endswith("-text")
    told = " ".join(note["text/plain"].split())
    assert "earlier than the last state, that of CDDiagramBuilder, set to alpha=0.1" in told
    assert len(json.dumps(note)) < 5_000  # bytes; a figure has a hundred thousand
    left.clear()
    builder.rest()
    assert [place.rpartition("-")[2] for place, _ in left] == ["figure", "text"]
    assert "last state of CDDiagramBuilder, set to alpha=0.1" in left[1][1]["text/html"]
    left.clear()
    # what is taken back before it is exchanged is no longer older
    builder.alpha = 0.2
    live.draw()
    live.mark_snapshot()
    builder.undo()
    live.draw()
    builder.rest()
    assert len(left) == 3
    assert "set to alpha=0.1" in left[-1][1]["text/html"]
