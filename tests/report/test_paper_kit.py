"""The files for the paper of a venue: they compile in its class, and nothing leaves a column."""

import os
import re
import shutil
import subprocess

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.report.tables import paper_kit

VENUES = ("ieee", "acm", "lncs", "elsevier")


def experiment(k, scale=1.0):
    names = [f"GradientBoosting+feature-selection-{i}" if i % 3 else f"SVM{i}" for i in range(k)]
    names[1] = "β-VAE ✓ (λ → 0)"
    scores = np.random.default_rng(k).normal(scale * np.linspace(0.4, 0.9, k), 0.05, (20, k))
    return nbc.Experiment.from_array(
        scores, direction="maximize", measure="balanced accuracy", algorithms=names
    )


def has_classes():
    files = (
        "IEEEtran.cls",
        "acmart.cls",
        "llncs.cls",
        "elsarticle.cls",
        "xstring.sty",
        "ptmr7t.tfm",
    )
    if "NBCOMPARE_REQUIRE_LATEX" in os.environ:
        return True
    if not shutil.which("kpsewhich"):
        return False
    return subprocess.run(["kpsewhich", *files], capture_output=True, check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(
    not has_classes(), reason="needs the classes of venues (Debian: texlive-publishers and others)"
)
@pytest.mark.parametrize("k", [4, 10, 14])
@pytest.mark.parametrize("venue", VENUES)
def test_its_class_compiles_it_and_nothing_is_wider_than_a_column(tmp_path, venue, k):
    paper_kit(experiment(k), tmp_path, venue=venue, siunitx=k == 10)
    latex = ["pdflatex", "-interaction=batchmode", "-halt-on-error", "paper"]
    for line in (latex, ["bibtex", "paper"], latex, latex):
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, check=False, timeout=600)
        log = (tmp_path / "paper.log").read_text("utf-8", errors="replace")
        assert done.returncode == 0, (line, done.stdout, log[-2000:])
    assert not re.search(r"Overfull .hbox|Float too large|undefined|without description", log)


@pytest.mark.parametrize("venue", VENUES)
def test_one_form_of_numbers(tmp_path, venue):
    files = {file.name: file for file in paper_kit(experiment(5), tmp_path, venue=venue)}
    table = files["hypotheses.tex"].read_text("utf-8")
    assert r"\textless{} 0.001" in table
    assert not re.search(r"\de-\d", table)
    assert not re.search(r"[& ]-\d", table)  # every minus is one
    assert "$p$ &" in table
    assert r"\label{tab:hypotheses}" in table
    assert "longtable" not in table
    methods = files["methods.tex"].read_text("utf-8")
    assert "$p$-values" in methods
    keys = re.findall(r"\\cite\{([^}]+)\}", methods)
    literature = files["references.bib"].read_text("utf-8")
    assert keys
    assert all(f"{{{key}," in literature for group in keys for key in group.split(","))


def test_many_pairs_are_for_a_supplement(tmp_path):
    scores = np.random.default_rng(0).normal(np.linspace(0, 3, 13), 1.0, (30, 13))
    many = nbc.Experiment.from_array(scores, direction="maximize")
    files = {file.name: file.read_text("utf-8") for file in paper_kit(many, tmp_path, venue="acm")}
    assert "ranks.tex" not in files
    inputs = re.findall(r"^(%?)\\input\{(letters|hypotheses)\}", files["paper.tex"], re.MULTILINE)
    assert inputs == [("", "letters"), ("%", "hypotheses")]
    assert all(f"{name} & " in files["letters.tex"] for name in many.algorithms)


def test_a_wide_table_takes_the_page_and_a_narrow_one_the_column():
    result = nbc.compare(experiment(4))
    assert r"\begin{table}" in result.to_latex("ranks", venue="ieee")
    assert r"\begin{table*}[tp]" in result.to_latex("hypotheses", venue="ieee")
    assert r"\begin{table*}" not in result.to_latex("hypotheses", venue="lncs")
    with pytest.raises(ValueError, match=r"^`venue` must be 'ieee', 'acm', 'lncs' or 'elsevier'"):
        result.to_latex(venue="nature")


def test_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    line = ["tables", "--example", "demsar2006", "--control", "C4.5", "--venue", "acm"]
    assert main([*line, "-o", "paper"]) == 0
    names = capsys.readouterr().out.split()
    assert "paper/paper.tex" in names
    assert all((tmp_path / name).stat().st_size for name in names)
    for more, message in (
        ([], "--venue writes several files: give -o and a folder for them"),
        (["-o", "paper", "--all"], "--venue goes without --all"),
    ):
        with pytest.raises(SystemExit):
            main([*line, *more])
        assert message in " ".join(capsys.readouterr().err.split())
    with pytest.raises(SystemExit):
        main(["tables", "--example", "demsar2006", "--siunitx"])
    assert "--siunitx goes with --venue" in capsys.readouterr().err


def test_numbers_are_aligned_at_their_points():
    result = nbc.describe(nbc.datasets.load("demsar2006"))
    text = result.to_latex(siunitx=True)
    assert "S[table-format=1.4,detect-weight]" in text
    assert r"\bfseries 0.8865" in text
    assert "{mean}" in text
    tests = nbc.compare(nbc.datasets.load("demsar2006")).to_latex("omnibus", siunitx=True)
    assert "& {3, 39} &" in tests
    assert tests.startswith(r"% Needs \usepackage{booktabs,siunitx}.")
