"""Results and figures in programs that know nothing of them: nbconvert, pandoc, Typst, LaTeX.

Which kind of output is taken where: notebooks and their HTML exports take ``text/html`` and
``image/svg+xml``; Quarto takes ``text/markdown`` first for paper; nbconvert's LaTeX takes
``text/latex`` and ``application/pdf``, which spares it a call of Inkscape.
"""

import os
import re
import shutil
import subprocess

import bs4
import nbformat
import numpy as np
import pypandoc
import pytest
import typst
from cells import output_of
from kinds import MADE, NAMES, experiment
from nbconvert.exporters import HTMLExporter, LatexExporter
from nbformat.v4 import new_code_cell, new_notebook

import nbcompare as nbc
from nbcompare import plots
from nbcompare import results as results_of
from nbcompare._render.parts import DRAWING
from nbcompare.report.tables import latex_supplement
from nbcompare.results import Result

pytestmark = pytest.mark.slow

KINDS = {
    "text/plain", "text/html", "text/markdown", "text/latex", "text/x-typst",
    "application/vnd.nbcompare.v1+json",
}  # fmt: skip
# What the stock template loads, and a plain TeX distribution lacks.
EXTRA = (
    "tcolorbox", "upquote", "eurosym", "ucs", "adjustbox", "titling", "enumitem", "ulem", "soul",
    "mathrsfs",
)  # fmt: skip
STAND_INS = r"""\newenvironment{tcolorbox}[1][]{}{}
\renewcommand{\boxspacing}{}\renewcommand{\prompt}[4]{}
\newcommand{\adjustimage}[2]{\includegraphics[width=0.8\linewidth]{#2}}
"""


@pytest.fixture(scope="module")
def results():
    return {name: make() for name, make in MADE.items()}


@pytest.fixture(scope="module")
def notebook(results):
    """Every result, every section, and figures, each displayed by a cell."""
    shown = [one for result in results.values() for one in views(result)]
    comparison = results["Comparison"]
    shown += [comparison.section("letters"), experiment()]
    shown += [plots.cd_diagram(comparison), plots.pvalue_matrix(comparison)]
    builder = nbc.CDDiagramBuilder(experiment())
    left = [output_of(one) for one in builder._live.bundles(builder._live.open())]
    builder.close()
    cells = [new_code_cell("x", execution_count=1, outputs=[output_of(one)]) for one in shown]
    cells.append(new_code_cell("builder", execution_count=1, outputs=left))
    return new_notebook(cells=cells, metadata={"language_info": {"name": "python"}})


def views(result):
    return [result, *map(result.section, result.sections)]


def test_no_result_is_left_out():
    for name in results_of.__all__:
        getattr(results_of, name)  # a class is known once it is imported
    assert set(MADE) == {kind.__name__ for kind in Result._kinds()}


@pytest.mark.parametrize("name", MADE)
def test_every_result_says_everything_in_every_form(results, name):
    for shown in views(results[name]):
        bundle = shown._repr_mimebundle_()
        assert set(bundle) == KINDS
        assert shown.to_latex()
        assert "usepackage" not in shown.to_latex(booktabs=False)
        assert shown.to_markdown()
        assert typst.compile(shown.to_typst().encode(), format="pdf")[:5] == b"%PDF-"
        assert typst.compile(bundle["text/x-typst"].encode(), format="pdf")[:5] == b"%PDF-"


@pytest.mark.parametrize("name", MADE)
def test_html_of_a_result_styles_nothing_but_itself(results, name):
    for shown in views(results[name]):
        soup = bs4.BeautifulSoup(shown._repr_mimebundle_()["text/html"], "html.parser")
        assert not soup.find_all(["style", "script", "link", "meta"])
        assert not soup.find_all(id=True)
        assert {tag["style"] for tag in soup.find_all(style=True)} <= {
            "text-align:right",
            "text-align:left",
        }  # no colour, in either theme


def test_figures_style_nothing_but_themselves(results):
    bundle, _ = plots.cd_diagram(results["Comparison"])._repr_mimebundle_()
    others = {"text/plain", "image/svg+xml", "image/png", "application/pdf"}
    assert set(bundle) == others | {DRAWING}  # which only our own page knows
    assert "<style" not in bundle["image/svg+xml"]
    assert 'style="stroke-linejoin: round; stroke-linecap: butt"' in bundle["image/svg+xml"]
    assert bundle["application/pdf"][:5] == b"%PDF-"


@pytest.mark.parametrize("template", ["lab", "classic"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_stock_html(notebook, template, theme):
    page, _ = HTMLExporter(template_name=template, theme=theme).from_notebook_node(notebook)
    soup = bs4.BeautifulSoup(page, "html.parser")
    found = soup.find_all("div", class_="nbcompare")
    assert len(found) == len(notebook.cells) - 2
    assert len(soup.find_all("img", src=re.compile("^data:image/svg"))) == 3
    assert not [tag for tag in soup.find_all("script") if "alert(1)" in tag.text]
    assert NAMES[0] in {cell.text for cell in soup.find_all("th")}


def test_stock_latex(notebook, tmp_path, monkeypatch):
    source, resources = latex_of(notebook, monkeypatch)
    assert r"\begin{longtable}" in source
    pictures = [name for name in resources["outputs"] if name.endswith(".pdf")]
    assert len(pictures) == 3  # the last one is what a builder left
    assert sum(source.count(f"{{{name}}}") for name in pictures) == 3


def latex_of(notebook, monkeypatch):
    folder = os.path.dirname(pypandoc.get_pandoc_path())  # noqa: PTH120
    monkeypatch.setenv("PATH", folder, prepend=os.pathsep)
    return LatexExporter().from_notebook_node(nbformat.from_dict(dict(notebook)))


needs_latex = pytest.mark.skipif(
    not shutil.which("pdflatex") and "NBCOMPARE_REQUIRE_LATEX" not in os.environ,
    reason="needs pdflatex (Debian: texlive-latex-recommended lmodern)",
)


def compile_latex(folder, source):
    (folder / "paper.tex").write_text(source, encoding="utf-8")
    line = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
    run = subprocess.run(line, cwd=folder, capture_output=True, text=True, errors="replace")
    assert run.returncode == 0, run.stdout[-2000:]
    return run.stdout


@needs_latex
def test_stock_latex_compiles(notebook, tmp_path, monkeypatch):
    """The stock template, with stand-ins for packages that draw frames around code."""
    source, resources = latex_of(notebook, monkeypatch)
    start = source.index(r"\IfFileExists{alphabeta")
    source = source[:start] + source[source.index(r"\else", start) :]
    source = re.sub(rf"\\usepackage(\[[^\]]*\])?\{{({'|'.join(EXTRA)})\}}", "", source)
    source = re.sub(r"\\(adjustboxset|tcbset)\{.*", "", source)
    source = source.replace(r"\begin{document}", STAND_INS + r"\begin{document}", 1)
    for name, data in resources["outputs"].items():
        (tmp_path / name).write_bytes(data)
    compile_latex(tmp_path, source)


@needs_latex
@pytest.mark.parametrize("booktabs", [True, False])
def test_tables_for_a_paper_compile(results, tmp_path, booktabs):
    packages = r"\usepackage{array,booktabs,longtable}" if booktabs else ""
    bodies = [
        one.to_latex(booktabs=booktabs) for result in results.values() for one in views(result)
    ]
    labelled = results["Comparison"].to_latex(
        "ranks", booktabs=booktabs, caption=f"Ranks {NAMES[0]}", label="tab:x"
    )
    text = "\n\\clearpage\n".join([*bodies, labelled, r"See \ref{tab:x}."])
    head = rf"\documentclass{{article}}\usepackage[T1]{{fontenc}}{packages}\begin{{document}}"
    log = compile_latex(tmp_path, f"{head}\\sloppy\n{text}\n\\end{{document}}\n")
    assert "multiply defined" not in log
    # tables keep to the line, about; sentences with such names do, if words may stand apart
    wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)]
    assert max(wide, default=0) < 25


GREEK = ["β-VAE", "TD(λ)", "μ → ≈", "✓ ★ ■", "α₁², ∇f ≠ ∞", "A* ↔ ∂"]


@needs_latex
def test_greek_and_common_symbols_need_no_unicode_engine(tmp_path):
    scores = np.random.default_rng(0).normal(size=(12, len(GREEK))) + np.arange(len(GREEK))
    data = nbc.Experiment.from_array(
        scores, direction="maximize", algorithms=GREEK, measure="F₁ → 1"
    )
    result = nbc.compare(data)
    bodies = [result.to_latex(section) for section in ("ranks", "hypotheses", "methods")]
    assert "Beyond pdfLaTeX" not in "".join(bodies)
    assert r"$\beta$-VAE" in bodies[0]
    assert r"TD($\lambda$)" in bodies[0]
    packages = {*re.findall(r"[\w]+(?=[,}])", "".join(re.findall(r"% Needs .*", "".join(bodies))))}
    assert "amssymb" in packages
    head = (
        rf"\documentclass{{article}}\usepackage[T1]{{fontenc}}\usepackage{{{','.join(packages)}}}"
    )
    text = "\n\\clearpage\n".join(bodies)
    compile_latex(tmp_path, f"{head}\\begin{{document}}\n{text}\n\\end{{document}}\n")
    # and a whole document
    supplement = latex_supplement(data, rankings=["friedman"], title=GREEK[0])
    compile_latex(tmp_path, supplement)


@pytest.mark.parametrize("to", ["typst", "latex"])
def test_by_the_markdown_that_quarto_takes(results, to):
    """Through pandoc, as Quarto does, every name comes out as text."""
    text = results["Comparison"].section("ranks")._repr_mimebundle_()["text/markdown"]
    found = pypandoc.convert_text(text, to, "markdown", extra_args=["--columns=72"])
    if to == "typst":
        assert typst.compile(found.encode(), format="pdf")[:5] == b"%PDF-"
        again = pypandoc.convert_text(found, "html", "typst")
    else:
        again = pypandoc.convert_text(found, "html", "latex")
    soup = bs4.BeautifulSoup(again, "html.parser")
    assert set(NAMES) <= {" ".join(cell.get_text().split()) for cell in soup.find_all("td")}
