"""The mixin that makes an object display itself in a notebook, a terminal, a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nbcompare._render import html, latex, markdown, text, typst
from nbcompare._render.parts import Part


class Rich:
    """Displays ``_parts()``: a MIME bundle for Jupyter, a table for ``str()``."""

    __slots__ = ()

    def _parts(self) -> Sequence[Part]:
        """What the object shows."""
        raise TypeError(f"{type(self).__name__} does not say what it shows")

    def __str__(self) -> str:
        return text.render(self._parts())

    def _documents(self) -> dict[str, Any]:
        """What else goes into the bundle, for programs to read: JSON by MIME type."""
        return {}

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:  # Jupyter passes include, exclude
        parts = self._parts()
        return {
            "text/plain": text.render(parts),
            "text/html": html.render(parts),
            "text/markdown": markdown.render(parts),
            "text/latex": latex.render_display(parts),
            "text/x-typst": typst.render(parts),
            **self._documents(),
        }
