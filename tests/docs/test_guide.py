"""User guide: every notebook is a page, its links are right, and it ends with a report."""

import re

import nbformat
import pytest

TYPE = "application/vnd.nbcompare.v1+json"
_HEADING = re.compile(r"^#{1,4} (.+)$", re.MULTILINE)
_LINK = re.compile(r"\]\((\d\d_\w+\.ipynb)?(?:#([^)\s]+))?\)")


@pytest.fixture(scope="module")
def guide(extension):
    return extension("guide")


def markdown_of(path):
    book = nbformat.read(path, as_version=4)
    return "\n\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")


def test_every_notebook_is_a_page(guide):
    stems = sorted(path.stem for path in guide.NOTEBOOKS.glob("*.ipynb"))
    assert [page.stem for page in guide.PAGES] == stems
    index = guide.index()
    assert all(f"({stem}.ipynb)" in index and f"\n{stem}\n" in index for stem in stems)


def test_notebooks_have_one_format_of_each_figure_and_of_each_table(guide):
    paths = list(guide.NOTEBOOKS.glob("*.ipynb"))
    assert sum(path.stat().st_size for path in paths) < 3_000_000
    for path in paths:
        for cell in nbformat.read(path, as_version=4).cells:
            for output in cell.get("outputs", ()):
                kinds = {*output.get("data", {})} - {"text/plain", TYPE}
                assert len(kinds) < 2, path.name


def test_anchors_of_links_are_headings(guide):
    texts = {path.name: markdown_of(path) for path in guide.NOTEBOOKS.glob("*.ipynb")}
    anchors = {
        name: {guide.slug(title.replace(" ", "-")) for title in _HEADING.findall(text)}
        for name, text in texts.items()
    }
    looked_at = 0
    for name, text in texts.items():
        for file, anchor in _LINK.findall(guide.as_on_site(text)):
            if anchor:
                assert anchor in anchors[file or name]
                looked_at += 1
    assert looked_at > 40


def test_links_to_other_pages_fit_the_folder(guide):
    assert guide.as_on_site("[Hosts](../docs/hosts.md)") == "[Hosts](../hosts.md)"
    linked = "[x](03_a.ipynb#Two-algorithms,-and-more?)"
    assert guide.as_on_site(linked) == "[x](03_a.ipynb#two-algorithms-and-more)"


def test_every_page_begins_with_its_question_which_is_in_the_index(guide):
    index = guide.index()
    for page in guide.PAGES:
        title, question, text = guide.prepared(page).cells[0].source.split("\n\n", 2)
        assert page.question.endswith("?")
        assert question == f"**{page.question}**"
        assert f"| {page.question} | [{title.removeprefix('# ')}]({page.stem}.ipynb) |" in index
        assert page.question not in text


def test_page_ends_with_how_to_report_it(guide):
    page = guide.PAGES[0]
    book = guide.prepared(page)
    assert book.cells[-2].source.startswith("## How to report this in a paper")
    assert book.cells[-1].source == page.report
    assert not any(cell.get("outputs") for cell in book.cells)  # it is run with the site


def test_stored_notebooks_keep_their_outputs_and_report_their_own_study(guide):
    stored = {page.stem: page for page in guide.PAGES if page.stored}
    expected = {
        "08_power_2013": ["binomial test errors of 5 algorithms", "for each of 21 effects"],
        "09_crossvalidation_2006": ["two Gaussians with variances 1 and 4", "n draws and 2n draws"],
    }
    assert set(stored) == set(expected)
    for stem, page in stored.items():
        book = guide.prepared(page)
        assert sum(bool(cell.get("outputs")) for cell in book.cells) > 5
        printed = " ".join(book.cells[-1].outputs[0].text.split())
        assert [words for words in expected[stem] if words not in printed] == []


def test_site_shows_no_widget_and_describes_pictures(site):
    for path in (site / "guide").glob("*.html"):
        page = path.read_text(encoding="utf-8")
        assert "jupyter.widget" not in page, path.name
        for image in re.findall(r"<img [^>]*>", page):
            if "only-light" in image or "only-dark" in image:
                assert re.search(r'alt="[^"]{20,}"', image), (path.name, image[:200])
