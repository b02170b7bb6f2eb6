"""The Python that makes a report again, with its texts as one would write them."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from nbcompare._options import SECTIONS
from nbcompare.widgets._code import Expression, call, quoted

_LONG = 60  # letters of a text that stands on lines of its own


def code_of(data: str, histories: str, arguments: Mapping[str, Any], paths: Sequence[str]) -> str:
    """Statements that make the report, and write it if there are paths.

    Parameters
    ----------
    data, histories : str
        What they are called; empty where there are none.
    arguments : mapping
        Of the report, beside those.
    paths : sequence of str
        Files to write.
    """
    texts: list[str] = []

    def named(name: str, text: str) -> Any:
        if "\n" not in text and len(text) <= _LONG:
            return text
        texts.append(f"{name} = {literal(text)}")
        return Expression(name)

    keywords: dict[str, Any] = {"histories": Expression(histories)} if histories else {}
    for name, value in arguments.items():
        keywords[name] = named(name, value) if name == "abstract" else value
    if "sections" in keywords:
        number = 0
        sections: list[Any] = []
        for section in keywords["sections"]:
            number += section not in SECTIONS
            own = section not in SECTIONS
            sections.append(named(f"text_{number}", section) if own else section)
        keywords["sections"] = sections
    first = [Expression(data)] if data else []
    made = call("nbc.Report", first, keywords, target="report")
    last = call("report.export", paths, {}) if paths else "report"
    return "\n".join([*texts, made, last])


def literal(text: str) -> str:
    r"""A string over several lines in triple quotes, where that shows what it holds.

    Examples
    --------
    >>> literal("## Setting\n\nWith $x$.").splitlines()[2][:8]
    'With $x$'
    """
    written = f'{"r" if chr(92) in text else ""}"""{text}"""'
    lines = text.split("\n")
    if all(line.isprintable() for line in lines):
        try:
            if ast.literal_eval(written) == text:
                return written
        except (SyntaxError, ValueError):
            pass
    return quoted(text)
