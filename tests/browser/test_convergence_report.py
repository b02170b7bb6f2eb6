"""The report on histories of optimisers, as a reader without a network sees it."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.cli import main

pytestmark = pytest.mark.browser

HOSTILE = ("<script>alert(1)</script>", r"DE_m & 100% $x$ \input{x}", "#let x = 1; *_")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("convergence")
    values = np.minimum.accumulate(np.random.default_rng(0).random((12, 3, 4, 20)), axis=3)
    histories = nbc.Histories.from_array(
        values,
        direction="minimize",
        algorithms=HOSTILE,
        problems=[f"{name} ({i})" for i in range(4) for name in HOSTILE],
    )
    histories.to_frame().to_csv(folder / "logs.csv", index=False)
    line = ["report", "--histories", str(folder / "logs.csv"), "--direction", "minimize"]
    page = folder / "report.html"
    assert main([*line, "--cutpoints", "5", "--full", "-o", str(page)]) == 0
    return page


def test_hostile_names_are_text_and_nothing_is_asked_for(open_heard, report):
    page, heard = open_heard(report)
    assert heard.fetched == [report.as_uri()]
    text = page.locator("body").inner_text()
    for name in HOSTILE:
        assert name in text
    assert heard.problems == []


@pytest.mark.parametrize("width", [600, 1200])
def test_figures_say_what_they_show_and_fit(open_page, report, width):
    page = open_page(report, width=width)
    figures = page.locator("figure svg").all()
    starts = ("Matrix of p-values of trends", "Convergence curves of ")
    assert len(figures) == len(starts)
    for figure, start in zip(figures, starts, strict=True):
        assert figure.evaluate("drawing => drawing.getBoundingClientRect().width > 100")
        assert figure.get_attribute("aria-label").startswith(start)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
