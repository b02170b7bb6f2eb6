"""Markdown that is made from the code while the site is built, in pages written by hand.

A page says ``:::{generated} NAME`` and ``:::``, and gets in their place what the function of that
name in ``MAKERS`` returns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import bibliography
import builder_pages
import chooser
import constants
import lines
import method_table
import result_schema
import template_pages
from markup import replaced

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MAKERS: Mapping[str, Callable[[], str]] = {
    "bibliography": bibliography.page,
    "builders": builder_pages.page,
    "citation": bibliography.software,
    "chooser": chooser.page,
    "commands": lines.command_page,
    "magics": lines.magic_page,
    "methods": method_table.page,
    "schema": result_schema.page,
    "study": constants.page,
    "templates": template_pages.page,
}


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    made = replaced(source[0], "generated", lambda name: MAKERS[name]())
    if made != source[0]:
        source[0] = made
        app.env.note_reread()  # the code may change without the page


def setup(app: Sphinx) -> dict[str, bool]:
    """Fill pages as they are read."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
