"""Find the templates of pages."""

from __future__ import annotations

from pathlib import Path

__all__ = ["template_folder"]

_PACKAGE = Path(__file__).resolve().parents[2]


def template_folder() -> Path:
    """Find the folder that holds nbcompare's templates.

    Returns
    -------
    pathlib.Path
        The folder of the checkout if the package runs from one, so that changes to a template take
        effect at the next export; otherwise the copy inside the package.
    """
    checkout = _PACKAGE.parent / "report_templates"
    return checkout if checkout.is_dir() else _PACKAGE / "_templates"
