"""Sentences of facts: texts stand in ``words``, and a result hands over what they mention."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Sized
from inspect import isfunction
from string import Formatter
from typing import TYPE_CHECKING, Any

from nbcompare._render import Note, plural
from nbcompare.results._methods import Cited, computed, missing, scored
from nbcompare.results.wording import counted
from nbcompare.words import text_of_note, texts_on_methods

if TYPE_CHECKING:
    from nbcompare.results._result import Result

# Citations in a text: [@demsar2006; @garcia2008]
_CITED = re.compile(r" \[@([a-z0-9; @]+)\]")


class _Narrator(Formatter):
    """Put facts into a text, with counts and citations as a sentence has them.

    A count has its noun, in digits (``{n:#score}``) or in words (``{n:=score}``), or decides on
    the number of a verb (``{n:is|are}``); a tuple of keys is cited (``{keys:cite}``).
    """

    def __init__(self, result: Result | None = None, cite: Cited | None = None) -> None:
        self.result, self.cite = result, Cited() if cite is None else cite

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:  # noqa: ARG002
        return kwargs[str(key)] if key in kwargs else getattr(self.result, str(key))

    def format_field(self, value: Any, format_spec: str) -> str:
        if value is self.cite:
            return str(self.cite(*format_spec.split("; @")))
        if format_spec == "cite":
            return str(self.cite(*value))
        count = len(value) if isinstance(value, Sized) else value
        if format_spec.startswith("#"):
            return plural(count, format_spec[1:])
        if format_spec.startswith("="):
            return counted(count, format_spec[1:])
        if "|" in format_spec:
            return format_spec.split("|")[0 if count == 1 else 1]
        return str(format(value, format_spec))

    def sentence(self, text: str, facts: Mapping[str, Any]) -> str:
        """Return a sentence; nothing if something that it mentions is None."""
        known, told = {**facts, "cite": self.cite}, []
        for words, name, spec, _ in self.parse(_CITED.sub(r"{cite:\1}", " ".join(text.split()))):
            told.append(words)
            if name is None:
                continue
            value, _ = self.get_field(name, (), known)
            value = value() if isfunction(value) else value
            if value is None:
                return ""
            told.append(self.format_field(value, spec or ""))
        return "".join(told)


def note(key: str, /, *, code: str = "", **facts: Any) -> Note:
    """Return a note by the name of its text, with the facts that the text mentions.

    A name is the code of the note for programs; where several texts have one code, it is followed
    by a slash and what they differ in. Another ``code`` may be given.
    """
    text = _Narrator().sentence(text_of_note(key), facts)
    if not text:
        raise ValueError(f"the note {key!r} mentions a fact that is None")
    return Note(code or key.partition("/")[0], text)


def on_methods(key: str, result: Result, cite: Cited, /, **facts: Any) -> tuple[str, ...]:
    """Return the paragraph on the methods of a result, whose texts stand in ``words/methods.md``.

    Texts mention attributes of the result, and further ``facts``, which may be functions that cite;
    a sentence is left out if one of these is None. The version is named last, once in a row of
    paragraphs.
    """
    narrator, design, is_second = _Narrator(result, cite), result.design, bool(cite.keys)
    of_all = {"scored": scored(design), "k": design.algorithms, "missing_scores": missing(design)}
    told = [narrator.sentence(text, of_all | facts) for text in texts_on_methods(key)]
    return (*told, "" if is_second else computed(design))
