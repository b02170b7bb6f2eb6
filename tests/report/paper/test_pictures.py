"""Pictures of a printed page."""

import base64

from nbcompare.report.paper.pictures import PIXEL, picture


def uri(kind, data):
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def test_pictures_know_their_size():
    png = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + (20).to_bytes(4) + (10).to_bytes(4)
    found = picture(uri("png", png))
    assert (found.width, found.height) == (20 * PIXEL, 10 * PIXEL)
    asked = picture(uri("png", png), {"width": 40})
    assert (asked.width, asked.height) == (40 * PIXEL, 20 * PIXEL)
    gif = b"GIF89a" + (30).to_bytes(2, "little") + (6).to_bytes(2, "little")
    assert picture(uri("gif", gif))[2:] == (30 * PIXEL, 6 * PIXEL)
    jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08" + (8).to_bytes(2) + (9).to_bytes(2)
    assert picture(uri("jpeg", jpeg))[2:] == (9 * PIXEL, 8 * PIXEL)
    svg = b'<?xml version="1.0"?><svg viewBox="0 0 200 100" width="1in"/>'
    assert picture(uri("svg+xml", svg))[2:] == (72.0, 36.0)
    assert picture("data:text/plain,abc") is None
    assert picture("https://example.org/a.png") is None
