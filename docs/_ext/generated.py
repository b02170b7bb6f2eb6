"""Markdown that is made from the code while the site is built, in pages written by hand.

A page says ``:::{generated} NAME`` and ``:::``, and gets in their place what the function of that
name in ``MAKERS`` returns. It is put into the source of the page, so that its headings are headings
of the page and its links are checked like all others.
"""

from __future__ import annotations

import re
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

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MAKERS: Mapping[str, Callable[[], str]] = {
    "bibliography": bibliography.page,
    "builders": builder_pages.page,
    "citation": bibliography.software,
    "chooser": chooser.markdown,
    "commands": lines.command_page,
    "magics": lines.magic_page,
    "methods": method_table.page,
    "schema": result_schema.page,
    "study": constants.table_of_study,
    "templates": template_pages.page,
}
_PLACE = re.compile(r"^:::\{generated\} (\S+)\n:::$", re.MULTILINE)


def filled(source: str) -> str:
    """Return the source of a page with all that is made in place."""
    return _PLACE.sub(lambda place: MAKERS[place[1]](), source)


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    made = filled(source[0])
    if made != source[0]:
        source[0] = made
        app.env.note_reread()  # the code may change without the page


def setup(app: Sphinx) -> dict[str, bool]:
    """Fill pages as they are read."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
