"""Whole pages, by either of the two ways to them."""

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from cells import PIXEL, code, display, export, soup
from nbconvert.exporters import HTMLExporter, base
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell

import nbcompare as nbc
from nbcompare.report import exporters
from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.report.page.templates import template_folder

ROOT = Path(__file__).parents[2]
HOSTILE = "<script>alert(1)</script>"


def foreign_scripts(document):
    """Scripts of a page beside its own, which stand at its end."""
    scripts = document.find_all("script")
    known = {
        file.read_text("utf-8").strip() for file in (template_folder() / "nbcompare").glob("*.js")
    }
    foreign = [one for one in scripts if (one.string or "").strip() not in known]
    own = scripts[len(foreign) :]
    assert own
    assert all(one.parent is document.body and one not in foreign for one in own)
    return foreign


@pytest.fixture
def rich_notebook():
    """A notebook with one of everything."""
    view = {"model_id": "1", "version_major": 2, "version_minor": 0}
    return new_notebook(
        metadata={
            "title": "Everything",
            "authors": [{"name": "A"}],
            "date": "2025",
            "abstract": "What *all* show.",
        },
        cells=[
            new_markdown_cell(
                "# Title\n\nText with $x_1$, \\$5, [a link](https://example.org) and "
                "![remote](https://example.org/a.png), ![local](attachment:a.png)",
                attachments={"a.png": {"image/png": PIXEL}},
            ),
            code(
                display({"image/svg+xml": "<svg/>", "text/plain": "A curve"}),
                display({"image/png": PIXEL}, **{"image/png": {"width": 7, "alt": "A dot"}}),
                display({"application/pdf": PIXEL, "text/plain": "<Figure>"}),
                display({"text/html": "<table class='dataframe'><tr><td>1</td></tr></table>"}),
                display({"text/markdown": "## Printed\n\n$y$"}),
                display({"text/latex": r"$\alpha$", "text/plain": "<Math>"}),
                display({"text/latex": r"\toprule", "text/plain": "<Latex>"}),
                display({"application/javascript": "element.textContent = 'scripted'"}),
                display({"application/vnd.jupyter.widget-view+json": view, "text/plain": "Slider"}),
                new_output("stream", name="stdout", text="\x1b[31mred\x1b[0m\n"),
                new_output("stream", name="stderr", text="careful\n"),
                new_output("execute_result", data={"text/plain": "42"}),
                new_output("error", ename="E", evalue="v", traceback=["\x1b[31mE\x1b[0m: v"]),
                source="price = '$5'",
            ),
            new_raw_cell("raw <text>"),
        ],
    )


class TestBothDoors:
    def test_they_lead_to_the_same_page(self, rich_notebook):
        stock = HTMLExporter(
            template_name="nbcompare", extra_template_basedirs=[str(template_folder())]
        )
        own, _ = ReportHTMLExporter().from_notebook_node(rich_notebook)
        assert stock.from_notebook_node(rich_notebook)[0] == own

    @pytest.mark.slow
    @pytest.mark.parametrize("to", ["html", "nbcompare.report.exporters.ReportHTMLExporter"])
    def test_the_command_finds_the_template_by_name(self, to, rich_notebook, tmp_path):
        source, share = tmp_path / "my notebook.ipynb", tmp_path / "share"
        nbformat.write(rich_notebook, source)
        templates = share / "nbconvert" / "templates"
        templates.parent.mkdir(parents=True)
        templates.symlink_to(template_folder())
        package = Path(template_folder()).parent
        search = [str(package), os.environ.get("PYTHONPATH", "")]
        environment = os.environ | {
            "JUPYTER_PATH": str(share),
            "PYTHONPATH": os.pathsep.join(filter(None, search)),
        }
        arguments = ["-m", "nbconvert", "--to", to, "--template", "nbcompare", str(source)]
        subprocess.run([sys.executable, *arguments], env=environment, check=True, timeout=120)
        page = (tmp_path / "my notebook.html").read_text(encoding="utf-8")
        assert "<title>Everything</title>" in page
        assert '<p class="authors">A</p>' in page

    def test_a_template_of_ones_own_is_named_with_its_folder(self, tmp_path, monkeypatch):
        mine = tmp_path / "mine"
        mine.mkdir()
        (mine / "conf.json").write_text('{"base_template": "nbcompare"}')
        (mine / "index.html.j2").write_text(
            "{%- extends 'nbcompare/index.html.j2' -%}"
            "{% block document_footer %}<footer>Mine</footer>{% endblock %}"
        )
        monkeypatch.chdir(tmp_path)
        notebook = new_notebook(cells=[new_markdown_cell("# One")])
        page, _ = ReportHTMLExporter(template_name="./mine").from_notebook_node(notebook)
        assert "<footer>Mine</footer>" in page
        assert "<h1" in page
        with pytest.raises(ValueError, match="No template sub-directory with name 'mine'"):
            ReportHTMLExporter(template_name="mine").from_notebook_node(notebook)

    def test_the_template_is_the_exporters_own(self, tmp_path, monkeypatch):
        # a folder of that name where the command is run is not a template
        (tmp_path / "nbcompare").mkdir()
        monkeypatch.chdir(tmp_path)
        assert ReportHTMLExporter().template_paths[0] == str(template_folder() / "nbcompare")


class TestNothingIsFetched:
    def test_no_address_but_in_links(self, rich_notebook):
        page, _ = ReportHTMLExporter().from_notebook_node(rich_notebook)
        document = BeautifulSoup(page, "html.parser")
        for element in document.select("[src], [href], [srcset], [data], [action]"):
            if element.name != "a":
                addresses = [
                    element.get(k, "") for k in ("src", "href", "srcset", "data", "action")
                ]
                assert all(not a or a.startswith("data:") for a in addresses), element.name
        assert not document.select("link, script[src], base")
        assert "url(" not in document.style.string
        assert "@import" not in document.style.string

    def test_the_policy_comes_before_anything_it_governs(self):
        head = soup().head
        metas = [meta.get("http-equiv") for meta in head.find_all("meta")]
        assert metas.index("Content-Security-Policy") == 1  # after the character set
        policy = dict(
            directive.strip().split(" ", 1)
            for directive in head.find_all("meta")[1]["content"].split(";")
        )
        assert policy["default-src"] == "'none'"
        assert policy["connect-src"] == "'none'"
        assert policy["form-action"] == "'none'"
        assert policy["base-uri"] == "'none'"
        assert "http" not in str(policy)


@pytest.mark.parametrize(
    ("cell", "about"),
    [
        (new_markdown_cell("<b>open <img src='data:,'>"), {}),
        (code(display({"text/html": "<b>open <img src='data:,'>"})), {}),
        (code(display({"text/markdown": "<b>open <img src='data:,'>"})), {}),
        (new_markdown_cell("Text"), {"abstract": ["<b>open ", "<img src='data:,'>"]}),
    ],
    ids=["text", "output", "output in Markdown", "abstract"],
)
def test_html_of_authors_is_mended(cell, about):
    page = export(cell, **about)
    assert re.search("<b>open .*?</b>", page, re.DOTALL)
    assert BeautifulSoup(page, "html.parser").img["alt"]


def test_a_page_of_ours_needs_no_mending():
    result = nbc.compare(nbc.datasets.load("demsar2006"))
    cells = [new_markdown_cell("# A & B\n\nOf $n$."), code(display(result._repr_mimebundle_()))]
    notebook = new_notebook(cells=cells)
    page, _ = ReportHTMLExporter().from_notebook_node(notebook)
    mended, _ = HTMLExporter.from_notebook_node(ReportHTMLExporter(), notebook)
    bare = re.sub("<!-- nbcompare-digest .*? -->\\n", "", page)
    assert str(BeautifulSoup(bare, "html.parser")) == mended


class TestHostileText:
    def test_sanitizing_holds_for_what_may_otherwise_pass(self):
        document = soup(
            new_markdown_cell(f"Text {HOSTILE} [a](javascript:alert(1)) $x$"),
            code(
                display({"text/html": HOSTILE + "<b onclick='alert(1)'>bold</b>"}),
                display({"application/javascript": "alert(1)"}),
            ),
            new_raw_cell(HOSTILE, metadata={"format": "text/html"}),
            exporter=ReportHTMLExporter(sanitize_html=True),
        )
        assert not foreign_scripts(document)
        assert not document.select("[onclick], [href^=javascript]")
        assert document.math is not None


class TestPage:
    def test_the_language_of_the_command(self):
        assert soup(exporter=ReportHTMLExporter(language_code="fr")).html["lang"] == "fr"

    def test_sanitized_tables_are_left_alone(self):
        table = display({"text/html": '<table class="nbcompare"><tr><td>1</td></tr></table>'})
        exporter = ReportHTMLExporter(sanitize_html=True)
        document = soup(
            new_code_cell("", outputs=[table], metadata={"caption": "C"}), exporter=exporter
        )
        assert document.table is not None
        assert document.caption is None

    def test_a_link_to_nothing_is_reported(self, caplog):
        soup(new_markdown_cell("[Table](#tab-none)"))
        assert "A link refers to #tab-none" in caplog.text

    def test_unwanted_code_is_left_out(self):
        assert soup(code(), exporter=ReportHTMLExporter(exclude_input=True)).details is None


def contrast(first, second):
    """The contrast ratio of two colours, as the Web Content Accessibility Guidelines define it."""

    def luminance(colour):
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    lighter, darker = sorted([luminance(first), luminance(second)], reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_text_colour_is_legible_on_every_background(theme):
    style = (template_folder() / "nbcompare" / "style.css").read_text(encoding="utf-8")
    colours = dict(re.findall(r"--(\w+): (#\w{6})", style.split(":root {")[theme + 1]))
    backgrounds = [colours.pop(name) for name in ("page", "soft", "alarm")]
    del colours["rule"]  # a decoration
    assert len(colours) == 10
    for name, colour in colours.items():
        for background in backgrounds:
            assert contrast(colour, background) >= 4.5, (name, background)


def test_what_jupyterlab_lists_to_save_and_export_as():
    """The names that a Jupyter server gives as /api/nbconvert, from which the menu is made."""
    assert "nbcompare" in base.get_export_names()
    exporter = base.get_exporter("nbcompare")
    assert exporter is ReportHTMLExporter
    assert (exporter.output_mimetype, exporter.export_from_notebook) == (
        "text/html",
        "Report (HTML)",
    )


class TestOneModulePerFormat:
    ALIEN = r"nbcompare\.report\.(latex|typst|paper)\b"

    @staticmethod
    def modules(statement, **options):
        """Names of the modules of a fresh process that has run a statement."""
        code = f"import sys\n{statement}\nprint(*sys.modules)"
        run = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, **options
        )
        return run.stdout.split()

    @pytest.mark.slow
    def test_a_page_needs_nothing_of_the_others(self):
        loaded = self.modules(
            "from nbconvert.exporters import get_exporter\n"
            "from nbformat.v4 import new_markdown_cell, new_notebook\n"
            "exporter = get_exporter('nbcompare.report.exporters.ReportHTMLExporter')()\n"
            "notebook = new_notebook(cells=[new_markdown_cell('# Title\\n\\n$x^2$')])\n"
            "assert '<math' in exporter.from_notebook_node(notebook)[0]"
        )
        assert "nbcompare.report.page.content" in loaded
        assert [name for name in loaded if re.match(self.ALIEN, name)] == []

    def test_entry_points_lead_to_the_public_names(self):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        points = project["entry-points"]["nbconvert.exporters"]
        classes = [
            EntryPoint(name, place, "nbconvert.exporters").load() for name, place in points.items()
        ]
        names = {one.__name__ for one in classes}
        assert names == {name for name in exporters.__all__ if name.endswith("Exporter")}
        assert all(getattr(exporters, one.__name__) is one for one in classes)

    def test_every_public_name_is_found(self):
        assert all(getattr(exporters, name).__name__ == name for name in exporters.__all__)
        with pytest.raises(AttributeError, match="has no attribute 'Other'"):
            exporters.Other  # noqa: B018


@pytest.mark.parametrize(
    ("about", "printed"),
    [({}, True), ({"prints_code": True}, True), ({"prints_code": False}, False), ("x", True)],
)
def test_code_in_documents(about, printed):
    """A report says whether documents print its code; a notebook of somebody else shows it."""
    text = export(
        new_markdown_cell("# Title"),
        code(display({"text/plain": "shown"}), source="secret_call(1)"),
        exporter=exporters.ReportLatexExporter(),
        nbcompare=about,
    )
    assert ("secret" in text) == printed  # LaTeX and PDF come from the same preprocessor
    assert "shown" in text
    assert "secret" in export(code(source="secret_call(1)"), nbcompare=about)


def test_a_report_hides_its_code_in_documents():
    data = nbc.datasets.load("demsar2006")
    for given in (False, True):
        report = nbc.Report(data, sections=["data"], code=given)
        assert report.to_notebook().metadata["nbcompare"]["prints_code"] is given
