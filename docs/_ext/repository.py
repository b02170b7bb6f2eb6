"""Pages of the repository that are pages of the site, too, with their links made to fit.

Pages of the repository link to its files. On the site such a link leads to the page that shows the
file, and is plain text where no page does.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from markup import replaced

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
# Folders of the repository whose files have pages of the site, under names without the suffix
FOLDERS = {"docs": "", "notebooks": "guide/"}
_LINK = re.compile(
    r"(?<!!)\[(?P<text>[^][]+)\]\((?!https?:|#)(?P<target>[^)\s#]+)(?P<part>#[^)]*)?\)"
)


def page_of(file: PurePosixPath, pages: set[str]) -> str:
    """Return the page that shows a file of the repository; empty if none does."""
    folder, stem = file.parts[0], file.with_suffix("").as_posix()
    if folder in FOLDERS and file.suffix in {".md", ".ipynb"}:
        stem = FOLDERS[folder] + stem.partition("/")[2]
    else:
        stem = file.stem.lower()
    return stem if stem in pages else ""


def fitted(text: str, here: PurePosixPath, page: str, pages: set[str]) -> str:
    """Return Markdown with links to pages of the site in place of links to files.

    Parameters
    ----------
    text : str
        Markdown of a file of the repository.
    here : path
        The folder of that file, from the root of the repository.
    page : str
        The page of the site that shows it.
    pages : set of str
        All pages of the site.
    """

    def linked(link: re.Match[str]) -> str:
        file = PurePosixPath(os.path.normpath(here / link["target"]))
        found = page_of(file, pages)
        if not found:
            return link["text"]
        target = os.path.relpath(found, PurePosixPath(page).parent)
        suffix = file.suffix if file.suffix == ".ipynb" else ".md"
        return f"[{link['text']}]({target}{suffix}{link['part'] or ''})"

    return _LINK.sub(linked, text)


def sections(text: str, heading: str) -> str:
    """Return what stands under each heading of level 3 with this text.

    Before each of them stands the heading of level 2 above it, such as that of a version.
    """
    found = []
    for part in re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]:
        above, _, rest = part.partition("\n")
        pattern = rf"^### {re.escape(heading)}\n(.*?)(?=^### |\Z)"
        body = re.search(pattern, rest, re.MULTILINE | re.DOTALL)
        if body:
            found.append(f"{above}\n\n{body[1].strip()}")
    if not found:
        raise ValueError(f"there is no heading {heading!r}")
    return "\n\n".join(found)


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    pages = app.env.found_docs

    def shown(place: str) -> str:
        name, _, heading = place.partition("#")  # a file, or its sections of a name
        app.env.note_dependency(str(ROOT / name))
        text = (ROOT / name).read_text(encoding="utf-8")
        text = sections(text, heading) if heading else text
        return fitted(text, PurePosixPath(name).parent, page, pages)

    if page == "published":  # the one page of the site with links for those in the repository
        source[0] = fitted(source[0], PurePosixPath("docs"), page, pages)
    source[0] = replaced(source[0], "repository", shown)


def setup(app: Sphinx) -> dict[str, bool]:
    """Show files in pages as they are read."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
