"""Tables with columns of scores: what names the rows, and what the names of columns say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from nbcompare._tables.text_format import Unsettled, Way
from nbcompare._validation import DataError, check_name, listed
from nbcompare.experiment._columns import COUNTER, MOST_WAYS, Columns
from nbcompare.experiment._facts import are_numbered
from nbcompare.experiment._reading import KEYS, matching
from nbcompare.experiment._schema import NAMES, NOUNS, REPETITIONS, bare, called

# What pandas and R write as the name of a column of numbers of rows
_SAVED_INDEX = re.compile(r"|index|unnamed: 0(\.\d+)?", re.IGNORECASE)

_MANY_ROWS = 50  # with numbers for names, which are rather items than data sets

Parts = dict[str, tuple[str, ...]]


def account(columns: Columns) -> tuple[tuple[str, ...], Parts]:
    """Say what each column of a wide table is.

    Returns
    -------
    tuple of str
        The columns of scores.
    dict of str to tuple of str
        What their names say, by role.

    Raises
    ------
    Unsettled
        If a column is not accounted for.
    """
    scores, parts = _columns_of_scores(columns)
    transposed = columns.reading.transpose
    _leave_out_saved_index(columns)
    _name_rows(columns, "algorithm" if transposed else "dataset", scores)
    if scores is None:
        scores = _unnamed_scores(columns)
        parts = {"dataset" if transposed else "algorithm": tuple(scores)}
    if not scores:
        label = columns.of("dataset", "algorithm", *REPETITIONS)
        hint = " Cells must be separated by a comma, a semicolon or a tab."
        if len(columns.table.columns) > 2:  # so they are
            hint = " Scores are numbers: write 1 and 0 for words such as pass and fail."
        raise DataError(
            f"{columns.table.source} has no column of scores"
            f"{f' beside {label[0]!r}' if label and label[0] else ''}."
            f"{hint if columns.table.text is not None else ''}"
        )
    keys = columns.keys if columns.keys and columns.facts.is_key(columns.keys) else []
    described = {"describes the row": keys, "describes the data set": columns.of("dataset")}
    those = {*scores}
    unexplained = columns.explain([n for n in columns.free if n not in those], described)
    if unexplained:
        columns.refuse_changing(unexplained)
    columns.uses |= dict.fromkeys(scores, "scores")
    return tuple(scores), parts


def _unnamed_scores(columns: Columns) -> list[str]:
    """Return the columns that may hold scores; refuse what may number repetitions."""
    facts, reading = columns.facts, columns.reading
    keep = {*reading.keep, *(reading.algorithms or ())}
    for name in columns.keys:
        facts.joined_labels([name])  # an empty label is the first thing to be told
    numbers = {name: [role] for role in REPETITIONS for name in columns.repetitions(role)}
    if not facts.is_key(columns.of("dataset")):
        more = [n for n in columns.text() if facts.numbers_as_text(n) and n not in keep]
        numbers |= {name: [*REPETITIONS] for name in more if name not in numbers}
    for name, roles in numbers.items() if not reading.transpose else ():
        if facts.is_constant(name) and columns.table.n_rows > 1:
            columns.uses[name] = "the same in all rows"
        else:
            # a run of a system in information retrieval is its only one
            named = ["algorithm", *roles] if facts.holds_words(name) else roles
            raise columns.doubt(
                f"column {name!r} may name the {NOUNS[named[0]]}, or hold scores.",
                [*({role: name} for role in named), {"ignore": [name]}, {"keep": [name]}],
            )
    return [
        name
        for name in columns.free
        if name in keep
        or not (name in columns.uses or name == columns.table.index or facts.holds_words(name))
    ]


# ----------------------------------------------------------------- what names of columns say


def matched(columns: Columns, names: Sequence[str]) -> tuple[list[str], Parts]:
    """Return the columns of which the names are made as the caller says, less those filtered."""
    reading = columns.reading
    found = matching(str(reading.columns), names, columns.table)
    parts = zip(reading.parts, zip(*found.values(), strict=True), strict=True)
    return _chosen(columns, list(found), {role: list(labels) for role, labels in parts})


def _columns_of_scores(columns: Columns) -> tuple[list[str] | None, Parts]:
    """Return the columns of scores, and the parts of their names, if the caller names them."""
    reading, table = columns.reading, columns.table
    if reading.columns is not None:
        labels_only = columns.facts.holds_words  # such as the names of data sets, under any name
        return matched(
            columns, [n for n in columns.free if bare(n) not in KEYS and not labels_only(n)]
        )
    if not columns.levels:
        return None, {}
    # what names the rows has a label on one level alone
    names = [n for n in columns.free if len(of := table.levels.get(n, ())) > 1 and all(of)]
    by_level = {
        level: [table.levels[name][place] for name in names]
        for place, level in enumerate(columns.levels)
    }
    return _chosen(columns, names, _roles_of_levels(columns, by_level))


def _roles_of_levels(columns: Columns, levels: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the labels of columns by role; levels that nothing names are an error."""
    reading = columns.reading
    role_of = {name: role for role in KEYS for name in getattr(reading, role)}
    made: dict[str, list[str]] = {}
    unknown = []
    for name, labels in levels.items():
        role = role_of.get(name) or (name if name in reading.where else None)
        found = [each for each in KEYS if called(each, [name]) and not getattr(reading, each)]
        if role is None and found:
            numbered = are_numbered(list(dict.fromkeys(labels)))
            role = found[0] if found[0] not in REPETITIONS or numbered else None
        if role is not None and role not in made:
            made[role] = labels
        elif len(set(labels)) > 1:
            unknown.append(name)
    if not unknown:
        return made
    distinct = {name: list(dict.fromkeys(levels[name])) for name in unknown}
    counted = [are_numbered(labels) for labels in distinct.values()]
    if unknown == list(levels) == ["level 0", "level 1"] and counted == [False, True]:
        return {"algorithm": levels["level 0"], "fold": levels["level 1"]}
    ways: list[Way] = []
    for one in unknown if "algorithm" not in made else [""]:
        base: Way = {"algorithm": one} if one else {}
        rest = [name for name in unknown if name != one]
        if not rest:
            ways.append(base)
        for other in rest[:1]:
            if are_numbered(distinct[other]):
                ways += [{**base, role: other} for role in REPETITIONS if role not in made]
            ways += [{**base, "where": {other: each}} for each in distinct[other][:MOST_WAYS]]
    told = "; ".join(
        f"{name!r} ({listed(dict.fromkeys(labels), most=3)})" for name, labels in levels.items()
    )
    raise Unsettled(
        f"{columns.table.source}: the names of columns have {len(levels)} levels, {told}, and "
        "nothing says what each holds.",
        ways,
        "Each is named by dataset=, algorithm=, fold= or run=.",
    )


def _chosen(
    columns: Columns, names: list[str], labels: Mapping[str, list[str]]
) -> tuple[list[str], Parts]:
    """Return the columns that filters leave, and the parts of their names that have roles."""
    where = {part: wanted for part, wanted in columns.reading.where.items() if part in labels}
    for part, wanted in where.items():
        for label in wanted:
            check_name(label, f"where[{part!r}]", labels[part])
    kept = [
        place
        for place in range(len(names))
        if all(labels[part][place] in wanted for part, wanted in where.items())
    ]
    if not kept:
        raise ValueError(f"`where` must leave a column of scores of {columns.table.source}.")
    parts = {part: tuple(those[place] for place in kept) for part, those in labels.items()}
    left = [names[place] for place in kept]
    columns.uses |= {name: "left out by where" for name in names if name not in left}
    roles = {*columns.reading.in_names} - {"measure"}
    for part in [part for part in parts if part not in roles]:
        several = list(dict.fromkeys(parts.pop(part)))
        if len(several) > 1:
            raise Unsettled(
                f"{columns.table.source}: the columns hold {len(several)} kinds of {part}, "
                f"{listed(several)}.",
                [{"where": {part: label}} for label in several[:MOST_WAYS]],
            )
    return left, parts


# ------------------------------------------------------------------------ what names the rows


def _leave_out_saved_index(columns: Columns) -> None:
    """Leave out first columns in which a program saved the numbers of the rows."""
    facts = columns.facts
    words = [name for name in columns.text() if facts.holds_words(name)]
    repeated = [name for role in REPETITIONS for name in columns.repetitions(role)]
    labels = {*columns.keys, *words, *repeated, *called("dataset", columns.free)}
    for name in columns.free:
        counts = _SAVED_INDEX.fullmatch(name) and facts.numbers_rows(name) and labels - {name}
        if not counts or name in columns.reading.keep:
            break
        columns.uses[name] = COUNTER
        called_so = f"Column {name!r}" if name else "The first column, without a name,"
        columns.notes.append(("saved-index", f"{called_so} only counts the rows. It was left out."))


def _name_rows(columns: Columns, role: str, scores: list[str] | None) -> None:
    """Find what names the rows, unless the caller said it."""
    facts, reading, roles = columns.facts, columns.reading, columns.roles
    taken = {*(scores or ()), *reading.keep, *(reading.algorithms or ())}
    if role == "dataset":
        columns.recognise_items(taken, is_long=False)
        columns.recognise_beside(taken)
    if scores is not None and not columns.levels:
        columns.recognise("algorithm")
    repeated = [n for r in REPETITIONS for n in columns.repetitions(r) if n not in taken]
    if role not in roles and role not in reading.parts:
        free = [name for name in columns.free if name not in taken and name not in repeated]
        if columns.unit == "items" and "fold" in roles:  # what else has words describes items
            free = called(role, free)
        label = _label(columns, role, free, has_algorithm=scores is not None)
        if label is None and "domain" in roles and reading.domain is None:
            label = roles.pop("domain")[0]  # what else could it be the domain of?
        if label is not None:
            roles[role] = (label,)
    labels = columns.of("dataset")
    if role != "dataset" or (labels and facts.is_key(labels)):
        return
    one = all(map(facts.is_constant, labels))
    if labels or facts.is_key(repeated):
        for other in REPETITIONS:
            columns.recognise_repetition(other, alone=one and columns.table.n_rows > 1)


def _label(columns: Columns, role: str, free: Sequence[str], *, has_algorithm: bool) -> str | None:
    """Return the column that names the rows, if there is one."""
    facts, table = columns.facts, columns.table
    index = None if table.counts_rows else table.index
    words = [name for name in free if facts.holds_words(name)]
    named = [n for n in called(role, free) if not facts.is_numeric(n) or n == index]
    if index is not None and index in free:
        if named and bare(named[0]) == bare(role) and named[0] != index:
            raise Unsettled(
                f"{table.source}: {NOUNS[role]} may be named by the index or by column "
                f"{named[0]!r}.",
                [{role: named[0]}],
                "Rename the column if the index names them.",
            )
        return index
    if named:
        return named[0]
    unnamed = free[:1] if free and not free[0] else []  # row names as R and pandas write them
    if unnamed and unnamed[0] not in words and not facts.numbers_rows(unnamed[0]):
        return unnamed[0]
    if has_algorithm and words == [name for name in words if called("algorithm", [name])]:
        words = []
    parts = [n for n in words if any(called(each, [n]) for each in (*REPETITIONS, "measure"))]
    words = [name for name in words if name not in parts]
    if words:
        return next((name for name in words if not facts.repeats(name)), words[0])
    parts = [name for name in parts if not facts.is_constant(name)]
    if parts and role == "dataset" and not columns.roles:
        raise columns.doubt(
            f"column {parts[0]!r} does not seem to name data sets, and no other column does.",
            [
                {"dataset": parts[0]},
                *({"where": {parts[0]: it}} for it in facts.labels(parts[0])[:MOST_WAYS]),
            ],
        )
    found = unnamed[0] if unnamed else _number(columns, role, free)
    if found is None and table.index is not None and table.index not in columns.keys:
        counts = facts.repeats(table.index) or facts.numbers_rows(table.index)
        return None if counts else table.index
    return found


def _number(columns: Columns, role: str, free: Sequence[str]) -> str | None:
    """Return a column of numbers that names the rows; refuse one that may hold scores."""
    facts = columns.facts
    whole = [n for n in free if facts.is_numeric(n) and facts.is_whole(n)]
    exact = [n for n in free if facts.is_numeric(n) and bare(n) == bare(role)]
    if exact:
        return exact[0]
    first = free[0] if free else ""
    if len(free) < 2 or first not in whole or facts.repeats(first) or columns.table.n_rows < 2:
        return None
    is_id = bare(first).removesuffix("id") in {*NAMES[role], "openml"}
    if facts.numbers_rows(first) or is_id or called(role, [first]):
        ways: list[Way] = [{role: first}]
        if role == "dataset":  # many rows are rather items
            ways.insert(int(columns.table.n_rows < _MANY_ROWS), {"item": first})
        raise columns.doubt(
            f"column {first!r} may number the {NOUNS[role]}, or hold scores.",
            [*ways, {"ignore": [first]}, {"keep": [first]}],
        )
    return None
