"""The base of the exporters to typesetters."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode

from nbcompare.report.page.exporter import TemplateFinder

__all__ = ["PaperExporter"]


class PaperExporter(TemplateFinder):
    """An exporter whose preprocessor writes the markup of a typesetter."""

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Write a notebook as markup, and log what it leaves out."""
        source, made = super().from_notebook_node(nb, resources, **kw)
        for line in made["nbcompare"]["printed"]["warnings"]:
            self.log.warning("%s", line)
        return source, made
