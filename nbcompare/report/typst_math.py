"""Formulas from TeX to Typst: pandoc reads them, all of a notebook at once."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from typing import Any, NamedTuple

from nbcompare._render.typst import literal

__all__ = ["Formula", "Macros", "formulas"]

_MARK = "// the end of a formula"
# Commands that number or name an equation; one keeps the number that its author gave it.
_UNNUMBERED = re.compile(r"\\label\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])")
_TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{(?:equation|displaymath|math)\*?\}")
_DEFINITION = re.compile(
    r"\\(?:re)?newcommand\*?\s*\{?\\(?P<name>[A-Za-z]+)\}?\s*(?:\[(?P<n>\d)\])?\s*(?=\{)"
    r"|\\DeclareMathOperator\*?\s*\{?\\(?P<operator>[A-Za-z]+)\}?\s*(?=\{)"
)
_DEEPEST = 20  # macros within macros
_LONGEST = 20_000  # letters; macros that double themselves come to an end


class Formula(NamedTuple):
    """A formula in TeX; ``doubtful`` if it may be none."""

    tex: str
    display: bool
    doubtful: bool = False


def formulas(wanted: Sequence[Formula], pandoc: str) -> list[str | None]:
    r"""Translate formulas.

    Parameters
    ----------
    wanted : sequence of Formula
        In the order of the page: a macro that one defines is known to those after it.
    pandoc : str
        The program.

    Returns
    -------
    list of str or None
        Typst expressions that carry the TeX as their alternative text; None where pandoc does
        not understand the formula. A formula that only defines macros is ``none``.
    """
    macros = Macros()
    sources = [_plain(macros.expand(formula.tex)) for formula in wanted]
    read = _translated([(tex, wanted[i].display) for i, tex in enumerate(sources)], pandoc)
    found: list[str | None] = []
    for formula, source, math in zip(wanted, sources, read, strict=True):
        if not source.strip():
            found.append("none")
        elif not (math.startswith("$") and math.endswith("$") and len(math) > 2):
            found.append(None)
        else:
            block = "true" if formula.display else "false"
            alt = literal(" ".join(formula.tex.split()))
            found.append(f"math.equation(block: {block}, alt: {alt}, {math})")
    return found


def _plain(tex: str) -> str:
    tex = _ENVIRONMENT.sub("", _UNNUMBERED.sub("", tex))
    return _TAG.sub(r"\\qquad\\text{(\1)}", tex).strip()


def _translated(sources: Sequence[tuple[str, bool]], pandoc: str) -> list[str]:
    if not sources:
        return []
    blocks: list[dict[str, Any]] = []
    for tex, display in sources:
        kind = {"t": "DisplayMath" if display else "InlineMath"}
        blocks.append({"t": "Para", "c": [{"t": "Math", "c": [kind, tex]}]})
        blocks.append({"t": "RawBlock", "c": ["typst", _MARK]})
    document = {"pandoc-api-version": [1, 23], "meta": {}, "blocks": blocks}
    done = subprocess.run(
        [pandoc, "-f", "json", "-t", "typst", "--wrap=none"],
        input=json.dumps(document).encode(),
        capture_output=True,
        check=True,
    )
    *pieces, _ = done.stdout.decode().split(_MARK)
    return [piece.strip() for piece in pieces]


class Macros:
    """Macros that formulas define for those after them, as MathJax knows them."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, str]] = {}

    def expand(self, tex: str) -> str:
        r"""Note what a formula defines, and put what is known into the rest.

        Examples
        --------
        >>> macros = Macros()
        >>> macros.expand(r"\newcommand{\R}[1]{\mathbb{R}^{#1}}")
        ''
        >>> macros.expand(r"\R n \to \R{2}")
        '{\\mathbb{R}^{n}} \\to {\\mathbb{R}^{2}}'
        """
        tex = self._define(tex)
        for _ in range(_DEEPEST):
            expanded = self._once(tex)
            if expanded == tex or len(expanded) > _LONGEST:
                return tex
            tex = expanded
        return tex

    def _define(self, tex: str) -> str:
        while match := _DEFINITION.search(tex):
            body, end = _group(tex, match.end())
            if match["operator"]:
                self._known[match["operator"]] = (0, rf"\operatorname{{{body}}}")
            else:
                self._known[match["name"]] = (int(match["n"] or 0), body)
            tex = tex[: match.start()] + tex[end:]
        return tex

    def _once(self, tex: str) -> str:
        for name, (n_arguments, body) in self._known.items():
            match = re.search(rf"\\{name}(?![A-Za-z])", tex)
            if match is None:
                continue
            end, given = match.end(), body
            for number in range(1, n_arguments + 1):
                argument, end = _group(tex, end)
                given = given.replace(f"#{number}", argument)
            tex = f"{tex[: match.start()]}{{{given}}}{tex[end:]}"
        return tex


def _group(tex: str, start: int) -> tuple[str, int]:
    """What stands in the braces that follow, or the next letter, and where it ends."""
    while start < len(tex) and tex[start].isspace():
        start += 1
    if tex[start : start + 1] != "{":
        return tex[start : start + 1], start + 1
    depth = 0
    for position in range(start, len(tex)):
        if tex[position] in "{}" and tex[position - 1 : position] != "\\":
            depth += 1 if tex[position] == "{" else -1
            if not depth:
                return tex[start + 1 : position], position + 1
    return tex[start + 1 :], len(tex)
