"""Export a notebook as LaTeX for a plain TeX distribution."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from traitlets import Unicode

from nbcompare._render.latex import COMMANDS, SUBSCRIPTS, SUPERSCRIPTS, escape
from nbcompare.report.latex.writer import LatexWriter
from nbcompare.report.paper.content import PaperExporter, PrintedPreprocessor
from nbcompare.report.paper.writer import NOT_TEXT
from nbcompare.report.typst.compiler import check_extra

__all__ = ["LatexPreprocessor", "ReportLatexExporter", "declarations"]

_OTHERS = {
    "−": r"\ensuremath{-}",
    "\N{NO-BREAK SPACE}": "~",
    "\N{THIN SPACE}": r"\,",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
    "\N{ZERO WIDTH SPACE}": "",
    "\N{NON-BREAKING HYPHEN}": "-",
    **{c: rf"\textsuperscript{{{n}}}" for n, c in enumerate(SUPERSCRIPTS)},
    **{c: rf"\textsubscript{{{n}}}" for n, c in enumerate(SUBSCRIPTS)},
}


class LatexPreprocessor(PrintedPreprocessor):
    """The preprocessor that prepares a notebook for the template ``nbcompare-latex``."""

    writer = LatexWriter
    markup = "text/latex"


class ReportLatexExporter(PaperExporter):
    """A notebook as LaTeX for a plain TeX distribution, its pictures in files beside it."""

    export_from_notebook = "Report (LaTeX)"
    output_mimetype = "text/latex"
    file_extension = Unicode(".tex").tag(config=True)
    template_extension = Unicode(".tex.j2").tag(config=True, affects_environment=True)
    template_name = Unicode("nbcompare-latex").tag(config=True, affects_template=True)

    def default_filters(self) -> Any:
        """Yield the filters of every template, and one for text in LaTeX."""
        yield from super().default_filters()
        yield "latex_text", lambda text: escape(str(text))

    def from_notebook_node(  # type: ignore[override]  # bytes, where nbconvert's own have text
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[str, dict[str, Any]]:
        """Write a notebook as LaTeX.

        Parameters
        ----------
        nb : nbformat.NotebookNode
            The notebook.
        resources : dict, optional
            nbconvert's resources; the names of the pictures begin with that of the notebook.
        **kw
            Passed on.

        Returns
        -------
        tuple
            The document, and the resources, in which ``outputs`` are the pictures by file name.

        Raises
        ------
        ImportError
            If Typst or pypandoc is not installed.
        """
        check_extra()
        source, made = super().from_notebook_node(nb, resources, **kw)
        source = NOT_TEXT.sub("", source)  # in a title, for example; TeX stops at such a character
        declared = declarations(source)
        if declared:
            # what LuaLaTeX and XeLaTeX print for a letter that their usual font lacks
            others = "\n".join(
                rf"\lostletter{{{ord(character):04X}}}{{{_printed(character)}}}"
                for character in sorted(set(source))
                if ord(character) > 0x9F and _missed(character)
            )
            declared = f"\\ifPDFTeX\n{declared}\n\\else\n{others}\n\\fi"
        return source.replace("% characters", declared, 1), made


def declarations(source: str) -> str:
    r"""Declare how pdfLaTeX prints the characters of a document that its fonts lack.

    Parameters
    ----------
    source : str
        The document.

    Returns
    -------
    str
        LaTeX for the preamble. An unknown character is printed as its number.

    Examples
    --------
    >>> print(declarations("p ≤ 0.05").partition("else")[2])
    \DeclareUnicodeCharacter{2264}{\ensuremath{\le}}\fi
    """
    return "\n".join(
        rf"\ifcsname u8:\detokenize{{{character}}}\endcsname\else"
        rf"\DeclareUnicodeCharacter{{{ord(character):04X}}}{{{_printed(character)}}}"
        rf"{_missed(character)}\fi"
        for character in sorted(set(source))
        if ord(character) > 0x9F
    )


def _printed(character: str) -> str:
    if character in _OTHERS:
        return _OTHERS[character]
    if character in COMMANDS:
        return rf"\ensuremath{{\{COMMANDS[character]}}}"
    number = f"U+{ord(character):04X}"
    return rf"\ifmmode\text{{{number}}}\else\texttt{{{number}}}\allowbreak\fi"


def _missed(character: str) -> str:
    r"""Name a letter for which a number is printed, in the line about such letters."""
    known = character in _OTHERS or character in COMMANDS
    return "" if known else rf"\missingletter{{U+{ord(character):04X}}}"
