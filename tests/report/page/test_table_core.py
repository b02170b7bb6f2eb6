"""The script for tables that pages and builders share, in the Node that nothing else needs."""

import json
import shutil
import subprocess

import pytest

from nbcompare.report.page.templates import template_folder

ASKED = """
const { csv, latex, markdown, ordered, pads, tabbed } = nbcompareTables;
const p = ["0.5", "< 1e-300", "1.26e-412", "–", "1e-310", "0.0412", "3.2e-411"];
const about = { heads: 1, right: [false, true], caption: "A_b" };
console.log(JSON.stringify({
  rising: ordered(p, false).map((i) => p[i]), falling: ordered(p, true).map((i) => p[i]),
  names: ordered(["a10", "A9", "b"], false), pads: pads(["1.25", "3", "text"]),
  tabbed: tabbed([["a\\tb", "=1+1"], ["-0.5", "c"]]), csv: csv([["a,b", "@x"]]).text,
  latex: latex([["a_b", "p"], ["x", "0.5"], ["β-VAE → ✓ ω", "1"]], about).text,
  markdown: markdown([["a", "p"], ["<x>", "0.5"]], about).text,
}));
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="no Node; a browser tests it, too")
def test_the_shared_script_by_itself():
    source = (template_folder() / "nbcompare" / "table_core.js").read_text(encoding="utf-8")
    done = subprocess.run(
        ["node", "-e", source + ASKED], capture_output=True, encoding="utf-8", check=True
    )
    found = json.loads(done.stdout)
    assert found["rising"] == ["1.26e-412", "3.2e-411", "1e-310", "< 1e-300", "0.0412", "0.5", "–"]
    assert found["falling"] == [*found["rising"][-2::-1], "–"]
    assert found["names"] == [1, 0, 2]
    assert found["pads"] == ["", ".00", None]
    assert found["tabbed"]["text"] == "a b\t'=1+1\n-0.5\tc\n"
    assert "One text that begins like a formula" in found["tabbed"]["hint"]
    assert found["csv"] == '"a,b",\'@x\n'
    assert "a\\_b & p \\\\\n\\midrule\nx & 0.5" in found["latex"]
    assert "β-VAE → ✓ ω & 1" in found["latex"]  # as released: commands are LaTeX's own tables
    assert found["markdown"].splitlines()[0] == "A\\_b"
    assert found["markdown"].splitlines()[2:] == [
        "| a | p |",
        "| :--- | ---: |",
        "| &lt;x&gt; | 0.5 |",
    ]
