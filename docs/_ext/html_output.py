"""What Sphinx and its theme would write otherwise: formulas, and controls without a name.

Formulas are MathML, by the converter of the report, so that pages need no script for them. A list
of pages that can be folded has a button with an arrow alone, of which those who do not see it hear
nothing; it gets the name of the page above the list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from nbcompare.report.page.markdown import formula

_LOG = logging.getLogger(__name__)


def converted(node: nodes.Element, *, display: bool) -> str:
    """Return the formula of a node as MathML, and warn of one that is not understood."""
    tex = node.astext()
    markup = formula(tex, display=display)
    if "<math" not in markup:
        _LOG.warning("this formula cannot be written as MathML: %s", tex, location=node)
    return markup


def _inline(translator: Any, node: nodes.Element) -> None:
    translator.body.append(converted(node, display=False))
    raise nodes.SkipNode


def _block(translator: Any, node: nodes.Element) -> None:
    names = node.get("ids") or [node["label"]] if node.get("label") else node.get("ids", [])
    anchor = f' id="{names[0]}"' if names else ""
    number = f'<span class="eqno">({node["number"]})</span>' if node.get("number") else ""
    markup = converted(node, display=True)
    translator.body.append(f'<div class="math"{anchor}>{markup}{number}</div>\n')
    raise nodes.SkipNode


def named(made: str) -> BeautifulSoup:
    """Return a list of pages in which each control to unfold others has a name."""
    soup = BeautifulSoup(made, "html.parser")
    for summary in soup.find_all("summary"):
        if not summary.get_text(strip=True):
            link = summary.find_parent("li").find("a")
            summary["aria-label"] = f"Pages of {link.get_text(strip=True)}"
    return soup


def _name_controls(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object
) -> None:
    made: Callable[..., object] | None = context.get("generate_toctree_html")
    if made is not None:
        context["generate_toctree_html"] = lambda *given, **more: named(str(made(*given, **more)))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer, which ``html_math_renderer`` names, and name the controls.

    That is done after the theme has made its functions.
    """
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect("html-page-context", _name_controls, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
