"""The literature as BibTeX, read by another parser, and set by BibTeX and LaTeX."""

import dataclasses
import os
import re
import shutil
import subprocess

import pytest
from pybtex.database import parse_string
from pybtex.richtext import Text

import nbcompare as nbc
from nbcompare.results import bibtex_of
from nbcompare.words import CITATIONS, LITERATURE

ODD = r'50% of {A & B_1, "C" -- $x$ \input{y} @misc{z, } Müller'
# The year in print is not that in which it appeared, by which it is known.
PRINTED_LATER = {"otero2013": "2014"}


def plain(text):
    """Read LaTeX as text, by the other parser."""
    text = text.replace(r"$\times$", "×").replace("``", "“").replace("''", "”")
    return str(Text.from_latex(text)).replace("--", "–")


@dataclasses.dataclass
class Cited:
    """What has a list of references, like a result."""

    references: tuple
    design: object


@pytest.fixture(scope="module")
def everything():
    design = nbc.compare(nbc.datasets.load("demsar2006"), adjust="holm").design
    cited = Cited(tuple(CITATIONS.values()), dataclasses.replace(design, citation=ODD))
    return bibtex_of([cited])


@pytest.fixture(scope="module")
def entries(everything):
    return parse_string(everything, "bibtex").entries


def test_every_reference_is_an_entry(entries):
    assert list(entries) == sorted([*CITATIONS, "nbcompare", "data"])


@pytest.mark.parametrize("key", CITATIONS)
def test_an_entry_says_what_is_printed(entries, key):
    entry, printed = entries[key], CITATIONS[key]
    people = [
        f"{plain(' '.join(p.prelast_names + p.last_names))}, "
        f"{' '.join(p.first_names + p.middle_names)}".rstrip(", ")
        for p in entry.persons["author"]
    ]
    *rest, last = people
    names = f"{', '.join(rest)} and {last}" if rest else last
    year = int(re.search(r"\d{4}", key)[0])
    assert printed.startswith(f"{names} ({year}). {plain(entry.fields['title'])}")
    assert entry.fields["year"] == PRINTED_LATER.get(key, str(year))
    if key in PRINTED_LATER:
        return
    for name in set(entry.fields) - {"title", "year", "doi", "url"}:
        value = plain(entry.fields[name])
        assert (value[:1].lower() + value[1:] if name == "note" else value) in printed
    left = printed[len(f"{names} ({year}). ") :]
    for value in sorted(map(plain, entry.fields.values()), key=len, reverse=True):
        left = left.replace(value, "").replace(value.lower(), "")
    # nothing that is printed is missing in the entry, but for words around it
    assert re.sub(r"\bIn\b|\bed\b|PhD thesis|[\s.,()]", "", left) == ""


def test_articles_are_complete_and_say_where_to_find_them(entries):
    where = [entry.fields.get("doi") for entry in entries.values() if "doi" in entry.fields]
    assert len(set(where)) == len(where) > 35
    assert all(re.fullmatch(r"10\.\d{4,5}/\S+", doi) for doi in where)
    for entry in entries.values():
        if entry.type == "article":
            assert {"author", "title", "journal", "volume", "pages", "year"} <= set(
                entry.fields
            ) | {"author"}


def test_letters_and_names_in_titles_are_written_for_every_style(everything):
    everything.replace("Müller", "").encode("ascii")
    for text in (r"Dem{\v s}ar", r"Garc{\'i}a", r"{\v S}id{\'a}k", "2677--2694"):
        assert text in everything
    for title in ("the {Wilcoxon} signed", "{AMLB}: an {AutoML}", "{Friedman}-type", "cv {F} test"):
        assert title in everything


def test_the_software_has_its_version(entries):
    software = entries["nbcompare"]
    assert software.type == "software"
    assert software.fields["version"] == nbc.__version__
    assert nbc.__version__ in software.fields["howpublished"]
    assert nbc.__version__ in bibtex_of([]), "without a result"


def test_several_results_share_their_references():
    data = nbc.datasets.load("demsar2006")
    first, second = nbc.multiple_sign_test(data, "C4.5"), nbc.compare_pair(data, "C4.5", "C4.5+m")
    both = parse_string(bibtex_of([first, second]), "bibtex").entries
    assert list(both) == sorted(both)
    assert bibtex_of([second, first]) == bibtex_of([first, second])
    alone = [parse_string(each.to_bibtex(), "bibtex").entries for each in (first, second)]
    assert set(both) == set(alone[0]) | set(alone[1])


def test_two_sources_of_data_are_two_entries():
    sources = [nbc.datasets.load(name) for name in ("demsar2006", "otero2013_auc")]
    results = [nbc.describe(source) for source in sources]
    entries = parse_string(bibtex_of([*results, *results]), "bibtex").entries
    notes = [plain(entries[f"data{number}"].fields["note"]) for number in (1, 2)]
    assert [note[:6] for note in notes] == ["Demšar", "Otero,"]
    assert "data" not in entries


@pytest.mark.skipif(
    not (shutil.which("pdflatex") and shutil.which("bibtex"))
    and "NBCOMPARE_REQUIRE_LATEX" not in os.environ,
    reason="needs pdflatex and bibtex (Debian: texlive-latex-recommended, texlive-binaries)",
)
@pytest.mark.parametrize("style", ["plain", "alpha"])
def test_bibtex_and_latex_take_it(everything, tmp_path, style):
    if shutil.which("kpsewhich"):
        found = subprocess.run(["kpsewhich", f"{style}.bst"], capture_output=True, check=False)
        if not found.stdout.strip():
            pytest.skip(f"needs {style}.bst (Debian: texlive-base)")
    (tmp_path / "report.bib").write_text(everything, encoding="utf-8")
    (tmp_path / "paper.tex").write_text(
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\begin{document}\\nocite{*}"
        f"\\bibliographystyle{{{style}}}\\bibliography{{report}}\\end{{document}}"
    )

    def run(*line):
        done = subprocess.run(
            line, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False
        )
        assert done.returncode == 0, done.stdout[-2000:]
        return done.stdout

    latex = ("pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex")
    run(*latex)
    warnings = re.findall("Warning--(.*)", run("bibtex", "paper"))
    # old styles know no software, and set it as they set what they do not know
    assert warnings == ['entry type for "nbcompare" isn\'t style-file defined']
    run(*latex)
    listed = (tmp_path / "paper.bbl").read_text(encoding="utf-8")
    assert listed.count("\\bibitem") == len(LITERATURE) + 2
    order = re.findall(r"\\bibitem(?:\[.*?\])?\{(.*?)\}", listed, re.DOTALL)
    assert order.index("sidak1967") < order.index("skillings1981") < order.index("steel1959")
    assert f"version {nbc.__version__}" in listed.lower()
