"""Five questions of a new user: clicks from the start page to the answer."""

import collections
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

QUESTIONS = {
    "I have three seeds per task": "howto/three-seeds.html",
    "My reviewer wants Bergmann–Hommel": "howto/bergmann-hommel.html",
    "Is 8 data sets enough?": "howto/enough-data-sets.html",
    "Why does autorank say otherwise?": "howto/from-autorank.html",
    "How do I put this in LaTeX?": "howto/latex.html",
}


def links_of(site, page):
    """Return the pages to which a page links, in the order of the links."""
    soup = BeautifulSoup((site / page).read_text(encoding="utf-8"), "html.parser")
    found = {}
    for link in soup.select("a[href]"):
        url = urlsplit(link["href"])
        if url.scheme or url.netloc or not url.path.endswith(".html"):
            continue
        target = (site / page).parent.joinpath(unquote(url.path)).resolve()
        if target.exists():
            found[str(target.relative_to(site.resolve()))] = " ".join(link.get_text().split())
    return found


@pytest.fixture(scope="module")
def clicks(site):
    """Return the least number of clicks from the start page to each page."""
    distance = {"index.html": 0}
    waiting = collections.deque(distance)
    while waiting:
        page = waiting.popleft()
        if distance[page] == 3:
            continue
        for target in links_of(site, page):
            if target not in distance:
                distance[target] = distance[page] + 1
                waiting.append(target)
    return distance


@pytest.mark.parametrize(("question", "page"), QUESTIONS.items())
def test_answer_is_at_most_three_clicks_away(question, page, clicks, site):
    assert clicks.get(page, 99) <= 3
    text = BeautifulSoup((Path(site) / page).read_text(encoding="utf-8"), "html.parser")
    assert question.casefold() in text.get_text(" ").casefold()
