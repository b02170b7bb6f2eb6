"""Entries of BibTeX, in letters that every style and every version of BibTeX reads."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from nbcompare._render import latex

_ACCENTS = {
    "\N{COMBINING GRAVE ACCENT}": "`",
    "\N{COMBINING ACUTE ACCENT}": "'",
    "\N{COMBINING CIRCUMFLEX ACCENT}": "^",
    "\N{COMBINING TILDE}": "~",
    "\N{COMBINING DIAERESIS}": '"',
    "\N{COMBINING MACRON}": "=",
    "\N{COMBINING DOT ABOVE}": ".",
    "\N{COMBINING CARON}": "v ",
    "\N{COMBINING BREVE}": "u ",
    "\N{COMBINING CEDILLA}": "c ",
    "\N{COMBINING RING ABOVE}": "r ",
    "\N{COMBINING DOUBLE ACUTE ACCENT}": "H ",
}
_LETTERS = {
    "ø": r"{\o}",
    "Ø": r"{\O}",
    "ł": r"{\l}",
    "Ł": r"{\L}",
    "ß": r"{\ss}",
    "æ": r"{\ae}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    # BibTeX counts braces, whether or not there is a backslash in front
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
}
_PLAIN = re.compile(f"[^{''.join(_LETTERS)}À-\u024f]+")
_WORD = re.compile(r"\w+")
# programs of bibliographies read these as they are
_VERBATIM = frozenset(("doi", "url"))


def escape(text: str) -> str:
    r"""Escape text for a field of BibTeX; letters with accents become commands.

    BibTeX sorts letters with accents right, and makes labels of them, only as commands in braces.

    Examples
    --------
    >>> print(escape("Demšar & García, 1–30"))
    Dem{\v s}ar \& Garc{\'i}a, 1--30
    """
    text = unicodedata.normalize("NFC", text)
    pieces, end = [], 0
    for plain in _PLAIN.finditer(text):  # as a whole, in which two signs may be one to LaTeX
        pieces += [*map(_escaped, text[end : plain.start()]), latex.escape(plain[0])]
        end = plain.end()
    return "".join([*pieces, *map(_escaped, text[end:])])


def entry(kind: str, key: str, fields: Mapping[str, str], *, protect: bool = True) -> str:
    r"""Return an entry of BibTeX.

    Parameters
    ----------
    kind, key : str
        The kind of the entry, such as ``article``, and its key.
    fields : mapping of str to str
        Plain text, but for an author, who is written as BibTeX.
    protect : bool
        Whether to put words of the title with capitals, which are names, in braces: styles write
        the others small.

    Examples
    --------
    >>> print(entry("article", "li2008", {"title": "A test of Li", "doi": "10.1016/j_1"}))
    @article{li2008,
      title = {A test of {Li}},
      doi = {10.1016/j_1},
    }
    """
    lines = [f"@{kind}{{{key},"]
    for name, value in fields.items():
        text = value if name in _VERBATIM or name == "author" else escape(value)
        if name == "title" and protect:
            text = _protected(value)
        lines.append(f"  {name} = {{{text}}},")
    return "\n".join([*lines, "}"])


def names(authors: tuple[str, ...]) -> str:
    """Return the field of authors."""
    return " and ".join(map(escape, authors))


def _escaped(letter: str) -> str:
    if letter in _LETTERS:
        return _LETTERS[letter]
    apart = unicodedata.normalize("NFD", letter)
    plain, accent = apart[:1], apart[1:]
    if accent in _ACCENTS and plain.isascii() and plain.isalpha():
        return f"{{\\{_ACCENTS[accent]}{plain}}}"
    return latex.escape(letter)


def _protected(title: str) -> str:
    """Escape a title, with braces around words with a capital that does not begin it."""
    parts, end = [], 0
    for word in _WORD.finditer(title):
        parts.append(escape(title[end : word.start()]))
        text, end = escape(word[0]), word.end()
        is_name = any(map(str.isupper, word[0][1:] if word.start() == 0 else word[0]))
        parts.append(f"{{{text}}}" if is_name else text)
    return "".join(parts) + escape(title[end:])
