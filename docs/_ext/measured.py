"""Figures that another package gave, beside those of the formulas on the page about it.

``{measured}`` with the name of a package reads ``howto/measured.json``, which
``howto/measure.py`` writes in an environment with that package. It becomes a cell of the page, so
that the variables of the page hold what is shown beside the figures.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FILE = Path(__file__).parents[1] / "howto" / "measured.json"
_PLACE = re.compile(r"^```\{measured\} (\S+)\n```$", re.MULTILINE)
_DIGITS = ".6g"


def cell(package: str) -> str:
    """Return Markdown with a sentence, and a cell that shows the figures of a package."""
    found = json.loads(FILE.read_text(encoding="utf-8"))[package]
    rows = "\n".join(
        f"        ({figure['label']!r}, '{figure['value']:{_DIGITS}}', f'{{{name}:{_DIGITS}}}'),"
        for name, figure in found["figures"].items()
    )
    head = ["figure", f"{package} {found['version']}", "formula on this page"]
    return f"""{package} itself was run on the same data, and gave:

```{{code-cell}}
:tags: [remove-input]
import pandas as pd

pd.DataFrame(
    [
{rows}
    ],
    columns={head!r},
).set_index("figure")
```"""


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    made = _PLACE.sub(lambda place: cell(place[1]), source[0])
    if made != source[0]:
        source[0] = made
        app.env.note_dependency(str(FILE))


def setup(app: Sphinx) -> dict[str, bool]:
    """Fill pages as they are read."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
