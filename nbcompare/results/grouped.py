"""The result of comparing algorithms within groups of data sets, and its sentences."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from nbcompare._options import TWO_SIDED
from nbcompare._render import Column, Table, format_number, plural
from nbcompare.results._result import Result, Sections
from nbcompare.results.comparison import (
    Comparison,
    estimated,
    omnibus_sentence,
    pairs_table,
    within_margin,
)
from nbcompare.results.hypotheses import better_first
from nbcompare.results.labelled import Labelled, table_of
from nbcompare.results.sentences import about_margin
from nbcompare.results.texts import Cited, adjusting, computed, scored, settings
from nbcompare.results.wording import counted, joined, number
from nbcompare.words import PAIRWISE_TESTS

if TYPE_CHECKING:
    import pandas as pd

# A sentence counts more differences than this instead of listing them; the table lists all.
_MOST_LISTED = 4
_Told = TypeVar("_Told", bound=Hashable)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class GroupedComparison(Result):
    """A comparison of algorithms by their ranks within each group of data sets.

    :func:`nbcompare.compare_by` returns it; it displays itself. Its sections are ``findings``
    (the answer in a few sentences), ``groups``, ``ranks``, ``hypotheses``, ``methods`` (a paragraph
    for a paper), ``notes``, ``method`` and ``references``.

    Attributes
    ----------
    groups : mapping of str to Comparison
        The comparison within each group, in the order of the data.
    across : bool
        Whether the p-values are adjusted over the hypotheses of all groups together.
    too_small : tuple of str
        Groups that were left out, because they have fewer than 2 data sets.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data, those of groups that were left out too, and the options.
    """

    groups: Labelled[Comparison]
    across: bool
    too_small: tuple[str, ...]

    @property
    def first(self) -> Comparison:
        """The comparison within the first group, for the options that all have."""
        return next(iter(self.groups.values()))

    def alike(self, what: Callable[[Comparison], _Told]) -> dict[_Told, list[str]]:
        """Return the names of the groups by something that may be the same in several.

        Parameters
        ----------
        what : callable
            What it is of a comparison, such as its test of pairs.

        Returns
        -------
        dict
            Names of groups by what these have.
        """
        found: dict[_Told, list[str]] = {}
        for name, one in self.groups.items():
            found.setdefault(what(one), []).append(name)
        return found

    @property
    def procedure(self) -> str:
        """Name of the deciding procedure, or of those that decide in different groups."""
        return " or ".join(dict.fromkeys(one.procedure for one in self.groups.values()))

    @property
    def n_hypotheses(self) -> int:
        """Number of hypotheses in all groups."""
        return sum(len(one.hypotheses) for one in self.groups.values())

    def to_frame(self) -> pd.DataFrame:
        """Return the hypotheses of all groups as a pandas dataframe, one row each.

        Returns
        -------
        pandas.DataFrame
            Column ``group``, then those of :meth:`Comparison.to_frame`.
        """
        import pandas as pd

        frames = {name: one.to_frame() for name, one in self.groups.items()}
        for name, frame in frames.items():
            frame.insert(0, "group", name)
        return pd.concat(frames.values(), ignore_index=True)

    # ---------------------------------------------------------------------- display

    def _sections(self) -> Sections:
        return {"groups": self._groups, "ranks": self._ranks, "hypotheses": self._hypotheses}

    def _groups(self) -> Table:
        """Return the table of the groups: their size, the best algorithm, and the decisions."""
        groups, best = self.groups.values(), list(map(_best, self.groups.values()))
        tests = [[*one.omnibus.values()][-1:] for one in groups]
        numbers = {
            "its average rank": [
                format_number(one.average_ranks[names[0]], 3)
                for one, names in zip(groups, best, strict=True)
            ],
            "p, any difference": [
                test[0].p_text if test else one.hypotheses.unadjusted(0)
                for one, test in zip(groups, tests, strict=True)
            ],
            "significant": [
                f"{int(one.hypotheses.rejected.sum())} of {len(one.hypotheses)}" for one in groups
            ],
        }
        texts = {
            "group": self.groups,
            "data sets": [str(one.design.n_datasets) for one in groups],
            "best": [
                joined(names) if len(names) <= _MOST_LISTED else f"{len(names)} tied"
                for names in best
            ],
        }
        caption = (
            "Groups of data sets: the best algorithm, and how many differences are "
            f"significant ({self._adjustment()})"
        )
        return table_of(texts, numbers, caption)

    def _ranks(self) -> Table:
        """Return the average ranks, a row per algorithm and a column per group."""
        names = self.design.algorithms
        numbers = {
            group: [format_number(one.average_ranks[name], 3) for name in names]
            for group, one in self.groups.items()
        }
        noun = self.first.rank_name
        return table_of(
            {"algorithm": names}, numbers, f"{noun.capitalize()}s by group of data sets"
        )

    def _hypotheses(self) -> Table:
        """Return the hypotheses of all groups."""
        tables = {name: pairs_table(one) for name, one in self.groups.items()}
        columns = {one.header: one for table in tables.values() for one in table.columns}
        decision = next(iter(tables.values())).columns[-1].header
        columns[decision] = columns.pop(decision)  # it comes last, after what one group alone has
        rows = []
        for name, table in tables.items():
            headers = [one.header for one in table.columns]
            for row in table.rows:
                cells = dict(zip(headers, row, strict=True))
                rows.append((name, *(cells.get(header, "") for header in columns)))
        return Table(
            (Column("group"), *columns.values()),
            tuple(rows),
            caption=f"Differences of the pairs ({self._adjustment()}); > 0: the first is better"
            f"{self.first.about_margin}",
        )

    def _adjustment(self) -> str:
        over = f"over all {self.n_hypotheses} hypotheses" if self.across else "within groups"
        how = f"{self.procedure} {over}" if self.first.adjust else self.procedure
        one = "" if self.first.alternative == TWO_SIDED else f"{self.first.sides}, "
        return f"{one}{how}, α = {self.first.alpha:g}"

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        """Return the sentences on a comparison within groups of data sets.

        After other paragraphs, only what may differ from the comparison over all data sets is told.
        """
        first, n, is_second = self.first, len(self.groups), bool(cite.keys)
        sizes = [f"{name} ({one.design.n_datasets})" for name, one in self.groups.items()]
        within = f"within each of {counted(n, 'group')} of data sets: {joined(sizes)}"
        everyone = self.groups.values()
        omnibus = (
            "" if is_second else self._of_each(lambda one: omnibus_sentence(one, cite, *everyone))
        )
        told = []
        for pairs, names in self.alike(lambda one: one.pairs).items():
            test = PAIRWISE_TESTS[pairs]
            how = test.recommended.replace("average rank", self.groups[names[0]].rank_name)
            where = "" if len(names) == n else f" in {joined(names)}"
            told.append(f"by {how}{cite(*test.cites)}{where}")
        m, of = len(first.hypotheses), " within each group"
        if self.across:
            m, of = self.n_hypotheses, " of all groups"
        adjusted = [
            adjusting(adjust, first.control, first.alpha, m, cite, of=of)
            + ("" if len(names) == n else f" in {joined(names)}")
            for adjust, names in self.alike(lambda one: one.adjust).items()
        ]
        tested = f"Within the groups, pairs were compared {joined(told)}{' and'.join(adjusted)}."
        if is_second:
            return (f"The algorithms were also compared {within}.", tested)
        who = counted(len(self.design.algorithms), "algorithm")
        return (
            f"We compared {who} by {scored(self.design)} {within}.",
            omnibus,
            tested,
            self._of_each(lambda one: estimated(one, cite)),
            within_margin(first),
            computed(self.design),
        )

    def _of_each(self, tell: Callable[[Comparison], str]) -> str:
        """Tell something of all groups, or of those of which it is so."""
        told = self.alike(tell)
        if len(told) == 1:
            return next(iter(told))
        return " ".join(f"In {joined(names)}: {text}" for text, names in told.items() if text)

    def _method(self) -> tuple[tuple[str, str], ...]:
        sizes = [
            f"{name}: {plural(one.design.n_datasets, 'data set')}"
            for name, one in self.groups.items()
        ]
        told: dict[str, object] = {"by": "; ".join(sizes)}
        for name in ("ranking", "pairs", "adjust", "method", "intervals"):
            found = self.alike(attrgetter(name))
            each = [f"{joined(names)}: {value}" for value, names in found.items()]
            told[name] = next(iter(found)) if len(found) == 1 else "; ".join(each)
        designs = [
            f"{joined(names)}: {why.removeprefix('Design: ')}" if len(names) < len(sizes) else why
            for why, names in self.alike(lambda one: one.why).items()
        ]
        design = " ".join(designs).removeprefix("Design: ")
        return settings(self.design, told, [("design", design)])

    def _account(self) -> tuple[tuple[str, ...], ...]:
        n = len(self.groups)
        leaders = self.alike(lambda one: tuple(_best(one)))
        told = []
        for best, names in leaders.items():
            who = joined(best) if len(best) <= _MOST_LISTED else counted(len(best), "algorithm")
            where = ("both" if n == 2 else f"all {number(n)}") if len(names) == n else joined(names)
            verb = "have" if len(best) > 1 else "has"
            told.append(f"{who} {verb} the best average rank in {where}")
        if len(told) > _MOST_LISTED:
            told = [f"{number(len(told))} algorithms or sets of them lead in one group or more"]
        found = [
            (name, *better_first(one.hypotheses, row))
            for name, one in self.groups.items()
            for row in range(len(one.hypotheses))
            if one.hypotheses.rejected[row]
        ]
        adjusted = f"adjusted over all {self.n_hypotheses} hypotheses"
        if not self.across:
            adjusted = "adjusted within each group, not over the groups"
        if not self.first.adjust:
            adjusted = "not adjusted"
        text = "No significant difference was found in any group."
        if self.first.alternative != TWO_SIDED:
            text = f"The control is not shown to be {self.first.alternative} in any group."
        if len(found) > _MOST_LISTED:
            counts = [
                f"{int(one.hypotheses.rejected.sum())} of {len(one.hypotheses)} in {name}"
                for name, one in self.groups.items()
            ]
            text = f"Significant differences of pairs: {joined(counts)}."
        elif found:
            pairs = [f"{better} over {worse} in {name}" for name, better, worse in found]
            text = f"Significant are the differences of {joined(pairs)}."
        within = [
            f"In {name}: {margin}"
            for name, one in self.groups.items()
            if (margin := about_margin(one.hypotheses, one.margin_text))
        ]
        small = min(one.design.n_datasets for one in self.groups.values())
        return (
            (f"Of the {counted(n, 'group')} of data sets, {'; '.join(told)}.", text, *within),
            (
                f"Read with care: The p-values are {adjusted}; the smallest group has "
                f"{counted(small, 'data set')}, and not significant does not mean equal.",
            ),
        )


def _best(result: Comparison) -> list[str]:
    """Return the algorithms with the best average rank."""
    ranks, ordered = result.average_ranks, result.ordered
    return [name for name in ordered if ranks[name] == ranks[ordered[0]]]
