"""Render Markdown as HTML for a page that loads nothing."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, unquote

from mistune.plugins import import_plugin
from mistune.plugins.footnotes import REF_FOOTNOTE
from mistune.util import unikey
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from nbcompare._render.letters import BDI, isolated
from nbcompare.report.page import mathml
from nbcompare.report.page.headings import plain
from nbcompare.report.page.outputs import file_uri

__all__ = ["MarkdownRenderer", "scrollable"]

_IMAGE_TAG_SOURCE = re.compile(
    r"""(<img\b[^<>]*?\ssrc\s*=\s*)(?:(["'])(.*?)\2|([^\s"'>]+))""", re.IGNORECASE
)

_NOTE = re.compile(REF_FOOTNOTE, re.MULTILINE)


def scrollable(content: str, label: str, *, css_class: str = "scroll") -> str:
    """Put content that may be wider than the page into a container that scrolls.

    Parameters
    ----------
    content : str
        HTML.
    label : str
        The name of the container for screen readers.
    css_class : str
        The class of the container.

    Returns
    -------
    str
        HTML. The container can be focused, so that it can be scrolled with the keyboard.
    """
    name = html.escape(label)
    return f'<div class="{css_class}" role="group" aria-label="{name}" tabindex="0">{content}</div>'


class MarkdownRenderer(IPythonRenderer):
    """A renderer of Markdown as nbconvert reads it, with MathML and embedded images.

    Parameters
    ----------
    path : str, optional
        The folder of the notebook, the only one from which images are read; without it none is
        read.
    **options
        Options of `nbconvert.filters.markdown_mistune.IPythonRenderer`.
    """

    def __init__(self, *, path: str | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._folder = path
        self._macros = mathml.Macros()
        self._used_ids: dict[str, int] = {}
        self._notes: dict[str, str] = {}  # of the whole notebook
        self._notes_before = 0
        self._referring: set[int] = set()

    def collect_notes(self, sources: Iterable[str]) -> None:
        """Read the footnotes of all cells: a note may stand in another cell than its mark."""
        for source in sources:
            for note in _NOTE.finditer(f"{source}\n"):
                self._notes.setdefault(unikey(note["footnote_key"]), note["footnote_text"])

    def render(self, source: str) -> str:
        """Render Markdown as nbconvert does, with its footnotes at its end."""
        plugins = [import_plugin(name) for name in (*MarkdownWithMath.DEFAULT_PLUGINS, "footnotes")]
        markdown = MarkdownWithMath(renderer=self, plugins=plugins)
        state = markdown.block.state_cls()
        own = {unikey(note["footnote_key"]) for note in _NOTE.finditer(f"{source}\n")}
        state.env["ref_footnotes"] = {k: text for k, text in self._notes.items() if k not in own}
        return str(markdown.parse(source, state)[0])

    def footnote_ref(self, key: str, index: int) -> str:  # noqa: ARG002 mistune's
        """Write the mark of a footnote; numbers run through the notebook."""
        number = self._notes_before + index
        identity = "" if number in self._referring else f' id="fnref-{number}"'
        self._referring.add(number)
        name = f'aria-label="Note {number}"'
        return f'<sup{identity}><a href="#fn-{number}" {name}>{number}</a></sup>'

    def footnote_item(self, text: str, key: str, index: int) -> str:  # noqa: ARG002 mistune's
        """Write a footnote, with a link back to its mark."""
        number = self._notes_before + index
        name = f'aria-label="Back to the mark of note {number}"'
        back = f' <a class="note-back" href="#fnref-{number}" {name}>↩</a>'
        text = text.rstrip().removesuffix("</p>")
        return f'<li id="fn-{number}">{text}{back}</p></li>\n'

    def footnotes(self, text: str) -> str:
        """Write the footnotes of a cell below it."""
        first = self._notes_before + 1
        self._notes_before += text.count('<li id="fn-')
        start = f'<section class="footnotes" aria-label="Notes">\n<ol start="{first}">\n'
        return f"{start}{text}</ol>\n</section>\n"

    def text(self, text: str) -> str:
        """Write text, in which Arabic and Hebrew names are isolated."""
        return isolated(super().text(text), marks=BDI)

    def inline_math(self, body: str) -> str:
        """Render ``$…$``."""
        return mathml.formula(self._macros.expand(body))

    def block_math(self, body: str) -> str:
        """Render ``$$…$$``."""
        return mathml.formula(self._macros.expand(body), display=True)

    def latex_environment(self, name: str, body: str) -> str:
        r"""Render ``\begin{…}…\end{…}``."""
        return mathml.environment(name, self._macros.expand(body))

    def heading(self, text: str, level: int, **attrs: Any) -> str:  # noqa: ARG002 mistune's
        """Give a heading a unique id, even if another one has the same text."""
        name = quote(plain(text).replace(" ", "-"), safe="?/:@!$&'()*+,;=")
        number = self._used_ids[name] = self._used_ids.get(name, 0) + 1
        name = name if number == 1 else f"{name}-{number}"
        return f'<h{level} id="{html.escape(name)}">{text}</h{level}>\n'

    def block_code(self, code: str, info: str | None = None) -> str:
        """Put a fenced block, which may be wider than the page, into a container that scrolls."""
        return scrollable(super().block_code(code, info), "Code", css_class="source")

    def block_mermaidjs(self, code: str) -> str:
        """Show the source of a diagram, which the page cannot draw."""
        return f"<pre>{html.escape(code)}</pre>"

    def table(self, text: str) -> str:
        """Put a table, which may be wider than the page, into a container that scrolls."""
        return scrollable(f"<table>\n{text}</table>", "Table") + "\n"

    def task_list_item(self, text: str, checked: bool = False) -> str:
        """Label the checkbox of a task with the task."""
        state = " checked" if checked else ""
        return (
            f'<li class="task"><label><input type="checkbox" disabled{state}> {text}</label></li>\n'
        )

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Embed an image; link to one that cannot be embedded, because the page loads nothing."""
        embedded = self._embedded(url)
        if embedded is None:
            name = plain(text) or "image"
            return f'<a href="{self.safe_url(url)}">{html.escape(name)} ({html.escape(url)})</a>'
        caption = f' title="{html.escape(title)}"' if title else ""
        alt = html.escape(plain(text) or "Figure")
        return f'<img src="{html.escape(embedded)}" alt="{alt}"{caption}>'

    def block_html(self, html: str) -> str:
        """Embed the images of literal HTML, and leave the rest unchanged."""
        return super().block_html(self.with_images(html))

    def inline_html(self, html: str) -> str:
        """Embed the images of literal HTML, and leave the rest unchanged."""
        return super().inline_html(self.with_images(html))

    def with_images(self, markup: str) -> str:
        """Embed the images of HTML where that is possible, and leave the rest unchanged."""

        def embed(match: re.Match[str]) -> str:
            tag, quotation, quoted, bare = match.groups()
            url = html.unescape(quoted or bare or "")
            uri = self._embedded(url)
            if uri is None or uri == url:
                return match[0]
            quotation = quotation or '"'
            return f"{tag}{quotation}{html.escape(uri)}{quotation}"

        return _IMAGE_TAG_SOURCE.sub(embed, markup)

    def _embedded(self, url: str) -> str | None:
        """Encode an image as a ``data:`` URI: an attachment, or a file beside the notebook."""
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
        return file_uri(url, self._folder)
