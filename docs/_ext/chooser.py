"""The page that leads from what one has to the right call, from the rules of ``recommend``."""

from __future__ import annotations

from nbcompare.words import QUESTIONS


def markdown() -> str:
    """Return the questions with what answers each."""
    parts = []
    for question in QUESTIONS.values():
        parts += [
            f"## {question.asks}",
            f"For {question.applies}. {question.text}",
            f"```python\n{question.call}\n```",
        ]
        if question.magic:
            parts.append(f"In a notebook: `{question.magic}`")
        if question.command:
            parts.append(f"In a shell: `{question.command}`")
    return "\n\n".join(parts)
