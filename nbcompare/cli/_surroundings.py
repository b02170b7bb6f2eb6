"""The environment of the program: streams that are closed or full, or lack letters; no home."""

from __future__ import annotations

import codecs
import os
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from nbcompare._files import scratch_folder

_NAMES = ("stdin", "stdout", "stderr")
# Symbols in results, written with the letters that every encoding has
_PLAIN = {
    "−": "-", "–": "-", "—": "-", "…": "...", "×": "x", "·": "*", "≤": "<=", "≥": ">=", "≠": "!=",
    "≈": "~", "±": "+/-", "∞": "inf", "√": "sqrt", "“": '"', "”": '"', "‘": "'", "’": "'",
    "●": "*", "○": "o", "✓": "+", "†": "#",
}  # fmt: skip
_READABLE, _EXACT = "nbcompare.readable", "nbcompare.exact"


@contextmanager
def at_home() -> Iterator[None]:
    """Give Matplotlib and IPython a folder where the user has none, as a service or a container.

    They would make one each and complain of it, in this process and in those it starts.
    """
    settled = os.access(Path("~").expanduser(), os.W_OK)
    xdg = "XDG_CONFIG_HOME" in os.environ and "XDG_CACHE_HOME" in os.environ
    wanted = [
        name
        for name, elsewhere in (("MPLCONFIGDIR", xdg), ("IPYTHONDIR", False))
        if not settled and not elsewhere and not os.environ.get(name)
    ]
    if not wanted:
        yield
        return
    with scratch_folder() as folder:
        os.environ |= dict.fromkeys(wanted, str(folder))
        yield


@contextmanager
def of_a_program() -> Iterator[bool]:
    """Mend the streams that a program was started with, and tell whether anybody reads its output.

    Python leaves out streams that are closed: the next file that is opened would be in their place,
    and take what a library, or another process, says.
    """
    heard = sys.stdout is not None
    for number, name in enumerate(_NAMES):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDWR)
            if handle != number:
                os.dup2(handle, number)
                os.close(handle)
            os.set_inheritable(number, True)
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))
    try:
        yield heard
    finally:
        for stream in (sys.stdout, sys.stderr):
            _settle(stream)


@contextmanager
def readable() -> Iterator[None]:
    """Write letters that an encoding lacks in others.

    Results are to be read, so that accents may go, and names of files to be used, so that they
    stay as they are; in a message, names that differ must not look the same.
    """
    codecs.register_error(_READABLE, _readable)
    codecs.register_error(_EXACT, _exact)
    before = []
    for stream, errors in ((sys.stdout, _READABLE), (sys.stderr, _EXACT)):
        if isinstance(stream, TextIOWrapper):
            before.append((stream, stream.errors))
            stream.reconfigure(errors=errors)
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
    if sys.stderr is not None:
        try:
            print(text, file=sys.stderr, flush=True)
        except OSError:
            _settle(sys.stderr)


def _settle(stream: TextIO) -> None:
    """Flush a stream; what it cannot take goes nowhere, or Python would complain at its end."""
    try:
        stream.flush()
    except OSError:
        silence(stream)


def silence(stream: TextIO) -> None:
    """Discard what is still to be written."""
    handle = os.open(os.devnull, os.O_WRONLY)
    os.dup2(handle, stream.fileno())
    os.close(handle)


def _readable(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace a letter by the one without its accent; keep the bytes of the name of a file."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    if 0xDC80 <= ord(letter) <= 0xDCFF:
        return bytes([ord(letter) - 0xDC00]), error.start + 1
    simple = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode("ascii")
    return (simple, error.start + 1) if simple and letter not in _PLAIN else _exact(error)


def _exact(error: UnicodeError) -> tuple[str, int]:
    """Write a symbol or Greek letter in words; escape what has no such form."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    kind, _, name = unicodedata.name(letter, "").rpartition(" LETTER ")
    if letter in _PLAIN:
        plain = _PLAIN[letter]
    elif kind in ("GREEK SMALL", "GREEK CAPITAL") and name.isalpha():
        plain = name.lower() if kind == "GREEK SMALL" else name.capitalize()
    else:
        plain = letter.encode("ascii", "backslashreplace").decode("ascii")
    return plain, error.start + 1
