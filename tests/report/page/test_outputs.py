"""Images of a page."""

import base64
import warnings

import pytest
from cells import PIXEL

from nbcompare.report.page import outputs
from nbcompare.report.page.outputs import file_uri, without_warnings


@pytest.mark.posix
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


# -------------------------------------------------------------------------------- warnings


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("/tmp/ipykernel_1/2.py:1: UserWarning: x\n  warnings.warn('x')\n", ""),
        ("<string>:1: numpy.exceptions.RankWarning: poorly\nafter\n", "after\n"),
        ("C:\\Users\\A B\\a.py:7: FutureWarning: x\n  f()\nend", "end"),
        ("a\n/x.py:3: SettingWithCopyWarning: \nA value\n\nSee\n  frame['a'] = 1\nb\n", "a\nb\n"),
        ("/x.py:3: AWarning: a\n  f()\n/x.py:4: BWarning: b\n/x.py:5: CWarning: c", ""),
        ("Warning: the file is old\n", None),
        ("12:30:05 WARNING: epoch 3\n  indented\n", None),
        ("epoch 3: loss 0.1\n", None),
        ("see a.py:3: it prints Warning: no\n", None),
    ],
)
def test_only_warnings_of_python_are_left_out(text, left):
    assert without_warnings(text) == (text if left is None else left)


def test_a_warning_as_python_writes_it_is_left_out():
    text = warnings.formatwarning("old way", DeprecationWarning, "/home/me/a.py", 3, "f(x)")
    assert without_warnings(text) == ""
