"""The one reader of tables: files of many formats, and any dataframe, become columns.

Those who ask for a table decide what its columns mean.
"""

from nbcompare._tables.columns import (
    Codes,
    is_blank,
    is_number,
    natural_order,
    naturally_sorted,
    numbered,
    stacked,
)
from nbcompare._tables.delimited import read_delimited
from nbcompare._tables.files import ENDINGS, SUFFIXES, parsed_json, read
from nbcompare._tables.frames import from_frame
from nbcompare._tables.lines import (
    COMPRESSED_SUFFIXES,
    STANDARD_INPUT,
    check_bytes,
    check_cells,
    check_width,
    checked_file,
    files_under,
    lines_of,
    opened_text,
    whole_text,
)
from nbcompare._tables.origin import Origin, origin_of, remember, remembered, stamp_of
from nbcompare._tables.table import EDITED, RawTable, check_header, find_column, table_of
from nbcompare._tables.text_format import PLAIN, TextFormat
