"""The exporters that ``jupyter nbconvert --to …`` finds by name.

Their templates find the preprocessors here, too, by names that an installed copy of a template may
hold for years.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbconvert.exporters import HTMLExporter, TemplateExporter
from nbformat import NotebookNode
from nbformat import validate as validate_notebook
from traitlets import Enum, Integer, List, Unicode, default, validate

from nbcompare._render import latex
from nbcompare._render.typst import literal
from nbcompare.report import browser
from nbcompare.report.latex import letters
from nbcompare.report.latex.preprocessor import LatexPreprocessor
from nbcompare.report.page.preprocessor import ReportPreprocessor
from nbcompare.report.page.templates import template_folder
from nbcompare.report.paper.code import LONGEST_CODE, LONGEST_OUTPUT
from nbcompare.report.paper.writer import NOT_TEXT
from nbcompare.report.typst import compiler
from nbcompare.report.typst.preprocessor import TypstPreprocessor

__all__ = [
    "LatexPreprocessor",
    "ReportHTMLExporter",
    "ReportLatexExporter",
    "ReportPDFExporter",
    "ReportPreprocessor",
    "ReportWebPDFExporter",
    "TypstPreprocessor",
]


class _TemplateFinder(TemplateExporter):
    """Finds our own templates, Jupyter's, and one that is named with its folder."""

    @default("extra_template_basedirs")
    def _default_extra_template_basedirs(self) -> list[str]:
        # without the working folder, which nbconvert has here: a template is a program, and one
        # that lies beside the data under the name of a template of Jupyter's is nobody's choice
        return [str(template_folder())]

    @validate("template_name")
    def _template_name_validate(self, change: Any) -> str:
        name = str(super()._template_name_validate(change))
        # in full, ./mine is found without the working folder being looked through
        return str(Path(name).resolve()) if Path(name).name != name else name


class ReportHTMLExporter(_TemplateFinder, HTMLExporter):
    """A notebook as one HTML page that needs no network.

    The same page as ``jupyter nbconvert --to html --template nbcompare``, for a package whose
    template was not installed under ``share/jupyter``.
    """

    export_from_notebook = "Report (HTML)"

    @default("template_name")
    def _template_name_default(self) -> str:
        return "nbcompare"

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Export a notebook.

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
            The page and the resources.

        Raises
        ------
        nbformat.ValidationError
            If it is no notebook; the message says where.
        """
        # nbconvert does so, too, when it has stumbled already
        validate_notebook(nb, relax_add_props=True)
        made: tuple[Any, dict[str, Any]] = super().from_notebook_node(nb, resources, **kw)
        return made


class _ReportExporter(_TemplateFinder):
    """What the exporters to typesetters have in common."""

    longest_code = Integer(
        LONGEST_CODE,
        min=0,
        help="Lines of a cell's code that are printed in full. Of more, the first half as many "
        "and the last quarter are printed, and the document says what is left out; so it does of "
        "long strings of data. 0 prints all.",
    ).tag(config=True)
    longest_output = Integer(
        LONGEST_OUTPUT,
        min=0,
        help="Lines of what a cell prints that are printed in full, likewise; 0 prints all.",
    ).tag(config=True)

    def _asked(self, resources: dict[str, Any] | None) -> dict[str, Any]:
        """Get nbconvert's resources, with what the preprocessor has to know of the options."""
        longest = {"code": self.longest_code, "output": self.longest_output}
        return {**(resources or {}), "nbcompare_longest": longest}

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
        f"{compiler.FONT_PATHS} names more.",
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
        nbcompare.report.typst.compiler.MissingGlyphError
            If the fonts lack letters of the text.
        """
        compiler.check_extra()
        asked = self._asked(resources)
        avoid: dict[str, set[str]] = {"pictures": set(), "formulas": set()}
        while True:
            given = {**asked, "nbcompare_avoid": avoid, "nbcompare_paper": self.paper}
            source, made = super().from_notebook_node(nb, given, **kw)
            printed = made["nbcompare"]["printed"]
            try:
                pdf, replaced = compiler.compile_pdf(
                    source, printed["pictures"], printed["checked"], self.font_paths
                )
            except compiler.BrokenPieceError as broken:
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
        source, made = super().from_notebook_node(nb, self._asked(resources), **kw)
        source = NOT_TEXT.sub("", source)  # in a title, say; TeX ends at such a character
        self._warn(made)
        declared = letters.declarations(source)
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
        browser.find_chromium()
        page, made = super().from_notebook_node(nb, resources, **kw)
        pdf = browser.print_page(page)
        made["output_extension"] = ".pdf"
        return pdf, made
