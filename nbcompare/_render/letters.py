"""What letters need: a font that has them, and a direction of writing that does not spread."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

__all__ = ["BDI", "is_joiner", "is_writing", "isolated", "letter_name", "no_font_has"]

# They join letters or choose between their forms, and are not drawn themselves.
_JOINERS = frozenset("\u200c\u200d\u20e3\ufe0e\ufe0f")
_SKIN = range(0x1F3FB, 0x1F400)
_WRITING = ("L", "M", "N")  # Unicode categories of the characters of words and numbers
BDI = ("<bdi>", "</bdi>")  # marks of isolated text in HTML
# Words with a letter that is written from right to left, without the signs of a sentence at the end
_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001eeff"
_WORD = rf"[^\s,;:()]*[{_RIGHT_TO_LEFT}](?:[^\s,;:()]*[^\s,;:().!?])?"
_WORDS = re.compile(f"({_WORD}(?: {_WORD})*)")


def isolated(
    text: str, escape: Callable[[str], str] = str, marks: tuple[str, str] = ("\u2068", "\u2069")
) -> str:
    """Put marks around Arabic and Hebrew words, so that what is beside them keeps its order.

    Parameters
    ----------
    text : str
        A name, or a sentence with names.
    escape : callable
        Escapes the text of each part.
    marks : tuple of str
        Beginning and end, which are isolates of Unicode in text that has no marks of its own.

    Examples
    --------
    >>> hebrew = "\u05d0\u05d1"
    >>> print(isolated(f"CN2 and {hebrew}, 0.5", marks=("<", ">")).replace(hebrew, "ab"))
    CN2 and <ab>, 0.5
    """
    parts = [escape(part) for part in _WORDS.split(text)]
    parts[1::2] = (f"{marks[0]}{part}{marks[1]}" for part in parts[1::2])
    return "".join(parts)


def is_joiner(letter: str) -> bool:
    """Whether a character changes the one before it, and shows nothing by itself."""
    return letter in _JOINERS or ord(letter) in _SKIN


def is_writing(letter: str) -> bool:
    """Whether a character is part of words or numbers, and no symbol."""
    return unicodedata.category(letter)[0] in _WRITING and letter not in _JOINERS


def letter_name(letter: str) -> str:
    """Return what a page prints for a letter that no font has; empty for a joiner.

    Examples
    --------
    >>> letter_name("\N{ROCKET}"), letter_name("林")
    ('rocket', 'U+6797')
    """
    if is_joiner(letter):
        return ""
    number = f"U+{ord(letter):04X}"
    return number if is_writing(letter) else unicodedata.name(letter, number).lower()


def no_font_has(letters: Iterable[str], instead: str) -> str:
    """Say of which kinds letters are that no font has, in one line; empty if there are none.

    Parameters
    ----------
    letters : iterable of str
        The letters.
    instead : str
        What the reader sees instead, such as "Boxes".

    Examples
    --------
    >>> no_font_has("林木\N{ROCKET}", "Boxes").partition(";")[0]
    'Boxes stand for CJK letters and rocket, which no font on this machine has'
    """
    every = [letter for letter in letters if not is_joiner(letter)]
    if not every:
        return ""
    scripts = sorted({_script(letter) for letter in every if is_writing(letter)})
    symbols = sorted({letter_name(letter) for letter in every if not is_writing(letter)})
    kinds = [f"{', '.join(scripts)} letters"] if scripts else []
    return (
        f"{instead} stand for {' and '.join([*kinds, *symbols])}, which no font on this machine "
        "has; install one that has them, such as Noto's."
    )


def _script(letter: str) -> str:
    """Return the script of a letter, with which its name in Unicode begins."""
    name = unicodedata.name(letter, letter_name(letter)).partition(" ")[0]
    return name if name == "CJK" or name.startswith("U+") else name.capitalize()
