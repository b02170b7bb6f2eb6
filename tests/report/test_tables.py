"""LaTeX tables: every figure of a table is there, they compile, names stay what they are."""

import contextlib
import itertools
import os
import re
import shutil
import subprocess

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare._render import latex
from nbcompare.cli import main
from nbcompare.report.tables import latex_supplement, latex_tables
from nbcompare.stats import adjust, logical
from nbcompare.words import PROCEDURES

HOSTILE = (r"C4.5_m & 100% $x$ \input{x}", "<b>&amp;", "#~^{}", "naïve Bayes 中文", "A" * 60)


def rows_of(text, caption):
    """Rows of cells of the tables whose caption starts so."""
    found = []
    for table in re.split(r"\\begin\{(?:table|longtable)\}", text)[1:]:
        if rf"\caption{{{caption}" in table:
            body = table.split(r"\midrule")[-1].split(r"\bottomrule")[0].split(r"\end{long")[0]
            found += [
                [cell.strip().strip("$") for cell in line.removesuffix(r"\\").split(" & ")]
                for line in body.strip().splitlines()
                if " & " in line
            ]
    return found


def shown(value):
    return f"{value:.4f}" if value >= 0.001 else f"{value:.3g}"


@pytest.mark.parametrize("control", [None, "C4.5"])
def test_every_procedure_at_both_levels(control):
    data = nbc.datasets.load("demsar2006")
    text = latex_supplement(data, control=control)
    names = [
        name
        for name, procedure in PROCEDURES.items()
        if procedure.controls == "family-wise error"
        and (control is None or not procedure.all_pairs_only)
    ]
    for ranking, words in (
        ("friedman", "Friedman's ranks"),
        ("aligned", "aligned ranks"),
        ("quade", "Quade's ranks"),
    ):
        results = {
            alpha: nbc.compare(
                data, ranking=ranking, pairs="ranks", method="normal", control=control,
                adjust=names, alpha=alpha,
            )
            for alpha in (0.05, 0.1)
        }  # fmt: skip
        about = f"{words}, {'all pairs' if control is None else 'control C4.5'}"
        first = results[0.05]
        for name in ("ranks", "omnibus", "hypotheses"):
            assert latex.render(first.section(name).parts).strip() in text
        rejected = {row[0]: row[1:] for row in rows_of(text, "Rejected hypotheses by their num")}
        labels = {name: PROCEDURES[name].label.replace("–", "--") for name in names}
        assert set(rejected) == set(labels.values())
        tables = text.split("Rejected hypotheses by their numbers (" + about)[1]
        for name in names:
            counts = [
                int((result.hypotheses.adjusted[name] <= alpha).sum())
                for alpha, result in results.items()
            ]
            line = next(r for r in tables.splitlines() if r.startswith(labels[name]))
            assert [int(re.match(r"\d+", c.strip())[0]) for c in line.split("&")[1:]] == counts


def test_levels_are_those_of_the_procedures():
    text = latex_supplement(nbc.datasets.load("demsar2006"), rankings="friedman")
    rows = rows_of(text, r"Hypotheses and the levels that p is compared with, $\alpha$ = 0.1")
    by_row = [list(itertools.chain(*(r[4:] for r in rows[i::6]))) for i in range(6)]
    expected = [
        *(
            adjust.adjusted_alphas(6, name, 0.1)
            for name in ("bonferroni", "sidak", "holm", "hochberg", "holland", "rom", "finner")
        ),
        logical.shaffer_alphas(4, 0.1),
    ]
    assert by_row == [[shown(levels[i]) for levels in expected] for i in range(6)]


def test_contrasts_and_notes_follow():
    data = nbc.datasets.load("demsar2006")
    text = latex_supplement(data)
    assert "Estimated differences" in text
    contrast = nbc.contrast_estimation(data)
    top = contrast.to_frame()["estimate"].abs().max()
    assert f"{top:.4f}" in text
    assert "Li's procedure controls" in text
    assert data.fingerprint in text.splitlines()[0]


def test_missing_scores(experiment_with_gaps):
    text = latex_supplement(experiment_with_gaps, missing="skillings-mack")
    assert "Skillings--Mack" in text
    assert "Quade F" not in text
    assert "Nemenyi" not in text
    assert "left out" in latex_supplement(experiment_with_gaps, missing="drop")
    with pytest.raises(nbc.DataError, match="has no score for"):
        latex_supplement(experiment_with_gaps)


@pytest.fixture
def experiment_with_gaps():
    scores = np.random.default_rng(0).random((12, 4))
    scores[0, 1] = scores[5, 2] = np.nan
    return nbc.Experiment.from_array(scores, direction="minimize")


def test_many_algorithms_and_pairs_alone():
    scores = np.random.default_rng(1).random((30, 19))
    data = nbc.Experiment.from_array(scores, direction="minimize")
    text = latex_supplement(data, rankings=["friedman"], pairs="wilcoxon")
    assert r"\begin{longtable}" in text  # 171 hypotheses
    assert "Shaffer" in text
    assert "Bergmann" not in text
    with pytest.raises(ValueError, match="`rankings` must be 'friedman', 'aligned' or 'quade'"):
        latex_supplement(data, rankings="auto")


@pytest.mark.slow
@pytest.mark.skipif(
    not shutil.which("pdflatex") and "NBCOMPARE_REQUIRE_LATEX" not in os.environ,
    reason="needs pdflatex (Debian: texlive-latex-recommended lmodern)",
)
@pytest.mark.parametrize("fragment", [False, True])
def test_it_compiles(tmp_path, fragment):
    generator = np.random.default_rng(2)
    scores = generator.random((20, 14)) + np.linspace(0, 1, 14)
    names = [*HOSTILE, *(f"A{i}" for i in range(9))]
    data = nbc.Experiment.from_array(scores, direction="minimize", algorithms=names)
    text = latex_supplement(data, fragment=fragment, title=HOSTILE[0])
    if fragment:
        (tmp_path / "tables.tex").write_text(text.replace("中文", ""), encoding="utf-8")
        text = (
            "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{array,booktabs,longtable}\n"
            "\\begin{document}\\input{tables}\\end{document}\n"
        )
    (tmp_path / "paper.tex").write_text(text, encoding="utf-8")
    line = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
    run = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert run.returncode == 0, run.stdout[-2000:]
    assert (tmp_path / "paper.pdf").stat().st_size > 10_000


def test_on_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = [
        "tables",
        "--example",
        "demsar2006",
        "--control",
        "C4.5",
        "--all",
        "--rankings",
        "quade",
    ]
    assert main(line) == 0
    text = capsys.readouterr().out
    assert text.startswith("% Made by nbcompare")
    assert text.rstrip().endswith(r"\end{document}")
    assert "Quade F" in text
    assert "Friedman" not in text.split(r"\begin{itemize}")[0].replace("Friedmann", "")
    assert main([*line, "--fragment", "-o", "t.tex"]) == 0
    assert capsys.readouterr().out == "t.tex\n"
    assert "documentclass" not in (tmp_path / "t.tex").read_text()
    assert main([*line, "-o", "nowhere/t.tex"]) == 1
    assert "there is no folder" in capsys.readouterr().err


def test_by_default_the_tables_of_one_comparison(tmp_path, capsys):
    data = nbc.datasets.load("demsar2006")
    for options in ({}, {"control": "C4.5", "adjust": "hochberg"}, {"margin": 0.02, "alpha": 0.1}):
        text = latex_tables(data, fragment=True, **options)
        result = nbc.compare(data, **options)
        sections = [result.to_latex(name) for name in ("ranks", "omnibus", "hypotheses")]
        for section in sections:
            assert section.split("\n", 1)[1].strip() in text
        begins = r"\begin{table}"
        assert text.count(begins) == sum(section.count(begins) for section in sections)
        line = [f"--{name}={value}" for name, value in options.items()]
        assert main(["tables", "--example", "demsar2006", "--fragment", *line]) == 0
        assert capsys.readouterr().out.strip() == text.strip()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["--all", "--adjust", "holm"], "give --adjust without --all"),
        (["--rankings", "quade"], "--rankings goes with --all"),
        (
            ["--all", "--pairs", "auto"],
            "--pairs must be 'ranks', 'exchange', 'wilcoxon' or 't'; got 'auto'",
        ),
    ],
)
def test_what_does_not_go_together(line, said, capsys):
    with contextlib.suppress(SystemExit):
        assert main(["tables", "--example", "demsar2006", *line]) == 1
    assert said in capsys.readouterr().err


def test_the_best_is_a_control_as_there():
    data = nbc.datasets.load("demsar2006")
    best = latex_supplement(data, rankings="friedman", control="best")
    name = nbc.compare(data, control="best").control
    named = latex_supplement(data, rankings="friedman", control=name)
    assert "smaller than those of a control chosen beforehand" in " ".join(best.split())
    rows = [re.findall(r"^.*&.*$", text, re.MULTILINE) for text in (best, named)]
    assert rows[0] == rows[1]
    assert len(rows[0]) > 20
