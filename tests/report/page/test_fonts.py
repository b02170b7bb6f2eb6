"""The letters that a page brings for its figures."""

import base64
import io
import re

import pytest
from fontTools.ttLib import TTFont
from matplotlib.font_manager import findfont

from nbcompare.report.page.fonts import FONT_FACES, Fonts


def faces(css):
    found = re.findall(r'font-family:"([^"]+)";font-weight:(\d+);.*?base64,([^)]+)\)', css)
    return {
        (name, int(weight)): TTFont(io.BytesIO(base64.b64decode(content)))
        for name, weight, content in found
    }


def test_only_the_letters_that_are_used():
    fonts = Fonts()
    assert fonts.use(["DejaVu Sans"], "Rank: α ≤ 0.05", bold=False, italic=False) == (
        "nbcompare-figure-0,sans-serif"
    )
    fonts.use(["DejaVu Sans"], "CD", bold=True, italic=False)
    css = fonts.css()
    assert FONT_FACES.fullmatch(css)
    found = faces(css)
    assert set(found) == {("nbcompare-figure-0", 400), ("nbcompare-figure-0", 700)}
    plain, bold = found.values()
    # and what stands for one of them elsewhere, such as where text runs from right to left
    assert set("Rank: α≤0.5") <= set(map(chr, plain.getBestCmap())) <= set("Rank: α≤≥0.5")
    assert set(map(chr, bold.getBestCmap())) == set("CD")
    assert len(css) < 8_000
    # the letters are those of the font, as wide as they are there
    whole = TTFont(findfont("DejaVu Sans"))
    for letter, glyph in plain.getBestCmap().items():
        assert plain["hmtx"][glyph][0] == whole["hmtx"][whole.getBestCmap()[letter]][0]


@pytest.mark.parametrize(
    ("family", "text"), [("No Such Font", "abc"), ("DejaVu Sans", "漢字"), ("../../x", "a")]
)
def test_what_no_font_has_is_left_to_the_browser(family, text):
    fonts = Fonts()
    assert fonts.use([family], text, bold=False, italic=False).endswith(",sans-serif")
    assert fonts.css() == ""


def test_a_further_font_follows_the_first():
    fonts = Fonts()
    found = fonts.use(["DejaVu Sans", "DejaVu Serif"], "ab", bold=False, italic=False)
    assert found == "nbcompare-figure-0,nbcompare-figure-1,sans-serif"
    assert len(faces(fonts.css())) == 2


def test_two_runs_give_the_same_bytes():
    written = []
    for _ in range(2):
        fonts = Fonts()
        fonts.use(["DejaVu Sans"], "Two runs", bold=False, italic=False)
        written.append(fonts.css())
    assert written[0] == written[1]
