"""Magics in a real kernel: what a cell shows there, and what Tab offers."""

import nbformat
import pytest
from nbclient import NotebookClient

CELLS = (
    "%load_ext nbcompare",
    "%%compare --direction maximize --as first --data-as scores\n"
    "dataset,C4.5,naive Bayes,CN2\niris,0.94,0.95,0.93\nadult,0.8,0.7,0.6\nwine,0.9,0.8,0.7\n",
    "print(first.ordered, scores.n_datasets)",
    "second = %compare_pair scores C4.5 'naive Bayes'",
    "print(second.first, second.second)",
    "%nbreport report.html report.ipynb --author Ada",
    # in the protocol of the kernel, as the frontends ask it
    "reply = get_ipython().kernel.do_complete('%compare scores --control n', 27)\n"
    "print(reply['matches'], reply['cursor_start'], reply['cursor_end'])",
)


def run(sources, folder):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    resources = {"metadata": {"path": str(folder)}}
    notebook = nbformat.v4.new_notebook(cells=cells)
    return NotebookClient(notebook, kernel_name="python3", resources=resources).execute().cells


@pytest.mark.slow
def test_pasted_table_in_a_kernel(tmp_path):
    cells = run(CELLS, tmp_path)
    compared, printed, assigned, pair, report, completed = (cell.outputs for cell in cells[1:])
    # the figure, then the result, each once
    assert [out.output_type for out in compared] == ["display_data", "execute_result"]
    assert "image/svg+xml" in compared[0].data
    assert "text/html" in compared[1].data
    assert printed[0].text == "('C4.5', 'naive Bayes', 'CN2') 3\n"
    assert [out.output_type for out in assigned] == ["display_data"]
    assert pair[0].text == "C4.5 naive Bayes\n"
    # a machine that is busy shows a bar before
    (written,) = (out.text for out in report if out.output_type == "stream")
    assert written == "report.html\nreport.ipynb\n"
    assert "Ada" in (tmp_path / "report.html").read_text(encoding="utf-8")
    code = "\n".join(cell.source for cell in nbformat.read(tmp_path / "report.ipynb", 4).cells)
    assert code.index("first = nbc.compare(scores)") < code.index("second = nbc.compare_pair(")
    assert completed[0].text == "[\"'naive Bayes'\"] 26 27\n"


AUTORELOAD = (
    "%load_ext nbcompare\n%load_ext autoreload\n%autoreload 2",
    "import sys\nimport nbcompare as nbc\nexp = nbc.datasets.load('demsar2006')\n"
    "first = nbc.compare(exp)",
    # as if somebody had saved two files of the package
    "callbacks = get_ipython().events.callbacks['pre_run_cell']\n"
    "(reloader,) = (each.__self__._reloader for each in callbacks if hasattr(getattr(each, "
    "'__self__', None), '_reloader'))\n"
    "for name in ('results.comparison', 'stats.adjust'):\n"
    "    reloader.modules_mtimes[f'nbcompare.{name}'] = 0",
    "print(all(reloader.modules_mtimes[f'nbcompare.{name}'] for name in ('results.comparison', "
    "'stats.adjust')))\nprint(nbc.compare(exp).to_json() == first.to_json(), "
    "isinstance(first, nbc.Comparison))",
    "%compare exp --control C4.5",
)


@pytest.mark.slow
def test_autoreload_does_not_mind(tmp_path):
    *_, printed, compared = (cell.outputs for cell in run(AUTORELOAD, tmp_path))
    assert printed[0].text == "True\nTrue True\n"
    assert any("text/html" in out.get("data", {}) for out in compared)
