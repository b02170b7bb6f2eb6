"""Looking into the tables of a report, and taking its text, literature and figures along."""

import csv
import io
import itertools
import zipfile

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import nbcompare as nbc
from nbcompare.report.exporters import ReportHTMLExporter

pytestmark = pytest.mark.browser

NAMES = ["決定木", "a b", "-x", "N" * 60, *(f"A{i}" for i in range(21))]
NUMBERS = ["0.5", "12", "1.25e-05", "1,234.5", "–", "-3", "<0.001", "7 of 9"]


def display(result):
    return new_output("display_data", data=result._repr_mimebundle_())


@pytest.fixture(scope="module")
def large():
    """All pairs of 25 algorithms; a display of the whole result shows 20 of the 300."""
    scores = np.random.default_rng(3).random((9, 25)).round(3) + np.arange(25) / 20
    data = nbc.Experiment.from_array(scores, direction="maximize", algorithms=NAMES)
    return nbc.compare(data, adjust="holm")


@pytest.fixture(scope="module")
def report(tmp_path_factory, large):
    small = nbc.compare(nbc.datasets.load("demsar2006"))
    cells = "".join(f'<tr><td class="num">{number}</td></tr>' for number in NUMBERS)
    numbers = f"<table><thead><tr><th>number</th></tr></thead><tbody>{cells}</tbody></table>"
    figure = {"image/svg+xml": '<svg width="90" height="9"/>'}
    cells = [
        new_markdown_cell("# Tables\n\n## Findings"),
        new_code_cell(
            "a",
            outputs=[display(small.section("findings"))],
            metadata={"tags": ["nbcompare-findings"]},
        ),
        new_markdown_cell("## Pairs"),
        new_code_cell("b", outputs=[display(small.section("pairs"))]),
        *(
            new_code_cell("", outputs=[new_output("display_data", figure, metadata={"alt": alt})])
            for alt in ("One.", "Two.")
        ),
        new_markdown_cell("## Whole"),
        new_code_cell("c", outputs=[display(large.section("hypotheses"))]),
        new_markdown_cell("## Cut"),
        new_code_cell("d", outputs=[display(large)]),
        new_markdown_cell("## Numbers"),
        new_code_cell("e", outputs=[new_output("display_data", {"text/html": numbers})]),
        new_markdown_cell("## Methods"),
        new_code_cell("f", outputs=[display(small.section("methods"))]),
    ]
    folded = {"nbcompare_fold": "More"}
    cells += [new_markdown_cell("## Folded\n\nText.", metadata=folded)]
    page, _ = ReportHTMLExporter().from_notebook_node(new_notebook(cells=cells))
    file = tmp_path_factory.mktemp("tables") / "report.html"
    file.write_text(page, encoding="utf-8")
    return file, small


@pytest.fixture
def page(open_page, report):
    return open_page(report[0], permissions=["clipboard-read", "clipboard-write"])


@pytest.fixture
def phone(open_page, report):
    return open_page(report[0], width=400)


def clipboard(page, button):
    page.evaluate("said.length = 0")
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("said.some((text) => text.includes('copied'))")
    return page.evaluate("navigator.clipboard.readText()")


def part(page, heading):
    """The cell after a heading."""
    return page.locator(f".cell:has(h2:text-is('{heading}')) + .cell")


def rows(within):
    return within.locator("tbody tr:visible")


def expected(large, *words):
    """Pairs with all words in a row, from the result itself."""
    lines = large.to_markdown("hypotheses").splitlines()
    cells = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")][2:]
    named = large.to_frame()[["first", "second"]].to_numpy().tolist()
    told = [" ".join([*pair, *row[2:]]).lower() for pair, row in zip(named, cells, strict=True)]
    found = zip(named, told, strict=True)
    return [pair for pair, text in found if all(word in text for word in words)]


class TestFilter:
    def test_rows_that_contain_all_words_by_keyboard(self, page, large):
        whole = part(page, "Whole")
        page.get_by_label("Rows of Table 2 that contain").focus()
        page.keyboard.type("A1  a20")
        due = expected(large, "a1", "a20")
        assert 0 < len(due) < 20
        assert rows(whole).count() == len(due)
        assert whole.get_by_text(f"{len(due)} of 300 rows", exact=True).is_visible()
        names = rows(whole).locator(":is(th, td):nth-child(-n+2)").all_inner_texts()
        assert [names[i : i + 2] for i in range(0, len(names), 2)] == due
        status = f"{len(due)} of 300 rows shown."
        page.get_by_role("status").get_by_text(status, exact=True).wait_for()
        page.keyboard.press("Escape")
        assert rows(whole).count() == 300
        page.get_by_role("status").get_by_text("All rows shown.").wait_for()

    def test_letters_of_any_script_and_width(self, page, large):
        whole = part(page, "Whole")
        page.get_by_label("Rows of Table 2 that contain").fill("決定木 ａ２０")
        assert rows(whole).count() == len(expected(large, "決定木", "a20")) == 1

    def test_a_copy_is_whole_unless_what_is_shown_is_asked_for(self, page, large):
        whole = part(page, "Whole")
        page.get_by_label("Rows of Table 2 that contain").fill("決定木 a1")
        due = expected(large, "決定木", "a1")
        whole.get_by_text("Columns", exact=True).press("Enter")
        whole.get_by_label("W/T/L").press("Space")
        button = whole.get_by_role("button", name="Copy CSV of Table 2 (all 300 rows)")
        copied = list(csv.reader(io.StringIO(clipboard(page, button))))
        assert [row[:2] for row in copied[1:]] != due
        assert len(copied) == 301
        assert "W/T/L" in copied[0]
        page.wait_for_function("!document.querySelector('[role=status]').textContent")
        button = whole.get_by_role(
            "button", name=f"Copy the {len(due)} rows shown of Table 2 as CSV", exact=True
        )
        some = list(csv.reader(io.StringIO(clipboard(page, button))))
        assert [row[:2] for row in some[1:]] == due
        assert some[0] == [name for name in copied[0] if name != "W/T/L"]

    def test_it_finds_rows_that_a_display_leaves_out(self, page, large):
        table = part(page, "Cut").locator("table:has-text('Differences of the pairs')")
        assert table.locator("tfoot").count() == 1
        assert rows(table).count() == 20
        part(page, "Cut").get_by_role("searchbox").last.fill("a19 a20")
        assert table.locator("tfoot").count() == 0
        assert rows(table).count() == len(expected(large, "a19", "a20"))
        part(page, "Cut").get_by_role("searchbox").last.fill("")
        shown = table.locator("tbody tr").evaluate_all(
            "rows => rows.map(row => [...row.cells].slice(0, 2).map(cell => cell.textContent))"
        )
        assert shown == large.to_frame()[["first", "second"]].to_numpy().tolist()

    def test_added_rows_take_their_place_in_the_order(self, page):
        cut = part(page, "Cut")
        table = cut.locator("table:has-text('Differences of the pairs')")
        table.get_by_role("button", name="second", exact=True).press("Enter")
        more = cut.get_by_role("button", name="Show all 300 rows")
        more.press("Enter")
        assert not more.is_visible()
        shown = table.locator("tbody td:nth-child(2)").all_inner_texts()
        assert len(shown) == 300
        # equal ones together, as nowhere else
        assert sum(a != b for a, b in itertools.pairwise(shown)) == len(set(shown)) - 1
        button = cut.get_by_role("button", name="Copy CSV").and_(
            cut.get_by_role("button", name="(all 300 rows)")
        )
        assert len(list(csv.reader(io.StringIO(clipboard(page, button))))) == 301

    def test_a_long_table_scrolls_under_its_header(self, page):
        box = part(page, "Whole").locator(".rows")
        box.focus()
        assert box.evaluate("e => e.scrollHeight > e.clientHeight && e.clientHeight < innerHeight")
        head = box.locator("thead")
        box.evaluate("e => { e.scrollTop = 2000; }")
        page.wait_for_function("document.querySelector('.rows').scrollTop > 1000")
        assert head.bounding_box()["y"] == pytest.approx(box.bounding_box()["y"], abs=2)

    def test_short_tables_have_no_filter(self, page):
        assert part(page, "Pairs").get_by_role("searchbox").count() == 0


class TestColumns:
    def test_they_are_chosen_by_keyboard_and_names_stay(self, page):
        pairs = part(page, "Pairs")
        pairs.get_by_text("Columns", exact=True).press("Enter")
        assert pairs.get_by_role("checkbox").count() == 7
        assert pairs.get_by_label("pair", exact=True).count() == 0
        pairs.get_by_label("interval").press("Space")
        heads = [one for one in pairs.locator("thead th").all() if one.is_visible()]
        assert [one.inner_text() for one in heads] == [
            *("pair", "difference", "effect size", "W/T/L", "p", "adjusted p", "significant")
        ]
        assert pairs.get_by_text("Columns (7 of 8)").is_visible()
        pairs.get_by_role("button", name="Show all columns").press("Enter")
        assert pairs.get_by_label("interval").is_checked()
        assert pairs.locator("thead th:visible").count() == 8

    def test_print_shows_everything(self, page):
        whole = part(page, "Whole")
        page.get_by_label("Rows of Table 2 that contain").fill("決定木 a1")
        whole.get_by_text("Columns", exact=True).press("Enter")
        whole.get_by_label("W/T/L").press("Space")
        page.emulate_media(media="print")
        assert rows(whole).count() == 300
        assert whole.locator("thead th:visible").count() == whole.locator("thead th").count() == 9
        box = whole.locator(".rows")
        assert box.evaluate("e => e.clientHeight >= e.querySelector('table').offsetHeight")
        assert not any(one.is_visible() for one in page.locator(".table-tools").all())

    def test_without_a_script_everything_is_shown(self, open_page, report):
        page = open_page(report[0], java_script_enabled=False)
        assert rows(part(page, "Whole")).count() == 300
        assert page.locator("input").count() == 0
        for code in page.locator("details.code").all():
            assert code.is_visible()


class TestPhone:
    def test_pair_p_and_decision_are_seen_without_scrolling(self, phone):
        pairs = part(phone, "Pairs")
        heads = [one.inner_text() for one in pairs.locator("thead th:visible").all()]
        assert heads == ["pair", "adjusted p", "significant"]
        assert pairs.locator(".scroll").evaluate("e => e.scrollWidth <= e.clientWidth")
        pairs.get_by_role("button", name="Show all columns").click()
        assert pairs.locator("thead th:visible").count() == 8
        assert phone.evaluate("document.documentElement.scrollWidth") <= 400
        pairs.get_by_role("button", name="Show fewer columns").click()
        assert pairs.locator("thead th:visible").count() == 3

    def test_a_wider_window_shows_all_unless_the_reader_chose(self, phone):
        heads = part(phone, "Pairs").locator("thead th:visible")
        phone.set_viewport_size({"width": 1200, "height": 900})
        phone.wait_for_function("!document.querySelector('.off')")
        assert heads.count() == 8
        phone.set_viewport_size({"width": 400, "height": 900})
        phone.wait_for_function("document.querySelector('.off')")
        part(phone, "Pairs").get_by_role("button", name="Show all columns").click()
        phone.set_viewport_size({"width": 1200, "height": 900})
        phone.set_viewport_size({"width": 400, "height": 900})
        phone.wait_for_function("innerWidth === 400")
        assert heads.count() == 8


def test_numbers_are_aligned_at_the_decimal_mark(page):
    cells = part(page, "Numbers").locator("td")
    ends = cells.evaluate_all(
        """cells => cells.map(cell => {
            const text = cell.firstChild, at = text.data.search(/[.e]|$/);
            const range = document.createRange();
            range.setStart(text, 0);
            range.setEnd(text, at < 0 ? text.length : at);
            return range.getBoundingClientRect().right;
        })"""
    )
    places = dict(zip(NUMBERS, ends, strict=True))
    aligned = [places[text] for text in NUMBERS if text not in ("–", "7 of 9")]
    assert max(aligned) - min(aligned) < 3  # a sign of an exponent is narrower than a digit
    assert max(aligned) < places["7 of 9"] - 20
    assert cells.all_inner_texts() == NUMBERS


class TestTakeAlong:
    def test_findings(self, page, report):
        button = page.get_by_role("button", name="Copy findings")
        copied = clipboard(page, button)
        due = report[1].section("findings")._repr_mimebundle_()["text/plain"]
        assert copied.split() == due.split()
        assert copied.count("\n\n") >= 1

    def test_methods_as_text(self, page, report):
        copied = clipboard(page, page.get_by_role("button", name="Copy methods", exact=True).first)
        due = report[1].section("methods")._repr_mimebundle_()["text/plain"]
        assert "Wilcoxon's signed-rank test [" in copied
        assert copied.split("\n\n")[0] in " ".join(due.split())
        assert copied.split("\n\n")[1].startswith("[1] Demšar")

    def test_methods_with_keys_of_the_bibtex_beside_them(self, page):
        button = page.get_by_role("button", name="Copy methods (LaTeX)").first
        copied = clipboard(page, button)
        page.wait_for_function("!document.querySelector('[role=status]').textContent")
        bibtex = clipboard(page, page.get_by_role("button", name="Copy BibTeX").first)
        cited = [
            key for group in copied.split("\\cite{")[1:] for key in group.split("}")[0].split(",")
        ]
        assert len(cited) >= 7
        assert all(f"{{{key}," in bibtex for key in cited)
        assert "[1]" not in copied

    def test_all_figures_in_one_archive(self, page):
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save all figures").press("Enter")
        assert saved.value.suggested_filename == "figures.zip"
        with zipfile.ZipFile(saved.value.path()) as archive:
            assert archive.testzip() is None
            assert archive.namelist() == ["figure-1.svg", "figure-2.svg"]
            assert "<svg" in archive.read("figure-2.svg").decode()


class TestPlace:
    def current(self, page):
        return page.locator("nav [aria-current]").all_inner_texts()

    def test_the_contents_mark_what_is_read(self, page):
        assert self.current(page) == ["Findings"]
        page.get_by_role("navigation").get_by_role("link", name="Cut").press("Enter")
        page.wait_for_function("document.querySelector('[aria-current]').textContent === 'Cut'")
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.wait_for_function("document.querySelector('[aria-current]').textContent === 'Folded'")
        assert len(self.current(page)) == 1

    def test_a_line_of_text_has_65_to_75_letters(self, page):
        width = (
            part(page, "Methods")
            .locator(".nbcompare > p")
            .evaluate(
                """p => {
                const text = p.firstChild, range = document.createRange();
                range.selectNodeContents(text);
                return text.data.length / range.getClientRects().length;
            }"""
            )
        )
        assert 60 <= width <= 76

    def test_a_link_into_what_is_folded_unfolds_it(self, page):
        heading = page.get_by_role("heading", name="Folded")
        assert not heading.is_visible()
        page.get_by_role("navigation").get_by_role("link", name="Folded").press("Enter")
        heading.wait_for()

    def test_a_link_to_a_row_that_is_filtered_out_shows_it(self, page):
        whole = part(page, "Whole")
        page.get_by_label("Rows of Table 2 that contain").fill("決定木 a1")
        hidden = whole.locator("tbody tr.off").first
        hidden.evaluate("e => { e.id = 'row'; }")
        page.evaluate("location.hash = '#row'")
        page.wait_for_function("!document.querySelector('tr.off')")
        assert rows(whole).count() == 300


# what stands in the way goes by the width, and colours go by the scheme
@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (400, "dark")])
def test_it_is_accessible_and_quiet(open_heard, barriers, report, scheme, width):
    page, heard = open_heard(report[0], width=width, color_scheme=scheme, bypass_csp=True)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    page.get_by_label("Rows of Table 2 that contain").fill("a1")
    assert barriers(page, "heading-order") == {}
    assert heard.problems == []
    assert heard.fetched == [report[0].as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
