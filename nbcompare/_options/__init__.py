"""The choices, defaults and help of all options.

The functions, the command line and the magics read this table, so every word that a user may
write is defined once.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from nbcompare._options.analyses import ANALYSIS_OPTIONS, COMPARE_OPTIONS
from nbcompare._options.option import (
    ALTERNATIVES,
    AUTO,
    BEST,
    BETTER,
    DIRECTIONS,
    EXACT,
    FOLD,
    INSTANCES,
    LAYOUTS,
    MAXIMIZE,
    MINIMIZE,
    NEW_PAGE,
    NORMAL,
    PRINTS_CODE,
    QUANTILES,
    RAW,
    SECTIONS,
    SNAPSHOT,
    TWO_SIDED,
    UNITS,
    Choice,
    Option,
    better,
    list_of_names,
    names_in,
    nouns_of,
    number_or_name,
)
from nbcompare._options.reading import (
    CELL_OPTIONS,
    COLUMN_OPTIONS,
    FOLDER_OPTIONS,
    HISTORY_OPTIONS,
    READING_OPTIONS,
    TEXT_OPTIONS,
)

OPTIONS: Mapping[str, Option] = MappingProxyType({**ANALYSIS_OPTIONS, **READING_OPTIONS})


def default(name: str) -> Any:
    """Return the default of an option."""
    return OPTIONS[name].default
