"""Scores that a query engine averages: tables larger than the memory, or on a cluster.

The engine is any whose lazy tables narwhals knows. Columns are understood in the first rows, as
:mod:`~nbcompare.experiment._infer` does; whether that holds in all rows, the engine says in the
query that averages: the least and the greatest cell of every other column, for each score.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from nbcompare import _tables
from nbcompare._render import Note
from nbcompare._validation import DataError, check_choice, check_name, clean_label, named, shown
from nbcompare.experiment._directions import directed
from nbcompare.experiment._doubt import Unsettled, Way, explained
from nbcompare.experiment._facts import are_numbered
from nbcompare.experiment._infer import Understanding, infer
from nbcompare.experiment._losses import Incomplete
from nbcompare.experiment._reading import KEYS, Reading
from nbcompare.experiment._roles import REPETITIONS
from nbcompare.experiment._schema import Schema

if TYPE_CHECKING:
    import narwhals as nw
    import polars as pl

STATISTICS = ("mean", "median")
# What may be done about scores that lack folds or runs: words of `words.missing`
TREATMENTS = ("raise", "available", "drop")
_ENGINES = {"duckdb": "DuckDB", "pyspark": "Spark", "sqlframe": "SQLFrame"}
_LABELS, _BESIDE = ("dataset", "algorithm"), ("domain", "higher_is_better")
_REASONS: dict[str, list[str]] = {
    "the same in all rows": [],
    "describes the data set": ["dataset"],
    "describes the algorithm": ["algorithm"],
    "describes the fold": ["fold"],
    "describes the fold of the data set": ["dataset", "fold"],
}
_SAMPLE = 1000  # rows in which columns are understood
_OF_A_ROW = 500  # bytes of a row that the engine returns, until it is in the array
_PATIENCE = 20.0  # seconds of a query that is repeated to try advice
_Made = TypeVar("_Made")


class Scanned(NamedTuple):
    """A row per data set and algorithm, how to read it, and what to know of it."""

    table: _tables.RawTable
    reading: Reading
    notes: tuple[Note, ...]
    schema: Schema
    algorithms: list[str]  # in the order of their labels


def scanned(source: Any, asked: Reading, *, statistic: str, missing: str) -> Scanned:
    """Let the engine of a lazy table average folds and runs.

    Parameters
    ----------
    source : lazy table, str or Path
        A table that narwhals knows, or where Parquet files are.
    asked : Reading
        What the caller says of the columns.
    statistic : {"mean", "median"}
        What the runs of a fold become.
    missing : {"raise", "available", "drop"}
        What to do about scores that lack folds or runs.
    """
    check_choice(statistic, "statistic", STATISTICS)
    check_choice(missing, "missing", TREATMENTS)
    with warnings.catch_warnings():
        # narwhals announces that its part for Dask becomes a package of its own
        warnings.filterwarnings("ignore", message="Dask support", category=FutureWarning)
        frame, name = _lazy_table(source)
        began = monotonic()
        try:
            return _Query.of(frame, name, asked).scanned(statistic, missing)
        except Unsettled as doubt:
            is_quick = monotonic() - began < _PATIENCE

            def tried(reading: Reading) -> set[str]:
                query = _Query.of(frame, name, reading)
                if is_quick:
                    query.scanned(statistic, missing)
                return set()

            raise explained(doubt, asked, tried) from None


@dataclass(frozen=True)
class _Query:
    """The rows of a lazy table that are read, columns with roles under the names of these."""

    rows: nw.LazyFrame[Any]
    source: str
    asked: Reading
    known: Understanding
    others: Sequence[str]  # columns that are to be accounted for
    notes: tuple[Note, ...]

    @property
    def repeats(self) -> list[str]:
        """The roles of columns that tell repetitions apart."""
        return [role for role in REPETITIONS if role in self.known.roles]

    @classmethod
    def of(cls, rows: nw.LazyFrame[Any], source: str, asked: Reading) -> _Query:
        """Understand the columns of a table by a few of the rows that are read."""
        import narwhals as nw

        kinds = _quoted(source, rows.collect_schema)
        for name in (*asked.ignore, *asked.where):
            check_name(name, "ignore" if name in asked.ignore else "where", kinds.names())
        rows, sizes = rows.drop(asked.ignore), []
        for name, labels in asked.where.items():
            rows, *more = _only(rows, name, labels, f"where[{name!r}]", source)
            sizes += more
        sample = _fetched(rows.head(_SAMPLE), source)
        if not len(sample):
            raise DataError(f"{source} has no rows.")
        known = infer(replace(_tables.from_frame(sample), source=source), asked)
        roles = {**known.roles, "score": known.scores}
        if not known.is_long or "dataset" not in roles or len(known.scores) > 1:
            raise DataError(
                f"{source} must have a row per score, and no intervals. Pass dataset=, algorithm= "
                "and score= to name its columns."
            )
        if "higher_is_better" not in roles and asked.direction is None:
            directed(asked, (), None, source)  # raises, before the engine works for an hour
        settled = {*asked.where, *(name for names in roles.values() for name in names)}
        settled |= {use.name for use in known.uses if use.use == "another measure, left out"}
        others = [name for name in rows.columns if name not in settled]
        rows = rows.select(
            *(_joined(names).alias(role) for role, names in roles.items()),
            *(
                (nw.col(n) if kinds[n].is_integer() else nw.col(n).cast(nw.String)).alias(f"= {n}")
                for n in others
            ),
        ).with_columns(nw.col("score").cast(nw.Float64))
        # narwhals has null and NaN apart, and a score that is either is not there
        rows = rows.filter(~nw.col("score").is_null()).filter(~nw.col("score").is_nan())
        for role, wanted in (("dataset", asked.datasets), ("algorithm", asked.algorithms)):
            if wanted is not None:
                rows = _only(rows, role, wanted, f"{role}s", source)[0]
        notes = [Note(code, text) for code, text in known.notes]
        if sizes:
            known.n_rows = sizes[0]
            conditions = [f"{name} {' or '.join(labels)}" for name, labels in asked.where.items()]
            told = f"{sizes[-1]:,} of {sizes[0]:,} rows were read: {' and '.join(conditions)}."
            notes.append(Note("where", told))
        return cls(rows, source, asked, known, others, tuple(notes))

    def scanned(self, statistic: str, missing: str) -> Scanned:
        """Return the scores, their columns accounted for and nothing lacking unsaid."""
        import polars as pl

        asked, known, n = self.asked, self.known, pl.col("n")
        beside = [role for role in _BESIDE if role in known.roles]
        keys = [*_LABELS, *beside, *({"fold"} & {*self.repeats})]
        cells = self._averaged(keys, statistic).sort(_LABELS)
        if not len(cells):
            raise DataError(f"{self.source} has no scores.")
        if "fold" not in self.repeats:
            cells = cells.with_columns(fold=pl.lit(1))
        if len(bare := cells.filter(pl.col("fold").is_null() | (pl.col("labelled") < n))):
            raise DataError(
                f"{self.source}: every row with a score must name its fold and run; one of "
                f"{_place(bare)} does not."
            )
        uses = {name: self._use(cells, name) for name in self.others}
        self._refuse_repeats(cells)
        # an algorithm that is never run so often as others has lost nothing
        most = [n.max().over(keys) for keys in (["dataset", "fold"], ["algorithm"])]
        counted = cells.with_columns(
            folds=pl.col("fold").n_unique().over("dataset"), runs=pl.min_horizontal(most)
        )
        scores = counted.group_by(*_LABELS, *beside, maintain_order=True).agg(
            pl.col("score").mean(),
            pl.col("folds").max(),
            pl.col("runs", "n").sum(),
            n_folds=pl.len(),
        )
        rows, folds, runs = (
            int(np.max(each)) for each in (cells["n"].cum_sum(), scores["n_folds"], cells["n"])
        )
        engine = self.rows.implementation.name.lower()
        told = f"{_ENGINES.get(engine, engine.capitalize())} read the scores from {rows:,} rows"
        what = [f"means of up to {folds} folds"] * (folds > 1)
        what += [f"{statistic}s of up to {runs} runs"] * (runs > 1)
        notes = [Note("scanned", f"{told}{': ' if what else ''}{' of '.join(what)}.")]
        name = pl.col("dataset").cast(pl.String).str.strip_chars()
        is_part = (pl.col("n_folds") < pl.col("folds")) | (n < pl.col("runs"))
        part = scores.filter(is_part & ~name.is_in(asked.ignore_rows))
        notes += [*self.notes, *([self._note(part, missing)] if len(part) else [])]
        if missing == "drop":
            scores = scores.filter(~pl.col("dataset").is_in(part["dataset"].to_list()))
        if not len(scores):
            raise DataError(
                f"{self.source}: every data set lacks folds or runs of some algorithm, so "
                "missing='drop' leaves none. Pass missing='available' to average what is there."
            )
        columns, left = [*_LABELS, "score", *beside], set(scores.select(name).to_series())
        is_named = known.scores[0].casefold() != "score"
        reading: dict[str, Any] = {
            **dict.fromkeys((*KEYS, "where", "higher_is_better"), None),
            **{column: column for column in columns},
            "measure": asked.measure or (known.scores[0] if is_named else None),
            "datasets": asked.datasets and [name for name in asked.datasets if name in left],
            "ignore": (),
        }
        table = replace(_tables.from_frame(scores.select(columns)), source=self.source)
        schema = known.schema(asked, known.n_rows or rows)
        columns_are = tuple(each._replace(use=uses.get(each.name, each.use)) for each in known.uses)
        schema = replace(schema, n_kept=rows, columns=columns_are)
        algorithms = [clean_label(name) for name in scores["algorithm"].unique().sort()]
        return Scanned(table, replace(asked, **reading), tuple(notes), schema, algorithms)

    def _averaged(self, keys: Sequence[str], statistic: str) -> pl.DataFrame:
        """Let the engine average the scores of each group, and say what else it holds."""
        import narwhals as nw
        import polars as pl

        score, algorithm, parts = nw.col("score"), nw.col("algorithm"), [self.rows]
        if statistic == "median" and self.rows.implementation.is_polars():
            # which holds scores in memory for medians: those of one algorithm at a time
            names = self._groups("algorithm")["algorithm"].to_list()
            conditions = [algorithm.is_null() if n is None else algorithm == n for n in names]
            parts = [self.rows.filter(condition) for condition in conditions] or parts
        most = (_tables.free_bytes() or 2**60) // _OF_A_ROW
        columns = [
            (score.median() if statistic == "median" else score.mean()).alias("score"),
            nw.len().alias("n"),
            nw.col("run" if "run" in self.repeats else "score").count().alias("labelled"),
        ]
        for name in self.others:
            cell = nw.col(f"= {name}")
            columns += [cell.min().alias(f"{name} <"), cell.max().alias(f"{name} >")]
            columns += [cell.count().alias(f"{name} =")]
        groups = [part.group_by(*keys).agg(*columns).head(most + 1) for part in parts]
        cells = pl.concat([_fetched(group, self.source) for group in groups])
        if len(cells) > most:
            raise MemoryError(
                f"{self.source}: scores of more than {most:,} data sets, algorithms and folds do "
                f"not fit in the {_tables.in_bytes(most * _OF_A_ROW)} that are free. Name some of "
                "the `datasets` or `algorithms`."
            )
        return cells.with_columns(pl.col("score").fill_nan(float("inf")))  # of infinite scores

    def _groups(self, name: str) -> pl.DataFrame:
        """Return the different cells of a column, and how many rows have them."""
        import narwhals as nw

        return _fetched(self.rows.group_by(name).agg(nw.len().alias("n")), self.source)

    def _use(self, cells: pl.DataFrame, name: str) -> str:
        """Return why a column does not matter in any row.

        Raises
        ------
        Unsettled
            If it may.
        """
        for use, keys in _REASONS.items():
            if not len(_varying(cells, keys, name)):
                return use
        if self.repeats:
            runs = self._averaged(self.repeats, "mean")
            # everything is a function of labels of which every row has its own
            if runs["n"].max() != 1 and not len(_varying(runs, self.repeats, name)):
                return "describes the repetition"
        varying, among = _varying(cells, [], name), "data sets and algorithms"
        if is_within := bool(len(within := _varying(cells, _LABELS, name))):
            varying, among = within, f"the scores of {_place(within)}, which would be averaged"
        low, high = (clean_label(end) for end in varying.select("low", "high").row(0))
        ways: list[Way] = [{"where": {name: label}} for label in dict.fromkeys((low, high))]
        if is_within and are_numbered((low, high)):
            ways = [*({r: name} for r in ("run", "fold") if r not in self.repeats), *ways]
        ways += [{"algorithm": [*self.known.roles["algorithm"], name]}, {"ignore": [name]}]
        raise Unsettled(
            f"{self.source}: column {name!r} must be settled, for it holds {shown(low)} and "
            f"{shown(high) if low != high else 'nothing'} among {among}.",
            ways,
        )

    def _refuse_repeats(self, cells: pl.DataFrame) -> None:
        """Check that no score stands in two rows, as far as numbers tell."""
        import polars as pl

        n_runs = len(self._groups("run")) if "run" in self.repeats else 1
        if len(wrong := cells.filter(pl.col("n") > n_runs)):
            lacking = " or ".join(f"{role}=" for role in REPETITIONS if role not in self.repeats)
            remedy = f"Pass {lacking} to name a column that does. " if lacking else ""
            raise DataError(
                f"{self.source}: {_place(wrong)} has {wrong['n'][0]:,} scores, and nothing tells "
                f"all of them apart. {remedy}Take out copies. Logs of optimisers are read by "
                "Histories.read(path)."
            )

    def _note(self, part: pl.DataFrame, missing: str) -> Note:
        """Say of what scores some folds or runs are missing, and what becomes of them."""
        lost = [
            Incomplete(
                dataset, algorithm, *((of, folds, "folds") if of < folds else (n, runs, "runs"))
            )
            for dataset, algorithm, of, folds, n, runs in part.select(
                *_LABELS, "n_folds", "folds", "n", "runs"
            ).iter_rows()
        ]
        names = named([str(each) for each in lost], most=10)
        if missing == "drop":
            left_out = named(list(dict.fromkeys(str(each.dataset) for each in lost)), most=10)
            return Note("dropped", f"Data sets without all folds and runs left out: {left_out}.")
        if missing == "raise":
            raise DataError(
                f"{self.source}: folds or runs are missing: {names}. Pass missing='available' to "
                "average what is there, which favours an algorithm that failed, or missing='drop' "
                "to leave out these data sets."
            )
        return Note(
            "available",
            "Scores are over the folds and runs that are there. Some are missing of "
            f"{names}; if the algorithm failed there, this favours it.",
        )


def _varying(cells: pl.DataFrame, keys: Sequence[str], name: str) -> pl.DataFrame:
    """Return the groups of scores in which a column is not the same in all rows."""
    import polars as pl

    ends = cells.group_by(*(keys or (pl.lit(1),)), maintain_order=True).agg(
        low=pl.col(f"{name} <").min(),
        high=pl.col(f"{name} >").max(),
        there=pl.col(f"{name} =").sum(),
        rows=pl.col("n").sum(),
    )
    there, differs = pl.col("there"), pl.col("low") != pl.col("high")
    return ends.filter((there > 0) & (differs | (there < pl.col("rows"))))


def _place(cells: pl.DataFrame) -> str:
    dataset, algorithm = cells.select(_LABELS).row(0)
    return f"algorithm {shown(algorithm)} on data set {shown(dataset)}"


def _joined(names: Sequence[str]) -> nw.Expr:
    """Return the labels of one role, those of several columns joined."""
    import narwhals as nw

    if len(names) == 1:
        return nw.col(names[0])
    return nw.concat_str(*(nw.col(name).cast(nw.String) for name in names), separator=" / ")


def _only(
    rows: nw.LazyFrame[Any], column: str, wanted: Sequence[str], argument: str, source: str
) -> tuple[nw.LazyFrame[Any], int, int]:
    """Return the rows with one of some labels, and how many there were and are."""
    import narwhals as nw

    found = _fetched(rows.group_by(column).agg(nw.len().alias("number of rows")), source)
    labels = ["" if each is None else clean_label(each) for each in found[column]]
    for label in wanted:
        check_name(label, argument, labels)
    there = found.filter([label in wanted for label in labels])
    before, after = (int(each["number of rows"].sum()) for each in (found, there))
    return rows.filter(nw.col(column).is_in(there[column].to_list())), before, after


def _lazy_table(source: Any) -> tuple[nw.LazyFrame[Any], str]:
    """Return a lazy table, and what errors call it."""
    import narwhals as nw
    import polars as pl

    if not isinstance(source, str | Path):
        frame = nw.from_native(nw.to_native(source, pass_through=True), pass_through=True)
        if not isinstance(frame, nw.LazyFrame):
            raise TypeError(
                "`source` must be a lazy table (of Polars, DuckDB, Dask, ...) or where Parquet "
                f"files are; got a {type(source).__name__}. Experiment.from_frame takes dataframes."
            )
        return frame, "the query"
    path = Path(source).expanduser()
    above = next(each for each in (path, *path.parents) if not set("*?[") & set(str(each)))
    if path.is_dir():
        above, files = path, sorted({*path.rglob("*.parquet"), *path.rglob("*.pq")})
    else:
        files = [path] if path.is_file() else sorted(above.glob(str(path.relative_to(above))))
    if not files:
        raise FileNotFoundError(
            f"there is no Parquet file {str(source)!r}. Of an address, pass what an engine makes "
            "of it, such as polars.scan_parquet(address)."
        )
    # folders of partitions name columns: dataset=iris/part-0.parquet
    is_parted = path not in files and "=" in str(files[0].relative_to(above).parent)
    scans = [pl.scan_parquet(file, hive_partitioning=is_parted, glob=False) for file in files]
    # whole numbers in the first file and fractions in another one are both fractions
    whole = _quoted(path.name, lambda: pl.concat(scans, how="diagonal_relaxed"))
    return nw.from_native(whole), path.name


def _fetched(rows: nw.LazyFrame[Any], source: str) -> pl.DataFrame:
    """Let the engine compute some rows, piece by piece where that must be asked for."""
    how: Any = {"engine": "streaming"} if rows.implementation.is_polars() else {}
    return _quoted(source, lambda: rows.collect(**how).to_polars())


def _quoted(source: str, call: Callable[[], _Made]) -> _Made:
    """Say what was being done when an engine complains; its errors are of many classes."""
    try:
        return call()
    except (MemoryError, ImportError, OSError):
        raise
    except Exception as error:
        said = str(error).strip().partition("\n")[0] or repr(error)
        raise DataError(f"{source} cannot be read: {said}") from error
