"""What programs of ours do without, which libraries would import."""

from __future__ import annotations

import sys


def leave_out_formats() -> None:
    """Keep a second of imports out of this process, which must be a program of ours.

    Where JupyterLab is installed, jsonschema compiles a grammar of web addresses when nbformat
    imports it. The schema of notebooks has no such format, but other schemas may have.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # not to be found
