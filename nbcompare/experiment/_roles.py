"""Columns by their names: which hold data sets, algorithms, folds, runs and scores.

A name is a convention, not a proof. So a table is long only if a column of text is called like
algorithms and one of numbers can be the scores; where two columns may play a role, or a table may
be read in two ways, the error names the arguments that settle it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

import numpy as np

from nbcompare._options import COLUMN_OPTIONS
from nbcompare._render import Note
from nbcompare._tables import RawTable
from nbcompare._validation import DataError, listed
from nbcompare.experiment._reading import Reading

# What the columns of each role are called beside the name of the role, without marks and spaces
_CALLED = {
    "dataset": (
        "data datasetname dataname problem problemname task taskname instance instancename "
        "benchmark function functionname game gamename environment env"
    ),
    "algorithm": (
        "algorithmname algo classifier classifiername method methodname model modelname framework "
        "frameworkname learner estimator optimizer optimiser solver agent approach regressor"
    ),
    "fold": "folds foldid foldnumber foldnr cvfold outerfold testfold split splitid cv",
    "run": (
        "runs runid runnumber seed seeds randomseed randomstate repeat repeats repetition "
        "repetitions rep replicate trial"
    ),
}
NAMES = {role: frozenset((role, *words.split())) for role, words in _CALLED.items()}
_WORDS = {
    "measures": (
        "score accuracy acc bacc balacc auc auroc aucroc rocauc auprc aupr f1 fscore fmeasure "
        "error err loss logloss nll rmse mse mae mape r2 value result metric measure kappa mcc "
        "gmean fitness objective reward return bleu rouge perplexity wer cer map ndcg iou dice "
        "top1 top5 precision recall performance regret gap perf"
    ),
    "parts of the data": "train training test testing val valid validation dev holdout",
    # beside one of these, a measure's name is that of its spread, or of the time it took
    "no measures": "std stdev sd se sem stderr var variance time seconds rank ranks ci",
    # of logs of optimisers
    "steps": (
        "evaluations evaluation evals eval nevals nevaluations functionevaluations fe fes nfe nfes "
        "nfev iterations iteration iter iters niter generations generation gen gens steps step "
        "timesteps timestep epochs epoch budget"
    ),
}
MEASURES, PARTS, NO_MEASURES, STEPS = (frozenset(words.split()) for words in _WORDS.values())
_NO_SCORES = re.compile(
    r"(n|num|nr|no)?(train|test|samples?|instances?|features?|classes|attributes?|rows?|size)"
    r"(size)?|id|index|idx|no|nr|number|unnamed0|"
)
_LIKE_NUMBER = re.compile(r"[^\w]*\d")
_FRACTION = re.compile(r"[-+]?\d*[.,]\d+(e[-+]?\d+)?", re.IGNORECASE)
_WIDEST = 2**53  # whole numbers up to here are exact as floats


class Roles(NamedTuple):
    """The columns of a table by role.

    Attributes
    ----------
    columns : dict of str to str
        A column for each role that one has.
    is_long : bool
        Whether there is a row per score.
    notes : tuple of Note
        What a reader should know of how the columns were recognised.
    """

    columns: dict[str, str]
    is_long: bool
    notes: tuple[Note, ...] = ()


def bare(name: str) -> str:
    """Return a name without case, spaces and marks.

    Examples
    --------
    >>> bare("Classifier_Name"), bare("data set")
    ('classifiername', 'dataset')
    """
    return re.sub(r"[\W_]+", "", name.casefold())


def roles_of(table: RawTable, named: dict[str, str], reading: Reading) -> Roles:
    """Find the role of columns that are called like it, beside those that the caller named."""
    finder = _Finder(table, named, reading)
    says_long = bool({"algorithm", "score", "lower", "upper"} & named.keys())
    if says_long:
        return finder.long()
    if reading.algorithms and set(reading.algorithms) <= set(table.columns):
        return Roles(finder.exact() | named, is_long=False)
    if finder.may_be_long():
        return finder.long()
    return Roles(finder.exact() | named, is_long=False)


class _Finder:
    """Recognition of the columns of one table."""

    def __init__(self, table: RawTable, named: dict[str, str], reading: Reading) -> None:
        self._table, self._named, self._reading = table, named, reading
        taken = {*named.values(), *reading.keep}
        self._free = [name for name in table.columns if name not in taken]
        self._settled = set(named)
        if "score" in named:
            self._settled |= {"lower", "upper"}
        if {"lower", "upper"} & named.keys():
            self._settled.add("score")

    def exact(self) -> dict[str, str]:
        """Return columns that are called just like a role that no argument names."""
        return {
            role: matches[0]
            for role in COLUMN_OPTIONS
            if role not in self._settled
            and len(matches := [name for name in self._free if bare(name) == bare(role)]) == 1
        }

    def may_be_long(self) -> bool:
        """Tell whether the names say that the table has a row per score; refuse what may not."""
        exact = self.exact()
        scored = "score" in exact or {"lower", "upper"} <= exact.keys()
        if "algorithm" in exact and scored and not self._may_name(exact["algorithm"]):
            raise DataError(
                f"{self._table.source}: column {exact['algorithm']!r} holds numbers, so the table "
                "may be long (a row per score) or wide (a column per algorithm). Pass "
                "algorithm= and score= if it is long; rename the column if it is wide."
            )
        algorithms = self._candidates("algorithm")
        if not any(map(self._may_name, algorithms)):
            return False
        if scored:
            return True
        beside = self._called_like_roles()
        numeric = [name for name in self._numeric() if name not in beside]
        if len(numeric) == 1 or any(is_measure(name) for name in numeric):
            return True
        if len(numeric) > 1:
            self._refuse_unclear(algorithms[0], numeric)
        return False

    def long(self) -> Roles:
        """Return the roles in a table with a row per score."""
        exact = self.exact()
        columns = dict(self._named)
        for role in ("algorithm", "dataset", "fold", "run"):
            if role not in columns and (name := self._one(role, exact)):
                columns[role] = name
        notes: tuple[Note, ...] = ()
        ends = {"lower", "upper"}
        if "score" not in self._settled:
            if "score" in exact or ends & exact.keys():
                if "score" not in exact:
                    self._refuse_score_between_ends(exact, columns)
                columns |= {role: name for role, name in exact.items() if role in {"score", *ends}}
            elif "algorithm" in columns:
                score, notes = self._score(set(columns.values()))
                columns |= {"score": score} if score else {}
        else:
            columns |= {
                role: exact[role] for role in ends & exact.keys() if role not in self._settled
            }
        columns |= {role: exact[role] for role in ("domain", "higher_is_better") if role in exact}
        return Roles(columns, is_long=True, notes=notes)

    # ----------------------------------------------------------------------------- inside

    def _candidates(self, role: str) -> list[str]:
        """Return the columns that are called like a role and hold what it takes."""
        free = [name for name in self._free if bare(name) in NAMES[role]]
        exact = [name for name in free if bare(name) == role]
        if len(exact) == 1:
            return exact
        if role == "algorithm":
            return [name for name in free if self._table.is_text(name)]
        return [name for name in free if may_label(self._table, role, name)]

    def _may_name(self, name: str) -> bool:
        """Tell whether a column may name algorithms: text, or just that name in a file."""
        of_file = self._table.text is not None and bare(name) == "algorithm"
        return of_file or self._table.is_text(name)

    def _one(self, role: str, exact: dict[str, str]) -> str | None:
        if role in exact:
            return exact[role]
        found = self._candidates(role)
        if len(found) > 1:
            refuse_two(self._table, role, found)
        return found[0] if found else None

    def _called_like_roles(self) -> set[str]:
        return {name for role in ("dataset", "fold", "run") for name in self._candidates(role)}

    def _numeric(self) -> list[str]:
        names = [name for name in self._free if name != self._table.index]
        return [name for name in names if not holds_words(self._table, name)]

    def _may_be_score(self, name: str) -> bool:
        return not _NO_SCORES.fullmatch(bare(name)) and not NO_MEASURES & _words(name)

    def _score(self, taken: Collection[str]) -> tuple[str | None, tuple[Note, ...]]:
        """Return the column of scores: the only one of numbers, or the only measure by name."""
        numeric = [name for name in self._numeric() if name not in taken]
        if len(numeric) == 1 and self._may_be_score(numeric[0]):
            return numeric[0], ()
        measures = [name for name in numeric if is_measure(name)]
        if len(measures) == 1:
            others = [name for name in numeric if name not in measures]
            text = (
                f"The scores are those of column {measures[0]!r}; {listed(others)} "
                f"{'were' if len(others) > 1 else 'was'} left out."
            )
            return measures[0], (Note("columns", text),) if others else ()
        if not numeric:
            return None, ()
        several = measures or numeric
        if len(several) == 1:
            raise DataError(
                f"{self._table.source}: the only column of numbers, {several[0]!r}, does not seem "
                f"to hold scores. Pass score={several[0]!r} if it does."
            )
        raise DataError(
            f"{self._table.source}: columns {listed(several)} may hold the scores. "
            f"Pass {_either('score', several)}."
        )

    def _refuse_score_between_ends(self, exact: dict[str, str], columns: dict[str, str]) -> None:
        """Refuse a measure beside ``lower`` and ``upper``, which may be those of an interval."""
        taken = {*columns.values(), *exact.values()}
        measures = [name for name in self._numeric() if name not in taken and is_measure(name)]
        if measures:
            raise DataError(
                f"{self._table.source}: column {measures[0]!r} may hold the scores, and 'lower' "
                "and 'upper' their confidence intervals, or these two may be the ends of intervals "
                f"as scores. Pass {_either('score', measures)}, or lower={exact.get('lower')!r} "
                f"and upper={exact.get('upper')!r}."
            )

    def _refuse_unclear(self, algorithm: str, numeric: list[str]) -> None:
        """Refuse a column of text that is called like algorithms beside several of numbers."""
        source = self._table.source
        labels = [value for value in self._table.columns[algorithm] if value is not None]
        if self._called_like_roles() or len(set(labels)) < len(labels):
            raise DataError(
                f"{source}: column {algorithm!r} seems to name algorithms, and columns "
                f"{listed(numeric)} may hold their scores. Pass {_either('score', numeric)} if "
                f"there is a row per score, or ignore=[{algorithm!r}] if there is a column per "
                "algorithm."
            )
        raise DataError(
            f"{source}: column {algorithm!r} seems to name algorithms, one per row, so columns "
            f"{listed(numeric)} may be data sets. Pass transpose=True if they are, or "
            f"dataset={algorithm!r} if the rows are data sets. If one column holds all scores, "
            f"pass algorithm={algorithm!r} and name that column by `score`."
        )


def refuse_two(table: RawTable, role: str, found: list[str]) -> None:
    """Refuse two columns that are called like one role."""
    what = {"dataset": "data sets", "algorithm": "algorithms", "fold": "folds", "run": "runs"}[role]
    raise DataError(
        f"{table.source}: columns {listed(found)} may all name the {what}. "
        f"Pass {_either(role, found)}, or leave out others with ignore=."
        if len(found) > 2
        else f"{table.source}: columns {listed(found)} may both name the {what}. "
        f"Pass {_either(role, found)}."
    )


def holds_words(table: RawTable, name: str) -> bool:
    """Tell whether a column holds text that does not even begin like a number."""
    if not table.is_only_text(name):
        return False
    texts = [value for value in table.cells(name) if value is not None]
    return bool(texts) and not any(_LIKE_NUMBER.match(text) for text in texts)


def labels_in(table: RawTable, name: str) -> bool:
    """Tell whether a column may hold labels: text, or whole numbers in every row."""
    if table.is_text(name):
        texts = [value for value in table.cells(name) if isinstance(value, str)]
        return not texts or not all(_FRACTION.fullmatch(text.strip()) for text in texts)
    column = table.columns[name]
    if column.dtype.kind in "iu":
        return True
    with np.errstate(invalid="ignore"):
        return bool((np.floor(column) == column).all() and (np.abs(column) < _WIDEST).all())


def may_label(table: RawTable, role: str, name: str) -> bool:
    """Tell whether a column may hold the labels of a role; parts of the data are no folds."""
    if not labels_in(table, name):
        return False
    if role != "fold" or not table.is_text(name):
        return True
    return not {str(cell).strip().casefold() for cell in table.cells(name)} <= PARTS


def is_measure(name: str) -> bool:
    """Tell whether a name is that of a measure, and not of its spread or of time."""
    words = _words(name)
    return bool(MEASURES & {bare(name), *words}) and not NO_MEASURES & words


def _words(name: str) -> set[str]:
    return set(filter(None, re.split(r"[\W_]+", name.casefold())))


def _either(argument: str, names: Iterable[str]) -> str:
    """Return the ways to name one of some columns, as a caller writes them."""
    ways = [f"{argument}={name!r}" for name in list(names)[:8]]
    return " or ".join([", ".join(ways[:-1]), ways[-1]] if len(ways) > 1 else ways)
