"""Scores that a query engine averages: tables larger than the memory, or on a cluster.

The engine is any whose lazy tables narwhals knows. Columns are understood in the first rows, as
:mod:`~nbcompare.experiment._pipeline` does; whether that holds in all rows, the engine says in the
query that averages: the least and the greatest cell of every other column, for each score.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from nbcompare import _tables
from nbcompare._render import Note, plural
from nbcompare._tables.doubt import Unsettled, Way
from nbcompare._validation import DataError, check_choice, check_name, clean_label, named, shown
from nbcompare.experiment._beside import undirected
from nbcompare.experiment._columns import Understanding
from nbcompare.experiment._facts import are_numbered
from nbcompare.experiment._pipeline import explained, infer
from nbcompare.experiment._reading import KEYS, Reading
from nbcompare.experiment._schema import REPETITIONS, Schema
from nbcompare.experiment._scores import Incomplete

if TYPE_CHECKING:
    import narwhals as nw
    import polars as pl

STATISTICS, TREATMENTS = ("mean", "median"), ("raise", "available", "drop")
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
Scanned = tuple[_tables.RawTable, Reading, list[Note], Schema, list[str]]


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

    Returns
    -------
    tuple
        A row per data set and algorithm, how to read it, what to know of it, how the table was
        understood, and the algorithms in the order of their labels.
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

    @property
    def repeats(self) -> list[str]:
        """The roles of columns that tell repetitions apart."""
        return [role for role in REPETITIONS if role in self.known.roles]

    @classmethod
    def of(cls, rows: nw.LazyFrame[Any], source: str, asked: Reading) -> _Query:
        """Understand the columns of a table by a few of the rows that are read."""
        import narwhals as nw

        kinds, sizes = _quoted(source, rows.collect_schema), []
        for name in (*asked.ignore, *asked.where):
            check_name(name, "ignore" if name in asked.ignore else "where", kinds.names())
        rows = rows.drop(asked.ignore)
        for name, labels in asked.where.items():
            rows, *more = _only(rows, name, labels, f"where[{name!r}]", source)
            sizes += more
        sample = _fetched(rows.head(_SAMPLE), source)
        if not len(sample):
            raise DataError(f"{source} has no rows.")
        known = infer(replace(_tables.from_frame(sample), source=source), asked)
        for name in known.scores:
            known.table.numbers(name)  # so that an error names the cell
        roles = {**known.roles, "score": known.scores}
        if not known.is_long or "dataset" not in roles or len(known.scores) > 1:
            ask = "Pass dataset=, algorithm= and score= to name its columns"
            raise DataError(f"{source} must have a row per score, and no intervals. {ask}.")
        if "higher_is_better" not in roles and asked.direction is None:
            raise undirected()  # before the engine works for an hour
        settled = {*asked.where, *(name for names in roles.values() for name in names)}
        settled |= {use.name for use in known.uses if use.use == "another measure, left out"}
        others = [name for name in rows.columns if name not in settled]
        columns = [_joined(names).alias(role) for role, names in roles.items()]
        for name in others:
            cell = nw.col(name) if kinds[name].is_integer() else nw.col(name).cast(nw.String)
            columns.append(cell.alias(f"= {name}"))
        rows = rows.select(*columns).with_columns(nw.col("score").cast(nw.Float64))
        # narwhals has null and NaN apart, and a score that is either is not there
        rows = rows.filter(~nw.col("score").is_null()).filter(~nw.col("score").is_nan())
        for role, wanted in (("dataset", asked.datasets), ("algorithm", asked.algorithms)):
            if wanted is not None:
                rows = _only(rows, role, wanted, f"{role}s", source)[0]
        if sizes:
            only = [f"{name} {' or '.join(labels)}" for name, labels in asked.where.items()]
            told = f"{sizes[-1]:,} of {sizes[0]:,} rows were read: {' and '.join(only)}."
            known = replace(known, n_rows=sizes[0], notes=(*known.notes, ("where", told)))
        return cls(rows, source, asked, known, others)

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
            where = f"those of {_place(bare)} do not"
            raise DataError(f"{self.source}: all scores must name their fold and run; {where}.")
        uses = {name: self._use(cells, name) for name in self.others}
        columns_of = (each._replace(use=uses.get(each.name, each.use)) for each in known.uses)
        known = replace(known, uses=tuple(columns_of))
        self._refuse_repeats(cells)
        for role in beside:
            of_dataset = cells.group_by("dataset").agg(pl.col(role).n_unique())
            if len(several := of_dataset.filter(pl.col(role) > 1)):
                raise DataError(
                    f"{self.source}: column {known.roles[role][0]!r} must say the same of "
                    f"{shown(str(several['dataset'][0]))} in all rows, as `{role}`."
                )
        # an algorithm that is never run so often as others has lost nothing
        runs = [n.max().over(keys) for keys in (["dataset", "fold"], ["algorithm"])]
        n_folds = pl.col("fold").n_unique().over("dataset")
        counted = cells.with_columns(runs=pl.min_horizontal(runs), folds=n_folds, most=n)
        groups = counted.group_by(*_LABELS, *beside, maintain_order=True)
        sums, ends = pl.col("runs", "n").sum(), pl.col("folds", "most").max()
        fewest = pl.col("most").min().alias("fewest")
        scores = groups.agg(pl.col("score").mean(), sums, ends, fewest, n_folds=pl.len())
        rows = int(scores["n"].sum())
        run, fold = scores.select("most", "n_folds").max().row(0)
        few_runs, few_folds = scores.select("fewest", "n_folds").min().row(0)
        what = f"{statistic}s of {plural(run, 'run', few_runs)}"
        what += f" in {plural(fold, 'fold', few_folds)}" if fold > 1 else ""
        engine = self.rows.implementation.name.capitalize().replace("Duckdb", "DuckDB")
        told = f"{engine} computed the scores from {plural(rows, 'row')}: {what}."
        notes = [Note("scanned", told), *(Note(code, text) for code, text in known.notes)]
        name = pl.col("dataset").cast(pl.String).str.strip_chars()
        lacks = (pl.col("n_folds") < pl.col("folds")) | (n < pl.col("runs"))
        part = scores.filter(lacks & ~name.is_in(asked.ignore_rows))
        if len(part):
            notes.append(self._note(part, missing))
        if missing == "drop":
            scores = scores.filter(~pl.col("dataset").is_in(part["dataset"].to_list()))
        columns, left = [*_LABELS, "score", *beside], set(scores.select(name).to_series())
        score = None if known.scores[0].casefold() == "score" else known.scores[0]
        reading: dict[str, Any] = dict.fromkeys((*KEYS, "where", "higher_is_better"))
        reading |= {column: column for column in columns}
        reading |= {"measure": asked.measure or score, "ignore": ()}
        if asked.datasets:
            reading["datasets"] = [each for each in asked.datasets if each in left]
        table = replace(_tables.from_frame(scores.select(columns)), source=self.source)
        schema = replace(known.schema(asked, {}), n_rows=known.n_rows or rows, n_kept=rows)
        algorithms = [clean_label(each) for each in scores["algorithm"].unique().sort()]
        return table, replace(asked, **reading), notes, schema, algorithms

    def _averaged(self, keys: Sequence[str], statistic: str) -> pl.DataFrame:
        """Let the engine average the scores of each group, and say what else it holds."""
        import narwhals as nw
        import polars as pl

        algorithm, parts = nw.col("algorithm"), [self.rows]
        if statistic == "median" and self.rows.implementation.is_dask():
            raise DataError("Dask computes no medians of groups. Leave out statistic='median'.")
        if statistic == "median" and self.rows.implementation.is_polars():
            # which holds scores in memory for medians: those of one algorithm at a time
            names = self._groups("algorithm")["algorithm"]
            chosen = [algorithm.is_null() if n is None else algorithm == n for n in names]
            parts = [self.rows.filter(condition) for condition in chosen] or parts
        most = (_tables.free_bytes() or 2**60) // _OF_A_ROW
        labelled = nw.col("run" if "run" in self.repeats else "score").count().alias("labelled")
        columns = [getattr(nw.col("score"), statistic)(), nw.len().alias("n"), labelled]
        for name in self.others:
            cell = nw.col(f"= {name}")
            columns += [cell.min().alias(f"{name} <"), cell.max().alias(f"{name} >")]
            columns += [cell.count().alias(f"{name} =")]
        groups = [part.group_by(*keys).agg(*columns).head(most + 1) for part in parts]
        cells = pl.concat([_fetched(group, self.source) for group in groups])
        if len(cells) > most:
            text = f"{self.source} has more scores of {', '.join(keys)} than fit in memory"
            raise MemoryError(f"{text}, {most:,}. Name some of the `datasets` or `algorithms`.")
        return cells.with_columns(pl.col("score").fill_nan(float("inf")))  # of infinite scores

    def _groups(self, name: str) -> pl.DataFrame:
        """Return the different cells of a column."""
        return _fetched(self.rows.select(name).unique(), self.source)

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
            varying, among = within, f"scores to be averaged, of {_place(within)}"
        low, high = (clean_label(end) for end in varying.select("low", "high").row(0))
        ways: list[Way] = [{"where": {name: label}} for label in dict.fromkeys((low, high))]
        if is_within and are_numbered((low, high)):
            ways = [*({r: name} for r in ("run", "fold") if r not in self.repeats), *ways]
        ways += [{"algorithm": [*self.known.roles["algorithm"], name]}, {"ignore": [name]}]
        text = (
            f"it holds {shown(low)} and {shown(high) if low != high else 'nothing'} among {among}"
        )
        raise Unsettled(f"{self.source}: column {name!r} must be settled, for {text}.", ways)

    def _refuse_repeats(self, cells: pl.DataFrame) -> None:
        """Check that no score stands in two rows, as far as numbers tell."""
        n_runs = len(self._groups("run")) if "run" in self.repeats else 1
        if len(wrong := cells.filter(cells["n"] > n_runs)):
            lacking = " or ".join(f"{role}=" for role in REPETITIONS if role not in self.repeats)
            raise DataError(
                f"{self.source}: {_place(wrong)} has {wrong['n'][0]:,} scores in one place. "
                f"{f'Pass {lacking} to name a column that tells them apart. ' * bool(lacking)}"
                "Take out copies. Logs of optimisers are read by Histories.read(path)."
            )

    def _note(self, part: pl.DataFrame, missing: str) -> Note:
        """Say of what scores some folds or runs are missing, and what becomes of them."""
        cells = part.select(*_LABELS, "n_folds", "folds", "n", "runs").rows()
        lost = [
            Incomplete(d, a, *((k, folds, "folds") if k < folds else (n, runs, "runs")))
            for d, a, k, folds, n, runs in cells
        ]
        names = named(list(map(str, lost)), most=10)
        if missing == "drop":
            return Note("dropped", f"Data sets that lack folds or runs are left out: {names}.")
        text = "favours an algorithm that failed there"
        if missing == "available":
            told = f"Scores are averaged over what is there. Folds or runs are missing: {names}."
            return Note("available", f"{told} This {text}.")
        ways = f"missing='available' to average what is there, which {text}, or missing='drop'"
        raise DataError(f"{self.source}: folds or runs are missing: {names}. Pass {ways}.")


def _varying(cells: pl.DataFrame, keys: Sequence[str], name: str) -> pl.DataFrame:
    """Return the groups of scores in which a column is not the same in all rows."""
    import polars as pl

    low, high = pl.col(f"{name} <").min().alias("low"), pl.col(f"{name} >").max().alias("high")
    groups = cells.group_by(*(keys or (pl.lit(1),)), maintain_order=True)
    ends = groups.agg(low, high, pl.col(f"{name} =").sum().alias("there"), pl.col("n").sum())
    differs = (pl.col("low") != pl.col("high")) | (pl.col("there") < pl.col("n"))
    return ends.filter((pl.col("there") > 0) & differs)


def _place(cells: pl.DataFrame) -> str:
    dataset, algorithm = cells.select(_LABELS).row(0)
    return f"algorithm {shown(algorithm)} on data set {shown(dataset)}"


def _joined(names: Sequence[str]) -> nw.Expr:
    """Return the labels of one role, those of several columns joined."""
    import narwhals as nw

    texts = [nw.col(name).cast(nw.String) for name in names]
    return nw.concat_str(texts, separator=" / ") if len(names) > 1 else nw.col(names[0])


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
            kind = f"{type(source).__name__}; Experiment.from_frame takes tables in memory"
            raise TypeError(f"`source` must be a lazy table or where files are; got a {kind}.")
        return frame, "the query"
    path = Path(source).expanduser()
    above = next(each for each in path.parents if not set("*?[") & set(str(each)))
    if path.is_dir():
        above, files = (
            path,
            sorted(
                file
                for file in _tables.files_under(path)
                if file.suffix in _tables.PARQUET_SUFFIXES
            ),
        )
    else:
        files = [path] if path.is_file() else sorted(above.glob(str(path.relative_to(above))))
    if not files:
        text = f"there is no Parquet file {str(source)!r}. Of an address, pass the lazy table"
        raise FileNotFoundError(f"{text} that an engine makes: polars.scan_parquet(address).")
    for file in files:
        _tables.check_pages(file, is_limited=False)
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
