"""Formulas as MathML, by the converter of the report, so that pages need no script for them."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from nbcompare.report.page.mathml import formula

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


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer, which ``html_math_renderer`` names."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
