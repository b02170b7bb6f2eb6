"""The data and options of a result, which suffice to reproduce it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import BEST, MINIMIZE, better, nouns_of
from nbcompare._render import plural
from nbcompare._version import __version__


class Source(Protocol):
    """What can compute fields of a record."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the fields that can be computed."""

    def column(self, name: str, rows: IntArray | None = None) -> Mapping[str, Any]:
        """Compute a field, of these rows if it is a column, and return it with those beside it."""


class ComputedLater:
    """Mixin of frozen records some of whose fields are computed when they are first looked at."""

    def _postpone(self, source: Source | None) -> None:
        """Leave out the fields that a source can compute, and keep the source until all are."""
        if source is not None:
            for name in source.names:
                object.__delattr__(self, name)
            object.__setattr__(self, "_later", source)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Compute a field, and forget the source once there is every field."""
            later = vars(self).get("_later")
            if later is not None and name in later.names and name not in vars(self):
                for one, value in later.column(name).items():
                    object.__setattr__(self, one, value)
                if vars(self).keys() >= set(later.names):
                    vars(self).pop("_later", None)
            if name not in vars(self):  # it may be there by another thread
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
            return vars(self)[name]

    def __getstate__(self) -> dict[str, Any]:
        """Return all fields: a pickle or a copy holds no scores."""
        later = vars(self).get("_later")
        for name in () if later is None else later.names:
            getattr(self, name)
        return dict(vars(self))


def none_yet() -> Any:
    """Return None, as a default that does not stand in the class, where it would be found first."""
    return None


@dataclass(frozen=True, kw_only=True)
class Design(ComputedLater):
    """The data and the options behind a result.

    Attributes
    ----------
    algorithms, datasets : tuple of str
        Labels; there are none of data sets if only average ranks were given.
    n_datasets, n_folds, n_runs : int
        Sizes of the experiment; the largest numbers of folds and runs.
    direction : {"maximize", "minimize"} or None
        Whether high or low scores are better; None if only average ranks were given.
    measure, citation : str or None
        What was measured, and where it was published.
    fingerprint : str or None
        Fingerprint of the experiment; computed when it is first looked at, if data that can say
        it are given as ``later``.
    version : str
        Version of nbcompare.
    options : mapping
        The arguments as they were given.
    left_out : tuple of str
        Data sets left out because a score is missing.
    n_missing : int
        Number of missing scores on the data sets that were not left out.
    treated : str
        Word for the treatment of missing and incomplete scores; empty if there were none.
    turned : tuple of str
        Data sets with the other direction. Their scores count negated where scores of several
        data sets are compared.
    fewest : tuple of int
        The smallest numbers of folds on a data set, and of runs in a fold.
    unit : {"datasets", "folds", "runs", "items"}
        What one score is another one of; items of benchmarks stand where folds of data sets do.
    """

    algorithms: tuple[str, ...]
    datasets: tuple[str, ...]
    n_datasets: int
    n_folds: int = 1
    n_runs: int = 1
    direction: str | None = None
    measure: str | None = None
    citation: str | None = None
    fingerprint: str | None = field(default_factory=none_yet)
    version: str = __version__
    options: Mapping[str, Any]
    left_out: tuple[str, ...] = ()
    n_missing: int = 0
    treated: str = ""
    turned: tuple[str, ...] = ()
    fewest: tuple[int, ...] = (0, 0)
    unit: str = "datasets"
    later: InitVar[Source | None] = None

    def __post_init__(self, later: Source | None) -> None:
        """Keep what can say the fingerprint later."""
        self._postpone(later)

    @property
    def repeated(self) -> tuple[tuple[int, str, int], ...]:
        """Number, noun and least number of the folds, or items, and of the runs, if several."""
        noun = nouns_of(self.unit)[1]
        parts = ((self.n_folds, noun, self.fewest[0]), (self.n_runs, "run", self.fewest[1]))
        return tuple(part for part in parts if part[0] > 1)

    @property
    def size(self) -> str:
        """Numbers of algorithms and data sets, such as ``4 algorithms, 14 data sets``."""
        n_algorithms = plural(len(self.algorithms), "algorithm")
        return f"{n_algorithms}, {plural(self.n_datasets, 'data set')}"

    @property
    def better(self) -> str:
        """Direction in words, ``higher is better`` or ``lower is better``; empty if unknown.

        Data sets with the other direction are named: ``higher is better; lower is better on
        kddcup and 3 more``.
        """
        return "" if self.direction is None else better(self.direction, self.turned)

    @property
    def gain_signs(self) -> FloatArray:
        """Array by data set: 1.0 where higher scores are better, -1.0 where lower ones are."""
        usual, turned = (-1.0 if self.direction == MINIMIZE else 1.0), set(self.turned)
        return np.array([-usual if name in turned else usual for name in self.datasets])

    def minus(self, first: str = "first", second: str = "second") -> str:
        """Return how a difference is taken, so that it is positive where the first is better.

        On data sets in ``turned`` it is taken the other way round.

        Examples
        --------
        >>> import nbcompare as nbc
        >>> comparison = nbc.compare(nbc.datasets.load("demsar2006"))  # areas under the curve
        >>> comparison.design.minus("A", "B")
        'A minus B'
        """
        one, other = (first, second) if self.direction != MINIMIZE else (second, first)
        return f"{one} minus {other}"


def is_chosen_by_data(control: str | None, names: Sequence[str]) -> bool:
    """Return whether the best of several algorithms is the control, as the scores choose it."""
    return control == BEST and BEST not in names and len(names) > 2
