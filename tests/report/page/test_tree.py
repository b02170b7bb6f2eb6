"""HTML of all kinds as sound trees."""

import pytest

from nbcompare.report.page.tree import parse


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>a<p>b<div>c</div>", [("p", "a"), ("p", "b"), ("div", "c")]),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", [("ul", "abc"), ("li", "ab"), ("ul", "b"),
                                               ("li", "b"), ("li", "c")]),
        ("</b><i>a</p>b", [("i", "ab")]),
        ("a<br>b<img src=x>c", [("br", ""), ("img", "")]),
        ("<td>a<table><tr><td>b</table>c", [("td", "abc"), ("table", "b"), ("tr", "b"),
                                           ("td", "b")]),
    ],
)  # fmt: skip
def test_tags_left_open_end_where_browsers_end_them(markup, expected):
    assert [(node.tag, node.text()) for node in parse(markup).nodes()] == expected


def test_what_is_nested_too_deeply_keeps_its_text():
    assert parse("<div>" * 5000 + "deep" + "</div>" * 5000).line() == "deep"
