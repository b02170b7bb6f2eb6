"""Export a notebook as the HTML page, printed by a Chromium."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from traitlets import default

from nbcompare.report.browser.chromium import find_chromium, print_page
from nbcompare.report.page.exporter import ReportHTMLExporter

__all__ = ["ReportWebPDFExporter"]


class ReportWebPDFExporter(ReportHTMLExporter):
    """The HTML page of a notebook, printed by a Chromium."""

    export_from_notebook = "Report (PDF by a browser)"
    output_mimetype = "application/pdf"

    @default("file_extension")
    def _file_extension_default(self) -> str:
        return ".pdf"

    @default("template_name")
    def _template_name_default(self) -> str:
        return "nbcompare-webpdf"

    @default("template_extension")
    def _template_extension_default(self) -> str:
        return ".html.j2"

    def from_notebook_node(  # type: ignore[override]  # bytes, where nbconvert's own have text
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[bytes, dict[str, Any]]:
        """Print a notebook.

        Parameters
        ----------
        nb : nbformat.NotebookNode
            The notebook.
        resources : dict, optional
            nbconvert's resources.
        **kw
            Passed on.

        Returns
        -------
        tuple
            The PDF and the resources.

        Raises
        ------
        FileNotFoundError
            If there is no Chromium.
        RuntimeError
            If the browser prints nothing.
        """
        find_chromium()  # before the page is made, which takes longer
        page, made = super().from_notebook_node(nb, resources, **kw)
        pdf = print_page(page)
        made["output_extension"] = ".pdf"
        return pdf, made
