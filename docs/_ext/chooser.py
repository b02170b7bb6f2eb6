"""The questions that data can answer, and what to type, for the page that leads to a call."""

from __future__ import annotations

from collections.abc import Iterator

import ways
from bibliography import citation
from markup import code, heading, plain

from nbcompare.words import CHOICES, QUESTIONS, Question, choices_in


def questions(*names: str) -> str:
    """Return sections on questions by their names."""
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
