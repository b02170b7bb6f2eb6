"""Kill whole exports at random moments; run by hand, as it takes minutes.

``python tests/report/kill_exports.py 50`` starts ``nbcompare report`` so many times, kills it
for good between its start and its end, and looks at what is left: both files as they were, or
both new; never half of one, never none.
"""

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_LINE = [sys.executable, "-m", "nbcompare", "report", "--example", "demsar2006"]


def main(times: int) -> int:
    """Kill so many exports; the exit code is 1 if one left something broken."""
    moments, broken, killed = random.Random(6), 0, 0
    with tempfile.TemporaryDirectory() as name:
        page, notebook = Path(name) / "r.html", Path(name) / "r.ipynb"
        line = [*_LINE, "-o", str(page), "-o", str(notebook)]
        start = time.monotonic()
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
        longest = time.monotonic() - start
        whole = {path: path.read_bytes() for path in (page, notebook)}
        for _ in range(times):
            process = subprocess.Popen(line, stdout=subprocess.DEVNULL)
            try:
                process.wait(moments.uniform(0, 1.05 * longest))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                killed += 1
            found = {path: path.read_bytes() if path.exists() else b"" for path in whole}
            # the same data and options make the same files, old and new
            broken += found != whole
    print(f"{killed} of {times} exports killed within {longest:.1f} s; {broken} left broken files")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50))
