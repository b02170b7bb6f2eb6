"""User guide from the notebooks of the repository, which are not copied into version control.

Before Sphinx reads its sources, each notebook is written to ``guide``, without its outputs, so
that it is executed while the site is built; those of long studies keep their outputs. A page begins
with the question that it answers, and ends with how to report the answer in a paper: a cell that
prints what the result itself says.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from built_files import PACKAGE, is_newer
from markup import contents, table

from nbcompare import results
from nbcompare.results._exports import MIME_TYPE

if TYPE_CHECKING:
    from sphinx.application import Sphinx

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
_LINK = re.compile(r"\]\((?P<file>\d\d_\w+\.ipynb)?#(?P<anchor>[^)\s]+)\)")
_NO_SLUG = re.compile(r"[^\w\- ]")


@dataclass(frozen=True)
class GuidePage:
    """A notebook, the question it answers, and lines that print a paragraph for a paper.

    The outputs of a notebook that is ``stored`` are shown as they are, and its result is read from
    the output that shows it.
    """

    stem: str
    question: str
    report: str
    stored: bool = False

    def read(self) -> nbformat.NotebookNode:
        """Return the notebook of the repository."""
        return nbformat.read(NOTEBOOKS / f"{self.stem}.ipynb", as_version=4)


PAGES = (
    GuidePage(
        "01_quickstart",
        "Which of my algorithms is better?",
        "comparison.section('methods')",
    ),
    GuidePage(
        "02_control_and_all_pairs",
        "Does my method beat the others, which algorithms differ, and why do other programs say "
        "otherwise?",
        "against.section('methods')",
    ),
    GuidePage(
        "03_stochastic_algorithms",
        "I have several seeds or folds: what may I conclude?",
        "runs = nbc.datasets.load('stochastic_cv')\n"
        "nbc.compare_stochastic(runs).section('methods')",
    ),
    GuidePage(
        "04_convergence",
        "Which optimiser converges faster?",
        "logs = nbc.datasets.load('convergence_de')\n"
        "nbc.compare_convergence(logs, optimum_tolerance=1e-8).section('methods')",
    ),
    GuidePage(
        "05_builders",
        "Can I do this without writing calls?",
        "builder.result.section('methods')",
    ),
    GuidePage(
        "06_from_your_files",
        "How do my files become an experiment?",
        "nbc.compare(leaderboard).section('methods')",
    ),
    GuidePage(
        "07_beyond_p_values",
        "How large, how probable, how often: what is there besides p-values?",
        "scores = nbc.datasets.load('demsar2006')\n"
        "nbc.compare_bayesian(scores, rope=0.01).section('methods')",
    ),
    GuidePage(
        "08_power_2013",
        "Which tests of repeated runs find differences, and which are misled?",
        "print(of_paper_2.section('methods'))",
        stored=True,
    ),
    GuidePage(
        "09_crossvalidation_2006",
        "Which tests of cross-validation keep their level?",
        "print(double.section('methods'))",
        stored=True,
    ),
    GuidePage(
        "10_language_models",
        "Which language model answers more questions?",
        "result.section('methods')",
    ),
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


def index() -> str:
    """Return a table of the questions and the pages that answer them, and the contents."""
    rows = ([page.question, f"[{_begun(page.read())[0]}]({page.stem}.ipynb)"] for page in PAGES)
    questions = table(["your question", "page"], rows)
    return f"{questions}\n\n{contents(page.stem for page in PAGES)}"


def _begun(book: nbformat.NotebookNode) -> tuple[str, str]:
    """Return the title of a notebook, and what follows it in the first cell."""
    title, _, rest = book.cells[0].source.partition("\n")
    return title.removeprefix("# "), rest


def prepared(page: GuidePage) -> nbformat.NotebookNode:
    """Return a notebook as the site builds it."""
    book = page.read()
    title, rest = _begun(book)
    book.cells[0].source = f"# {title}\n\n**{page.question}**\n{rest}"
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


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the notebooks before the sources are read."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
