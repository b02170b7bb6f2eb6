"""The interface of a typesetter: each piece of a page, made of pieces already written."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence

from nbcompare.report.paper.code import Line
from nbcompare.report.paper.grid import Fit, Grid
from nbcompare.report.paper.pictures import Picture
from nbcompare.report.paper.tree import Node

__all__ = ["Typesetter"]

_LONG_WORD = re.compile(r"\S{15,}")
_PIECE = re.compile(r"[^\W_]{1,14}[\W_]{0,2}|[\W_]{1,3}")


class Typesetter(ABC):
    """A writer of pieces of a page as markup.

    Attributes
    ----------
    cut : str
        Markup for a place at which a word may be broken.
    """

    cut: str

    @abstractmethod
    def escape(self, text: str) -> str:
        """Escape markup in text."""

    def text(self, text: str) -> str:
        """Write text; a long word may be broken, without a hyphen."""
        pieces = []
        end = 0
        for word in _LONG_WORD.finditer(text):
            pieces.append(self.escape(text[end : word.start()]))
            pieces.append(self.cut.join(map(self.escape, _PIECE.findall(word[0]))))
            end = word.end()
        return "".join([*pieces, self.escape(text[end:])])

    @abstractmethod
    def styled(self, style: str, content: str) -> str:
        """Write text that is strong, emphasised, underlined, struck out, raised or lowered."""

    @abstractmethod
    def inline_code(self, text: str) -> str:
        """Write code within a line."""

    @abstractmethod
    def line_break(self) -> str:
        """Write the end of a line."""

    @abstractmethod
    def checkbox(self, *, checked: bool) -> str:
        """Write the box before a task."""

    @abstractmethod
    def link(self, target: str, content: str) -> str:
        """Write a link to another place."""

    @abstractmethod
    def reference(self, identity: str, content: str) -> str:
        """Write a link to a place in this document."""

    @abstractmethod
    def formula(self, tex: str, *, display: bool, doubtful: bool = False) -> str:
        """Write a formula; a ``doubtful`` one may not be a formula."""

    @abstractmethod
    def inline_picture(self, found: Picture, alt: str) -> str:
        """Write a small picture within a line."""

    @abstractmethod
    def contents(self) -> str:
        """Write a short table of contents."""

    @abstractmethod
    def start(self) -> str:
        """Write the mark before what is kept on one page with the picture that follows."""

    @abstractmethod
    def block_picture(self, found: Picture, alt: str) -> str:
        """Write a picture in a paragraph of its own."""

    @abstractmethod
    def figure(self, found: Picture, alt: str, identity: str, number: str, caption: str) -> str:
        """Write a picture with its number and caption."""

    @abstractmethod
    def paragraph(self, content: str) -> str:
        """Write a paragraph."""

    @abstractmethod
    def heading(self, level: int, identity: str, content: str) -> str:
        """Write a heading."""

    @abstractmethod
    def listing(self, items: Sequence[str], first: int | None) -> str:
        """Write a list, numbered if there is a first number."""

    @abstractmethod
    def quote(self, content: str) -> str:
        """Write a quotation."""

    @abstractmethod
    def rule(self) -> str:
        """Write a horizontal rule."""

    @abstractmethod
    def introduction(self, content: str) -> str:
        """Write a paragraph that is kept with what follows."""

    @abstractmethod
    def lines(self, lines: Sequence[Line], kind: str, *, introduces: bool = False) -> str:
        """Write code or printed output."""

    @abstractmethod
    def table(
        self,
        table: Grid,
        contents: dict[Node, str],
        fitted: Fit,
        label: tuple[str, str, str],
    ) -> str:
        """Write a table; the label is its id, its number and its caption."""
