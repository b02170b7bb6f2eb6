"""Compact letter display: algorithms without a significant difference share a letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import BoolArray
from nbcompare._render import Note, Notes, Part, Table, plural
from nbcompare._validation import check_choice, check_name
from nbcompare.results._result import ForPapers
from nbcompare.results.labelled import Labelled
from nbcompare.words import CITATIONS

if TYPE_CHECKING:
    import pandas as pd

SECTION = "letters"
# Redundant groups are removed whenever there are more than this, because some patterns of
# differences have exponentially many groups.
_MOST_GROUPS = 200
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
        return f"<Letters: {plural(len(self), 'algorithm')}, {plural(self._count(), 'letter')}>"

    def to_frame(self) -> pd.DataFrame:
        """Return the letters as a pandas dataframe, a row per algorithm, best first.

        Returns
        -------
        pandas.DataFrame
            Columns algorithm, those of ``figures``, and letters.
        """
        import pandas as pd

        columns: dict[str, Any] = {"algorithm": list(self.letters)}
        for name, values in self.figures.items():
            columns[name] = [values[algorithm] for algorithm in self.letters]
        return pd.DataFrame(columns | {"letters": list(self.letters.values())})

    def _count(self) -> int:
        return len({letter for text in self.letters.values() for letter in _single(text)})

    def _parts(self) -> tuple[Part, ...]:
        return (self.table.cut(), *self._notes())

    def _for_paper(self, section: str | None) -> tuple[Part, ...]:
        if section is not None:
            check_choice(section, "section", (SECTION,))
        return self.parts

    @property
    def parts(self) -> tuple[Part, ...]:
        """The complete table, with notes on the tests and the reference."""
        return (self.table, *self._notes())

    def _notes(self) -> tuple[Part, ...]:
        source = Note("reference", f"Letters: {CITATIONS['piepho2004']}")
        return (Notes((Note("basis", self.basis), source)),)


def not_with(control: str) -> str:
    """Return the reason why a comparison with a control has no letters."""
    return (
        f"letters need the tests of all pairs, but the comparison is with the control "
        f"{control!r}. Compare all pairs with control=None"
    )


def letters_of(names: Sequence[str], different: Iterable[tuple[str, str]]) -> Labelled[str]:
    """Return the letters of algorithms, best first, given the pairs that differ significantly."""
    position = {name: index for index, name in enumerate(names)}
    matrix = np.zeros((len(names), len(names)), dtype=np.bool_)
    for first, second in different:
        for name in (first, second):
            check_name(name, "different", names)
        i, j = position[first], position[second]
        matrix[i, j] = matrix[j, i] = True
    return Labelled(zip(names, compact_letters(matrix), strict=True))


def compact_letters(different: BoolArray) -> tuple[str, ...]:
    """Return letters that rows share exactly if they do not differ significantly.

    The algorithm is Piepho's (2004) insertion and absorption. Then groups are left out, small
    ones first, if each of their pairs is also in another group.

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
    k = len(different)
    groups = sorted(_members(group, k) for group in _groups(different))
    few = len(groups) <= len(_ALPHABET)
    names = list(_ALPHABET) if few else [str(number + 1) for number in range(len(groups))]
    between = "" if few else " "
    return tuple(
        between.join(name for name, group in zip(names, groups, strict=False) if row in group)
        for row in range(k)
    )


def _groups(different: BoolArray) -> list[int]:
    """Return the groups as ints, whose bits are the members."""
    k = len(different)
    groups = [(1 << k) - 1]
    for i, j in np.argwhere(np.triu(different, 1)).tolist():
        groups = _inserted(groups, 1 << i, 1 << j)
        if len(groups) > _MOST_GROUPS:
            groups = _swept(groups, k)
    return _swept(_absorbed([_enlarged(group, different) for group in groups]), k)


def _inserted(groups: list[int], first: int, second: int) -> list[int]:
    """Split every group that has both members, and drop those that another group contains.

    A group that is not split is contained in no half, because no group that was split contained
    it.
    """
    kept = [group for group in groups if not (group & first and group & second)]
    split = [group for group in groups if group & first and group & second]
    halves = [group & ~one for group in split for one in (first, second)]
    found = kept
    for half in sorted(set(halves), key=int.bit_count, reverse=True):
        if not any(half & ~group == 0 for group in found):
            found.append(half)
    return found


def _absorbed(groups: list[int]) -> list[int]:
    found: list[int] = []
    for group in sorted(set(groups), key=int.bit_count, reverse=True):
        if not any(group & ~other == 0 for other in found):
            found.append(group)
    return found


def _enlarged(group: int, different: BoolArray) -> int:
    """Add all rows that differ from no member.

    There may be some if redundant groups were removed during the insertion.
    """
    members = np.array([bool(group >> row & 1) for row in range(len(different))])
    for row in range(len(different)):
        if not members[row] and not different[row, members].any():
            members[row] = True
    return sum(1 << row for row in np.flatnonzero(members).tolist())


def _swept(groups: list[int], k: int) -> list[int]:
    """Remove groups if every pair of members, and every member, is also in another group."""
    order = sorted(groups, key=lambda group: (group.bit_count(), group))
    rows = [np.array(_members(group, k)) for group in order]
    together = np.zeros((k, k), dtype=np.int64)
    for members in rows:
        together[np.ix_(members, members)] += 1
    kept = []
    for group, members in zip(order, rows, strict=True):
        block = np.ix_(members, members)
        if (together[block] > 1).all():
            together[block] -= 1
        else:
            kept.append(group)
    return kept


def _members(group: int, k: int) -> list[int]:
    return [row for row in range(k) if group >> row & 1]


def _single(text: str) -> Sequence[str]:
    return text.split(" ") if text[:1].isdigit() else text
