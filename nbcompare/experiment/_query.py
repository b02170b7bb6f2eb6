"""The query that averages folds and runs, and the checks of what it returns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from nbcompare import _tables
from nbcompare._render import plural
from nbcompare._tables import RawTable
from nbcompare._validation import DataError, listed, shown
from nbcompare.experiment._infer import infer
from nbcompare.experiment._lazy import ENGINES, collected, errors_of, lazy_table
from nbcompare.experiment._reading import Reading
from nbcompare.experiment._roles import called

if TYPE_CHECKING:
    import narwhals as nw
    import pandas as pd

LABELS = ("dataset", "algorithm")
BESIDE = ("domain", "higher_is_better")
_SAMPLE = 1000  # rows in which columns are recognised
_OF_A_ROW = 500  # bytes of a row that the engine returns, until it is in the array


class Query(NamedTuple):
    """The columns of a lazy table that have a role, under the names of the roles."""

    rows: nw.LazyFrame[Any]
    source: str
    engine: str
    measure: str | None
    roles: frozenset[str]
    step: str | None = None  # a column that counts evaluations, as in logs of optimisers

    @classmethod
    def of(cls, source: Any, asked: Reading) -> Query:
        """Recognise the columns of a table by a few of its rows."""
        import narwhals as nw

        frame, name = lazy_table(source)
        with errors_of(name):
            schema = frame.collect_schema()
            sample = frame.head(_SAMPLE).collect().to_native()
        if not len(sample):
            raise DataError(f"{name} has no rows.")
        table = replace(_tables.from_frame(sample), source=name)
        columns = _roles(table, asked)
        for role, column in columns.items():
            kind = schema[column]
            if role == "score" and not kind.is_numeric():
                raise DataError(
                    f"{name}: column {column!r} must hold numbers; it holds {kind}. Make numbers "
                    "of it in the query."
                )
        rows = frame.select(
            nw.col(column).cast(nw.Float64).alias(role)
            if role == "score"
            else nw.col(column).cast(nw.String).alias(role)
            if role in BESIDE
            else nw.col(column).alias(role)
            for role, column in columns.items()
        )
        # narwhals has null and NaN apart, and a score that is either is not there
        rows = rows.filter(~nw.col("score").is_null()).filter(~nw.col("score").is_nan())
        for role, wanted in (("dataset", asked.datasets), ("algorithm", asked.algorithms)):
            if wanted is not None:
                # labels with spaces at their ends stay, to be refused or taken as without a choice
                text = nw.col(role).cast(nw.String).str.strip_chars()
                rows = rows.filter(text.is_in(list(wanted)))
        engine = frame.implementation.name.lower()
        measure = columns["score"]
        return cls(
            rows,
            name,
            ENGINES.get(engine, engine),
            None if measure.casefold() == "score" else measure,
            frozenset(columns),
            _steps(table, columns.values()),
        )

    def averaged(self, statistic: str) -> tuple[pd.DataFrame, Mapping[str, int]]:
        """Return a row per data set and algorithm, and how many folds and runs there are.

        The rows are in the order of their labels. Their columns are those of the roles,
        ``n_folds``, and the smallest and largest number of runs of a fold, ``fewest`` and
        ``most``.
        """
        import narwhals as nw

        if statistic == "median" and self.engine == ENGINES["dask"]:
            raise DataError(
                "Dask computes no medians of groups. Leave out statistic='median', or let another "
                "engine read the files."
            )
        repeats = [name for name in ("fold", "run") if name in self.roles]
        beside = [name for name in BESIDE if name in self.roles]
        unlabelled = nw.lit(value=False)
        for name in repeats:
            unlabelled = unlabelled | nw.col(name).is_null()
        rows = self.rows.with_columns(
            (~nw.col("score").is_finite()).cast(nw.Int8).alias("infinite"),
            *([unlabelled.cast(nw.Int8).alias("unlabelled")] if repeats else []),
        )
        flags = ["infinite", *(["unlabelled"] if repeats else [])]
        score = nw.col("score")
        ends = [
            end
            for name in beside
            for end in (
                nw.col(name).min().alias(f"{name}_first"),
                nw.col(name).max().alias(f"{name}_last"),
            )
        ]
        cells = rows.group_by(*LABELS, *(["fold"] if "fold" in repeats else [])).agg(
            (score.mean() if statistic == "mean" else score.median()).alias("score"),
            nw.len().alias("n"),
            *(nw.col(name).max() for name in flags),
            *ends,
        )
        if "fold" in repeats:
            cells = cells.group_by(*LABELS).agg(
                nw.col("score").mean(),
                nw.len().alias("n_folds"),
                nw.col("n").min().alias("fewest"),
                nw.col("n").max().alias("most"),
                nw.col("n").sum().alias("n"),
                *(nw.col(name).max() for name in flags),
                *(nw.col(f"{name}_first").min() for name in beside),
                *(nw.col(f"{name}_last").max() for name in beside),
            )
        found = self._fetched(cells)
        if "fold" not in repeats:
            found["n_folds"], found["fewest"], found["most"] = 1, found["n"], found["n"]
        self._check(found, flags, beside)
        different = self.different(*repeats) if repeats else {}
        self._check_repeats(found, different.get("run"))
        return found.sort_values(list(LABELS), kind="stable", ignore_index=True), different

    def different(self, *names: str) -> dict[str, int]:
        """Return how many different values each of these columns has, by one more query."""
        import narwhals as nw

        with errors_of(self.source):
            # groups, for some engines sort the table to find different rows
            groups = self.rows.group_by(*names).agg(nw.len().alias("n"))
            found = collected(groups.select(nw.col(*names).n_unique()))
        return {name: int(found[name].to_list()[0]) for name in names}

    def count(self, *names: str) -> int:
        """Return how many different values these columns have together."""
        import narwhals as nw

        with errors_of(self.source):
            groups = self.rows.group_by(*names).agg(nw.len().alias("n"))
            counted = collected(groups.select(nw.len().alias("n")))
        return int(counted["n"].to_list()[0])

    def folds_by_dataset(self) -> dict[str, int]:
        """Return how many folds any algorithm has on each data set."""
        import narwhals as nw

        folds = self.rows.group_by("dataset", "fold").agg(nw.len().alias("runs"))
        with errors_of(self.source):
            found = collected(folds.group_by("dataset").agg(nw.len().alias("n")))
        names = (str(name).strip() for name in found["dataset"].to_list())
        return dict(zip(names, map(int, found["n"].to_list()), strict=True))

    def _fetched(self, cells: nw.LazyFrame[Any]) -> pd.DataFrame:
        """Collect the rows of scores, if they fit in memory."""
        free = _tables.free_bytes()
        most = None if free is None else free // _OF_A_ROW
        with errors_of(self.source):
            found = collected(cells if most is None else cells.head(most + 1)).to_pandas()
        if not len(found):
            raise DataError(f"{self.source} has no scores.")
        if most is not None and len(found) > most:
            count = self.count(*LABELS)
            raise MemoryError(
                f"{self.source}: {count:,} scores of data sets and algorithms need about "
                f"{_tables.in_bytes(count * _OF_A_ROW)}, and {_tables.in_bytes(free or 0)} were "
                "free. Name some of the `datasets` or `algorithms`."
            )
        return found

    def _check(self, cells: pd.DataFrame, flags: Sequence[str], beside: Sequence[str]) -> None:
        """Check labels and scores, and put what stands beside them under its own name."""
        for role in LABELS:
            texts = cells[role].astype(str)
            empty = cells[role].isna() | (texts.str.strip() == "")
            if empty.any():
                rows = int(cells[empty]["n"].sum())
                raise DataError(
                    f"{self.source}: {plural(rows, 'row')} with a score must have a label in the "
                    f"column of `{role}`; it is empty."
                )
            texts = texts.drop_duplicates()
            padded = texts[texts.str.strip().duplicated(keep=False)]
            if len(padded):
                raise DataError(
                    f"{self.source}: labels {listed(list(padded)[:2])} of `{role}` differ by "
                    "spaces alone. Make one label of them in the query."
                )
        infinite = cells["infinite"].astype(bool)
        if infinite.any():
            raise DataError(
                f"{self.source}: scores must be finite; one of {_first(cells, infinite)} is not."
            )
        if "unlabelled" in flags and (bare := cells["unlabelled"].astype(bool)).any():
            raise DataError(
                f"{self.source}: every row with a score must name its fold and run; one of "
                f"{_first(cells, bare)} does not."
            )
        for name in beside:
            first, last = cells.pop(f"{name}_first"), cells.pop(f"{name}_last")
            by_name = cells["dataset"]
            low, high = first.groupby(by_name).min(), last.groupby(by_name).max()
            differing = low.index[(low != high) & ~(low.isna() & high.isna())]
            if len(differing):
                at = differing[0]
                raise DataError(
                    f"{self.source}: column `{name}` must say the same in all rows of a data set; "
                    f"of {shown(at)} it says {shown(low[at])} and {shown(high[at])}."
                )
            cells[name] = first

    def _check_repeats(self, cells: pd.DataFrame, n_runs: int | None) -> None:
        """Check that no score stands in two rows, as far as numbers tell."""
        limit = n_runs or 1
        if n_runs:
            what = f"the column of runs has {n_runs} different ones"
        else:
            what = "nothing tells repeated scores apart"
        many = cells["most"] > limit
        if many.any():
            most = int(cells[many]["most"].iloc[0])
            fold = " in one fold" if "fold" in self.roles else ""
            lacking = [name for name in ("fold", "run") if name not in self.roles]
            way_out = (
                _way_out(lacking, self.step)
                if lacking
                else "Take out the rows that stand there twice."
            )
            raise DataError(
                f"{self.source}: {_first(cells, many)} has {most:,} scores{fold}, but {what}. "
                f"{way_out}"
            )


def _way_out(lacking: Sequence[str], step: str | None) -> str:
    """Say how to tell repetitions apart, or what reads logs of optimisers."""
    said = f"Pass {' or '.join(f'{role}=' for role in lacking)} to name the column that does."
    if step is None:
        return said
    return f"{said} If these are logs of optimisers, Histories.read(path) reads them."


def _first(cells: pd.DataFrame, mask: pd.Series[bool]) -> str:
    """Name the first score that is wrong."""
    first = cells[mask].iloc[0]
    return f"algorithm {shown(first['algorithm'])} on data set {shown(first['dataset'])}"


def _roles(sample: RawTable, asked: Reading) -> dict[str, str]:
    """Return the columns by role: those that are named, and those that name themselves."""
    known = infer(sample.without(asked.ignore), asked)
    columns = {role: names[0] for role, names in known.roles.items()}
    if len(known.scores) == 2 and known.is_long:
        raise DataError(f"{sample.source}: intervals cannot be averaged. Pass score=.")
    columns |= {"score": known.scores[0]} if known.is_long else {}
    if not {*LABELS, "score"} <= columns.keys():
        lacking = [f"{role}=" for role in (*LABELS, "score") if role not in columns]
        raise DataError(
            f"{sample.source} must have a row per score, with columns of data sets, algorithms "
            f"and scores. Pass {' and '.join(lacking)} to name them; the columns are "
            f"{listed(sample.columns)}."
        )
    return columns


def _steps(table: RawTable, taken: Collection[str]) -> str | None:
    """Return the column that counts steps of optimisers, as in their logs; None without one."""
    return next(
        (
            name
            for name in called("evaluations", table.columns)
            if name not in taken and not table.is_text(name)
        ),
        None,
    )
