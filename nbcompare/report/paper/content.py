"""Turn a notebook into the content of printed pages.

Numbers, captions, cross-references, contents and references are those of the HTML page, because
the same code makes them. The result is written as markup of a typesetter, and outputs that only a
browser can show are replaced by their pictures or texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from bs4 import BeautifulSoup
from nbformat import NotebookNode

from nbcompare._options import NEW_PAGE, PRINTS_CODE
from nbcompare._render import plural
from nbcompare.report.page.content import ReportPreprocessor
from nbcompare.report.page.exporter import TemplateFinder
from nbcompare.report.page.outputs import PICTURES, svg_uri
from nbcompare.report.paper.writer import Writer

__all__ = ["PaperExporter", "PrintedPreprocessor"]

_FEW_CHAPTERS = 8  # which a reader finds without a table of contents
_ORIGINAL = "nbcompare_original"
_MOVES = re.compile(
    r"<(?:script|iframe|canvas|video|audio|object|embed|form|dialog)\b", re.IGNORECASE
)
_VIEW = "application/vnd.jupyter.widget-view+json"
_MARKDOWN_IMAGE = re.compile(r"!\[[^\]]*\]\(\s*<?((?:https?:)?//[^\s)>]+)")
_PLAIN_RAW = ("", "text/plain", "text/asciidoc", "text/x-rst", "text/restructuredtext")


class PrintedPreprocessor(ReportPreprocessor):
    """The base of the preprocessors that prepare a notebook for the template of a typesetter.

    The sources of all cells and the outputs become markup; what else the template needs is in
    ``resources["nbcompare"]["printed"]``.
    """

    writer: type[Writer]
    markup = "text/x-typst"

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Prepare the page as for HTML, then write it for the typesetter.

        Parameters
        ----------
        nb : nbformat.NotebookNode
            The exporter's own copy of the notebook.
        resources : dict
            nbconvert's resources.

        Returns
        -------
        tuple
            The notebook and the resources, both changed in place.
        """
        sources = [cell.source for cell in nb.cells if cell.cell_type == "markdown"]
        remote = [url for source in sources for url in _MARKDOWN_IMAGE.findall(source)]
        nb, resources = super().preprocess(nb, resources)
        own = nb.metadata.get("nbcompare")
        about: Mapping[str, Any] = own if isinstance(own, Mapping) else {}
        writer = self.writer(str(resources.get("metadata", {}).get("name") or "report"))
        for url in remote:
            writer.left_out[f"a picture from the network: {url[:80]}"] += 1
        page = resources["nbcompare"]
        heading = re.sub(r"</?h1\b[^>]*>", "", page["heading"] or "")
        # a report begins with its answer, and leaves the contents to the bookmarks of a viewer
        has_contents = "version" not in about and page["contents"].count("<li>") > _FEW_CHAPTERS
        printed: dict[str, Any] = {
            "heading": writer.html(heading),
            "abstract": writer.html(page["abstract"]),
            "contents": has_contents,
        }
        language = _language(nb.metadata)
        prints_code = about.get(PRINTS_CODE) is not False
        for cell, following in zip_longest(nb.cells, nb.cells[1:]):
            shows = following is not None and bool(following.get("outputs"))
            if cell.cell_type == "code" and not prints_code:
                cell.source = ""
            self._write_cell(cell, writer, language, introduces=shows)
        left_out = [_counted(what, times) for what, times in writer.left_out.items()]
        printed["left_out"] = [writer.escape(text) for text in left_out]
        printed["warnings"] = [f"Left out of the printed page: {text}" for text in left_out]
        page["printed"] = printed
        self._fill(nb, printed, writer)
        writer.finish(printed)
        # with a folder, because nbconvert's writer would otherwise create one without a name
        files = {f"./{name}": data for name, data in writer.files.items()}
        resources["outputs"] = {**(resources.get("outputs") or {}), **files}
        return nb, resources

    def _prepare(self, output: NotebookNode, renderer: Any, number: int) -> None:
        original = dict(output.data)
        super()._prepare(output, renderer, number)
        output.metadata[_ORIGINAL] = original

    # ------------------------------------------------------------------------- cells

    @staticmethod
    def _fill(nb: NotebookNode, printed: dict[str, Any], writer: Writer) -> None:
        """Put what pandoc wrote in the places of its marks."""
        outputs = [output for cell in nb.cells for output in cell.get("outputs", [])]
        places = [(printed, "heading"), (printed, "abstract")]
        places += [(cell, "source") for cell in nb.cells]
        places += [(output, "printed") for output in outputs]
        texts = writer.filled([place[key] for place, key in places])
        for (place, key), text in zip(places, texts, strict=True):
            place[key] = text

    def _write_cell(
        self, cell: NotebookNode, writer: Writer, language: str, *, introduces: bool
    ) -> None:
        if cell.cell_type == "markdown":
            before = f"{writer.new_page}\n\n" if NEW_PAGE in cell.metadata.get("tags", ()) else ""
            cell.source = before + writer.html(cell.source, introduces=introduces)
            return
        if cell.cell_type == "raw":
            cell.source = self._raw(cell, writer)
            return
        writer.is_tall = False
        for output in cell.get("outputs", []):
            # the template prints this for every kind of output
            output["printed"] = self._output(output, writer)
        if cell.source.strip():
            shows = bool(cell.get("outputs")) and not writer.is_tall
            cell.source = writer.code(cell.source, language, introduces=shows)

    def _raw(self, cell: NotebookNode, writer: Writer) -> str:
        kind = str(cell.metadata.get("raw_mimetype") or cell.metadata.get("format") or "").lower()
        if not cell.source.strip():
            return ""
        if kind == "text/html":
            return writer.html(cell.source)
        if kind in _PLAIN_RAW:
            return writer.printed(cell.source)
        if kind == self.markup:
            return writer.native(cell.source)
        writer.left_out[f"a raw cell of type {kind}"] += 1
        return ""

    def _output(self, output: NotebookNode, writer: Writer) -> str:
        if output.output_type == "stream":
            kind = "messages" if output.get("name") == "stderr" else "output"
            return writer.printed(str(output.text), kind)
        if output.output_type == "error":
            lines = output.get("traceback") or [f"{output.get('ename')}: {output.get('evalue')}"]
            return writer.printed("\n".join(map(str, lines)), "error")
        return self._display(output, writer)

    def _display(self, output: NotebookNode, writer: Writer) -> str:
        (kind, content), *_ = output.data.items()
        original = output.metadata.get(_ORIGINAL, {})
        if kind.startswith("image/"):
            return self._figure(output, kind, content, writer)
        if kind == "text/html" and {self.markup, "text/x-typst"} <= original.keys():
            # a result; LaTeX of others may need packages and belongs to their documents
            return writer.result(str(original[self.markup]), content)
        if kind == "text/html" and _is_static(content, original):
            return writer.html(content)
        if kind == "text/markdown" or (kind == "text/latex" and output.metadata.get("is_math")):
            return writer.html(content)
        return self._instead(output, original, writer)

    def _figure(self, output: NotebookNode, kind: str, uri: str, writer: Writer) -> str:
        own = output.metadata.nbcompare
        alt = str(output.metadata.get("alt") or "Figure")
        asked = output.metadata.get(kind)
        label = (own["id"], own["label"], own["caption"]) if own.get("label") else ("", "", "")
        asked = dict(asked) if isinstance(asked, Mapping) else {}
        return writer.image(uri, alt, asked, label) or writer.printed(alt)

    def _instead(self, output: NotebookNode, data: Mapping[str, Any], writer: Writer) -> str:
        """Write what can be printed of an output that only a browser or a notebook can show.

        Such an output has no number on the HTML page, so it gets none here.
        """
        if self.markup in data:
            return writer.native(str(data[self.markup]))
        for kind in PICTURES:
            if kind in data:
                content = str(data[kind])
                uri = svg_uri(content) if "svg" in kind else f"data:{kind};base64,{content}"
                asked = output.metadata.get(kind)
                image = writer.image(
                    "".join(uri.split()),
                    "Figure",
                    dict(asked) if isinstance(asked, Mapping) else {},
                )
                if image is not None:
                    return image
        text = str(data.get("text/plain", ""))
        kinds = sorted(set(data) - {"text/plain"})
        if kinds and kinds != ["text/latex"]:
            what = "a widget" if _VIEW in data else "an interactive output"
            writer.left_out[f"{what} ({', '.join(kinds)})"] += 1
        return writer.printed(text or str(data.get("text/latex", "")))


class PaperExporter(TemplateFinder):
    """An exporter whose preprocessor writes the markup of a typesetter."""

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Write a notebook as markup, and log what it leaves out."""
        source, made = super().from_notebook_node(nb, resources, **kw)
        for line in made["nbcompare"]["printed"]["warnings"]:
            self.log.warning("%s", line)
        return source, made


def _counted(what: str, times: int) -> str:
    """Describe what is left out, and how often."""
    if what.startswith("lines "):
        return f"{plural(times, 'line')} {what.removeprefix('lines ')}"
    return f"{what}, {times} times" if times > 1 else what


def _is_static(markup: str, data: Mapping[str, Any]) -> bool:
    """Whether HTML shows something without its scripts and frames, and no picture shows more."""
    if not _MOVES.search(markup):
        return True
    if any(kind in data for kind in PICTURES):
        return False
    page = BeautifulSoup(markup, "html.parser")
    return page.find(["table", "img"]) is not None or bool(page.get_text().strip())


def _language(metadata: Mapping[str, Any]) -> str:
    """Return the name of the language of the notebook in Pygments."""
    about = metadata.get("language_info") or {}
    kernel = metadata.get("kernelspec") or {}
    found = about.get("pygments_lexer") or about.get("name") or kernel.get("language")
    # the lexer of IPython is a plug-in that may be missing
    return "python" if not found or "python" in str(found) else str(found)
