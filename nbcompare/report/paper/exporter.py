"""The base of the exporters to typesetters."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from traitlets import Integer

from nbcompare.report.page.exporter import TemplateFinder
from nbcompare.report.paper.code import LONGEST_CODE, LONGEST_OUTPUT

__all__ = ["PaperExporter"]


class PaperExporter(TemplateFinder):
    """An exporter whose preprocessor writes the markup of a typesetter."""

    longest_code = Integer(
        LONGEST_CODE,
        min=0,
        help="Number of lines of a cell's code that are printed in full. Of longer code, the first "
        "half of that number and the last quarter are printed, and the document says what is left "
        "out. 0 prints everything.",
    ).tag(config=True)
    longest_output = Integer(
        LONGEST_OUTPUT,
        min=0,
        help="Number of lines of a cell's printed output that are printed in full, in the same "
        "way; 0 prints everything.",
    ).tag(config=True)

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Write a notebook as markup, and log what it leaves out."""
        longest = {"code": self.longest_code, "output": self.longest_output}
        asked = {**(resources or {}), "nbcompare_longest": longest}
        source, made = super().from_notebook_node(nb, asked, **kw)
        for line in made["nbcompare"]["printed"]["warnings"]:
            self.log.warning("%s", line)
        return source, made
