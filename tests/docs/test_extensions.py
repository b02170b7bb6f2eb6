"""The extensions of the site: pages of the repository, formulas, what is written from the code."""

import os
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest
from bs4 import BeautifulSoup

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def repository(extension):
    return extension("repository")


def test_links_to_files_lead_to_their_pages_or_are_text(repository):
    text = (
        "[a](ARCHITECTURE.md#layers), [b](docs/hosts.md), [c](notebooks/01_quickstart.ipynb), "
        "[d](nbcompare/cli.py), [e](https://jmlr.org), [f](#here), ![g](docs/g.png)"
    )
    pages = {"architecture", "hosts", "guide/01_quickstart", "reference/cli"}
    found = repository.fitted(text, PurePosixPath(), "reference/cli", pages)
    assert found == (
        "[a](../architecture.md#layers), [b](../hosts.md), [c](../guide/01_quickstart.ipynb), "
        "d, [e](https://jmlr.org), [f](#here), ![g](docs/g.png)"
    )


def test_sections_of_a_name_stand_below_their_versions(repository):
    versions = [
        "## 3\n\n### C\n\nthree\n\n### D\n\nfour\n",
        "## 2\n\n### D\n\n",
        "## 1\n\n### C\n\none\n",
    ]
    text = "\n".join(["# A", *versions])
    assert repository.sections(text, "C") == "## 3\n\nthree\n\n## 1\n\none"
    with pytest.raises(ValueError, match="no heading 'E'"):
        repository.sections(text, "E")


def test_what_changed_in_results_is_that_of_the_changelog(repository):
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    changed = repository.sections(text, "What changed in your results")
    assert "## 0.2.0" in changed
    assert "\n- `compare`" in changed
    assert "documentation site" not in changed


def test_pages_name_only_what_can_be_written(extension):
    makers = set(extension("generated").MAKERS)
    named = {
        name
        for page in DOCS.rglob("*.md")
        for name in re.findall(r"^:::\{generated\} (\S+)", page.read_text("utf-8"), re.MULTILINE)
    }
    assert named == makers


def test_a_file_stays_while_it_is_newer_than_all_it_was_made_from(extension, tmp_path):
    is_newer = extension("built_files").is_newer
    made, source, folder = tmp_path / "made", tmp_path / "source", tmp_path / "package"
    folder.mkdir()
    code = folder / "code.py"
    assert not is_newer(made, Path(__file__))
    for time, path in enumerate((source, code, made)):
        path.touch()
        os.utime(path, (time, time))
    assert is_newer(made, source, folder)
    for changed in (source, code):
        os.utime(changed, (9, 9))
        assert not is_newer(made, source, folder)
        os.utime(changed, (0, 0))


@pytest.mark.parametrize("text", ["a|b", "*a*", "a_b_c", "<b>", "$x$", "[a](b)", "{a}`b`"])
def test_plain_text_stays_plain(extension, text):
    markdown_it = pytest.importorskip("markdown_it")
    written = extension("markup").plain(text)
    shown = markdown_it.MarkdownIt().render(written)
    assert re.sub("<p>|</p>|\n", "", shown).replace("&lt;", "<").replace("&gt;", ">") == text


@pytest.mark.slow
def test_formulas_become_mathml_and_others_are_warnings(extension, tmp_path):
    extension("html_output")
    from sphinx.application import Sphinx

    (tmp_path / "conf.py").write_text(
        'extensions = ["myst_nb", "html_output"]\n'
        'myst_enable_extensions = ["dollarmath"]\n'
        'html_math_renderer = "mathml"\n'
    )
    (tmp_path / "index.md").write_text("# Page\n\n$x_1$ and\n\n$$\\frac{a}{b}$$\n\n$\\foo{x}$\n")
    warned = (tmp_path / "warned").open("w+")
    app = Sphinx(
        tmp_path, tmp_path, tmp_path / "site", tmp_path / "trees", "html", status=None,
        warning=warned,
    )  # fmt: skip
    app.build()
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert page.count("<math ") == 2
    assert "<mfrac>" in page
    assert "mathjax" not in page.lower().replace("mathjax_ignore", "")
    warned.seek(0)
    assert "cannot be written as MathML" in warned.read()


@pytest.mark.parametrize("index", ["project.md", "reference/index.md"])
def test_an_index_says_of_each_of_its_pages_what_it_is(index):
    text = (DOCS / index).read_text(encoding="utf-8")
    (tree,) = re.findall(r"```\{toctree\}\n(?::.*\n)+\n(.*?)```", text, re.DOTALL)
    listed = [re.sub(r".*<(.*)>", r"\1", line) for line in tree.split("\n") if line]
    told = re.findall(r"^\| \[[^]]+\]\(([^)]+)\.md\) \| \w.+ \|$", text, re.MULTILINE)
    assert told == listed


def test_the_table_of_the_start_page_is_the_bundled_one():
    import nbcompare as nbc

    shown = nbc.Experiment.read(DOCS / "scores.csv", direction="maximize")
    bundled = nbc.datasets.load("demsar2006")
    assert shown.datasets == bundled.datasets
    assert shown.algorithms == bundled.algorithms
    assert (shown.mean_scores == bundled.mean_scores).all()


@pytest.mark.slow
def test_the_commands_of_the_start_page_work(tmp_path):
    (tmp_path / "scores.csv").write_bytes((DOCS / "scores.csv").read_bytes())
    text = (DOCS / "start.md").read_text(encoding="utf-8")
    commands = re.findall(r"^nbcompare (.+)$", text, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["report", "verify"]
    for command in commands:
        line = [sys.executable, "-m", "nbcompare", *command.split()]
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="the page has other lines for PowerShell")
def test_the_environment_of_the_start_page_is_the_one_that_is_used(tmp_path):
    text = (DOCS / "start.md").read_text(encoding="utf-8")
    made, installs = re.search(r"```sh\n(.*?)```", text, re.DOTALL)[1].split("pip install")
    made = made.replace("-m venv", "-m venv --without-pip")
    assert installs.split() == [".", "jupyterlab"]
    line = ["sh", "-e", "-c", f"{made}command -v python"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(tmp_path / ".venv" / "bin" / "python")


def test_packages_are_installed_from_the_checkout():
    """There is one way to install, that of the page for beginners."""
    texts = {page.name: page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md")}
    packages = {name: re.findall(r"pip install\s\"?(\S+?)\"?[\s`]", texts[name]) for name in texts}
    assert {".", ".[pdf]"} <= {one for found in packages.values() for one in found}
    assert {name: found for name, found in packages.items() if "nbcompare" in "".join(found)} == {}


def test_the_template_of_the_page_changes_the_footer_alone(tmp_path):
    import nbformat

    from nbcompare.report.page.exporter import ReportHTMLExporter

    text = (DOCS / "reference" / "templates.md").read_text(encoding="utf-8")
    folder = tmp_path / "mine"
    folder.mkdir()
    for language, name in (("json", "conf.json"), ("jinja", "index.html.j2")):
        (block,) = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
        (folder / name).write_text(block, encoding="utf-8")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Mine\n\nText.")])
    usual, _ = ReportHTMLExporter().from_notebook_node(notebook)
    changed, _ = ReportHTMLExporter(template_name=str(folder)).from_notebook_node(notebook)
    footer = re.compile(r"<footer>.*?</footer>", re.DOTALL)
    (found,) = footer.findall(changed)
    assert found == "<footer><p>Mine, from our laboratory</p></footer>"
    assert found not in usual
    assert BeautifulSoup(changed, "html.parser").main == BeautifulSoup(usual, "html.parser").main
