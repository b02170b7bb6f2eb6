"""The one reader of tables: text and Parquet files, and any dataframe, become columns.

Those who ask for a table decide what its columns mean.
"""

from nbcompare._tables.columns import natural_order
from nbcompare._tables.files import read
from nbcompare._tables.frames import from_frame
from nbcompare._tables.table import (
    Origin,
    RawTable,
    codes_of,
    compact_codes,
    find_column,
    origin_of,
    refuse_two_roles,
    remember,
    remembered,
    sorted_codes,
    stamp_of,
)
from nbcompare._tables.text_format import TextFormat

__all__ = [
    "Origin",
    "RawTable",
    "TextFormat",
    "codes_of",
    "compact_codes",
    "find_column",
    "from_frame",
    "natural_order",
    "origin_of",
    "read",
    "refuse_two_roles",
    "remember",
    "remembered",
    "sorted_codes",
    "stamp_of",
]
