"""A comparison without options is the same in Python, as magic, command, builder and report."""

import pytest

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.report.report import Report

NAMES = [name for name in nbc.datasets.names() if name != "convergence_de"]


def of_report(data):
    """Run the cells of a report up to the comparison, without a kernel."""
    notebook = Report(data, sections=["design", "comparison"]).to_notebook()
    namespace = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            exec(cell.source, namespace)
    return namespace["comparison"]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_design_everywhere(shell, tmp_path, capsys, name):
    data = nbc.datasets.load(name)
    expected = nbc.compare(data)
    shell.user_ns["data"] = data
    found = shell.run_line_magic("compare", "data")
    table = tmp_path / "scores.csv"
    data.to_frame("long").to_csv(table, index=False)
    capsys.readouterr()
    assert main(["compare", str(table), "--direction", data.direction, "--json"]) == 0
    told = nbc.results.from_json(capsys.readouterr().out)
    builder = nbc.CDDiagramBuilder(data).result
    for result in (found, told, builder, of_report(data)):
        for part in ("ranking", "pairs", "adjust", "method", "why"):
            assert getattr(result, part) == getattr(expected, part)
        assert result.to_frame().equals(expected.to_frame())
