"""Five questions of a new user: clicks from the start page to the answer.

Only links in the text of a page count, not those of the menus, and the last link must say in its
sentence or row of a table what the question is about.
"""

import functools
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

QUESTIONS = {
    "I have three seeds per task": ("seeds", "howto/three-seeds.html"),
    "My reviewer wants Bergmann–Hommel": ("Bergmann–Hommel", "howto/bergmann-hommel.html"),
    "Is 8 data sets enough?": ("data sets", "howto/enough-data-sets.html"),
    "Why does autorank say otherwise?": ("autorank", "howto/from-autorank.html"),
    "How do I put this in LaTeX?": ("LaTeX", "howto/latex.html"),
}
START = "index.html"
MOST = 3


def article_of(site, page):
    text = (site / page).read_text(encoding="utf-8")
    return BeautifulSoup(text, "html.parser").select_one("article")


@functools.cache
def links_of(site, page):
    """Return the pages to which the text of a page links, with the words around each link."""
    found = {}
    for link in article_of(site, page).select("a[href]"):
        url = urlsplit(link["href"])
        if url.scheme or url.netloc or not url.path.endswith(".html"):
            continue
        target = (site / page).parent.joinpath(unquote(url.path)).resolve()
        if target.exists():
            around = link.find_parent("tr") or link.find_parent(["li", "p"]) or link
            words = " ".join(around.get_text(" ").split())
            found.setdefault(str(target.relative_to(site.resolve())), []).append(words)
    return found


@pytest.fixture(scope="module")
def before_last(site):
    """Return the pages that fewer clicks than the most lead to, the start page among them."""
    near = {START}
    for _ in range(MOST - 1):
        near |= {target for page in near for target in links_of(site, page) if has_text(target)}
    return near


def has_text(page):
    """Whether a page is one of the site, and not its search or a report."""
    return page.endswith(".html") and page not in {"example-report.html", "search.html"}


@pytest.mark.parametrize(("question", "subject", "page"), [(q, *it) for q, it in QUESTIONS.items()])
def test_answer_is_at_most_three_clicks_away(question, subject, page, before_last, site):
    said = [words for one in before_last for words in links_of(site, one).get(page, ())]
    assert [words for words in said if subject.casefold() in words.casefold()]
    text = article_of(site, page).get_text(" ")
    assert question.casefold() in " ".join(text.split()).casefold()
