"""The command line where streams are closed, names are no text, and someone is impatient."""

import os
import re
import signal
import subprocess
import sys
import threading

import pytest

from nbcompare.cli._interrupts import INTERRUPTED

SCORES = "dataset,naïve,東京,α-x\niris,0.9,0.8,0.7\nwine,0.8,0.7,0.6\nzoo,0.7,0.75,0.1\n"
COMPARE = ["compare", "scores.csv", "--direction", "maximize"]
MINUTES = 300  # after so many seconds something hangs
HERE = [sys.executable, "-m", "nbcompare"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "scores.csv").write_text(SCORES, encoding="utf-8")
    return tmp_path


def heard(done):
    """Leave out the line that says how a table was read."""
    done.stderr = re.sub(rb"read [^\n]*: 3 data sets in rows, [^\n]*\n", b"", done.stderr)
    return done


def shell(folder, line, redirected="", **environment):
    """Run a command in a shell, which closes and redirects streams."""
    words = " ".join(f"'{word}'" for word in [*HERE, *line])
    done = subprocess.run(
        ["sh", "-c", f"exec {words} {redirected}"],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        timeout=MINUTES,
    )
    return heard(done)


def run(folder, line, **environment):
    done = subprocess.run(
        [*HERE, *line],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        timeout=MINUTES,
    )
    return heard(done)


# ------------------------------------------------------------------------------- streams

FULL = b"nbcompare: cannot write to standard output: No space left on device\n"


@pytest.mark.parametrize(
    ("redirected", "said"), [(">/dev/full", FULL), (">/dev/full 2>/dev/full", b"")]
)
def test_a_result_that_cannot_be_printed_is_a_failure(folder, redirected, said):
    done = shell(folder, COMPARE, redirected)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", said)


@pytest.mark.parametrize("redirected", ["2>&-", "<&-", "2>/dev/full"])
def test_a_result_is_printed_whatever_the_other_streams_are(folder, redirected):
    done = shell(folder, COMPARE, redirected)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "naïve" in done.stdout.decode()


@pytest.mark.parametrize(
    ("line", "code"), [(["compare", "none.csv", "--direction", "maximize"], 1), (["compare"], 2)]
)
def test_a_mistake_that_cannot_be_told_has_its_exit_code(folder, line, code):
    done = shell(folder, line, "2>/dev/full")
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")


def test_files_are_what_a_report_is_for(folder):
    """Where nobody wants to hear their names, they are written all the same."""
    report = ["report", *COMPARE[1:], "--sections", "data,comparison", "-o", "r.html"]
    assert shell(folder, report, "<&- >&- 2>&-").returncode == 0
    assert (folder / "r.html").read_text(encoding="utf-8").endswith("</html>\n")
    verify = ["verify", "r.html", "--data", "scores.csv", "--direction", "maximize"]
    full = shell(folder, verify, ">/dev/full")
    assert (full.returncode, full.stderr) == (2, FULL)  # neither that it holds nor that it does not


# ------------------------------------------------------------------------------- encodings

ENCODINGS = {name: {"PYTHONIOENCODING": name} for name in ("ascii", "cp1252", "ascii:strict")}


@pytest.mark.parametrize("name", ENCODINGS)
def test_letters_that_an_encoding_lacks(folder, name):
    coding = name.partition(":")[0]
    done = run(folder, COMPARE, **ENCODINGS[name])
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode(coding)
    assert "alpha = 0.05" in text
    told = "naïve" if name == "cp1252" else r"na\xefve"
    assert re.search(rf"^{re.escape(told)} +alpha-x .* 6\.0 ", text, re.M)
    done = run(folder, [*COMPARE, "--control", "naive"], **ENCODINGS[name])
    assert done.returncode == 1
    assert done.stderr.decode(coding) == (
        rf"nbcompare: --control must be one of '{told}', '\u6771\u4eac' and 'alpha-x'; got "
        f"'naive'. Did you mean '{told}'?\n"
    )


# ------------------------------------------------------------------------------- names of files

NO_TEXT = b"b\xffd"


@pytest.fixture
def odd(folder):
    (folder / "scores.csv").rename(folder / os.fsdecode(NO_TEXT + b".csv"))
    return folder


@pytest.mark.weekly
@pytest.mark.parametrize("name", [None, *ENCODINGS])
def test_files_whose_names_are_no_text(odd, name):
    environment = ENCODINGS.get(name, {})
    source = [NO_TEXT + b".csv", "--direction", "maximize"]
    done = run(odd, ["compare", *source], **environment)
    assert (done.returncode, done.stderr) == (0, b"")
    done = run(odd, ["tables", *source, "-o", NO_TEXT + b".tex"], **environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == NO_TEXT + b".tex\n"  # as a script needs it
    assert (odd / os.fsdecode(done.stdout.strip())).exists()


def test_a_report_on_a_file_whose_name_is_no_text(odd):
    source = [NO_TEXT + b".csv", "--direction", "maximize"]
    outputs = [NO_TEXT + ending for ending in (b".html", b".ipynb", b".tex")]
    words = [word for output in outputs for word in (b"-o", output)]
    done = run(odd, ["report", *source, "--sections", "data,comparison", *words])
    assert (done.returncode, done.stderr) == (0, b"")
    assert set(outputs) <= set(done.stdout.split())
    assert set(done.stdout.split()) <= {os.fsencode(path.name) for path in odd.iterdir()}
    verify = ["verify", outputs[0], "--data", *source]
    assert run(odd, verify).returncode == 0


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        (
            ["compare", b"n\xff.csv", "--direction", "maximize"],
            1,
            r"nbcompare: the path must name a file; there is no 'n\udcff.csv'.",
        ),
        (
            ["tables", "--example", "demsar2006", "-o", b"no\xff/t.tex"],
            1,
            "nbcompare: cannot write no\udcff/t.tex: there is no folder {folder}/no\udcff.",
        ),
    ],
)
def test_messages_about_what_is_no_text(folder, line, code, message):
    done = run(folder, line)
    assert done.returncode == code
    told = done.stderr.decode("ascii", "surrogateescape").splitlines()[-1]
    assert told == message.replace("{folder}", str(folder.resolve()))
    assert [path.name for path in folder.iterdir()] == ["scores.csv"]


# ------------------------------------------------------------------------------- impatience

# The command, which is asked to end when it has looked for so many modules.
_IMPATIENT = """
import os, signal, sys
from nbcompare.cli import main
number, sent = int(sys.argv[1]), getattr(signal, sys.argv[2])
# as in a terminal, though the tests may run in the background, where shells have it ignored
signal.signal(signal.SIGINT, signal.default_int_handler)
seen = 0
def look(event, arguments):
    global seen
    if event == "import":
        seen += 1
        if seen == number:
            signal.raise_signal(sent)
sys.addaudithook(look)
sys.argv[1:] = sys.argv[3:]
sys.exit(main())
"""


def ended_well(done):
    """One line, or the whole result."""
    if heard(done).returncode == 0:
        return done.stderr == b"" and done.stdout.endswith(b"\n")
    return (done.returncode, done.stdout, done.stderr) == (130, b"", INTERRUPTED.encode())


@pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("number", [2, 5, 20, 150, 800])
def test_a_request_to_end_while_modules_are_imported(folder, number, sent):
    line = [sys.executable, "-c", _IMPATIENT, str(number), sent, *COMPARE]
    done = subprocess.run(line, cwd=folder, capture_output=True, timeout=MINUTES)
    # a SIGTERM before the first module that handles it ends any program, without a word
    by_the_system = sent == "SIGTERM" and number < 20 and done.returncode == -signal.SIGTERM
    assert by_the_system or ended_well(done), done.stderr.decode()
    assert done.returncode != 0 or number >= 400


@pytest.mark.parametrize("step", range(0, 16, 3))
def test_ctrl_c_at_any_moment(folder, step):
    """From outside: before Python can listen, while it imports, while it works, at its end."""
    process = subprocess.Popen(
        [*HERE, *COMPARE], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    asking = threading.Timer(0.1 * step, process.send_signal, (signal.SIGINT,))
    asking.start()
    out, err = process.communicate(timeout=MINUTES)
    asking.join()
    done = subprocess.CompletedProcess([], process.returncode, out, err)
    # what comes before the first line of the command is Python's to answer, also in its own main
    ours = re.search(rb"nbcompare[^\n]*, in main", err)
    early = done.returncode == -signal.SIGINT or ours is None
    assert ended_well(done) or (early and out == b""), err.decode()


def test_a_request_that_the_process_was_started_to_ignore(folder):
    code = _IMPATIENT.replace("seen = 0", "signal.signal(sent, signal.SIG_IGN)\nseen = 0")
    line = [sys.executable, "-c", code, "100", "SIGINT", *COMPARE]
    done = subprocess.run(line, cwd=folder, capture_output=True, timeout=MINUTES)
    assert done.returncode == 0
    assert ended_well(done)
