"""MLStatReport."""

import subprocess
import sys
from pathlib import Path

from harness import measure


def report(path):
    """Its whole report; PDF by LaTeX only, which it writes and does not typeset."""
    command = Path(sys.executable).parent / "mlstatreport"
    line = [str(command), "analyze", str(path), "--metric", "score", "--output-dir", "report"]
    subprocess.run(line, check=True, capture_output=True)
    return {"without": "typesetting"}


measure({"report": report})
