"""A comparison without options is the same in Python, as magic, command, builder and report."""

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


def everywhere(data, shell, tmp_path, capsys):
    """Yield what a magic, a command, both builders and a report make of the same data."""
    shell.user_ns["data"] = data
    yield shell.run_line_magic("compare", "data")
    table = tmp_path / "scores.csv"
    data.to_frame("long").to_csv(table, index=False)
    capsys.readouterr()
    assert main(["compare", str(table), "--direction", data.direction, "--json"]) == 0
    yield nbc.results.from_json(capsys.readouterr().out)
    sections = ["design", "comparison"]
    builder, report_builder = nbc.CDDiagramBuilder(data), nbc.ReportBuilder(data)
    report_builder.sections = sections
    yield builder.result
    yield of_report(report_builder.result)
    yield of_report(Report(data, sections=sections))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_same_design_everywhere(shell, tmp_path, capsys, name):
    data = nbc.datasets.load(name)
    expected = nbc.compare(data)
    for result in everywhere(data, shell, tmp_path, capsys):
        for part in ("ranking", "pairs", "adjust", "method", "why"):
            assert getattr(result, part) == getattr(expected, part)
        assert result.to_frame().equals(expected.to_frame())
