"""Names of algorithms survive every rendering as text, read back by a real parser of each."""

import json
import warnings

import bs4
import mistune
import pypandoc
import pytest
import typst as typst_compiler
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbconvert.filters import markdown2html

from nbcompare._render import Column, Note, Notes, Prose, Table, html, latex, markdown, text, typst
from nbcompare._render.letters import isolated
from nbcompare._validation import clean_label

UNMARKED = str.maketrans("", "", "\u2068\u2069")

NAMES = (
    "<script>alert(1)</script>",
    r"C4.5_m & 100% $x$ \input{x}",
    "#let x = 1; *_",
    "{",
    "}",
    "\\",
    "\\\\",
    r"\|",
    "[x]",
    "[x](http://example.org)",
    "![x](y)",
    "http://www.example.org",
    "*",
    "* a",
    "- a",
    "+ a",
    "-",
    "---",
    "1.",
    "1. a",
    "2) a",
    "> a",
    "# a",
    "= a",
    "% a",
    "a | b",
    "|",
    "`a`",
    "``",
    "~~a~~",
    "~a~",
    "a^b^",
    "$$x$$",
    r"\(x\)",
    r"\[x\]",
    r"\\(x\\)",
    r"\begin{a}x\end{a}",
    "&amp; &#35; &lt;",
    "'quoted' \"twice\" ''",
    "a--b---c ... <<d>> ,,e''",
    "?` !`",
    ":smile: ::: @foo @@0@@ [-@bar]",
    "<!-- -->",
    "</div></table>",
    "<b onclick='x'>",
    "_a_ __b__",
    "naïve Bayes β²≤∞…",
    "שלום עולם",
    "خوارزمية",
    "决策树",
    "👩‍🔬 🎯",
    "e\u0301",
    "x" * 60,
    "a@b.example",
    "C++",
    "F#",
    "A*",
)
QUICK = settings(
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)


def table_of(names, caption=""):
    columns = (Column("algorithm"), Column(names[0], number=True))
    return Table(columns, tuple((name, "-1.5") for name in names), caption=caption)


def cells_of(page, tags=("td", "th")):
    soup = bs4.BeautifulSoup(page, "html.parser")
    rows = [[cell.get_text() for cell in row.find_all(tags)] for row in soup.find_all("tr")]
    return rows[0][1], [row[0] for row in rows[1:]]


def by_mistune(source):
    # its escape=True, which nbconvert turns off, escapes entities once more
    return mistune.create_markdown(escape=False, plugins=["table", "strikethrough"])(source)


def by_pandoc(source, reader):
    page = pypandoc.convert_text(source, "html", reader, extra_args=["--wrap=none"])
    return page.replace("é", "e\u0301")  # it composes letters and their marks


def test_html_shows_names_as_they_are():
    header, names = cells_of(html.render([table_of(NAMES)]))
    assert (header, names) == (NAMES[0], list(NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_html_makes_no_element_of_a_name(name):
    parts = [Prose((name,)), table_of([name], caption=name), Notes([Note("code", name)])]
    soup = bs4.BeautifulSoup(html.render(parts), "html.parser")
    ours = {"div", "p", "table", "caption", "thead", "tbody", "tr", "th", "td", "ul", "li"}
    assert {tag.name for tag in soup.find_all()} - {"bdi"} == ours
    assert [soup.p.text, soup.caption.text, soup.li.text] == [name] * 3


def test_html_is_left_alone_by_mathjax():
    soup = bs4.BeautifulSoup(html.render([Prose(("$x$",))]), "html.parser")
    assert soup.div["class"] == ["nbcompare", "tex2jax_ignore", "mathjax_ignore"]
    assert "$" not in html.render([Prose(("$x$",))])


@pytest.mark.parametrize(
    "parse",
    [
        by_mistune,
        markdown2html,
        lambda source: by_pandoc(source, "gfm"),
        lambda source: by_pandoc(source, "markdown"),
    ],
    ids=["mistune", "nbconvert", "pandoc-gfm", "pandoc-markdown"],
)
def test_markdown_tables_show_names_as_they_are(parse):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        page = parse(markdown.render([table_of(NAMES)]))
    header, names = cells_of(page)
    assert (header, names) == (NAMES[0], list(NAMES))


@pytest.mark.parametrize("reader", ["gfm", "markdown"])
def test_markdown_paragraphs_and_lists_show_names_as_they_are(reader):
    source = "\n\n".join(markdown.render([Prose((name,))]) for name in NAMES)
    source += "\n" + markdown.render([Notes([Note("code", name) for name in NAMES])])
    soup = bs4.BeautifulSoup(by_pandoc(source, reader), "html.parser")
    assert [paragraph.text for paragraph in soup.find_all("p", recursive=False)] == list(NAMES)
    assert [item.get_text().strip() for item in soup.find_all("li")] == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_markdown_paragraphs_by_mistune(name):
    paragraph = bs4.BeautifulSoup(by_mistune(markdown.render([Prose((name,))])), "html.parser").p
    assert (paragraph.text, paragraph.find_all()) == (name, [])


def compiled(parts):
    source = typst.render(parts).encode()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # typst calls its HTML experimental
        page = typst_compiler.compile(source, format="html")
    return bs4.BeautifulSoup(page, "html.parser")


def test_typst_shows_names_as_they_are():
    soup = compiled([table_of(NAMES, caption=NAMES[2])])
    header, names = cells_of(str(soup))
    assert (header, names) == (NAMES[0], list(NAMES))
    assert soup.figcaption.text.endswith(NAMES[2])
    prose = compiled([Prose((name,)) for name in NAMES] + [Notes([Note("c", n) for n in NAMES])])
    assert [paragraph.text for paragraph in prose.find_all("p")] == list(NAMES)
    assert [item.text for item in prose.find_all("li")] == list(NAMES)


def test_typst_makes_a_pdf_of_any_name():
    parts = [table_of(NAMES, caption=NAMES[1]).cut(5), Prose(NAMES)]
    assert typst_compiler.compile(typst.render(parts).encode(), format="pdf")[:5] == b"%PDF-"


# What pandoc's reader of LaTeX does not know, though every LaTeX since 2020 does.
KNOWN_TO_LATEX = "".join(
    rf"\newcommand{{\{name}}}{{{meaning}}}"
    for name, meaning in {"textbar": "|", "textasciigrave": "¬grave¬"}.items()
)


def by_latex(source):
    """Names as pandoc reads them; the commands it lacks, and dashes it sets, are put back."""
    known = source.replace(r"\symbol{34}", "¬quote¬").replace("'", "¬single¬")
    page = pypandoc.convert_text(
        KNOWN_TO_LATEX + known, "html", "latex", extra_args=["--wrap=none"]
    )
    for word, mark in {"grave": "`", "quote": "&quot;", "single": "'"}.items():
        page = page.replace(f"¬{word}¬", mark)
    soup = bs4.BeautifulSoup(page, "html.parser")
    for formula in soup.find_all("span", class_="math"):  # our own symbols only
        shown = {"²": "2", "−1.5": "-1.5"}.get(formula.text, formula.text)
        formula.replace_with(shown)
    return soup


def test_latex_shows_names_as_they_are():
    names = [name for name in NAMES if "²" not in name]
    for some in (names[:30], names[30:]):  # a longer table goes over pages, see test_latex.py
        header, found = cells_of(str(by_latex(latex.render([table_of(some)]))))
        assert (header, found) == (some[0], some)


@pytest.mark.slow
def test_latex_prose_and_notes_show_names_as_they_are():
    names = [name for name in NAMES if "²" not in name]
    for name in names:
        assert by_latex(latex.render([Prose((name,))])).text.strip() == name
    items = by_latex(latex.render([Notes([Note("c", name) for name in names])])).find_all("li")
    assert [item.get_text().strip() for item in items] == names


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (r"C4.5_m & 100% $x$ \input{x}", r"C4.5\_m \& 100\% \$x\$ \textbackslash{}input\{x\}"),
        ("a--b", "a-{}-b"),
        ("a---b", "a-{}-{}-b"),
        ("it''s", "it'{}'s"),
        ('"', r"\symbol{34}"),
        ("1–30", "1--30"),
        ("^~", r"\textasciicircum{}\textasciitilde{}"),
        ("α≤χ²…", r"$\alpha$$\le$$\chi$$^2$\ldots{}"),
        (
            "β-VAE, TD(λ), μ → 0.5 ≈ ✓",
            r"$\beta$-VAE, TD($\lambda$), $\mu$ $\rightarrow$ 0.5 "
            r"$\approx$ $\checkmark$",
        ),
        ("Αλγόριθμος", "Αλγόριθμος"),
    ],
)
def test_latex_escapes(name, expected):
    assert latex.escape(name) == expected


@pytest.mark.parametrize("name", ["[x]", "*a"])
def test_latex_rows_and_items_are_no_arguments_of_the_command_before(name):
    source = latex.render([table_of([name]), Notes([Note("code", name)])])
    assert rf"{{}}{name} & $-1.5$ \\" in source
    assert rf"\item {{}}{name}" in source


def test_text_keeps_names_in_one_piece():
    names = [name for name in NAMES if " " not in name]
    words = text.render([Prose(tuple(names * 3))]).translate(UNMARKED).split()
    assert words == names * 3
    shown = text.render([table_of(NAMES)]).translate(UNMARKED).splitlines()[2:]
    assert [line.rpartition("-1.5")[0].rstrip() for line in shown] == list(NAMES)


HEBREW, ARABIC = "\u05d0\u05d1-2", "\u0645\u0635\u0646\u0641 \u0633\u0631"


def test_names_from_right_to_left_are_isolated():
    said = f"CN2, {HEBREW} and {ARABIC} are better than {HEBREW}, 0.5 ({ARABIC}: 3)."
    parts = [Prose((said,)), table_of([HEBREW, "CN2", ARABIC], caption=f"{HEBREW}, {ARABIC}")]
    soup = bs4.BeautifulSoup(html.render(parts), "html.parser")
    assert soup.p.text == said
    found = [each.text for each in soup.find_all("bdi")]
    assert [found.count(name) for name in (HEBREW, ARABIC)] == [
        soup.text.count(HEBREW),
        soup.text.count(ARABIC),
    ]
    shown = text.render(parts)
    assert shown.translate(UNMARKED).splitlines()[0] == said
    assert (
        shown.count("\u2068") == shown.count("\u2069") == shown.count(HEBREW) + shown.count(ARABIC)
    )
    assert f"\u2068{HEBREW}\u2069 and \u2068{ARABIC}\u2069 are better" in shown
    # marks are not printed, so that columns stay aligned
    rows = [line for line in shown.splitlines() if line.endswith("-1.5")]
    assert len(rows) == 3
    assert len({len(line.translate(UNMARKED)) for line in rows}) == 1
    for render in (html.render, text.render):
        assert "\u2068" not in render([Prose(("β-VAE, 林檎 and CN2",))])
    assert "bdi" not in html.render([Prose(("β-VAE, 林檎 and CN2",))])


def test_no_number_is_taken_for_a_part_of_an_isolated_name():
    for end in (" 0.5", ", 0.5", " (0.5)", "."):
        assert isolated(f"{HEBREW}{end}") == f"\u2068{HEBREW}\u2069{end}"


PRINTABLE = (
    st.text(
        st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"),
        min_size=1,
    )
    .map(clean_label)
    .filter(bool)
)


@QUICK
@given(st.lists(PRINTABLE, min_size=1, max_size=8))
def test_any_name_survives_html_and_markdown(names):
    assert cells_of(html.render([table_of(names)])) == (names[0], names)
    header, found = cells_of(by_mistune(markdown.render([table_of(names)])))
    assert (header, found) == (names[0], names)


@pytest.mark.slow
@QUICK
@given(st.lists(PRINTABLE, min_size=1, max_size=8))
def test_any_name_is_a_typst_string(names):
    source = "\n".join(f"#metadata({typst.literal(name)}) <x>" for name in names)
    values = [item["value"] for item in json.loads(typst_compiler.query(source.encode(), "<x>"))]
    assert values == names
