"""Tables with a row per score: what each column is, or what the user must say about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np

from nbcompare._tables.text_format import Way
from nbcompare._validation import DataError, listed
from nbcompare.experiment._columns import ENDS, MOST_WAYS, USE_OF, Columns
from nbcompare.experiment._facts import are_numbered, levels_differ
from nbcompare.experiment._schema import REPETITIONS, bare, called


def is_long(columns: Columns) -> bool:
    """Tell whether a table has a row per score; refuse what may be either."""
    reading, facts, roles = columns.reading, columns.facts, columns.roles
    if reading.columns is not None or reading.transpose or columns.levels:
        return False
    if {*ENDS} & roles.keys():
        return True
    names = {*columns.table.columns}
    if {*reading.keep} & names or (reading.algorithms and {*reading.algorithms} <= names):
        return False
    if "algorithm" in roles:
        return True
    exact = {bare(name) for name in columns.free}
    scored = "score" in exact or {"lower", "upper"} <= exact
    numbered = [n for n in columns.free if bare(n) == "algorithm" and facts.is_numeric(n)]
    if scored and numbered:
        raise columns.doubt(
            f"column {numbered[0]!r} holds numbers, so the table may have a row per score, or a "
            "column per algorithm.",
            [{"algorithm": numbered[0]}, {"keep": numbered[:1]}],
        )
    found = called("algorithm", columns.text())
    if found and scored:
        return True
    if "score" in exact and len(columns.numeric()) > 1:  # beside its error, or what was set
        name = called("score", columns.free)[0]
        raise columns.doubt(
            f"column {name!r} seems to hold the scores, and nothing says which column names the "
            "algorithms.",
            [*({"algorithm": one, "score": name} for one in columns.text()), {"keep": [name]}],
        )
    named = [*columns.of("dataset"), *called("dataset", columns.free)]
    labels = [name for name in named if facts.may_label(name)]
    # a data set in each row is only described by a column of that name
    if found and any(map(facts.repeats, labels or found)):
        return bool(columns.numeric())
    if found and columns.numeric() and not called("dataset", columns.free):
        _refuse_algorithms_in_rows(columns, found[0])
    elif not found:
        _refuse_unnamed(columns)
    return False


def _refuse_algorithms_in_rows(columns: Columns, name: str) -> None:
    """Refuse a column of different algorithms, one in each row, with columns of numbers."""
    if "dataset" in columns.roles:
        return
    numeric = columns.numeric()
    ways: list[Way] = [{"algorithm": name, "score": one} for one in numeric[:MOST_WAYS]]
    if len(numeric) > 1:
        ways = [{"algorithm": name, "transpose": True}, {"dataset": name}]
        if are_numbered(numeric):
            stem = numeric[0].rstrip("0123456789")
            ways.insert(0, {"algorithm": name, "columns": f"{stem}{{run}}"})
    raise columns.doubt(
        f"column {name!r} seems to name algorithms, one in each row, so columns {listed(numeric)} "
        "may be data sets, repetitions or measures.",
        ways,
    )


def _refuse_unnamed(columns: Columns) -> None:
    """Refuse two columns of text whose labels are crossed, and which nothing names.

    Where one of them names measures beside several columns of numbers, these are algorithms.
    """
    facts = columns.facts
    numbered = {name for role in REPETITIONS for name in columns.repetitions(role)}
    numbered |= {name for name in columns.text() if facts.numbers_as_text(name)}
    words = [name for name in columns.text() if name not in numbered]
    text = [name for name in words if facts.repeats(name) and not facts.is_constant(name)]
    if any(not facts.repeats(name) for name in words):
        return  # something else names every row, and these describe it
    numeric = [n for n in columns.numeric() if not (facts.is_constant(n) or facts.numbers_rows(n))]
    numeric.sort(key=facts.has_levels)  # measurements first
    if not numeric:
        return
    if len(numeric) > 1 and (named := called("measure", text)):
        raise columns.doubt(
            f"column {named[0]!r} seems to name the measure of the scores in each row, and one "
            "comparison is about one measure.",
            [{"where": {named[0]: label}} for label in facts.labels(named[0])[:MOST_WAYS]],
            "read_measures takes each measure by itself.",
        )
    values = np.nan_to_num(facts.values(numeric[-1]).astype(np.float64), posinf=0.0)

    def spread(name: str) -> float:
        codes = facts.codes(name)[0]
        return float(np.std(np.bincount(codes, values) / np.maximum(np.bincount(codes), 1)))

    # scores differ more between data sets than between algorithms
    text.sort(key=lambda name: (name not in called("dataset", text), -spread(name)))
    counter = _counted_beside(columns, words, [one for one in numeric if one not in numbered])
    if counter:  # of blocks, unless a name says otherwise
        numeric.remove(counter)
        text.insert(len(called("dataset", text)), counter)
    pairs = [it for it in permutations(text, 2) if not facts.follows(it[0], it[1:])]
    if pairs:
        ways: list[Way] = [
            {"dataset": one, "algorithm": other, "score": score}
            for one, other in pairs[:2]
            for score in numeric[:2]
        ]
        if len(numeric) > 1:  # which may be the algorithms, as where dates tell rows apart
            labels = [re.sub(r"\d", "", label) for label in facts.labels(pairs[0][1])]
            ways.insert(
                0 if len({*labels}) == 1 else len(ways),
                {"dataset": pairs[0][0], "fold": pairs[0][1]},
            )
        raise columns.doubt(
            f"columns {listed(text)} hold labels that repeat, so there seems to be a row per "
            "score, and nothing says which column names the data sets and which the algorithms.",
            ways,
        )


def _counted_beside(columns: Columns, words: Sequence[str], numeric: Sequence[str]) -> str:
    """Return the whole numbers beside each of which the only labels stand once; empty if none."""
    facts, n_rows = columns.facts, columns.table.n_rows
    for name in filter(facts.is_whole, numeric if len(words) == 1 < len(numeric) else ()):
        n_cells = facts.n_distinct(words[0]) * facts.n_distinct(name)
        if n_cells == n_rows > facts.n_distinct(name) and facts.is_key([words[0], name]):
            return name
    return ""


def account(columns: Columns) -> tuple[str, ...]:
    """Say what each column of a long table is; return that of the scores, or of both their ends.

    Raises
    ------
    Unsettled
        If a column is not accounted for, or two may play one role.
    """
    roles, index = columns.roles, columns.table.index
    for role in ("algorithm", "dataset"):
        columns.recognise(role)
    columns.recognise_items()
    if "dataset" not in roles and not columns.table.counts_rows and index in columns.free:
        roles["dataset"] = (str(index),)
    columns.recognise_beside()
    for role in REPETITIONS:
        columns.recognise_repetition(role)
    unexplained = _explain(columns)
    _recognise_ends(columns)
    measures = [n for n in columns.numeric() if n not in columns.uses and n not in unexplained]
    for one, other in combinations(measures, 2):
        if other not in (*columns.uses, *columns.of(*ENDS)) and columns.facts.is_copy(other, one):
            columns.uses[other] = f"a copy of {one!r}"
    measures = [name for name in measures if name not in columns.uses]
    if not {*ENDS} & roles.keys():
        score = _only_score(columns, measures, unexplained)
        roles["score"] = (score,)
        unexplained = [name for name in unexplained if name != score]
        measures = [name for name in measures if name != score]
    ends = columns.of(*ENDS)
    if "algorithm" not in roles:
        raise columns.doubt(
            "nothing says which column names the algorithms.",
            [{"algorithm": name} for name in columns.text()[:MOST_WAYS]],
            "Pass algorithm= to name it.",
        )
    cell = columns.of("dataset", "algorithm")
    if unexplained and not columns.facts.is_key(cell):  # what is settled once for all repetitions
        once = {"describes the algorithm on the data set": cell}
        unexplained = columns.explain(unexplained, once)
    if unexplained:
        columns.refuse_changing(unexplained, ends[0])
    _refuse_false_repetitions(columns, ends[0])
    columns.uses |= dict.fromkeys(measures, "another measure, left out")
    if measures:
        were = "were" if len(measures) > 1 else "was"
        told = f"The scores are those of column {ends[0]!r}; {listed(measures)} {were} left out."
        columns.notes.append(("columns", told))
    wanted = ("score",) if "score" in roles else ("lower", "upper")
    for end in wanted:
        if end not in roles:
            raise DataError(
                f"`{end}` must name a column too, for a score is an interval from `lower` to "
                "`upper`."
            )
    columns.uses |= {roles[end][0]: USE_OF[end] for end in wanted}
    return tuple(roles.pop(end)[0] for end in wanted)


def _explain(columns: Columns) -> list[str]:
    """Say of columns without a role why they do not matter; return those that may."""
    dataset, repetition = columns.of("dataset"), columns.of(*REPETITIONS)
    keys = {
        "describes the data set": dataset,
        "describes the algorithm": columns.of("algorithm"),
        "describes the repetition": repetition,
        # what is the same for all algorithms cannot favour one
        "describes the fold or run of the data set": [*dataset, *repetition] if repetition else [],
    }
    settled = {*ENDS} & columns.roles.keys()
    ends = [] if settled else [name for end in ENDS for name in called(end, columns.free)]
    left = columns.explain([name for name in columns.free if name not in ends], keys)
    return [name for name in left if columns.facts.has_levels(name)]


def _recognise_ends(columns: Columns) -> None:
    """Take columns that are called just score, or lower and upper, for what they are called."""
    if {*ENDS} & columns.roles.keys():
        return
    score, lower, upper = (called(end, columns.free) for end in ENDS)
    if score:
        columns.roles["score"] = (score[0],)
    elif lower and upper:
        both = (lower[0], upper[0])
        others = [n for n in columns.numeric() if n not in (*both, *columns.uses)]
        others = [name for name in others if not columns.facts.has_levels(name)]
        if others:
            raise columns.doubt(
                f"column {others[0]!r} may hold the scores, and {both[0]!r} and {both[1]!r} their "
                "confidence intervals, or these two may be the ends of intervals as scores.",
                [{"score": others[0]}, {"lower": both[0], "upper": both[1]}],
            )
        columns.roles |= {"lower": both[:1], "upper": both[1:]}


def _only_score(columns: Columns, measures: list[str], unexplained: list[str]) -> str:
    """Return the only column that may hold the scores."""
    facts = columns.facts
    answers = [name for name in unexplained if columns.table.is_bool(name)]
    with_levels = [name for name in unexplained if facts.is_numeric(name)]
    numeric = [n for n in (*answers, *measures) if not columns.tells_rows_apart(n)]
    numeric = numeric or with_levels or measures
    numeric = [n for n in numeric if not columns.counts_steps(n)] or numeric
    if not numeric:  # the scores of algorithms that are all alike describe data sets
        counted = [name for role in REPETITIONS for name in columns.repetitions(role)]
        numeric = [n for n in columns.numeric() if n in columns.uses and n not in counted]
        numeric = [name for name in numeric if not facts.is_constant(name)]
        for name in numeric[:1] if len(numeric) == 1 else ():
            columns.uses.pop(name)
    if len(numeric) == 1:
        return numeric[0]
    if not numeric:
        # the other mark of decimals makes numbers of them, where that is what they are
        raise columns.doubt("no column holds numbers that may be scores.", [{"decimal": ","}])
    ways: list[Way] = [{"score": name} for name in numeric[:MOST_WAYS]]
    if len(numeric) > 2 and are_numbered(numeric):
        stem = numeric[0].rstrip("0123456789")
        ways = [{"columns": f"{stem}{{{role}}}"} for role in ("run", "fold")]
    steps = [name for name in called("evaluations", columns.table.columns) if name not in numeric]
    remedy = "If several are measures, read_measures takes each measure by itself."
    if steps:
        remedy += (
            f" If these are logs, a row for each {steps[0]!r}, Histories.read(path) reads them."
        )
    raise columns.doubt(
        f"columns {listed(numeric)} may hold the scores.",
        ways,
        remedy,
        dict.fromkeys(numeric, "may hold the scores"),
    )


def _refuse_false_repetitions(columns: Columns, score: str) -> None:
    """Refuse folds and runs that are parts of the data, or steps; note it of those that are named.

    One has higher scores than another on all data sets then, or scores rise or fall with their
    numbers.
    """
    named = columns.reading.named()
    for role in REPETITIONS:
        if role == "fold" and columns.unit == "items":
            continue  # some are harder than others for all, and may be in that order
        for name in columns.of(role):
            blocks = columns.facts.group(columns.of("dataset"))
            codes, labels = columns.facts.codes(name)
            values, why = columns.numbers(score), ""
            ways: list[Way] = [{"where": {name: label}} for label in labels[:3]]
            if levels_differ(values, codes, blocks):
                why = (
                    f"the labels of column {name!r} differ in one direction on all data sets, as "
                    "measures or parts of the data do and repetitions do not."
                )
            elif all(map(str.isdecimal, labels)) and columns.follows_order(name, score):
                ways = [{"where": {name: max(labels, key=float)}}]
                why = (
                    f"scores rise or fall with the numbers in column {name!r}, as with steps of a "
                    "run and not with repetitions."
                )
            if why and role in named:
                columns.notes.append(("repetitions", f"{why[0].upper()}{why[1:]}"))
            elif why:
                raise columns.doubt(why, [*ways, {role: name}])
