"""Export a notebook as one HTML page; what all exporters share is here, too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from nbconvert.exporters import HTMLExporter, TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbformat import NotebookNode
from nbformat import validate as validate_notebook
from traitlets import Unicode, default, validate

from nbcompare.report.page.embedded import sealed
from nbcompare.report.page.templates import template_folder
from nbcompare.results import MIME_TYPE

__all__ = ["ReportHTMLExporter", "TemplateFinder"]


class _Compiled(BytecodeCache):
    """Templates as programs, which a process compiles once and not for each exporter."""

    def __init__(self) -> None:
        self._programs: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._programs:
            # of a template that was changed since, the bucket forgets it by itself
            bucket.bytecode_from_string(self._programs[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._programs[bucket.key] = bucket.bytecode_to_string()


_COMPILED = _Compiled()


class TemplateFinder(TemplateExporter):
    """An exporter that finds our own templates, Jupyter's, and one named with its folder."""

    @property
    def environment(self) -> Environment:
        """The templates of Jinja."""
        found: Environment = super().environment
        found.bytecode_cache = _COMPILED
        return found

    @default("extra_template_basedirs")
    def _default_extra_template_basedirs(self) -> list[str]:
        # Not the working folder, which nbconvert has here: a template is a program, and nobody
        # chose one that lies beside the data under the name of a template of Jupyter's.
        return [str(template_folder())]

    @validate("template_name")
    def _template_name_validate(self, change: Any) -> str:
        name = str(super()._template_name_validate(change))
        # in full, ./mine is found without the working folder being searched
        return str(Path(name).resolve()) if Path(name).name != name else name


class ReportHTMLExporter(TemplateFinder, HTMLExporter):
    """A notebook as one HTML page that needs no network.

    The same page as ``jupyter nbconvert --to html --template nbcompare``, for a package whose
    template was not installed under ``share/jupyter``, and with its digest, by which
    ``nbcompare verify`` tells whether it was changed since.
    """

    export_from_notebook = "Report (HTML)"
    template_name = Unicode("nbcompare").tag(config=True, affects_template=True)

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Export a notebook.

        Parameters
        ----------
        nb : nbformat.NotebookNode
            The notebook.
        resources : dict, optional
            nbconvert's resources.
        **kw
            Passed on.

        Returns
        -------
        tuple
            The page and the resources.

        Raises
        ------
        nbformat.ValidationError
            If it is not a valid notebook; the message says where.
        """
        # nbconvert validates too, but only after it has failed on such a notebook
        validate_notebook(nb, relax_add_props=True)
        about = nb.metadata.get("language_info", {})
        lexer = about.get("pygments_lexer", about.get("name"))
        self.register_filter("highlight_code", Highlight2HTML(pygments_lexer=lexer, parent=self))
        # HTMLExporter parses the page that was written to mend HTML of authors, which takes longer
        # than to write it
        is_ours = self.template_name == "nbcompare" and not _has_html(nb)
        exporter = TemplateExporter if is_ours else HTMLExporter
        page, made = exporter.from_notebook_node(self, nb, resources, **kw)
        return sealed(page), made


def _has_html(nb: NotebookNode) -> bool:
    """Whether a notebook may show HTML that is not of nbcompare."""
    outputs = [output.get("data", {}) for cell in nb.cells for output in cell.get("outputs", [])]
    texts = [cell.source for cell in nb.cells if cell.cell_type != "code"]
    texts += [data.get("text/markdown") for data in outputs]
    is_foreign = any("text/html" in data and MIME_TYPE not in data for data in outputs)
    return is_foreign or "<" in str([nb.metadata.get("abstract"), *texts])
