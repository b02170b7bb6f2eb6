"""The lines of text files, plain or compressed, none of them longer than memory can bear."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from nbcompare._validation import DataError

# A million columns of sixteen characters. Five megabytes of gzip can hold a line of gigabytes,
# and a line must be in memory to be read.
LONGEST_ROW = 2**24
_BLOCK_CHARACTERS = 2**22
_BLOCK_BYTES = 2**20
_COMPRESSED = ".gz"
_GZIP_MARK = b"\x1f\x8b"


def is_compressed(file: Path) -> bool:
    """Whether the name of a file says that gzip has compressed it."""
    return file.suffix.lower() == _COMPRESSED


def opened(file: Path) -> BinaryIO:
    """Open the bytes of a file, decompressed where its name says that they are compressed."""
    return cast(BinaryIO, gzip.GzipFile(file)) if is_compressed(file) else file.open("rb")


@contextmanager
def opened_text(file: Path, encoding: str) -> Iterator[TextIO]:
    """Open a file as text, and explain what keeps it from being read as such."""
    try:
        try:
            with io.TextIOWrapper(opened(file), encoding=encoding) as stream:
                yield stream
        except UnicodeError:
            raise _undecodable(file, encoding) from None
    except EOFError:
        raise DataError(
            f"{file.name} is cut off: its compressed data have no end. Copy or download it again."
        ) from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise _damaged(file, error) from None


def _undecodable(file: Path, encoding: str) -> DataError:
    """Return the error about bytes that are no text, with the line in which they stand."""
    decoder = codecs.getincrementaldecoder(encoding)()
    line = 1
    where = ""
    with opened(file) as stream:
        start = stream.read(2)
        stream.seek(0)
        try:
            for data in iter(partial(stream.read, _BLOCK_BYTES), b""):
                decoder.decode(data)
                line += data.count(b"\n")
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            where = f" (line {line + error.object.count(10, 0, error.start)})"
        except UnicodeError:
            pass  # what is wrong is the start of the file, not a line
    if start == _GZIP_MARK:
        return DataError(
            f"{file.name} is compressed by gzip. Add {_COMPRESSED} to its name, so that it is "
            "read as such."
        )
    in_two_bytes = start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    other = "utf-16" if in_two_bytes else "latin-1"
    return DataError(
        f"{file.name} is not {encoding.removesuffix('-sig')} text{'' if in_two_bytes else where}. "
        f"Pass encoding=, for instance encoding={other!r}."
    )


def _damaged(file: Path, error: Exception) -> DataError:
    with file.open("rb") as stream:
        is_gzip = stream.read(2) == _GZIP_MARK
    if is_gzip:
        return DataError(
            f"{file.name} is damaged: its compressed data do not fit together ({error}). "
            "Copy or download it again."
        )
    return DataError(
        f"{file.name} is not compressed by gzip, though its name says so. "
        f"If it is plain text, take {_COMPRESSED} from the end of its name."
    )


class Lines:
    """The lines of a stream: the first ones one by one, those that follow in blocks."""

    def __init__(self, stream: TextIO, source: str) -> None:
        self._stream = stream
        self._source = source
        self._begun = ""  # the line in which a block ended
        self._n_lines = 0

    def one(self) -> str:
        """Return the next line, nothing at the end of the file."""
        line = self._stream.readline(LONGEST_ROW + 1)
        self._check_length(line)
        self._n_lines += 1
        return line

    def block(self) -> list[str]:
        """Return the next few lines, none at the end of the file."""
        while text := self._stream.read(_BLOCK_CHARACTERS):
            lines = list(io.StringIO(self._begun + text))
            self._begun = "" if lines[-1].endswith("\n") else lines.pop()
            self._check_length(lines[0] if lines else self._begun)
            if lines:
                self._n_lines += len(lines)
                return lines
        last, self._begun = self._begun, ""
        return [last] if last else []

    def _check_length(self, line: str) -> None:
        """Refuse a line that is too long; in a block, only the first can be."""
        if len(line) > LONGEST_ROW:
            raise too_long(f"{self._source}, line {self._n_lines + 1}")


def too_long(where: str) -> DataError:
    """Return the error about a row that is not to be held in memory."""
    return DataError(
        f"{where} has more than {LONGEST_ROW:,} characters, the most that a row may have. "
        "Check that each row stands in a line of its own and that every quotation mark is "
        "closed; a table as wide as that can be read from a Parquet file."
    )
