"""MLStatReport, which is a command."""

import csv
import json
import subprocess
import sys
from pathlib import Path

from harness import measure, pairs_of

COMMAND = Path(sys.executable).parent / "mlstatreport"


def report(path):
    """Write its whole report: Markdown, LaTeX, JSON, figures, and a PDF where it finds a TeX."""
    line = [str(COMMAND), "analyze", str(path), "--metric", "score", "--out", "report"]
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())


def agreement(path):
    report(path)
    with path.open() as file:
        names = next(csv.reader(file))[1:]
    found = json.loads(Path("report/analysis.json").read_text())["statistical_analysis"]
    ranks = {one["algorithm"]: one["average_rank"] for one in found["average_ranks"]}
    p = {(it["algorithm_a"], it["algorithm_b"]): it["p_value"] for it in found["nemenyi_posthoc"]}
    p |= {(b, a): one for (a, b), one in p.items()}
    return {
        "friedman": lambda: found["friedman"]["p_value"],
        "ranks": lambda: {name: ranks[name] for name in names},
        "cd": lambda: found["critical_difference"]["cd"],
        "nemenyi": lambda: pairs_of(names, lambda i, j: p[names[i], names[j]]),
    }


measure({"report": report, "agreement": agreement})
