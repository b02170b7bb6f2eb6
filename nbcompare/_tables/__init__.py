"""The one reader of tables: text and Parquet files, and any dataframe, become columns.

What the columns mean is decided by those who asked for the table.
"""

from nbcompare._tables.columns import (
    codes_of,
    find_column,
    natural_order,
    refuse_two_roles,
    sorted_codes,
)
from nbcompare._tables.files import read
from nbcompare._tables.frames import from_frame
from nbcompare._tables.origin import Origin, origin_of, remember, remembered, stamp_of
from nbcompare._tables.table import RawTable

__all__ = [
    "Origin",
    "RawTable",
    "codes_of",
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
