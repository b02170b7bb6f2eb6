"""Shared parts of the scripts that make bundled results: seeds, folds, one cell, the file.

Every seed comes from names, so any cell can be made again by itself. scikit-learn is
imported where it is used: reading the bundled files does not need it.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from nbcompare._arrays import FloatArray, IntArray

# The scikit-learn with which the bundled files were made; other versions learn alike, but
# need not make the same random choices.
MADE_WITH = "1.9.1"
N_FOLDS = 10
N_RUNS = 30
COLUMNS = ("dataset", "algorithm", "fold", "run", "score")

# One small network for both studies: so few hidden units that training depends on where it
# starts, and some runs end in a poor local minimum.
NETWORK: Mapping[str, Any] = {
    "hidden_layer_sizes": (4,),
    "activation": "relu",
    "solver": "sgd",
    "learning_rate_init": 0.1,
    "momentum": 0.9,
    "batch_size": 32,
    "max_iter": 100,
}


@dataclass(frozen=True, slots=True)
class Learner:
    """An algorithm of a study: a seed makes an untrained estimator.

    A deterministic one ignores the seed and has one run.
    """

    make: Callable[[int], Any]
    n_runs: int = N_RUNS


@dataclass(frozen=True, eq=False)
class Study:
    """Data sets, algorithms and the measure of an experiment with runs.

    Attributes
    ----------
    problems : mapping of str to callable
        Names of data sets; each makes ``(X, y)`` from a seed.
    learners : mapping of str to Learner
        Names of algorithms.
    loss : callable
        ``loss(truth, predicted)``, the score of one fold and run.
    text : callable
        The score as it stands in the file.
    stratified : bool
        Whether folds keep the shares of the classes.
    """

    problems: Mapping[str, Callable[[int], tuple[FloatArray, FloatArray]]]
    learners: Mapping[str, Learner]
    loss: Callable[[FloatArray, FloatArray], float]
    text: Callable[[float], str]
    stratified: bool

    @cached_property
    def cells(self) -> tuple[tuple[str, str, int, int], ...]:
        """Yield every (data set, algorithm, fold, run); folds and runs count from 1."""
        return tuple(
            (problem, name, fold, run)
            for problem in self.problems
            for name, learner in self.learners.items()
            for fold in range(1, N_FOLDS + 1)
            for run in range(1, learner.n_runs + 1)
        )

    def score(self, problem: str, learner: str, fold: int, run: int) -> float:
        """Train and test one cell; its value does not depend on any other cell."""
        from sklearn.exceptions import ConvergenceWarning

        features, target, folds = _divided(self, problem)
        train, test = folds[fold - 1]
        estimator = self.learners[learner].make(seed(problem, learner, fold, run))
        with warnings.catch_warnings():
            # few epochs on purpose: the comparison is about what they reach
            warnings.simplefilter("ignore", ConvergenceWarning)
            estimator.fit(features[train], target[train])
        return self.loss(target[test], estimator.predict(features[test]))


def seed(*names: object) -> int:
    """Return a seed below 2**32 from names, the same on every machine and in every version.

    Examples
    --------
    >>> seed("iris", "random tree", 1, 30) == seed("iris", "random tree", 1, 30)
    True
    >>> seed("iris", "random tree", 1, 30) == seed("iris", "random tree", 13, 0)
    False
    """
    text = "\n".join(map(str, names))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


@lru_cache(maxsize=1)  # cells of one data set follow each other
def _divided(
    study: Study, problem: str
) -> tuple[FloatArray, FloatArray, list[tuple[IntArray, IntArray]]]:
    """A data set and the examples that train and test in each fold."""
    from sklearn.model_selection import KFold, StratifiedKFold

    features, target = study.problems[problem](seed(problem))
    kind = StratifiedKFold if study.stratified else KFold
    folds = kind(N_FOLDS, shuffle=True, random_state=seed(problem, "folds"))
    return features, target, list(folds.split(features, target))


def require_sklearn() -> str:
    """Return the version of scikit-learn, or raise an error that says how to install it."""
    try:
        import sklearn
    except ImportError:
        raise ImportError(
            "making this experiment needs scikit-learn: pip install 'nbcompare[examples]'"
        ) from None
    return str(sklearn.__version__)


def rows(study: Study) -> Iterator[tuple[str, str, int, int, str]]:
    """Yield the rows of the file, with a progress bar."""
    from tqdm.auto import tqdm

    for cell in tqdm(study.cells, desc="training", unit="fit", delay=2, mininterval=1):
        yield (*cell, study.text(study.score(*cell)))


def write(study: Study, path: Path) -> None:
    """Write the file of a study."""
    write_table(path, COLUMNS, rows(study))


def write_table(path: Path, columns: Sequence[object], lines: Iterable[Sequence[object]]) -> None:
    """Write a CSV file; it appears under its name only when it is whole.

    A name that ends in ``.gz`` is compressed, without the hour of its making.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as bare, _packed(bare, path) as file:
            for line in chain([columns], lines):
                file.write(f"{','.join(map(str, line))}\n".encode())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _packed(file: BinaryIO, path: Path) -> AbstractContextManager[BinaryIO | gzip.GzipFile]:
    if path.suffix != ".gz":
        return nullcontext(file)
    return gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)


def output_path(
    parser: argparse.ArgumentParser, arguments: Sequence[str] | None, what: str
) -> Path:
    """Return the file to write, the one argument of every script."""
    parser.add_argument("output", type=Path, help=f"the CSV file to write, {what}")
    path: Path = parser.parse_args(arguments).output
    if not path.parent.is_dir():
        parser.error(f"there is no folder {str(path.parent)!r}")
    return path


def main(make: Callable[[], Study], description: str, arguments: Sequence[str] | None) -> int:
    """Translate a command line into :func:`write`.

    Returns
    -------
    int
        Exit code, 0.
    """
    parser = argparse.ArgumentParser(description=description)
    path = output_path(parser, arguments, "a row per score")
    try:
        version = require_sklearn()
    except ImportError as error:
        parser.error(str(error))
    write(make(), path)
    print(f"{path}: made with scikit-learn {version}; the bundled file with {MADE_WITH}.")
    return 0
