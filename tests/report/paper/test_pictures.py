"""Pictures of a printed page."""

import base64
import io

import pytest
from PIL import Image

from nbcompare.report.paper.pictures import PIXEL, picture


def uri(kind, data):
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


@pytest.mark.parametrize("kind", ["png", "gif", "jpeg", "webp"])
def test_pictures_know_their_size(kind):
    file = io.BytesIO()
    Image.new("L", (20, 10)).save(file, kind)
    found = picture(uri(kind, file.getvalue()))
    assert (found.width, found.height) == (20 * PIXEL, 10 * PIXEL)
    asked = picture(uri(kind, file.getvalue()), {"width": 40})
    assert (asked.width, asked.height) == (40 * PIXEL, 20 * PIXEL)
    assert picture(uri(kind, b"no picture"))[2:] == (None, None)


def test_drawings_know_their_size():
    svg = b'<?xml version="1.0"?><svg viewBox="0 0 200 100" width="1in"/>'
    assert picture(uri("svg+xml", svg))[2:] == (72.0, 36.0)


def test_what_is_no_picture_has_no_size():
    assert picture("data:text/plain,abc") is None
    assert picture("https://example.org/a.png") is None
