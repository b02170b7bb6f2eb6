"""Expand macros of TeX for typesetters of formulas that do not know them."""

from __future__ import annotations

import re

__all__ = ["Macros"]

_DEFINITION = re.compile(
    r"\\(?:re)?newcommand\*?\s*\{?\\(?P<name>[A-Za-z]+)\}?\s*(?:\[(?P<n>\d)\])?\s*(?=\{)"
    r"|\\DeclareMathOperator\*?\s*\{?\\(?P<operator>[A-Za-z]+)\}?\s*(?=\{)"
)
_DEEPEST = 20  # nested macros
_LONGEST = 20_000  # characters; stops macros that double themselves


class Macros:
    """Macros that formulas define for the formulas after them, as in MathJax."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, str]] = {}

    def expand(self, tex: str) -> str:
        r"""Record the macros that a formula defines, and expand the known macros in the rest.

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
    """Return the contents of the braces that follow, or the next character, and its end."""
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
