"""PlanBuilder: its rules, its code, the pair that is looked into, and the simulation elsewhere."""

import functools
import os
from pathlib import Path

import numpy as np
import pytest
from traitlets import TraitError

import nbcompare as nbc
from nbcompare.widgets import PlanBuilder
from nbcompare.widgets._worker import started


def scores(n=8, k=3, folds=1, runs=1):
    rng = np.random.default_rng(3)
    values = rng.normal(size=(n, k, folds, runs)) + 1.6 * np.arange(k)[:, None, None]
    return nbc.Experiment.from_array(values, direction="maximize")


SMALL = {"control": "A1", "largest": 12}
WORDS = {
    "control": (None, "A2", "best"),
    "pairs": ("auto", "ranks", "wilcoxon", "t"),
    "adjust": ("auto", None, "holm", "nemenyi", "shaffer"),
    "method": ("auto", "exact", "normal"),
    "formulas": ("corrected", "printed"),
}


class Accepted(Exception):  # noqa: N818 - no error
    """Raised in the place of a simulation: by then, all options were taken."""


@pytest.fixture
def accepts(monkeypatch):
    """Plan without simulating anything."""

    def accept(self):
        raise Accepted

    monkeypatch.setattr("nbcompare.study._plan.Search.run", accept)

    def plan(data, **options):
        with pytest.raises(Accepted):
            nbc.plan(data, **options)

    return plan


@pytest.mark.slow
def test_available_is_what_plan_accepts(offered_or_accepted, accepts):
    data = scores()
    plan = functools.partial(accepts, data)
    assert offered_or_accepted(PlanBuilder(data), plan, WORDS) == []


def test_to_write_the_code_nothing_is_simulated():
    data = scores()
    builder = PlanBuilder(data, **SMALL)
    assert builder.code.splitlines()[-2:] == [
        'result = nbc.plan(experiment, largest=12, control="A1")',
        "nbc.plots.planning_curve(result)",
    ]
    assert builder._model.results == {}


@pytest.mark.parametrize(
    ("shape", "settings"),
    [
        ((6, 3, 1, 4), {"unit": "folds"}),
        ((6, 3, 3, 1), {"unit": "runs"}),
        ((1, 3, 6, 1), {"unit": "datasets"}),
        ((1, 3, 6, 1), {"adjust": "nemenyi"}),
        ((1, 3, 1, 6), {"ratio": 0.25}),
        ((1, 3, 6, 1), {"ranking": "quade"}),
    ],
)
def test_what_the_pilot_cannot_be_planned_for_is_told_in_the_words_of_plan(shape, settings):
    data = scores(*shape)
    with pytest.raises((ValueError, TypeError)) as caught:
        nbc.plan(data, **settings)
    with pytest.raises(type(caught.value)) as told:
        PlanBuilder(data, **settings)._model.task()()
    assert str(told.value) == str(caught.value)


@pytest.mark.slow
def test_units_are_offered_where_there_is_a_choice():
    box = PlanBuilder(scores(), **SMALL)._live.open().controls["unit"]
    assert not box.is_shown
    builder = PlanBuilder(scores(runs=3), **SMALL)
    assert builder._live.open().controls["unit"].is_shown


def test_gaps_are_left_out_or_told():
    values = scores().lower.copy()
    values[0, 1] = np.nan
    builder = PlanBuilder(nbc.Experiment.from_array(values, direction="maximize"), largest=12)
    assert builder.missing == "drop"  # the only treatment there is
    with pytest.raises(TraitError, match="`experiment` has no score for 'A2 on 1'"):
        builder.missing = "raise"
    folds = scores(n=1, folds=6).lower.copy()
    folds[0, 1, 2] = np.nan  # of a single data set, nothing can be left out
    one = PlanBuilder(nbc.Experiment.from_array(folds, direction="maximize"), ratio=0.25)
    told = one._live.open().message.value
    assert "The pilot must have all folds and runs of each algorithm" in told


@pytest.mark.slow
def test_the_screen_has_the_answer_the_curve_and_the_pairs():
    builder = PlanBuilder(scores(), **SMALL)
    screen = builder._live.open()
    result = builder.result
    shown = screen.sentences.value.split("<details>")[0]
    assert result.summary in shown.replace("&#x27;", "'")
    assert "winner&#x27;s curse" in shown
    assert screen.design.value.startswith("As usual: ")
    assert "Wilcoxon's signed-rank test" in screen.design.value
    assert nbc.plots.planning_curve(result).alt in screen.figure.drawing["svg"]
    # every curve of a pair leads to the pair
    about = {names for names, _ in screen.figure._marks}
    assert set(zip(result.first, result.second, strict=True)) <= about
    (pick, *_) = builder._model.picks(builder._model.choices.state(), ("A2", "A1"))
    assert (pick.label, pick.setting, pick.value) == ("Show this pair", "pair", ("A2", "A1"))
    builder.pair = ("A1", "A3")  # in the other order, as a row of a table may have it
    told, scatter = builder._model.details().shown
    row = list(zip(result.first, result.second, strict=True)).index(("A3", "A1"))
    needed = result.needed
    assert (needed.n[row], needed.upper[row]) == (0, 0)
    assert told.startswith("A3 and A1: p in the pilot ")
    assert f"data sets needed > 12; interval from {needed.lower[row]} on" in told
    assert scatter.alt == nbc.plots.pair_scatter(nbc.compare_pair(scores(), "A3", "A1")).alt
    builder.algorithms = ["A1", "A3"]
    builder.pair = None
    assert builder._model.details().pair == ("A3", "A1")


@pytest.mark.slow
def test_the_number_of_processes_changes_no_result():
    builder = PlanBuilder(scores(), **SMALL)
    result = builder.result
    builder.n_jobs = 1
    assert builder.result is result
    assert 'control="A1", n_jobs=1)' in builder.code


def test_what_takes_long_is_known_before(demsar):
    assert PlanBuilder(demsar)._model.estimate() > 20  # measured: 16 s of processor time
    small = PlanBuilder(scores(), **SMALL)._model.estimate()
    assert 10 < small < 15  # 0.3 s, and never in the kernel
    assert PlanBuilder(scores(runs=3), unit="runs")._model.estimate() > 10


# --------------------------------------------------------------------- simulated elsewhere


@pytest.mark.slow
async def test_a_curve_is_refined_and_says_that_it_is_preliminary(demsar, drawn, monkeypatch):
    """Drafts are for the screen: observers, the code and the cell get the plan itself."""
    builder, found, drafts, figures = PlanBuilder(demsar, largest=60), [], [], []
    builder.observe(lambda change: found.append(change.new), "result")
    live, screen = builder._live, builder._live.open()

    def note(content):
        patch = content["patch"]
        said = patch.get(screen.message.id, {}).get("value", "")
        if "The plan below is preliminary: it is made of the first" in said:
            left = str(live.bundles(screen))
            drafts.append((list(found), dict(builder._model.results), left))
            assert "The view below" not in screen.progress.told()
        figures.extend(it for it in patch.get(screen.figure.id, ()) if it == "drawing")

    builder.open()
    monkeypatch.setattr(builder, "send", note)
    await drawn(builder)
    assert drafts
    for told, results, left in drafts:
        assert (told, results) == ([], {})
        assert "There is no result to show here." in left
    assert len(figures) > len(drafts)  # and the last one is of the plan itself
    assert "preliminary" not in screen.message.value
    assert not screen.progress.running
    (shown,) = found
    assert shown.to_json() == nbc.plan(demsar, largest=60).to_json()
    builder.close()


@pytest.mark.slow
async def test_cancelled_a_preliminary_plan_stays_and_says_what_it_is(make, until, drawn):
    builder = PlanBuilder(make(30, 7), largest=500)  # far from its end when it is cancelled
    live, screen = builder._live, builder._live.open()
    await until(lambda: screen.figure.drawing)
    curve = screen.figure.drawing
    screen.progress.button.click()
    assert not live.worker.busy
    told = screen.message.value
    assert "Cancelled. The plan below is preliminary" in told
    assert "Change a setting to continue." in told
    assert screen.figure.drawing == curve
    live._act("power", 2)  # refused: the view is still what it was
    assert "The plan below is preliminary" in screen.message.value
    builder.largest = 5  # of another plan, until there is a draft of this one
    await until(lambda: live.worker.busy)
    assert "The view below shows the previous settings." in screen.progress.text.value
    assert "preliminary" not in screen.message.value
    await drawn(builder)
    assert live._shown.largest == 5
    builder.largest = 500
    await until(lambda: screen.figure.drawing != curve and live._model.has_draft)
    screen.progress.button.click()
    builder.largest = 5
    await drawn(builder)
    assert "preliminary" not in screen.message.value
    builder.close()


@pytest.mark.slow
def test_the_result_of_a_builder_is_never_a_draft():
    data = scores()
    builder = PlanBuilder(data, **SMALL)
    model = builder._model
    model.draft = model.key(), "a draft"
    assert model.result == "a draft"
    assert builder.result.largest == 12
    assert builder.figure is builder.figure
    model.draft = model.key(), "a draft"
    assert model.result is builder.result  # what is known is better
    model.draft = model.key(), "a draft"
    builder.data = scores(n=9)
    assert builder.result.n_pilot == 9


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes")
async def test_a_worker_is_ended_with_those_that_share_its_work(until):
    from nbcompare.widgets import _worker

    program = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)"
    )
    process = started(program)
    child = int(process.stdout.readline())
    os.kill(child, 0)  # it runs
    _worker.end(process)
    await until(lambda: not _runs(child))


def _runs(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    # one that has ended may wait for somebody to ask for it
    return "\nState:\tZ" not in Path(f"/proc/{number}/status").read_text(encoding="utf-8")
