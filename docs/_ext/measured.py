"""Figures that another package gave, beside the names of the variables that compute them.

``{measured}`` with the name of a package reads ``howto/measured.json``, which
``howto/measure.py`` writes in an environment with that package.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FILE = Path(__file__).parents[1] / "howto" / "measured.json"


def read(package: str) -> tuple[str, dict[str, dict[str, float]]]:
    """Return the version of a package, and each figure with its relative tolerance."""
    found = json.loads(FILE.read_text(encoding="utf-8"))[package]
    return found["version"], found["figures"]


class Measured(SphinxDirective):
    """Sentence and list of the figures of a package."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the sentence and the list."""
        self.env.note_dependency(str(FILE))
        package = self.arguments[0]
        version, figures = read(package)
        said = f"{package} {version} itself gave, on the same data:"
        items = nodes.bullet_list()
        for name, figure in figures.items():
            line = nodes.paragraph("", "", nodes.literal(text=name))
            line += nodes.Text(f": {figure['value']:.6g}")
            items += nodes.list_item("", line)
        return [nodes.paragraph(text=said), items]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("measured", Measured)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
