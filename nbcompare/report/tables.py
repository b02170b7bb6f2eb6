"""LaTeX tables: those of one comparison for a paper, all rankings and procedures beside it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from nbcompare._arrays import BoolArray
from nbcompare._display import Options
from nbcompare._files import write_all
from nbcompare._options import OPTIONS, default
from nbcompare._render import Column, Notes, Part, Prose, Table, format_number, format_p, latex
from nbcompare._validation import check_choice
from nbcompare._version import __version__
from nbcompare.analysis import contrast_estimation
from nbcompare.analysis.comparison import AllProcedures
from nbcompare.analysis.ranks import compare_datasets
from nbcompare.experiment import Experiment
from nbcompare.plots import cd_diagram, save
from nbcompare.results import Comparison, methods_in_latex
from nbcompare.results.comparison import methods_sentences
from nbcompare.words import PAIRWISE_TESTS, PROCEDURES, RANKINGS, TREATMENTS_OF

LEVELS = (0.05, 0.10)
TITLE = "Comparison of algorithms"
_SECTIONS = ("ranks", "omnibus", "hypotheses")
# By venue, its class with options, and its style of references
_CLASSES = {
    "ieee": (r"[conference]{IEEEtran}", "IEEEtran"),
    "acm": (r"[sigconf,nonacm]{acmart}", "ACM-Reference-Format"),
    "lncs": ("{llncs}", "splncs04"),
    "elsevier": (r"[5p,times]{elsarticle}", "elsarticle-num"),
}
_POINTS = 72.27  # of TeX in an inch
_LEAST_P = 0.001
_MOST_PAIRS = 66  # in the document for a venue: all of 12 algorithms
_MOST_COLUMNS = 5  # columns of p-values or levels, beside the hypothesis


def latex_tables(
    experiment: Experiment,
    *,
    fragment: bool = False,
    title: str = TITLE,
    **options: Any,
) -> str:
    r"""Write average ranks, omnibus tests and hypotheses of one comparison as LaTeX tables.

    Parameters
    ----------
    experiment : Experiment
        At least 2 algorithms on at least 2 data sets.
    fragment : bool, default False
        Whether to write only the tables, for ``\input`` in a paper that loads array, booktabs and
        longtable, rather than a document.
    title : str
        The title of the document.
    **options
        The options of :func:`nbcompare.compare`, which gives the same results.

    Returns
    -------
    str
        LaTeX for pdfLaTeX, XeLaTeX or LuaLaTeX: the sentences, the tables and the notes.

    Raises
    ------
    ValueError
        As :func:`nbcompare.compare`.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> text = latex_tables(nbc.datasets.load("demsar2006"), control="C4.5")
    >>> text.count(r"\begin{table}"), r"\usepackage{booktabs}" in text
    (3, True)
    """
    result = compare_datasets(experiment, **options)
    return _written(
        [Prose(result.sentences), *_tables_of(result)], result, fragment=fragment, title=title
    )


def latex_supplement(
    experiment: Experiment,
    *,
    rankings: str | Iterable[str] = tuple(RANKINGS),
    control: str | None = default("control"),
    pairs: str = default("tables.pairs"),
    scale: str = default("scale"),
    formulas: str = default("formulas"),
    missing: str = default("missing"),
    fill: float | str | None = default("fill"),
    fragment: bool = False,
    title: str = TITLE,
) -> str:
    r"""Write the tables of all rankings and procedures, and of contrasts, in LaTeX.

    The tables are those of the programs CONTROLTEST and MULTIPLETEST of the SCI2S group: for each
    ranking the average ranks, the omnibus tests, the hypotheses with z, p and the adjusted p-values
    of every procedure, the level that each procedure compares p with, and the hypotheses rejected
    at 0.05 and 0.10.

    Parameters
    ----------
    experiment : Experiment
        At least 2 algorithms on at least 2 data sets.
    rankings : str or list of str
        Some of ``friedman``, ``aligned``, ``quade``; all by default (only Friedman's with missing
        scores that are not dropped).
    pairs : {"ranks", "exchange", "wilcoxon", "t"}
        How two algorithms are compared: by the z of their average ranks, as those programs do, or
        by another test of :func:`nbcompare.compare`.
    control, scale, formulas, missing, fill
        As in :func:`nbcompare.compare`.
    fragment : bool, default False
        Whether to write only the tables, for ``\input`` in a paper that loads array, booktabs and
        longtable, rather than a document.
    title : str
        The title of the document.

    Returns
    -------
    str
        LaTeX for pdfLaTeX, XeLaTeX or LuaLaTeX.

    Raises
    ------
    ValueError
        As :func:`nbcompare.compare`.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> text = latex_supplement(nbc.datasets.load("demsar2006"), control="C4.5")
    >>> text.count(r"\begin{table}") > 10, r"\usepackage{booktabs}" in text
    (True, True)
    """
    OPTIONS["tables.pairs"].check(pairs, "pairs")
    names = (rankings,) if isinstance(rankings, str) else tuple(rankings)
    for name in names:
        check_choice(name, "rankings", tuple(RANKINGS))
    if missing == "skillings-mack" and experiment.missing.any():
        names = tuple(name for name in names if RANKINGS[name].within_datasets) or ("friedman",)
    options = {
        "control": control,
        "pairs": pairs,
        "formulas": formulas,
        "missing": missing,
        "fill": fill,
        "alpha": LEVELS[0],
        "scale": scale,
    }
    families = [_Family(AllProcedures(experiment, {**options, "ranking": it})) for it in names]
    first = families[0].result
    parts: list[Part] = [Prose(methods_sentences(first)[:1])]
    for family in families:
        parts += [*_tables_of(family.result), *family.parts()]
    if not first.has_gaps:
        contrast = contrast_estimation(experiment, scale=scale, **_treatment(missing, fill))
        if contrast.withheld:
            parts.append(Prose(contrast.sentences))
        else:
            parts += contrast.section("matrix").parts + contrast.section("intervals").parts
    results = [family.result for family in families]
    return _written(parts, *results, fragment=fragment, title=title)


def _tables_of(result: Comparison) -> list[Part]:
    """Return the tables of ranks, omnibus tests and hypotheses."""
    names = [name for name in _SECTIONS if name in result.sections]
    return [part for name in names for part in result.section(name).parts]


def _written(parts: list[Part], *results: Comparison, fragment: bool, title: str) -> str:
    """Write the parts and the notes of the results, each note once."""
    notes = {note.code: note for result in results for note in result.notes}
    body = latex.render([*parts, *([Notes(tuple(notes.values()))] if notes else [])])
    made = f"nbcompare {__version__}, data {results[0].design.fingerprint}"
    return latex.fragment(body, made) if fragment else latex.document(body, title, made)


def _treatment(missing: str, fill: float | str | None) -> dict[str, Any]:
    """Return the treatment of missing scores for estimates, which take fewer words."""
    known = missing in TREATMENTS_OF["contrast_estimation"]
    return {"missing": missing, "fill": fill} if known else {}


def paper_kit(
    experiment: Experiment,
    folder: str | Path,
    *,
    venue: str,
    siunitx: bool = False,
    **options: Any,
) -> tuple[Path, ...]:
    r"""Write the files of a comparison for the paper of a venue, each for ``\input``.

    These are ``methods.tex`` with ``\cite``, ``findings.tex``, ``ranks.tex``, ``omnibus.tex``,
    ``hypotheses.tex``, the diagram ``diagram.pgf``, ``references.bib``, and ``paper.tex``, a
    document with all of them. More than 66 pairs are for a supplement: the document has ranks
    with letters, ``letters.tex``, in place of both tables. Files of these names are replaced.

    Parameters
    ----------
    experiment : Experiment
        At least 2 algorithms on at least 2 data sets.
    folder : str or Path
        Where to write; made if it does not exist.
    venue : {"ieee", "acm", "lncs", "elsevier"}
        The class is IEEEtran, acmart (sigconf), llncs or elsarticle (5p). Each table fits a column,
        or the page if it is wider; smaller p-values are given as below 0.001.
    siunitx : bool, default False
        Align numbers at their decimal points with the package siunitx, instead of right.
    **options
        The options of :func:`nbcompare.compare`, which gives the same results.

    Returns
    -------
    tuple of Path
        The files.

    Raises
    ------
    ValueError
        As :func:`nbcompare.compare`, or for another venue.

    Examples
    --------
    >>> import tempfile
    >>> import nbcompare as nbc
    >>> data = nbc.datasets.load("demsar2006")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = paper_kit(data, folder, venue="ieee", control="C4.5")
    ...     print(*(file.name for file in files[:-1]))
    methods.tex findings.tex ranks.tex omnibus.tex hypotheses.tex references.bib paper.tex
    """
    check_choice(venue, "venue", tuple(_CLASSES))
    result = compare_datasets(experiment, **options)
    diagram = cd_diagram(result)  # before anything is written
    is_long = len(result.hypotheses.first) > _MOST_PAIRS and "letters" in result.sections
    with Options(least_p=_LEAST_P):
        findings = latex.render(result.section("findings").parts)
    texts = {
        "methods": _paragraphs(methods_in_latex([result])),
        "findings": _paragraphs(findings),
        **{
            name: result.to_latex(name, venue=venue, siunitx=siunitx, label=f"tab:{name}")
            for name in (("letters", *_SECTIONS[1:]) if is_long else _SECTIONS)
            if name in result.sections
        },
    }
    document, style = _CLASSES[venue]
    packages = {"array", "graphicx", "pgf", *latex.packages("".join(texts.values()))}
    start, description = [], []
    if venue == "acm":  # heads of pages need a title; its fonts have the signs of amssymb
        start = [rf"\title{{{TITLE}}}"]
        if "amssymb" in packages:
            packages.remove("amssymb")
            start.append(r"\IfFileExists{newtxmath.sty}{}{\usepackage{amssymb}}")
        description = [rf"\Description{{{latex.escape(diagram.alt)}}}"]
    paper = [
        rf"\documentclass{document}",
        rf"\usepackage{{{','.join(sorted(packages))}}}",
        *start,
        r"\begin{document}",
        *(rf"{'%' * (is_long and name == 'hypotheses')}\input{{{name}}}" for name in texts),
        r"\begin{figure}",
        r"\centering",
        r"\input{diagram.pgf}",
        r"\caption{Average ranks; 1 is best}",
        *description,
        r"\end{figure}",
        rf"\bibliographystyle{{{style}}}",
        r"\bibliography{references}",
        r"\end{document}",
    ]
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    files = {target / f"{name}.tex": text for name, text in texts.items()}
    files[target / "references.bib"] = result.to_bibtex()
    files[target / "paper.tex"] = "\n".join(paper) + "\n"
    write_all(files)
    column, _ = latex.VENUES[venue]
    return (*files, save(diagram, target / "diagram.pgf", width=column / _POINTS))


def _paragraphs(text: str) -> str:
    """Let long names in paragraphs of LaTeX be broken, so that lines stay in a narrow column."""
    broken = re.sub(r"(?<=\w)(\+|\\_|/)(?=\w)", r"\1\\allowbreak{}", text)
    return f"{{\\sloppy\n{latex.set_p(broken).strip()}\n\\par}}\n"


@dataclass(frozen=True)
class _Family:
    """The tables about the hypotheses of one ranking."""

    family: AllProcedures

    @property
    def result(self) -> Comparison:
        """The comparison, at the first level."""
        return self.family.result

    def parts(self) -> list[Part]:
        """Return all tables about the hypotheses of this ranking."""
        return [
            *(table for level in LEVELS for table in self._levels(level)),
            self._rejections(),
        ]

    @cached_property
    def _labels(self) -> list[tuple[str, ...]]:
        tests = self.result.hypotheses
        return [
            (str(row + 1), f"{tests.first[row]} vs. {tests.second[row]}")
            for row in range(len(tests))
        ]

    @property
    def _about(self) -> str:
        against = "all pairs" if self.result.control is None else f"control {self.result.control}"
        return f"{RANKINGS[self.result.ranking].ranks}, {against}"

    def _levels(self, alpha: float) -> Iterable[Table]:
        """Yield tables of z, p and the level that each procedure compares p with."""
        tests = self.result.hypotheses
        names = [name for name in self.family.names if PROCEDURES[name].has_levels]
        levels = [self.family.levels(name, alpha) for name in names]
        basis = [
            (
                *label,
                format_number(float(tests.statistic[row]), 3),
                format_p(float(tests.pvalue[row]), float(tests.log10_pvalue[row])),
            )
            for row, label in enumerate(self._labels)
        ]
        statistic = PAIRWISE_TESTS[self.result.pairs].statistic
        columns = (*_HYPOTHESIS, Column(statistic, number=True), Column("p", number=True))
        for part in _chunks(len(names)):
            rows = tuple(
                cells + tuple(format_p(float(levels[i][row])) for i in part)
                for row, cells in enumerate(basis)
            )
            yield Table(
                columns + tuple(Column(PROCEDURES[names[i]].label, number=True) for i in part),
                rows,
                f"Hypotheses and the levels that p is compared with, α = {alpha:g} ({self._about})",
            )

    def _rejections(self) -> Table:
        """Return the table of the hypotheses that each procedure rejects, by their numbers."""
        rows = []
        for name in self.family.names:
            cells = [PROCEDURES[name].label]
            for alpha in LEVELS:
                rejected = self.family.rejected(name, alpha)
                cells.append(f"{int(rejected.sum())}{_numbers(rejected)}")
            rows.append(tuple(cells))
        columns = (Column("procedure"), *(Column(f"rejected at α = {a:g}") for a in LEVELS))
        return Table(columns, tuple(rows), f"Rejected hypotheses by their numbers ({self._about})")


_HYPOTHESIS = (Column("i", number=True), Column("hypothesis"))


def _numbers(rejected: BoolArray) -> str:
    """Write the numbers of the rejected rows, with ranges: ``: 1–3, 5``."""
    found = np.flatnonzero(rejected) + 1
    if not len(found):
        return ""
    runs = np.split(found, np.flatnonzero(np.diff(found) > 1) + 1)
    return ": " + ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def _chunks(count: int) -> list[range]:
    """Divide columns into tables of about equal width."""
    n_tables = -(-count // _MOST_COLUMNS)
    edges = np.linspace(0, count, n_tables + 1).round().astype(int).tolist()
    return [range(start, stop) for start, stop in itertools.pairwise(edges)]
