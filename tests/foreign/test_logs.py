"""Folders of logs that optimisers wrote through COCO, IOHprofiler, or a script of one's own.

``logs/coco-2.8.2`` was written by ``cocoex`` of that version, for a hill climber and a random walk;
beside it are all values that the function gave. ``logs/coco-2009`` and ``logs/ioh-2019`` are small
and written by hand in the shape of those years.
The rest is written here: by the rules of COCO's ``logger_bbob.c`` (2.6) and of
``ioh.logger.Analyzer``, from runs that are made up. What must come out follows from these runs, or
from the lines of the files, read one by one.
"""

import json
import math
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.histories import Histories

LOGS = Path(__file__).parent / "logs"
FOPT = 79.48
NEW = (
    "%% f evaluations | g evaluations | best noise-free fitness - %s (%13.12e) + sum g_i+ | "
    "measured fitness | best measured fitness or single-digit g-values | x1 | x2..."
)
OLD = (
    "%% function evaluation | noise-free fitness - %s (%13.12e) | best noise-free fitness - Fopt | "
    "measured fitness | best measured fitness | x1 | x2..."
)

# ------------------------------------------------------------------------- their loggers


def run_of(random, budget, decades, target=1e-8):
    """Errors of single evaluations; the run ends when one reaches the target."""
    errors = 10 ** (2 - np.linspace(0, decades, budget)) * random.lognormal(0, 1, budget)
    reached = np.flatnonzero(errors <= target)
    return errors[: reached[0] + 1] if reached.size else errors


def is_target(best, before):
    """Whether another of the targets 10^(i / 5) is reached."""
    return (
        before is None
        or best <= 0
        or math.ceil(5 * math.log10(best)) < math.ceil(5 * math.log10(before))
    )


def is_regular(evaluation, dim):
    """Whether it is one of 1, 2, 5, 10, 20, 50, ... times the dimension, or of 10^(i / 20)."""
    digits = str(evaluation // dim) if evaluation % dim == 0 else ""
    powers = {int(10 ** (i / 20)) for i in range(100)}
    return evaluation in powers or digits.rstrip("0") in ("1", "2", "5")


def coco_lines(errors, dim, old):
    """The lines of .dat and of .tdat."""
    dat, tdat, best, before = [], [], math.inf, None
    x = [f"{0.5 - i / dim:+5.4e}" for i in range(dim)] if dim < 22 else []
    for evaluation, error in enumerate(errors.tolist(), start=1):
        improved, best = error < best, min(best, error)
        cells = [str(evaluation), f"{error:+10.9e}" if old else "0", f"{best:+10.9e}"]
        cells += [f"{error + FOPT:+10.9e}", f"{best + FOPT:+10.9e}", *x]
        if improved and is_target(best, before):
            dat.append(" ".join(cells))
            before = best
        if is_regular(evaluation, dim) or evaluation == len(errors):
            tdat.append(" ".join(cells))
    return dat, tdat


def coco(folder, name, runs, *, old=False, suite="bbob", opt="Fopt"):
    """Write the folder of an algorithm; runs are (instance, errors), by function and dimension."""
    folder.mkdir(parents=True, exist_ok=True)
    heads = {}
    for (function, dim), several in runs.items():
        place = f"data_f{function}/bbobexp_f{function}_DIM{dim}"
        (folder / place).parent.mkdir(exist_ok=True)
        header = (OLD if old else NEW) % (opt, FOPT)
        made = [coco_lines(errors, dim, old) for _, errors in several]
        for suffix, parts in zip((".dat", ".tdat"), zip(*made, strict=True), strict=True):
            text = "".join("\n".join([header, *lines]) + "\n" for lines in parts)
            (folder / f"{place}{suffix}").write_text(text)
        head = f"funcId = {function}, DIM = {dim}, Precision = 1.000e-08, algId = '{name}'"
        if not old:
            more = "coco_version = '2.6.3', logger = 'bbob', data_format = 'bbob-new2'"
            head = f"suite = '{suite}', {head}, {more}"
        listed = [f"{i}:{len(errors)}|{min(errors):.1e}" for i, errors in several]
        heads.setdefault(function, []).append(f"{head}\n%\n{', '.join([f'{place}.dat', *listed])}")
    for function, entries in heads.items():
        (folder / f"bbobexp_f{function}.info").write_text("\n".join(entries))
    return folder


def ioh(folder, name, runs, function="ManyAffine", dim=5):
    """Write the folder of an algorithm; runs are (instance, values), logged as they improve."""
    place = f"data_f0_{function}/IOHprofiler_f0_DIM{dim}.dat"
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    lines, told = [], []
    for instance, values in runs:
        lines.append("evaluations raw_y")
        best = math.inf
        for evaluation, value in enumerate(values.tolist(), start=1):
            if value < best:
                best = value
                lines.append(f"{evaluation} {value:.10f}")
        told.append({"instance": instance, "evals": len(values), "best": {"y": best}})
    (folder / place).write_text("\n".join(lines) + "\n")
    meta = {
        "version": "0.3.22", "suite": "unknown_suite", "function_id": 0,
        "function_name": function, "maximization": False,
        "algorithm": {"name": name, "info": "algorithm_info"},
        "attributes": ["evaluations", "raw_y"],
        "scenarios": [{"dimension": dim, "path": place, "runs": told}],
    }  # fmt: skip
    (folder / f"IOHprofiler_f0_{function}.json").write_text(json.dumps(meta))
    return folder


def two_algorithms(folder, **how):
    """Two algorithms side by side; what each run gave, by function, dimension and algorithm."""
    random = np.random.default_rng(0)
    made = {}
    for name, decades in (("CMA-ES", 14), ("DE", 5)):
        runs = {
            (function, dim): [(i, run_of(random, 40 * dim, decades)) for i in (1, 2, 41)]
            for function in (2, 10)
            for dim in (3, 25)
        }
        coco(folder / name, name, runs, **how)
        made |= {(*key, name): [errors for _, errors in several] for key, several in runs.items()}
    return made


def lines_of(folder, function, dim):
    """The best so far by evaluation, of each run, from the lines of both files."""
    runs = []
    for suffix in ("dat", "tdat"):
        number = -1
        file = folder / f"data_f{function}" / f"bbobexp_f{function}_DIM{dim}.{suffix}"
        for line in file.read_text().splitlines():
            if line.startswith("%"):
                number += 1
                if suffix == "dat":
                    runs.append({})
            else:
                cells = line.split()
                runs[number][int(cells[0])] = float(cells[2])
    return runs


def at(logged, evaluation):
    """What the last line says that is not beyond an evaluation."""
    return logged[max(e for e in logged if e <= evaluation)]


# ---------------------------------------------------------------------------------- COCO


@pytest.mark.parametrize("old", [False, True])
def test_folders_of_coco_side_by_side(tmp_path, old):
    made = two_algorithms(tmp_path, old=old)
    histories = Histories.read(tmp_path, instances="runs", n_points=20)
    assert histories.problems == ("f2 3D", "f2 25D", "f10 3D", "f10 25D")
    assert histories.algorithms == ("CMA-ES", "DE")
    assert histories.direction == "minimize"
    assert histories.optimum.tolist() == [0.0] * 4
    assert histories.measure == "difference to the optimum"
    assert (histories.n_runs == 3).all()
    assert [note.code for note in histories.notes] == ["reached-early"]
    for p, problem in enumerate(histories.problems):
        function, dim = (int(part.strip("fD")) for part in problem.split())
        assert histories.budgets[p] == 40 * dim
        for a, name in enumerate(histories.algorithms):
            logged = lines_of(tmp_path / name, function, dim)
            for r, errors in enumerate(made[function, dim, name]):
                best = np.minimum.accumulate(errors)
                for e, value in zip(
                    histories.evaluations[p], histories.values[p, a, r], strict=True
                ):
                    assert value == at(logged[r], e)
                    true = best[min(int(e), len(best)) - 1]
                    assert true * (1 - 1e-9) <= value < true * 10**0.2 * (1 + 1e-9)
                assert histories.values[p, a, r, -1] == pytest.approx(min(errors), rel=1e-9)


def falling(length, hit=None, to=1e-9):
    """Errors that stay at 1, but for one hit, with which the run ends."""
    errors = np.ones(length)
    if hit is not None:
        errors[hit - 1 :] = to
    return errors[: hit or length]


def test_running_times_are_those_of_the_lines_of_coco(tmp_path):
    made = two_algorithms(tmp_path)
    result = nbc.fixed_targets(Histories.read(tmp_path, instances="runs"))
    for p, a, t in np.ndindex(result.ert.shape):
        function, dim = (int(part.strip("fD")) for part in result.problems[p].split())
        spent, successes = 0, 0
        for errors in made[function, dim, result.algorithms[a]]:
            best = np.minimum.accumulate(errors)
            hits = np.flatnonzero(best <= result.precisions[t] * (1 + 1e-9))
            spent += hits[0] + 1 if hits.size else len(errors)
            successes += bool(hits.size)
        assert result.successes[p, a, t] == successes
        assert result.ert[p, a, t] == (spent / successes if successes else math.inf)
    assert result.dimensions.tolist() == [3.0, 25.0, 3.0, 25.0]


def test_expected_running_times_of_iohprofiler(tmp_path):
    for name, budgets in (("A", [(140, 140), (230, 230), (5_000, None)]), ("B", [(200, None)])):
        runs = [(i, falling(length, hit)) for i, (length, hit) in enumerate(budgets, start=1)]
        ioh(tmp_path / name, name, runs, dim=4)
    histories = Histories.read(tmp_path, instances="runs", early="carry")
    result = nbc.fixed_targets(histories, targets=[1e-8])
    assert result.ert.ravel().tolist() == [(140 + 230 + 5_000) / 2, math.inf]
    assert result.budgets.tolist() == [[5_000.0, 200.0]]
    assert result.dimensions.tolist() == [4.0]


def test_a_folder_that_coco_wrote():
    folder = LOGS / "coco-2.8.2"
    given = json.loads((folder / "all_values.json").read_text())
    histories = Histories.read(folder, instances="problems", n_points=30)
    assert histories.problems == ("f8 2D, instance 1", "f8 2D, instance 2")
    assert histories.algorithms == ("hill climber", "random walk")
    assert histories.notes == ()
    optima = [
        float(re.search(r"Fopt \(([^)]+)\)", part)[1])
        for part in (folder / "hill/data_f8/bbobexp_f8_DIM2.dat").read_text().split("\n%")
    ]
    for p, optimum in enumerate(optima):
        for a, name in enumerate(histories.algorithms):
            best = np.minimum.accumulate(given[f"{name}, instance {p + 1}"]) - optimum
            found = histories.values[p, a, 0]
            regular = [e - 1 for e in range(1, 31) if is_regular(e, 2) or e == 30]
            np.testing.assert_allclose(found[regular], best[regular], rtol=1e-9)
            assert (found >= best * (1 - 1e-9)).all()
            assert (found <= best * 10**0.05 * (1 + 1e-9)).all()  # 20 targets per decade


def test_one_algorithm_of_coco_and_instances_as_problems(tmp_path):
    two_algorithms(tmp_path)
    runs = Histories.read(tmp_path / "DE", instances="runs", n_points=5)
    assert runs.algorithms == ("DE",)
    apart = Histories.read(tmp_path / "DE", instances="problems", n_points=5)
    assert apart.problems[:4] == (
        "f2 3D, instance 1", "f2 3D, instance 2", "f2 3D, instance 41", "f2 25D, instance 1",
    )  # fmt: skip
    assert (apart.n_runs == 1).all()
    np.testing.assert_array_equal(
        apart.values.reshape(4, 3, 5), runs.values.reshape(4, 3, 5)
    )  # no run of DE ends early: budgets are the same


def test_a_run_that_gives_up_is_asked_about_and_one_that_is_precise_is_not(tmp_path):
    runs = [(1, np.array([5.0, 2.0, 1.0, 0.5])), (1, np.array([3.0, 0.9e-8]))]
    coco(tmp_path / "A", "A", {(1, 2): runs})
    histories = Histories.read(tmp_path, n_points=4)
    assert histories.values[0, 0].tolist() == [[5.0, 2.0, 1.0, 0.5], [3.0, 9e-9, 9e-9, 9e-9]]
    message = r"stops at evaluation 2 of 4\. Pass early=.* Pass budget="
    with pytest.raises(nbc.DataError, match=message):
        Histories.read(tmp_path, optimum_tolerance=1e-9)
    runs[1] = (1, np.array([3.0, 1.1e-8]))
    coco(tmp_path / "A", "A", {(1, 2): runs})
    with pytest.raises(nbc.DataError, match=r"run '2' stops at evaluation 2 of 4\."):
        Histories.read(tmp_path)
    assert Histories.read(tmp_path, early="carry").notes[0].code == "stopped-early"


def test_coco_of_2009():
    histories = Histories.read(LOGS / "coco-2009", instances="runs", n_points=12)
    assert (histories.problems, histories.algorithms) == (("f1 2D",), ("ALPS",))
    assert histories.values[0, 0].tolist() == [
        [1.9] * 3 + [0.005] * 5 + [0.0] * 4,  # -1e-9, by rounding
        [8.0] * 5 + [0.063] * 6 + [0.031],
        [50.0] * 5 + [0.0004] * 7,
    ]
    apart = Histories.read(LOGS / "coco-2009", instances="problems", n_points=12)
    assert apart.problems == ("f1 2D, instance 1", "f1 2D, instance 2")
    assert apart.n_runs.tolist() == [[2], [1]]
    assert apart.values[0, 0].tolist() == histories.values[0, 0, :2].tolist()


def test_an_optimum_that_is_not_known(tmp_path):
    coco(tmp_path / "A", "A", {(1, 2): [(1, np.array([5.0, -2.0]))]}, opt="Fref", suite="mario")
    histories = Histories.read(tmp_path)
    assert histories.optimum is None
    assert histories.measure == "difference to the reference value"
    assert histories.values[0, 0, 0, -1] == -2.0
    assert Histories.read(tmp_path, optimum=-3).errors()[0, 0, 0, -1] == 1.0


def test_a_run_that_was_broken_off(tmp_path):
    runs = [(1, np.array([5.0, 2.0])), (2, np.array([4.0, 3.0])), (2, np.array([4.0, 1.0]))]
    folder = coco(tmp_path / "A", "A", {(1, 2): runs})
    info = folder / "bbobexp_f1.info"
    info.write_text(info.read_text().replace("2:2|3.0e+00", "2"))
    dat = folder / "data_f1" / "bbobexp_f1_DIM2.dat"
    whole = dat.read_text()
    dat.write_text(whole.replace(" +8.248000000e+01 +5.0000e-01 +0.0000e+00\n", "\n"))
    assert dat.read_text().count("\n") == whole.count("\n")
    assert len(dat.read_text()) < len(whole)  # its last line was cut
    histories = Histories.read(tmp_path, instances="problems")
    assert histories.values[:, 0, 0].tolist() == [[5.0, 2.0], [4.0, 1.0]]
    assert [(note.code, note.text) for note in histories.notes] == [
        ("broken-off", "1 run of 3 did not end, as the meta files say, and is left out.")
    ]


def test_two_folders_of_one_name(tmp_path):
    for place in ("exdata/a", "exdata/b"):
        coco(tmp_path / place, "ALG", {(1, 2): [(1, np.array([5.0, 2.0]))]})
    histories = Histories.read(tmp_path)
    assert histories.n_runs.tolist() == [[2]]
    assert [(note.code, note.text) for note in histories.notes] == [
        (
            "same-name",
            "ALG ran the same instances in 2 folders, exdata/a and exdata/b; these count as "
            "repeated runs of one algorithm.",
        )
    ]
    coco(tmp_path / "exdata/b", "ALG", {(1, 2): [(2, np.array([5.0, 2.0]))]})  # a batch
    assert Histories.read(tmp_path, instances="runs").notes == ()


def test_what_is_not_of_one_kind(tmp_path):
    coco(tmp_path / "A", "A", {(1, 2): [(1, np.array([5.0, 2.0]))]})
    coco(tmp_path / "B", "B", {(1, 2): [(1, np.array([5.0, 2.0]))]}, old=True)  # names no suite
    assert Histories.read(tmp_path).algorithms == ("A", "B")
    coco(tmp_path / "B", "B", {(1, 2): [(1, np.array([5.0, 2.0]))]}, suite="bbob-mixint")
    with pytest.raises(nbc.DataError, match=r"one suite: f1 2D is of 'bbob' in A/bbobexp_f1"):
        Histories.read(tmp_path)
    shutil.rmtree(tmp_path / "B")
    ioh(tmp_path / "B", "B", [(1, np.array([5.0, 2.0]))])
    with pytest.raises(
        nbc.DataError, match=r"logs of one kind: bbobexp_f1\.info is of COCO, .*from"
    ):
        Histories.read(tmp_path)
    shutil.rmtree(tmp_path / "B")
    with pytest.raises(
        ValueError, match=r"`direction` must be 'minimize', as bbobexp_f1\.info say"
    ):
        Histories.read(tmp_path, direction="maximize")
    (tmp_path / "bbob-biobj_f1.info").write_text(
        "suite = 'bbob-biobj', algorithm = 'A', indicator = 'hyp', folder = 'x'\n% a\n"
        "function =  1, dim =  2, bbob-biobj_f01_d02_hyp.dat, 1:20|1.0e+00"
    )
    with pytest.raises(nbc.DataError, match=r"^bbob-biobj_f1\.info lists runs with several obj"):
        Histories.read(tmp_path)


def cut_at(file, text, keep):
    whole = file.read_text()
    file.write_text(whole[: whole.rindex(text) + keep])


DAMAGES = {
    "no-dat": (
        lambda dat, tdat, info: dat.unlink(),
        r"^bbobexp_f1\.info names 'bbobexp_f1_DIM2\.dat',",
    ),
    "no-tdat": (
        lambda dat, tdat, info: tdat.unlink(),
        r" names 'bbobexp_f1_DIM2\.tdat', .* Copy the",
    ),
    "cut-line": (
        lambda dat, tdat, info: cut_at(tdat, "4 0", 12),
        r"^bbobexp_f1_DIM2\.tdat, run 2 must hold rows of 7 numbers; got '4 0 \+1\.00000'\.$",
    ),
    "lost-lines": (
        lambda dat, tdat, info: cut_at(tdat, "4 0", 0),
        r"DIM2\.tdat, run 2 ends at evaluation 3, but bbobexp_f1\.info says 4\. If lines are "
        r"missing, copy the folder again; if the run did end there, correct the number in bbobexp",
    ),
    "later-than-said": (
        lambda dat, tdat, info: (
            cut_at(tdat, "4 0", 0)
            or info.write_text(info.read_text().replace(", 1:4|1.0e+00, 1:4", ", 1:4|1.0e+00, 1:3"))
        ),
        r"^bbobexp_f1_DIM2\.dat, run 2 ends at evaluation 4, but bbobexp_f1\.info says 3\. If",
    ),
    "lost-run": (
        lambda dat, tdat, info: cut_at(dat, "% f eval", 0),
        r"^bbobexp_f1_DIM2\.dat holds 1 runs, but bbobexp_f1\.info lists 2\.$",
    ),
    "no-header": (
        lambda dat, tdat, info: dat.write_text(dat.read_text().partition("\n")[2]),
        r"^bbobexp_f1_DIM2\.dat must begin with a header, as COCO writes it, that begins with %",
    ),
    "empty": (lambda dat, tdat, info: dat.write_text(""), r"DIM2\.dat is empty"),
    "no-number": (
        lambda dat, tdat, info: dat.write_text(dat.read_text().replace("+5.000000000e+00", "x", 1)),
        r"^bbobexp_f1_DIM2\.dat, run 1 must hold rows of 7 numbers; got '1 0 x \+8",
    ),
    "python's-number": (
        lambda dat, tdat, info: dat.write_text(dat.read_text().replace("1 0 +5.", "1_0 0 +5.", 1)),
        r"^bbobexp_f1_DIM2\.dat, run 1 must hold rows of 7 numbers; got '1_0 0 \+5",
    ),
    "bad-entry": (
        lambda dat, tdat, info: info.write_text(info.read_text().replace("1:4|", "1;4|")),
        r"^bbobexp_f1\.info must list each run as instance:evaluations\|value; got '1;4\|",
    ),
    "no-precision": (
        lambda dat, tdat, info: info.write_text(info.read_text().replace("1.000e-08", "nan")),
        r"^'bbobexp_f1\.info' is no meta file of COCO or IOHprofiler, or it is damaged\.",
    ),
    "bad-precision": (
        lambda dat, tdat, info: info.write_text(info.read_text().replace("1.000e-08", "low")),
        r"^'bbobexp_f1\.info' is no meta file of COCO or IOHprofiler, or it is damaged\.",
    ),
    "elsewhere": (
        lambda dat, tdat, info: info.write_text(info.read_text().replace("data_f1/", "../x/")),
        r"^bbobexp_f1\.info names '\.\./x/bbobexp_f1_DIM2\.dat', which leads to a file that is not",
    ),
}


@pytest.mark.parametrize(("damage", "message"), DAMAGES.values(), ids=DAMAGES)
def test_damaged_folders_of_coco(tmp_path, damage, message):
    runs = [(1, np.array([5.0, 2.0, 1.5, 1.0])), (1, np.array([5.0, 2.0, 1.5, 1.0]))]
    folder = coco(tmp_path / "A", "A", {(1, 2): runs})
    dat = folder / "data_f1" / "bbobexp_f1_DIM2.dat"
    damage(dat, dat.with_suffix(".tdat"), folder / "bbobexp_f1.info")
    with pytest.raises(nbc.DataError, match=message):
        Histories.read(folder)


@pytest.mark.posix
def test_a_tdat_that_is_a_link_to_elsewhere(tmp_path):
    folder = coco(tmp_path / "A", "A", {(1, 2): [(1, np.array([5.0, 2.0]))]})
    tdat = folder / "data_f1" / "bbobexp_f1_DIM2.tdat"
    tdat.rename(tmp_path / "secret")
    tdat.symlink_to(tmp_path / "secret")
    with pytest.raises(nbc.DataError, match=r"^the \.tdat of bbobexp_f1\.info names .* leads to a"):
        Histories.read(folder)


def test_tabs_and_more_spaces_are_read_too(tmp_path):
    folder = coco(tmp_path / "A", "A", {(1, 2): [(1, np.array([5.0, 2.0, 0.25]))]})
    expected = Histories.read(folder).values
    for file in folder.rglob("*dat"):
        head, _, rows = file.read_text().partition("\n")
        file.write_text(f"{head}\n" + rows.replace(" 0 ", "\t0  ").replace("\n", " \r\n"))
    np.testing.assert_array_equal(Histories.read(folder).values, expected)


# --------------------------------------------------------------------------- IOHprofiler


def test_iohprofiler_of_2019():
    histories = Histories.read(LOGS / "ioh-2019", direction="maximize", n_points=40)
    assert (histories.problems, histories.algorithms) == (("f1 16D",), ("RLS",))
    assert histories.values[0, 0].tolist() == [
        [7.0] * 2 + [9.0] * 9 + [14.0] * 21 + [16.0] * 8,
        [8.0] * 19 + [15.0] * 21,
    ]
    assert histories.notes == ()


def test_a_column_that_is_there_although_it_says_no(tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(LOGS / "ioh-2019", folder)
    dat = next(folder.rglob("*.dat"))
    dat.write_text(re.sub(r"(\d)\n", r"\1 0.5\n", dat.read_text()))
    again = Histories.read(folder, direction="maximize")
    assert again.fingerprint == Histories.read(LOGS / "ioh-2019", direction="maximize").fingerprint
    dat.write_text(dat.read_text().replace(" 0.5\n", "\n", 1))
    with pytest.raises(nbc.DataError, match=r"run 1 must hold rows of 5 numbers; got '3 .* 0\.5'"):
        Histories.read(folder, direction="maximize")


def affine(folder, instances, repeats=1):
    """Folders of two algorithms on many-affine functions, and the final values."""
    random = np.random.default_rng(1)
    final = {}
    for name in ("A", "B"):
        runs = [(i, random.exponential(1, 60)) for i in range(1, instances + 1)] * repeats
        ioh(folder / name, name, runs)
        final[name] = [values.min() for _, values in runs]
    return final


def test_instances_that_are_functions_of_their_own(tmp_path):
    final = affine(tmp_path, 40)
    histories = Histories.read(tmp_path, instances="problems")
    assert histories.problems == tuple(f"ManyAffine 5D, instance {i}" for i in range(1, 41))
    assert (histories.n_runs == 1).all()
    for a, name in enumerate("AB"):
        assert histories.values[:, a, 0, -1].tolist() == pytest.approx(final[name], abs=1e-10)
    assert Histories.read(tmp_path, instances="runs").n_runs.tolist() == [[40, 40]]


def test_runs_on_an_instance_stay_runs(tmp_path):
    affine(tmp_path, 3, repeats=2)
    histories = Histories.read(tmp_path, instances="problems")
    assert histories.n_runs.tolist() == [[2, 2]] * 3
    np.testing.assert_array_equal(histories.values[:, :, 0], histories.values[:, :, 1])


def test_one_instance_is_not_asked_about(tmp_path):
    affine(tmp_path, 1, repeats=3)
    assert Histories.read(tmp_path).problems == ("ManyAffine 5D",)
    assert Histories.read(tmp_path, instances="problems").problems == ("ManyAffine 5D, instance 1",)


# -------------------------------------------------------------------- what is to be typed


def test_several_instances_are_asked_about(tmp_path, capsys):
    affine(tmp_path / "logs", 12)
    with pytest.raises(ValueError, match="`instances`") as asked:
        Histories.read(tmp_path / "logs")
    assert str(asked.value) == (
        "`instances` must be 'runs' or 'problems': logs holds 12 instances of ManyAffine 5D. Pass "
        "instances='runs' to take the instances of a function as runs on one problem, which is "
        "usual (COCO and IOHanalyzer do); pass instances='problems' to take each as a problem of "
        "its own, as for MA-BBOB, where every instance is another function."
    )
    line = ["page-trend", str(tmp_path / "logs")]
    assert main(line) == 1
    told = capsys.readouterr().err
    assert "Pass --instances runs to take" in told
    assert "pass --instances problems to take each" in told
    assert main([*line, "--instances", "problems", "--cutpoints", "5"]) == 0
    assert "on 12 problems" in " ".join(capsys.readouterr().out.split())
    with pytest.raises(
        ValueError, match=r"^`instances` must be 'runs' or 'problems'; got 'run'\. Di"
    ):
        Histories.read(tmp_path / "logs", instances="run")


def test_instances_are_for_folders(tmp_path):
    file = tmp_path / "logs.csv"
    file.write_text("problem,algorithm,evaluations,value\np,A,1,2\np,B,1,3\n")
    with pytest.raises(
        ValueError, match=r"^`instances` is for a folder of logs; leave it out for a"
    ):
        Histories.read(file, direction="minimize", instances="runs")


def test_a_folder_with_a_file_per_run():
    with pytest.raises(
        nbc.DataError,
        match=r"there are none in '.*one-file-per-run'\. To compare 'DE_sphere_run1\.csv', "
        r"'DE_sphere_run2\.csv', 'DE_sphere_run3\.csv' and 1 more, pass a pattern that says what "
        r"their names mean, such as '.*/\{algorithm\}_\{problem\}_\{run\}\.csv', or put them",
    ):
        Histories.read(LOGS / "one-file-per-run")
    pattern = LOGS / "one-file-per-run" / "{algorithm}_{problem}_run{run}.csv"
    histories = Histories.read(pattern, direction="minimize")
    assert (histories.problems, histories.algorithms) == (("sphere",), ("DE",))
    assert histories.values[0, 0].tolist() == [[5.5, 3.1], [5.5, 3.2], [5.5, 3.3], [5.5, 3.4]]


def test_archives(tmp_path):
    (tmp_path / "ALPS.tgz").write_bytes(b"")
    with pytest.raises(nbc.DataError, match=r"there are none in .*\. Unpack 'ALPS\.tgz' first\.$"):
        Histories.read(tmp_path)
    with pytest.raises(
        nbc.DataError, match=r"ALPS\.tgz is an archive\. Unpack it, and pass the na"
    ):
        Histories.read(tmp_path / "ALPS.tgz", direction="minimize")


# ---------------------------------------------------------------- reports on both of them


@pytest.fixture
def both(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(0)
    scores = "\n".join(f"d{i},{random.random()},{random.random()}" for i in range(8))
    Path("scores.csv").write_text(f"dataset,A,B\n{scores}\n")
    affine(tmp_path / "logs", 6)
    Histories.read("logs", instances="problems").to_frame().to_csv("logs.csv", index=False)
    return ["report", "scores.csv", "--direction", "maximize", "--measure", "accuracy"]


def read_by(cells):
    """The data of a report's notebook, loaded as it loads them."""
    namespace = {}
    for cell in cells:
        code = "".join(cell["source"])
        if cell["cell_type"] == "code" and ("nbc.Experiment" in code or "nbc.Histories" in code):
            exec(f"import nbcompare as nbc\n{code}", namespace)
    return namespace


@pytest.mark.slow
@pytest.mark.parametrize(
    "logs",
    [
        ["logs.csv", "--histories-direction", "minimize", "--histories-measure", "error"],
        ["logs", "--instances", "problems", "--histories-measure", "error"],
    ],
)
def test_scores_and_histories_have_a_direction_each(both, logs):
    line = [*both, "--histories", *logs, "--cutpoints", "5", "-o", "report.ipynb"]
    assert main(line) == 0
    data = read_by(json.loads(Path("report.ipynb").read_text())["cells"])
    assert (data["experiment"].direction, data["experiment"].measure) == ("maximize", "accuracy")
    assert (data["histories"].direction, data["histories"].measure) == ("minimize", "error")


def code_of(line):
    try:
        return main(line)
    except SystemExit as left:
        return left.code


@pytest.mark.slow
def test_the_direction_of_histories_is_asked_for_beside_scores(both, capsys):
    for logs, message in (
        (["logs.csv"], "--histories-direction is required with a file of values: maximize if"),
        (["logs"], "--instances must be 'runs' or 'problems'"),
        (
            ["logs", "--instances", "runs", "--histories-direction", "maximize"],
            "--histories-direction must be 'minimize', as IOHprofiler_f0_ManyAffine.json says",
        ),
    ):
        assert code_of([*both, "--histories", *logs, "-o", "report.ipynb"]) in (1, 2)
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--direction", "--histories-direction"])
def test_histories_alone_take_both_spellings(both, option, capsys):
    """Both get as far as the contradiction with the folder."""
    line = ["report", "--histories", "logs", "--instances", "runs", option, "maximize"]
    assert main([*line, "-o", "report.ipynb"]) == 1
    assert "--direction must be 'minimize', as IOHprofiler" in capsys.readouterr().err


def test_two_directions_of_histories_contradict(both, capsys):
    line = ["report", "--histories", "logs.csv", "--direction", "maximize", "-o", "report.ipynb"]
    with pytest.raises(SystemExit):
        main([*line, "--histories-direction", "minimize"])
    assert "give either --direction or --histories-direction" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*both, "--histories-measure", "error", "-o", "report.ipynb"])
    assert "--histories-measure is for --histories" in capsys.readouterr().err


def test_a_matrix_without_names_is_refused_with_what_reads_it(tmp_path):
    # a row for each share of the budget, a column for each run, as in the competitions of CEC
    np.savetxt(tmp_path / "DE_1_30.txt", np.geomspace(1e3, 1e-8, 14 * 25).reshape(14, 25))
    for read in (Histories.read, nbc.Experiment.read):
        with pytest.raises(nbc.DataError, match=r"^DE_1_30\.txt: the first line holds numbers, wh"):
            read(tmp_path / "DE_1_30.txt", direction="minimize")
