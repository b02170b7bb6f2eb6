"""Images of a page."""

import base64

import pytest

from nbcompare.report.page import outputs
from nbcompare.report.page.outputs import alternative_text, file_uri, svg_uri

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


class TestFile:
    @pytest.fixture
    def folder(self, tmp_path):
        folder = tmp_path / "notebooks"
        folder.mkdir()
        for file in (tmp_path / "secret.png", folder / "dot.png", folder / "notes.txt"):
            file.write_bytes(base64.b64decode(PIXEL))
        (folder / "link.png").symlink_to(tmp_path / "secret.png")
        (folder / "loop.png").symlink_to(folder / "loop.png")
        (folder / "folder.png").mkdir()
        return folder

    @pytest.mark.parametrize("url", ["dot.png", "./dot.png", "dot%2Epng", "../notebooks/dot.png"])
    def test_an_image_of_the_folder_is_embedded(self, folder, url):
        assert file_uri(url, str(folder)) == f"data:image/png;base64,{PIXEL}"

    @pytest.mark.parametrize(
        "url",
        [
            *("../secret.png", "%2e%2e/secret.png", "link.png", "loop.png", "folder.png", "", "."),
            *(
                "notes.txt",
                "missing.png",
                "dot.png\0",
                "a" * 5000 + ".png",
                "/dev/zero",
                "//x/a.png",
            ),
            *("file:dot.png", "dot.png?x", "https://example.org/dot.png", "\ud800.png"),
        ],
    )
    def test_nothing_else_is(self, folder, url):
        assert file_uri(url, str(folder)) is None

    def test_without_a_folder_nothing_is_read(self, folder, monkeypatch):
        monkeypatch.chdir(folder)
        assert file_uri("dot.png", None) is None
        assert file_uri("dot.png", "") is not None  # nbconvert's name of the working folder

    def test_a_file_that_would_fill_the_memory_is_left_out(self, folder, monkeypatch):
        monkeypatch.setattr(outputs, "_LARGEST_FILE", 10)
        assert file_uri("dot.png", str(folder)) is None
