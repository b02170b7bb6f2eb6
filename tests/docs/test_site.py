"""The built site: every link leads somewhere, no other host is asked, formulas are MathML."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

# What a browser fetches when it shows a page, rather than when a reader follows a link
FETCHED = {
    ("script", "src"),
    ("img", "src"),
    ("iframe", "src"),
    ("source", "src"),
    ("video", "src"),
    ("object", "data"),
}
FETCHING_LINKS = {"stylesheet", "preload", "icon", "preconnect", "dns-prefetch", "modulepreload"}


class Page(HTMLParser):
    """The places, the links and what a browser fetches of a page."""

    def __init__(self, text):
        super().__init__()
        self.places, self.links, self.fetched = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.places |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag == "link" and set(given.get("rel", "").split()) & FETCHING_LINKS:
            self.fetched.append(given["href"])
        self.fetched += [given[name] for it, name in FETCHED if it == tag and given.get(name)]


@pytest.fixture(scope="module")
def pages(site):
    return {
        path.relative_to(site).as_posix(): Page(path.read_text(encoding="utf-8"))
        for path in site.rglob("*.html")
        if "_static" not in path.parts
    }


def test_every_link_leads_to_a_page_and_a_place(site, pages):
    broken, checked = [], 0
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            checked += 1
            target = (site / name).parent / unquote(parts.path) if parts.path else site / name
            file = Path(target).resolve()
            known = pages.get(file.relative_to(site.resolve()).as_posix())
            place = unquote(parts.fragment)
            if not file.is_file() or (known and place and place not in known.places):
                broken.append(f"{name}: {link}")
    assert checked > 10_000
    assert not broken


def test_pages_of_functions_and_classes_lead_to_their_source(pages):
    for name in ("compare", "Experiment", "plots.cd_diagram"):
        links = pages[f"reference/api/generated/nbcompare.{name}.html"].links
        assert any(
            "_modules/" in link and link.endswith(f"#{name.split('.')[-1]}") for link in links
        )


def test_no_page_asks_another_host(site, pages):
    asked = {
        (name, address)
        for name, page in pages.items()
        for address in page.fetched
        if urlsplit(address).netloc or urlsplit(address).scheme in {"http", "https"}
    }
    assert not asked
    for path in (site / "_static").rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        fetched = re.findall(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")]+)", text)
        assert not fetched, path


def test_every_file_that_a_page_fetches_is_there(site, pages):
    lacking = {
        (name, address)
        for name, page in pages.items()
        for address in page.fetched
        if not urlsplit(address).scheme
        and not ((site / name).parent / unquote(urlsplit(address).path)).is_file()
    }
    assert not lacking


def test_formulas_are_mathml_and_no_page_loads_mathjax(site, pages):
    for name, page in pages.items():
        assert not any("mathjax" in address.lower() for address in page.fetched), name
        text = (site / name).read_text(encoding="utf-8")
        assert 'class="tex"' not in text, f"{name} has a formula that was not understood"


def test_every_page_has_one_title(site):
    for path in site.rglob("*.html"):
        if "_static" in path.parts or path.name in {"search.html", "example-report.html"}:
            continue
        text = path.read_text(encoding="utf-8")
        assert len(re.findall(r"<h1[ >]", text)) == 1, path
