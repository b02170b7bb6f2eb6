"""Studies on a real cluster of Dask: processes on this machine."""

import os
from pathlib import Path

import joblib
import pytest

from nbcompare import study

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
        assert run().to_json() == expected
        (tmp_path / "pids").mkdir()
        run(designs=[deadly.Signing(str(tmp_path / "pids"))])
    signed = {int(path.name) for path in (tmp_path / "pids").iterdir()}
    workers = set(client.run(os.getpid).values())
    assert len(workers) == n_workers
    assert signed <= workers | {os.getpid()}
    if n_workers > 1:  # with one worker, joblib stays in this process
        assert signed & workers
