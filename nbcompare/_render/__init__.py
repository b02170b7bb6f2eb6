"""Tables rendered as text, HTML, LaTeX, Typst and Markdown, each escaped for its target.

Only the standard library is used. A result describes itself once, as parts made of plain text.
Names of algorithms are untrusted, and are escaped here, where the target is known.
"""

from nbcompare._render.numbers import (
    format_df,
    format_number,
    format_numbers,
    format_p,
    format_rounded,
    plural,
    short_fingerprint,
    stated_p,
    with_minus,
)
from nbcompare._render.parts import MOST_ROWS, Column, Note, Notes, Part, Prose, Strong, Table
from nbcompare._render.rich import Rich, parts_of
