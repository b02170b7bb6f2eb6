"""Compile Typst to PDF/UA-1, from sources in memory, with the fonts of Typst.

Only if they lack letters of the text are the fonts of the machine used as well.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

from nbcompare._files import scratch_folder
from nbcompare._render.letters import is_writing, letter_name, no_font_has
from nbcompare._render.typst import literal
from nbcompare.report.page.embedded import ATTACHMENT

__all__ = [
    "FONT_PATHS",
    "INSTEAD",
    "check_extra",
    "compile_pdf",
    "vector_pdf",
]

FONT_PATHS = "NBCOMPARE_FONT_PATHS"
_NOT_DISPLAYED = re.compile(r'the text `"(.*?)"` could not be displayed', re.DOTALL)
_ESCAPED = re.compile(r"\\u\{([0-9a-fA-F]+)\}|\\(.)", re.DOTALL)
INSTEAD = "Names and numbers in brackets"  # of letters that no font has
_ATTACH = (
    f'#std.pdf.attach("{ATTACHMENT}", relationship: "data", mime-type: "application/json", '
    'description: "The results of this report, which nbcompare verify recomputes")'
)


def check_extra() -> None:
    """Raise ImportError, before any work is done, if a package for paper is not installed."""
    missing = [name for name in ("typst", "pypandoc") if find_spec(name) is None]
    if missing:
        raise ImportError(
            f"a PDF or LaTeX document needs {' and '.join(missing)}; install what is missing with "
            'pip install "nbcompare[pdf]".'
        )


def compile_pdf(
    source: str,
    pictures: Mapping[str, bytes],
    pieces: Mapping[str, str],
    font_paths: Sequence[str | Path] = (),
    attachment: bytes = b"",
) -> tuple[bytes, set[str], set[str]]:
    """Typeset a page.

    Parameters
    ----------
    source : str
        Typst markup.
    pictures : mapping of str to bytes
        The files that the markup refers to.
    pieces : mapping of str to str
        Formulas and other Typst that may be faulty, by name.
    font_paths : sequence of str or Path
        Folders with more fonts, before those in the variable NBCOMPARE_FONT_PATHS.
    attachment : bytes
        A file to attach; none if it is empty.

    Returns
    -------
    tuple
        The PDF, the letters that no font has, for which their names or numbers are printed, and
        the names of the pictures and pieces that are faulty, which the markup replaces.

    Raises
    ------
    RuntimeError
        If Typst cannot typeset the page for another reason.
    """
    import typst

    fonts = _fonts(font_paths)
    alone = True  # without the fonts of the machine, so that a page is the same everywhere
    files = dict(pictures)
    if attachment:
        files[ATTACHMENT] = attachment
        source = f"{source}\n{_ATTACH}\n"
    missing: set[str] = set()
    broken: set[str] = set()
    while True:
        about = {
            "missing": no_font_has(missing, INSTEAD),
            "broken": " ".join(sorted(broken)),
        }
        try:
            pdf = _typeset(
                source,
                files,
                pdf_standards=["ua-1"],
                font_paths=fonts,
                ignore_system_fonts=alone,
                sys_inputs=about,
            )
            return pdf, missing, broken
        except typst.TypstError as error:
            texts = [_unescaped(text) for text in _NOT_DISPLAYED.findall(error.diagnostic)]
            if not texts:
                checks = {
                    name: f'#eval({literal(it)}, mode: "markup")' for name, it in pieces.items()
                }
                checks |= {name: f"#image({literal(name)})" for name in pictures}
                found = {name for name, it in checks.items() if not _compiles(it, pictures)}
                if found <= broken:
                    raise RuntimeError(
                        f"Typst cannot typeset this notebook: {error}. A usual reason is that "
                        "lists, quotations or tables are nested too deeply; flatten them, or "
                        "export the notebook as an HTML page, which allows them."
                    ) from error
                broken |= found
                continue
            lacking = {letter for text in texts for letter in text}
            if alone and any(map(is_writing, lacking)):
                alone = False
                files |= _fonts_of_figures()
                continue
            if not lacking - missing:
                raise RuntimeError(f"Typst cannot typeset this notebook: {error}.") from error
            for letter in lacking:
                name = letter_name(letter)
                shown = f"({name})" if name else ""
                source = source.replace(letter, shown)
                pieces = {piece: it.replace(letter, shown) for piece, it in pieces.items()}
            missing |= lacking


def vector_pdf(svg: bytes) -> bytes | None:
    """Convert a drawing to a PDF of its size; None if Typst cannot read it."""
    import typst

    page = "#set document(date: none)\n#set page(width: auto, height: auto, margin: 0pt)\n"
    try:
        return _typeset(page + '#image("drawing.svg")', {"drawing.svg": svg})
    except typst.TypstError:
        return None


# ----------------------------------------------------------------------------------- inside


def _typeset(
    source: str, files: Mapping[str, bytes] = MappingProxyType({}), **options: Any
) -> bytes:
    """Run Typst in a folder with these files and nothing else."""
    import typst

    with scratch_folder() as folder:
        for name, data in files.items():
            (folder / name).write_bytes(data)
        main = folder / "main.typ"
        main.write_bytes(
            source.encode("utf-8", "replace")
        )  # an unpaired surrogate cannot be encoded
        given = {"ignore_system_fonts": True, **options}
        if any(name.endswith(".ttf") for name in files):
            given["font_paths"] = [*given.get("font_paths", ()), str(folder)]
        return bytes(typst.compile(main, root=folder, format="pdf", **given))


def _fonts(font_paths: Iterable[str | Path]) -> list[str]:
    named = [part for part in os.environ.get(FONT_PATHS, "").split(os.pathsep) if part]
    folders = [Path(path).expanduser() for path in (*font_paths, *named)]
    for folder in folders:
        if not folder.is_dir():
            raise ValueError(f"`font_paths` must be folders with fonts; got {str(folder)!r}.")
    return [str(folder) for folder in folders]


def _fonts_of_figures() -> dict[str, bytes]:
    """Return the fonts of Matplotlib by file name, so that figures have no letters more.

    Its folder has another font, with a box for every letter, which no page may use.
    """
    spec = find_spec("matplotlib")
    folders = spec.submodule_search_locations if spec else None
    files = [
        Path(folder, "mpl-data", "fonts", "ttf", name)
        for folder in folders or ()
        for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
    ]
    return {file.name: file.read_bytes() for file in files if file.is_file()}


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda m: chr(int(m[1], 16)) if m[1] else m[2], text)


def _compiles(piece: str, files: Mapping[str, bytes]) -> bool:
    import typst

    try:
        _typeset(piece, files)
    except typst.TypstError:
        return False
    return True
