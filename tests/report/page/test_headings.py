"""Ids of headings, links to them, and the table of contents."""

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_markdown_cell, new_notebook

from nbcompare.report.page.headings import Heading, contents, settle


def settled(*sources):
    notebook = new_notebook(cells=[new_markdown_cell(source) for source in sources])
    headings = settle(notebook)
    return headings, BeautifulSoup("".join(c.source for c in notebook.cells), "html.parser")


class TestSettle:
    def test_an_id_of_the_notebook_is_kept_and_one_used_again_is_not(self):
        headings, page = settled("<h2 id='a' class=\"x\">A</h2>", '<h2 id="a">A</h2>')
        assert [heading.identity for heading in headings] == ["a", "a-2"]
        assert [heading["id"] for heading in page.find_all("h2")] == ["a", "a-2"]
        assert page.h2["class"] == ["x"]

    def test_a_heading_of_literal_html_gets_an_id(self):
        _, page = settled("<h3>Mean &amp; <b>more</b></h3>")
        assert page.h3["id"] == "Mean-%26-more"

    def test_a_link_beside_each_says_where_it_leads(self):
        _, page = settled('<h2 id="a">A &lt; <em>b</em></h2>')
        link = page.select_one("h2 + a.anchor")
        assert link["href"] == "#a"
        assert link["aria-label"] == "Link to: A < b"
        assert page.h2.text == "A < b"

    @pytest.mark.parametrize("source", ["<!-- <h2>Gone</h2> -->", "<h2> </h2>", "<h1>Title</h1>"])
    def test_what_is_no_heading_of_a_section_is_left(self, source):
        headings, page = settled(source)
        assert headings == []
        assert str(page) == source

    def test_what_may_not_stand_in_a_link_stays_out_of_the_contents(self):
        (heading,), _ = settled('<h2>A <a href="#b">link</a> <i id="i">x</i> <img src="y"></h2>')
        assert heading.text == "A link <i>x</i>"


class TestContents:
    def test_deep_headings_are_not_listed(self):
        listed = [Heading(2, "a", "A"), Heading(4, "b", "B"), Heading(3, "c", "C")]
        page = BeautifulSoup(contents(listed), "html.parser")
        assert [link["href"] for link in page.find_all("a")] == ["#a", "#c"]
        assert page.select_one("ol ol a")["href"] == "#c"

    def test_a_lower_level_may_come_first(self):
        page = BeautifulSoup(contents([Heading(3, "a", "A"), Heading(2, "b", "B")]), "html.parser")
        assert [link["href"] for link in page.select("ol > li > a")] == ["#a", "#b"]
        assert page.select_one("ol ol") is None

    def test_hostile_ids_are_escaped(self):
        made = contents([Heading(2, '"><script>', "A"), Heading(2, "b", "B")])
        assert "<script>" not in made
