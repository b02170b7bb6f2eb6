"""Results that are embedded in the page, once each, for whoever wants to check or reuse them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from nbcompare.results._json import MIME_TYPE

__all__ = ["Embedded", "payload", "script_safe"]


def payload(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What an output carries of the result that it shows, if it does."""
    known = data.get(MIME_TYPE)
    if not isinstance(known, Mapping) or not isinstance(known.get("digest"), str):
        return None
    return known


def script_safe(content: object) -> str:
    r"""JSON that may stand in a ``<script>``: nothing in it can end the element.

    Examples
    --------
    >>> script_safe({"name": "</script>"})
    '{"name":"\\u003c/script>"}'
    """
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", r"\u003c")


class Embedded:
    """Collects results as the outputs that show them come by."""

    def __init__(self) -> None:
        self.results: dict[str, Any] = {}

    def add(self, data: Mapping[str, Any]) -> dict[str, str]:
        """Keep the result of an output.

        Returns
        -------
        dict
            ``digest`` and ``section`` to mark the output with, or nothing.
        """
        known = payload(data)
        if known is None or "result" not in known:
            return {}
        digest = str(known["digest"])
        self.results.setdefault(digest, known["result"])
        return {"digest": digest, "section": str(known.get("section") or "")}

    def script(self) -> str:
        """All results as JSON, by digest; empty if there are none."""
        return script_safe(self.results) if self.results else ""
