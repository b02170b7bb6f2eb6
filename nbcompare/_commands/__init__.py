"""Table of the analyses, and the options of a line that calls one."""

from nbcompare._commands.analyses import (
    ANALYSES,
    BY_FUNCTION,
    BY_SECTION,
    FRAME_OPTIONS,
    RANKS_OPTIONS,
    READING_OPTIONS,
    SELECT_OPTIONS,
    Analysis,
    analysis_of,
    analysis_of_class,
    function_of,
    own_of,
    record_of,
    selected,
    speech,
)
from nbcompare._commands.lines import (
    OptionParser,
    add_arguments,
    add_document,
    flag,
    flags,
    given,
    reader_of,
    written,
)
