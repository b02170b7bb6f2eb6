"""How results look: digits and theme change displays, and nothing else."""

import io
import math
import re

import numpy as np
import pytest
from cells import code, export, output_of
from hypothesis import given
from hypothesis import strategies as st
from kinds import MADE
from PIL import Image

import nbcompare as nbc
from nbcompare._display import USUAL, current
from nbcompare._render import format_number, format_p, format_rounded
from nbcompare.report import verify

DEMSAR = nbc.datasets.load("demsar2006")
# Sentences and whole numbers; the other two take long, and show shares
WITHOUT_NUMBERS = {"Recommendation", "FixedTargets"}


def comparison():
    return nbc.compare(DEMSAR, adjust=["nemenyi", "holm"])


@pytest.fixture(autouse=True)
def as_before():
    """Nothing that a test sets is there for the next."""
    with nbc.set_options():
        yield


@pytest.mark.parametrize("name", sorted({*MADE} - {"Plan", "PowerStudy"}))
def test_more_digits_change_displays_and_no_result(name):
    usual = MADE[name]()
    nbc.set_options(digits=7)
    result = MADE[name]()
    assert result.to_json() == usual.to_json()
    more = str(result)
    nbc.set_options(digits=3)
    assert str(usual) == str(result)
    if name not in WITHOUT_NUMBERS:
        assert more != str(usual)


@pytest.mark.parametrize("digits", range(2, 9))
def test_a_comparison_with_so_many_digits(digits):
    result = comparison()
    nbc.set_options(digits=digits)
    rows = result.section("ranks").to_markdown().splitlines()
    found = dict(re.findall(r"\| (\S+) \| ([\d.]+) \|", "\n".join(rows)))
    assert found == {name: f"{rank:.{digits}f}" for name, rank in result.average_ranks.items()}
    test = result.omnibus["friedman"]
    assert f"{test.pvalue:.{digits + 1}f}" in str(result.section("omnibus"))
    assert f"({min(result.average_ranks.values()):.{digits - 1}f}; " in result.findings[0]
    assert f"| {result.critical_difference:.{digits + 1}f} ranks" in str(
        result.section("method").to_markdown()
    )


@given(p=st.floats(0, 1), digits=st.integers(2, 8))
def test_a_p_value_reads_as_itself(p, digits):
    with nbc.set_options(digits=digits):
        text = format_p(p, math.log10(p) if p else -math.inf)
    read = float(text) if p > 1e-300 else 0.0
    exact = p if p > 1e-300 else 0.0
    error = abs(read - exact)
    if text == "0":
        assert p == 0
    elif exact >= 0.001:
        assert error <= 0.5 * 10.0 ** -(digits + 1) * (1 + 1e-9)
    else:
        assert error <= 0.5 * 10.0 ** (1 - digits) * exact * (1 + 1e-9)
    assert (text == "1") == (float(f"{p:.{digits + 1}f}") == 1)


@given(value=st.floats(-1e6, 1e6), digits=st.integers(2, 8), decimals=st.integers(0, 5))
def test_numbers_read_as_themselves(value, digits, decimals):
    with nbc.set_options(digits=digits):
        fixed, rounded = format_number(value, decimals), format_rounded(value)
    there = max(0, decimals + digits - 3)
    assert abs(float(fixed) - value) <= 0.5 * 10.0**-there * (1 + 1e-9)
    assert float(rounded) == pytest.approx(value, rel=0.5 * 10.0 ** -min(digits, 5), abs=1e-300)
    assert not re.fullmatch(r"-0*\.?0*", fixed)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"digits": 1}, "`digits` must be a whole number of at least 2; got 1."),
        ({"digits": 9}, "`digits` must be at most 8; got 9."),
        ({"digits": 3.5}, "`digits` must be a whole number of at least 2; got 3.5."),
        ({"digits": True}, "`digits` must be a whole number of at least 2; got True."),
        (
            {"theme": "drak"},
            "`theme` must be 'light' or 'dark'; got 'drak'. Did you mean 'dark'?",
        ),
        ({"digits": 5, "theme": 1}, "`theme` must be 'light' or 'dark'; got 1."),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        nbc.set_options(**options)
    assert current() == USUAL


def test_what_was_set_before_comes_back():
    nbc.set_options(digits=4)
    with nbc.set_options(theme="dark", digits=5) as now:
        assert repr(now) == "<options of displays: 5 digits, dark theme>"
    assert (current().digits, current().theme) == (4, "light")


# ------------------------------------------------------------------------------- reports


@pytest.mark.slow
def test_a_report_has_the_digits_and_holds(tmp_path):
    nbc.set_options(digits=5)
    page = tmp_path / "report.html"
    nbc.Report(DEMSAR, sections=["data", "comparison", "contrast"]).export(
        page, tmp_path / "report.ipynb"
    )
    nbc.set_options(digits=3)
    text = page.read_text()
    assert "nbc.set_options(digits=5)" in (tmp_path / "report.ipynb").read_text()
    ranks = comparison().average_ranks
    assert f">{ranks['C4.5']:.5f}</td>" in text
    outcome = verify(page, data=DEMSAR)
    assert outcome.holds, str(outcome)
    wrong = text.replace(f">{ranks['C4.5']:.5f}</td>", f">{ranks['C4.5'] + 2e-5:.5f}</td>")
    assert wrong != text
    page.write_text(wrong)
    assert not verify(page, data=DEMSAR).holds


@pytest.mark.parametrize("said", ["0", "99", "-3", "x", "3000000000", "²", "9" * 5000])
def test_digits_that_a_page_cannot_have_are_the_usual(tmp_path, said):
    nbc.set_options(digits=5)
    page = tmp_path / "page.html"
    page.write_text(
        exported(comparison()).replace(
            'data-nbcompare-digits="5"', f'data-nbcompare-digits="{said}"'
        )
    )
    outcome = verify(page, data=DEMSAR)
    assert not outcome.holds  # it shows other digits than it says
    assert "recomputed 'C4.5 3.143'" in " ".join(str(outcome).split())


# ------------------------------------------------------------------------------- figures


def exported(*shown):
    cell = code(*map(output_of, shown))
    cell.id = "one"
    return export(cell)


@pytest.mark.slow
def test_dark_figures_are_white_in_a_report():
    plot = nbc.plots.cd_diagram(comparison())
    light, page = plot._repr_mimebundle_()[0], exported(plot)
    nbc.set_options(theme="dark")
    dark = plot._repr_mimebundle_()[0]
    assert exported(plot) == page
    assert dark["image/svg+xml"] != light["image/svg+xml"]
    assert dark["application/pdf"] == light["application/pdf"]


def test_a_file_is_for_paper(tmp_path):
    plot = nbc.plots.cd_diagram(comparison())
    files = [tmp_path / f"{theme}.svg" for theme in ("light", "dark")]
    for file in files:
        nbc.set_options(theme=file.stem)
        nbc.plots.save(plot, file)
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.slow
def test_a_builder_follows():
    builder = nbc.CDDiagramBuilder(DEMSAR)
    screen = builder._live.open()
    shown = {}
    for theme, digits in (("light", 3), ("dark", 3), ("light", 5)):
        nbc.set_options(theme=theme, digits=digits)
        builder._live.draw()
        figure = screen.figure.drawing
        shown[theme, digits] = str(figure), screen.sentences.value
        assert figure["theme"] == theme
    builder.close()
    figures, texts = zip(*shown.values(), strict=True)
    assert len(set(figures)) == 3
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.slow
def test_dark_pixels():
    """White is almost black, black almost white, and a colour keeps its hue."""
    plot = nbc.plots.rank_bars(nbc.compare(DEMSAR, control="C4.5"))
    light = pixels(plot)
    nbc.set_options(theme="dark")
    dark = pixels(plot)
    assert light.shape == dark.shape
    for before, after in (([255] * 3, [18] * 3), ([0] * 3, [237] * 3)):
        seen = dark[(light == before).all(axis=-1)]
        assert len(seen)
        assert (seen == after).all()
    blue = (light[..., 2].astype(int) - light[..., 0]) > 60
    assert blue.any()
    assert (dark[blue][:, 2] > dark[blue][:, 1]).all()
    assert (dark[blue][:, 1] > dark[blue][:, 0]).all()


def pixels(plot):
    png = plot._repr_mimebundle_()[0]["image/png"]
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
