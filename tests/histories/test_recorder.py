"""The recorder beside optimisers of SciPy and loops, against a list of all evaluations."""

import pickle
from multiprocessing.pool import ThreadPool

import numpy as np
import pytest
from scipy.optimize import differential_evolution, dual_annealing, minimize

import nbcompare as nbc
from nbcompare.histories import Histories

BOUNDS = [(-5.0, 5.0)] * 2


def sphere(x):
    return float(np.sum(np.square(x)))


class Seen:
    """An objective that keeps all it returned: the second computation."""

    def __init__(self, objective=sphere):
        self.objective = objective
        self.values = []

    def __call__(self, x):
        value = self.objective(x)
        self.values.extend(np.ravel(value).tolist())
        return value


def curve(recorder, **options):
    histories = recorder.histories(**options)
    assert histories.values.shape[:3] == (1, 1, 1)
    return histories.values[0, 0, 0]


def every_evaluation(seen):
    return {"n_points": len(seen.values), "budget": len(seen.values)}


@pytest.mark.parametrize(
    "optimise",
    [
        lambda f: differential_evolution(f, BOUNDS, maxiter=5, rng=1),
        lambda f: dual_annealing(f, BOUNDS, maxiter=10, rng=1),
        lambda f: minimize(f, [3.0, 4.0]),
        lambda f: minimize(f, [3.0, 4.0], method="Powell"),
    ],
    ids=["differential_evolution", "dual_annealing", "BFGS", "Powell"],
)
def test_optimisers_of_scipy(optimise):
    recorder, seen = Histories.record(direction="minimize"), Seen()
    watched = recorder.watch(seen, problem="sphere", algorithm="it")
    result = optimise(watched)
    assert watched.run.evaluations == result.nfev == len(seen.values)
    assert watched.run.best == min(seen.values)
    expected = np.minimum.accumulate(seen.values)
    np.testing.assert_array_equal(curve(recorder, **every_evaluation(seen)), expected)


def test_vectorised_calls_count_every_point():
    recorder = Histories.record(direction="minimize")
    seen = Seen(lambda x: np.square(x).sum(axis=0))
    objective = recorder.watch(seen, problem="sphere", algorithm="DE")
    differential_evolution(
        objective, BOUNDS, vectorized=True, updating="deferred", polish=False, maxiter=6, rng=3
    )
    assert objective.run.evaluations == len(seen.values) == 30 * 7
    expected = np.minimum.accumulate(seen.values)
    np.testing.assert_array_equal(curve(recorder, **every_evaluation(seen)), expected)


def test_values_with_their_gradient():
    recorder = Histories.record(direction="minimize")
    objective = recorder.watch(lambda x: (sphere(x), 2 * x), problem="s", algorithm="BFGS")
    result = minimize(objective, [3.0, 4.0], jac=True)
    assert objective.run.evaluations == result.nfev
    assert objective.run.best == result.fun


def test_evaluations_in_threads():
    recorder, seen = Histories.record(direction="minimize"), Seen()
    objective = recorder.watch(seen, problem="s", algorithm="DE")
    with ThreadPool(4) as pool:
        differential_evolution(
            objective, BOUNDS, maxiter=5, rng=1, workers=pool.map, updating="deferred", polish=False
        )
    assert objective.run.evaluations == len(seen.values)
    assert objective.run.best == min(seen.values)


def test_a_plain_loop_to_maximise():
    recorder = Histories.record(direction="maximize")
    values = np.random.default_rng(0).random((3, 20))
    for row in values:
        run = recorder.run(problem="coin", algorithm="luck")
        for value in row:
            run.log(value)
    assert repr(recorder) == "<Recorder: 3 runs of 1 algorithm on 1 problem, maximize>"
    histories = recorder.histories(n_points=20, optimum=1, measure="share")
    expected = np.maximum.accumulate(values, axis=1)
    np.testing.assert_array_equal(histories.values[0, 0], expected)
    np.testing.assert_array_equal(histories.errors()[0, 0], 1 - expected)
    assert histories.measure == "share"


def test_generations_of_a_loop():
    recorder = Histories.record(direction="minimize")
    run = recorder.run(problem="p", algorithm="A")
    run.log([5.0, 3.0, 4.0])
    run.log(2.0, evaluations=10)
    run.log([9.0, 1.0], evaluations=20)
    run.log(0.5, evaluations=20)
    assert run.logs().tolist() == [[1, 2, 10, 20], [5.0, 3.0, 2.0, 0.5]]
    with pytest.raises(ValueError, match=r"^`evaluations` must be a whole number of at least 20;"):
        run.log(0.0, evaluations=19)


def test_values_that_are_none():
    recorder = Histories.record(direction="minimize")
    run = recorder.run(problem="p", algorithm="A")
    for value in (np.nan, np.inf, -np.inf):
        run.log(value)
    assert (run.evaluations, run.best) == (3, np.inf)
    message = r"^problem 'p', algorithm 'A', run 1 has no finite value after 3 evaluations\.$"
    with pytest.raises(nbc.DataError, match=message):
        recorder.histories()
    run.log(7.0)
    histories = recorder.histories()
    assert histories.values.tolist() == [[[[7.0] * 4]]]
    assert [note.code for note in histories.notes] == ["late-start"]


def test_several_problems_and_runs():
    recorder = Histories.record(direction="minimize")
    for problem, algorithm, values in (
        ("f", "A", [3, 2]), ("g", "A", [5, 5]), ("f", "B", [4, 1]), ("f", "A", [6, 0]),
    ):  # fmt: skip
        recorder.run(problem=problem, algorithm=algorithm).log(values)
    histories = recorder.histories()
    assert (histories.problems, histories.algorithms) == (("f", "g"), ("A", "B"))
    assert histories.n_runs.tolist() == [[2, 1], [1, 0]]
    assert histories.values[0, 0].tolist() == [[3, 2], [6, 0]]


def test_refused():
    with pytest.raises(ValueError, match=r"^`direction` must be 'maximize' or 'minimize'; got"):
        Histories.record(direction="down")
    recorder = Histories.record(direction="minimize")
    with pytest.raises(nbc.DataError, match=r"^the recorder has no run; begin one with watch"):
        recorder.histories()
    with pytest.raises(TypeError, match=r"^`objective` must be callable; got 3\.$"):
        recorder.watch(3, problem="p", algorithm="A")
    with pytest.raises(nbc.DataError, match=r"^`problem` must not be blank"):
        recorder.run(problem=" ", algorithm="A")
    with pytest.raises(ValueError, match=r"^`value` must be an array of real numbers; got 'x'\.$"):
        recorder.run(problem="p", algorithm="A").log("x")
    objective = recorder.watch(sphere, problem="p", algorithm="B")
    with pytest.raises(TypeError, match=r"^a watched objective cannot go to another process"):
        pickle.dumps(objective)
