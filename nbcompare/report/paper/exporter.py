"""The base of the exporters to typesetters."""

from __future__ import annotations

from typing import Any

from traitlets import Integer

from nbcompare.report.page.exporter import TemplateFinder
from nbcompare.report.paper.code import LONGEST_CODE, LONGEST_OUTPUT

__all__ = ["PaperExporter"]


class PaperExporter(TemplateFinder):
    """An exporter whose preprocessor writes the markup of a typesetter."""

    longest_code = Integer(
        LONGEST_CODE,
        min=0,
        help="Number of lines of a cell's code that are printed in full. Of longer code, the first "
        "half of that number and the last quarter are printed, and the document says what is left "
        "out. 0 prints everything.",
    ).tag(config=True)
    longest_output = Integer(
        LONGEST_OUTPUT,
        min=0,
        help="Number of lines of a cell's printed output that are printed in full, in the same "
        "way; 0 prints everything.",
    ).tag(config=True)

    def with_limits(self, resources: dict[str, Any] | None) -> dict[str, Any]:
        """Return nbconvert's resources with the options that the preprocessor needs."""
        longest = {"code": self.longest_code, "output": self.longest_output}
        return {**(resources or {}), "nbcompare_longest": longest}

    def warn(self, resources: dict[str, Any]) -> None:
        """Log what the printed pages leave out."""
        for what in resources["nbcompare"]["printed"]["warnings"]:
            self.log.warning("%s", what)
