"""One question asked by every door: the same data give one answer, or a result says why not.

``python tests/doors.py 300`` counts the experiments whose doors differ, by kind of experiment and
door; ``tests/analysis/test_doors.py`` asks about a few of each kind.
"""

import io
import sys
import tempfile
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import numpy as np
from consistency import decisions_of, differ

import nbcompare as nbc
from nbcompare import Experiment
from nbcompare.cli import main
from nbcompare.results import from_json

OVER_DATASETS = ["one scale", "several scales", "ties", "items", "few", "gaps", "runs"]
OVER_DATASETS += ["runs and scales"]
ON_FOLDS = ["folds", "ties on folds", "repeated folds", "random splits", "30 folds"]
KINDS = [*OVER_DATASETS, *ON_FOLDS]
A, B = "A", "B"
TWO = ["--a=A", "--b=B"]


class Answer(NamedTuple):
    """What a door says about A and B: whether they differ, which is better, and by how much."""

    low: float
    high: float
    decided: str
    better: str
    estimate: float | None
    lower: float | None
    upper: float | None

    def turned(self):
        """The same, of B and A."""
        sizes = [None if size is None else -size for size in self[4:]]
        return self._replace(estimate=sizes[0], lower=sizes[2], upper=sizes[1])

    def contradictions(self, other, unit=1.0):
        """Yield in which way another door, whose scores have another unit, says something else."""
        if self.decided != other.decided:
            yield "decision"
        if self.better != other.better:
            yield "direction"
        if not np.allclose(self[:2], other[:2], rtol=1e-6, atol=1e-12):
            yield "p"
        sizes, again = self[4:], other[4:]
        if [size is None for size in sizes] != [size is None for size in again]:
            yield "estimate"
            return
        known = [
            (unit * one, two) for one, two in zip(sizes, again, strict=True) if one is not None
        ]
        largest = max(
            (abs(number) for pair in known for number in pair if np.isfinite(number)), default=1.0
        )
        if not all(np.allclose(*pair, rtol=1e-6, atol=1e-6 * largest) for pair in known):
            yield "estimate"


# ------------------------------------------------------------------------------ experiments


def experiment(kind, seed):
    """Return an experiment of this kind: two algorithms, A and B."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    n = int(rng.integers(3, 7)) if kind == "few" else int(rng.integers(8, 21))
    runs = int(rng.integers(5, 11)) if "runs" in kind else 1
    shape = (n, 2, 1, runs)
    if kind in ON_FOLDS:
        n_folds = {"random splits": 1, "30 folds": 30}.get(kind, int(rng.integers(4, 11)))
        n_runs = {"repeated folds": 3, "random splits": 8}.get(kind, 1)
        shape = (1, 2, n_folds, n_runs)
    scores = rng.normal(0.7, 0.03, shape) + rng.normal(0, 0.05, (shape[0], 1, 1, 1))
    scores[:, 1] += rng.uniform(0, 0.06) * rng.choice([-1, 1])
    digits = 4
    if "ties" in kind:
        digits = 2
    elif kind == "items":
        scores, digits = np.round(scores * 40) / 40, 3
    if "scales" in kind:
        scores = scores * 10.0 ** rng.integers(0, 6, (n, 1, 1, 1))
    if kind == "gaps":
        scores[rng.permutation(n)[:2], rng.integers(0, 2, 2)] = np.nan
    return Experiment.from_array(
        scores.round(digits),
        direction="maximize",
        algorithms=[A, B],
        datasets=[f"data {number}" for number in range(shape[0])],
    )


def changed(data, factor):
    """Return the scores in another unit; negated ones with the other direction."""
    scores = np.round(data.scores * factor, 9)
    direction = "maximize" if factor > 0 else "minimize"
    return Experiment.from_array(
        scores, direction=direction, algorithms=data.algorithms, datasets=data.datasets
    )


def written(data, folder):
    """Write the scores as a table, a row each, and return the arguments that read it."""
    names = ["dataset", "algorithm", "fold", "run", "score"]
    used = [name for name, n in zip(names, (2, 2, *data.scores.shape[2:], 2), strict=True) if n > 1]
    rows = [used]
    for place, score in np.ndenumerate(data.scores):
        if np.isnan(score):
            continue
        labels = data.datasets[place[0]], data.algorithms[place[1]], f"f{place[2]}", f"r{place[3]}"
        cells = dict(zip(names, (*labels, repr(float(score))), strict=True))
        rows.append([cells[name] for name in used])
    path = Path(folder) / "scores.csv"
    path.write_text("\n".join(map(",".join, rows)), encoding="utf-8")
    return [str(path), "--direction=maximize", *(f"--{name}={name}" for name in used)]


# ------------------------------------------------------------------------------ doors


def of_command(data, *line):
    """Return the result of a command of the shell."""
    out, wrong = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(out), redirect_stderr(wrong):
        if main([line[0], *written(data, folder), *line[1:], "--json"]):
            raise ValueError(wrong.getvalue())
    return from_json(out.getvalue())


def of_builder(data):
    """Return what the builder of a comparison shows."""
    from nbcompare.widgets import CDDiagramBuilder

    return CDDiagramBuilder(data).result  # gaps are treated as recommended


def doors_over_datasets(data):
    """Yield the doors to whether A and B differ over data sets: name, function, and unit."""
    third = np.concatenate([data.scores, data.scores[:, :1] / 2], axis=1)
    more = Experiment.from_array(
        third, direction="maximize", algorithms=[A, B, "C"], datasets=data.datasets
    )
    how = {"missing": "drop"} if data.losses.any else {}
    line = ["--missing=drop"] if how else []
    groups = {"by": dict.fromkeys(data.datasets, "all"), **how}
    percent, negated = changed(data, 100), changed(data, -1)
    yield "compare", lambda: nbc.compare(data, **how), 1
    yield "compare, a control", lambda: nbc.compare(data, control=B, **how), 1
    yield "compare, other units", lambda: nbc.compare(percent, **how), 100
    yield "compare, negated", lambda: nbc.compare(negated, **how), 1
    yield "compare_pair", lambda: nbc.compare_pair(data, A, B, **how), 1
    yield "compare_pair, B and A", lambda: nbc.compare_pair(data, B, A, **how), 1
    yield "compare_pair, other units", lambda: nbc.compare_pair(percent, A, B, **how), 100
    yield "compare_pair, negated", lambda: nbc.compare_pair(negated, A, B, **how), 1
    yield "compare_pair of three", lambda: nbc.compare_pair(more, A, B, **how), 1
    yield "compare_by", lambda: nbc.compare_by(data, **groups).groups["all"], 1
    across = {"across": True, **groups}
    yield "compare_by, over all groups", lambda: nbc.compare_by(data, **across).groups["all"], 1
    yield "the builder", lambda: of_builder(data), 1
    yield "nbcompare compare", lambda: of_command(data, "compare", *line), 1
    yield "nbcompare compare-pair", lambda: of_command(data, "compare-pair", *TWO, *line), 1


def doors_on_folds(data):
    """Yield the doors to whether A and B differ on one data set: name, function, and unit."""
    known = data.n_folds in range(2, 11)
    how = {} if known else {"ratio": 1 / 9}
    options = [] if known else ["--ratio=1/9"]
    a, b = (np.squeeze(data.scores[0, j].T) for j in (0, 1))
    # of runs on no folds, each is a random split
    if data.n_folds == 1:
        a, b = a[:, np.newaxis], b[:, np.newaxis]
    yield "compare_cv", lambda: nbc.compare_cv(data, **how), 1
    yield "compare_cv, a control", lambda: nbc.compare_cv(data, control=B, **how), 1
    yield "compare_cv, other units", lambda: nbc.compare_cv(changed(data, 100), **how), 100
    yield "compare_cv, negated", lambda: nbc.compare_cv(changed(data, -1), **how), 1
    yield "compare_cv of two", lambda: nbc.compare_cv(A, B, experiment=data, **how), 1
    yield "compare_cv of two, B and A", lambda: nbc.compare_cv(B, A, experiment=data, **how), 1
    labels = {"names": (A, B), "direction": "maximize"}
    yield "compare_cv of arrays", lambda: nbc.compare_cv(a, b, **labels, **how), 1
    yield "nbcompare compare-cv", lambda: of_command(data, "compare-cv", *options), 1
    yield (
        "nbcompare compare-cv of two",
        lambda: of_command(data, "compare-cv", *TWO, *options),
        1,
    )


def doors_of(data):
    return doors_over_datasets(data) if data.n_datasets > 1 else doors_on_folds(data)


def answer_of(result):
    """Return what a result says about A and B."""
    tests = getattr(result, "hypotheses", None)
    if tests is None:
        return _of_pair(result)
    row = next(
        i for i, pair in enumerate(zip(tests.first, tests.second, strict=True)) if {*pair} == {A, B}
    )
    decided = "no difference"
    if not hasattr(tests, "pvalue"):
        low, high = (float(end[row]) for end in tests.decisive)
        side = int(tests.favours[row])
        sizes = [None, float(tests.difference_low[row]), float(tests.difference_high[row])]
        decided = tests.outcome[row]
    else:
        low = high = float(tests.pvalue[row])
        side = int(np.sign(tests.statistic[row]))
        effects = {name: float(part[0]) for name, part in tests.effects([row]).items()}
        sizes = [effects.get(name) for name in ("estimate", "lower", "upper")]
        if hasattr(result, "lower"):
            sizes = [float(end[row]) for end in (tests.mean_difference, result.lower, result.upper)]
        decided = "significant" if tests.rejected[row] else "not significant"
    better = (tests.first[row], tests.second[row])[:: side or 1][0] if side else ""
    answer = Answer(low, high, decided, better, *sizes)
    return answer if tests.first[row] == A else answer.turned()


def _of_pair(result):
    side = int(np.sign(result.statistic))
    better = (result.first, result.second)[::side][0] if side else ""
    decided = "significant" if result.rejected else "not significant"
    names = ("shift", "shift_lower", "shift_upper")
    if not hasattr(result, "shift"):
        names = ("mean_difference", "lower", "upper")
    sizes = [getattr(result, name, None) for name in names]
    # too few data sets for an interval
    sizes[1:] = [None if size is None or np.isinf(size) else size for size in sizes[1:]]
    answer = Answer(result.pvalue, result.pvalue, decided, better, *sizes)
    return answer if result.first == A else answer.turned()


def contradictions(kind, seed):
    """Yield each door that does not say what the first one says, and in which way."""
    if kind in MORE_KINDS:
        yield from MORE_KINDS[kind](np.random.default_rng(seed))
        return
    data, first = experiment(kind, seed), None
    for name, door, unit in doors_of(data):
        try:
            answer = answer_of(door())
        except (nbc.DataError, ValueError, SystemExit) as error:
            yield name, f"refused: {error}"
            continue
        if first is None:
            first = answer
        for way in first.contradictions(answer, unit):
            yield name, way


def of_groups(rng):
    """Yield each group that ``compare_by`` decides otherwise than ``compare`` of its data sets."""
    sizes, k = rng.integers(3, 16, 2), int(rng.integers(2, 6))
    scores = rng.normal(0, 1, (sizes.sum(), k)) + np.linspace(0, rng.choice([1, 2]), k)
    data = Experiment.from_array(scores.round(2), direction="minimize")
    groups = dict(zip(data.datasets, np.repeat(["x", "y"], sizes).tolist(), strict=True))
    result = nbc.compare_by(data, by=groups)
    for name, one in result.groups.items():
        alone = nbc.compare(data.select(datasets=[d for d in groups if groups[d] == name]))
        here, there = ([found[1] for found in decisions_of(it).values()] for it in (one, alone))
        if here != there:
            yield "compare_by", "decision"
        if text := differ(one, alone):
            yield "compare_by", text.partition(" ")[0]
    if any(note.code == "not-recommended" for note in result.notes):
        yield "compare_by", "recommends something else than its own choice"


def of_runs(rng):
    """Yield where repeated runs decide otherwise than their means, and no note says why."""
    n, k, runs = (int(rng.integers(*ends)) for ends in ((6, 16), (2, 4), (4, 10)))
    scores = (
        rng.normal(0, 1, (n, k, 1, runs)) + np.linspace(0, rng.choice([0.3, 1]), k)[:, None, None]
    )
    data = Experiment.from_array(scores.round(2), direction="minimize")
    result, means = nbc.compare_stochastic(data), nbc.compare(data, adjust="holm")
    if not (text := beside(result, means)):
        return
    codes = [note.code for note in result.notes]
    if "means" not in codes:
        yield "compare_stochastic", f"{text}, and no word why"


def beside(result, means):
    """Say whether repeated runs decide otherwise than their means; nothing if they do not."""
    tests = means.hypotheses
    found = {
        frozenset(pair): no
        for *pair, no in zip(tests.first, tests.second, tests.rejected, strict=True)
    }
    rows = result.hypotheses
    for *pair, outcome in zip(rows.first, rows.second, rows.outcome, strict=True):
        if (outcome == "significant") != found[frozenset(pair)]:
            return "decision"
    if (
        result.overall is not None
        and len(rows) == 1
        and {*result.overall.outcome} != {*rows.outcome}
    ):
        return "decision against the mean of both"
    return ""


MORE_KINDS = {"groups": of_groups, "runs beside means": of_runs}


def counted(kinds, seeds):
    """Return how often each door differs, by kind, door and way, and an example of each."""
    counts, examples = Counter(), {}
    for kind in kinds:
        for seed in seeds:
            found = [(door, way.partition(":")[0]) for door, way in contradictions(kind, seed)]
            counts[kind, "any door", "decision"] += any("decision" in way for _, way in found)
            counts[kind, "any door", "anything"] += bool(found)
            counts.update({(kind, *one) for one in found})
            for one in found:
                examples.setdefault((kind, *one), seed)
    return counts, examples


if __name__ == "__main__":
    kinds = sys.argv[2:] or [*KINDS, *MORE_KINDS]
    each = -(-(int(sys.argv[1]) if len(sys.argv) > 1 else 60) // len(kinds))
    counts, examples = counted(kinds, range(each))
    for key, count in counts.items():
        print(f"{count:5} of {each}  {', '.join(key)}", examples.get(key, ""))
