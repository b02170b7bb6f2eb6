"""Studies on a real cluster of Dask: processes on this machine, one of which is killed."""

import os
import signal
import threading
import time
from pathlib import Path

import joblib
import numpy as np
import pytest

from nbcompare import study
from nbcompare.study import _simulate, _store

distributed = pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # of sockets and event loops that a cluster leaves
]
HERE = Path(__file__).parent
MODEL = study.LocalMinima(n_datasets=8, n_folds=2, n_runs=4)
DESIGNS = (study.ANOVA_T, study.StochasticDesign(n_resamples=100))


def run(**options):
    given = {"designs": DESIGNS, "effects": [0.0, 0.1], "repetitions": 12, "rng": 5} | options
    return study.run(MODEL, given.pop("designs"), **given)


@pytest.fixture(scope="module")
def expected():
    return run().to_json()


@pytest.fixture
def cluster(monkeypatch, usual_main):
    """Start clusters, whose workers can import the designs beside this file."""
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.setattr(_simulate, "_SECONDS", 1e-9)  # chunks of single experiments
    monkeypatch.setattr(_store, "_PATIENCE", 0.1)
    started = []

    def start(n_workers):
        made = distributed.LocalCluster(
            n_workers=n_workers, threads_per_worker=1, processes=True, dashboard_address=None
        )
        started.append(distributed.Client(made))
        return started[-1]

    yield start
    for client in started:
        client.cluster.close()
        client.close()


@pytest.mark.parametrize("n_workers", [1, 2, 4])
def test_any_number_of_workers_gives_the_same_bytes(cluster, expected, n_workers, tmp_path):
    import deadly

    client = cluster(n_workers)
    with joblib.parallel_config(backend="dask"):
        assert run(store=tmp_path / "study").to_json() == expected
        (tmp_path / "pids").mkdir()
        run(designs=[deadly.Signing(str(tmp_path / "pids"))])
    signed = {int(path.name) for path in (tmp_path / "pids").iterdir()}
    workers = set(client.run(os.getpid).values())
    assert len(workers) == n_workers
    assert signed <= workers | {os.getpid()}
    if n_workers > 1:  # with one worker, joblib stays in this process
        assert signed & workers


@pytest.mark.weekly
def test_a_worker_that_is_killed_in_the_middle_loses_nothing(cluster, tmp_path):
    import deadly

    client = cluster(2)
    pids = list(client.run(os.getpid).values())
    killed = []

    def kill():
        end = time.monotonic() + 120
        while not list(tmp_path.glob("part-*.parquet")) and time.monotonic() < end:
            time.sleep(0.02)
        os.kill(pids[0], signal.SIGKILL)
        killed.append(pids[0])

    plain = run(
        designs=[study.CompareDesign(pairs="t", label="slow")], effects=[0.0, 0.1], repetitions=60
    )
    thread = threading.Thread(target=kill)
    thread.start()
    with joblib.parallel_config(backend="dask"):
        found = run(
            designs={"slow": deadly.slow}, effects=[0.0, 0.1], repetitions=60, store=tmp_path
        )
    thread.join()
    assert killed
    assert killed[0] not in client.run(os.getpid).values()
    assert np.array_equal(found.counts, plain.counts)


@pytest.mark.weekly
def test_designs_that_kill_their_workers_are_tried_on_others(cluster, tmp_path):
    import deadly

    cluster(2)
    plain = run(designs=[study.CompareDesign(pairs="t", label="deadly")])
    design = deadly.Deadly(str(tmp_path), os.getpid(), deaths=3)
    with joblib.parallel_config(backend="dask"):
        found = run(designs=[design])
    assert len(list(tmp_path.iterdir())) == 3
    assert np.array_equal(found.counts, plain.counts)
