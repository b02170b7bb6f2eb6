"""A part of a result, displayed by itself."""

from __future__ import annotations

from dataclasses import dataclass

from nbcompare._render import Part, Rich


@dataclass(frozen=True, slots=True, repr=False)
class View(Rich):
    """Some parts of a result: one table, or its sentences."""

    name: str
    parts: tuple[Part, ...]

    def __repr__(self) -> str:
        return f"<View: {self.name}>"

    def _parts(self) -> tuple[Part, ...]:
        return self.parts
