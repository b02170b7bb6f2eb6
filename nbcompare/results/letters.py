"""Compact letter display: algorithms without a significant difference share a letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._arrays import BoolArray
from nbcompare._render import Note, Notes, Part, Table, plural
from nbcompare._validation import check_choice
from nbcompare.results._columns import frame_of
from nbcompare.results._papers import ForPapers
from nbcompare.results.labelled import Labelled
from nbcompare.words import CITATIONS

if TYPE_CHECKING:
    import pandas as pd

SECTION = "letters"
_ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Letters(ForPapers, Mapping[str, str]):
    """A mapping of algorithms, best first, to their letters, which displays itself.

    Two algorithms share a letter exactly if no significant difference between them was found,
    which does not mean that they perform equally. Each letter stands for a maximal set without
    a significant difference in any pair. A set gets no letter if every pair in it has another
    letter in common, so no letter is redundant.

    Attributes
    ----------
    letters : mapping of str to str
        Letters by algorithm, such as ``"ab"``; numbers separated by spaces if there are more
        than 52.
    figures : mapping of str to mapping of str to float
        Further columns of the dataframe, by column and algorithm.
    table : Table
        The table that is displayed.
    basis : str
        A text on the tests behind the letters.

    References
    ----------
    Piepho, H.-P. (2004). An algorithm for a letter-based representation of all-pairwise
    comparisons. Journal of Computational and Graphical Statistics 13, 456-466.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> comparison = nbc.compare(nbc.datasets.load("otero2013_simulated"))
    >>> comparison.letters["A1"], dict(comparison.letters)
    ('a', {'A1': 'a', 'A2': 'a', 'A3': 'a', 'A4': 'ab', 'A5': 'b'})
    """

    letters: Labelled[str]
    figures: Labelled[Labelled[float]]
    table: Table
    basis: str

    def __getitem__(self, name: str) -> str:
        return self.letters[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.letters)

    def __len__(self) -> int:
        return len(self.letters)

    def __repr__(self) -> str:
        texts = (text.split(" ") if text[:1].isdigit() else text for text in self.values())
        count = len(set(chain.from_iterable(texts)))
        return f"<Letters: {plural(len(self), 'algorithm')}, {plural(count, 'letter')}>"

    def to_frame(self) -> pd.DataFrame:
        """Return the letters as a pandas dataframe, a row per algorithm, best first.

        Returns
        -------
        pandas.DataFrame
            Columns algorithm, those of ``figures``, and letters.
        """
        figures = {
            name: [values[one] for one in self.letters] for name, values in self.figures.items()
        }
        return frame_of({"algorithm": [*self], **figures, "letters": [*self.values()]})

    def _parts(self) -> tuple[Part, ...]:
        return (self.table.cut(), *self.parts[1:])

    def _for_paper(self, section: str | None) -> tuple[Part, ...]:
        if section is not None:
            check_choice(section, "section", (SECTION,))
        return self.parts

    @property
    def parts(self) -> tuple[Part, ...]:
        """The complete table, with notes on the tests and the reference."""
        source = Note("reference", f"Letters: {CITATIONS['piepho2004']}")
        return (self.table, Notes((Note("basis", self.basis), source)))


def not_with(control: str) -> str:
    """Return the reason why a comparison with a control has no letters."""
    return (
        f"letters need the tests of all pairs, but the comparison is with the control "
        f"{control!r}. Compare all pairs with control=None"
    )


def letters_of(names: Sequence[str], different: Iterable[tuple[str, str]]) -> Labelled[str]:
    """Return the letters of algorithms, best first, given the pairs that differ significantly."""
    matrix = np.zeros((len(names), len(names)), dtype=np.bool_)
    for pair in different:
        i, j = map(names.index, pair)
        matrix[i, j] = matrix[j, i] = True
    return Labelled(zip(names, compact_letters(matrix), strict=True))


def compact_letters(different: BoolArray) -> tuple[str, ...]:
    """Return letters that rows share exactly if they do not differ significantly.

    Each pair that does not differ and has no letter yet gets one, with all rows that can join in
    the order of the rows. Then letters are left out, those of few rows first, if each of their
    pairs has another one.

    Parameters
    ----------
    different : ndarray of bool, shape (k, k)
        True where a pair differs significantly; symmetric, False on the diagonal.

    Returns
    -------
    tuple of str
        Letters of each row, in the order of the alphabet.

    Examples
    --------
    The first and the third differ, and the second differs from neither:

    >>> compact_letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
    ('a', 'ab', 'b')
    """
    alike = ~np.asarray(different, dtype=np.bool_)
    together = np.zeros(alike.shape, dtype=np.int64)
    groups = []
    for pair in np.argwhere(np.triu(alike)):
        if together[tuple(pair)]:
            continue
        open_ = np.asarray(alike[pair].all(axis=0))
        for row in range(len(alike)):
            if open_[row]:
                open_ &= alike[row]
        groups.append(np.flatnonzero(open_).tolist())
        together[np.ix_(groups[-1], groups[-1])] += 1
    for group in sorted(groups, key=lambda group: (len(group), group)):
        block = np.ix_(group, group)
        if (together[block] > 1).all():
            together[block] -= 1
            groups.remove(group)
    few = len(groups) <= len(_ALPHABET)
    names = _ALPHABET if few else [str(number + 1) for number in range(len(groups))]
    named = list(zip(names, sorted(groups), strict=False))
    between = "" if few else " "
    rows = range(len(alike))
    return tuple(between.join(name for name, group in named if row in group) for row in rows)
