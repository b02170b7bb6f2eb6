"""Files of figures: their size, their fonts, their bytes, and what LaTeX makes of them."""

import os
import re
import shutil
import subprocess
import warnings
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font
from matplotlib.text import Text
from PIL import Image

import nbcompare as nbc
from nbcompare import plots
from nbcompare.plots import _text, save

HOSTILE = [
    r"C4.5_m & 100% $x^2$ \input{x}",
    "<script>alert(1)</script>",
    "#let x = 1; *_",
    "naïve–Bayes ~^{}",
]
SUFFIXES = ("pdf", "svg", "pgf", "png")


@pytest.fixture(scope="module")
def plan(simulated, planned):
    return planned(simulated(14, 2))


@pytest.fixture(scope="module")
def plot(plan):
    """A plot that stays as it is."""
    return plots.planning_curve(plan)


def whole(figure):
    """A plot on axes of a figure that somebody made."""
    return plots.Plot(figure, figure.axes[0], {}, "It.", shown=False)


@pytest.fixture
def own():
    """A figure that somebody made, with names that are no markup."""
    figure = Figure(figsize=(6, 3))
    left, right = figure.subplots(1, 2)
    left.scatter([1, 2], [3, 4])
    left.set_title("$x^2$")
    for place, name in enumerate(HOSTILE):
        right.text(0.1, place / 4, name, parse_math=False)
    return figure


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


@pytest.mark.parametrize(
    ("suffix", "width", "inches"),
    [
        ("pdf", "double-column", 7.16),
        ("svg", "single-column", 3.5),
        ("png", 4.2, 4.2),
        ("png", "double-column", 7.16),
        ("pgf", "single-column", 3.5),
        ("pgf", 9, 9),
    ],
)
def test_a_plot_has_the_width_asked_for_with_text_as_large(plot, tmp_path, suffix, width, inches):
    path = save(plot, tmp_path / f"it.{suffix}", width=width)
    high = plot.narrower(inches).figure.get_size_inches()[1]
    assert inches_of(path) == pytest.approx((inches, high), abs=0.01)
    if suffix == "pgf":
        assert set(re.findall(r"fontsize\{([\d.]+)\}", path.read_text())) == {"8.000000"}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_of_axes_that_were_given_the_whole_figure_is_written_as_it_is(own, plan, tmp_path, suffix):
    plot = plots.planning_curve(plan, ax=own.axes[0])
    assert inches_of(save(plot, tmp_path / f"it.{suffix}")) == pytest.approx((6, 3), abs=0.01)
    with pytest.raises(ValueError, match=r"^`width` must be left out for a plot on axes that were"):
        save(plot, tmp_path / f"other.{suffix}", width=4)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.slow
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("width", [3.5, 6.5])
def test_two_calls_write_the_same_bytes_and_leave_the_figure_as_it_was(
    plan, plot, tmp_path, suffix, width
):
    before = plot._repr_mimebundle_()
    files = [
        save(it, tmp_path / f"{number}.{suffix}", width=width)
        for number, it in enumerate((plot, plot, plots.planning_curve(plan)))
    ]
    assert len({file.read_bytes() for file in files}) == 1
    assert plot._repr_mimebundle_() == before


@pytest.mark.slow
def test_fonts_are_in_the_pdf_and_the_title_says_what_is_shown(plot, tmp_path):
    data = save(plot, tmp_path / "cd.pdf").read_bytes()
    assert b"/FontFile2" in data  # TrueType, embedded
    assert b"/Type3" not in data
    assert b"CreationDate" not in data
    title = re.search(rb"/Title \(((?:[^()\\]|\\.)*)\)", data, re.DOTALL)[1]
    assert b"C\x00u\x00r\x00v" in title or b"\x00C\x00u\x00r\x00v" in title
    with Image.open(save(plot, tmp_path / "cd.png")) as picture:
        assert picture.info["Title"] == plot.alt
    root = ElementTree.parse(save(plot, tmp_path / "cd.svg")).getroot()
    assert root.find("{http://www.w3.org/2000/svg}title").text == plot.alt
    assert save(plot, tmp_path / "cd.pgf").read_text().startswith(f"%% {plot.alt}\n")


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
        ({"width": 2}, ValueError, "`width` must be inches, from 2.2 to 40, or "
         "'single-column', 'text-width' or 'double-column'; got 2."),
        ({"width": True}, ValueError, "`width` must be inches, from 2.2 to 40, or "
         "'single-column', 'text-width' or 'double-column'; got True."),
        ({"width": float("nan")}, ValueError, "`width` must be inches, from 2.2 to 40, or "
         "'single-column', 'text-width' or 'double-column'; got nan."),
        ({"dpi": 0}, ValueError, "`dpi` must be a whole number of at least 1; got 0."),
        ({"plot": "cd"}, TypeError,
         "`plot` must be a Plot, as the figures of nbcompare.plots are; got 'cd'. A figure of your "
         "own has `savefig`."),
    ],
)  # fmt: skip
def test_errors(plot, tmp_path, monkeypatch, options, error, message):
    monkeypatch.chdir(tmp_path)
    given = {"plot": plot, "path": "cd.pdf"} | options
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        save(given.pop("plot"), given.pop("path"), **given)


def test_a_folder_that_is_not_there(plot, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"cd\.pdf: there is no folder .*nowhere\.$"):
        save(plot, tmp_path / "nowhere" / "cd.pdf")


@pytest.fixture
def bare_machine(monkeypatch):
    """Only the fonts that come with Matplotlib are there."""
    monkeypatch.setattr(_text, "_family_with", lambda letter: "")


@pytest.mark.usefixtures("bare_machine")
@pytest.mark.parametrize("suffix", ["png", "pgf"])
def test_letters_that_the_font_lacks_are_an_error_that_names_them(own, tmp_path, suffix):
    own.suptitle("决策树")
    (tmp_path / f"it.{suffix}").write_text("old")
    with pytest.raises(
        ValueError, match=r"^no font on this machine has '决', '树' and '策'\. Install one"
    ):
        save(whole(own), tmp_path / f"it.{suffix}")
    assert (tmp_path / f"it.{suffix}").read_text() == "old"


@pytest.mark.usefixtures("bare_machine")
def test_a_figure_names_the_letters_that_no_font_has_once(plan):
    plot = plots.planning_curve(plan)
    plot.ax.set_title("决策树 B\N{VARIATION SELECTOR-16}")
    with pytest.warns(UserWarning, match="Boxes") as caught:
        _, about = plot._repr_mimebundle_()
    assert [str(one.message) for one in caught] == [
        "Boxes stand for CJK letters, which no font on this machine has; install one that has "
        "them, such as Noto's."
    ]
    assert about["image/svg+xml"]["note"] == str(caught[0].message)


def test_letters_come_from_a_font_that_is_on_the_machine(plan, tmp_path):
    """A font of Matplotlib's own stands for one of the machine: it has a letter DejaVu lacks."""
    others = {
        chr(code): entry.name
        for entry in _text.fontManager.ttflist
        if entry.name.startswith("STIX")
        for code in get_font(entry.fname).get_charmap()
    }
    own = get_font(findfont("DejaVu Sans")).get_charmap()
    letter = next(one for one in sorted(others) if ord(one) not in own and one.isprintable())
    plot = plots.planning_curve(plan)
    plot.ax.set_title(letter)
    assert save(plot, tmp_path / "it.svg").exists()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, about = plot._repr_mimebundle_()
    assert "note" not in about["image/png"]
    families = {text.get_text(): text.get_fontfamily() for text in plot.figure.findobj(Text)}
    assert len(families["power"]) == 1
    assert len(families[letter]) == 2
    assert ord(letter) in get_font(findfont(families[letter][1])).get_charmap()


def test_a_figure_is_laid_out_once(monkeypatch):
    plot = plots.cd_diagram(nbc.compare(nbc.datasets.load("demsar2006")))
    monkeypatch.setattr(Figure, "draw_without_rendering", None)
    plot._repr_mimebundle_()


def test_arabic_words_do_not_change_the_order_of_the_others():
    scores = np.arange(24.0).reshape(12, 2)
    names = ["\u062e\u0648\u0627 0", "SVM"]
    experiment = nbc.Experiment.from_array(scores, direction="maximize", algorithms=names)
    texts = plots.pair_scatter(nbc.compare_pair(experiment, *names)).figure.findobj(Text)
    assert "score of \u2068\u062e\u0648\u0627\u2069 0" in [text.get_text() for text in texts]


def test_a_font_that_was_installed_later_is_found(tmp_path, monkeypatch):
    """Matplotlib keeps its list of fonts; STIX stands for a font that is not in it."""
    path = findfont("STIXGeneral")
    own = get_font(findfont("DejaVu Sans")).get_charmap()
    letter = chr(min(get_font(path).get_charmap().keys() - own.keys()))
    monkeypatch.setattr(_text.fontManager, "ttflist", [])
    monkeypatch.setattr(_text, "findSystemFonts", lambda: [str(tmp_path / "no.ttf"), path])
    caches = (_text._family_with, _text._new_fonts)
    for cache in caches:
        cache.cache_clear()
    try:
        assert [_text._family_with(each) for each in (letter, "决")] == ["STIXGeneral", ""]
    finally:
        for cache in caches:
            cache.cache_clear()


# --------------------------------------------------------------------------------- pgf


def texts_of(path):
    return re.findall(r"\\pgftext\[.*?\]\{(.*)\}%$", path.read_text(), re.MULTILINE)


def test_pgf_has_text_in_the_fonts_of_the_paper(own, tmp_path):
    texts = texts_of(save(whole(own), tmp_path / "it.pgf"))
    assert any(r"C4.5\_m \& 100\% \$x\textasciicircum{}2\$" in text for text in texts)
    assert all("sffamily" in text and "setmainfont" not in text for text in texts)


def test_pgf_draws_what_pdflatex_lacks(own, tmp_path):
    before = len(texts_of(save(whole(own), tmp_path / "it.pgf")))
    own.text(0.5, 0.5, "◆ a mark")
    path = save(whole(own), tmp_path / "it.pgf")
    assert len(texts_of(path)) == before
    assert "◆" not in path.read_text()


def test_pgf_holds_no_pictures(tmp_path):
    figure = Figure()
    figure.subplots().imshow([[1, 2]])
    with pytest.raises(ValueError, match=r"^`plot` contains an image, which \.pgf cannot hold; "):
        save(whole(figure), tmp_path / "x.pgf")


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
def test_pgf_compiles(own, plot, tmp_path):
    for place, name in enumerate(["β-VAE", "TD(λ) ✓"]):
        own.axes[0].text(0.5, place / 2, name)
    save(whole(own), tmp_path / "own.pgf")
    save(plot, tmp_path / "plot.pgf", width="text-width")
    paper = (
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{lmodern,pgf}\n"
        "\\begin{document}\\noindent\\input{own.pgf}\n\n\\input{plot.pgf}\\end{document}\n"
    )
    (tmp_path / "paper.tex").write_text(paper)
    line = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
    run = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert run.returncode == 0, run.stdout[-2000:]


def test_an_overview_is_drawn_for_its_room():
    result = nbc.compare(nbc.datasets.load("demsar2006_ranks"), adjust="nemenyi")
    wide, narrow = plots.overview(result), plots.overview(result, width="single-column")
    assert wide.figure.get_size_inches()[0] > 5
    assert narrow.figure.get_size_inches()[0] < 4.2
    sizes = [
        {t.get_fontsize() for t in p.figure.findobj(Text) if t.get_text()} for p in (wide, narrow)
    ]
    assert sizes[0] == sizes[1]
    with pytest.raises(ValueError, match=r"`width` must be .* got 'wide'"):
        plots.overview(result, width="wide")
