"""The one narrator: facts go into the texts of ``words``, and literature is counted and cited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from inspect import isfunction
from string import Formatter
from typing import Any, Protocol

from nbcompare._options import OPTIONS
from nbcompare._render import Note, Notes, Part, Prose, bibtex, plural, short_fingerprint
from nbcompare._version import __version__
from nbcompare.results.design import Design
from nbcompare.results.wording import capital, counted, every, joined
from nbcompare.words import (
    CITATIONS,
    PROCEDURES,
    TREATMENTS,
    literature_of,
    text_of_note,
    texts_on_methods,
)


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


def paragraph_of(sentences: Iterable[str], cite: Cited, n_before: int = 0) -> tuple[Part, ...]:
    """Return a paragraph that ``cite`` has numbered, and its references after the first so many."""
    listed = [f"[{at}] {CITATIONS[key]}" for at, key in enumerate(cite.keys, 1)][n_before:]
    notes = tuple(Note("reference", text) for text in listed)
    return (Prose((" ".join(filter(None, sentences)),)), *([Notes(notes)] if notes else []))


# ------------------------------------------------------- sentences that all paragraphs have


def scored(design: Design, means: str = "") -> str:
    """Return the measure with its direction, such as ``AUC (higher is better)``."""
    return f"{design.measure or 'their scores'} ({design.better}{means})"


def averaged(design: Design) -> str:
    """Return the measure with its direction, and what its scores are means over."""
    over = [counted(*part) for part in design.repeated]
    return scored(design, f"; means over {joined(over)}" if over else "")


def missing(design: Design) -> str:
    """Say how missing scores were treated, if there were some."""
    treated = missing_scores(design)
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
        text += f"; for comparison, the p-values were also adjusted by {joined(named)}"
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
    def notes(self) -> Sequence[Note]:
        """What a reader must know of the data and the method."""

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


# --------------------------------------------- what the data were, and how they were used

# Treatments that change scores rather than leave out data sets, which are listed
_TREATED = ("drop-folds", "worst", "available", "interval")

# Options of which nothing is told: that formulas are the right ones
_USUAL = frozenset({("formulas", "corrected")})
Rows = tuple[tuple[str, str], ...]


def about_scores(design: Design, *, of_folds: bool = False) -> str:
    """Describe the scores, such as ``AUC, higher is better; means over 5 folds``.

    If only average ranks are known, these are described. ``of_folds`` is True if the folds are
    compared, not averaged.
    """
    if design.direction is None:
        return f"average ranks over {plural(design.n_datasets, 'data set')}"
    over = [plural(*part) for part in design.repeated if not (of_folds and part[1] == "fold")]
    mean = f"; means over {joined(over)}" if over else ""
    return f"{design.measure or 'scores'}, {design.better}{mean}"


def about_datasets(design: Design, more: str = "") -> str:
    """Describe the data sets, such as ``14 data sets (AUC, higher is better)``.

    ``more`` is added to the description of the scores. The number of data sets that were left
    out follows.
    """
    dropped = ""
    if design.left_out:
        verb = "was" if len(design.left_out) == 1 else "were"
        number = plural(len(design.left_out), "data set")
        dropped = f"; {number} with a missing score {verb} left out"
    if design.treated in _TREATED:
        dropped = f"{dropped}; {_settled(design)}"
    return f"{plural(design.n_datasets, 'data set')} ({about_scores(design)}{more}{dropped})"


def adjustments(names: Sequence[Any]) -> str:
    """Return the names of procedures, with what they control, for a table of methods."""
    if not names:
        return "none"
    controlled = dict.fromkeys(PROCEDURES[name].controls for name in names)
    if len(controlled) == 1:
        labels = ", ".join(PROCEDURES[name].label for name in names)
        return f"{labels} (controls the {next(iter(controlled))})"
    return ", ".join(
        f"{PROCEDURES[name].label} (controls the {PROCEDURES[name].controls})" for name in names
    )


def where_of(dataset: str | None) -> str:
    """Return the data set in words."""
    return "one data set" if dataset is None else f"the data set {dataset}"


def provenance(design: Design) -> Rows:
    """Return rows of the table of the method: missing scores, version, fingerprint."""
    rows = [("missing scores", missing_scores(design)), ("nbcompare", design.version)]
    if design.fingerprint is not None:
        rows.append(("data fingerprint", short_fingerprint(design.fingerprint)))
    return tuple(row for row in rows if row[1])


def settings(
    design: Design,
    settled: Mapping[str, object],
    more: Iterable[tuple[str, str]] = (),
    scored: str = "",
) -> Rows:
    """Return rows of the table of the method: the scores, the options, more, and the data.

    ``settled`` has options as they were settled, or what is to be told of them, where the design
    has what was asked for; nothing is told of None. ``scored`` describes the scores otherwise.
    """
    rows = [("scores", scored or about_scores(design))]
    for name, asked in design.options.items():
        value = settled.get(name, asked)
        words = value if isinstance(value, tuple) else (value,)
        if not all(isinstance(word, str | float | int | None) for word in words):
            words = asked if isinstance(asked, tuple) else (asked,)
        plain = name.removeprefix("n_").replace("_", " ")
        option = OPTIONS.get(name)
        what = (option.label if option else "") or f"{'number of ' * name.startswith('n_')}{plain}"
        spelled = option.spelled if option else {}
        told = joined([spelled.get(word) or option_text(word) for word in words])
        if name == "adjust" and set(words) <= set(PROCEDURES):
            told = adjustments(words)
        if name in ("missing", "fill") or words == (None,) or (name, *words) in _USUAL:
            told = ""
        rows.append((what if what.isupper() else what[0].lower() + what[1:], told))
    return (*((what, how) for what, how in (*rows, *more) if how), *provenance(design))


def option_text(value: object) -> str:
    """Return the value of an option as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def missing_scores(design: Design) -> str:
    """Say what was done about missing scores, such as ``2 data sets left out: iris and wine``."""
    parts = [_settled(design)] if design.treated in _TREATED else []
    if design.left_out:
        count = plural(len(design.left_out), "data set")
        parts.append(f"{count} left out: {joined(design.left_out)}")
    return "; ".join(parts)


def _settled(design: Design) -> str:
    """Say how missing scores were treated, with the score of what failed if one was given."""
    fill = design.options.get("fill")
    if design.treated != "worst" or fill is None:
        said = TREATMENTS[design.treated].settled
        return said.replace("folds and runs", "items") if design.unit == "items" else said
    score = f"the score of {fill}" if isinstance(fill, str) else f"the score {fill:g}"
    return f"what failed gets {score}"


# Citations in a text: [@demsar2006; @garcia2008]
_CITED = re.compile(r" \[@([a-z0-9; @]+)\]")


class _Narrator(Formatter):
    """Put facts into a text, with counts and citations as a sentence has them.

    A count has its noun, in digits (``{n:#score}``) or in words (``{n:=score}``), or decides on
    the number of a verb (``{n:is|are}``); a tuple of keys is cited (``{keys:cite}``).
    """

    def __init__(self, result: Cites | None = None, cite: Cited | None = None) -> None:
        self.result, self.cite = result, Cited() if cite is None else cite

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:  # noqa: ARG002
        return kwargs[str(key)] if key in kwargs else getattr(self.result, str(key))

    def format_field(self, value: Any, format_spec: str) -> str:
        if value is self.cite:
            return str(self.cite(*format_spec.split("; @")))
        if format_spec == "cite":
            return str(self.cite(*value))
        count = len(value) if isinstance(value, Sized) else value
        if format_spec.startswith("#"):
            return plural(count, format_spec[1:])
        if format_spec.startswith("="):
            return counted(count, format_spec[1:])
        if "|" in format_spec:
            return format_spec.split("|")[0 if count == 1 else 1]
        return str(format(value, format_spec))

    def sentence(self, text: str, facts: Mapping[str, Any]) -> str:
        """Return a sentence; nothing if something that it mentions is None."""
        known, told = {**facts, "cite": self.cite}, []
        for words, name, spec, _ in self.parse(_CITED.sub(r"{cite:\1}", " ".join(text.split()))):
            told.append(words)
            if name is None:
                continue
            value, _ = self.get_field(name, (), known)
            value = value() if isfunction(value) else value
            if value is None:
                return ""
            told.append(self.format_field(value, spec or ""))
        return "".join(told)


def note(key: str, /, *, code: str = "", **facts: Any) -> Note:
    """Return a note by the name of its text, with the facts that the text mentions.

    A name is the code of the note for programs; where several texts have one code, it is followed
    by a slash and what they differ in. Another ``code`` may be given.
    """
    text = _Narrator().sentence(text_of_note(key), facts)
    if not text:
        raise ValueError(f"the note {key!r} mentions a fact that is None")
    return Note(code or key.partition("/")[0], text)


def on_methods(key: str, result: Cites, cite: Cited, /, **facts: Any) -> tuple[str, ...]:
    """Return the paragraph on the methods of a result, whose texts stand in ``words/methods.md``.

    Texts mention attributes of the result, and further ``facts``, which may be functions that cite;
    a sentence is left out if one of these is None. The version is named last, once in a row of
    paragraphs.
    """
    narrator, design, is_second = _Narrator(result, cite), result.design, bool(cite.keys)
    treated = [missing(design), *(it.text for it in result.notes if it.code == "failed-runs")]
    of_all = {"scored": scored(design), "k": design.algorithms}
    of_all["missing_scores"] = " ".join(filter(None, treated))
    told = [narrator.sentence(text, of_all | facts) for text in texts_on_methods(key)]
    return (*told, "" if is_second else computed(design))
