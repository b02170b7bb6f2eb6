"""What a Parquet file says of its own size, before anything is read.

A page whose header claims a wrong number of values ends the process that polars or pyarrow runs in.
The footer and the headers of all pages are read here, in the compact protocol of Apache Thrift.
"""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import Any

from nbcompare._tables.budget import check_bytes, check_cells, check_width, checked_file
from nbcompare._validation import DataError

_MAGIC = b"PAR1"
_TRUE, _FALSE, _BYTE, _DOUBLE, _TEXT, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_DEEPEST = 20
_Struct = dict[int, Any]  # values by the numbers of their fields

# Numbers of fields, as parquet.thrift has them
_SCHEMA, _N_ROWS, _GROUPS = 2, 3, 4  # of FileMetaData
_COLUMNS, _ROWS_OF_GROUP = 1, 3  # of RowGroup
_ABOUT = 3  # of ColumnChunk
_N_VALUES, _UNPACKED, _DATA_PAGE, _DICTIONARY_PAGE = 5, 6, 9, 11  # of ColumnMetaData
_PACKED_SIZE = 3  # of PageHeader
_OF_DATA = (5, 8)  # headers of data pages of either version, of which field 1 counts the values


class _Thrift:
    """A reader of structs in the compact protocol."""

    def __init__(self, data: bytes | mmap.mmap, start: int) -> None:
        self._data, self.place = data, start

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._data[self.place]
            self.place += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 63:
                raise ValueError("a number has too many bytes")

    def _integer(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def struct(self, depth: int = 0) -> _Struct:
        """Return the struct that begins here."""
        if depth > _DEEPEST:
            raise ValueError("its metadata are nested too deeply")
        found: _Struct = {}
        number = 0
        while head := self._data[self.place]:
            self.place += 1
            number = number + (head >> 4) if head >> 4 else self._integer()
            found[number] = self._value(head & 0xF, depth)
        self.place += 1
        return found

    def _value(self, kind: int, depth: int, *, in_list: bool = False) -> Any:
        if kind in (_TRUE, _FALSE) and not in_list:
            return kind == _TRUE
        if kind in (_TRUE, _FALSE, _BYTE):
            self.place += 1
            return self._data[self.place - 1]
        if kind in (_DOUBLE, _TEXT):
            length = 8 if kind == _DOUBLE else self._varint()
            self.place += length
            return None  # which nobody needs
        if kind in (_LIST, _SET):
            head = self._data[self.place]
            self.place += 1
            length = head >> 4 if head >> 4 < 15 else self._varint()
            if length > len(self._data):
                raise ValueError("a list is longer than the file")
            return [self._value(head & 0xF, depth, in_list=True) for _ in range(length)]
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind in (4, 5, 6):
            return self._integer()
        raise ValueError("its metadata cannot be read")


def check_pages(file: Path, *, is_limited: bool = True) -> int:
    """Return how many cells a file has; refuse one that contradicts itself, or is too large.

    ``is_limited`` says whether the whole file is to be read.
    """
    size = checked_file(file, is_limited=is_limited)
    with file.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        length = int.from_bytes(data[-8:-4], "little")
        if size < 12 or data[-4:] != _MAGIC or length > size - 12:
            raise DataError(f"{file.name} is not a readable Parquet file: it has no whole footer.")
        try:
            about = _Thrift(data, size - 8 - length).struct()
            n_rows, groups = about[_N_ROWS], about.get(_GROUPS, [])
            chunks = [one[_ABOUT] for group in groups for one in group[_COLUMNS]]
            # a column of lists has other numbers of values than rows
            n_values = sum(chunk[_N_VALUES] for chunk in chunks)
            n_columns = sum(5 not in each for each in about[_SCHEMA])  # those without children
            n_unpacked = sum(chunk[_UNPACKED] for chunk in chunks)
            if n_rows < 0 or n_rows != sum(group[_ROWS_OF_GROUP] for group in groups):
                raise ValueError("its parts have other numbers of rows than the whole")
            if is_limited:
                check_width(n_columns, file.name)
                check_cells(max(n_values, n_rows * n_columns), file.name)
                check_bytes(n_unpacked, file.name, size)
            for chunk in chunks:
                _check_chunk(data, chunk)
        except DataError:
            raise
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            told = error if type(error) is ValueError else "its metadata cannot be read"
            raise DataError(f"{file.name} is not a readable Parquet file: {told}.") from None
    return int(n_values)


def _check_chunk(data: mmap.mmap, chunk: _Struct) -> None:
    """Check that the pages of a part of a column have as many values as it says."""
    left, place = chunk[_N_VALUES], chunk.get(_DICTIONARY_PAGE) or chunk[_DATA_PAGE]
    while left > 0:
        if not 0 <= place < len(data):
            raise ValueError("a page is not in the file")
        reader = _Thrift(data, place)
        header = reader.struct()
        place = reader.place + header[_PACKED_SIZE]
        if header[_PACKED_SIZE] < 0:
            raise ValueError("a page has less than no bytes")
        for number in _OF_DATA:
            count = header[number][1] if number in header else 0
            left -= count
            if count < 0 or left < 0:
                raise ValueError("a page claims more values than its column has")
