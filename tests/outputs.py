"""Write one kind of output again and again, to be killed, or where the system allows no large file.

``python tests/outputs.py KIND FOLDER whole`` writes two versions of it into the folders 0 and 1;
``kill TIMES`` kills so many writers, and prints which version each left, or -1;
``limited`` writes where no file may have more than a kilobyte, and prints what is said.
"""

import contextlib
import io
import os
import random
import resource
import select
import shutil
import signal
import sys
import time
from pathlib import Path

import numpy as np

import nbcompare as nbc
from nbcompare import plots
from nbcompare.cli import main as command

MADE = [
    nbc.Experiment.from_array(
        np.random.default_rng(version).normal(size=(60, 5)).round(3), direction="minimize"
    )
    for version in (0, 1)
]
RESULTS = list(map(nbc.compare, MADE))


def report(version, folder, *names):
    made = nbc.Report(MADE[version], sections=["data", "comparison"], date=None)
    made.export(*(str(folder / name) for name in names))


def tables(version, folder):
    scores = folder.parent / f"scores-{version}.csv"
    line = ["tables", str(scores), "--direction", "minimize", "-o", str(folder / "t.tex")]
    with contextlib.redirect_stdout(io.StringIO()):
        assert command(line) == 0


def figure(ending):
    return lambda version, folder: plots.save(
        plots.cd_diagram(RESULTS[version]), folder / f"f{ending}", width=5.0
    )


def project(version, folder):
    results = {"Comparison": RESULTS[version]}
    nbc.Project(MADE[version], results=results).save(folder / "p.nbcompare")


KINDS = {
    "project": project,
    "svg": figure(".svg"),
    "png": figure(".png"),
    "pdf of a figure": figure(".pdf"),
    "tables": tables,
    "notebook and csv": lambda version, folder: report(version, folder, "r.ipynb"),
    "html": lambda version, folder: report(version, folder, "r.html"),
    "pdf of a report": lambda version, folder: report(version, folder, "r.pdf"),
    "latex": lambda version, folder: report(version, folder, "r.tex"),
}


def contents(folder):
    """The files that a reader sees."""
    there = sorted(each for each in folder.rglob("*") if each.is_file())
    return {
        each.relative_to(folder).as_posix(): each.read_bytes()
        for each in there
        if ".nbcompare-" not in each.name  # what a killed writer had begun
    }


def kill(write, folder, times):
    """Kill writers after some whole works and part of one; the next goes on with what is there."""
    whole = [contents(folder / str(version)) for version in (0, 1)]
    place, moments = folder / "out", random.Random(6)
    shutil.copytree(folder / "0", place)
    took = 0.1
    for number in range(times):
        read, said = os.pipe()
        writer = os.fork()
        if not writer:
            os.close(read)
            try:
                for version in range(1, 1000):
                    write(version % 2, place)
                    os.write(said, b".")
            finally:
                os._exit(1)
        for _ in range(number % 4):
            start = time.monotonic()
            assert select.select([read], [], [], 240)[0], "nothing is written"
            os.read(read, 1)
            took = time.monotonic() - start
        time.sleep(moments.random() * took)
        os.kill(writer, signal.SIGKILL)
        os.waitpid(writer, 0)
        os.close(read)
        os.close(said)
        found = contents(place)
        kept = [{path: one.get(path) for path in found} for one in whole]
        # of several files, each is whole: names of data files tell the versions apart
        each = [[path in one and one[path] == found[path] for one in kept] for path in found]
        print(*(one.index(True) if any(one) else -1 for one in each))


def limited(write, folder):
    shutil.copytree(folder / "0", folder / "limited")
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    try:
        write(1, folder / "limited")
    except OSError as error:
        print(f"{type(error).__name__}: {error}")
    except AssertionError:  # of the command, which has said it
        pass


def main(kind, folder, way, times="40"):
    write, folder = KINDS[kind], Path(folder)
    for version, data in enumerate(MADE):
        if way == "whole":
            data.to_frame().to_csv(folder / f"scores-{version}.csv")
            (folder / str(version)).mkdir()
            write(version, folder / str(version))
    if way == "kill":
        kill(write, folder, int(times))
    if way == "limited":
        limited(write, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
