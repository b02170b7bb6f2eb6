"""A comparison without options is the same in Python, as magic, command, builder and report."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.report.report import Report

NAMES = [name for name in nbc.datasets.names() if name != "convergence_de"]


def of_report(report):
    """Run the cells of a report up to the comparison, without a kernel."""
    namespace = {}
    for cell in report.to_notebook().cells:
        if cell.cell_type == "code":
            exec(cell.source, namespace)
    return namespace["comparison"]


def everywhere(data, shell, tmp_path, capsys, **options):
    """Yield what a magic, a command, both builders and a report make of the same options."""
    line = [word for name, value in options.items() for word in (f"--{name}", value)]
    shell.user_ns["data"] = data
    yield shell.run_line_magic("compare", " ".join(["data", *line]))
    table = tmp_path / "scores.csv"
    data.to_frame("long").to_csv(table, index=False)
    capsys.readouterr()
    assert main(["compare", str(table), "--direction", data.direction, "--json", *line]) == 0
    yield nbc.results.from_json(capsys.readouterr().out)
    sections = ["design", "comparison"]
    builder, report_builder = nbc.CDDiagramBuilder(data), nbc.ReportBuilder(data)
    report_builder.sections = sections
    for name, value in options.items():
        setattr(builder, name, value)
        setattr(report_builder, name, value)
    yield builder.result
    yield of_report(report_builder.result)
    yield of_report(Report(data, compare=options, sections=sections))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_same_design_everywhere(shell, tmp_path, capsys, name):
    data = nbc.datasets.load(name)
    expected = nbc.compare(data)
    for result in everywhere(data, shell, tmp_path, capsys):
        for part in ("ranking", "pairs", "adjust", "method", "why"):
            assert getattr(result, part) == getattr(expected, part)
        assert result.to_frame().equals(expected.to_frame())


@pytest.mark.slow
@pytest.mark.parametrize("scale", ["one", "several"])
@pytest.mark.parametrize("factor", [1.0, 10.0])
def test_what_is_stated_of_the_scales_holds_everywhere(shell, tmp_path, capsys, scale, factor):
    scores = np.random.default_rng(2).random((14, 4)) * factor ** np.arange(14)[:, np.newaxis]
    data = nbc.Experiment.from_array(scores, direction="minimize")
    expected = nbc.compare(data, scale=scale)
    advice = nbc.recommend(data, scale=scale)
    shown = scale == "one"
    assert expected.pairs == advice.pairs == ("wilcoxon" if shown else "exchange")
    found = list(everywhere(data, shell, tmp_path, capsys, scale=scale))
    assert len(found) == 5
    for result in (*found, nbc.compare(data, **advice.options)):
        for part in ("ranking", "pairs", "adjust", "method"):
            assert getattr(result, part) == getattr(expected, part)
        assert result.design.options["scale"] == scale
        assert result.hypotheses.has_estimates == shown
        assert result.to_frame().equals(expected.to_frame())
    line = shell.run_line_magic("recommend", f"data --scale {scale}").call
    assert f"scale={scale!r}" in line
    assert main(["recommend", str(tmp_path / "scores.csv"), "--direction", "minimize",
                 "--scale", scale]) == 0  # fmt: skip
    last = capsys.readouterr().out.split("\n\n")[-1]
    assert last.startswith("nbcompare compare ")
    assert f"--scale {scale}" in " ".join(last.split())
