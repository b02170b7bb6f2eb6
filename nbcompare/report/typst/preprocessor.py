"""The preprocessor that the template ``nbcompare-pdf`` names."""

from __future__ import annotations

from typing import Any

from nbcompare._render.typst import literal
from nbcompare.report.paper.preprocessor import HEIGHT, WIDTH, PrintedPreprocessor
from nbcompare.report.typst.compiler import pandoc_path
from nbcompare.report.typst.math import Formula, formulas
from nbcompare.report.typst.writer import TypstWriter

__all__ = ["TypstPreprocessor"]

CODE_COLUMNS = 94


class TypstPreprocessor(PrintedPreprocessor[TypstWriter]):
    """Bring a notebook into the form that the template ``nbcompare-pdf`` lays out."""

    markup = "text/x-typst"

    def writer(self) -> TypstWriter:
        """Get a writer of Typst."""
        return TypstWriter(WIDTH, HEIGHT, CODE_COLUMNS)

    def native(self, source: str, writer: TypstWriter) -> str | None:
        """Let Typst through, by a name, so that a mistake in it can be told from all others."""
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
