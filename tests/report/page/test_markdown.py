"""Markdown as HTML for a page that loads nothing."""

import base64
import re

import pytest
from cells import PIXEL
from nbconvert.filters.markdown_mistune import MarkdownWithMath

from nbcompare.report.page.markdown import MarkdownRenderer, scrollable


def markdown(source, **options):
    return MarkdownWithMath(renderer=MarkdownRenderer(escape=False, **options)).render(source)


def test_formulas():
    result = markdown("Let $k$ be\n\n$$k = 3$$\n\n\\begin{align}a &= b\\end{align}")
    assert result.count("<math") == 3
    assert result.count('display="block"') == 2
    assert "$" not in result


def test_escaped_dollars_are_dollars():
    assert markdown(r"costs \$5 and \$6") == "<p>costs $5 and $6</p>\n"


def test_dollars_are_read_as_jupyter_reads_them():
    # the notebook shows "5 and" as mathematics, and so does the page
    assert "<math" in markdown("costs $5 and $6")


def test_code_keeps_its_dollars():
    result = markdown("`a $x$ b`\n\n```bash\necho $HOME $PATH\n```\n")
    assert "<code>a $x$ b</code>" in result
    assert "<math" not in result
    assert "$HOME" in re.sub("<[^>]*>", "", result)


def test_headings_have_ids_of_their_own():
    result = markdown("## Results & more\n\n## Results & more")
    assert 'id="Results-&amp;-more"' in result
    assert 'id="Results-&amp;-more-2"' in result


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


@pytest.mark.parametrize(
    "url",
    ["https://example.org/a.png", "missing.png", "../../etc/passwd", "attachment:gone.png"],
)
def test_an_image_that_cannot_be_embedded_is_a_link(url, tmp_path):
    result = markdown(f"![a plot]({url})", path=str(tmp_path))
    assert f'<a href="{url}">a plot ({url})</a>' in result
    assert "<img" not in result


def test_a_file_outside_the_notebooks_folder_is_not_embedded(tmp_path):
    (tmp_path / "secret.png").write_bytes(b"secret")
    folder = tmp_path / "folder"
    folder.mkdir()
    for url in ("../secret.png", (tmp_path / "secret.png").as_posix()):
        assert "data:" not in markdown(f"![a]({url})", path=str(folder))


def test_alternative_text_is_escaped():
    result = markdown(f'![x" onload="alert(1)](data:image/png;base64,{PIXEL})')
    assert 'alt="x&quot; onload=&quot;alert(1)"' in result


def test_tables_scroll():
    result = markdown("| a |\n|---|\n| 1 |\n")
    assert result.startswith('<div class="scroll" role="group" aria-label="Table" tabindex="0">')


def test_tasks_name_their_checkboxes():
    assert '<label><input type="checkbox" disabled checked> done' in markdown("- [x] done")


def test_diagrams_show_their_source():
    assert "<pre>graph &lt;b&gt;\n</pre>" in markdown("```mermaid\ngraph <b>\n```")


def test_a_container_that_scrolls_takes_the_focus():
    assert scrollable("x", 'a "b"') == (
        '<div class="scroll" role="group" aria-label="a &quot;b&quot;" tabindex="0">x</div>'
    )
