"""Markdown that is made from the code while the site is built, in pages written by hand.

A page says ``:::{generated} NAME`` and ``:::``, and gets in their place what the function of that
name in ``MAKERS`` returns. Further words are what the function takes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import bibliography
import chooser
import guide
import lines
import reference_pages
import result_schema
import statistics_pages
from markup import replaced

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MEASURED = Path(__file__).parents[1] / "howto" / "measured.json"
_DIGITS = ".6g"


def measured(package: str) -> str:
    """Return a cell with the figures that another package gave, beside those of the page.

    ``howto/measure.py`` writes them in an environment with that package. The variables of the page
    hold what is shown beside them.
    """
    found = json.loads(MEASURED.read_text(encoding="utf-8"))[package]
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


MAKERS: Mapping[str, Callable[..., str]] = {
    "bibliography": bibliography.page,
    "builders": reference_pages.builders,
    "citation": bibliography.software,
    "commands": lines.command_page,
    "exit-codes": lines.exit_codes,
    "guide": guide.index,
    "magics": lines.magic_page,
    "measured": measured,
    "methods": statistics_pages.index,
    "questions": chooser.questions,
    "schema": result_schema.page,
    "study": reference_pages.study_names,
    "templates": reference_pages.templates,
}


def made(place: str) -> str:
    """Return what a page asks for by a name and what its function takes."""
    name, *given = place.split()
    return MAKERS[name](*given)


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    filled = replaced(source[0], "generated", made)
    if filled != source[0]:
        source[0] = filled
        app.env.note_reread()  # the code may change without the page


def setup(app: Sphinx) -> dict[str, bool]:
    """Fill pages as they are read."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
