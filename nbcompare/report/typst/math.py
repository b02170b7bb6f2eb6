"""Translate formulas from TeX to Typst with pandoc, all of a notebook at once."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from typing import Any, NamedTuple

from nbcompare._render.typst import literal

__all__ = ["Formula", "formulas"]

_MARK = "// the end of a formula"
# Commands that number or name an equation; it keeps the number that its author gave it.
_UNNUMBERED = re.compile(r"\\label\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])")
_TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{(?:equation|displaymath|math)\*?\}")


class Formula(NamedTuple):
    """A formula in TeX; a ``doubtful`` one may not be a formula."""

    tex: str
    display: bool
    doubtful: bool = False


def formulas(wanted: Sequence[Formula], pandoc: str) -> list[str | None]:
    r"""Translate formulas.

    Parameters
    ----------
    wanted : sequence of Formula
        The formulas.
    pandoc : str
        The path of pandoc.

    Returns
    -------
    list of str or None
        Typst expressions that carry the TeX as their alternative text; None where pandoc does
        not understand the formula.
    """
    found: list[str | None] = []
    for formula, math in zip(wanted, _translated(wanted, pandoc), strict=True):
        if not (math.startswith("$") and math.endswith("$") and len(math) > 2):
            found.append(None)
        else:
            block = "true" if formula.display else "false"
            alt = literal(" ".join(formula.tex.split()))
            found.append(f"math.equation(block: {block}, alt: {alt}, {math})")
    return found


def _plain(tex: str) -> str:
    tex = _ENVIRONMENT.sub("", _UNNUMBERED.sub("", tex))
    return _TAG.sub(r"\\qquad\\text{(\1)}", tex).strip()


def _translated(wanted: Sequence[Formula], pandoc: str) -> list[str]:
    blocks: list[dict[str, Any]] = []
    for formula in wanted:
        kind = {"t": "DisplayMath" if formula.display else "InlineMath"}
        blocks.append({"t": "Para", "c": [{"t": "Math", "c": [kind, _plain(formula.tex)]}]})
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
