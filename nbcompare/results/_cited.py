"""Paragraphs on methods, whose references have numbers in the order of the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from nbcompare._render import Note, Notes, Part, Prose, bibtex
from nbcompare._version import __version__
from nbcompare.results import _subject as subject
from nbcompare.results._established import capital, counted, every
from nbcompare.results.design import Design
from nbcompare.words import CITATIONS, PROCEDURES, literature_of

__all__ = [
    "Cited",
    "Keyed",
    "Methods",
    "Uncited",
    "adjusting",
    "averaged",
    "cite_keys",
    "compared_pairs",
    "computed",
    "methods_from",
    "missing",
    "parts_of_methods",
    "scored",
]


@dataclass(frozen=True, slots=True)
class Methods:
    """The methods of an analysis.

    Attributes
    ----------
    text : str
        One paragraph, in which ``[1]`` stands for the first reference.
    keys : tuple of str
        Keys of the references in :data:`nbcompare.words.CITATIONS`, in the order of the text,
        after those of the paragraphs before it.
    n_before : int
        Number of references that paragraphs before this one have listed.
    """

    text: str
    keys: tuple[str, ...]
    n_before: int = 0

    @property
    def references(self) -> tuple[str, ...]:
        """The references that no paragraph before this one has listed, each with its number."""
        numbered = list(enumerate((CITATIONS[key] for key in self.keys), 1))
        return tuple(f"[{number}] {text}" for number, text in numbered[self.n_before :])


@dataclass
class Cited:
    """References in the order in which a text names them."""

    keys: list[str] = field(default_factory=list)

    def __call__(self, *keys: str) -> str:
        """Return the numbers of references, such as `` [1, 2]``; nothing of none."""
        self.keys += [key for key in dict.fromkeys(keys) if key not in self.keys]
        numbers = ", ".join(str(self.keys.index(key) + 1) for key in dict.fromkeys(keys))
        return f" [{numbers}]" if numbers else ""


class Uncited(Cited):
    """References that a text leaves out."""

    def __call__(self, *keys: str) -> str:  # noqa: ARG002 - as where they are numbered
        """Return nothing."""
        return ""


class Keyed(Cited):
    r"""References by their keys, between the marks that :func:`cite_keys` turns into ``\cite``."""

    def __call__(self, *keys: str) -> str:
        """Return the keys between marks; nothing of none."""
        return f"\ue000{','.join(dict.fromkeys(keys))}\ue001" if keys else ""


def cite_keys(latex: str) -> str:
    r"""Replace marked keys in LaTeX by ``\cite``."""
    return re.sub("\ue000([a-z0-9,]+)\ue001", r"~\\cite{\1}", latex)


def methods_from(sentences: Iterable[str], cite: Cited, before: Sequence[str] = ()) -> Methods:
    """Return a paragraph of sentences that ``cite`` has numbered, after the references before."""
    text = " ".join(filter(None, sentences))
    return Methods(text, tuple(cite.keys), len(before))


def parts_of_methods(methods: Methods) -> tuple[Part, ...]:
    """Return the paragraph and its list of references."""
    references = tuple(Note("reference", text) for text in methods.references)
    return (Prose((methods.text,)), *([Notes(references)] if references else []))


# ------------------------------------------------------- sentences that all paragraphs have


def scored(design: Design, means: str = "") -> str:
    """Return the measure with its direction, such as ``AUC (higher is better)``."""
    return f"{design.measure or 'their scores'} ({design.better}{means})"


def averaged(design: Design) -> str:
    """Return the measure with its direction, and what its scores are means over."""
    over = [counted(*part) for part in design.repeated]
    return scored(design, f"; means over {subject.joined(over)}" if over else "")


def missing(design: Design) -> str:
    """Say how missing scores were treated, if there were some."""
    treated = subject.missing_scores(design)
    return f"Missing scores: {treated}." if treated else ""


def compared_pairs(m: int, control: str | None) -> str:
    """Say which of several algorithms were compared, of which there are ``m`` pairs."""
    if m == 1:
        return "The two were compared"
    if control is None:
        return f"{capital(every(m, 'pair'))} of algorithms were compared"
    return f"The control, {control}, was compared with each other algorithm"


def adjusting(
    adjust: Sequence[str],
    control: str | None,
    alpha: float,
    m: int,
    cite: Cited,
    *,
    noun: str = "hypothesis",
    of: str = "",
) -> str:
    """Say with which procedure p-values were adjusted, and at which error rate; of one, the level.

    ``noun`` is what is counted, ``m`` how many there are, and ``of`` says whose they are, such as
    ``" of all groups"``.
    """
    level = f"{alpha:g}"
    if m == 1:
        return f" at the significance level {level}"
    if not adjust:
        return f", at the significance level {level} without adjustment of the p-values"
    first, *others = adjust
    record = PROCEDURES[first]
    over = f" for the {counted(m, noun)}{of}"
    label = record.label_with(control)
    text = f", adjusting the p-values{over} with the {label} procedure{cite(*record.cites)}"
    # what a procedure does not control under all conditions is not claimed
    sure = not (record.if_some_false or record.if_dependent)
    rate = record.controls if "rate" in record.controls else f"{record.controls} rate"
    text += f" at a {rate} of {level}"
    if not sure:
        text += ", which it controls under conditions only"
    if others:
        named = [
            f"{PROCEDURES[name].label_with(control)}{cite(*PROCEDURES[name].cites)}"
            for name in others
        ]
        text += f"; for comparison, the p-values were also adjusted by {subject.joined(named)}"
    return text


def null_hypothesis(null: str) -> str:
    """Return the null hypothesis of a test as a further sentence, if its record states one."""
    return f" The null hypothesis is that {null}." if null else ""


def computed(design: Design) -> str:
    """Name the version that computed a result."""
    return f"Computed with nbcompare {design.version}."


_ABOUT = "nbcompare: statistical comparison of algorithms over data sets"
_TITLES_OF_BOOKS = frozenset(("book", "phdthesis"))  # which styles print as they are


class Cites(Protocol):
    """What cites literature: a result."""

    @property
    def design(self) -> Design:
        """The data and options that it was computed from."""

    @property
    def references(self) -> tuple[str, ...]:
        """What its list of references prints."""


def bibtex_of(results: Iterable[Cites], version: str = __version__) -> str:
    """Return the literature of results, their data, and nbcompare, as a file of BibTeX.

    Parameters
    ----------
    results : iterable of Result
        In any order; each reference is written once.
    version : str
        The version of nbcompare.

    Returns
    -------
    str
        Entries sorted by key, in ASCII as far as the citations of the data are, with a blank line
        between two.
    """
    cited: dict[str, str] = {"nbcompare": _software(version)}
    data: list[str] = []
    for result in results:
        cited.update(_entries(result.references))
        if result.design.citation and result.design.citation not in data:
            data.append(result.design.citation)
    for number, text in enumerate(sorted(data), start=1):
        key = "data" if len(data) == 1 else f"data{number}"
        # styles sort by the author, or by this
        fields = {"key": "Data", "title": "Data", "note": text}
        cited[key] = bibtex.entry("misc", key, fields)
    return "\n\n".join(cited[key] for key in sorted(cited)) + "\n"


def _entries(references: Iterable[str]) -> Mapping[str, str]:
    return {
        key: bibtex.entry(
            each.kind,
            key,
            {"author": bibtex.names(each.authors), **each.fields},
            protect=each.kind not in _TITLES_OF_BOOKS,
        )
        for key, each in literature_of(references).items()
    }


def _software(version: str) -> str:
    fields = {
        "author": "{The nbcompare developers}",
        "title": _ABOUT,
        "version": version,
        # for styles older than the field of the version
        "howpublished": f"Python package, version {version}",
    }
    return bibtex.entry("software", "nbcompare", fields)
