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
from nbcompare._tables.frames import check_pages, from_frame
from nbcompare._tables.lines import (
    COMPRESSED_SUFFIXES,
    LONGEST_ROW,
    PARQUET_SUFFIXES,
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
from nbcompare._tables.origin import Origin, free_bytes, origin_of, remember, remembered, stamp_of
from nbcompare._tables.printed import (
    PrintedText,
    deviations_of,
    doubtful_thousands,
    text_of_pasted,
    with_printed,
    without_words,
)
from nbcompare._tables.table import (
    EDITED,
    RawTable,
    check_header,
    find_column,
    table_of,
)
from nbcompare._tables.text_format import PLAIN, TextFormat, missing_with

__all__ = [
    "COMPRESSED_SUFFIXES",
    "EDITED",
    "ENDINGS",
    "LONGEST_ROW",
    "PARQUET_SUFFIXES",
    "PLAIN",
    "STANDARD_INPUT",
    "SUFFIXES",
    "Codes",
    "Origin",
    "PrintedText",
    "RawTable",
    "TextFormat",
    "check_bytes",
    "check_cells",
    "check_header",
    "check_pages",
    "check_width",
    "checked_file",
    "deviations_of",
    "doubtful_thousands",
    "files_under",
    "find_column",
    "free_bytes",
    "from_frame",
    "is_blank",
    "is_number",
    "lines_of",
    "missing_with",
    "natural_order",
    "naturally_sorted",
    "numbered",
    "opened_text",
    "origin_of",
    "parsed_json",
    "read",
    "read_delimited",
    "remember",
    "remembered",
    "stacked",
    "stamp_of",
    "table_of",
    "text_of_pasted",
    "whole_text",
    "with_printed",
    "without_words",
]
