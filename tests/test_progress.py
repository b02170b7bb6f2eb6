"""The bar of what takes long: there when it is needed, gone afterwards."""

import subprocess
import sys

import numpy as np
import pytest
import tqdm.auto
import tqdm.notebook

import nbcompare as nbc
from nbcompare import _progress
from nbcompare._progress import Progress, tell_progress


@pytest.fixture
def bars(monkeypatch):
    made = []

    class Bar(tqdm.std.tqdm):
        def __init__(self, **options):
            super().__init__(**{**options, "disable": True})
            self.options, self.steps, self.closed = options, options["initial"], False
            made.append(self)

        def update(self, n=1):
            self.steps += n

        def close(self):
            self.closed = True

    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    return made


def scores(n, k, seed=6):
    values = np.random.default_rng(seed).random((n, k))
    return nbc.Experiment.from_array(values, direction="maximize")


def test_what_is_quick_has_none(bars):
    nbc.sensitivity(scores(20, 3))
    nbc.contrast_estimation(scores(6, 3), n_resamples=30)
    assert bars == []


def test_what_is_slow_has_one_that_goes(bars, monkeypatch):
    monkeypatch.setattr(_progress, "PATIENCE", -1.0)
    nbc.sensitivity(scores(20, 3))
    (bar,) = bars
    assert (bar.options["total"], bar.steps, bar.closed) == (20, 20, True)
    assert bar.options["leave"] is False
    nbc.contrast_estimation(scores(6, 3), n_resamples=30)
    assert bars[1].closed
    assert bars[1].steps == 30


def test_a_bar_starts_no_process():
    """The lock of tqdm is one of processes, too: Python 3.14 starts a program for it."""
    code = (
        "import sys; from nbcompare._progress import bar_of;"
        " bar = bar_of(total=2); bar.update(); bar.close();"
        " import tqdm; assert not hasattr(tqdm.tqdm, '_lock');"
        " assert 'multiprocessing.synchronize' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_interrupt_ends_it(bars, monkeypatch):
    monkeypatch.setattr(_progress, "PATIENCE", -1.0)

    def interrupted():
        with Progress("steps", 3) as bar:
            bar.update()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert bars[0].closed


def test_the_bar_of_a_notebook_leaves_no_widgets(monkeypatch):
    from ipywidgets.widgets import widget

    monkeypatch.setattr(_progress, "PATIENCE", -1.0)
    monkeypatch.setattr(tqdm.auto, "tqdm", tqdm.notebook.tqdm)
    monkeypatch.setattr(tqdm.notebook, "display", lambda _: None)
    before = set(widget._instances)
    with Progress("steps", 3) as bar:
        bar.update()
        assert len(widget._instances) > len(before)
        bar.update(2)
    left = [type(widget._instances[name]).__name__ for name in set(widget._instances) - before]
    assert left == ["Layout"]  # of the box, whose model tqdm has closed


class Heard:
    """A listener that keeps what it was told."""

    def __init__(self):
        self.told, self.drafts = [], []

    def tell(self, done, total, noun):
        self.told.append((done, total, noun))

    def show(self, draft):
        self.drafts.append(draft)


def test_a_listener_is_told_in_the_place_of_a_bar(bars, monkeypatch):
    monkeypatch.setattr(_progress, "PATIENCE", -1.0)
    monkeypatch.setattr(_progress, "_OFTEN", -1.0)
    heard = Heard()
    with tell_progress(heard):
        nbc.contrast_estimation(scores(6, 3), n_resamples=30)
        with Progress("steps", None) as bar:
            bar.update()  # nobody knows of how many
            bar.expect(4)
            with Progress("parts of a step", 2) as parts:
                parts.update()
            bar.update(2)
    assert heard.told[0][1:] == (30, "resamples")
    assert heard.told[-2][0] == 30
    assert heard.told[-1] == (3, 4, "steps")
    assert [bar.options["desc"] for bar in bars] == ["parts of a step"]
    bars.clear()
    nbc.contrast_estimation(scores(6, 3), n_resamples=30)
    assert len(bars) == 1  # afterwards nobody is told


def test_drafts_are_made_for_a_listener_now_and_then(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(_progress, "_FIRST_DRAFT", 0.45)
    monkeypatch.setattr(_progress.time, "monotonic", lambda: clock[0])
    heard = Heard()

    def steps():
        with Progress("steps", 100) as bar:
            for step in range(100):
                clock[0] += 0.1
                bar.offer(lambda step=step: step)

    steps()
    with tell_progress(heard):
        steps()
    # after the fifth step, and again whenever half as much time has gone by
    gaps = np.diff(heard.drafts)
    assert heard.drafts[0] == 4
    assert 4 < len(heard.drafts) < 12
    assert (np.diff(gaps) >= -1).all()
