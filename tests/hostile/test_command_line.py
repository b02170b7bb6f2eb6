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

CLOSED = b"nbcompare: standard output is closed, where the result would have been printed\n"
FULL = b"nbcompare: cannot write to standard output: No space left on device\n"


@pytest.mark.parametrize(
    ("redirected", "code", "said"),
    [
        (">&-", 1, CLOSED),
        ("<&- >&-", 1, CLOSED),
        (">/dev/full", 1, FULL),
        (">&- 2>&-", 1, b""),
        ("<&- >&- 2>&-", 1, b""),
        (">/dev/full 2>/dev/full", 1, b""),
    ],
)
def test_a_result_that_cannot_be_printed_is_a_failure(folder, redirected, code, said):
    done = shell(folder, COMPARE, redirected)
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", said)


@pytest.mark.parametrize("redirected", ["2>&-", "<&-", "2>/dev/full"])
def test_a_result_is_printed_whatever_the_other_streams_are(folder, redirected):
    done = shell(folder, COMPARE, redirected)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "naïve" in done.stdout.decode()


@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize(
    ("line", "code"), [(["compare", "none.csv", "--direction", "maximize"], 1), (["compare"], 2)]
)
def test_a_mistake_that_cannot_be_told_has_its_exit_code(folder, redirected, line, code):
    done = shell(folder, line, redirected)
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")


def test_help_that_cannot_be_printed(folder):
    done = shell(folder, ["--help"], ">/dev/full")
    assert (done.returncode, done.stderr) == (1, FULL)


def test_files_are_what_a_report_is_for(folder):
    """Where nobody wants to hear their names, they are written all the same."""
    report = ["report", *COMPARE[1:], "--sections", "data,comparison", "-o", "r.html"]
    done = shell(folder, report, "<&- >&- 2>&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (folder / "r.html").read_text(encoding="utf-8").endswith("</html>\n")
    verify = ["verify", "r.html", "--data", "scores.csv", "--direction", "maximize"]
    assert shell(folder, verify, ">&-").returncode == 0
    full = shell(folder, verify, ">/dev/full")
    assert (full.returncode, full.stderr) == (2, FULL)  # neither that it holds nor that it does not
    tables = shell(folder, ["tables", *COMPARE[1:], "-o", "t.tex"], ">&-")
    assert (tables.returncode, tables.stderr) == (0, b"")
    assert (folder / "t.tex").exists()


def test_a_closed_stream_s_place_is_not_taken_by_a_file(folder):
    """What a child of the command writes to its standard output would be in that file."""
    code = (
        "import os, subprocess, sys\n"
        "from nbcompare.cli import _run, main\n"
        "def look(arguments, heard):\n"
        "    with open('precious', 'w') as file:\n"
        "        assert file.fileno() > 2\n"
        "        subprocess.run([sys.executable, '-c', 'print(1, flush=True)'], check=True)\n"
        "    return 0 if not heard and os.path.getsize('precious') == 0 else 1\n"
        "_run.run = look\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -c "{code}" <&- >&- 2>&-'],
        cwd=folder,
        timeout=MINUTES,
    )
    assert done.returncode == 0


# ------------------------------------------------------------------------------- encodings

ENCODINGS = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "cp437": {"PYTHONIOENCODING": "cp437"},
    "strict": {"PYTHONIOENCODING": "ascii:strict"},
    "C locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""},
}


WESTERN = ("latin-1", "cp1252", "cp437")  # of a console of Windows, too


@pytest.mark.parametrize("name", ENCODINGS)
def test_letters_that_an_encoding_lacks(folder, name):
    done = run(folder, COMPARE, **ENCODINGS[name])
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode(name if name in WESTERN else "ascii")
    alpha = "α" if name == "cp437" else "alpha"
    assert f"{alpha} = 0.05" in text
    first = "naïve" if name in WESTERN else "naive"
    assert re.search(rf"^{first} +{alpha}-x .* 6\.0 ", text, re.M)
    assert r"\u6771\u4eac" in text


@pytest.mark.parametrize("name", ENCODINGS)
def test_names_in_a_message_are_told_from_one_another(folder, name):
    done = run(folder, [*COMPARE, "--control", "naive"], **ENCODINGS[name])
    alpha = "α" if name == "cp437" else "alpha"
    told = "naïve" if name in WESTERN else r"na\xefve"
    assert done.returncode == 1
    assert done.stderr.decode(name if name in WESTERN else "ascii") == (
        rf"nbcompare: --control must be one of '{told}', '\u6771\u4eac' and '{alpha}-x'; got "
        f"'naive'. Did you mean '{told}'?\n"
    )


@pytest.mark.parametrize("name", ["C locale", "ascii"])
def test_a_name_is_given_in_any_locale(folder, name):
    done = run(folder, [*COMPARE, "--control", "東京"], **ENCODINGS[name])
    assert (done.returncode, done.stderr) == (0, b"")


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
            ["report", "--example", "demsar2006", "--title", b"t\xff", "-o", "r.html"],
            2,
            r"nbcompare report: error: --title must be text in UTF-8; got 't\udcff'",
        ),
        (
            ["report", "--example", "demsar2006", "--author", b"\xff", "-o", "r.html"],
            2,
            r"nbcompare report: error: --author must be text in UTF-8; got ['\udcff']",
        ),
        (
            ["report", "--example", b"\xff", "-o", "r.html"],
            2,
            r"nbcompare report: error: --example must be text in UTF-8; got '\udcff'",
        ),
        (
            ["tables", "--example", "demsar2006", "-o", b"no\xff/t.tex"],
            1,
            r"nbcompare: cannot write no\udcff/t.tex: there is no folder {folder}/no\udcff.",
        ),
    ],
)
def test_messages_about_what_is_no_text(folder, line, code, message):
    done = run(folder, line)
    assert done.returncode == code
    told = done.stderr.decode("ascii").splitlines()[-1]
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
