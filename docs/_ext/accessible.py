"""Names for the controls of the sidebar, which the theme leaves without one.

A list of pages that can be folded has a button with an arrow alone; those who do not see it hear
nothing. It gets the name of the page above the list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bs4 import BeautifulSoup
from sphinx.application import Sphinx


def named(made: str) -> BeautifulSoup:
    """Return a list of pages in which each control to unfold others has a name."""
    soup = BeautifulSoup(made, "html.parser")
    for summary in soup.find_all("summary"):
        if not summary.get_text(strip=True):
            link = summary.find_parent("li").find("a")
            summary["aria-label"] = f"Pages of {link.get_text(strip=True)}"
    return soup


def _page(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> None:
    made: Callable[..., object] | None = context.get("generate_toctree_html")
    if made is not None:
        context["generate_toctree_html"] = lambda *given, **more: named(str(made(*given, **more)))


def setup(app: Sphinx) -> dict[str, bool]:
    """Name the controls after the theme has made its functions."""
    app.connect("html-page-context", _page, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
