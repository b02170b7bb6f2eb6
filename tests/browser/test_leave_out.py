"""Data sets brushed in the scatter of a pair, and steps undone by keys, by real mouse and keys."""

import pytest
from axe_playwright_python.sync_playwright import Axe

import nbcompare as nbc
from nbcompare.widgets._leave_out import told_without

pytestmark = pytest.mark.browser

MAKE = """\
import nbcompare as nbc
experiment = nbc.datasets.load("demsar2006")
builder = nbc.CDDiagramBuilder(experiment)
builder"""
PAIR = ("C4.5+m", "C4.5")
SCATTER = ".nbcompare-leave-out svg.nbf"


def test_brush_data_sets_and_leave_them_out(open_builder):
    builder = open_builder("leave_out.ipynb", MAKE)
    notebook, page, on = builder.notebook, builder.page, builder.on
    data = nbc.datasets.load("demsar2006")
    points = page.locator(f"{SCATTER} .m[role=checkbox]")
    told = page.locator(".nbcompare-brush-told")

    def point(name):
        return page.locator(f"{SCATTER} .m[aria-label^='{name}: ']")

    def middle(name):
        box = point(name).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def settled():
        """Give the places of all points at one moment, once they move no more."""
        points.first.element_handle().wait_for_element_state("stable")
        return points.evaluate_all(
            "(all) => Object.fromEntries(all.map((one) => {"
            "  const { x, y, width, height } = one.getBoundingClientRect();"
            "  const name = one.getAttribute('aria-label').split(': ')[0];"
            "  return [name, [x + width / 2, y + height / 2]];"
            "}))"
        )

    def drag(start, end):
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*((a + b) / 2 for a, b in zip(start, end, strict=True)))
        page.mouse.move(*end)
        page.mouse.up()

    def expect(*names, n=14):
        """Wait for these points, and for what the API gives without them."""
        page.wait_for_function(
            "([where, n, names]) => {"
            "  const all = [...document.querySelectorAll(where)];"
            "  const chosen = all.filter(one => one.getAttribute('aria-checked') === 'true')"
            "    .map(one => one.getAttribute('aria-label').split(': ')[0]);"
            "  return all.length === n && JSON.stringify(chosen.sort()) === JSON.stringify(names);"
            "}",
            arg=[f"{SCATTER} .m[role=checkbox]", n, sorted(names)],
        )
        if not names:
            return
        rest = [name for name in data.datasets if name not in names]
        without = nbc.compare(data.select(datasets=rest))
        left_out = [name for name in data.datasets if name in names]
        told.get_by_text(told_without(nbc.compare(data), without, PAIR, left_out)).wait_for()

    points.first.wait_for()
    page.locator(SCATTER).scroll_into_view_if_needed()
    expect()

    # a rectangle over two points, drawn by the mouse; another one adds to it with Shift
    places = settled()
    corners = [places["cmc"], places["liver disorders"]]
    (left, right), (top, bottom) = (
        (min(ends) - 6, max(ends) + 6) for ends in zip(*corners, strict=True)
    )
    inside = [name for name, (x, y) in places.items() if left < x < right and top < y < bottom]
    assert {"cmc", "liver disorders"} <= set(inside)
    drag((left, top), (right, bottom))
    expect(*inside)
    page.keyboard.down("Shift")
    x, y = middle("lymphography")
    drag((x - 6, y - 6), (x + 6, y + 6))
    page.keyboard.up("Shift")
    expect(*inside, "lymphography")
    assert page.locator(".nbcompare-band").count() == 0
    # a click removes a point, or adds it
    page.mouse.click(*middle("lymphography"))
    expect(*inside)
    page.mouse.click(*middle("lymphography"))
    expect(*inside, "lymphography")
    page.keyboard.press("Escape")
    expect()
    assert not page.get_by_role("button", name="Leave these out").is_visible()

    # by keyboard: arrows go from point to point, Space adds, Escape clears
    point("lymphography").focus()
    page.keyboard.press("Space")
    expect("lymphography")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("() => document.activeElement.getAttribute('aria-checked')") == "false"
    other = page.evaluate("() => document.activeElement.getAttribute('aria-label')").split(": ")[0]
    page.keyboard.press("Space")
    expect("lymphography", other)
    page.keyboard.press("Space")
    expect("lymphography")
    page.keyboard.press("Escape")
    expect()
    page.keyboard.press("Space")
    expect(other)
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        notebook.command("apputils:change-theme", theme=theme)
        page.wait_for_function("(theme) => document.body.dataset.jpThemeName === theme", arg=theme)
        for part in (".nbcompare-leave-out", ".nbcompare-history"):
            found = Axe().run(page, context=part).response["violations"]
            assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []

    # nothing is set, until it is left out for good
    assert notebook.text_of(notebook.add_and_run("print(builder.settings)")) == "{}\n"
    button = page.get_by_role("button", name="Leave these out")
    button.focus()
    page.keyboard.press("Enter")
    expect(n=13)
    told.get_by_text(f"{other} is left out now. Undo brings it back.").wait_for()
    left_out = data.select(datasets=[name for name in data.datasets if name != other])
    builder.expect(nbc.compare(left_out))

    # keys undo it and do it again, but not where text is written
    page.keyboard.press("Control+z")
    expect(n=14)
    builder.expect(nbc.compare(data))
    on.get_by_text("Undone. Data sets: 14 are now selected, not 13.").wait_for()
    page.keyboard.press("Control+Shift+z")
    expect(n=13)
    builder.expect(nbc.compare(left_out))
    builder.button("Save or load settings").click()
    field = builder.field("Settings file")
    field.fill("other")
    page.keyboard.press("Control+z")  # what was written is undone
    field.fill("mine")
    builder.button("Save settings").click()
    on.get_by_text("Saved as mine.json.").wait_for()
    answer = notebook.text_of(notebook.add_and_run("print(len(builder.datasets))"))
    assert answer == "13\n"
    builder.button("Undo").click()
    builder.expect(nbc.compare(data))
    expect(n=14)
    # the notebook has its cells: no key was its
    assert len(notebook.saved_with(lambda text: "len(builder.datasets)" in text).cells) == 3
    assert builder.problems == []
