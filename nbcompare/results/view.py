"""A part of a result, displayed by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nbcompare._render import Part
from nbcompare._validation import check_choice
from nbcompare.results._exports import ForPapers

if TYPE_CHECKING:
    from nbcompare.results._result import Result


@dataclass(frozen=True, slots=True, repr=False)
class View(ForPapers):
    """Some parts of a result: one table, or its sentences."""

    name: str
    parts: tuple[Part, ...]
    result: Result

    def __repr__(self) -> str:
        return f"<View: {self.name}>"

    def _for_paper(self, section: str | None) -> tuple[Part, ...]:
        if section is not None:
            check_choice(section, "section", (self.name,))
        return self.parts

    def _parts(self) -> tuple[Part, ...]:
        return self.parts

    def _documents(self) -> dict[str, Any]:
        return self.result._document_of(self.name)
