"""Planning by a pilot: its numbers, its promise, its options and its errors."""

import functools

import numpy as np
import pytest
from scipy import stats

import nbcompare as nbc
from nbcompare import study
from nbcompare._validation import DataError
from nbcompare.analysis.decisions import decisions
from nbcompare.results import from_json
from nbcompare.study import FromExperiment
from nbcompare.study._sizes import Search, rising

PILOT = nbc.datasets.load("demsar2006")


@functools.cache
def planned(**options):
    pilot = PILOT.select(algorithms=["C4.5", "C4.5+m"])
    return nbc.plan(pilot, **options)


def share_found(pilot, n, times, seed, pairs=None, **options):
    """Return how often compare finds the wanted pairs, in experiments drawn by plain numpy."""
    rng, found = np.random.default_rng(seed), 0
    scores = pilot.mean_scores
    for _ in range(times):
        drawn = nbc.Experiment.from_array(
            scores[rng.integers(0, len(scores), n)],
            direction=pilot.direction,
            algorithms=pilot.algorithms,
        )
        tests = nbc.compare(drawn, scale="one", intervals="none", **options).hypotheses
        better = set()
        for one, other, no, gain in zip(
            tests.first, tests.second, tests.rejected, tests.statistic, strict=True
        ):
            if no and gain:
                better.add((one, other) if gain > 0 else (other, one))
        found += all(pair in better for pair in pairs)
    return found / times


# ------------------------------------------------------------------------------ decisions


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"control": "C4.5"},
        {"pairs": "t", "adjust": "shaffer"},
        {"pairs": "ranks", "adjust": "holm"},
        {"pairs": "ranks", "adjust": "nemenyi", "method": "normal"},
        {"ranking": "quade"},
        {"adjust": "li", "control": "C4.5+m"},
        {"adjust": "hommel"},
        {"adjust": "benjamini-yekutieli"},
        {"adjust": None},
        {"method": "normal"},
    ],
)
@pytest.mark.parametrize("n", [5, 9, 24])
def test_decisions_on_many_are_those_of_compare(options, n):
    model = study.FromExperiment(experiment=PILOT, size=n)
    rng = np.random.default_rng(n)
    drawn = [model.draw(1.0, rng) for _ in range(12)]
    asked = {"control": None, "pairs": "auto", "ranking": "auto", "adjust": "auto"}
    asked |= {"alpha": 0.05, "method": "auto", "scale": "one", **options}
    found = decisions(drawn, asked)
    for at, experiment in enumerate(drawn):
        tests = nbc.compare(experiment, **asked, intervals="none").hypotheses
        wanted = {
            (one, other): (bool(no), float(np.sign(gain)))
            for one, other, no, gain in zip(
                tests.first, tests.second, tests.rejected, tests.statistic, strict=True
            )
        }
        names = PILOT.algorithms
        mine = {
            (names[i], names[j]): (bool(no), float(np.sign(gain)))
            for i, j, no, gain in zip(
                found.first, found.second, found.rejected[at], found.statistic[at], strict=True
            )
        }
        if tests.first[0] != asked["control"]:  # of all pairs, the better one is the first
            mine = {pair if sign >= 0 else pair[::-1]: (no, abs(sign))
                    for pair, (no, sign) in mine.items()}  # fmt: skip
        assert mine == wanted


# --------------------------------------------------------------------------------- search


class Known:
    """Experiments in which targets are found with a known probability."""

    def __init__(self, *powers):
        self.powers, self.rng, self.count = powers, np.random.default_rng(3), 0

    def __call__(self, sizes, times):
        self.count += len(sizes) * times
        p = np.array([[power(size) for power in self.powers] for size in sizes])
        return self.rng.random((len(sizes), times, len(self.powers))) < p[:, np.newaxis]


def searched(*powers, largest=500, **options):
    known = Known(*powers)
    search = Search(
        known,
        len(powers),
        least=2,
        largest=largest,
        pilot=14,
        power=0.8,
        confidence=0.95,
        **options,
    )
    return search.run(), known


def normal_power(effect):
    from scipy import stats

    return lambda n: float(stats.norm.cdf(effect * np.sqrt(n) - 1.96))


@pytest.mark.parametrize("effect", [1.2, 0.7, 0.45, 0.3, 0.2, 0.15])
def test_search_finds_a_known_number(effect):
    power = normal_power(effect)
    (needed,), _ = searched(power)
    n = int(needed.n[0])
    # the promise, and an interval that holds the true number nearly always
    assert power(n) >= 0.77
    assert power(n - 1) < 0.83
    true = next(m for m in range(2, 600) if power(m) >= 0.8)
    assert needed.lower[0] - 0.05 * true <= true <= needed.upper[0] + 0.05 * true
    assert needed.power[0] == pytest.approx(power(n), abs=0.03)
    assert needed.power_lower[0] < needed.power[0] < needed.power_upper[0]


def test_search_finds_a_jump_and_gives_up_in_time():
    answers, known = searched(lambda n: float(n >= 9), normal_power(0.01), largest=100)
    jump, never = answers
    assert (jump.n[0], jump.lower[0], jump.upper[0]) == (9, 9, 9)
    assert (never.n[0], never.upper[0]) == (0, 0)
    assert known.count < 5_000  # what is clear is not simulated again


def test_targets_share_experiments():
    same = normal_power(0.45)
    _, one = searched(same)
    answers, three = searched(same, same, same)
    assert three.count < 2 * one.count
    assert np.ptp([int(needed.n[0]) for needed in answers]) <= 4


def test_shares_that_fall_are_pooled():
    found = rising(np.array([0.1, 0.5, 0.3, 0.9]), np.array([10, 10, 30, 10]))
    assert found.tolist() == pytest.approx([0.1, 0.35, 0.35, 0.9])


# -------------------------------------------------------------------------------- the plan


@pytest.mark.weekly
def test_plan_keeps_its_promise_for_two_algorithms():
    plan = planned()
    pilot = PILOT.select(algorithms=["C4.5", "C4.5+m"])
    pair = [(plan.first[0], plan.second[0])]
    # an independent simulation, with numbers of its own
    times = 600  # a power of 0.7 or 0.9 would be noticed with a probability above 0.99
    error = np.sqrt(0.8 * 0.2 / times)
    at, below = (share_found(pilot, n, times, n, pair) for n in (plan.n, plan.n - 1))
    assert at >= 0.77 - error
    assert below < 0.83 + error


@pytest.mark.weekly
def test_plan_keeps_its_promise_for_all_pairs():
    plan = nbc.plan(PILOT, largest=40)  # pairs that need more are not among the significant ones
    pairs = list(zip(plan.first, plan.second, strict=True))
    significant = [pair for pair, is_so in zip(pairs, plan.significant, strict=True) if is_so]
    times = 400  # a power of 0.7 or 0.9 would be noticed with a probability above 0.98
    error = np.sqrt(0.8 * 0.2 / times)  # of the shares found here
    assert share_found(PILOT, plan.n, times, plan.n, significant) >= 0.77 - error
    assert share_found(PILOT, plan.n - 1, times, plan.n, significant) < 0.83 + error


@pytest.mark.slow
def test_plan_says_its_answer_first():
    plan = planned()
    assert plan.n == int(plan.together.n[0]) == int(plan.needed.n[0])
    assert plan.sentences[0].startswith("To find that C4.5+m is better than C4.5, the only")
    assert f"{plan.n} data sets are needed" in plan.sentences[0]
    assert "true differences are those of the pilot" in " ".join(plan.sentences)
    assert "shrink" in " ".join(plan.sentences)


@pytest.mark.slow
def test_shrinking_needs_more():
    plan = planned(shrink=0.3)
    assert plan.n > planned().n
    assert "smaller by 30 %" in " ".join(plan.sentences)


@pytest.mark.slow
def test_plan_survives_json_and_repeats():
    plan = planned()
    assert from_json(plan.to_json()).to_json() == plan.to_json()
    again = nbc.plan(PILOT.select(algorithms=["C4.5", "C4.5+m"]), **plan.design.options)
    assert again.to_json() == plan.to_json()
    assert planned(rng=1).to_json() != plan.to_json()


@pytest.mark.slow
def test_workers_and_a_store_change_nothing(tmp_path):
    pilot = PILOT.select(algorithms=["C4.5", "C4.5+m"])
    plan = nbc.plan(pilot, n_jobs=2, store=tmp_path / "plan")
    assert plan.to_json() == planned().to_json()
    assert any((tmp_path / "plan").iterdir())
    again = nbc.plan(pilot, store=tmp_path / "plan")
    assert again.to_json() == plan.to_json()


@pytest.mark.slow
def test_frames_and_tables():
    plan = planned()
    frame = plan.to_frame()
    assert frame["n"].tolist() == [plan.n, plan.n]  # the pair, and all at once
    sizes = plan.to_frame(by="sizes")
    assert (sizes["found"] <= sizes["repetitions"]).all()
    assert len(sizes) == 2 * len(plan.sizes)
    for text in (plan.to_latex(), plan.to_typst(), plan.to_markdown("sizes"), str(plan)):
        assert "C4.5" in text
    assert "2016" in str(plan.section("methods"))


@pytest.mark.slow
def test_control_best_is_the_best_of_the_pilot():
    plan = nbc.plan(PILOT, control="best", largest=20)
    assert "C4.5+m+cf" in {plan.first[0], plan.second[0]}
    assert all("C4.5+m+cf" in pair for pair in zip(plan.first, plan.second, strict=True))
    assert "control-from-data" in {note.code for note in plan.notes}


@pytest.mark.slow
def test_a_pilot_without_a_significant_pair():
    pilot = PILOT.select(algorithms=["C4.5+cf", "C4.5+m"])
    plan = nbc.plan(pilot, alpha=0.01, largest=40)
    assert plan.together is None
    assert "the pilot, which found no pair significant, has 14" in plan.findings[0]
    assert "nothing-significant" in {note.code for note in plan.notes}
    with pytest.raises(ValueError, match="found none significant"):
        plan.curve()


def runs_of_one(folds=8):
    """Two stochastic algorithms and one that is not, on folds of one data set."""
    rng = np.random.default_rng(3)
    means = np.array([0.80, 0.75, 0.78]).reshape(3, 1, 1)
    scores = rng.normal(means, 0.03, (1, 3, folds, 6))
    scores[0, 2, :, 1:] = np.nan
    return nbc.Experiment.from_array(scores, direction="maximize")


@pytest.mark.weekly
def test_runs_of_one_data_set():
    one = runs_of_one()
    plan = nbc.plan(one, largest=9)
    assert (plan.unit, plan.n_pilot) == ("runs", 6)
    assert "runs of each fold" in plan.sentences[0]
    # those of compare_stochastic, with other experiments
    drawn = FromExperiment(experiment=one, resample="runs", size=int(plan.sizes[-1]))
    rng = np.random.default_rng(1)
    found = np.zeros(3)
    for _ in range(200):
        tests = nbc.compare_stochastic(drawn.draw(1.0, rng), rng=rng).hypotheses
        for first, second, outcome, favours in zip(
            tests.first, tests.second, tests.outcome, tests.favours, strict=True
        ):
            better = (first, second) if favours > 0 else (second, first)
            pairs = list(zip(plan.first, plan.second, strict=True))
            if outcome == "rejected" and better in pairs:
                found[pairs.index(better)] += 1
    share = plan.found.share[-1, :3]
    error = np.sqrt(0.25 / 200 + 0.25 / plan.repetitions[-1])
    assert np.abs(share - found / 200).max() < 4 * error
    assert "never-significant" not in {note.code for note in plan.notes}
    few = nbc.plan(runs_of_one(folds=4), largest=3)
    assert few.to_frame().equals(nbc.plan(runs_of_one(folds=4), unit="runs", largest=3).to_frame())
    assert "never-significant" in {note.code for note in few.notes}
    with pytest.raises(DataError, match="A3 has fewer"):
        nbc.plan(one, unit="folds")


@pytest.mark.slow
def test_folds_are_alike_as_much_as_the_test_says():
    """The power is near that of the corrected t test under its own assumption."""
    rng = np.random.default_rng(4)
    apart = rng.standard_normal(30)
    apart = (apart - apart.mean()) / apart.std(ddof=1)
    base = rng.normal(0.5, 0.1, 30)
    effect, ratio = 1.0, 0.1
    scores = np.stack([base + 0.02 * (apart + effect), base])[np.newaxis]
    pilot = nbc.Experiment.from_array(scores, direction="maximize", algorithms=["A", "B"])
    plan = nbc.plan(pilot, ratio=ratio, largest=12)

    def power(n):
        shift = effect / np.sqrt(1 / n + ratio)
        return stats.nct.sf(stats.t.isf(0.025, n - 1), n - 1, shift)

    found = plan.found.share[:, 0]
    expected = np.array([power(n) for n in plan.sizes.tolist()])
    error = np.sqrt(expected * (1 - expected) / plan.repetitions)
    # a resampled fold varies by 29 / 30 of the pilot's variance
    assert (np.abs(found - expected) < 4 * error + 0.05).all()
    independent = stats.nct.sf(stats.t.isf(0.025, 11), 11, effect / np.sqrt(1 / 12 + ratio))
    assert found[-1] == pytest.approx(independent, abs=0.1)
    assert {"one-data-set"} <= {note.code for note in plan.notes}
    assert "nadeau2003" in plan.to_bibtex() or "Nadeau" in " ".join(plan.references)


def on_several_scales():
    rng = np.random.default_rng(2)
    size = 10.0 ** rng.uniform(0, 4, 15)[:, np.newaxis]
    scores = size * (1 + 0.02 * rng.standard_normal((15, 2)) + np.array([0.03, 0.0]))
    return nbc.Experiment.from_array(scores, direction="maximize")


@pytest.mark.slow
def test_differences_on_several_scales_are_not_shrunk():
    with pytest.raises(ValueError, match="`shrink` must be left out where the data sets are on"):
        nbc.plan(on_several_scales(), shrink=0.1, largest=20)
    plan = nbc.plan(on_several_scales(), largest=20)
    assert plan.several_scales
    assert "shrink" not in " ".join(plan.sentences)
    assert "stated" not in plan.tests


@pytest.mark.slow
def test_ties_and_equal_algorithms_are_told():
    scores = np.array([0.70, 0.71, 0.74, 0.72, 0.69, 0.75, 0.73, 0.70, 0.71, 0.76])[:, np.newaxis]
    gain = np.array([0, 0, 0, 2, 3, 4, 2, 3, 1, 2])[:, np.newaxis] * 0.01
    table = np.hstack([scores + gain, scores, scores])
    pilot = nbc.Experiment.from_array(table, direction="maximize")
    codes = {note.code: note.text for note in nbc.plan(pilot, largest=12, shrink=0.1).notes}
    assert "turns these ties into losses" in codes["ties-shrunk"]
    assert codes["equal-pairs"].startswith("1 pair does not differ")
    assert "ties-shrunk" not in {note.code for note in nbc.plan(pilot, largest=12).notes}


@pytest.mark.slow
def test_the_design_is_that_of_the_answer():
    """Fewer data sets are tested as those of the pilot are."""
    rng = np.random.default_rng(0)
    scores = 0.7 + 0.005 * rng.standard_normal((9, 3)) + np.array([0.1, 0.05, 0.0])
    pilot = nbc.Experiment.from_array(scores, direction="maximize")
    plan = nbc.plan(pilot, largest=12)
    assert plan.n < 9
    drawn = FromExperiment(experiment=pilot, size=plan.n).draw(1.0, rng)
    assert plan.tests == nbc.compare(drawn).why == nbc.compare(pilot).why


@pytest.mark.slow
def test_a_search_that_ends_its_look_early_goes_on():
    """Power that is flat near the wanted one looks clear by chance now and then."""
    for seed in range(60):
        rng = np.random.default_rng(seed)

        def simulate(sizes, times, rng=rng):
            power = np.where(np.array(sizes) < 200, 0.78, 0.9)
            return rng.random((len(sizes), times, 1)) < power[:, np.newaxis, np.newaxis]

        search = Search(
            simulate, 1, least=2, largest=500, pilot=10, power=0.8, confidence=0.95, enough=600
        )
        (answer,) = search.run()
        assert answer.n[0] > 0
        assert answer.lower[0] <= answer.n[0]
        assert answer.upper[0] == 0 or answer.n[0] <= answer.upper[0]


@pytest.mark.slow
def test_an_interval_is_not_cut_where_the_fit_ends():
    cut = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)

        def simulate(sizes, times, rng=rng):
            power = 1 / (1 + np.exp(-1.5 * np.log(np.array(sizes) / 100) - np.log(4)))
            return rng.random((len(sizes), times, 1)) < power[:, np.newaxis, np.newaxis]

        search = Search(
            simulate, 1, least=2, largest=500, pilot=40, power=0.8, confidence=0.95, enough=300
        )
        (answer,) = search.run()
        n, low, high = (int(part[0]) for part in (answer.n, answer.lower, answer.upper))
        cut += low == round(n / 1.2) and high == round(n * 1.2)
        assert low <= n
        assert high == 0 or high >= n
    assert cut < 8


@pytest.mark.slow
def test_folds_of_one_data_set():
    rng = np.random.default_rng(4)
    scores = 0.8 + 0.03 * rng.standard_normal((1, 2, 10))
    scores[:, 0] += 0.02
    pilot = nbc.Experiment.from_array(scores, direction="maximize", algorithms=["A", "B"])
    plan = nbc.plan(pilot, largest=60)
    assert plan.unit == "folds"
    assert plan.n_pilot == 10
    assert "folds" in plan.sentences[0]


# --------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"power": 1.2}, "`power`"),
        ({"shrink": 1.0}, "`shrink` must be a share of the differences from 0 to below 1"),
        ({"shrink": -0.1}, "0.25"),
        ({"largest": 1}, "`largest`"),
        ({"unit": "dataset"}, "Did you mean 'datasets'"),
        ({"unit": "folds"}, "unit='datasets'"),
        ({"unit": "runs"}, "unit='datasets'"),
        ({"ratio": 0.1}, "`ratio` must be left out"),
        ({"n_jobs": 0}, "`n_jobs`"),
        ({"rng": -1}, "`rng`"),
        ({"control": "C5"}, "`control`"),
    ],
)
def test_options_that_cannot_be(options, words):
    with pytest.raises((ValueError, DataError)) as error:
        nbc.plan(PILOT, **options)
    assert words in str(error.value)


def test_pilots_that_say_nothing():
    with pytest.raises(DataError, match="perform equally"):
        nbc.plan(nbc.Experiment.from_array(np.ones((4, 2)), direction="maximize"))
    with pytest.raises(DataError, match="several data sets, or folds or runs"):
        nbc.plan(nbc.Experiment.from_array([[1.0, 2.0]], direction="maximize"))
    gaps = np.array([[1.0, 2.0], [1.0, np.nan], [2.0, 3.0], [3.0, 5.0]])
    with pytest.raises(DataError, match="missing='drop'") as refused:
        nbc.plan(nbc.Experiment.from_array(gaps, direction="maximize"))
    assert "skillings-mack" not in str(refused.value)  # a remedy of compare, but not of plan
