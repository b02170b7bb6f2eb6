"""Tables without a header: the first data set must not become the names of the algorithms."""

import io

import numpy as np
import pandas as pd
import pytest

from nbcompare import DataError, Experiment
from nbcompare.cli import main

NAMES = ["A", "B", "C"]
COMMAS = {"decimal": ",", "separator": ";"}
FRAME = pd.DataFrame(
    np.random.default_rng(3).uniform(0.5, 0.9, (6, 3)).round(3),
    columns=NAMES,
    index=pd.Index([f"d{i}" for i in range(6)], name="dataset"),
)


def read(path, **options):
    return Experiment.read(path, direction="maximize", **options)


def refuses(message=r"the first line seems to hold scores, .*\. Add a line with names above it"):
    return pytest.raises(DataError, match=message)


@pytest.fixture
def written(tmp_path):
    def write(text, name="t.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("index", [True, False])
@pytest.mark.parametrize(
    ("cells", "options", "reading"),
    [
        (str, {}, {}),
        (str, {"sep": ";"}, {}),
        (lambda score: f"{score:.3f}".replace(".", ","), {"sep": ";"}, COMMAS),
        (lambda score: f"{100 * score:.1f}%", {}, {}),
        (lambda score: f"{score} ± 0.01", {}, {}),
        (lambda score: f"{score:e}", {}, {}),
    ],
)
def test_scores_in_the_first_line(written, index, cells, options, reading):
    table = FRAME.map(cells)
    with refuses():
        read(written(table.to_csv(header=False, index=index, **options)), **reading)
    assert read(written(table.to_csv(index=index, **options)), **reading).n_datasets == 6


def test_only_some_have_a_fraction(written):
    with refuses():
        read(written("x,1,0.5\ny,0.25,0.75\nz,0.5,1\n"))
    with refuses():  # folds of one data set
        read(written("1,0.5,0.6\n2,0.25,0.75\n3,0.5,1\n"))
    with refuses():  # a first score that is missing
        read(written("x,NA,0.5\ny,0.25,0.75\n"))


def test_scores_that_are_there_twice(written):
    text = "x,0.7,0.7\ny,0.6,0.5\n"
    with refuses(
        "distinct; got '0.7' in columns 2 and 3. The first line seems to hold scores; add a"
    ):
        read(written(text))
    with refuses("Read the file again without a header"):  # pandas calls the second one 0.7.1
        Experiment.from_frame(pd.read_csv(io.StringIO(text)), direction="maximize")


@pytest.mark.parametrize("index", [None, 0])
def test_dataframes_of_such_files(index):
    text = FRAME.to_csv(header=False)
    frame = pd.read_csv(io.StringIO(text), index_col=index)
    with refuses(
        r"^frame: the first line seems .* \(pandas\.read_csv with header=None\), and name"
    ):
        Experiment.from_frame(frame, direction="maximize")
    whole = pd.read_csv(io.StringIO(text), header=None)
    assert Experiment.from_frame(whole, direction="maximize").n_datasets == 6  # as it says


@pytest.mark.parametrize("names", [[1, 2, 3], [10, 20, 30], [0.1, 0.5, 0.9], range(3)])
def test_numbers_may_be_names(written, names):
    frame = FRAME.set_axis(names, axis=1)
    assert Experiment.from_frame(frame, direction="maximize").algorithms == (*map(str, names),)
    if all(isinstance(name, int) for name in names):
        assert read(written(frame.to_csv())).n_datasets == 6


def test_whole_numbers_below_are_no_scores_of_that_kind(written):
    assert read(written("dataset,0.1,0.5\nx,3,4\ny,4,2\n")).algorithms == ("0.1", "0.5")


def test_other_names_beside_numbers(written):
    assert read(written("dataset,0.1,B\nx,0.3,0.4\ny,0.4,0.2\n")).algorithms == ("0.1", "B")


def test_names_that_are_settled(written):
    path = written("dataset,0.1,0.5\nx,0.3,0.4\ny,0.4,0.2\n")
    with refuses(r"or pass keep=\['0\.1', '0\.5'\] if they are names\."):
        read(path)
    for settled in ({"keep": ["0.1", "0.5"]}, {"algorithms": ["0.1", "0.5"]}):
        assert read(path, **settled).algorithms == ("0.1", "0.5")
    with refuses():
        read(path, keep=["0.1"])
    many = "x," + ",".join(f"0.{i}" for i in range(10, 30)) + "\n" + "y" + ",0.5" * 20 + "\n"
    with refuses(r"pass keep= with all of these names, if they are names\."):
        read(written(many))


def test_data_sets_in_columns(written):
    with refuses():
        read(written(FRAME.T.to_csv(header=False)), transpose=True)


def test_the_command_line(written, capsys):
    path = written(FRAME[["A", "B"]].to_csv(header=False))
    assert main(["compare", str(path), "--direction", "maximize"]) == 1
    told = capsys.readouterr().err
    first, second = FRAME.iloc[0, :2]
    assert f"Add a line with names above it, or pass --keep {first} --keep {second} if" in told
