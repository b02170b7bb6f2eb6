"""How often damage to a table of scores is noticed, and how often a sound table is suspected.

``python benchmarks/damage.py`` reads 1,000 sound tables, and 250 with planted damage of each
kind, and prints how many led to an error, to a note, and to nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pandas as pd

from nbcompare import Experiment, compare

Table = Callable[[np.random.Generator], np.ndarray]
Damage = Callable[[np.random.Generator, np.ndarray], pd.DataFrame]
OUTCOMES = ("error", "note", "nothing")


# ------------------------------------------------------------------------- sound tables


def shares(generator: np.random.Generator, n: int | None = None, k: int | None = None):
    """Accuracies in [0, 1], printed with 2 to 4 decimals."""
    n = n or int(generator.integers(5, 40))
    k = k or int(generator.integers(3, 11))
    level = generator.normal(1.2, 1.0, size=(n, 1))
    skill = generator.normal(0, generator.choice([0.0, 0.1, 0.4]), size=k)
    logits = level + skill + generator.normal(0, 0.2, size=(n, k))
    return np.round(1 / (1 + np.exp(-logits)), int(generator.integers(2, 5)))


def percentages(generator: np.random.Generator) -> np.ndarray:
    return np.round(100 * shares(generator), int(generator.integers(1, 3)))


def ranks(generator: np.random.Generator) -> np.ndarray:
    scores = shares(generator)
    return pd.DataFrame(scores).rank(axis=1, ascending=False).to_numpy()


def untied_ranks(generator: np.random.Generator) -> np.ndarray:
    scores = shares(generator, int(generator.integers(3, 9)), int(generator.integers(3, 6)))
    return pd.DataFrame(scores).rank(axis=1, method="first").to_numpy()


def two_datasets(generator: np.random.Generator) -> np.ndarray:
    return shares(generator, n=2)


def counts(generator: np.random.Generator) -> np.ndarray:
    n, k = int(generator.integers(4, 30)), int(generator.integers(3, 9))
    return generator.poisson(generator.gamma(2, 20, size=(n, 1)), size=(n, k)).astype(float)


def small_counts(generator: np.random.Generator) -> np.ndarray:
    n, k = int(generator.integers(4, 20)), int(generator.integers(3, 6))
    return generator.integers(0, 5, size=(n, k)).astype(float)


def errors(generator: np.random.Generator) -> np.ndarray:
    """Errors of regression: every data set has its own scale."""
    n, k = int(generator.integers(5, 40)), int(generator.integers(3, 11))
    scale = 10 ** generator.uniform(-3, 4, size=(n, 1))
    values = scale * generator.lognormal(0, 0.3, size=(n, k))
    return np.array([float(f"{v:.4g}") for v in values.flat]).reshape(n, k)


def diverged(generator: np.random.Generator) -> np.ndarray:
    """Errors of optimisers, of which one diverged, on all or some of the functions."""
    scores = np.round(generator.lognormal(-2, 1, size=shares(generator).shape), 4)
    some = generator.random(len(scores)) < generator.choice([0.3, 1.0])
    values = 10 ** generator.uniform(2, 9, size=len(scores))
    written = generator.choice(["{:.4g}", "{:.3f}", "1e6"])
    large = np.array([float(written.format(v)) for v in values])
    scores[some, generator.integers(scores.shape[1])] = large[some]
    return scores


def many_algorithms(generator: np.random.Generator) -> np.ndarray:
    n = int(generator.integers(3, 8))
    return shares(generator, n, int(generator.integers(n + 1, 4 * n)))


def milliseconds(generator: np.random.Generator) -> np.ndarray:
    n, k = int(generator.integers(5, 30)), int(generator.integers(3, 8))
    size = generator.lognormal(5, 1.5, size=(n, 1))
    speed = generator.lognormal(0, 1.0, size=k)
    times = size * speed * generator.lognormal(0, 0.1, size=(n, k))
    return np.round(times, int(generator.integers(0, 3)))


def equal_columns(generator: np.random.Generator) -> np.ndarray:
    """Accuracies of algorithms of which some make the same predictions."""
    scores = shares(generator)
    scores[:, 1] = scores[:, 0]
    return np.repeat(scores[:, :1], 4, axis=1) if generator.random() < 0.3 else scores


SOUND: dict[str, Table] = {
    "accuracies": shares,
    "percentages": percentages,
    "ranks as scores": ranks,
    "ranks of few": untied_ranks,
    "two data sets": two_datasets,
    "integer counts": counts,
    "small counts": small_counts,
    "errors of all scales": errors,
    "diverged algorithms": diverged,
    "more algorithms than data sets": many_algorithms,
    "times in ms": milliseconds,
    "equal columns": equal_columns,
}


def framed(scores: np.ndarray) -> pd.DataFrame:
    """A wide table with invented names."""
    names = [f"A{j + 1}" for j in range(scores.shape[1])]
    frame = pd.DataFrame(scores, columns=names)
    frame.insert(0, "dataset", [f"d{i + 1}" for i in range(len(scores))])
    return frame


# --------------------------------------------------------------------------- damage


def _row(generator: np.random.Generator, scores: np.ndarray) -> tuple[str, np.ndarray]:
    """A statistic of the columns, as a paper prints it below a table."""
    frame = pd.DataFrame(scores)
    order = frame.rank(axis=1, ascending=bool(generator.random() < 0.5))
    best = frame.eq(frame.max(axis=1), axis=0)
    kinds = {
        "mean": (frame.mean(), 3, ["Average", "MEAN", "mean accuracy", "Avg."]),
        "median": (frame.median(), 3, ["Median", "median"]),
        "std": (frame.std(), 3, ["Std", "StdDev", "std. dev"]),
        "ranks": (order.mean(), 2, ["Average_Rank", "avg rank", "Mean rank", "AvgRank", "Rank"]),
        "wins": (best.sum(), 0, ["Wins", "# wins", "No. of wins"]),
        "sum": (frame.sum(), 3, ["Total", "Sum"]),
        "count": (frame.count(), 0, ["Count", "N datasets"]),
    }
    values, decimals, names = kinds[str(generator.choice(list(kinds)))]
    return str(generator.choice(names)), values.round(decimals).to_numpy()


def _with_row(scores: np.ndarray, name: str, values: np.ndarray) -> pd.DataFrame:
    frame = framed(scores)
    frame.loc[len(frame)] = [name, *values]
    return frame


def summary_row(generator: np.random.Generator, scores: np.ndarray) -> pd.DataFrame:
    return _with_row(scores, *_row(generator, scores))


def summary_under_another_name(generator: np.random.Generator, scores: np.ndarray) -> pd.DataFrame:
    name = str(generator.choice(["Durchschnitt", "moyenne", "d99", "Ø"]))
    mean = np.round(scores.mean(axis=0), int(generator.integers(2, 5)))
    return _with_row(scores, name, mean)


def index_column(generator: np.random.Generator, scores: np.ndarray) -> pd.DataFrame:
    frame = framed(scores)
    name = str(generator.choice(["id", "index", "Unnamed: 0", "No.", "#"]))
    start = int(generator.integers(2))
    frame.insert(int(generator.integers(2)), name, np.arange(start, start + len(frame)))
    return frame


def index_under_another_name(generator: np.random.Generator, scores: np.ndarray) -> pd.DataFrame:
    frame = framed(scores)
    frame[str(generator.choice(["case", "nth"]))] = np.arange(1, len(frame) + 1)
    return frame


def size_column(generator: np.random.Generator, scores: np.ndarray) -> pd.DataFrame:
    frame = framed(scores)
    name = str(generator.choice(["n_train", "n_samples", "#instances", "train size", "Features"]))
    low = int(generator.choice([100, 1000]))
    frame.insert(1, name, generator.integers(low, 12 * low, size=len(frame)))
    return frame


def size_under_another_name(generator: np.random.Generator, scores: np.ndarray) -> pd.DataFrame:
    frame = framed(scores)
    frame["amount"] = generator.integers(100, 1200, size=len(frame))
    return frame


def transposed(generator: np.random.Generator, scores: np.ndarray) -> pd.DataFrame:
    name = str(generator.choice(["method", "classifier", "model"]))
    return framed(scores).set_index("dataset").T.rename_axis(name).reset_index()


def transposed_without_a_name(generator: np.random.Generator, scores: np.ndarray) -> pd.DataFrame:
    order = generator.permutation(len(scores))
    return framed(scores[order]).set_index("dataset").T.rename_axis(None)


def lost_fold(generator: np.random.Generator, scores: np.ndarray) -> pd.DataFrame:
    """Ten folds of every score, of which one was lost."""
    folds = [framed(np.round(scores + 0.01 * generator.normal(size=scores.shape), 4))] * 10
    wide = pd.concat(folds, keys=range(10), names=["fold"]).reset_index("fold")
    long = wide.melt(["dataset", "fold"], var_name="algorithm", value_name="score")
    return long.drop(index=int(generator.integers(len(long))))


def measures(scores: np.ndarray, second: np.ndarray) -> pd.DataFrame:
    """Two measures in one long table."""
    parts = {"accuracy": framed(scores), "second": framed(second)}
    wide = pd.concat(parts, names=["metric"]).reset_index("metric")
    return wide.melt(["metric", "dataset"], var_name="algorithm", value_name="score")


def minimised_measure(generator: np.random.Generator, scores: np.ndarray) -> pd.DataFrame:
    """A measure beside its opposite, such as an error or a loss, with noise."""
    noise = generator.normal(0, 0.3 * scores.std(axis=1).mean(), size=scores.shape)
    return measures(scores, scores.max() - scores + noise)


def two_measures(generator: np.random.Generator) -> pd.DataFrame:
    """Two sound measures, which agree or have nothing to do with each other."""
    scores = shares(generator)
    if generator.random() < 0.5:
        return measures(scores, scores**2)
    return measures(scores, generator.random(scores.shape))


DAMAGED: dict[str, Damage] = {
    "summary row": summary_row,
    "summary row under another name": summary_under_another_name,
    "index column": index_column,
    "index column under another name": index_under_another_name,
    "size column": size_column,
    "size column under another name": size_under_another_name,
    "transposed": transposed,
    "transposed without a name": transposed_without_a_name,
    "lost fold": lost_fold,
    "minimised measure": minimised_measure,
}


# --------------------------------------------------------------------------- counting


def outcome(frame: pd.DataFrame) -> str:
    """What reading the table leads to; a comparison stops where folds are missing."""
    try:
        if "metric" in frame:
            directions = dict.fromkeys(frame["metric"].unique(), "maximize")
            found = Experiment.read_measures(frame, measures="metric", direction=directions)
            return "note" if any(each.notes for each in found.values()) else "nothing"
        experiment = Experiment.from_frame(frame, direction="maximize")
        if experiment.incomplete:
            compare(experiment)
    except ValueError:
        return "error"
    return "note" if experiment.notes else "nothing"


def study(n_tables: int = 1_000, *, rng: int = 0) -> dict[str, dict[str, Counter[str]]]:
    """Count the outcomes of sound tables, by kind of scores, and of damaged ones, by damage.

    Parameters
    ----------
    n_tables : int
        Sound tables, shared among the kinds; a quarter as many have two measures, and each kind of
        damage.
    rng : int
        Seed.
    """
    generator = np.random.default_rng(rng)
    kinds = list(SOUND)
    sound = {kind: Counter[str]() for kind in kinds}
    for table in range(n_tables):
        kind = kinds[table % len(kinds)]
        sound[kind][outcome(framed(SOUND[kind](generator)))] += 1
    sound["two measures"] = Counter(outcome(two_measures(generator)) for _ in range(n_tables // 4))
    damaged = {damage: Counter[str]() for damage in DAMAGED}
    for damage, planted in DAMAGED.items():
        for table in range(n_tables // 4):
            scores = (shares, percentages)[table % 2](generator)
            damaged[damage][outcome(planted(generator, scores))] += 1
    return {"sound": sound, "damaged": damaged}


def main(n_tables: int = 1_000) -> None:
    found = study(n_tables)
    for title, kinds in found.items():
        print(f"{title:<34}{'tables':>8}" + "".join(f"{each:>9}" for each in OUTCOMES))
        total: Counter[str] = sum(kinds.values(), Counter())
        for kind, counted in {**kinds, "all": total}.items():
            figures = "".join(f"{counted[each]:>9,}" for each in OUTCOMES)
            print(f"  {kind:<32}{sum(counted.values()):>8,}{figures}")


if __name__ == "__main__":
    main()
