"""nbcompare beside the packages that people use instead, each in an environment of its own.

``python benchmarks/peers.py`` makes the environments where they are missing, gives every package
the same work, and writes a page with times, memory and the agreement of results. Times are of the
processor, the least of several runs, and all runs of one piece of work follow one another.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import json
import math
import os
import platform
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from peer.agreement import AGREEMENT_TABLES, agreements
from peer.environments import PACKAGES, Environments, Package
from peer.page import page

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Item:
    """One piece of work on one table of n data sets by k algorithms."""

    part: str
    work: str
    n: int
    k: int
    # Arrays are read in no time, so that growth is that of the comparison alone
    suffix: str = ".npy"
    decimals: int = 4


def items(largest: int, small: bool) -> list[Item]:
    """Return the work, in the order of the page."""
    if small:
        return [Item("diagram", "diagram", 30, 5, ".csv")]
    sizes = [(30, 5), (1_000, 10), (100_000, 20), (1_000_000, 20)]
    sizes = [(n, k) for n, k in sizes if n <= largest]
    in_n = [n for n in (100, 1_000, 10_000, 100_000) if n <= largest]
    return [
        *(Item("diagram", "diagram", n, k, ".csv") for n, k in sizes if n <= 100_000),
        *(Item("compare", "compare", n, k) for n, k in sizes),
        *(Item("shaffer", "shaffer", 50, k) for k in (5, 10, 15, 20, 25, 50)),
        *(Item("bergmann-hommel", "bergmann-hommel", 50, k) for k in (5, 9, 20, 50)),
        *(Item("wilcoxon", "wilcoxon", n, k, decimals=9) for n, k in ((20, 5), (50, 10), (50, 20))),
        Item("report", "report", 30, 5, ".csv"),
        *(Item("growth in n", "compare", n, 10) for n in in_n),
        *(Item("growth in k", "compare", 50, k) for k in (10, 20, 40, 80)),
    ]


def write_table(folder: Path, item: Item) -> Path:
    """Write scores whose differences are neither hopeless nor certain at any size."""
    path = folder / f"{item.n}x{item.k}-{item.decimals}{item.suffix}"
    if path.exists():
        return path
    shift = np.linspace(0, 3 / math.sqrt(item.n), item.k)
    scores = np.random.default_rng(0).normal(size=(item.n, item.k)) + shift
    if item.suffix == ".npy":
        np.save(path, scores.round(item.decimals))
        return path
    with path.open("w") as file:
        file.write(",".join(["dataset", *(f"A{i}" for i in range(item.k))]) + "\n")
        form = ",".join([f"%.{item.decimals}f"] * item.k)
        file.writelines(f"d{i},{form % tuple(row)}\n" for i, row in enumerate(scores))
    return path


def ask(
    python: str, package: Package, request: dict[str, Any], limit: float
) -> list[dict[str, Any]]:
    """Return what the package answers for each table of the request.

    It and all that it started end with the time they have; what is not answered then says so.
    """
    # Compiled modules are kept, as they are for users
    environment = {key: it for key, it in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["MPLBACKEND"] = "agg"
    environment["PYTHONPATH"] = "" if package.environment else str(_FOLDER.parent)
    process = subprocess.Popen(
        [python, str(package.script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )
    wanted = len(request["tables"])
    try:
        # A busy machine gives a process less than the whole time
        given = 60 + 10 * limit * wanted
        said, complaint = process.communicate(json.dumps(request), timeout=given)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, complaint = process.communicate()
    answers: list[dict[str, Any]] = [json.loads(line) for line in said.splitlines()]
    answers = [{"beyond": True} if it.get("seconds", 0) > limit else it for it in answers]
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        rest: dict[str, Any] = {"beyond": True}
    else:
        lines = complaint.strip().splitlines() or ["it ended without a word"]
        rest = {"error": lines[-1][:300]}
    return [*answers, *[rest] * (wanted - len(answers))]


def measured(
    pythons: dict[Package, str], work: Sequence[Item], folder: Path, limit: float
) -> Iterator[dict[str, Any]]:
    """Give every package every piece of work, the least first, and yield what it took.

    Sizes whose memory is not shown follow one another in one process.
    """
    groups: dict[object, list[Item]] = {}
    for item in work:
        groups.setdefault(item.part if item.part.startswith("growth") else item, []).append(item)
    beyond: dict[tuple[Package, str], int] = {}
    for group in sorted(groups.values(), key=lambda group: group[-1].n * group[-1].k):
        part, kind = group[0].part, group[0].work
        tables = [str(write_table(folder, item)) for item in group]
        # A diagram takes the comparison, and more
        family = "compare" if kind == "diagram" else kind
        for package, python in pythons.items():
            least = beyond.get((package, family), math.inf)
            tried = [
                table for table, item in zip(tables, group, strict=True) if _size(item) < least
            ]
            request = {"work": kind, "tables": tried, "limit": limit}
            answers = ask(python, package, request, limit) if tried else []
            answers += [{"beyond": True}] * (len(group) - len(answers))
            for item, answer in zip(group, answers, strict=True):
                if answer.get("lacks"):
                    continue
                if answer.get("beyond"):
                    beyond.setdefault((package, family), _size(item))
                took = answer.get("seconds", answer.get("error", "beyond the limit"))
                print(
                    f"{part:<16} {item.n:>9,} x {item.k:<3} {package.title:<16} {took}", flush=True
                )
                yield {
                    "part": part,
                    "work": kind,
                    "n": item.n,
                    "k": item.k,
                    "package": package.title,
                    **answer,
                }


def _size(item: Item) -> int:
    return item.n * item.k


def answered(
    pythons: dict[Package, str], folder: Path, limit: float
) -> dict[str, list[dict[str, Any]]]:
    """Return what the packages find in the tables of the agreement, and their versions."""
    tables = []
    for name, scores in AGREEMENT_TABLES.items():
        path = folder / f"{name}.csv"
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["dataset", *(f"A{i}" for i in range(len(scores[0])))])
            writer.writerows([f"d{i}", *row] for i, row in enumerate(scores))
        tables.append(str(path))
    answers = {}
    for package, python in pythons.items():
        shown = [*package.shown, "numpy", "scipy", "pandas"]
        request = {"work": "agreement", "tables": tables, "distributions": shown, "limit": limit}
        answers[package.title] = ask(python, package, request, limit)
    return answers


def machine() -> dict[str, Any]:
    """Return what a reader must know of the machine, in neutral words."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (ValueError, OSError, AttributeError):
        memory = math.nan
    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "processors": os.cpu_count(),
        "memory": round(memory) if math.isfinite(memory) else None,
    }


def study(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield everything that the page tells, as far as it is known, after each piece of work."""
    environments = Environments(None if options.here else options.environments)
    wanted = {one.strip() for one in options.only.split(",") if one.strip()}
    pythons = {}
    for package in PACKAGES:
        if wanted and package.title not in wanted and package.title != "nbcompare":
            continue
        python = environments.python(package)
        if python is not None:
            pythons[package] = python
    for title, reason in environments.missing.items():
        print(f"{title} could not be installed: {reason}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        answers = answered(pythons, folder, options.limit)
        told: dict[str, Any] = {
            "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
            "machine": machine(),
            "note": options.note,
            "limit": options.limit,
            "packages": {title: its[0].get("versions", {}) for title, its in answers.items()},
            "missing": environments.missing,
            "agreement": [one._asdict() for one in agreements(answers)],
            "times": [],
        }
        work = items(options.largest, options.small)
        for row in measured(pythons, work, folder, options.limit):
            told["times"].append(row)
            yield told


def main() -> None:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--environments",
        type=Path,
        default=cache / "nbcompare-peers",
        help="folder with an environment per package, made where it is missing",
    )
    parser.add_argument("--here", action="store_true", help="use this environment for all")
    parser.add_argument("--only", default="", help="titles of packages, separated by commas")
    parser.add_argument("--small", action="store_true", help="only the smallest work")
    parser.add_argument("--largest", type=int, default=1_000_000, help="most data sets")
    parser.add_argument("--limit", type=float, default=120, help="seconds for a piece of work")
    parser.add_argument("--output", type=Path, default=_FOLDER / "PEERS.md")
    parser.add_argument("--note", default="", help="a sentence for the page, about the machine")
    parser.add_argument("--again", action="store_true", help="write the page from its JSON again")
    options = parser.parse_args()
    beside = options.output.with_suffix(".json")
    kept = [json.loads(beside.read_text())] if options.again else study(options)
    for told in kept:
        beside.write_text(json.dumps(told, indent=1) + "\n")
        options.output.write_text(page(told))


if __name__ == "__main__":
    main()
