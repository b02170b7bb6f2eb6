"""The index of the statistics reference, made from its pages and the records of words."""

from __future__ import annotations

import bibliography
import markup
from method_pages import GROUPS, Page, labels_of_words, pages


def page() -> str:
    """Return a section for each group of pages, with a table of its methods."""
    return "\n\n".join(_section(group) for group in GROUPS)


def _section(group: str) -> str:
    found = pages(group)
    methods = markup.table(("method", "question", "exact up to", "source"), map(_row, found))
    contents = "\n".join([":::{toctree}", ":hidden:", *(one.name for one in found), ":::"])
    return f"## {group}\n\n{methods}\n\n{contents}"


def _row(one: Page) -> tuple[str, ...]:
    cites = labels_of_words()
    labels = {title: label for label, title in reversed(one.titles.items())}
    links = [f"[{title}](#stat-{label})" for title, label in reversed(labels.items())]
    keys = [key for label in one.titles for key in cites.get(label, ())]
    sources = [bibliography.citation(key) for key in dict.fromkeys([*keys, *one.cites])]
    return ", ".join(links), one.question, one.exact, "; ".join(sources)
