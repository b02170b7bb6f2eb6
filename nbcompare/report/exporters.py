"""The exporters that ``jupyter nbconvert --to …`` finds by name."""

from pathlib import Path

from nbconvert.exporters import HTMLExporter
from traitlets import default

__all__ = ["ReportHTMLExporter", "template_folder"]

_PACKAGE = Path(__file__).resolve().parent.parent


def template_folder() -> Path:
    """Find the folder that holds nbcompare's templates.

    Returns
    -------
    pathlib.Path
        The checkout's own folder when the package runs from one, so that a change to a template
        shows at the next export; the copy inside the package otherwise.
    """
    checkout = _PACKAGE.parent / "report_templates"
    return checkout if checkout.is_dir() else _PACKAGE / "_templates"


class ReportHTMLExporter(HTMLExporter):
    """A notebook as one HTML page that needs no network.

    The same page as ``jupyter nbconvert --to html --template nbcompare``, for a package whose
    template was not installed under ``share/jupyter``.
    """

    export_from_notebook = "Report (HTML)"

    @default("template_name")
    def _template_name_default(self) -> str:
        return "nbcompare"

    @default("extra_template_basedirs")
    def _default_extra_template_basedirs(self) -> list[str]:
        folders: list[str] = super()._default_extra_template_basedirs()
        return [str(template_folder()), *folders]
