"""nbcompare."""

import subprocess
import sys

from harness import measure

import nbcompare as nbc


def compared(path, **options):
    experiment = nbc.Experiment.read(path, direction="maximize")
    comparison = nbc.compare(experiment, ranking="friedman", **options)
    rows = zip(comparison.hypotheses.a, comparison.hypotheses.b, strict=True)
    p = comparison.hypotheses.adjusted[options["adjust"]]
    pairs = {f"{a} - {b}": float(value) for (a, b), value in zip(rows, p, strict=True)}
    return comparison, pairs


def diagram(path):
    comparison, pairs = compared(path, pairs="ranks", adjust="nemenyi", method="normal")
    nbc.plots.save(nbc.plots.cd_diagram(comparison), "diagram.png")
    return {"friedman": float(comparison.omnibus["friedman"].p), "nemenyi": pairs}


def shaffer(path):
    return {"shaffer": compared(path, pairs="ranks", adjust="shaffer", method="normal")[1]}


def bergmann_hommel(path):
    options = {"pairs": "ranks", "adjust": "bergmann-hommel", "method": "normal"}
    return {"bergmann-hommel": compared(path, **options)[1]}


def wilcoxon(path):
    return {"wilcoxon": compared(path, pairs="wilcoxon", adjust="holm", method="exact")[1]}


def report(path):
    line = [sys.executable, "-m", "nbcompare", "report", str(path), "--direction", "maximize"]
    subprocess.run([*line, "-o", "report.html"], check=True, capture_output=True)
    return {}


measure(
    {
        "diagram": diagram,
        "shaffer": shaffer,
        "bergmann-hommel": bergmann_hommel,
        "wilcoxon": wilcoxon,
        "report": report,
    }
)
