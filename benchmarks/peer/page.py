"""The page that says what was measured, from the record of one run."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .environments import PACKAGES

Row = Mapping[str, Any]

_QUANTITIES = {
    "ranks": "average ranks",
    "friedman": "p of Friedman's test",
    "cd": "Nemenyi's critical difference",
    "nemenyi": "Nemenyi",
    "holm": "Holm, by ranks",
    "shaffer": "Shaffer, by ranks",
    "rejected": "rejected by Shaffer at 0.05",
    "bergmann-hommel": "Bergmann–Hommel, by ranks",
    "wilcoxon": "Wilcoxon, exact, not adjusted",
}

_PARTS = {
    "diagram": (
        "Read a CSV file, Friedman's test, all pairs, critical difference diagram",
        "The diagram is written to a file. nbcompare and scikit-posthocs adjust p of each pair by "
        "Nemenyi's procedure; nbcompare writes the figure, its text alternative included.",
    ),
    "compare": (
        "Friedman's test and all pairs, from scores in memory",
        "nbcompare, SciPy by hand, statsmodels, StaTDS and SAES adjust by Holm's procedure; "
        "autorank and "
        "scikit-posthocs do Nemenyi's. The adjustment of statsmodels starts a garbage collection.",
    ),
    "shaffer": (
        "Shaffer's procedure, 50 data sets, by the number of algorithms",
        "Ranks and tests of all pairs are included. StaTDS draws a figure with it.",
    ),
    "bergmann-hommel": (
        "Bergmann and Hommel's procedure, 50 data sets, by the number of algorithms",
        "None of the others has it.",
    ),
    "wilcoxon": (
        "Wilcoxon's signed-ranks test of all pairs, exact",
        "The pairs alone, with Holm's adjustment, by functions of `nbcompare.stats` and SciPy on "
        "arrays. A comparison by nbcompare has the exact test of Friedman, too, which takes longer "
        "than the pairs where there are few data sets. aeon and StaTDS do not adjust. StaTDS takes "
        "the normal law, and aeon tests on one side.",
    ),
    "report": (
        "A whole report of 30 data sets by 5 algorithms, from a new process",
        "Time and memory include the processes that the package starts; memory is that of the "
        "largest one. "
        "What is made differs much:",
    ),
    "growth in n": (
        "Growth in the number of data sets, 10 algorithms",
        "The comparison in memory. Slopes are those of the times on logarithmic scales, from "
        "each size to the next.",
    ),
    "growth in k": (
        "Growth in the number of algorithms, 50 data sets",
        "The comparison in memory. The number of pairs grows with the square of the number of "
        "algorithms.",
    ),
}


def page(told: Mapping[str, Any]) -> str:
    """Return the page as Markdown."""
    parts = [_head(told), _agreement(told["agreement"])]
    for part, (title, note) in _PARTS.items():
        rows = [row for row in told["times"] if row["part"] == part]
        if rows:
            parts.append(_part(part, title, note, rows, told["limit"]))
    return "\n\n".join(parts) + "\n"


def _head(told: Mapping[str, Any]) -> str:
    machine = told["machine"]
    memory = f" and {machine['memory']} GiB of memory" if machine["memory"] else ""
    lines = [
        "# Benchmarks beside other packages",
        "",
        "This page is written by `python benchmarks/peers.py`, which makes an environment for each "
        "package, gives all of them the same work, and compares what they find. "
        f"Measured on {told['date']}, on {machine['system']} ({machine['architecture']}) with "
        f"{machine['processors']} processors{memory}.",
        "",
        "Times are seconds of the processor, the least of up to 20 runs after imports and, for "
        "scores "
        "in memory, after reading. In brackets stands a package's time over that of nbcompare: "
        "above "
        "1, nbcompare is faster. Memory is the peak of the process, in MiB. "
        f"A piece of work has {told['limit']:g} seconds; what exceeds them is not tried at "
        "larger sizes. A dash stands for what a package does not do, or what was not measured.",
        *(["", told["note"]] if told.get("note") else []),
        "",
    ]
    rows = []
    for title, versions in told["packages"].items():
        own = {key: value for key, value in versions.items() if key not in _LIBRARIES}
        shown = ", ".join(own.values()) or versions.get("scipy", "")
        rows.append([title, shown, *(versions.get(name, "–") for name in _LIBRARIES)])
    lines.append(_table(["package", "version", "Python", "NumPy", "SciPy", "pandas"], rows))
    for title, reason in told["missing"].items():
        lines += ["", f"{title} could not be installed: {_cell(reason)}"]
    return "\n".join(lines)


_LIBRARIES = ("python", "numpy", "scipy", "pandas")


def _part(part: str, title: str, note: str, rows: Sequence[Row], limit: float) -> str:
    sizes = list(dict.fromkeys((row["n"], row["k"]) for row in rows))
    named = {row["package"] for row in rows}
    titles = [package.title for package in PACKAGES if package.title in named]
    by = {(row["package"], row["n"], row["k"]): row for row in rows}
    lines = [f"## {title}", "", note]
    if part == "report":
        lines += [
            "",
            *(f"- {it.title}: {it.reports}." for it in PACKAGES if it.title in titles),
        ]
    if part == "diagram":
        lines += ["", *(f"- {it.title}: {it.does}." for it in PACKAGES if it.title in titles)]

    def cells(show: Callable[[Row, Row], str]) -> list[list[str]]:
        table = []
        for name in titles:
            cell = []
            for size in sizes:
                row, ours = by.get((name, *size)), by.get(("nbcompare", *size), {})
                cell.append("–" if row is None else show(row, ours))
            table.append([name, *cell])
        return table

    def time(row: Row, ours: Row) -> str:
        if row.get("beyond"):
            return f"more than {limit:g} s"
        if "seconds" not in row:
            return "fails"
        shown = _seconds(row["seconds"])
        if row["package"] == "nbcompare" or "seconds" not in ours:
            return shown
        return f"{shown} ({_short(row['seconds'] / ours['seconds'])})"

    head = [f"{n:,} × {k}" for n, k in sizes]
    lines += ["", _table(["seconds", *head], cells(time))]
    if part.startswith("growth"):
        along = [n if part == "growth in n" else k for n, k in sizes]
        lines += ["", _slopes(titles, by, sizes, along)]
    else:
        lines += [
            "",
            _table(
                ["MiB", *head],
                cells(lambda row, _: f"{row['memory']:,.0f}" if "memory" in row else "–"),
            ),
        ]
    failed = {(row["package"], row["error"]) for row in rows if "error" in row}
    for name, error in sorted(failed):
        lines += ["", f"{name} fails: {_cell(error)}"]
    return "\n".join(lines)


def _slopes(
    titles: Sequence[str], by: Mapping[Any, Row], sizes: Sequence[tuple[int, int]], along: list[int]
) -> str:
    rows = []
    for name in titles:
        times = [by.get((name, *size), {}).get("seconds") for size in sizes]
        cells = []
        for i in range(1, len(sizes)):
            before, after = times[i - 1], times[i]
            if before is None or after is None:
                cells.append("–")
            else:
                cells.append(f"{math.log(after / before) / math.log(along[i] / along[i - 1]):.2f}")
        rows.append([name, *cells])
    head = [f"{a:,} to {b:,}" for a, b in itertools.pairwise(along)]
    return _table(["slope", *head], rows)


def _agreement(rows: Sequence[Row]) -> str:
    """Tell where packages differ from nbcompare, and why."""
    lines = [
        "## Agreement of results",
        "",
        "Four tables with Gaussian scores: 12 × 5 without ties, 12 × 5 rounded to one decimal "
        "(with "
        "ties, and differences of 0), 40 × 5 with algorithms far apart, and 1,000 × 10. "
        "nbcompare is "
        "compared with the definitions, which `benchmarks/peer/definitions.py` computes with "
        "fractions, "
        "through all partitions of algorithms and all signs of ranks, without nbcompare; the "
        "others are "
        "compared with nbcompare. Two figures are the same if they agree to 1 part in 10⁹. "
        "A reason is given only if a computation with that one departure from the definition "
        "gives the "
        "package's figures: to 1e-12, or for tables and interpolations to 0.001 of a critical "
        "difference and 0.05 of p.",
        "",
        "nbcompare and the definitions correct for ties, and share the ranks of differences of 0 "
        "between the "
        "signs, as Demšar (2006) does.",
        "",
    ]
    titles = list(dict.fromkeys(row["package"] for row in rows))
    quantities = [name for name in _QUANTITIES if any(row["quantity"] == name for row in rows)]
    table = []
    for title in (it.title for it in PACKAGES if it.title in titles):
        cells = []
        for name in quantities:
            its = [row for row in rows if (row["package"], row["quantity"]) == (title, name)]
            cells.append(f"{sum(row['same'] for row in its)} of {len(its)}" if its else "–")
        table.append([title, *cells])
    lines += [
        "Tables on which all figures are the same:",
        "",
        _table(["", *(_QUANTITIES[name] for name in quantities)], table),
    ]
    differing: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if not row["same"]:
            differing.setdefault((row["package"], row["quantity"], row["why"]), []).append(row)
    order = [package.title for package in PACKAGES]
    table = []
    for (title, name, why), its in sorted(
        differing.items(), key=lambda it: (order.index(it[0][0]), quantities.index(it[0][1]))
    ):
        differences = [row["difference"] for row in its if row["difference"] is not None]
        decided = [row["decided"] for row in its if row["decided"] is not None]
        table.append(
            [
                title,
                _QUANTITIES[name],
                ", ".join(row["table"] for row in its),
                _short(max(differences)) if differences else "–",
                f"{sum(decided)}" if decided else "–",
                _cell(why),
            ]
        )
    if table:
        head = ["package", "figure", "tables", "largest difference", "decided otherwise", "why"]
        lines += [
            "",
            "Where figures differ. “Decided otherwise” counts the pairs on which the two decide "
            "otherwise at 0.05.",
            "",
            _table(head, table),
        ]
    return "\n".join(lines)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cell(text: str) -> str:
    """Return a text of a program, which may hold anything, as one cell of a table."""
    return text.replace("\n", " ").replace("|", "\\|").replace("<", "&lt;")


def _seconds(value: float) -> str:
    return f"{value:,.1f}" if value >= 10 else f"{value:.3g}"


def _short(value: float) -> str:
    if value == 0 or 0.01 <= value < 10:
        return f"{value:.2g}"
    return f"{value:,.0f}" if 10 <= value < 1e5 else f"{value:.0e}"
