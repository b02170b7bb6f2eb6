"""Four ways to ask for the same: a call, a magic, a command and a builder, one below the other.

::

    ```{ways}
    :python: nbc.compare(experiment)
    :magic: %compare experiment
    :command: nbcompare compare scores.csv --direction maximize
    :builder: nbc.CDDiagramBuilder(experiment)
    ```

A way that does not exist is left out. ``tests/docs/test_howto.py`` runs all of a page.
"""

from __future__ import annotations

from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

WAYS = {
    "python": ("In Python", "python"),
    "magic": ("As a magic", "text"),
    "command": ("On a command line", "sh"),
    "builder": ("As a builder", "python"),
}


class Ways(SphinxDirective):
    """List of the ways, each a term with its code."""

    option_spec: ClassVar = dict.fromkeys(WAYS, directives.unchanged_required)

    def run(self) -> list[nodes.Node]:
        """Return the list."""
        ways = nodes.definition_list(classes=["ways"])
        for name, (title, language) in WAYS.items():
            if name in self.options:
                code = self.options[name]
                block = nodes.literal_block(code, code, language=language)
                ways += nodes.definition_list_item(
                    "", nodes.term(text=title), nodes.definition("", block)
                )
        return [ways]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("ways", Ways)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
