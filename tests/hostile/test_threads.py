"""Several threads, tasks and processes at once: options, rights, folders and settings of each."""

import asyncio
import os
import stat
import subprocess
import sys
import tempfile
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import matplotlib as mpl
import numpy as np
import pytest

import nbcompare as nbc
from nbcompare import plots
from nbcompare._display import current
from nbcompare._files import scratch_folder, write_whole
from nbcompare.widgets._worker import Task, Worker

DEMSAR = nbc.datasets.load("demsar2006")
MINUTES = 300  # after so many seconds something hangs


@pytest.fixture(autouse=True)
def quick_turns():
    """Threads take turns every few instructions, and options are as before at the end."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    with nbc.set_options():
        yield
    sys.setswitchinterval(before)


def together(*functions):
    """Run functions at the same time, each in a thread that has its own context."""
    start = threading.Barrier(len(functions))

    def run(function):
        start.wait(MINUTES)
        return function()

    with ThreadPoolExecutor(len(functions)) as threads:
        return [one.result(MINUTES) for one in [threads.submit(run, f) for f in functions]]


# ------------------------------------------------------------------------------- rights of files


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_a_new_file_has_the_rights_that_the_system_gives(tmp_path, mask):
    before = os.umask(mask)
    try:
        write_whole(tmp_path / "new", "x")
        (tmp_path / "plain").touch()
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("new", "plain")]
    assert modes == [0o666 & ~mask] * 2


def test_what_replaces_a_private_file_is_private_all_the_time(tmp_path, monkeypatch):
    target = tmp_path / "private"
    target.write_text("old")
    target.chmod(0o600)
    seen = []
    sync = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda handle: (seen.append(os.fstat(handle).st_mode & 0o777), sync(handle))
    )
    write_whole(target, "new")
    assert seen == [0o600]


# ------------------------------------------------------------------------------- options


def test_a_with_statement_is_not_seen_by_other_threads():
    """While one thread is within its statement, another sees what the process has."""
    inside, looked = threading.Event(), threading.Event()

    def within():
        with nbc.set_options(digits=7, theme="dark"):
            inside.set()
            assert looked.wait(MINUTES)
            return current()

    def outside():
        assert inside.wait(MINUTES)
        seen = current()
        looked.set()
        return seen

    seen = together(within, outside)
    assert [(one.digits, one.theme) for one in seen] == [(7, "dark"), (3, "light")]


def test_a_call_is_for_every_thread():
    code = (
        "import threading, nbcompare as nbc\n"
        "from nbcompare._display import current\n"
        "nbc.set_options(digits=5)\n"
        "seen = []\n"
        "def look():\n"
        "    seen.append(current().digits)\n"
        "    nbc.set_options(digits=6)\n"
        "thread = threading.Thread(target=look)\n"
        "thread.start(); thread.join()\n"
        "print(seen, current().digits)\n"
        "for _ in range(1000): nbc.set_options(digits=4); nbc.set_options(theme='dark')\n"
        "with nbc.set_options(theme='light'): pass\n"
        "print(current())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("[5] 6\nDisplay(digits=4, theme='dark'")


def test_statements_nest_and_calls_within_end_with_them():
    options = nbc.set_options(digits=4)
    with nbc.set_options(theme="dark"):
        nbc.set_options(digits=6)
        with nbc.set_options(digits=8) as within:
            assert (current().digits, current().theme) == (8, "dark")
            nbc.set_options(theme="light")
            with within:
                assert (current().digits, current().theme) == (8, "light")
        assert (current().digits, current().theme) == (6, "dark")
    assert (current().digits, current().theme) == (4, "light")
    for _ in range(2):
        with options:
            assert current().digits == 4
        assert current().digits == 3


def test_tasks_have_their_own_options():
    async def show(digits, all_inside):
        with nbc.set_options(digits=digits):
            await asyncio.wait_for(all_inside.wait(), MINUTES)
            return current().digits, await asyncio.to_thread(lambda: current().digits)

    async def run():
        all_inside = asyncio.Barrier(7)
        return await asyncio.gather(*(show(digits, all_inside) for digits in range(2, 9)))

    assert asyncio.run(run()) == [(digits, digits) for digits in range(2, 9)]


# ---------------------------------------------------------------------- threads that are started


def test_what_a_worker_brings_is_drawn_with_the_options_of_its_beginning():
    async def run():
        worker, brought = Worker(), asyncio.get_running_loop().create_future()
        with nbc.set_options(digits=6):
            task = Task("compare", DEMSAR, {})
            worker.start(task, lambda outcome: brought.set_result((current().digits, outcome)))
        digits, outcome = await asyncio.wait_for(brought, MINUTES)
        worker.cancel()
        return digits, outcome

    digits, outcome = asyncio.run(run())
    assert digits == 6
    assert outcome.average_ranks == nbc.compare(DEMSAR).average_ranks


# ------------------------------------------------------------------------------- figures


def test_drawing_in_threads_leaves_the_settings_of_matplotlib(tmp_path):
    """Its settings and the filters of warnings belong to the process."""
    comparison = nbc.compare(DEMSAR)
    plot = plots.cd_diagram(comparison)
    names = [f"{name}{letter}" for name, letter in zip("abc", "\u6771\u4eac\u5e02", strict=True)]
    far = nbc.Experiment.from_array(
        [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8]], direction="maximize", algorithms=names
    )
    settings, filters = dict(mpl.rcParams), list(warnings.filters)
    alone = plot._repr_mimebundle_()[0]

    def save(ending):
        def run():
            for number in range(4):
                plots.save(plot, tmp_path / f"{number}-{ending}{ending}", width=4.0)

        return run

    def show():
        return [plot._repr_mimebundle_()[0] == alone for _ in range(4)]

    def draw():
        for _ in range(4):
            plots.cd_diagram(nbc.compare(far))

    found = together(save(".svg"), save(".pdf"), save(".png"), show, show, draw)
    assert all(found[3] + found[4])
    assert dict(mpl.rcParams) == settings
    assert warnings.filters == filters


# ------------------------------------------------------------------------------- results


def test_eight_threads_find_the_same():
    """Also of what is drawn, and of what another thread may be the first to keep."""
    values = np.random.default_rng(2).normal(size=(9, 4, 1, 6))
    runs = nbc.Experiment.from_array(values, direction="minimize")

    def compute():
        made = [
            nbc.compare(runs, adjust=["shaffer", "holm"]),
            nbc.contrast_estimation(runs, n_resamples=50, rng=1),
            nbc.compare_stochastic(runs, n_resamples=50, method="resampling", rng=3),
            nbc.compare_bayesian(runs, rope=0.1, n_samples=200, rng=4),
        ]
        return [result.to_json() for result in made], [str(result) for result in made]

    assert together(*[compute] * 8) == [compute()] * 8


# Each way in which Python starts processes; what they find is what this one finds.
_STARTED = """
import multiprocessing
import nbcompare as nbc

def found(name):
    data = nbc.datasets.load_experiment(name)
    contrast = nbc.contrast_estimation(data, n_resamples=20, rng=1)
    return nbc.compare(data).to_json(), contrast.to_json()

if __name__ == "__main__":
    names = ["demsar2006", "otero2013_auc"] * 2
    expected = list(map(found, names))
    for way in multiprocessing.get_all_start_methods():
        with multiprocessing.get_context(way).Pool(2) as pool:
            assert pool.map(found, names) == expected, way
        print(way)
"""


def test_processes_find_the_same_however_they_are_started(tmp_path):
    file = tmp_path / "started.py"
    file.write_text(_STARTED, encoding="utf-8")
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "spawn" in done.stdout.split()


# ------------------------------------------------------------------------------- folders


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """A folder for what is temporary."""
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return place


def test_many_folders_at_once_are_each_one_s_own(scratch):
    def use():
        for number in range(50):
            with scratch_folder() as folder:
                (folder / "mine").write_text(str(number))
                assert (folder / "mine").read_text() == str(number)

    together(use, use, use, use)
    assert list(scratch.iterdir()) == []


def test_a_folder_of_files_that_cannot_be_written_goes_too(scratch):
    with scratch_folder() as folder:
        (folder / "locked").mkdir()
        (folder / "locked" / "file").write_text("x")
        (folder / "locked").chmod(stat.S_IRUSR | stat.S_IXUSR)
    with scratch_folder():
        pass
    assert list(scratch.iterdir()) == []


def test_a_long_path_of_temporary_folders_is_no_place_for_sockets(tmp_path, monkeypatch):
    """The kernels of the application would not be heard."""
    long = tmp_path / ("long" * 30)
    long.mkdir()
    monkeypatch.setenv("TMPDIR", str(long))
    monkeypatch.setattr(tempfile, "tempdir", None)
    with scratch_folder() as usual, scratch_folder(short=True) as short:
        assert usual.parent == long
        assert len(str(short)) < 70
    assert list(long.iterdir()) == []
