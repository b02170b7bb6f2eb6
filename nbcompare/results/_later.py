"""Fields of results that are computed when they are first looked at."""

from __future__ import annotations

from typing import Any, Protocol


class LooksLater(Protocol):
    """A result that knows how to compute such a field."""

    def _look_at(self, name: str) -> Any:
        """Compute the field, keep it in the ``__dict__``, and return it."""


class WhenLookedAt:
    """A field that is computed when it is first looked at.

    A value that was given or computed stands in the ``__dict__`` of the result, where it is found
    first.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, result: LooksLater | None, owner: type) -> Any:
        return None if result is None else result._look_at(self._name)  # noqa: SLF001 - of results
