"""Parts of a project in one zip: the same parts give the same bytes, and no part is trusted."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nbcompare._files import in_words
from nbcompare._validation import DataError, because, shown

MOST_BYTES = 2**29  # of all parts together when unpacked: a small file can hold gigabytes
_MOST_TEXT = 2**26  # of a part that is not data, which JSON takes many times
_MOST_PARTS = 100
_PACKED = 2**22  # bytes from which a part is stored as it is, so that saving stays quick
_DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip knows
_DATA = ("data/", "experiment.json", "histories.json")
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError),
    *(UnicodeDecodeError, ValueError),
)
HOW = "Save one with Project.save, or work with one in `nbcompare app study.nbcompare`."


def packed(parts: Mapping[str, bytes]) -> bytes:
    """Return a zip of these parts, in their order.

    Raises
    ------
    ValueError
        If they are too large to be read again.
    """
    total = sum(map(len, parts.values()))
    if total > MOST_BYTES:
        raise ValueError(
            f"a project must have at most {MOST_BYTES:,} bytes; got {total:,}. Leave out columns "
            "and rows that are not needed, or keep the table as a file of its own."
        )
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in parts.items():
            about = zipfile.ZipInfo(name, _DATE)
            about.create_system = 3  # the same on every system
            about.external_attr = 0o644 << 16
            is_long = len(content) >= _PACKED
            about.compress_type = zipfile.ZIP_STORED if is_long else zipfile.ZIP_DEFLATED
            archive.writestr(about, content, compresslevel=6)
    return made.getvalue()


def unpacked(path: Path) -> dict[str, bytes]:
    """Return the parts of a zip by name; nothing is written anywhere.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is no such zip, or too large.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            _check_sizes(members, path)
            return {one.filename: archive.read(one) for one in members}
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no file {path}. {HOW}") from None
    except OSError as error:
        raise in_words(error, f"cannot read {path}") from error
    except _TooLargeError:
        raise
    except _BROKEN as error:
        raise ValueError(f"{path} must be a project of nbcompare{because(error)}. {HOW}") from None


class _TooLargeError(ValueError):
    """Raised for what would take too much memory; it says what that is."""


def _check_sizes(members: list[zipfile.ZipInfo], path: Path) -> None:
    """Refuse what would take too much memory; no part is longer than it says."""
    names = {one.filename for one in members}
    if len(members) > _MOST_PARTS or len(names) < len(members):
        raise _TooLargeError(
            f"{path} must have at most {_MOST_PARTS} parts, each once; got {len(members)} with "
            f"{len(names)} names. {HOW}"
        )
    for one in members:
        most = MOST_BYTES if one.filename.startswith(_DATA) else _MOST_TEXT
        if one.file_size > most:
            raise _TooLargeError(
                f"{path} must have at most {most:,} bytes in {shown(one.filename)}; got "
                f"{one.file_size:,}."
            )
    total = sum(one.file_size for one in members)
    if total > MOST_BYTES:
        raise _TooLargeError(
            f"{path} must have at most {MOST_BYTES:,} bytes when unpacked; got {total:,}."
        )


def as_json(content: Any) -> bytes:
    """Return JSON in UTF-8; NaN and other words that JSON lacks are an error."""
    text = json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)
    return f"{text}\n".encode("utf-8", "surrogatepass")


def of_json(content: bytes, what: str) -> Any:
    """Return the value of JSON; a ValueError says what should have held it."""
    try:
        return json.loads(content.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{what} must be JSON{because(error)}.") from None


def _refuse(constant: str) -> float:
    raise DataError(f"{constant} is no number")
