"""The options that say how tables of scores and logs of runs are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from nbcompare._options.option import (
    BEST,
    DIRECTIONS,
    INSTANCES,
    MAXIMIZE,
    MINIMIZE,
    RAW,
    UNITS,
    Option,
    names_in,
    names_of,
    number_or_name,
)
from nbcompare._validation import clean_label


def _direction(text: str) -> str | dict[str | None, str]:
    """Read a direction: a word, or ``maximize,kddcup=minimize`` by data set."""
    usual, comma, rest = text.partition(",")
    if not comma or usual not in DIRECTIONS:
        usual, rest = "", text
    pairs = re.findall(r"(.+?)=(\w+)(?:,|$)", rest)
    # a name may have commas and equals signs; what does not make pairs is no word either
    if not pairs or ",".join(f"{name}={word}" for name, word in pairs) != rest.removesuffix(","):
        return text
    by_name: dict[str | None, str] = {clean_label(name): word for name, word in pairs}
    return {**by_name, None: usual} if usual else by_name


def _filter(text: str) -> tuple[str, list[str]]:
    """Read ``column=label,label``; a label with a comma stands in double quotation marks."""
    column, _, labels = text.partition("=")
    found = names_in(labels)
    if not column or not found:
        raise ValueError(text)
    return column, found


def _separator(text: str) -> str:
    return "\t" if text in ("\\t", "tab") else text


def _selected(noun: str) -> Option:
    return Option(
        None,
        None,
        f"keep these {noun}s and leave out the others; a name with a comma stands in double "
        "quotation marks; may be given again",
        names_of,
        metavar="NAME,NAME",
        repeats=True,
    )


def _key(what: str) -> Option:
    return Option(
        None, None, f"{what}; labels of several columns are joined", metavar="NAME", repeats=True
    )


def _names(what: str) -> Option:
    return Option((), None, f"{what}; may be given again", metavar="NAME", repeats=True)


def _edit(text: str) -> tuple[int, str, str]:
    """Read ``3:C4.5=0.91``: a row, a column, and what is to stand there."""
    row, _, rest = text.partition(":")
    column, mark, cell = rest.partition("=")
    if not (row.isdecimal() and mark):
        raise ValueError(text)
    return int(row), column, cell


_COLUMNS = {
    "dataset": _key("column with the data set's name"),
    "algorithm": _key("column with the algorithm's name"),
    "score": Option(None, None, "column with the score (long table)"),
    "fold": _key("column with the fold"),
    "run": _key("column with the run"),
    "item": _key("column with the item, such as a question of a benchmark"),
    "cluster": Option(
        None, None, "column that says which items belong together, such as those of a text"
    ),
    "lower": Option(None, None, "column with the lower end of an interval score (long table)"),
    "upper": Option(None, None, "column with the upper end of an interval score (long table)"),
    "domain": Option(None, None, "column with the group of the data set, such as its domain"),
    "higher_is_better": Option(
        None, None, "column that says whether higher scores are better, in each row"
    ),
}
# Which cells of a table are scores
_CELLS = {
    "table.unit": Option(
        None,
        UNITS,
        "what each row is another one of: data sets, folds of one data set, runs on one data "
        "set, or items of one benchmark",
    ),
    "rows": Option(
        None,
        None,
        "how the names of rows are made, such as '{dataset}_fold{fold}'",
        flag="row-pattern",
        metavar="PATTERN",
    ),
    "columns": Option(
        None,
        None,
        "how the names of columns of scores are made, such as '{algorithm}_fold{fold}'",
        flag="column-pattern",
        metavar="PATTERN",
    ),
    "where": Option(
        None,
        None,
        "read only rows with this label in this column; several labels are separated by "
        "commas; may be given again",
        _filter,
        metavar="COLUMN=LABEL",
        repeats=True,
    ),
    "status": Option(None, None, "column that says which runs failed"),
    "ok": _names("label of runs that did not fail, in the column of --status"),
    "failed": Option(
        None,
        ("worst", "par2", "par10", "drop", "missing"),
        "what becomes of failed runs: the worst score of the data set, 2 or 10 times the "
        "cutoff, nothing on these data sets at all, or a missing score",
    ),
    "cutoff": Option(
        None, None, "score at which a run was stopped, from which it counts as failed", float
    ),
    "ignore": _names("leave out this column"),
    "keep": _names("this column holds scores, whatever it looks like"),
    "ignore_rows": _names("leave out this row"),
    "keep_rows": _names("this row is a data set, whatever it looks like"),
    "transpose": Option(
        False, None, "rows are algorithms, columns are data sets", bool, switch=True
    ),
    "brackets": Option(
        None,
        ("std", "rank"),
        "what a number in brackets after a score is: a standard deviation or a rank",
    ),
    "missing_words": _names("text or number that stands for a missing score"),
    "edits": Option(
        (),
        None,
        "write this text into the cell of a row, counted from 1 below the header, and column; may "
        "be given again",
        _edit,
        flag="edit",
        metavar="ROW:COLUMN=TEXT",
        repeats=True,
    ),
}
_LOGS = {
    "problem": _key("column with the problem's name"),
    "evaluations": Option(None, None, "column with evaluations spent (long table)"),
    "value": Option(None, None, "column with the best value so far (long table)"),
    "optimum": Option(
        None, None, "known optimum: a number, or the column that has it", number_or_name
    ),
    "n_points": Option(None, None, "how many regular points the logs are carried to", int),
    "budget": Option(None, None, "evaluations that every run had", float),
    "values": Option(
        BEST,
        (BEST, RAW),
        "what the values are: the best so far, or raw ones that may get worse, such as rewards",
    ),
    "worse": Option(
        "raise",
        ("raise", "keep-best"),
        "what to do about a value that is worse than an earlier one: raise an error, or keep "
        "the best so far",
    ),
    "early": Option(
        "raise",
        ("raise", "carry"),
        "what to do about a run that stops before the others: raise an error, or carry its "
        "last value forward",
    ),
    "logs.optimum_tolerance": Option(
        None,
        None,
        "how near to the optimum a run that stops early has reached it, such as 1e-8",
        float,
        flag="reached-within",
    ),
}
# How a text file is written, apart from its columns
_TEXT = {
    "decimal": Option(
        None,
        (".", ","),
        "decimal mark, a point or a comma; without it a point, where that cannot separate "
        "thousands",
    ),
    "thousands": Option(
        None,
        (",", ".", " ", "'"),
        "what separates thousands in a text table: a comma, point, space or apostrophe",
    ),
    "separator": Option(
        None,
        (",", ";", "\t"),
        "what separates the cells of a text table: a comma, semicolon or tab",
        _separator,
    ),
    "text.encoding": Option(
        "utf-8-sig",
        None,
        "encoding of a text table, such as latin-1; UTF-8 may have a byte-order mark",
        flag="text-encoding",
    ),
}
READING_OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        **_COLUMNS,
        **_CELLS,
        **_LOGS,
        **_TEXT,
        "direction": Option(
            None,
            DIRECTIONS,
            "whether high or low scores are better; if this differs between data sets, name the "
            f"exceptions: {MAXIMIZE},NAME={MINIMIZE}",
            _direction,
        ),
        "sheet": Option(None, None, "sheet of a spreadsheet"),
        "format": Option(
            None,
            None,
            "program that wrote the file, such as lm-eval, aslib or weka, if its content does not "
            "say so; folder for a pattern such as 'results/{algorithm}/{dataset}.csv'",
        ),
        "measure": Option(None, None, "the measure, such as accuracy"),
        "instances": Option(
            None,
            INSTANCES,
            "what the instances of a function are in a folder of logs: runs on one problem, or "
            "problems of their own",
        ),
        "select.algorithms": _selected("algorithm"),
        "select.datasets": _selected("data set"),
        "select.problems": _selected("problem"),
    }
)

COLUMN_OPTIONS, CELL_OPTIONS, TEXT_OPTIONS = tuple(_COLUMNS), tuple(_CELLS), tuple(_TEXT)
# The options that say how logs of runs are read; a folder of logs has one more
HISTORY_OPTIONS = ("problem", "algorithm", "run", "columns", "where", "ignore", *list(_LOGS)[1:])
FOLDER_OPTIONS = ("instances",)
