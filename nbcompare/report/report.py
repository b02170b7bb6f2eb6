"""The report: sections about data and results, arranged and made into a notebook."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from nbcompare._options import PRINTS_CODE, SECTIONS
from nbcompare._render import plural
from nbcompare._validation import check_choice, one_line, shown
from nbcompare._version import __version__
from nbcompare.experiment import Experiment, Frame, experiment_of
from nbcompare.histories import Histories
from nbcompare.report.notebook.plan import Answer, call_of_ranks
from nbcompare.report.notebook.source import Data, Source
from nbcompare.report.notebook.standard import OF_EXPERIMENT, Subject, check_experiments, suffixes
from nbcompare.report.outline import MEASURES, GivenSection, Outline
from nbcompare.results import Comparison, Result

if TYPE_CHECKING:
    from nbformat import NotebookNode

_WORD = re.compile(r"[\w-]*")
TODAY = "today"  # the date of a report that is printed with the day of its export
# The sections about one comparison
OF_COMPARISON = ("findings", "comparison", "methods")
# Parameters that hold the options of analyses
_OPTIONS_OF = (
    "compare",
    "stochastic",
    "convergence",
    "cv",
    "bayesian",
    "targets",
    "aggregates",
    "plan",
)
_NOT_BY_MEASURE = frozenset({"sensitivity", "data"})  # of a short report, which has a page each


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    r"""A report on an experiment, on histories, or on both, as a notebook or an exported page.

    Methods that add, remove and move sections return a new report and leave this one unchanged.
    Nothing is computed before :meth:`to_notebook` or :meth:`export`.

    Parameters
    ----------
    experiment : Experiment, dataframe, mapping of str to Experiment, or Comparison, optional
        The scores, for the sections ``data`` to ``stochastic``. A dataframe needs ``direction``,
        and the report says how it was read. With several experiments, such as those of
        :meth:`Experiment.read_measures`, the report has all sections for each of them, named
        ``data_accuracy`` and so on, and says that nothing is adjusted over the measures. The
        result of :func:`nbcompare.compare_ranks`, which has no data, gives a report with the
        section ``comparison``.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only.
    histories : Histories, optional
        The histories, for the sections ``histories``, ``convergence`` and ``targets``.
    title : str, optional
        The title; by default it names the data.
    authors : iterable of str
        The names of the authors.
    abstract : str, optional
        Markdown.
    date : str or datetime.date, optional
        The date, printed as it is given; "today" is the day of the export. None by default, so
        that the same report gives the same page.
    code : bool, default False
        Whether PDF and LaTeX print the code. The HTML page shows it on request, and the notebook
        always has it.
    full : bool, default False
        Whether the report has everything that suits the data: conditions of tests, other designs,
        effects, all scores and tables, repeated runs beside their means, and all references. By
        default it is short, and the sections that are asked for stand beside the short ones.
    sections : iterable of str, optional
        Names of sections, and Markdown of your own, in the order of the report. The default suits
        the data, and has the answer first: ``findings`` of all analyses; ``comparison``, with
        groups of data sets ``groups``, with two algorithms ``pair``; ``cv`` if its options are
        given; ``stochastic`` if its options are given, or if the data allow nothing else;
        ``convergence``; ``aggregates`` and ``bayesian`` if their options are given;
        ``sensitivity`` where it is quick; ``data``; ``plan`` if its options are given; ``targets``
        where optima are known, or if its options are given; ``histories``; ``methods``. With
        ``full``, there are ``stochastic`` and ``aggregates`` where there are repeated runs and
        they are quick, and in the end ``appendix``, to which ``conditions``, ``design``, with a
        control ``signs``, and ``contrast`` belong; ``references``. There are also ``all-pairs``
        and ``rank-intervals``. Beside ``findings``, a section is short; without them, it shows its
        result in full.
    titles : mapping of str to str, optional
        Headings that replace the usual ones, by the names of the sections.
    compare, stochastic, convergence, cv, bayesian, targets, aggregates, plan : mapping, optional
        Options of :func:`nbcompare.compare` (which also apply to the sections beside it), of
        :func:`nbcompare.compare_stochastic`, of :func:`nbcompare.compare_convergence`, of
        :func:`nbcompare.compare_cv` for all algorithms on one data set, of
        :func:`nbcompare.compare_bayesian`, such as ``{"rope": 0.01}``, of
        :func:`nbcompare.fixed_targets`, such as ``{"precisions": [1, 1e-8]}``, of
        :func:`nbcompare.aggregate_runs`, and of :func:`nbcompare.plan`, such as ``{"power": 0.8}``,
        which shares the design of the comparison and is simulated when the report is exported.

    Raises
    ------
    ValueError
        For a section that is unknown, given twice, or impossible with these data.
    TypeError
        For data that are neither an Experiment nor Histories, nor one of the above.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> report = nbc.Report(
    ...     nbc.datasets.load("demsar2006"), authors=["J. Doe"], compare={"control": "C4.5"})
    >>> report
    <Report: 'Comparison of algorithms on demsar2006', 5 sections>
    >>> report.sections
    ('findings', 'comparison', 'sensitivity', 'data', 'methods')
    >>> report = report.remove("data").add("## Setting\n\nDefault parameters.", after="findings")
    >>> report.add("all-pairs", after="comparison").sections
    ('findings', 'text-1', 'comparison', 'all-pairs', 'sensitivity', 'methods')
    >>> [cell.source for cell in report.to_notebook().cells if "Setting" in cell.source]
    ['## Setting\n\nDefault parameters.']
    >>> ranks = {"C4.5": 2.1, "1-NN": 3.25, "NB": 2.2, "Kernel": 4.3333, "CN2": 3.1167}
    >>> nbc.Report(nbc.compare_ranks(ranks, 30)).sections
    ('findings', 'comparison', 'methods')
    """

    experiment: Experiment | Frame | Mapping[str, Experiment] | Comparison | None = None
    _: KW_ONLY
    direction: str | None = None
    histories: Histories | None = None
    title: str | None = None
    authors: Iterable[str] = ()
    abstract: str | None = None
    date: str | datetime.date | None = None
    code: bool = False
    full: bool = False
    sections: Iterable[str] | None = None
    titles: Mapping[str, str] | None = None
    compare: Mapping[str, Any] | None = None
    stochastic: Mapping[str, Any] | None = None
    convergence: Mapping[str, Any] | None = None
    cv: Mapping[str, Any] | None = None
    bayesian: Mapping[str, Any] | None = None
    targets: Mapping[str, Any] | None = None
    aggregates: Mapping[str, Any] | None = None
    plan: Mapping[str, Any] | None = None
    _own: Mapping[str, str | GivenSection] = field(default_factory=dict)
    _data: Mapping[str, Data] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the parts, and name the author's own texts."""
        set_ = object.__setattr__
        for name in _OPTIONS_OF:
            if not isinstance(given := getattr(self, name), Mapping | None):
                raise TypeError(
                    f"`{name}` must be a mapping of options, or {{}} for their defaults; got "
                    f"{shown(given)}."
                )
        self._take_data()
        self._check_data()
        for name, checked in DOCUMENT.items():
            set_(self, name, checked(getattr(self, name), name))
        names, own = self._checked_sections()
        set_(self, "sections", names)
        set_(self, "_own", {name: own[name] for name in names if name in own})

    def _take_data(self) -> None:
        """Read a dataframe, and take measures or a result without data as sections."""
        given, set_ = self.experiment, object.__setattr__
        if isinstance(given, Mapping):
            if self.direction is not None:
                raise ValueError("`direction` must be left out without a dataframe.")
            experiments = check_experiments(given)
            set_(self, "experiment", None)
            self._spread(experiments)
        elif isinstance(given, Result):
            if self.direction is not None or self.histories is not None or self._own:
                raise ValueError(
                    "`experiment` must be an Experiment beside other data or a `direction`; got "
                    "the result of compare_ranks."
                )
            if not isinstance(given, Comparison) or given.design.fingerprint is not None:
                raise TypeError(
                    f"`experiment` must be data, or the result of compare_ranks, which has none; "
                    f"got a {type(given).__name__} of data. Pass the Experiment or dataframe that "
                    "it was computed from."
                )
            kinds = (*OF_COMPARISON, "appendix") if self.full else OF_COMPARISON
            more = ("references",) if self.full else ()
            names = (*kinds, *more) if self.sections is None else self.sections
            call = call_of_ranks(given)
            answers = (Answer("comparison", "comparison"),)
            own = {
                kind: GivenSection(kind, "comparison", call, answers=answers)
                for kind in (*OF_COMPARISON, "appendix")
            }
            set_(self, "experiment", None)
            set_(self, "sections", names)
            set_(self, "_own", own)
        elif given is not None:
            set_(self, "experiment", experiment_of(given, self.direction))
            set_(self, "direction", None)  # which the experiment has from now on
        elif self.direction is not None:
            raise ValueError("`direction` must be left out without a dataframe.")

    def _spread(self, experiments: Mapping[str, Experiment]) -> None:
        """Make sections of each measure of the standard ones."""
        asked = {**(self.compare or {}), **(self.bayesian or {}), **(self.aggregates or {})}
        if asked.get("baseline") is not None:
            asked.pop("target", None)  # which is normalised, too
        for name in ("margin", "rope", "target"):
            if len(experiments) > 1 and asked.get(name) is not None:
                raise ValueError(
                    f"`{name}` must be left out of a report on several measures, because it is in "
                    "the unit of one of them. Make a report of each measure, or leave out "
                    f"`{name}`."
                )
        subjects = {
            name: replace(self._subject_of(experiment), suffix=suffix, label=name)
            for (name, experiment), suffix in zip(
                experiments.items(), suffixes(experiments), strict=True
            )
        }
        rest = self._subject_of(None)
        wanted = self.sections
        if isinstance(wanted, str):
            raise TypeError(f"`sections` must be a list of names; got the str {wanted!r}.")
        others = list(rest.sections() if wanted is None else wanted)
        if wanted is not None and not any(name in OF_EXPERIMENT for name in others):
            raise ValueError("`sections` must have one about scores, such as 'comparison'.")
        first = next((i for i, name in enumerate(others) if name in OF_EXPERIMENT), 0)
        own: dict[str, str | GivenSection] = {MEASURES: GivenSection(MEASURES, "", None)}
        brief = wanted is None and not self.full and len(experiments) > 1
        last: dict[str, GivenSection] = {}
        for subject in subjects.values():
            chosen = subject.sections() if wanted is None else others
            for name in chosen:
                if name in OF_EXPERIMENT and not (brief and name in _NOT_BY_MEASURE):
                    subject.check(name)
                    given = GivenSection(name, "", None, subject=subject)
                    (last if brief and name == "methods" else own)[f"{name}{subject.suffix}"] = (
                        given
                    )
        own |= last
        before, after = others[:first], others[first:]
        after = [name for name in after if name not in OF_EXPERIMENT]
        object.__setattr__(self, "sections", (*before, *own, *after))
        object.__setattr__(self, "_own", {**self._own, **own})
        data = {f"experiment{each.suffix}": each.experiment for each in subjects.values()}
        object.__setattr__(self, "_data", {**self._data, **data})

    def _check_data(self) -> None:
        if self.histories is not None and not isinstance(self.histories, Histories):
            raise TypeError(
                f"`histories` must be of class Histories; got {type(self.histories).__name__}."
            )
        without_data = any(isinstance(own, GivenSection) for own in self._own.values())
        if self.experiment is None and self.histories is not None:
            self.histories.check_best_so_far("a report on histories alone")
        if self.experiment is None and self.histories is None and not without_data:
            raise ValueError("a report needs an `experiment`, `histories`, or both; got neither.")

    def _checked_sections(self) -> tuple[tuple[str, ...], dict[str, str | GivenSection]]:
        """Return the names of the sections, and the contents of the author's own sections."""
        own = dict(self._own)
        asked = self._subject.sections() if self.sections is None else self.sections
        if isinstance(asked, str):
            raise TypeError(f"`sections` must be a list of names; got the str {asked!r}.")
        names = tuple(_section_name(section, own) for section in asked)
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"`sections` must not have a name twice; got {name!r} again.")
            if name not in own:
                if MEASURES in own and name in OF_EXPERIMENT:
                    raise ValueError(
                        f"section {name!r} of a report on several measures must be among the "
                        "`sections` that the report is made with."
                    )
                self._subject.check(name)
        return names, own

    @property
    def picked(self) -> tuple[str, ...]:
        """Sentences on the analyses that were picked because of the data, where none was named."""
        own = [it.subject for it in self._own.values() if isinstance(it, GivenSection)]
        subjects = filter(None, [self._subject, *own])
        told = (
            text
            for subject in subjects
            for kind, text in subject.picked.items()
            if f"{kind}{subject.suffix}" in self._names
        )
        return tuple(dict.fromkeys(told))

    @property
    def advice(self) -> str:
        """A sentence on an option that would allow another analysis; empty if there is none."""
        return self._subject.advice if "stochastic" in self._names else ""

    # -------------------------------------------------------------------- arranging

    def add(
        self,
        section: str,
        *,
        after: str | None = None,
        before: str | None = None,
        name: str | None = None,
    ) -> Self:
        """Return a report with one more section.

        Parameters
        ----------
        section : str
            A name, as in ``sections``, or Markdown, which is anything longer than one word.
        after, before : str, optional
            The section that the new one follows or precedes; by default it is the last one before
            the appendix and the references.
        name : str, optional
            The name of a Markdown section; ``text-1``, ``text-2``, … by default.

        Returns
        -------
        Report
            A new report; this one is not changed.

        Raises
        ------
        ValueError
            As for the report itself; for a place that does not exist, or both ``after`` and
            ``before``; or for a ``name`` that is not one word, belongs to another section, or is
            given with a section that is not Markdown.
        """
        own = dict(self._own)
        if name is not None:
            if section in SECTIONS or name in SECTIONS or not _WORD.fullmatch(name):
                raise ValueError(
                    "`name` must be a word that is not the name of another section, for Markdown "
                    f"of your own; got {name!r}."
                )
            if name in own:
                raise ValueError(f"`name` must not be that of another section; got {name!r}.")
            own[name] = section
            added = name
        else:
            added = _section_name(section, own)
        names = self._names
        place = len(names) - (names[-1:] == ("references",))
        place = min(place, next((i for i, it in enumerate(names) if it == "appendix"), place))
        if after is not None or before is not None:
            place = _place(names, after, before)
        return replace(self, sections=(*names[:place], added, *names[place:]), _own=own)

    def remove(self, *names: str) -> Self:
        """Return a report without these sections.

        Parameters
        ----------
        *names : str
            Names of sections of this report, as in ``sections``.

        Returns
        -------
        Report
            A new report; this one is not changed.

        Raises
        ------
        ValueError
            If the report has no such section.
        """
        for name in names:
            check_choice(name, "name", self._names)
        return replace(self, sections=[name for name in self._names if name not in names])

    def move(self, name: str, *, after: str | None = None, before: str | None = None) -> Self:
        """Return a report with a section in another place.

        Parameters
        ----------
        name : str
            The section.
        after, before : str
            The section that it follows or precedes: one of the two must be given.

        Returns
        -------
        Report
            A new report; this one is not changed.

        Raises
        ------
        ValueError
            If the report has no such section or place, or if neither or both of ``after`` and
            ``before`` are given.
        """
        check_choice(name, "name", self._names)
        rest = tuple(other for other in self._names if other != name)
        place = _place(rest, after, before)
        return replace(self, sections=(*rest[:place], name, *rest[place:]))

    # --------------------------------------------------------------------- making it

    @property
    def files_beside(self) -> dict[str, tuple[str, str]]:
        """Names and contents of files of data that belong beside the notebook, by variable.

        They hold data that were not read from a file and are too long for a cell;
        :meth:`export` writes them.
        """
        return self.outline.files_beside

    def to_notebook(self, folder: str | Path | None = None) -> NotebookNode:
        """Build the notebook without its outputs.

        Its cells load the data from their origin: a file that still holds them, or a bundled
        example. Other data are in a cell, as text.

        Parameters
        ----------
        folder : str or Path, optional
            The folder of the notebook, to which paths are relative; the working folder by
            default.

        Returns
        -------
        nbformat.NotebookNode
            The notebook, with title, authors, date, abstract, version and fingerprints as metadata.

        Raises
        ------
        ValueError
            For mistakes in the options or the data, or for data that need a file beside the
            notebook.
        """
        for source in self._sources.values():
            if source.file_name is not None:
                raise ValueError(
                    f"{source.data!r} was not read from a file and is too long for a cell; "
                    "export() writes it to a file beside the notebook."
                )
        return self.outline.notebook(Path(folder or "."))

    def export(self, *paths: str | Path) -> tuple[Path, ...]:
        """Compute the report once, and write files.

        Each file is written whole or not at all. A section that fails leaves a note in its place,
        and a format that fails leaves the others.

        Parameters
        ----------
        *paths : str or Path
            Paths that end in one of ``nbcompare.report.FORMATS``: .html is one page that needs no
            network, .ipynb the notebook with its outputs; .pdf and .tex, which has its pictures in
            files beside it, need ``nbcompare[pdf]``; .bib is the literature as BibTeX.

        Returns
        -------
        tuple of Path
            The files that were written: the paths, files of data that are too long for a cell,
            and pictures beside a .tex.

        Raises
        ------
        ValueError
            For mistakes in the options or the data.
        nbcompare.report.IncompleteReportError
            If sections failed, or some of several formats: after writing the rest.
        nbcompare.report.ReportError
            If no section could be made.
        OSError
            If no file can be written.

        Examples
        --------
        >>> import tempfile
        >>> import nbcompare as nbc
        >>> ranks = {"C4.5": 2.1, "1-NN": 3.25, "NB": 2.2, "Kernel": 4.3333, "CN2": 3.1167}
        >>> report = nbc.Report(nbc.compare_ranks(ranks, 30))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     files = report.export(f"{folder}/a.html", f"{folder}/a.bib")
        >>> [file.name for file in files]
        ['a.html', 'a.bib']

        The notebook can be had without its outputs:

        >>> report.to_notebook().metadata["title"]
        'Comparison of algorithms'
        """
        from nbcompare.report.make import export

        return export([Path(path) for path in paths], self)

    def __repr__(self) -> str:
        return f"<Report: {self._title!r}, {plural(len(self._names), 'section')}>"

    # ------------------------------------------------------------------------ inside

    @cached_property
    def outline(self) -> Outline:
        """What the notebook is made of, for the modules of this package."""
        return Outline(
            self._names,
            self._own,
            self._subject,
            self._sources,
            self.titles or {},
            self._metadata(),
        )

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(self.sections or ())

    @property
    def _title(self) -> str:
        if self.title is not None:
            return self.title
        names = [source.name for source in self._sources.values() if source.name is not None]
        if self.experiment is None and self.histories is not None:
            return f"Convergence of algorithms on {names[0] if names else 'their problems'}"
        return f"Comparison of algorithms{f' on {names[0]}' if names else ''}"

    @property
    def _scores(self) -> Experiment | None:
        return self.experiment if isinstance(self.experiment, Experiment) else None

    @cached_property
    def _subject(self) -> Subject:
        return self._subject_of(self._scores)

    def _subject_of(self, experiment: Experiment | None) -> Subject:
        options = {name: getattr(self, name) for name in _OPTIONS_OF}
        options |= {name: options[name] or {} for name in ("compare", "convergence")}
        return Subject(experiment, self.histories, **options, full=self.full)

    @cached_property
    def _sources(self) -> dict[str, Source]:
        standard = {"experiment": self._scores, "histories": self.histories}
        data = {name: value for name, value in standard.items() if value is not None}
        return {name: Source(value, name) for name, value in {**data, **self._data}.items()}

    def _metadata(self) -> dict[str, Any]:
        known: dict[str, Any] = {"version": __version__, PRINTS_CODE: self.code}
        for kind, key in ((Experiment, "fingerprint"), (Histories, "histories_fingerprint")):
            of_kind = [s.data for s in self._sources.values() if isinstance(s.data, kind)]
            if of_kind:
                known[key] = of_kind[0].fingerprint
        metadata: dict[str, Any] = {"title": self._title}
        if self.authors:
            metadata["authors"] = [{"name": author} for author in self.authors]
        if self.date is not None:
            is_today = self.date == TODAY
            metadata["date"] = datetime.date.today().isoformat() if is_today else self.date
        if self.abstract is not None:
            metadata["abstract"] = self.abstract
        return {**metadata, "nbcompare": known}


# ----------------------------------------------------------------------------- arguments


def _authors(value: Any, name: str) -> tuple[str, ...]:
    """Check the names of the authors; a single one stands for itself."""
    if not isinstance(value, Iterable):
        raise TypeError(f"`{name}` must be a list of names; got {shown(value)}.")
    several = [value] if isinstance(value, str) else value
    return tuple(author for each in several if (author := one_line(each, name)))


def _date(value: Any, name: str) -> str | None:
    return value.isoformat() if isinstance(value, datetime.date) else one_line(value, name)


def _markdown(value: Any, name: str) -> str | None:
    if isinstance(value, str):
        return value if value.strip() else None
    return one_line(value, name)


def _headings(value: Any, name: str) -> dict[str, str]:
    """Check headings of sections, by the names of the sections."""
    if not isinstance(value, Mapping | None):
        raise TypeError(f"`{name}` must be a mapping of names to titles; got {shown(value)}.")
    titles = {
        check_choice(section, name, tuple(SECTIONS)): one_line(title, name)
        for section, title in (value or {}).items()
    }
    return {section: title for section in SECTIONS if (title := titles.get(section))}


# What a report says of itself: functions of a value and its name, which return it as it is kept
DOCUMENT: Mapping[str, Callable[[Any, str], Any]] = MappingProxyType(
    {
        "title": one_line,
        "authors": _authors,
        "date": _date,
        "abstract": _markdown,
        "titles": _headings,
    }
)


def _section_name(section: object, own: dict[str, Any]) -> str:
    """Check the name of a section; Markdown gets one, and is added to the author's own."""
    if not isinstance(section, str):
        raise TypeError(f"`section` must be a name or Markdown; got {type(section).__name__}.")
    if section in own:
        return section
    if _WORD.fullmatch(section.strip()):
        return check_choice(section, "section", tuple(SECTIONS))
    number = 1
    while f"text-{number}" in own:
        number += 1
    own[f"text-{number}"] = section
    return f"text-{number}"


def _place(names: tuple[str, ...], after: str | None, before: str | None) -> int:
    """Find the place in a list of sections that ``after`` or ``before`` names."""
    if (after is None) == (before is None):
        raise ValueError("give the place by `after` or by `before`: one of the two.")
    if after is not None:
        return names.index(check_choice(after, "after", names)) + 1
    return names.index(check_choice(before, "before", names))
