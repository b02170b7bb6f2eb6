"""Images of a page."""

import base64

import pytest

from nbcompare.report.page.images import alternative_text, svg_uri

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class TestAlternativeText:
    @pytest.mark.parametrize(
        ("metadata", "plain", "expected"),
        [
            ({"image/png": {"alt": "one"}, "alt": "two"}, "three", "one"),
            ({"image/svg+xml": {"alt": "one"}, "alt": "two"}, "three", "two"),
            ({"image/png": {"width": 3}}, "three", "three"),
            ({}, "<Figure size 640x480 with 1 Axes>", "Figure"),
            ({"alt": ""}, "", "Figure"),
            ({"image/png": None, "alt": 3}, None, "Figure"),
        ],
    )
    def test_the_nearest_description_wins(self, metadata, plain, expected):
        data = {"image/png": PIXEL} | ({} if plain is None else {"text/plain": plain})
        assert alternative_text({"data": data, "metadata": metadata}, "image/png") == expected


class TestSVG:
    @staticmethod
    def decode(uri):
        return base64.b64decode(uri.removeprefix("data:image/svg+xml;base64,")).decode("utf-8")

    def test_the_declared_encoding_gives_way(self):
        svg = (
            '<?xml version="1.0" encoding="ISO-8859-1"?>\n<svg xmlns="x"><text>χ² ≤ é</text></svg>'
        )
        assert self.decode(svg_uri(svg)).strip() == '<svg xmlns="x"><text>χ² ≤ é</text></svg>'

    def test_a_drawing_from_html_gets_its_namespace(self):
        assert self.decode(svg_uri("<svg/>")) == '<svg xmlns="http://www.w3.org/2000/svg"/>'
