"""The questions that data can answer, and what to type, for the page that leads to a call."""

from __future__ import annotations

from collections.abc import Iterator

import ways
from bibliography import citation
from markup import code, heading, plain

from nbcompare.words import CHOICES, QUESTIONS, Question, choices_in

# On one data set, on items, and of repeated runs: parts of their own
_ELSEWHERE = (
    "one-data-set",
    "one-data-set-runs",
    "one-data-set-equivalence",
    "items",
    "runs",
    "typical-run",
)


def questions(*names: str) -> str:
    """Return sections on questions: those named, those of histories, or all others of scores."""
    if not names:
        found = [it for it in QUESTIONS.values() if it.of == "experiment"]
        names = tuple(it.name for it in found if it.name not in _ELSEWHERE)
    elif names == ("histories",):
        names = tuple(it.name for it in QUESTIONS.values() if it.of == "histories")
    return "\n\n".join(part for name in names for part in _question(QUESTIONS[name]))


def _question(question: Question) -> Iterator[str]:
    yield heading(f"question-{question.name}", plain(question.asks), level=3)
    about = f"It needs {question.applies}. {question.text}"
    yield f"{plain(about)} ({citation(question.source)})"
    builder = ways.builder_of(question.call)
    yield ways.Ways(question.call, question.magic, question.command, builder).table()
    words = choices_in([question.call, question.command, question.magic])
    if words:
        yield " ".join(f"{code(word)}: {plain(CHOICES[word])}." for word in words)
