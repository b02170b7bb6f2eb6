"""The exporters that ``jupyter nbconvert --to …`` finds by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbconvert.exporters import HTMLExporter, TemplateExporter
from nbformat import NotebookNode
from traitlets import Enum, List, Unicode, default

from nbcompare._render import latex
from nbcompare._render.typst import literal
from nbcompare.report import latexing_letters, pdf_browser, pdf_typst
from nbcompare.report.pdf_writer import NOT_TEXT

__all__ = [
    "ReportHTMLExporter",
    "ReportLatexExporter",
    "ReportPDFExporter",
    "ReportWebPDFExporter",
    "template_folder",
]

_PACKAGE = Path(__file__).resolve().parent.parent


def template_folder() -> Path:
    """Find the folder that holds nbcompare's templates.

    Returns
    -------
    pathlib.Path
        The checkout's own folder when the package runs from one, so that a change to a template
        shows at the next export; the copy inside the package otherwise.
    """
    checkout = _PACKAGE.parent / "report_templates"
    return checkout if checkout.is_dir() else _PACKAGE / "_templates"


class ReportHTMLExporter(HTMLExporter):
    """A notebook as one HTML page that needs no network.

    The same page as ``jupyter nbconvert --to html --template nbcompare``, for a package whose
    template was not installed under ``share/jupyter``.
    """

    export_from_notebook = "Report (HTML)"

    @default("template_name")
    def _template_name_default(self) -> str:
        return "nbcompare"

    @default("extra_template_basedirs")
    def _default_extra_template_basedirs(self) -> list[str]:
        folders: list[str] = super()._default_extra_template_basedirs()
        return [str(template_folder()), *folders]


class _ReportExporter(TemplateExporter):
    """What the exporters to typesetters have in common."""

    @default("extra_template_basedirs")
    def _default_extra_template_basedirs(self) -> list[str]:
        folders: list[str] = super()._default_extra_template_basedirs()
        return [str(template_folder()), *folders]

    def _warn(self, resources: dict[str, Any]) -> None:
        for what in resources["nbcompare"]["printed"]["warnings"]:
            self.log.warning("Left out of the printed page: %s", what)


class ReportPDFExporter(_ReportExporter):
    """A notebook as a tagged PDF (PDF/UA-1), typeset by Typst; needs ``nbcompare[pdf]``."""

    export_from_notebook = "Report (PDF)"
    output_mimetype = "application/pdf"

    paper = Enum(["a4", "us-letter"], default_value="a4", help="The size of the pages.").tag(
        config=True
    )
    font_paths = List(
        Unicode(),
        help="Folders with fonts for scripts that those of Typst lack; the environment variable "
        f"{pdf_typst.FONT_PATHS} names more.",
    ).tag(config=True)

    @default("file_extension")
    def _file_extension_default(self) -> str:
        return ".pdf"

    @default("template_extension")
    def _template_extension_default(self) -> str:
        return ".typ.j2"

    @default("template_name")
    def _template_name_default(self) -> str:
        return "nbcompare-pdf"

    def default_filters(self) -> Any:
        """Strings of Typst beside the filters that every template has."""
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
        nbcompare.report.pdf_typst.MissingGlyphError
            If the fonts lack letters of the text.
        """
        pdf_typst.check_extra()
        avoid: dict[str, set[str]] = {"pictures": set(), "formulas": set()}
        while True:
            given = {**(resources or {}), "nbcompare_avoid": avoid, "nbcompare_paper": self.paper}
            source, made = super().from_notebook_node(nb, given, **kw)
            printed = made["nbcompare"]["printed"]
            try:
                pdf, replaced = pdf_typst.compile_pdf(
                    source, printed["pictures"], printed["checked"], self.font_paths
                )
            except pdf_typst.BrokenPieceError as broken:
                if broken.pictures <= avoid["pictures"] and broken.formulas <= avoid["formulas"]:
                    raise  # they have been left out already
                avoid["pictures"] |= broken.pictures
                avoid["formulas"] |= broken.formulas
                continue
            self._warn(made)
            for name in replaced:
                self.log.warning("No font has this symbol, so that it is named: %s", name)
            made["output_extension"] = ".pdf"
            return pdf, made


class ReportLatexExporter(_ReportExporter):
    """A notebook as LaTeX for a plain TeX distribution, its pictures in files beside it."""

    export_from_notebook = "Report (LaTeX)"
    output_mimetype = "text/latex"

    @default("file_extension")
    def _file_extension_default(self) -> str:
        return ".tex"

    @default("template_extension")
    def _template_extension_default(self) -> str:
        return ".tex.j2"

    @default("template_name")
    def _template_name_default(self) -> str:
        return "nbcompare-latex"

    def default_filters(self) -> Any:
        """Text for LaTeX beside the filters that every template has."""
        yield from super().default_filters()
        yield "latex_text", lambda text: latex.escape(str(text))

    def from_notebook_node(  # type: ignore[override]  # bytes, where nbconvert's own have text
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[str, dict[str, Any]]:
        """Write a notebook as LaTeX.

        Parameters
        ----------
        nb : nbformat.NotebookNode
            The notebook.
        resources : dict, optional
            nbconvert's resources; the name of the notebook begins those of the pictures.
        **kw
            Passed on.

        Returns
        -------
        tuple
            The document, and the resources: the pictures are ``outputs``, by file name.
        """
        source, made = super().from_notebook_node(nb, resources, **kw)
        source = NOT_TEXT.sub("", source)  # in a title, say; TeX ends at such a character
        self._warn(made)
        declared = latexing_letters.declarations(source)
        if declared:  # what pdfLaTeX's fonts lack; the other engines have fonts of their own
            declared = f"\\ifPDFTeX\n{declared}\n\\fi"
        return source.replace("% characters", declared, 1), made


class ReportWebPDFExporter(ReportHTMLExporter):
    """The HTML page, printed by a Chromium."""

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
            If it prints nothing.
        """
        pdf_browser.find_chromium()
        page, made = super().from_notebook_node(nb, resources, **kw)
        pdf = pdf_browser.print_page(page)
        made["output_extension"] = ".pdf"
        return pdf, made
