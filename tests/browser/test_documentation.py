"""The documentation site, opened from a folder in a browser without a network."""

import re

import pytest

pytestmark = pytest.mark.browser
API = "reference/api/generated/nbcompare."
# One page of each kind; the others are made in the same way.
PAGES = (
    "index.html",
    "start.html",
    "chooser.html",
    "reference/api/index.html",
    f"{API}compare.html",
    f"{API}Experiment.html",
    "_modules/nbcompare/analysis/ranks.html",
    "reference/cli.html",
    "reference/magics.html",
    "reference/builders.html",
    "reference/schema.html",
    "reference/templates.html",
    "published.html",
    "benchmarks.html",
    "statistics/index.html",
    "statistics/friedman.html",
    "statistics/bibliography.html",
    "howto/why-numbers-differ.html",
    "gallery/index.html",
    "guide/05_builders.html",
    "guide/08_power_2013.html",
)
# Those in which every kind of text stands: code, notebooks, formulas, tables, cards, menus
COLOURED = (
    "index.html",
    "start.html",
    "chooser.html",
    f"{API}compare.html",
    "_modules/nbcompare/analysis/ranks.html",
    "reference/templates.html",
    "statistics/friedman.html",
    "howto/why-numbers-differ.html",
    "guide/05_builders.html",
)
PHONE = 390


def foreign(heard):
    return [url for url in heard.fetched if not url.startswith("file:")]


@pytest.fixture
def open_site(site, open_heard):
    """Open a page of the site and hear what it asks for and complains of."""

    def open_site(name, **options):
        return open_heard(site / name, **options)

    return open_site


@pytest.mark.parametrize("name", PAGES)
def test_nothing_keeps_readers_out_of_a_page(open_site, barriers, name):
    page, heard = open_site(name)
    # the checker itself asks for style sheets, in vain
    assert foreign(heard) == []
    assert heard.problems == []
    assert barriers(page, colours=False) == {}


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", COLOURED)
def test_no_colours_keep_readers_out_of_a_page(open_site, barriers, name, mode):
    page, heard = open_site(name, color_scheme=mode)
    assert page.evaluate("document.documentElement.dataset.theme") == mode
    assert heard.problems == []
    assert barriers(page, colours=True) == {}


def test_code_in_a_heading_stands_in_its_line(open_site):
    page, _ = open_site("statistics/formulas.html")
    lines = page.locator("article :is(h1, h2, h3) code .pre").evaluate_all(
        "all => all.map((it) => it.offsetHeight / parseFloat(getComputedStyle(it).lineHeight))"
    )
    assert lines
    assert max(lines) < 1.5


def test_every_page_is_shown_without_another_host(site, browser):
    """All pages in one tab of a phone: their width, what each asks for and complains of.

    Pages of functions differ in their articles alone, which take one another's place in one
    page; no page asks another host by what is written in it, as tests of the site say.
    """
    context = browser.new_context(viewport={"width": PHONE, "height": 800})
    page = context.new_page()
    asked, problems = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: said.type == "error" and problems.append(said.text))
    context.route(re.compile("^https?:"), lambda route: route.abort())
    # source code is only text
    names = {
        path.relative_to(site).as_posix()
        for path in site.rglob("*.html")
        if not {"_static", "_modules"} & {*path.parts}
    }
    alike = sorted(name for name in names if name.startswith(API) and name not in PAGES)
    width, wide = "document.documentElement.scrollWidth", {}
    for name in sorted(names - {*alike}):
        page.goto((site / name).as_uri(), wait_until="load")
        wide[name] = page.evaluate(width)
    page.goto((site / f"{API}compare.html").as_uri(), wait_until="load")
    for name in alike:
        article = re.search("<article.*</article>", (site / name).read_text("utf-8"), re.DOTALL)
        put = f"html => {{ document.querySelector('article').outerHTML = html; return {width}; }}"
        wide[name] = page.evaluate(put, article[0])
    assert len(wide) > 200
    assert len(alike) > 100
    assert {name: width for name, width in wide.items() if width > PHONE} == {}
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert problems == []
    context.close()


def test_search_works_from_a_folder(open_site):
    page, heard = open_site("index.html")
    page.keyboard.press("Control+k")
    page.locator("input[type=search]:visible").fill("bergmann")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=bergmann*")
    found = page.locator("#search-results ul.search li a").first
    found.wait_for()
    links = page.locator("#search-results ul.search li a").evaluate_all(
        "links => links.map((link) => link.getAttribute('href'))"
    )
    assert any("compare" in link for link in links)
    found.click()
    page.wait_for_selector("article h1")
    assert "bergmann" in page.locator("article").inner_text().lower()
    assert foreign(heard) == []
    assert heard.problems == []


def test_the_page_of_choices_leads_from_a_table_to_a_call(open_site):
    page, _ = open_site("chooser.html")
    page.locator("section[id='choose-data'] a").filter(has_text="two or more data sets").click()
    place = page.evaluate("decodeURIComponent(location.hash.slice(1))")
    call = page.locator(f"section[id='{place}']").get_by_text("nbc.compare(experiment)")
    assert call.count() == 1
    assert call.is_visible()


def test_the_menu_of_a_phone_leads_to_the_chooser(open_site):
    page, _ = open_site("index.html", width=PHONE)
    page.locator("button.primary-toggle").click()
    page.get_by_role("link", name="Which comparison?").locator("visible=true").first.click()
    page.wait_for_url("**/chooser.html*")


def test_the_theme_that_a_reader_chooses_stays(open_site):
    page, _ = open_site("index.html", color_scheme="light")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.locator(".theme-switch-button").locator("visible=true").first.click()
    page.locator("[data-mode=dark], [data-bs-theme-value=dark]").locator(
        "visible=true"
    ).first.click()
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    page.goto(page.url.replace("index.html", "start.html"))
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
