"""Markdown as HTML for a page that loads nothing."""

import base64

import pytest
from cells import PIXEL
from nbconvert.filters.markdown_mistune import MarkdownWithMath

from nbcompare.report.page.markdown import MarkdownRenderer


def markdown(source, **options):
    return MarkdownWithMath(renderer=MarkdownRenderer(escape=False, **options)).render(source)


def test_attachments_are_embedded():
    attachments = {"a b.png": {"image/png": PIXEL}}
    result = markdown("![dot & line](attachment:a%20b.png)", attachments=attachments)
    assert f'src="data:image/png;base64,{PIXEL}" alt="dot &amp; line"' in result


def test_a_file_beside_the_notebook_is_embedded(tmp_path):
    (tmp_path / "my dot.png").write_bytes(base64.b64decode(PIXEL))
    source = '![dot](my%20dot.png)\n\n<div><img width="9" src="my dot.png"></div>'
    result = markdown(source, path=str(tmp_path))
    assert result.count(f"data:image/png;base64,{PIXEL}") == 2
    assert '<img width="9" src=' in result


@pytest.mark.parametrize("tag", ["<img src=dot.png>", "<IMG alt=x SRC = 'dot.png' width=9>"])
def test_an_image_of_html_is_embedded_however_it_is_written(tmp_path, tag):
    (tmp_path / "dot.png").write_bytes(base64.b64decode(PIXEL))
    renderer = MarkdownRenderer(path=str(tmp_path))
    assert f"data:image/png;base64,{PIXEL}" in renderer.with_images(tag)


@pytest.mark.parametrize(
    "markup",
    [
        "<img data-src='dot.png'>",
        "<img src='../a.png' alt='&quot;'>",
        '<img src="data:image/svg+xml,&lt;svg/&gt;">',
        "<img " * 50_000,
    ],
)
def test_other_html_stays_as_it_is(tmp_path, markup):
    (tmp_path / "dot.png").write_bytes(base64.b64decode(PIXEL))
    assert MarkdownRenderer(path=str(tmp_path)).with_images(markup) == markup


def test_a_file_outside_the_notebooks_folder_is_not_embedded(tmp_path):
    (tmp_path / "secret.png").write_bytes(b"secret")
    folder = tmp_path / "folder"
    folder.mkdir()
    for url in ("../secret.png", (tmp_path / "secret.png").as_posix()):
        assert "data:" not in markdown(f"![a]({url})", path=str(folder))
