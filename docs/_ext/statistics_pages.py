"""The pages on methods in ``docs/statistics``, which words each explains, and their index.

A page says in its front matter what question it answers and how far its p-values are exact. A label
``(stat-WORD)=`` before a heading says which word is explained there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml
from bibliography import citation
from markup import contents, table

from nbcompare import words
from nbcompare._options import OPTIONS

FOLDER = Path(__file__).parents[1] / "statistics"
# The pages, in the order of the table of contents
GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Any difference among several algorithms": (
            "friedman",
            "aligned",
            "quade",
            "skillings-mack",
            "anova",
        ),
        "Two algorithms, and all pairs": (
            "wilcoxon",
            "exchange",
            "rank-differences",
            "sign",
            "rank-sum",
            "paired-t",
            "multiple-signs",
        ),
        "Many hypotheses": ("adjustments", "all-pairs", "nemenyi", "false-discovery"),
        "How large, and how sure": ("effect-sizes", "contrast", "rank-intervals", "bayesian"),
        "Repeated runs": (
            "bootstrap",
            "interval",
            "fuzzy",
            "encodings",
            "aggregates",
            "performance-profiles",
        ),
        "One data set, and items": ("crossval", "permutation", "tilted", "items"),
        "Optimisers": ("page-trend", "fixed-targets"),
        "The design of a comparison": (
            "design",
            "plan",
            "conditions",
            "missing",
            "groups",
            "exact",
            "formulas",
        ),
    }
)
SECTIONS = (
    "Question",
    "Assumptions",
    "Formula",
    "Ties",
    "Exactness",
    "Source and misprints",
    "How it is checked",
    "Example",
    "How to run it",
    "How to report it",
)
# Words that stand for another method in another option have labels with a prefix, as
# ``stat-bayesian-sign``. Words of one method in several options have one label.
PREFIXES: Mapping[str, tuple[Mapping[str, Any], ...]] = MappingProxyType(
    {
        "": (
            words.RANKINGS,
            words.OMNIBUS,
            words.PAIRWISE_TESTS,
            words.PAIR_TESTS,
            words.PROCEDURES,
            words.STOCHASTIC_PROCEDURES,
            words.IMPRECISE_TESTS,
            words.CROSS_VALIDATION_TESTS,
            words.BRANCHES,
            words.ITEM_TESTS,
        ),
        "bayesian-": (words.BAYESIAN_TESTS,),
        "aggregate-": (words.AGGREGATES,),
        "encoding-": (words.ENCODINGS,),
        "zeros-": (words.ZEROS,),
        "trend-": (words.TREND_RANKS, words.DIFFERENCES, words.TREND_NULLS),
        "missing-": (words.TREATMENTS,),
    }
)
# Options whose words no record describes, by the prefix of their labels
WITHOUT_RECORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"": ("method", "stochastic.method"), "formulas-": ("formulas",)}
)
# Words that leave a choice open
NO_METHODS = ("auto", "both")
# Labels, with the heading after them
_LABELS = re.compile(r"((?:^\(stat-[a-z0-9-]+\)=\n)+)#+ +(.+?) *$", re.MULTILINE)
_LABEL = re.compile(r"\(stat-([a-z0-9-]+)\)=")
_HEADING = re.compile(r"^(#+) +(.+?) *$", re.MULTILINE)
_FENCE = re.compile(r"^(`{3,}|:{3,}).*?^\1 *$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class MethodPage:
    """A page on one method or several.

    Attributes
    ----------
    name : str
        Its file without the suffix.
    text : str
        Its source without the front matter.
    question : str
        What it answers, in one sentence.
    exact : str
        How far its results are exact, in a few words.
    cites : tuple of str
        Keys of the literature that no record of a word has.
    """

    name: str
    text: str
    question: str
    exact: str
    cites: tuple[str, ...]

    @property
    def titles(self) -> dict[str, str]:
        """The heading after each label, by what stands after ``stat-`` in the label."""
        return {
            label: title.replace("`", "")
            for labels, title in _LABELS.findall(self.text)
            for label in _LABEL.findall(labels)
        }

    @property
    def headings(self) -> tuple[tuple[int, str], ...]:
        """Level and text of its headings, without what stands in blocks of code."""
        plain = _FENCE.sub("", self.text)
        return tuple((len(marks), text) for marks, text in _HEADING.findall(plain))


def pages(group: str = "") -> tuple[MethodPage, ...]:
    """Return the pages of a group, or all pages on methods."""
    names = GROUPS[group] if group else [name for names in GROUPS.values() for name in names]
    return tuple(_read(FOLDER / f"{name}.md") for name in names)


@cache
def labels_of_words() -> Mapping[str, tuple[str, ...]]:
    """Return, for every label that there must be, the literature of its words."""
    found: dict[str, tuple[str, ...]] = {}
    for prefix, tables in PREFIXES.items():
        for name, cites in _cited(tables):
            label = prefix + name
            found[label] = tuple(dict.fromkeys((*found.get(label, ()), *cites)))
    for prefix, options in WITHOUT_RECORDS.items():
        chosen = {word for name in options for word in OPTIONS[name].choices or ()}
        found |= {prefix + word: () for word in sorted(chosen.difference(NO_METHODS))}
    return found


def _cited(tables: tuple[Mapping[str, Any], ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for records in tables:
        for name, record in records.items():
            yield name, record.cites


def _read(path: Path) -> MethodPage:
    _, front, text = path.read_text(encoding="utf-8").split("---\n", 2)
    known = yaml.safe_load(front)
    return MethodPage(
        path.stem, text, known["question"], known["exact"], tuple(known.get("cites", ()))
    )


# ------------------------------------------------------------------------------- the index


def index() -> str:
    """Return a section for each group of pages, with a table of its methods."""
    return "\n\n".join(_section(group) for group in GROUPS)


def _section(group: str) -> str:
    found = pages(group)
    methods = table(("method", "question", "exact up to", "source"), map(_row, found))
    return f"## {group}\n\n{methods}\n\n{contents((one.name for one in found), group)}"


def _row(one: MethodPage) -> tuple[str, ...]:
    cites = labels_of_words()
    labels = {title: label for label, title in reversed(one.titles.items())}
    links = [f"[{title}](#stat-{label})" for title, label in reversed(labels.items())]
    keys = [key for label in one.titles for key in cites.get(label, ())]
    sources = [citation(key) for key in dict.fromkeys([*keys, *one.cites])]
    return ", ".join(links), one.question, one.exact, "; ".join(sources)
