"""What opens in a builder can be seen in full: every help text, list and menu, at every width."""

import re

import pytest

pytestmark = pytest.mark.browser

MAKE = """\
import nbcompare as nbc
builder = nbc.CDDiagramBuilder(nbc.datasets.load("demsar2006"), control="C4.5")
builder"""
DARK = """() => {
    window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'});
}"""
# The share of a box, looked at in a grid, that is not on the screen or behind something else
HIDDEN = """(panel) => {
    const box = panel.getBoundingClientRect();
    let hidden = 0;
    for (let i = 0; i < 12; i += 1) {
        for (let j = 0; j < 12; j += 1) {
            const x = box.left + 3 + (box.width - 6) * i / 11;
            const y = box.top + 3 + (box.height - 6) * j / 11;
            if (!panel.contains(document.elementFromPoint(x, y))) hidden += 1;
        }
    }
    return hidden / 144;
}"""
# Texts that are cut off in their own box, where nothing scrolls
CUT = """(root) => [...root.querySelectorAll('label, button, p, select, .nbcompare-sentence')]
    .filter((one) => one.checkVisibility() && getComputedStyle(one).overflowX === 'visible'
        && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
    .map((one) => one.textContent.slice(0, 60))"""


weekly = pytest.mark.weekly


@pytest.mark.parametrize(
    ("width", "is_dark"),
    [
        (390, False),
        (1300, True),
        pytest.param(700, False, marks=weekly),
        pytest.param(1300, False, marks=weekly),
        pytest.param(390, True, marks=weekly),
        pytest.param(700, True, marks=weekly),
    ],
)
def test_what_opens_is_seen_in_full(open_notebook, width, is_dark):
    notebook = open_notebook("visible.ipynb", MAKE, width=width, height=800)
    page = notebook.page
    notebook.command("application:toggle-left-area")
    if is_dark:
        page.evaluate(DARK)
        page.wait_for_function("() => document.body.dataset.jpThemeLight === 'false'")
    notebook.run(0)
    on = page.locator(".nbcompare-builder")
    on.get_by_text("Copy code").wait_for()
    on.get_by_role("button", name="More options").click()
    openers = [
        on.get_by_role("button", name=re.compile("^Help: ")),
        on.locator(".nbcompare-hanging > .nbcompare-opener"),
    ]
    n_opened = 0
    for opener in [each for kind in openers for each in kind.all()]:
        if not opener.is_visible():
            continue
        name = opener.get_attribute("aria-label") or opener.inner_text()
        opener.scroll_into_view_if_needed()
        opener.click()
        panel = page.locator(f"[id='{opener.get_attribute('aria-controls')}']")
        assert panel.is_visible(), name
        assert panel.evaluate(HIDDEN) == 0, (name, panel.bounding_box())
        page.keyboard.press("Escape")
        assert not panel.is_visible(), name
        n_opened += 1
    assert n_opened > 15
    # the menu of a part of the figure
    part = on.locator("svg.nbf .m.can[aria-haspopup]").first
    part.scroll_into_view_if_needed()
    part.focus()
    page.keyboard.press("Enter")
    menu = page.get_by_role("menu")
    menu.wait_for()
    assert menu.evaluate(HIDDEN) == 0
    page.keyboard.press("Escape")
    assert on.evaluate(CUT) == []
    assert notebook.problems == []
