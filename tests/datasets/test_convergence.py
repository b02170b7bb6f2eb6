"""The histories of optimisers: what is in them, and that they can be made again."""

from itertools import pairwise

import numpy as np
import pytest
from bundled import make_convergence_de as maker
from bundled import optimisers, study
from bundled.functions import FUNCTIONS
from scipy.stats import kstest

from nbcompare import Histories, datasets


@pytest.fixture(scope="module")
def histories():
    return datasets.load("convergence_de")


def stored(histories, problem, algorithm):
    return histories.values[
        histories.problems.index(problem), histories.algorithms.index(algorithm)
    ]


# ------------------------------------------------------------------------- the file


def test_every_cell_is_there_within_one_budget(histories):
    assert histories.problems == tuple(maker.PROBLEMS)
    assert histories.algorithms == tuple(optimisers.OPTIMISERS)
    assert histories.values.shape == (2 * 19, 7, 15, 50)
    assert np.isfinite(histories.values).all()
    assert (histories.evaluations == np.arange(400, 20_001, 400)).all()
    assert (histories.direction, histories.measure) == ("minimize", "error")
    assert histories.optimum.tolist() == [0] * 38
    assert histories.citation.startswith("Made by the nbcompare developers with NumPy")


def test_errors_only_fall_and_are_0_or_countable(histories):
    values = histories.values
    assert (np.diff(values, axis=3) <= 0).all()
    assert ((values == 0) | (values >= 1e-8)).all()
    sample = values[::5, :, ::4, ::7].ravel()
    assert sample.tolist() == [float(f"{value:.4g}") for value in sample]


def test_some_functions_are_solved_early_and_some_never(histories):
    """The reason to have alternative ranks, and the reason to have basic ones."""
    solved = histories.values == 0
    assert solved[..., 9].all(axis=2).sum() >= 5  # all runs, within a fifth of the budget
    by_half = solved[..., 24].all(axis=2).any(axis=1)
    never = ~solved[..., -1].any(axis=(1, 2))
    assert 12 <= by_half.sum() <= 26
    assert never.sum() >= 8
    assert not solved[:, histories.algorithms.index("random search")].any()
    assert never[histories.problems.index("Rastrigin (30)")]
    lucky = solved[..., -1].sum(axis=2)
    assert ((lucky > 0) & (lucky < 15)).sum() >= 10  # some runs only


def test_it_matters_where_one_looks(histories):
    """Slow and thorough beats fast and trapped, but only at the end."""
    for problem, fast, thorough in [
        ("Styblinski-Tang (30)", "DE/best/1/bin", "jDE"),
        ("Rastrigin (30)", "CMA-ES (basic)", "simulated annealing"),
    ]:
        first, second = (
            np.median(stored(histories, problem, name), axis=0) for name in (fast, thorough)
        )
        assert first[4] < second[4]
        assert first[-1] > second[-1]


def test_random_search_is_uniform(histories):
    """Its errors on Schwefel 2.21 follow from volumes: a share (e / 100)^10 is within e."""
    name = "Schwefel 2.21 (10)"
    errors = stored(histories, name, "random search")[:, -1]
    assert errors.max() + np.abs(maker.PROBLEMS[name].shift).max() < 100  # cubes are inside
    chances = 1 - (1 - (errors / 100) ** 10) ** 20_000
    assert kstest(chances, "uniform").pvalue > 0.05


# ------------------------------------------------------------------------ functions


def _weierstrass(x):
    return sum(
        0.5**k * (np.cos(2 * np.pi * 3.0**k * (value + 0.5)) - np.cos(np.pi * 3.0**k))
        for value in x
        for k in range(21)
    )


def _levy(x):
    w = [1 + value / 4 for value in x]
    middle = sum((v - 1) ** 2 * (1 + 10 * np.sin(np.pi * v + 1) ** 2) for v in w[:-1])
    last = (w[-1] - 1) ** 2 * (1 + np.sin(2 * np.pi * w[-1]) ** 2)
    return np.sin(np.pi * w[0]) ** 2 + middle + last


def _tang(x):
    return sum(v**4 - 16 * v**2 + 5 * v for v in x) / 2


# As textbooks print them, term by term, and where their optimum is; 0 unless told.
PRINTED = {
    "sphere": lambda x: sum(v**2 for v in x),
    "ellipsoid": lambda x: sum(10 ** (6 * i / (len(x) - 1)) * v**2 for i, v in enumerate(x)),
    "bent cigar": lambda x: x[0] ** 2 + 10**6 * sum(v**2 for v in x[1:]),
    "discus": lambda x: 10**6 * x[0] ** 2 + sum(v**2 for v in x[1:]),
    "different powers": lambda x: sum(abs(v) ** (i + 2) for i, v in enumerate(x)),
    "Schwefel 1.2": lambda x: sum(sum(x[: i + 1]) ** 2 for i in range(len(x))),
    "Schwefel 2.21": lambda x: max(map(abs, x)),
    "Schwefel 2.22": lambda x: sum(map(abs, x)) + np.prod([abs(v) for v in x]),
    "step": lambda x: sum(np.floor(v + 0.5) ** 2 for v in x),
    "Rosenbrock": lambda x: sum(100 * (b - a**2) ** 2 + (a - 1) ** 2 for a, b in pairwise(x)),
    "Zakharov": lambda x: (
        sum(v**2 for v in x)
        + sum(0.5 * (i + 1) * v for i, v in enumerate(x)) ** 2
        + sum(0.5 * (i + 1) * v for i, v in enumerate(x)) ** 4
    ),
    "Rastrigin": lambda x: 10 * len(x) + sum(v**2 - 10 * np.cos(2 * np.pi * v) for v in x),
    "Ackley": lambda x: (
        -20 * np.exp(-0.2 * np.sqrt(sum(v**2 for v in x) / len(x)))
        - np.exp(sum(np.cos(2 * np.pi * v) for v in x) / len(x))
        + 20
        + np.e
    ),
    "Griewank": lambda x: (
        1
        + sum(v**2 for v in x) / 4000
        - np.prod([np.cos(v / np.sqrt(i + 1)) for i, v in enumerate(x)])
    ),
    "Levy": _levy,
    "Styblinski-Tang": lambda x: _tang(x) - _tang([-2.903534027771177] * len(x)),
    "Weierstrass": _weierstrass,
    "Salomon": lambda x: (
        1 - np.cos(2 * np.pi * np.sqrt(sum(v**2 for v in x))) + 0.1 * np.sqrt(sum(v**2 for v in x))
    ),
    "Alpine": lambda x: sum(abs(v * np.sin(v) + 0.1 * v) for v in x),
}
OPTIMA = {"Rosenbrock": 1.0, "Styblinski-Tang": -2.903534027771177}


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("dimension", maker.DIMENSIONS)
def test_a_function_is_the_printed_one_and_0_at_its_shift_alone(name, dimension):
    problem, half = maker.PROBLEMS[f"{name} ({dimension})"], FUNCTIONS[name][1]
    assert problem.at(problem.shift) == 0
    rng = np.random.default_rng(1)
    points = rng.uniform(-half, half, size=(2, 200, dimension))
    values = problem.at(points)
    assert values.shape == (2, 200)
    assert values.min() > 0
    assert problem((points / half + 1) / 2) == pytest.approx(values, rel=1e-6)
    moved = points[0, :5] - problem.shift + OPTIMA.get(name, 0.0)
    # arguments of the finest waves of Weierstrass lose ten digits
    assert [PRINTED[name](list(point)) for point in moved] == pytest.approx(
        values[0, :5].tolist(), rel=1e-6 if name == "Weierstrass" else 1e-9
    )
    for distance in (1e-12, 1e-8, 1e-3):
        near = problem.shift + distance * rng.standard_normal((100, dimension))
        assert problem.at(near).min() >= 0


def test_every_function_is_in_the_study_in_both_dimensions():
    assert list(FUNCTIONS) == list(PRINTED)
    assert len(maker.PROBLEMS) == 2 * len(FUNCTIONS)


def test_optima_are_inside_and_off_the_centre():
    shares = []
    for problem in maker.PROBLEMS.values():
        share = problem.shift / FUNCTIONS[problem.function][1]
        assert share.shape == (problem.dimension,)
        assert np.abs(share).max() <= 0.6
        assert np.sqrt(np.mean(share**2)) > 0.15
        shares.append(tuple(share[:10]))
    assert len(set(shares)) == len(shares)


# ----------------------------------------------------------------------- optimisers


@pytest.mark.parametrize(
    ("problem", "algorithm", "run"),
    [
        ("Rosenbrock (10)", "DE/rand/1/bin", 15),
        ("Schwefel 2.22 (30)", "DE/best/1/bin", 1),
        ("Rastrigin (10)", "jDE", 4),
        ("Schwefel 1.2 (10)", "CMA-ES (basic)", 9),
        ("Zakharov (30)", "particle swarm", 2),
        ("step (10)", "simulated annealing", 11),
        ("Griewank (30)", "random search", 7),
    ],
)
def test_a_cell_is_made_again_by_itself(histories, problem, algorithm, run):
    made = maker.history(problem, algorithm, [run])[0]
    # other processors round otherwise, which shows in the last digit first
    np.testing.assert_allclose(
        made, stored(histories, problem, algorithm)[run - 1], rtol=2e-3, atol=1e-8
    )


@pytest.mark.parametrize("algorithm", optimisers.OPTIMISERS)
def test_a_run_does_not_depend_on_those_beside_it(algorithm):
    problem = maker.PROBLEMS["Ackley (10)"]

    def values(*runs):
        streams = optimisers.Streams([study.seed(run) for run in runs])
        batches = optimisers.OPTIMISERS[algorithm](problem, 10, streams)
        return np.concatenate([next(batches) for _ in range(60)], axis=1)

    together = values(1, 2, 3)
    assert (values(2)[0] == together[1]).all()
    assert (values(3, 1) == together[[2, 0]]).all()
    assert (together[0] != together[1]).any()


@pytest.mark.parametrize("algorithm", optimisers.OPTIMISERS)
def test_every_evaluation_is_counted_and_inside_the_domain(algorithm):
    seen = []

    def objective(points):
        assert ((points >= 0) & (points <= 1)).all()
        seen.append(np.sum((points - 0.02) ** 2, axis=-1))  # an optimum close to the faces
        return seen[-1]

    batches = optimisers.OPTIMISERS[algorithm](objective, 5, optimisers.Streams([1, 2]))
    for _ in range(100):
        batch = next(batches)
        assert (batch == seen.pop()).all()
        assert not seen


@pytest.mark.slow
def test_annealing_spends_the_budget_and_no_more():
    batches = optimisers.OPTIMISERS["simulated annealing"](
        lambda points: points.sum(axis=-1), 2, optimisers.Streams([1])
    )
    assert sum(batch.shape[1] for batch in batches) == optimisers.BUDGET


def test_partners_are_three_others_and_any_three():
    draws = np.random.default_rng(1).random((400, 5, 3))
    partners = np.stack(optimisers._partners(draws), axis=2)
    members = np.broadcast_to(np.arange(5)[:, np.newaxis], (400, 5, 1))
    together = np.sort(np.concatenate([partners, members], axis=2), axis=2)
    assert (np.diff(together, axis=2) > 0).all()
    assert {*map(tuple, partners[:, 0].tolist())} == {
        (a, b, c) for a in range(1, 5) for b in range(1, 5) for c in range(1, 5)
        if len({a, b, c}) == 3
    }  # fmt: skip


def test_covariance_adaptation_does_not_mind_a_change_of_axes():
    """Generations to 1e-8 on an ellipsoid, along the axes and turned: much the same."""
    rotation = np.linalg.qr(np.random.default_rng(3).standard_normal((6, 6)))[0]
    scales = 10.0 ** np.linspace(0, 2, 6)
    needed = []
    for axes in (np.eye(6), rotation):
        best, spent = np.full(40, np.inf), np.zeros(40)
        batches = optimisers.OPTIMISERS["CMA-ES (basic)"](
            lambda points, axes=axes: np.sum((scales * ((points - 0.5) @ axes)) ** 2, axis=-1),
            6,
            optimisers.Streams(range(40)),
        )
        while (best > 1e-8).any():
            spent += best > 1e-8
            best = np.minimum(best, next(batches).min(axis=1))
        # no run wanders off where points are folded
        assert spent.max() < 1.5 * np.median(spent)
        needed.append(spent.mean())
    assert needed[1] == pytest.approx(needed[0], rel=0.12)


# -------------------------------------------------------------------------- the maker


def test_the_maker_writes_what_histories_read(histories, tmp_path, monkeypatch):
    quick = {name: optimisers.OPTIMISERS[name] for name in ("CMA-ES (basic)", "random search")}
    monkeypatch.setattr(maker, "OPTIMISERS", quick)
    columns = ("problem", "algorithm", "run", *maker.EVALUATIONS)
    paths = [tmp_path / "one.csv.gz", tmp_path / "two.csv.gz", tmp_path / "plain.csv"]
    for path in paths:
        study.write_table(path, columns, maker.rows(["step (10)", "sphere (10)"], n_runs=2))
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == sorted(paths)
    first, _, plain = (Histories.read(path, direction="minimize", optimum=0) for path in paths)
    assert first.fingerprint == plain.fingerprint
    assert first.values.shape == (2, 2, 2, 50)
    for name in quick:
        np.testing.assert_allclose(
            stored(first, "step (10)", name), stored(histories, "step (10)", name)[:2], rtol=2e-3
        )
