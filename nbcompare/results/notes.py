"""Notes on the limits of a result, whose texts stand in ``words/notes.md``."""

from __future__ import annotations

from collections.abc import Sized
from string import Formatter
from typing import Any

from nbcompare._render import Note, plural
from nbcompare.words import text_of_note


class _Grammar(Formatter):
    """Format counts in sentences: ``{n:#score}`` with a noun, ``{n:is|are}`` for the verb."""

    def format_field(self, value: Any, format_spec: str) -> str:
        count = len(value) if isinstance(value, Sized) else value
        if format_spec.startswith("#"):
            return plural(count, format_spec[1:])
        if "|" in format_spec:
            return format_spec.split("|")[0 if count == 1 else 1]
        return str(format(value, format_spec))


_GRAMMAR = _Grammar()


def note(key: str, /, *, code: str = "", **facts: Any) -> Note:
    """Return a note by the name of its text, with the facts that the text mentions.

    A name is the code of the note for programs; where several texts have one code, it is followed
    by a slash and what they differ in. Another ``code`` may be given.
    """
    text = _GRAMMAR.vformat(text_of_note(key), (), facts)
    return Note(code or key.partition("/")[0], text)
