"""Files of figures: their size, their fonts, their bytes, and what LaTeX makes of them."""

import os
import re
import shutil
import subprocess
import warnings
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font
from matplotlib.text import Text
from PIL import Image

import nbcompare as nbc
from nbcompare import plots
from nbcompare.plots import _fonts, _save, save

HOSTILE = [
    r"C4.5_m & 100% $x^2$ \input{x}",
    "<script>alert(1)</script>",
    "#let x = 1; *_",
    "naïve–Bayes ~^{}",
]
SUFFIXES = ("pdf", "svg", "pgf", "png")


@pytest.fixture(scope="module")
def result():
    return nbc.compare(nbc.datasets.load("demsar2006_ranks"), adjust="nemenyi")


@pytest.fixture
def plot(result):
    return plots.cd_diagram(result)


def inches_of(path):
    """Width and height that a file says it has."""
    if path.suffix == ".png":
        with Image.open(path) as picture:
            return tuple(np.array(picture.size) / picture.info["dpi"])
    text = path.read_text(encoding="latin-1")
    pattern, per_inch = {
        ".pdf": (r"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", 72),
        ".svg": (r'width="([\d.]+)pt" height="([\d.]+)pt"', 72),
        ".pgf": (r"pgfqpoint\{([\d.]+)in\}\{([\d.]+)in\}\}%", 1),
    }[path.suffix]
    return tuple(float(number) / per_inch for number in re.search(pattern, text).groups())


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(("width", "inches"), [("double-column", 7.16), (4.2, 4.2), (None, None)])
def test_the_page_has_the_size_asked_for(plot, tmp_path, suffix, width, inches):
    path = save(plot, tmp_path / f"cd.{suffix}", width=width)
    natural = plot.figure.get_size_inches()
    assert inches_of(path)[0] == pytest.approx(inches or natural[0], abs=0.01)
    # a small figure is not enlarged
    assert inches_of(path)[1] <= natural[1] + 0.01


@pytest.mark.slow
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_two_calls_write_the_same_bytes_and_leave_the_figure_as_it_was(
    result, plot, tmp_path, suffix
):
    before = plot._repr_mimebundle_()
    one = save(plot, tmp_path / f"a.{suffix}", width=3.5).read_bytes()
    assert save(plots.cd_diagram(result), tmp_path / f"b.{suffix}", width=3.5).read_bytes() == one
    assert plot._repr_mimebundle_() == before


def test_it_is_drawn_again_with_a_shorter_axis_before_text_shrinks(plot, tmp_path):
    save(plot, tmp_path / "cd.svg", width="single-column")
    narrow = plot.narrower(3.5)
    assert narrow.figure.get_size_inches()[0] < plot.figure.get_size_inches()[0]
    sizes = [{t.get_fontsize() for t in p.figure.findobj(Text)} for p in (plot, narrow)]
    assert sizes[0] == sizes[1]
    # only as short as needed, but not below the shortest
    assert plot.narrower(4.6).figure.get_size_inches()[0] == pytest.approx(4.6)
    assert narrow.figure.get_size_inches()[0] > 3.5


@pytest.mark.slow
def test_a_control_fits_a_column_too(tmp_path):
    """Its caption is long and its name has a word more: both take lines of their own."""
    design = {"pairs": "ranks", "adjust": "bonferroni", "method": "normal"}
    comparison = nbc.compare(nbc.datasets.load("demsar2006"), control="C4.5", **design)
    plot = plots.cd_diagram(comparison)
    save(plot, tmp_path / "cd.pdf", width="single-column")
    narrow = plot.narrower(3.5)
    texts = [text.get_text() for text in narrow.figure.findobj(Text)]
    assert "C4.5\n(control)" in texts
    assert "p by the normal law, Bonferroni–Dunn, α = 0.05, 14" in texts
    assert narrow.alt == plot.alt


def test_text_and_lines_shrink_together(result):
    figure = plots.rank_bars(result).figure
    large = measured(figure)
    size = figure.get_size_inches() / 2
    with _save._resized(figure, tuple(size), 0.5):
        small = measured(figure)
    assert measured(figure) == large
    for name in ("fontsize", "linewidth"):
        assert [0.5 * value for value in large[name]] == pytest.approx(small[name])
    # whatever its size, text has its place and its share of the page
    assert np.abs(np.subtract(small["places"], large["places"])).max() < 0.01


def measured(figure):
    renderer = FigureCanvasAgg(figure).get_renderer()
    ax, inverse = figure.axes[0], figure.transFigure.inverted()
    texts = [text for text in ax.texts if text.get_text()]
    boxes = [text.get_window_extent(renderer).transformed(inverse) for text in texts]
    return {
        "fontsize": [text.get_fontsize() for text in texts],
        "linewidth": [one.get_linewidth() for one in (*ax.lines, *ax.patches)],
        "places": [box.extents.tolist() for box in boxes],
    }


def test_too_small_for_its_text(result, tmp_path):
    plot = plots.rank_bars(result)
    message = re.escape("`width` of 2 inches would print the smallest text of this figure at ")
    with pytest.raises(ValueError, match=f"^{message}") as caught:
        save(plot, tmp_path / "r.pdf", width=2)
    assert not list(tmp_path.iterdir())
    enough = float(re.search(r"at least ([\d.]+) inches, or shrink=True\.$", str(caught.value))[1])
    save(plot, tmp_path / "r.svg", width=enough)
    with pytest.raises(ValueError, match=r"^`width` of"):
        save(plot, tmp_path / "r.svg", width=enough - 0.02)
    save(plot, tmp_path / "r.svg", width=2, shrink=True)
    with pytest.raises(ValueError, match=r"^`height` of 0\.5 inches would"):
        save(plot, tmp_path / "r.svg", height=0.5)


def test_a_page_that_is_given_both_ways_has_the_drawing_in_the_middle(plot, tmp_path):
    path = save(plot, tmp_path / "cd.png", width=8, height=4, dpi=50)
    with Image.open(path) as picture:
        ink = np.argwhere(np.asarray(picture.convert("L")) < 200)
        assert picture.size == (400, 200)
    middle = (ink.min(axis=0) + ink.max(axis=0)) / 2
    assert middle == pytest.approx((100, 200), abs=8)


@pytest.mark.slow
def test_fonts_are_in_the_pdf_and_the_title_says_what_is_shown(plot, tmp_path):
    data = save(plot, tmp_path / "cd.pdf").read_bytes()
    assert b"/FontFile2" in data  # TrueType, embedded
    assert b"/Type3" not in data
    assert b"CreationDate" not in data
    title = re.search(rb"/Title \(((?:[^()\\]|\\.)*)\)", data, re.DOTALL)[1]
    assert b"C\x00r\x00i\x00t" in title or b"\x00C\x00r\x00i\x00t" in title
    with Image.open(save(plot, tmp_path / "cd.png")) as picture:
        assert picture.info["Title"] == plot.alt
    root = ElementTree.parse(save(plot, tmp_path / "cd.svg")).getroot()
    assert root.find("{http://www.w3.org/2000/svg}title").text == plot.alt
    assert save(plot, tmp_path / "cd.pgf").read_text().startswith(f"%% {plot.alt}\n")


@pytest.mark.parametrize("suffix", ["svg", "pgf"])
def test_axes_and_figures_of_ones_own(result, tmp_path, suffix):
    figure = Figure(figsize=(6, 3))
    left, right = figure.subplots(1, 2)
    left.scatter([1, 2], [3, 4])
    left.set_title("$x^2$")
    drawn = plots.cd_diagram(result, ax=right)
    one = save(drawn, tmp_path / f"a.{suffix}").read_bytes()
    two = save(left, tmp_path / f"b.{suffix}").read_bytes()
    assert (len(one), two) == (pytest.approx(len(two), abs=2000), two)
    assert two == save(figure, tmp_path / f"b.{suffix}").read_bytes()


def test_a_png_has_the_dots_asked_for(plot, tmp_path):
    with Image.open(save(plot, tmp_path / "cd.PNG", width=5, dpi=600)) as picture:
        assert picture.size[0] == 3000


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"path": "cd.eps"}, ValueError,
         "`path` must end in .pdf, .svg, .pgf or .png; got 'cd.eps'."),
        ({"path": 3}, TypeError, "`path` must be a path; got 3."),
        ({"width": "column"}, ValueError, "`width` must be 'single-column', 'text-width' or "
         "'double-column'; got 'column'. Did you mean 'single-column'?"),
        ({"width": 0}, ValueError, "`width` must be inches, above 0 and at most 40, or "
         "'single-column', 'text-width' or 'double-column'; got 0."),
        ({"width": True}, ValueError, "`width` must be inches, above 0 and at most 40, or "
         "'single-column', 'text-width' or 'double-column'; got True."),
        ({"height": float("nan")}, ValueError,
         "`height` must be inches, above 0 and at most 40; got nan."),
        ({"dpi": 0}, ValueError, "`dpi` must be a whole number of at least 1; got 0."),
        ({"plot": "cd"}, TypeError,
         "`plot` must be a Plot, axes or a figure of matplotlib; got 'cd'."),
    ],
)  # fmt: skip
def test_errors(plot, tmp_path, monkeypatch, options, error, message):
    monkeypatch.chdir(tmp_path)
    given = {"plot": plot, "path": "cd.pdf"} | options
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        save(given.pop("plot"), given.pop("path"), **given)


def test_a_figure_without_text_may_be_of_any_size(tmp_path):
    path = save(Figure(figsize=(30, 2)), tmp_path / "lines.svg", width=3.5)
    assert inches_of(path)[0] == pytest.approx(3.5)


def test_a_folder_that_is_not_there(plot, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"cd\.pdf: there is no folder .*nowhere\.$"):
        save(plot, tmp_path / "nowhere" / "cd.pdf")


@pytest.fixture
def bare_machine(monkeypatch):
    """Only the fonts that come with Matplotlib are there."""
    monkeypatch.setattr(_fonts, "_entries", list)
    _fonts._family_with.cache_clear()
    yield
    _fonts._family_with.cache_clear()


@pytest.mark.usefixtures("bare_machine")
@pytest.mark.parametrize("suffix", ["png", "pgf"])
def test_letters_that_the_font_lacks_are_an_error_that_names_them(tmp_path, suffix):
    result = nbc.compare_ranks({"决策树": 1.2, "B": 2.3, "C": 2.5}, 10)
    plot = plots.cd_diagram(result)  # to measure them is no reason to warn
    (tmp_path / f"cd.{suffix}").write_text("old")
    with pytest.raises(
        ValueError, match=r"^no font on this machine has '决', '树' and '策'\. Install one"
    ):
        save(plot, tmp_path / f"cd.{suffix}")
    assert (tmp_path / f"cd.{suffix}").read_text() == "old"


@pytest.mark.usefixtures("bare_machine")
def test_a_figure_names_the_letters_that_no_font_has_once():
    result = nbc.compare_ranks({"决策树": 1.2, "B\N{VARIATION SELECTOR-16}": 2.3, "C": 2.5}, 10)
    with pytest.warns(UserWarning, match="Boxes") as caught:
        _, about = plots.cd_diagram(result)._repr_mimebundle_()
    assert [str(one.message) for one in caught] == [
        "Boxes stand for 决 (U+51B3), 树 (U+6811), 策 (U+7B56), which no font on this machine has; "
        "install one that has them, such as Noto's."
    ]
    assert about["image/svg+xml"]["note"] == str(caught[0].message)


def test_letters_come_from_a_font_that_is_on_the_machine(tmp_path, monkeypatch):
    """A font of Matplotlib's own stands for one of the machine: it has a letter DejaVu lacks."""
    others = {
        chr(code): entry.name
        for entry in _fonts._entries()
        if entry.name.startswith("STIX")
        for code in get_font(entry.fname).get_charmap()
    }
    own = get_font(findfont("DejaVu Sans")).get_charmap()
    letter = next(one for one in sorted(others) if ord(one) not in own and one.isprintable())
    plot = plots.cd_diagram(nbc.compare_ranks({letter: 1.2, "B": 2.3, "C": 2.5}, 10))
    path = save(plot, tmp_path / "cd.svg")
    assert path.exists()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, about = plot._repr_mimebundle_()
    assert "note" not in about["image/png"]
    families = {text.get_text(): text.get_fontfamily() for text in plot.figure.findobj(Text)}
    assert len(families["B"]) == 1
    assert len(families[letter]) == 2
    assert ord(letter) in get_font(findfont(families[letter][1])).get_charmap()


# --------------------------------------------------------------------------------- pgf


def texts_of(path):
    return re.findall(r"\\pgftext\[.*?\]\{(.*)\}%$", path.read_text(), re.MULTILINE)


def test_pgf_has_text_in_the_fonts_of_the_paper(tmp_path):
    ranks = dict(zip(HOSTILE, (1.2, 2.3, 2.5, 4.0), strict=True))
    plot = plots.cd_diagram(nbc.compare_ranks(ranks, 10))
    texts = texts_of(save(plot, tmp_path / "cd.pgf"))
    assert any(r"C4.5\_m \& 100\% \$x\textasciicircum{}2\$" in text for text in texts)
    assert all("sffamily" in text and "setmainfont" not in text for text in texts)


def test_pgf_draws_what_pdflatex_lacks(tmp_path):
    result = nbc.compare(nbc.datasets.load("demsar2006"), control="C4.5")
    plot = plots.cd_diagram(result)  # its legend has marks in it
    assert "◆" in "".join(text.get_text() for text in plot.ax.texts)
    path = save(plot, tmp_path / "cd.pgf")
    assert len(texts_of(path)) == sum(text.get_text() != "" for text in plot.ax.texts) - 1
    assert "◆" not in path.read_text()


def test_pgf_holds_no_pictures(tmp_path):
    figure = Figure()
    figure.subplots().imshow([[1, 2]])
    with pytest.raises(ValueError, match=r"^`plot` contains an image, which \.pgf cannot hold; "):
        save(figure, tmp_path / "x.pgf")


def has_pgf():
    finder = shutil.which("kpsewhich")
    return bool(finder) and bool(
        subprocess.run([finder, "pgf.sty"], capture_output=True, check=False).stdout
    )


@pytest.mark.slow
@pytest.mark.skipif(
    not has_pgf() and "NBCOMPARE_REQUIRE_LATEX" not in os.environ,
    reason="needs pgf (Debian: texlive-pictures)",
)
def test_pgf_compiles(simulated, tmp_path):
    names = [*HOSTILE, "β-VAE", "TD(λ) ✓"]
    result = nbc.compare(simulated(20, len(names), names=names), control=HOSTILE[1])
    for name in ("cd_diagram", "rank_bars", "pvalue_matrix"):
        save(getattr(plots, name)(result), tmp_path / f"{name}.pgf", width=6.5)
    paper = (
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{lmodern,pgf}\n"
        "\\begin{document}\\noindent\\input{cd_diagram.pgf}\n\n\\input{rank_bars.pgf}\n\n"
        "\\input{pvalue_matrix.pgf}\\end{document}\n"
    )
    (tmp_path / "paper.tex").write_text(paper)
    line = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
    run = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert run.returncode == 0, run.stdout[-2000:]


def test_an_overview_is_drawn_for_its_room(result):
    wide, narrow = plots.overview(result), plots.overview(result, width="single-column")
    assert wide.figure.get_size_inches()[0] > 5
    assert narrow.figure.get_size_inches()[0] < 4.2  # its names and numbers take the rest
    sizes = [
        {t.get_fontsize() for t in p.figure.findobj(Text) if t.get_text()} for p in (wide, narrow)
    ]
    assert sizes[0] == sizes[1]
    with pytest.raises(ValueError, match=r"`width` must be .* got 'wide'"):
        plots.overview(result, width="wide")
