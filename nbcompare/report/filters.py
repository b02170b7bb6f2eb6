"""What turns a notebook into the content of a page, whichever exporter fills the template.

The template names `ReportPreprocessor` in its ``conf.json``, so nbconvert's own HTML exporter
runs it as well as nbcompare's. It leaves a copy of the notebook in which Markdown and LaTeX are
HTML, every output has the one representation that a page shows best, and images carry their
alternative text; what the template needs to know about the document is in
``resources["nbcompare"]``.
"""

import base64
import html
import mimetypes
import re
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from traitlets import List, Unicode

from nbcompare._version import __version__
from nbcompare.report import contents, mathml
from nbcompare.report.captions import Labels
from nbcompare.report.contents import plain as _plain
from nbcompare.report.literature import Literature
from nbcompare.report.payload import Embedded, script_safe
from nbcompare.report.snapshot import show_widgets, widget_state
from nbcompare.report.widths import layout

__all__ = ["MarkdownRenderer", "ReportPreprocessor", "alternative_text", "scrollable", "svg_uri"]

_IMAGE_TAG_SOURCE = re.compile(r"""(<img\b[^>]*?\bsrc\s*=\s*)(["'])(.*?)\2""", re.IGNORECASE)
_LEADING_TITLE = re.compile(r"\s*(<h1\b[^>]*>(.*?)</h1>)\s*", re.DOTALL | re.IGNORECASE)
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


def scrollable(content: str, label: str, *, css_class: str = "scroll") -> str:
    """Give content that may be wider than the page a container that scrolls.

    Parameters
    ----------
    content : str
        HTML.
    label : str
        What a screen reader calls the container.
    css_class : str
        Its class.

    Returns
    -------
    str
        HTML. The container takes the focus: without it a keyboard could not scroll.
    """
    name = html.escape(label)
    return f'<div class="{css_class}" role="group" aria-label="{name}" tabindex="0">{content}</div>'


def svg_uri(svg: str) -> str:
    """Encode an SVG drawing as a ``data:`` URI.

    Parameters
    ----------
    svg : str
        The drawing's markup.

    Returns
    -------
    str
        The URI. As an image, a drawing keeps its ids to itself: two figures on a page cannot
        refer to each other's clip paths.
    """
    svg = _XML_DECLARATION.sub("", svg)  # it may name another encoding than the one written here
    if "xmlns=" not in svg:  # HTML does without, an image does not
        svg = svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def alternative_text(output: Mapping[str, Any], mime_type: str) -> str:
    """Say in words what an image output shows.

    Parameters
    ----------
    output : mapping
        A ``display_data`` or ``execute_result`` output.
    mime_type : str
        The image's type.

    Returns
    -------
    str
        The ``alt`` of the output's metadata, else its plain text, else "Figure". Not escaped.

    Examples
    --------
    >>> alternative_text({"data": {"text/plain": "<Figure size 640x480>"}}, "image/png")
    'Figure'
    """
    metadata = output.get("metadata") or {}
    own = metadata.get(mime_type)
    for candidate in (own.get("alt") if isinstance(own, Mapping) else None, metadata.get("alt")):
        if isinstance(candidate, str) and candidate.strip():
            return candidate.strip()
    text = str(output.get("data", {}).get("text/plain", "")).strip()
    return "Figure" if not text or text.startswith("<") else text


class MarkdownRenderer(IPythonRenderer):
    """Markdown as nbconvert reads it, with MathML, and images that are part of the page.

    Parameters
    ----------
    **options
        As for `nbconvert.filters.markdown_mistune.IPythonRenderer`.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._used_ids: dict[str, int] = {}

    def inline_math(self, body: str) -> str:
        """``$…$``."""
        return mathml.formula(body)

    def block_math(self, body: str) -> str:
        """``$$…$$``."""
        return mathml.formula(body, display=True)

    def latex_environment(self, name: str, body: str) -> str:
        r"""``\begin{…}…\end{…}``."""
        return mathml.environment(name, body)

    def heading(self, text: str, level: int, **attrs: Any) -> str:  # noqa: ARG002 mistune's
        """Give a heading an id of its own, though another may read the same."""
        name = quote(_plain(text).replace(" ", "-"), safe="?/:@!$&'()*+,;=")
        number = self._used_ids[name] = self._used_ids.get(name, 0) + 1
        name = name if number == 1 else f"{name}-{number}"
        return f'<h{level} id="{html.escape(name)}">{text}</h{level}>\n'

    def block_code(self, code: str, info: str | None = None) -> str:
        """Let a fenced block that is wider than the page scroll."""
        return scrollable(super().block_code(code, info), "Code", css_class="source")

    def block_mermaidjs(self, code: str) -> str:
        """Show the source of a diagram: nothing on the page could draw it."""
        return f"<pre>{html.escape(code)}</pre>"

    def table(self, text: str) -> str:
        """Let a table that is wider than the page scroll."""
        return scrollable(f"<table>\n{text}</table>", "Table") + "\n"

    def task_list_item(self, text: str, checked: bool = False) -> str:
        """Name the checkbox of a task by the task."""
        state = " checked" if checked else ""
        return (
            f'<li class="task"><label><input type="checkbox" disabled{state}> {text}</label></li>\n'
        )

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Embed an image; link to one that cannot be, because the page loads nothing."""
        embedded = self._embedded(url)
        if embedded is None:
            name = _plain(text) or "image"
            return f'<a href="{self.safe_url(url)}">{html.escape(name)} ({html.escape(url)})</a>'
        caption = f' title="{html.escape(title)}"' if title else ""
        alt = html.escape(_plain(text) or "Figure")
        return f'<img src="{html.escape(embedded)}" alt="{alt}"{caption}>'

    def block_html(self, html: str) -> str:
        """Embed the images of literal HTML, and leave the rest as it is."""
        return super().block_html(self._with_images(html))

    def inline_html(self, html: str) -> str:
        """Embed the images of literal HTML, and leave the rest as it is."""
        return super().inline_html(self._with_images(html))

    def _with_images(self, markup: str) -> str:
        def embed(match: re.Match[str]) -> str:
            tag, quotation, url = match.groups()
            uri = self._embedded(html.unescape(url))
            return f"{tag}{quotation}{html.escape(uri or html.unescape(url))}{quotation}"

        return _IMAGE_TAG_SOURCE.sub(embed, markup)

    def _embedded(self, url: str) -> str | None:
        """Encode an image as a ``data:`` URI: an attachment, or a file next to the notebook."""
        if url.startswith("data:"):
            return url
        if url.startswith("attachment:"):
            name = url.removeprefix("attachment:")
            bundle = self.attachments.get(name) or self.attachments.get(unquote(name)) or {}
            # vector over raster, and lossless over lossy
            for mime_type in ("image/svg+xml", "image/png", "image/jpeg", *bundle):
                if mime_type in bundle:
                    return f"data:{mime_type};base64,{bundle[mime_type]}"
            return None
        folder = Path(self.path).resolve()
        file = (folder / unquote(url)).resolve()
        mime_type = mimetypes.guess_type(file.name)[0] or ""
        # a notebook from elsewhere must not carry off what lies outside its own folder
        if not (mime_type.startswith("image/") and file.is_relative_to(folder) and file.is_file()):
            return None
        return f"data:{mime_type};base64,{base64.b64encode(file.read_bytes()).decode()}"


class ReportPreprocessor(Preprocessor):
    """Bring a notebook into the form that the template ``nbcompare`` lays out."""

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
        help="The representation of an output that the page shows: the first one it has.",
    ).tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Render every cell, then settle the page's title and the levels of its headings.

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
        sanitize = bool(resources.get("should_sanitize_html"))
        renderer = MarkdownRenderer(
            escape=sanitize,
            allow_harmful_protocols=not sanitize,
            path=resources.get("metadata", {}).get("path", ""),
        )
        state = widget_state(nb)
        show_widgets(nb, state)
        literature, embedded, numbers = Literature(nb), Embedded(), count(1)
        for cell in nb.cells:
            renderer.attachments = cell.get("attachments", {})
            if cell.cell_type == "markdown":
                cell.source = MarkdownWithMath(renderer=renderer).render(cell.source)
            for output in cell.get("outputs", []):
                if "data" in output:
                    # under a name of our own: an output may bring any metadata
                    own = NotebookNode(embedded.add(output.data))
                    own["latex"] = output.data.get("text/latex")
                    self._prepare(output, renderer, next(numbers))
                    output.metadata["nbcompare"] = own
        page = self._document(nb, resources)
        page["abstract"] = _abstract(nb, renderer)
        literature.add(embedded.results.values())
        literature.render()
        page["contents"] = contents.contents(contents.settle(nb))
        for missing in Labels(tables=not sanitize).label(nb):
            self.log.warning("No table or figure is called #%s, to which a link leads.", missing)
        page["results"] = embedded.script()
        page["widgets"] = script_safe({"state": state}) if state else ""
        resources["nbcompare"] = page
        return nb, resources

    def _prepare(self, output: NotebookNode, renderer: MarkdownRenderer, number: int) -> None:
        """Leave an output the one representation that is shown, ready to be put in the page."""
        data = output.data
        formulas = mathml.latex_output(data["text/latex"]) if "text/latex" in data else None
        candidates = [kind for kind in self.display_data_priority if kind in data]
        if formulas is None and not {"text/latex", "text/plain"}.issuperset(candidates):
            # LaTeX that is no mathematics is shown as source: a picture says more than that
            candidates = [kind for kind in candidates if kind != "text/latex"]
        shown = candidates[0] if candidates else "text/plain"

        metadata = output.setdefault("metadata", {})
        content = data.get(shown)
        if content is None:
            kinds = ", ".join(sorted(data))
            content = f"[This output can be shown in the notebook only: {kinds}]"
        elif shown == "text/markdown":
            content = MarkdownWithMath(renderer=renderer).render(content)
        elif shown == "text/latex":
            metadata["is_math"] = formulas is not None
            content = formulas or content
        elif shown == "image/svg+xml":
            content = svg_uri(content)
        elif shown.startswith("image/"):
            content = f"data:{shown};base64,{''.join(str(content).split())}"
        elif shown == "text/html":
            metadata["css_class"], metadata["fit"] = layout(content)
        elif shown == "application/javascript":
            metadata["place"] = f"output-{number}"  # the element that the script may fill
        if shown.startswith("image/"):
            metadata["alt"] = alternative_text(output, shown)
        output.data = {shown: content}

    def _document(self, nb: NotebookNode, resources: Mapping[str, Any]) -> dict[str, Any]:
        """Collect what the page says about itself, as plain text but for the heading."""
        metadata = nb.metadata
        markdown = [cell for cell in nb.cells if cell.cell_type == "markdown"]
        title = str(metadata.get("title") or "").strip()
        heading = None
        if markdown and (leading := _LEADING_TITLE.match(markdown[0].source)):
            # The notebook's own title moves to the page's header, before the authors. It may hold
            # mathematics, which a title in the metadata cannot.
            heading = leading[1]
            markdown[0].source = markdown[0].source[leading.end() :]
            title = title or _plain(leading[2])
        elif not title and (first := contents.first_title(nb)):
            title = _plain(first)
        else:
            title = title or str(resources.get("metadata", {}).get("name") or "Notebook")
            heading = f"<h1>{html.escape(title)}</h1>"
        contents.demote(nb, titled=heading is not None)
        language = str(metadata.get("lang") or resources.get("language_code") or "en")
        return {
            "title": title,
            "heading": heading,
            "authors": _authors(metadata.get("authors", [])),
            "date": str(metadata.get("date") or ""),
            "language": language if _LANGUAGE_TAG.fullmatch(language) else "en",
            "origin": _origin(metadata.get("nbcompare")),
        }


def _abstract(nb: NotebookNode, renderer: MarkdownRenderer) -> str:
    """Render the abstract of the metadata, which is Markdown."""
    abstract = nb.metadata.get("abstract")
    if isinstance(abstract, list):  # lines, as notebooks keep text
        abstract = "".join(map(str, abstract))
    if not isinstance(abstract, str) or not abstract.strip():
        return ""
    renderer.attachments = {}
    return str(MarkdownWithMath(renderer=renderer).render(abstract))


def _authors(authors: list[Any]) -> list[str]:
    """Read ``authors``: Jupyter says it is a list, and not of what."""
    names = [a.get("name") if isinstance(a, Mapping) else a for a in authors]
    return [name for name in names if isinstance(name, str) and name.strip()]


def _origin(report: object) -> str:
    if not isinstance(report, Mapping) or "version" not in report:
        return f"Exported with nbcompare {__version__}"
    made = [f"Made with nbcompare {report['version']}"]
    for what, key in (("data", "fingerprint"), ("histories", "histories_fingerprint")):
        if report.get(key):
            made.append(f"{what} fingerprint {report[key]}")
    return " · ".join(made)
