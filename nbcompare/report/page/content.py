"""Turn a notebook into the content of a page, for any exporter that fills the template.

The template names `ReportPreprocessor` in its ``conf.json``, so that nbconvert's own HTML exporter
runs it as well as nbcompare's. The result is a copy of the notebook in which Markdown and LaTeX are
HTML, every output has the one representation that a page shows best, and images have alternative
texts; what else the template needs is in ``resources["nbcompare"]``.
"""

import html
import json
import re
from collections.abc import Mapping
from itertools import count, pairwise
from typing import Any

from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode, from_dict
from traitlets import List, Unicode

from nbcompare._options import FOLD
from nbcompare._render import html as own_html
from nbcompare._render import short_fingerprint
from nbcompare._version import __version__
from nbcompare.report.page.embedded import Embedded, Literature, script_safe
from nbcompare.report.page.figures import Figures, outlines, record_of
from nbcompare.report.page.headings import Labels, contents, demote, first_title, plain, settle
from nbcompare.report.page.markdown import MarkdownRenderer
from nbcompare.report.page.outputs import (
    alternative_text,
    layout,
    pdf_of_figure,
    show_picture,
    show_widgets,
    svg_uri,
    without_warnings,
)

__all__ = ["ReportPreprocessor", "fold"]

_LEADING_TITLE = re.compile(r"\s*(<h1\b[^>]*>(.*?)</h1>)\s*", re.DOTALL | re.IGNORECASE)
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")


class ReportPreprocessor(Preprocessor):
    """The preprocessor that prepares a notebook for the template ``nbcompare``."""

    display_data_priority = List(
        Unicode(),
        [
            "application/javascript",
            "text/html",
            "text/markdown",
            "image/svg+xml",
            "text/latex",
            "image/png",
            "image/jpeg",
            "image/webp",
            "image/gif",
            "application/pdf",
            "text/plain",
        ],
        help="The representations of an output in order of preference: the page shows the first "
        "one that the output has.",
    ).tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Render every cell, and determine the title of the page and the levels of its headings.

        Parameters
        ----------
        nb : nbformat.NotebookNode
            The exporter's own copy of the notebook.
        resources : dict
            nbconvert's resources.

        Returns
        -------
        tuple
            The notebook, a copy, and the resources, changed in place.
        """
        # a copy, with question marks for unpaired surrogates, which cannot be written to a file
        nb = from_dict(json.loads(json.dumps(nb, ensure_ascii=False).encode("utf-8", "replace")))
        sanitize = bool(resources.get("should_sanitize_html"))
        renderer = MarkdownRenderer(
            escape=sanitize,
            allow_harmful_protocols=not sanitize,
            path=resources.get("metadata", {}).get("path"),
        )
        show_widgets(nb)
        literature, embedded, numbers = Literature(nb), Embedded(), count(1)
        for cell in nb.cells:
            if "outputs" in cell:
                cell.outputs = [output for output in cell.outputs if _says_something(output)]
            renderer.attachments = cell.get("attachments", {})
            if cell.cell_type == "markdown":
                cell.source = renderer.render(cell.source)
            for output in cell.get("outputs", []):
                if "data" in output:
                    # under our own name: an output may have any metadata
                    own = NotebookNode(embedded.add(output.data))
                    own["latex"] = output.data.get("text/latex")
                    own["left_out"] = embedded.left_out(output.data)
                    own["pdf"] = pdf_of_figure(output.data)
                    own["record"] = record_of(output.data)
                    if own["record"]:
                        own["outlines"] = outlines(output.data["image/svg+xml"])
                    self._prepare(output, renderer, next(numbers))
                    output.metadata["nbcompare"] = own
        page = self._document(nb, resources)
        page["abstract"] = _abstract(nb, renderer)
        literature.add(embedded)
        literature.render()
        page["contents"] = contents(settle(nb))
        for missing in Labels(tables=not sanitize).label(nb):
            self.log.warning("A link refers to #%s, but no table or figure has that id.", missing)
        figures = Figures()
        figures.draw(nb)
        page["has_figures"] = figures.number > 0
        fold(nb)
        page["results"] = embedded.script()
        page["bibtex"] = script_safe(embedded.bibtex(nb.metadata)) if embedded.results else ""
        methods = embedded.methods()
        page["methods"] = script_safe(methods) if methods else ""
        resources["nbcompare"] = page
        return nb, resources

    def _prepare(self, output: NotebookNode, renderer: MarkdownRenderer, number: int) -> None:
        """Reduce an output to the one representation that is shown, ready for the page."""
        data = output.data
        formulas = renderer.latex(data["text/latex"]) if "text/latex" in data else None
        candidates = [kind for kind in self.display_data_priority if kind in data]
        if formulas is None and not {"text/latex", "text/plain"}.issuperset(candidates):
            # LaTeX that is not mathematics is shown as source; a picture says more than that
            candidates = [kind for kind in candidates if kind != "text/latex"]
        shown = candidates[0] if candidates else "text/plain"

        metadata = output.setdefault("metadata", {})
        if not isinstance(metadata.get(shown), Mapping):
            metadata.pop(shown, None)  # the template reads the width from it
        content = data.get(shown)
        if content is None:
            kinds = ", ".join(sorted(data))
            content = f"[This output can only be shown in the notebook: {kinds}]"
        elif shown == "text/markdown":
            content = renderer.render(content)
        elif shown == "text/latex":
            metadata["is_math"] = formulas is not None
            content = formulas or content
        elif shown == "image/svg+xml":
            content = svg_uri(content)
        elif shown.startswith("image/"):
            content = f"data:{shown};base64,{''.join(str(content).split())}"
        elif shown == "text/html":
            content = own_html.with_classes(renderer.with_images(content))
            metadata.update(layout(content))
        elif shown == "application/javascript":
            metadata["place"] = f"output-{number}"  # the element that the script may fill in
        if shown.startswith("image/"):
            metadata["alt"] = alternative_text(output, shown)
        output.data = {shown: content}

    def _document(self, nb: NotebookNode, resources: Mapping[str, Any]) -> dict[str, Any]:
        """Collect the title, authors and so on of the page, as plain text except the heading."""
        metadata = nb.metadata
        markdown = [cell for cell in nb.cells if cell.cell_type == "markdown"]
        title = _line(metadata.get("title"))
        heading = None
        leading = _LEADING_TITLE.match(markdown[0].source) if markdown else None
        if leading:
            # The title of the notebook moves to the header of the page, before the authors. It may
            # contain mathematics, which a title in the metadata cannot.
            heading = leading[1]
            markdown[0].source = markdown[0].source[leading.end() :]
            title = title or plain(leading[2])
        elif not title and (first := first_title(nb)):
            title = plain(first)
        else:
            title = title or _file_name(resources) or "Notebook"
            heading = f"<h1>{html.escape(title)}</h1>"
        demote(nb, titled=heading is not None)
        language = str(metadata.get("lang") or resources.get("language_code") or "en")
        return {
            "title": title,
            "heading": heading,
            "authors": _authors(metadata.get("authors", [])),
            "date": _line(metadata.get("date")),
            "language": language if _LANGUAGE_TAG.fullmatch(language) else "en",
            "origin": _origin(metadata.get("nbcompare")),
        }


def fold(nb: NotebookNode) -> None:
    """Say of each cell whether a fold begins before it, and whether one ends after it.

    Cells in a row with the same text in their metadata are folded together, and the template writes
    that text where they are folded. Metadata of a cell that the template reads are replaced,
    whoever wrote them.
    """
    texts = [_folded_as(cell) for cell in nb.cells]
    for cell, (before, here), after in zip(
        nb.cells, pairwise(["", *texts]), [*texts, ""][1:], strict=True
    ):
        cell.metadata["nbcompare_begins"] = here if here != before else ""
        cell.metadata["nbcompare_ends"] = bool(here) and here != after


def _folded_as(cell: NotebookNode) -> str:
    found = cell.metadata.get(FOLD)
    shown = cell.cell_type != "raw" and (cell.source.strip() or cell.get("outputs"))
    return found if isinstance(found, str) and shown else ""


def _file_name(resources: Mapping[str, Any]) -> str:
    """Return the name of the notebook's file as words; empty without one."""
    return _line(str(resources.get("metadata", {}).get("name") or "").replace("_", " "))


def _says_something(output: NotebookNode) -> bool:
    """Leave out what a page cannot show, and return whether anything is left.

    These are warnings of Python, and figures whose program is on the network.
    """
    if "data" in output:
        for kind, content in output.data.items():
            if isinstance(content, list) and not kind.endswith("json"):
                output.data[kind] = "".join(content)  # files keep text as lists of lines
        return show_picture(output)
    if output.output_type != "stream" or output.get("name") != "stderr":
        return True
    before = "".join(output.text)
    output.text = without_warnings(before)
    return output.text == before or bool(output.text.strip())


def _line(text: object) -> str:
    """Put a text of the metadata on one line; no font has a tab."""
    return " ".join(str(text or "").split())


def _abstract(nb: NotebookNode, renderer: MarkdownRenderer) -> str:
    """Render the abstract of the metadata, which is Markdown."""
    abstract = nb.metadata.get("abstract")
    if isinstance(abstract, list):  # notebooks keep text as lists of lines
        abstract = "".join(map(str, abstract))
    if not isinstance(abstract, str) or not abstract.strip():
        return ""
    renderer.attachments = {}
    return renderer.render(abstract)


def _authors(authors: list[Any]) -> list[str]:
    """Read the names of the authors; Jupyter prescribes a list, but not of what."""
    names = [a.get("name") if isinstance(a, Mapping) else a for a in authors]
    return [_line(name) for name in names if isinstance(name, str) and name.strip()]


def _origin(report: object) -> str:
    if not isinstance(report, Mapping) or "version" not in report:
        return f"Exported with nbcompare {__version__}"
    made = [f"Made with nbcompare {report['version']}"]
    for what, key in (("data", "fingerprint"), ("histories", "histories_fingerprint")):
        if report.get(key):
            made.append(f"{what} fingerprint {short_fingerprint(str(report[key]))}")
    return " · ".join(made)
