"""User guide from the notebooks of the repository, which are not copied into version control.

Before Sphinx reads its sources, each notebook is written to ``guide``, without its outputs, so
that it is executed while the site is built; those of long studies keep their outputs. A page
ends with how to report its answer in a paper: a cell that prints what the result itself says.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from freshness import PACKAGE, is_newer
from nbclient import NotebookClient
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from nbcompare import results
from nbcompare._render.rich import darkened
from nbcompare.results._json import MIME_TYPE

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
_VIEW = "application/vnd.jupyter.widget-view+json"
_LINK = re.compile(r"\]\((?P<file>\d\d_\w+\.ipynb)?#(?P<anchor>[^)\s]+)\)")
_NO_SLUG = re.compile(r"[^\w\- ]")


@dataclass(frozen=True)
class Page:
    """A notebook, and the lines that print a paragraph for a paper from one of its results.

    The outputs of a notebook that is ``stored`` are shown as they are, and its result is read from
    the output that shows it.
    """

    stem: str
    report: str
    stored: bool = False


PAGES = (
    Page("01_quickstart", "comparison.section('methods')"),
    Page("02_control_and_all_pairs", "against.section('methods')"),
    Page(
        "03_stochastic_algorithms",
        "runs = nbc.datasets.load('stochastic_cv')\n"
        "nbc.compare_stochastic(runs).section('methods')",
    ),
    Page(
        "04_convergence",
        "logs = nbc.datasets.load('convergence_de')\n"
        "nbc.compare_convergence(logs, optimum_tolerance=1e-8).section('methods')",
    ),
    Page("05_builders", "builder.result.section('methods')"),
    Page("06_from_your_files", "nbc.compare(leaderboard).section('methods')"),
    Page(
        "07_beyond_p_values",
        "scores = nbc.datasets.load('demsar2006')\n"
        "nbc.compare_bayesian(scores, rope=0.01).section('methods')",
    ),
    Page("08_power_2013", "print(of_paper_2.section('method'))", stored=True),
    Page("09_crossvalidation_2006", "print(double.section('method'))", stored=True),
)
_REPORT = """## How to report this in a paper

Every result writes its own methods paragraph: what was compared and how, with the options that
were used and their sources. Copy it, and change what does not suit your paper."""


def slug(anchor: str) -> str:
    """Return the anchor that the site gives to a heading, from that of Jupyter."""
    return _NO_SLUG.sub("", anchor.lower())


def as_on_site(text: str) -> str:
    """Return Markdown of a notebook with the links that are right on the site."""
    text = _LINK.sub(lambda m: f"]({m['file'] or ''}#{slug(m['anchor'])})", text)
    return text.replace("](../docs/", "](../")


def stored_result(book: nbformat.NotebookNode, name: str) -> Any:
    """Return the result of that name from the output of a cell that ends with it or a section."""
    (found,) = (
        output.data[MIME_TYPE]
        for cell in book.cells
        if cell.cell_type == "code" and cell.source.splitlines()[-1].partition(".")[0] == name
        for output in cell.outputs
        if MIME_TYPE in output.get("data", {})
    )
    return getattr(results, found["class"]).from_json(json.dumps(found["result"]))


def _printed(code: str, names: dict[str, Any]) -> Any:
    """Return the output of lines that are run here, as a notebook stores it."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(code, names)
    return nbformat.v4.new_output("stream", name="stdout", text=shown.getvalue())


def prepared(page: Page) -> nbformat.NotebookNode:
    """Return a notebook as the site builds it."""
    book = nbformat.read(NOTEBOOKS / f"{page.stem}.ipynb", as_version=4)
    for cell in book.cells:
        if cell.cell_type == "markdown":
            cell.source = as_on_site(cell.source)
        elif not page.stored:
            cell.outputs, cell.execution_count = [], None
        else:
            for output in cell.outputs:
                if text := output.get("data", {}).get("text/markdown"):
                    output.data["text/markdown"] = as_on_site(text)
    last = nbformat.v4.new_code_cell(page.report)
    if page.stored:
        name = page.report.removeprefix("print(").partition(".")[0]
        names = {name: stored_result(book, name)}
        last.outputs, last.execution_count = [_printed(page.report, names)], 1
    for number, cell in enumerate((nbformat.v4.new_markdown_cell(_REPORT), last)):
        cell.id = f"report-{number}"  # the same at each build
        book.cells.append(cell)
    return book


def write(app: Sphinx) -> None:
    """Write the notebooks, unless they are newer than the package."""
    for page in PAGES:
        there = Path(app.srcdir) / "guide" / f"{page.stem}.ipynb"
        if not is_newer(there, NOTEBOOKS / f"{page.stem}.ipynb", PACKAGE, Path(__file__)):
            nbformat.write(prepared(page), there)


class Pictures(SphinxPostTransform):
    """Give pictures of cells their text and a dark twin; take away live widgets.

    Each output of a cell is here in all its formats, and one is taken afterwards. A widget needs
    a kernel, and scripts of another host: the picture that a builder shows after it stands alone.
    """

    default_priority = 3  # before MyST-NB takes one format of each output

    def run(self, **_: Any) -> None:
        """Look at each output."""
        for bundle in list(self.document.findall(nodes.container)):
            if bundle.get("nb_element") != "mime_bundle":
                continue
            formats = {part["mime_type"]: part for part in bundle.children}
            if _VIEW in formats:
                bundle.parent.remove(bundle)
                continue
            text = formats["text/plain"].astext() if "text/plain" in formats else ""
            alt = text.removeprefix("<Plot: ").removesuffix(">")
            for kind, part in formats.items():
                if kind.startswith("image/"):
                    self._complete(part, alt, is_drawing=kind == "image/svg+xml")

    def _complete(self, part: nodes.Element, alt: str, *, is_drawing: bool) -> None:
        for image in list(part.findall(nodes.image)):
            image["alt"] = alt
            source = Path(self.app.srcdir) / image["uri"]
            if not is_drawing or not source.exists():
                continue
            light = source.read_text(encoding="utf-8")
            dark = darkened(light)
            if dark == light:
                continue
            twin = image.copy()
            path = source.with_name(f"{source.stem}-dark.svg")
            path.write_text(dark, encoding="utf-8")
            twin["uri"] = str(Path(image["uri"]).with_name(path.name))
            twin["candidates"] = {"*": twin["uri"]}
            self.env.images.add_file(self.env.docname, twin["uri"])  # so that it is copied
            image["classes"], twin["classes"] = ["only-light"], ["only-dark"]
            image.parent.append(twin)


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the notebooks before the sources are read."""
    # The state of all widgets, megabytes, would be stored in each page. MyST-NB has no setting.
    NotebookClient.store_widget_state = False
    app.connect("builder-inited", write)
    app.add_post_transform(Pictures)
    app.add_css_file("results.css")
    return {"parallel_read_safe": True}
