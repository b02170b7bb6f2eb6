"""The preprocessor that the template ``nbcompare-latex`` names."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from nbcompare._render.latex import escape
from nbcompare.report.latex.writer import LatexWriter
from nbcompare.report.paper.preprocessor import HEIGHT, WIDTH, PrintedPreprocessor

__all__ = ["LatexPreprocessor"]

CODE_COLUMNS = 94
_VECTORS, _PIXELS = "image/svg+xml", "image/png"


class LatexPreprocessor(PrintedPreprocessor[LatexWriter]):
    """Bring a notebook into the form that the template ``nbcompare-latex`` lays out."""

    markup = "text/latex"
    exporter = "ReportLatexExporter"

    def preprocess(self, nb: Any, resources: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Prepare the page; without Typst, which makes PDF of SVG, pictures are of pixels."""
        if find_spec("typst") is None:
            kinds = [kind for kind in self.display_data_priority if kind != _VECTORS]
            kinds.insert(kinds.index(_PIXELS) + 1, _VECTORS)
            self.display_data_priority = kinds
        self._stem = str(resources.get("metadata", {}).get("name") or "report")
        return super().preprocess(nb, resources)

    def writer(self) -> LatexWriter:
        """Get a writer of LaTeX."""
        return LatexWriter(WIDTH, HEIGHT, CODE_COLUMNS, self._stem)

    def native(self, source: str, writer: LatexWriter) -> str | None:  # noqa: ARG002
        """Let raw LaTeX through: its author asked for it."""
        return source

    def finish(
        self, writer: LatexWriter, printed: dict[str, Any], resources: dict[str, Any]
    ) -> None:
        """Add the pictures, as the files that LaTeX looks for."""
        # a folder has to be named: nbconvert's writer would make one without a name
        files = {f"./{name}": data for name, data in writer.files.items()}
        resources["outputs"] = {**(resources.get("outputs") or {}), **files}
        printed["title"] = escape(resources["nbcompare"]["title"])
