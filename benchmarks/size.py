"""How large the package is: lines of code and modules by room, and how far imports reach.

`python benchmarks/size.py` prints the table of ARCHITECTURE.md. Docstrings, comments and blank
lines are no code. The chain of imports needs grimp, which import-linter brings.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import numpy as np
from scipy.sparse.csgraph import connected_components

ROOT = Path(__file__).resolve().parent.parent
_LAYOUT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


def code_lines(source: str) -> int:
    """Return how many lines of a module are code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in (*_LAYOUT, tokenize.ENDMARKER):
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
            docstring = node.body[0]
            lines -= set(range(docstring.lineno, (docstring.end_lineno or 0) + 1))
    return len(lines)


def import_lines(source: str) -> int:
    """Return how many lines of a module import something."""
    return sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
    )


def rooms(folder: Path) -> dict[str, tuple[int, int]]:
    """Return lines of code and modules of each room of a package, the largest first."""
    lines: Counter[str] = Counter()
    modules: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).parts
        room = parts[0] if len(parts) > 1 else "single modules"
        lines[room] += code_lines(path.read_text(encoding="utf-8"))
        modules[room] += 1
    return {room: (count, modules[room]) for room, count in lines.most_common()}


def import_graph(package: str) -> tuple[list[list[str]], int]:
    """Return the circles of modules that import each other, and the longest chain of imports.

    A circle counts as one module of the chain.
    """
    import grimp

    graph = grimp.build_graph(package, cache_dir=None)
    modules = sorted(graph.modules)
    imported = [graph.find_modules_directly_imported_by(module) for module in modules]
    arrows = [[other in others for other in modules] for others in imported]
    number, circle = connected_components(np.array(arrows), directed=True, connection="strong")
    members: list[list[str]] = [[] for _ in range(number)]
    below: list[set[int]] = [set() for _ in range(number)]
    for module, others, own in zip(modules, imported, circle, strict=True):
        members[own].append(module)
        below[own] |= {circle[modules.index(other)] for other in others} - {own}
    lengths: dict[int, int] = {}
    for own in TopologicalSorter(dict(enumerate(below))).static_order():
        lengths[own] = 1 + max((lengths[other] for other in below[own]), default=0)
    return [names for names in members if len(names) > 1], max(lengths.values())


def main() -> None:
    """Print the table of rooms."""
    package = rooms(ROOT / "nbcompare")
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "nbcompare").rglob("*.py")]
    lines, modules = (sum(column) for column in zip(*package.values(), strict=True))
    imports = sum(map(import_lines, sources))
    print("| room | lines of code | modules |\n|---|---|---|")
    for room, (count, number) in package.items():
        print(f"| `{room}` | {count:,} | {number} |")
    print(f"| **all** | **{lines:,}** | **{modules}** |\n")
    tests = sum(count for count, _ in rooms(ROOT / "tests").values())
    print(f"Imports: {imports:,} lines ({imports / lines:.1%}). Tests: {tests:,} lines of code.")
    circles, longest = import_graph("nbcompare")
    print(f"Longest chain of imports: {longest} modules. Circles: {len(circles)}.")
    for names in circles:
        print("-", ", ".join(names))


if __name__ == "__main__":
    main()
