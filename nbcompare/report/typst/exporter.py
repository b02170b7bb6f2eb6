"""Export a notebook as a tagged PDF, typeset by Typst."""

from __future__ import annotations

import json
from typing import Any

from nbformat import NotebookNode
from traitlets import Enum, List, Unicode

from nbcompare._render.letters import no_font_has
from nbcompare._render.typst import literal
from nbcompare.report.paper.content import PaperExporter, PrintedPreprocessor
from nbcompare.report.typst.compiler import FONT_PATHS, INSTEAD, check_extra, compile_pdf
from nbcompare.report.typst.writer import TypstWriter

__all__ = ["ReportPDFExporter", "TypstPreprocessor"]


class TypstPreprocessor(PrintedPreprocessor):
    """The preprocessor that prepares a notebook for the template ``nbcompare-pdf``."""

    writer = TypstWriter


class ReportPDFExporter(PaperExporter):
    """A notebook as a tagged PDF (PDF/UA-1), typeset by Typst; needs ``nbcompare[pdf]``.

    The results that it shows are attached to it, for ``nbcompare verify``.
    """

    export_from_notebook = "Report (PDF)"
    output_mimetype = "application/pdf"
    file_extension = Unicode(".pdf").tag(config=True)
    template_extension = Unicode(".typ.j2").tag(config=True, affects_environment=True)
    template_name = Unicode("nbcompare-pdf").tag(config=True, affects_template=True)

    paper = Enum(["a4", "us-letter"], default_value="a4", help="The size of the pages.").tag(
        config=True
    )
    font_paths = List(
        Unicode(),
        help="Folders with fonts for scripts that the fonts of Typst lack; the environment "
        f"variable {FONT_PATHS} names more folders.",
    ).tag(config=True)

    def default_filters(self) -> Any:
        """Yield the filters of every template, and one for strings of Typst."""
        yield from super().default_filters()
        yield "typst_string", lambda text: literal(str(text))

    def from_notebook_node(  # type: ignore[override]  # bytes, where nbconvert's own have text
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[bytes, dict[str, Any]]:
        """Typeset a notebook.

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
        ImportError
            If Typst or pypandoc is not installed.
        """
        check_extra()
        asked = {**(resources or {}), "nbcompare_paper": self.paper}
        source, made = super().from_notebook_node(nb, asked, **kw)
        printed, results = made["nbcompare"]["printed"], made["nbcompare"]["results"]
        attached = _in_order(results) if results else b""
        pdf, missing, broken = compile_pdf(
            source, printed["pictures"], printed["pieces"], self.font_paths, attached
        )
        for name in sorted(broken):
            self.log.warning("Typst cannot read %s.", printed["pieces"].get(name, name))
        if line := no_font_has(missing, INSTEAD):
            self.log.warning("%s", line)
        return pdf, made


def _in_order(results: str) -> bytes:
    """Write JSON in order, as a notebook that was saved and read again has it."""
    known = json.loads(results)
    return json.dumps(known, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
