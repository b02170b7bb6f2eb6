"""How often damage to a table of scores passes unnoticed, and how often a sound table is refused.

``python benchmarks/damage.py [N]`` reads 1,000 sound tables of every shape and N (100) tables with
each kind of planted damage, and prints how many led to an error, to a note, to the scores as they
were meant, and how many were silently read as something else. The direction is always passed.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import openpyxl
import pandas as pd
from scipy.stats import rankdata

from nbcompare import DataError, Experiment

Random = np.random.Generator
OUTCOMES = ("error", "note", "right", "silent", "crash")
ROLES = ["dataset", "algorithm", "score"]


@dataclass(frozen=True)
class Table:
    """A dataframe, or the bytes of a file, and the scores as they are meant."""

    content: pd.DataFrame | bytes
    meant: pd.DataFrame | None  # None if nothing should be read of it without a word
    options: dict[str, Any] = field(default_factory=dict)
    name: str = "t.csv"

    def read(self, **advice: Any) -> Experiment:
        """Read it with what the table needs, and with advice."""
        options = self.options | advice
        if isinstance(self.content, pd.DataFrame):
            return Experiment.from_frame(self.content, **options)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, self.name)
            path.write_bytes(self.content)
            return Experiment.read(path, **options)

    def is_right(self, experiment: Experiment) -> bool:
        """Whether this was read, in any order."""
        if self.meant is None:
            return False
        meant = self.meant.rename(index=str).astype(float)
        labels = {*experiment.datasets}, {*experiment.algorithms}
        is_same = labels == ({*meant.index}, {*meant.columns})
        if not is_same or experiment.is_interval:
            return is_same
        read = experiment.to_frame().loc[meant.index, meant.columns].astype(float)
        return bool(np.allclose(read, meant, rtol=1e-9, atol=0, equal_nan=True))


# ----------------------------------------------------------------------------- invented scores


def pick(rng: Random, among: Iterable[Any]) -> Any:
    choices = list(among)
    return choices[int(rng.integers(len(choices)))]


def digits(values: Any, significant: int = 4) -> Any:
    printed = [float(f"{value:.{significant}g}") for value in np.ravel(values)]
    return np.reshape(printed, np.shape(values))


def accuracies(rng: Random, n: int, k: int) -> Any:
    skill = rng.normal(0, rng.choice([0.0, 0.1, 0.4]), size=k)
    logits = rng.normal(1.2, 1.0, size=(n, 1)) + skill + rng.normal(0, 0.2, size=(n, k))
    return np.round(1 / (1 + np.exp(-logits)), int(rng.integers(2, 5)))


def scaled(rng: Random, n: int, k: int, spread: float, *sigmas: float, zero: float = 0) -> Any:
    """Errors or times with another level on every data set; spreads of skill and of noise."""
    levels = 10 ** rng.normal(1, spread, size=(n, 1)) * rng.lognormal(0, sigmas[0], size=k)
    return digits(levels * rng.lognormal(0, sigmas[1], size=(n, k)) * (rng.random((n, k)) >= zero))


def diverged(rng: Random, n: int, k: int) -> Any:
    """Errors of optimisers, of which one diverged on some of the functions."""
    values = scaled(rng, n, k, 0.3, 0, 1)
    some = rng.permutation(n)[: (n + 1) // 3]
    values[some, 0] = digits(10 ** rng.uniform(2, 9, size=len(some)))
    return values


def random_baseline(rng: Random, n: int, k: int) -> Any:
    rest = 0.6 + 0.4 * accuracies(rng, n, k - 1)
    return np.hstack([rng.uniform(0.1, 0.5, size=(n, 1)), rest]).round(3)


KINDS: dict[str, tuple[Callable[[Random, int, int], Any], str]] = {
    "accuracies": (accuracies, "maximize"),
    "percentages": (lambda rng, n, k: (100 * accuracies(rng, n, k)).round(2), "maximize"),
    "errors of all scales": (lambda *it: scaled(*it, 1.5, 0, 0.3), "minimize"),
    "times": (lambda *it: scaled(*it, 0.7, 0.7, 0.2), "minimize"),
    "diverged algorithms": (diverged, "minimize"),
    "optimum reached": (lambda *it: scaled(*it, 3, 0, 3, zero=0.3), "minimize"),
    "ranks as scores": (lambda *it: rankdata(-accuracies(*it), axis=1), "minimize"),
    "counts": (lambda rng, n, k: rng.poisson(rng.gamma(2, 20, (n, 1)), (n, k)), "maximize"),
    "small counts": (lambda rng, n, k: rng.integers(0, 5, (n, k)), "minimize"),
    "true or false": (lambda rng, n, k: rng.random((n, k)) < rng.uniform(0.2, 0.9, k), "maximize"),
    "random baseline": (random_baseline, "maximize"),
    "perfect scores": (lambda *it: (accuracies(*it) + 0.3).round(3).clip(max=1), "maximize"),
    "equal columns": (lambda *it: accuracies(*it)[:, [0, *range(it[2] - 1)]], "maximize"),
}
CONTINUOUS = list(KINDS)[:4]
SHARES = ("accuracies", "percentages")
_KNOWN = """
SVM kNN-1 kNN-3 RF XGBoost ResNet18 ResNet50 LSTM GRU C4.5 CART MLP NB LDA QDA GP PSO DE GA SA HC2
Entscheidungsbaum Zufallswald Régression Forêt Árbol Vecinos Rete 决策树 Las Дерево Hasard Treillis
iris wine zoo glass adult vowel FaceAll heart Total letter Wafer yeast MeanShift ecoli Sphere sonar
Müllabfuhr café vino Über straße fleurs montaña 鸢尾花 поле Äpfel Haus rouge bleu"""
ALGORITHMS, FOREIGN, *DATASETS = (line.split() for line in _KNOWN.strip().splitlines())
# What tables call their data sets, algorithms and scores
WORDS = [ROLES, ["problem", "method", "value"], ["task", "model", "result"]]
_FOREIGN_WORDS = """
Datensatz Verfahren Genauigkeit|jeu_de_données méthode valeur|conjunto clasificador valor|
insieme metodo valore|数据集 算法 结果|zbiór metoda wynik"""
FOREIGN_WORDS = [words.split() for words in _FOREIGN_WORDS.split("|")]


def names(rng: Random, known: list[str], patterns: str, size: int) -> list[str]:
    if rng.random() < 0.5:
        pattern, step = pick(rng, patterns.split()), int(rng.integers(1, 4))
        return [pattern.format(1 + step * place) for place in range(size)]
    more = known + [f"{name}{version}" for version in range(2, 20) for name in known]
    return list(map(str, rng.permutation(more[: max(size, len(known))])[:size]))


def scores(rng: Random, kind: str, n: tuple[int, int], k: tuple[int, int]) -> pd.DataFrame:
    """Scores with invented names; small tables are as frequent as large ones."""
    sizes = [round(np.exp(rng.uniform(*np.log(ends)))) for ends in (n, k)]
    values = KINDS[kind][0](rng, *sizes)
    columns = names(rng, pick(rng, [ALGORITHMS, FOREIGN]), "A{} Depth{} kNN-{}", values.shape[1])
    index = names(rng, pick(rng, DATASETS), "d{} f{} UCI-{}", len(values))
    return pd.DataFrame(values, index=index, columns=columns)


# ------------------------------------------------------------------------------ shapes of tables


def wide(frame: pd.DataFrame, name: str = "dataset") -> pd.DataFrame:
    return frame.rename_axis(name).reset_index()


def long(frame: pd.DataFrame, words: list[str] = ROLES) -> pd.DataFrame:
    table = wide(frame, words[0]).melt(words[0], var_name=words[1], value_name=words[2])
    return table.dropna(ignore_index=True)


def either(rng: Random, frame: pd.DataFrame) -> pd.DataFrame:
    return pick(rng, [wide, long])(frame)


def gaps(rng: Random, frame: pd.DataFrame) -> Any:
    """Without one score in twenty, of a table that is large enough for it."""
    gone = rng.random(frame.shape) < 0.05
    crowded = max(gone.mean(axis=0).max(), gone.mean(axis=1).max()) > 0.5 or min(frame.shape) < 4
    frame = frame if crowded else frame.mask(gone)
    return either(rng, frame), frame


def described(rng: Random, table: pd.DataFrame) -> pd.DataFrame:
    """A long table with columns that say nothing new, in any order."""
    n = len(table)
    d, a = (table[role].factorize()[0] for role in ROLES[:2])
    columns = {
        "n_features": rng.integers(4, 5_000, size=n)[d],
        "domain": rng.choice(["vision", "text", "audio", "graphs"], size=n)[d],
        "family": rng.choice(["trees", "nets", "kernels"], size=n)[a],
        "n_params": rng.integers(10**3, 10**9, size=n)[a],
        "version": [pick(rng, ["1.2.0", 8])] * n,
        "id": pick(rng, [range(n), [f"x{row:05x}" for row in range(n)]]),
        "label": list(table["algorithm"]),
    }
    table = table.assign(**{name: it for name, it in columns.items() if rng.random() < 0.5})
    return table[list(rng.permutation(table.columns))]


def repeated(rng: Random, frame: pd.DataFrame, labels: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Each score several times, below one another by label, and the means."""
    parts = {each: frame * rng.normal(1, 0.01, size=frame.shape) for each in labels}
    table = pd.concat({each: part.apply(digits) for each, part in parts.items()})
    return table, table.groupby(level=-1).mean().loc[frame.index]


def with_runs(runs: dict[str, Any], is_long: bool, rng: Random, frame: pd.DataFrame) -> Any:
    """Repetitions, told apart by columns, in rows."""
    rows, means = repeated(rng, frame, pd.MultiIndex.from_product(runs.values()))
    table = rows.rename_axis([*runs, "dataset"]).reset_index()
    if is_long:
        keys = [*runs, "dataset"]
        table = described(rng, table.melt(keys, var_name="algorithm", value_name="score"))
    return table, means


def two_levels(rng: Random, frame: pd.DataFrame) -> Any:
    rows, means = repeated(rng, frame, range(int(rng.integers(2, 6))))
    table = rows.rename_axis(["fold", "dataset"]).rename_axis(columns="algorithm")
    return table.stack().unstack(["algorithm", "fold"]), means


def wide_described(rng: Random, frame: pd.DataFrame) -> pd.DataFrame:
    table = wide(frame).assign(source="ours", label=list(frame.index))
    table.insert(1, "domain", rng.choice(["vision", "text", "audio"], size=len(table)))
    return table


def intervals(rng: Random, frame: pd.DataFrame) -> pd.DataFrame:
    table, width = long(frame), rng.uniform(0, 0.1, size=frame.size).round(4)
    return table.assign(lower=table["score"] - width, upper=table.pop("score") + width)


def semicolons(rng: Random, frame: pd.DataFrame) -> Table:
    text = frame.to_csv(sep=";", decimal=",", index_label=pick(rng, FOREIGN_WORDS)[0])
    return Table(text.encode(), frame, {"decimal": ","})


def sheet(_: Random, frame: pd.DataFrame, change: Callable[[Any], None] | None = None) -> Table:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in [["dataset", *frame.columns], *wide(frame).astype(object).to_numpy().tolist()]:
        book.active.append(row)
    if change:
        change(book.active)
    book.save(stream)
    return Table(stream.getvalue(), None if change else frame, name="t.xlsx")


def foreign_long(rng: Random, frame: pd.DataFrame) -> Table:
    words = pick(rng, FOREIGN_WORDS)
    return Table(long(frame, words), frame, dict(zip(ROLES, words, strict=True)))


def numbered(rng: Random, frame: pd.DataFrame) -> Any:
    ids = np.sort(rng.choice(np.arange(3, 45_000), size=len(frame), replace=False))
    frame = frame.set_axis(ids, axis=0)
    return either(rng, frame), frame


# How a table is made of scores, maybe with what is meant, and the kinds of scores
SHAPES: dict[str, tuple[Callable[[Random, pd.DataFrame], Any], Iterable[str]]] = {
    "wide": (lambda rng, frame: wide(frame, pick(rng, WORDS + FOREIGN_WORDS)[0]), KINDS),
    "wide, names as index": (lambda rng, frame: frame.rename_axis(pick(rng, WORDS)[0]), KINDS),
    "wide, described": (wide_described, KINDS),
    "with gaps": (gaps, CONTINUOUS),
    "wide, seeds in rows": (partial(with_runs, {"seed": [1, 2, 9, 42]}, False), CONTINUOUS),
    "wide, two levels": (two_levels, CONTINUOUS),
    "wide, decimal commas": (semicolons, CONTINUOUS),
    "wide, spreadsheet": (sheet, KINDS),
    "numbers as names": (numbered, KINDS),
    "long": (lambda rng, frame: long(frame, pick(rng, WORDS)), KINDS),
    "long, described": (lambda rng, frame: described(rng, long(frame)), KINDS),
    "long, folds": (partial(with_runs, {"fold": range(10)}, True), CONTINUOUS),
    "long, seeds": (partial(with_runs, {"seed": [7, 123, 2024]}, True), CONTINUOUS),
    "long, runs": (partial(with_runs, {"fold": [*"abc"], "run": [0, 1]}, True), CONTINUOUS),
    "long, other languages": (foreign_long, KINDS),
    "intervals": (intervals, CONTINUOUS),
}


def tabled(rng: Random, made: Any, frame: pd.DataFrame, direction: str) -> Table:
    """What a shape or a plant made, as a dataframe or, as often, as a file."""
    content, meant = made if isinstance(made, tuple) else (made, frame)
    table = content if isinstance(content, Table) else Table(content, meant)
    content = table.content
    if isinstance(content, pd.DataFrame) and content.columns.nlevels == 1 and rng.random() < 0.5:
        has_names = not isinstance(content.index, pd.RangeIndex)
        table = replace(table, content=content.to_csv(index=has_names).encode())
    return replace(table, options={"direction": direction, **table.options})


def sound_table(rng: Random, shape: str) -> tuple[str, Table]:
    """The kind of its scores, and a table."""
    make, kinds = SHAPES[shape]
    kind = pick(rng, kinds)
    frame = scores(rng, kind, (3, 200), (2, 30))
    return kind, tabled(rng, make(rng, frame), frame, KINDS[kind][1])


# ---------------------------------------------------------------------------------- plants


def summary_row(statistic: str, rng: Random, frame: pd.DataFrame) -> pd.DataFrame:
    order = frame.rank(axis=1, ascending=False)
    values = order if "ranks" in statistic else order.eq(1) if statistic == "wins" else frame
    compute, decimals, called = SUMMARIES[statistic]
    row = getattr(values, compute)().round(decimals).to_frame(pick(rng, called.split()))
    place = pick(rng, [0, len(frame) // 2, len(frame)])
    return either(rng, pd.concat([frame[:place], row.T, frame[place:]]))


# By statistic: how it is computed, its decimals, and what it is called, also like a data set
SUMMARIES = {
    "means": ("mean", 4, "Average Mittelwert moyenne promedio media 平均 Wolfsburg"),
    "medians": ("median", 4, "Median Zentralwert médiane mediana 中位数 Wolfsburg"),
    "sums": ("sum", 4, "Total Summe somme suma totale 合计 Wolfsburg"),
    "average ranks": ("mean", 2, "AvgRank Rang rang_moyen rango rangowy 排名 Wolfsburg"),
    "deviations": ("std", 4, "Std Streuung écart-type desviación scarto 标准差 Wolfsburg"),
    "wins": ("sum", 0, "Wins Siege victoires victorias vittorie 胜 Wolfsburg"),
}


def insert_column(kind: str, rng: Random, frame: pd.DataFrame) -> pd.DataFrame:
    called, make = COLUMNS[kind]
    table = wide(frame)
    table.insert(pick(rng, [1, table.shape[1]]), pick(rng, called.split()), list(make(rng, frame)))
    return table


# Numbers that are no scores, and what their column is called
COLUMNS: dict[str, tuple[str, Callable[[Random, pd.DataFrame], Iterable[float]]]] = {
    "means": ("Average Mittelwert moyenne all", lambda _, it: it.mean(axis=1).round(4)),
    "best scores": ("Best Oracle mejor", lambda _, it: it.max(axis=1)),
    "best known values": (
        "BKS Best_known optimum UB",
        lambda rng, it: it.max(axis=1) + np.round(rng.uniform(0, 0.02, len(it)), 4),
    ),
    "sizes": ("n_train amount Größe taille", lambda rng, it: rng.integers(150, 9_999, len(it))),
    "years": ("year Jahr date", lambda rng, it: rng.integers(1988, 2024, len(it))),
    "row numbers": (
        "id Nr. case #",
        lambda rng, it: range(start := rng.integers(2), start + len(it)),
    ),
}


def spelling(pairs: str, is_typo: bool, rng: Random, frame: pd.DataFrame) -> pd.DataFrame:
    """A name that is written in two ways: in a long table, or as two rows or columns."""
    name, other = pick(rng, pairs.split("|")).split(",")
    axis = int(rng.integers(2))
    frame = frame.rename({frame.axes[axis][0]: name}, axis=axis)
    if not is_typo and rng.random() < 0.5:
        return wide(frame.rename({frame.axes[axis][2]: other}, axis=axis))
    table = long(frame)
    mine = table.index[table[ROLES[axis]] == name]
    table.loc[rng.choice(mine, size=max(1, len(mine) // 4), replace=False), ROLES[axis]] = other
    return table


def sentinel(value: float, rng: Random, frame: pd.DataFrame) -> pd.DataFrame:
    frame = (0.5 + frame / 2).round(4)
    for _ in range(int(rng.integers(1, 4))):
        frame.iloc[rng.integers(len(frame)), rng.integers(frame.shape[1])] = value
    return either(rng, frame)


def in_percent(rng: Random, frame: pd.DataFrame) -> pd.DataFrame:
    """An algorithm, a part of it, or a part of a data set in percent."""
    frame, half = frame.copy(), [size // 2 for size in frame.shape]
    rows, columns = rng.permutation(len(frame))[: half[0]], rng.permutation(half[1])
    place = pick(rng, [(rows, [0]), ([1], columns), (slice(None), [1])])
    frame.iloc[place] = (100 * frame.iloc[place]).round(2)
    return either(rng, frame)


def milliseconds(rng: Random, frame: pd.DataFrame) -> pd.DataFrame:
    slowest = frame.mean().idxmax()
    return either(rng, frame.assign(**{slowest: (1_000 * frame[slowest]).round(2)}))


def hidden(rng: Random, frame: pd.DataFrame) -> Table:
    def hide(sheet: Any) -> None:
        how = pick(rng, ["row", "column", "filter"])
        sheet.column_dimensions["C"].hidden = how == "column"
        sheet.row_dimensions[3].hidden = how != "column"
        sheet.auto_filter.ref = sheet.dimensions if how == "filter" else None

    return sheet(rng, frame, hide)


def thousands(rng: Random, frame: pd.DataFrame) -> Any:
    """Whole numbers, of which those from 1,000 have a point: 1.816 beside 418."""
    frame = (10 ** rng.uniform(2, 4, size=(len(frame), 1)) * (1 + frame)).round()
    frame.iloc[0], frame.iloc[1] = frame.iloc[0] % 900 + 100, 1_000 + frame.iloc[1]
    text = frame.map(lambda value: f"{value:,.0f}".replace(",", "."))
    return Table(text.to_csv(sep=pick(rng, ",;\t"), index_label="dataset").encode(), frame)


def status(rng: Random, frame: pd.DataFrame) -> Any:
    """Runtimes of solvers, of which one often crashes early, and a column that says so."""
    words = "ok timeout crash|SAT TIMEOUT MEMOUT|0 124 139|fertig abgebrochen Fehler"
    fine, late, crash = pick(rng, words.split("|")).split()
    table = long(frame, ["instance", "algorithm", "runtime"])
    is_crash = table["algorithm"].eq(frame.columns[1]) & (rng.random(len(table)) < 0.7)
    cutoff = table["runtime"].quantile(0.9).round(1)
    is_late = table["runtime"] >= cutoff
    table["runtime"] = table["runtime"].clip(upper=cutoff).mask(is_crash, 3.0)
    name = pick(rng, "runstatus status exit Zustand résultat".split())  # noqa: SIM905
    return table.assign(**{name: np.select([is_crash, is_late], [crash, late], fine)}), None


def cutoff(rng: Random, frame: pd.DataFrame) -> pd.DataFrame:
    return either(rng, frame.clip(upper=round(float(np.quantile(frame, 0.88)), 1)))


CHANGING: dict[str, list[Any]] = {"n_shots": [0, 5], "budget": [100, 1000], "valid": [True, False]}
CHANGING |= {"split": ["train", "test"], "metric": ["acc", "f1"], "unit": ["s", "ms"]}
CHANGING |= {"config": ["small", "large"], "note": ["", "restarted"], "mesure": ["rappel", "F1"]}


def averaged_over(rng: Random, frame: pd.DataFrame) -> Any:
    """Two rows of each cell, which differ by a column that is no repetition."""
    name, labels = pick(rng, CHANGING.items())
    parts = {each: long(frame * (1 - 0.1 * place)) for place, each in enumerate(labels)}
    table = pd.concat(parts, names=[name]).round(4).reset_index(name)
    return table.sort_values(ROLES[:2], kind="stable", ignore_index=True), None


def changes(rng: Random, frame: pd.DataFrame) -> Any:
    """A column that changes from one cell to the next."""
    name, labels = pick(rng, CHANGING.items())
    table, second = long(frame), rng.random(frame.size) < 0.2
    table.loc[second, "score"] *= 1_000 if name == "unit" else 1
    return table.assign(**{name: [labels[place] for place in second.astype(int)]}), None


def serial_number(rng: Random, frame: pd.DataFrame) -> Any:
    """Several rows of each cell that nothing but a number of the row tells apart."""
    table = pd.concat([long(repeated(rng, frame, [0])[0].droplevel(0)) for _ in range(3)])
    labels = [[f"bold-bird-{row}" for row in range(len(table))], range(len(table))]
    table.insert(0, pick(rng, ["run_id", "number", "Name", "Kennung"]), pick(rng, labels))
    return table.reset_index(drop=True), None


def two_measures(rng: Random, frame: pd.DataFrame) -> pd.DataFrame:
    """Columns such as GA_acc, GA_time, SA_acc, SA_time."""
    measures = pick(rng, [("acc", "time"), ("f1", "size"), ("Güte", "Zeit")])
    pattern = pick(rng, ["{0}_{1}", "{1}_{0}", "{0}.{1}", "{0} {1}"])
    both = frame, pd.DataFrame(digits(rng.lognormal(6, 1, frame.shape)), frame.index, frame.columns)
    columns = product(frame, zip(measures, both, strict=True))
    return wide(pd.DataFrame({pattern.format(a, name): it[a] for a, (name, it) in columns}))


def folds(rng: Random, frame: pd.DataFrame) -> Any:
    """Repetitions of one algorithm as columns."""
    pattern, size = pick(rng, [("fold{}", 5), ("seed{}", 10), ("{}", 30), ("run_{}", 10)])
    rows = repeated(rng, frame.iloc[:, :1], range(size))[0]
    return wide(rows.iloc[:, 0].unstack(0).rename(columns=pattern.format)), None


def folds_of_algorithms(rng: Random, frame: pd.DataFrame) -> Any:
    """Columns such as SVM_fold0, ..., RF_fold4."""
    pattern = pick(rng, ["{}_fold{}", "{} (seed {})", "{}_{}", "{}-run{}", "{} [{}]"])
    named = frame.set_axis(ALGORITHMS[: frame.shape[1]], axis=1)
    rows, means = repeated(rng, named, range(int(rng.integers(3, 6))))
    table = rows.stack().unstack([2, 0])
    return wide(table.set_axis([pattern.format(*each) for each in table], axis=1)), means


class Plant(NamedTuple):
    """Damage to scores of some kinds, and whether numbers or names show it."""

    make: Callable[[Random, pd.DataFrame], Any]
    kinds: Iterable[str] = SHARES
    is_visible: bool = True


PLANTS: dict[str, Plant] = {
    **{f"row of {it}": Plant(partial(summary_row, it), CONTINUOUS) for it in list(SUMMARIES)[:3]},
    **{f"row of {it}": Plant(partial(summary_row, it)) for it in list(SUMMARIES)[3:]},
    **{f"column of {it}": Plant(partial(insert_column, it)) for it in COLUMNS},
    "names that differ in case": Plant(partial(spelling, "Iris,iris|XGBoost,xgboost", False)),
    "names that differ in blanks": Plant(partial(spelling, "my wine,my  wine|ab,ab ", False)),
    "names that differ in accents": Plant(partial(spelling, "café,cafe|Müll,Mull", False)),
    "misspelt names": Plant(partial(spelling, "Depth3,Dpeth3|LightGBM,LigthGBM", True)),
    **{f"{it} for a failed run": Plant(partial(sentinel, it), SHARES[:1]) for it in (-1, 999, 0)},
    "a part in percent": Plant(in_percent, SHARES[:1]),
    "an algorithm in milliseconds": Plant(milliseconds, ["times"]),
    "thousands marks": Plant(thousands, SHARES[:1]),
    "hidden rows and columns": Plant(hidden),
    "equal rows": Plant(lambda rng, it: either(rng, pd.concat([it, it[:1].set_axis(["Twin"])]))),
    "equal columns": Plant(lambda rng, it: either(rng, it.assign(Twin=it.iloc[:, 0]))),
    "status ignored": Plant(status, ["times"]),
    "pile-up at a cutoff": Plant(cutoff, ["times"]),
    "column averaged over": Plant(averaged_over),
    "column that changes": Plant(changes),
    "serial number as repetition": Plant(serial_number),
    "measures as columns": Plant(two_measures, SHARES[:1]),
    "folds as columns": Plant(folds),
    "folds of algorithms": Plant(folds_of_algorithms),
    "transposed": Plant(lambda _, frame: frame.T.rename_axis("method")),
    "transposed without a word": Plant(lambda _, frame: frame.T, is_visible=False),
}


def planted_tables(rng: Random, name: str) -> list[Table]:
    """A damaged table, and the same scores without damage, wide and long."""
    kind = pick(rng, PLANTS[name].kinds)
    frame = scores(rng, kind, (7, 40), (4, 10))
    makes = PLANTS[name].make, lambda _, frame: wide(frame), lambda _, frame: long(frame)
    return [tabled(rng, make(rng, frame), frame, KINDS[kind][1]) for make in makes]


# ---------------------------------------------------------------------------------- counting


def outcome(table: Table, plain: Iterable[Table] = ()) -> tuple[str, str]:
    """What reading leads to, and what is said; notes on the plain tables tell of no damage."""
    try:
        experiment = table.read()
    except DataError as error:
        return "error", str(error)
    except Exception as error:
        return "crash", repr(error)
    known: set[str] = set()
    for other in plain if experiment.notes else ():
        with suppress(Exception):  # a false alarm, which the sound tables count
            known |= {_but_for_numbers(note.text) for note in other.read().notes}
    texts = [note.text for note in experiment.notes]
    said = " ".join(text for text in texts if _but_for_numbers(text) not in known)
    is_right = table.is_right(experiment)
    if said and (plain or is_right):
        return "note", said
    return "right" if is_right else "silent", said


def _but_for_numbers(text: str) -> str:
    return re.sub(r"[\d.,]+", "#", text)


def study(n_sound: int = 1_000, n_planted: int = 100, *, rng: int = 0) -> dict[str, Any]:
    """Outcomes of sound tables by shape and by kind of scores, of damaged ones, and what was said.

    Parameters
    ----------
    n_sound : int
        Sound tables, shared among the shapes.
    n_planted : int
        Tables of each kind of damage.
    rng : int
        Seed.
    """
    generator = np.random.default_rng(rng)
    titles = {"sound, by shape": SHAPES, "sound, by scores": KINDS, "damaged": PLANTS}
    found: dict[str, Any] = {title: {it: Counter() for it in of} for title, of in titles.items()}
    said = found["said"] = {}
    for number in range(n_sound):
        shape = list(SHAPES)[number % len(SHAPES)]
        kind, table = sound_table(generator, shape)
        result, words = outcome(table)
        found["sound, by shape"][shape][result] += 1
        found["sound, by scores"][kind][result] += 1
        if result in ("error", "silent", "crash"):
            said.setdefault(f"{shape}, {kind}, {result}", words)
    for name, counted in found["damaged"].items():
        for _ in range(n_planted):
            damaged, *plain = planted_tables(generator, name)
            counted[outcome(damaged, plain)[0]] += 1
    return found


def main(n_planted: int = 100, n_sound: int = 1_000) -> None:
    found = study(n_sound, n_planted)
    said = found.pop("said")
    unseen = [name for name, plant in PLANTS.items() if not plant.is_visible]
    for title, kinds in found.items():
        print(f"\n{title:<36}{'tables':>8}" + "".join(f"{each:>9}" for each in OUTCOMES))
        visible = sum((counted for kind, counted in kinds.items() if kind not in unseen), Counter())
        rows = {f"{kind}{'*' * (kind in unseen)}": counted for kind, counted in kinds.items()}
        for kind, counted in {**rows, "all without *": visible}.items():
            figures = "".join(f"{counted[each]:>9,}" for each in OUTCOMES)
            print(f"  {kind:<34}{counted.total():>8,}{figures}")
    print("* neither numbers nor names show it\n\nSound tables refused or read wrong, by kind:")
    print("\n".join(f"  {kind}: {words[:250]}" for kind, words in said.items()))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
