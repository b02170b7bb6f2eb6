"""IOHprofiler folders: one that the ioh package wrote, and the older format by hand.

``data/ioh`` was written by ``ioh.logger.Analyzer`` of ioh 0.3.22, triggered by improvements:
two hill climbers, on functions 1 and 8 of BBOB in 5 dimensions, instances 1 and 2, two runs
each of 120 evaluations.
"""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.histories import Histories

REAL = Path(__file__).parent / "data" / "ioh"
QUOTED = '"function evaluation" "current f(x)" "best-so-far f(x)" "current af(x)+b" "best af(x)+b"'


def test_a_folder_that_ioh_wrote():
    histories = Histories.read(REAL, instances="runs", optimum=0, n_points=120)
    assert histories.problems == ("Sphere 5D", "Rosenbrock 5D")
    assert histories.algorithms == ("hill-climber", "random walk")
    assert histories.direction == "minimize"
    assert histories.n_runs.tolist() == [[4, 4], [4, 4]]
    assert histories.budgets.tolist() == [120, 120]
    assert histories.notes == ()
    for meta in REAL.rglob("*.json"):  # the best of each run stands in the meta file too
        told = json.loads(meta.read_text())
        part = histories.select(
            problems=[f"{told['function_name']} 5D"], algorithms=[told["algorithm"]["name"]]
        )
        for run, expected in enumerate(told["scenarios"][0]["runs"]):
            best, when = expected["best"]["y"], expected["best"]["evals"]
            curve = part.values[0, 0, run]
            assert curve[-1] == pytest.approx(best, abs=1e-9)
            assert curve[when - 1] == curve[-1]
            assert when == 1 or curve[when - 2] > curve[-1]


def test_one_algorithm_of_the_folder():
    one = Histories.read(REAL / "hill-climber", direction="minimize", instances="runs", n_points=10)
    both = Histories.read(REAL, instances="runs", n_points=10)
    assert one.fingerprint == both.select(algorithms=["hill-climber"]).fingerprint


def older(folder, head="suite = 'PBO', funcId = 10, DIM = 4, algId = '(1+1) fGA'"):
    """The older format, as the documentation of IOHanalyzer has it."""
    (folder / "data_f10").mkdir(parents=True)
    (folder / "IOHprofiler_f10.info").write_text(
        f"{head}\n%\ndata_f10/IOHprofiler_f10_DIM4.dat, 1:20|3.9e+02,\n1:30|3.2e+02\n"
    )
    (folder / "data_f10" / "IOHprofiler_f10_DIM4.dat").write_text(
        f"{QUOTED}\n"
        "1 +2.95e+02 +2.95e+02 0 0\n4 +3.07e+02 +3.07e+02 0 0\n9 +1.0e+02 +3.07e+02 0 0\n"
        "16\t+3.90e+02 +3.90e+02 0 0\n20 +3.90e+02 +3.90e+02 0 0\n20 +3.90e+02 +3.90e+02 0 0\n"
        f"{QUOTED}\n1 +3.20e+02 +3.20e+02 0 0\n"
    )
    return folder


def test_the_older_format(tmp_path):
    folder = older(tmp_path / "GA")
    histories = Histories.read(folder, direction="maximize", early="carry", n_points=30)
    assert histories.problems == ("f10 4D",)
    assert histories.algorithms == ("(1+1) fGA",)
    assert histories.budgets.tolist() == [30]
    expected = [295.0] * 3 + [307.0] * 12 + [390.0] * 15
    assert histories.values[0, 0, 0].tolist() == expected
    assert histories.values[0, 0, 1].tolist() == [320.0] * 30
    assert [note.code for note in histories.notes] == ["stopped-early"]
    with pytest.raises(nbc.DataError, match=r"algorithm '\(1\+1\) fGA', run '1' stops at"):
        Histories.read(folder, direction="maximize")
    with pytest.raises(ValueError, match=r"^`direction` must be 'maximize' or 'minimize'; GA does"):
        Histories.read(folder)


def test_the_older_format_may_name_function_and_direction(tmp_path):
    head = 'funcId = 1, funcName = "OneMax", DIM = 16, maximization = "T", algId = "RLS, 1"'
    histories = Histories.read(older(tmp_path, head), early="carry")
    assert (histories.problems, histories.algorithms) == (("OneMax 16D",), ("RLS, 1",))
    assert histories.direction == "maximize"
    with pytest.raises(ValueError, match=r"^`direction` must be 'maximize', as IOHprofiler_f10\."):
        Histories.read(tmp_path, direction="minimize")


def copied(tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(REAL, folder)
    return folder, folder / "hill-climber" / "IOHprofiler_f1_Sphere.json"


def data_of(meta):
    return meta.parent / "data_f1_Sphere" / "IOHprofiler_f1_DIM5.dat"


def without_evaluations(meta):
    told = json.loads(meta.read_text())
    told["scenarios"][0]["runs"] = [{"evals": 0}]
    meta.write_text(json.dumps(told))
    data_of(meta).write_text("evaluations raw_y\n")


def test_the_best_so_far_is_taken_where_it_was_logged(tmp_path):
    _, meta = copied(tmp_path)
    told = json.loads(meta.read_text())
    told["scenarios"][0]["runs"] = [{"evals": 30}]
    meta.write_text(json.dumps(told))
    data_of(meta).write_text("evaluations raw_y raw_y_best\n10 9.0 4.0\n20 8.0 3.0\n30 2.5 2.5\n")
    histories = Histories.read(meta.parent, instances="runs", n_points=3, budget=30).select(
        problems=["Sphere 5D"]
    )
    assert histories.values[0, 0, 0].tolist() == [4.0, 3.0, 2.5]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda meta: data_of(meta).unlink(), r"^IOHprofiler_f1_Sphere\.json names 'IOHprofiler"),
        (
            lambda meta: data_of(meta).write_text("evaluations raw_y\n1 2\n"),
            r"^IOHprofiler_f1_DIM5\.dat holds 1 runs, but IOHprofiler_f1_Sphere\.json lists 4\.",
        ),
        (
            lambda meta: data_of(meta).write_text("evaluations raw_y\n1 2\n2 x\n"),
            r"^IOHprofiler_f1_DIM5\.dat, run 1 must hold rows of 2 numbers; got '2 x'\.$",
        ),
        (
            lambda meta: data_of(meta).write_text("evaluations raw_y\n1 2\n2\n"),
            r"^IOHprofiler_f1_DIM5\.dat, run 1 must hold rows of 2 numbers; got '2'\.$",
        ),
        (
            lambda meta: data_of(meta).write_text("evaluations y\n1 2\n"),
            r"^IOHprofiler_f1_DIM5\.dat has no column of values, 'raw_y_best', 'raw_y', .*; its "
            r"header names 'evaluations' and 'y'\.$",
        ),
        (
            lambda meta: meta.write_text("{"),
            r"^'IOHprofiler_f1_Sphere\.json' is not readable JSON",
        ),
        (
            lambda meta: meta.write_text("{}"),
            r"is no meta file of IOHprofiler, or it is damaged: it has no 'function_id'\.",
        ),
        (
            lambda meta: meta.write_text(meta.read_text().replace("false", "true")),
            r"^copy must hold problems of one direction; IOHprofiler_f1_Sphere\.json is to be max",
        ),
        (
            lambda meta: meta.with_suffix(".info").write_text("nothing"),
            r"^IOHprofiler_f1_Sphere\.info is not a meta file of COCO or IOHprofiler: no",
        ),
        (
            lambda meta: meta.with_suffix(".info").write_text(
                "funcId = 1, DIM = 2, algId = 'A'\n%\nx.dat, 1:5|3, 1-7\n"
            ),
            r"must list each run as instance:evaluations\|value; got '1-7'\.$",
        ),
        (
            lambda meta: data_of(meta).write_bytes(b"evaluations raw_y\n1 \xff\n"),
            r"^'IOHprofiler_f1_DIM5\.dat' must be UTF-8 text",
        ),
        (
            lambda meta: meta.write_bytes(b"{\xff}"),
            r"^'IOHprofiler_f1_Sphere\.json' must be UTF-8 text",
        ),
        (
            lambda meta: [without_evaluations(each) for each in meta.parents[1].rglob(meta.name)],
            r"^every problem must have at least one run; 'Sphere 5D' has none in copy\.$",
        ),
    ],
)
def test_refused_folders(tmp_path, damage, message):
    folder, meta = copied(tmp_path)
    damage(meta)
    with pytest.raises(nbc.DataError, match=message):
        Histories.read(folder, instances="runs")


def test_a_folder_without_logs_and_arguments_that_name_columns(tmp_path):
    with pytest.raises(nbc.DataError, match=re.escape("there are none in " + repr(str(tmp_path)))):
        Histories.read(tmp_path)
    with pytest.raises(ValueError, match=r"^`run` names a column of a table; a folder has none\.$"):
        Histories.read(REAL, run="run")
    with pytest.raises(ValueError, match=r"^`optimum` names a column of a table; a folder has"):
        Histories.read(REAL, optimum="best")


def test_runs_of_several_folders_are_counted_on(tmp_path):
    for copy in ("first", "second"):
        shutil.copytree(REAL / "hill-climber", tmp_path / copy)
    histories = Histories.read(tmp_path, instances="runs", n_points=4)
    assert histories.n_runs.tolist() == [[8], [8]]
    np.testing.assert_array_equal(histories.values[:, :, :4], histories.values[:, :, 4:])
