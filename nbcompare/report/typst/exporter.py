"""Export a notebook as a tagged PDF, typeset by Typst."""

from __future__ import annotations

from functools import partial
from typing import Any

from nbformat import NotebookNode
from traitlets import Enum, List, Unicode, default

from nbcompare._render.letters import no_font_has
from nbcompare._render.typst import literal
from nbcompare.report.page.attachment import attachment
from nbcompare.report.paper.content import HEIGHT, WIDTH, PrintedPreprocessor
from nbcompare.report.paper.exporter import PaperExporter
from nbcompare.report.typst.compiler import (
    FONT_PATHS,
    INSTEAD,
    BrokenPieceError,
    check_extra,
    compile_pdf,
    pandoc_path,
)
from nbcompare.report.typst.math import Formula, formulas
from nbcompare.report.typst.writer import TypstWriter

__all__ = ["ReportPDFExporter", "TypstPreprocessor"]

CODE_COLUMNS = 94


class TypstPreprocessor(PrintedPreprocessor[TypstWriter]):
    """The preprocessor that prepares a notebook for the template ``nbcompare-pdf``."""

    markup = "text/x-typst"

    def writer(self) -> TypstWriter:
        """Return a writer of Typst."""
        return TypstWriter(WIDTH, HEIGHT, CODE_COLUMNS)

    def native(self, source: str, writer: TypstWriter) -> str | None:
        """Keep raw Typst, under a name, so that a mistake in it can be located."""
        name = f"piece-{len(writer.pieces) + 1}"
        writer.pieces[name] = "none"
        if name in writer.broken:
            return None
        writer.pieces[name] = f'eval({literal(source)}, mode: "markup")'
        return f"#{name}"

    def finish(
        self, writer: TypstWriter, printed: dict[str, Any], resources: dict[str, Any]
    ) -> None:
        """Add the formulas, which pandoc translates all at once, and the pictures."""
        avoid = set(resources.get("nbcompare_avoid", {}).get("formulas", ()))
        wanted = {name: Formula(*key) for key, name in writer.formulas.items()}
        found = formulas(list(wanted.values()), pandoc_path()) if wanted else []
        defined = dict(writer.pieces)
        for (name, formula), typst in zip(wanted.items(), found, strict=True):
            if typst is None or name in avoid:
                if not formula.doubtful:
                    self.log.warning("A formula is shown as its source: %s", formula.tex)
                typst = f"raw({literal(formula.tex)})"
            defined[name] = typst
        printed["definitions"] = defined
        printed["checked"] = {name: f"#let it = {it}\n#it" for name, it in defined.items()}
        printed["paper"] = resources.get("nbcompare_paper", "a4")
        printed["title"] = literal(resources["nbcompare"]["title"])
        printed["pictures"] = {name: found.data for name, found in writer.pictures.items()}


class ReportPDFExporter(PaperExporter):
    """A notebook as a tagged PDF (PDF/UA-1), typeset by Typst; needs ``nbcompare[pdf]``.

    The results that it shows are attached to it, with digests of its pages, for
    ``nbcompare verify``.
    """

    export_from_notebook = "Report (PDF)"
    output_mimetype = "application/pdf"

    paper = Enum(["a4", "us-letter"], default_value="a4", help="The size of the pages.").tag(
        config=True
    )
    font_paths = List(
        Unicode(),
        help="Folders with fonts for scripts that the fonts of Typst lack; the environment "
        f"variable {FONT_PATHS} names more folders.",
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
            If Typst, pypandoc or pypdf is not installed.
        """
        check_extra()
        asked = self.with_limits(resources)
        avoid: dict[str, set[str]] = {"pictures": set(), "formulas": set()}
        while True:
            given = {**asked, "nbcompare_avoid": avoid, "nbcompare_paper": self.paper}
            source, made = super().from_notebook_node(nb, given, **kw)
            printed, results = made["nbcompare"]["printed"], made["nbcompare"]["results"]
            try:
                pdf, missing = compile_pdf(
                    source,
                    printed["pictures"],
                    printed["checked"],
                    self.font_paths,
                    partial(attachment, results) if results else None,
                )
            except BrokenPieceError as broken:
                if broken.pictures <= avoid["pictures"] and broken.formulas <= avoid["formulas"]:
                    raise  # they have already been left out
                avoid["pictures"] |= broken.pictures
                avoid["formulas"] |= broken.formulas
                continue
            self.warn(made)
            if line := no_font_has(missing, INSTEAD):
                self.log.warning("%s", line)
            made["output_extension"] = ".pdf"
            return pdf, made
