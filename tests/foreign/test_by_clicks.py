"""Every table of this folder in a builder: what is wrong is mended by its buttons alone."""

from pathlib import Path

import pytest

import nbcompare as nbc

HERE = Path(__file__).parent
TABLES = sorted(
    path
    for path in HERE.rglob("*")
    if path.suffix in (".csv", ".json", ".jsonl") and path.parent.name[-2:] != "_1"
)
# What no button can mend: the builder says what is wrong with the file
REFUSED = {
    "either.json": "holds an object of objects, which may be its rows or its columns",
    "one_per_line.json": "holds several JSON values",
    "domain_changes.csv": "must be one for each data set",
}
_MOST = 5  # clicks


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_a_table_is_mended_by_clicks_or_refused(path):
    builder = nbc.DataBuilder(path)
    builder.open()
    screen, model = builder._live.screen, builder._model

    def is_read():
        return model.preview.experiment is not None or model.histories() is not None

    clicked = []
    for _ in range(_MOST):
        if is_read():
            break
        words = [word for word in screen.controls["direction"].words if word is not None]
        errors = [found for found in model.findings() if found.kind == "error"]
        ways = [way for found in errors for way in found.ways if way.label not in clicked]
        if ways:
            clicked.append(ways[0].label)
            box = next(box for box in screen.findings.box.children if len(box.children[1].children))
            next(it for it in box.children[1].children if it.label == ways[0].label).click()
        elif builder.direction is None and not errors:
            control = screen.controls["direction"]
            control.arrive({"index": control.words.index(words[0])})
        builder._live.draw()
    if path.name in REFUSED:
        assert REFUSED[path.name] in model.findings()[0].text
        assert not is_read()
        return
    assert is_read(), [found.text for found in model.findings()]
    if model.histories() is None:
        space = {}
        exec(builder.code, space)
        assert space["experiment"].fingerprint == model.result.fingerprint
    builder.close()
