"""The one reader of tables: text and Parquet files, and any dataframe, become columns.

What the columns mean is decided by those who asked for the table.
"""

from nbcompare._tables.files import read
from nbcompare._tables.frames import from_frame
from nbcompare._tables.table import RawTable

__all__ = ["RawTable", "from_frame", "read"]
