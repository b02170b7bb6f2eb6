"""The streams of the program, which may be full, closed early, or lack letters."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TextIO

# Symbols in results, written with the letters that every encoding has
_PLAIN = {
    "−": "-", "–": "-", "—": "-", "…": "...", "×": "x", "·": "*", "≤": "<=", "≥": ">=", "≠": "!=",
    "≈": "~", "±": "+/-", "∞": "inf", "√": "sqrt", "“": '"', "”": '"', "‘": "'", "’": "'",
    "●": "*", "○": "o", "✓": "+", "†": "#", "α": "alpha", "χ": "chi", "τ": "tau", "ρ": "rho",
}  # fmt: skip
_READABLE = "nbcompare.readable"


@contextmanager
def readable() -> Iterator[None]:
    """Write letters that an encoding lacks in others; names of files stay as they are."""
    codecs.register_error(_READABLE, _readable)
    before = []
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            before.append((stream, stream.errors))
            stream.reconfigure(errors=_READABLE)
    try:
        yield
    finally:
        for stream, old in before:
            if not stream.closed:
                stream.reconfigure(errors=old)


def say(text: str) -> bool:
    """Write text, after all that was written before, and tell whether that was possible.

    Raises
    ------
    BrokenPipeError
        If whoever reads it wants no more.
    """
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        complain(f"cannot write to standard output: {error.strerror}")
        silence(sys.stdout)
        return False
    return True


def complain(text: str) -> None:
    """Say what is wrong, if anybody is there to read it."""
    _tell(f"nbcompare: {text}")


def remark(text: str) -> None:
    """Say what is to be known beside the output, if anybody is there to read it."""
    _tell(f"note: {text}")


def remark_reading(sentence: str) -> None:
    """Say as what a file was read."""
    _tell(f"read {sentence}")


def _tell(text: str) -> None:
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Discard what is still to be written, or Python would complain at its end."""
    handle = os.open(os.devnull, os.O_WRONLY)
    os.dup2(handle, stream.fileno())
    os.close(handle)


def _readable(error: UnicodeError) -> tuple[str | bytes, int]:
    """Write a symbol in words, and escape other letters; keep the bytes of the name of a file."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    if 0xDC80 <= ord(letter) <= 0xDCFF:
        return bytes([ord(letter) - 0xDC00]), error.start + 1
    escaped = letter.encode("ascii", "backslashreplace").decode("ascii")
    return _PLAIN.get(letter, escaped), error.start + 1
