"""Translate formulas from TeX to Typst with pandoc, all of a notebook at once."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from typing import Any, NamedTuple

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


def formulas(wanted: Sequence[Formula]) -> list[str]:
    r"""Translate formulas; one that pandoc does not understand is empty.

    Examples
    --------
    >>> formulas([Formula(r"\mathbb{R}^n", display=False), Formula(r"\frac{1", display=False)])
    ['$bb(R)^n$', '']
    """
    import pypandoc

    blocks: list[dict[str, Any]] = []
    for formula in wanted:
        kind = {"t": "DisplayMath" if formula.display else "InlineMath"}
        blocks.append({"t": "Para", "c": [{"t": "Math", "c": [kind, _plain(formula.tex)]}]})
        blocks.append({"t": "RawBlock", "c": ["typst", _MARK]})
    document = {"pandoc-api-version": [1, 23], "meta": {}, "blocks": blocks}
    done = subprocess.run(
        [str(pypandoc.get_pandoc_path()), "-f", "json", "-t", "typst", "--wrap=none"],
        input=json.dumps(document).encode(),
        capture_output=True,
        check=True,
    )
    *pieces, _ = map(str.strip, done.stdout.decode().split(_MARK))
    return [math if re.fullmatch(r"\$.+\$", math, re.DOTALL) else "" for math in pieces]


def _plain(tex: str) -> str:
    tex = _ENVIRONMENT.sub("", _UNNUMBERED.sub("", tex))
    return _TAG.sub(r"\\qquad\\text{(\1)}", tex).strip()
