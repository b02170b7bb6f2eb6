"""Verify a report: recompute its results, and compare its text with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from nbcompare import datasets
from nbcompare._options import MAXIMIZE, MINIMIZE
from nbcompare._render import plural
from nbcompare._validation import DirectionError, clean_label
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.notebook.source import Data
from nbcompare.report.notebook.standard import check_experiments
from nbcompare.report.verification.compare import BROKEN, Checker, RestOfPage
from nbcompare.report.verification.outcome import Check, Verification
from nbcompare.report.verification.page import read_page
from nbcompare.report.verification.pdf import read_pdf
from nbcompare.report.verification.recompute import part_used, source_of
from nbcompare.results import Result, from_json

__all__ = ["verify"]

_LARGEST = 2**28  # bytes; pictures make pages of some megabytes


def verify(
    page: str | Path,
    *,
    data: Experiment | Mapping[str, Experiment] | str | Path | None = None,
    histories: Histories | str | Path | None = None,
    reading: Mapping[str, Any] | None = None,
    history_reading: Mapping[str, Any] | None = None,
    example: str | None = None,
) -> Verification:
    """Recompute the results of a report, and compare them with what it shows.

    Every result embedded in the page is recomputed from the data with the options that it records.
    Its fields are compared (numbers to 1e-9 of their size); then every display of it is compared
    with a fresh rendering: text, elements and attributes. Nothing else on the page may change how a
    display looks. Everything else is compared with the digests that the page holds since its
    export. Of a PDF, the attached results are recomputed, and its pages are compared with their
    digests alone.

    Parameters
    ----------
    page : str or Path
        A report written by nbcompare, or by its exporters for nbconvert: HTML, or a PDF.
    data : Experiment, mapping of str to Experiment, str or Path, optional
        The scores, those of several measures, or a file of them. Rows and columns may be in any
        order.
    histories : Histories, str or Path, optional
        The logs of runs, for results on convergence.
    reading, history_reading : mapping, optional
        Arguments of :meth:`Experiment.read` (of :meth:`Experiment.read_measures`, if one of them
        is ``measures``) and :meth:`Histories.read` for files. Whether
        high or low scores are better is taken from the report unless it is given.
    example : str, optional
        The name of a bundled example, whose scores or logs are taken.

    Returns
    -------
    Verification
        ``holds``, ``checks``, ``all_problems``, ``changed`` and ``unchecked``; displays itself. If
        a result was computed with another version of nbcompare, a remark says so, and its wording
        may differ; its numbers may not. Pictures, and text that nbcompare did not write, are
        compared with digests, which do not help against somebody who recomputes them; the name of
        the measure is compared only if the data have one. A script or a style sheet that is
        not from a template of nbcompare, such as plotly's, may change what a reader sees: such a
        page is not said to differ, but it is not said to hold either.

    Raises
    ------
    ValueError
        If the page holds no results, or is not a report for another reason, or if the data that
        the results need are not given.
    OSError
        If a file cannot be read.
    MemoryError
        If there is not enough memory to read the page.
    ImportError
        If a PDF is given, and pypdf is not installed.

    Examples
    --------
    A page with one table, in which a number was changed:

    >>> import tempfile
    >>> from pathlib import Path
    >>> import nbformat.v4 as notebook
    >>> import nbcompare as nbc
    >>> from nbcompare.report.exporters import ReportHTMLExporter
    >>> data = nbc.datasets.load("demsar2006")
    >>> ranks = nbc.compare(data).section("ranks")
    >>> output = notebook.new_output("display_data", ranks._repr_mimebundle_())
    >>> cells = [notebook.new_code_cell("nbc.compare(data)", outputs=[output])]
    >>> page, _ = ReportHTMLExporter().from_notebook_node(notebook.new_notebook(cells=cells))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "report.html"
    ...     _ = path.write_text(page, "utf-8")
    ...     print(verify(path, data=data).sentences[0])
    ...     _ = path.write_text(page.replace("2.000", "1.000"), "utf-8")
    ...     print(verify(path, data=data).all_problems[0])
    The report holds: 1 result and 1 display agree with what was recomputed.
    Comparison: under "Notebook", the display of section 'ranks': row 2, column 2 ('average rank')
    reads '1.000', recomputed '2.000'
    """
    try:
        read = _content_of(page)
        content = read_pdf(read) if isinstance(read, bytes) else read_page(read)
    except MemoryError:
        raise MemoryError("there is not enough memory to read `page`.") from None
    if example is not None:
        data, histories = _with_example(example, data, histories)
    results = {digest: _read(document) for digest, document in content.results.items()}
    known = [result for result in results.values() if isinstance(result, Result)]
    given: dict[str | None, Data | Mapping[str, Experiment] | None] = {
        None: None,
        "data": _loaded(Experiment, data, reading, "data", known),
        "histories": _loaded(Histories, histories, history_reading, "histories", known),
    }
    checks: list[Check] = []
    parts: list[Data] = []
    again: list[Result] = []
    for (digest, result), name in zip(results.items(), _names(results.values()), strict=True):
        displays = [one for one in content.displays if one.digest == digest]
        if isinstance(result, str):
            checks.append(Check(name, digest, len(displays), (result,), ()))
            continue
        source = given[source_of(result)]
        if isinstance(source, Mapping):
            source = _of_measure(source, result)
        checker = Checker(result, digest, source)
        checks.append(checker.check(name, displays))
        again.append(checker.again or result)
        if checker.part is not None:
            parts.append(checker.part)
    whole = [
        data
        for source in given.values()
        for data in (source.values() if isinstance(source, Mapping) else [source])
        if data is not None
    ]
    rest = RestOfPage(content, again, parts, whole)
    since = content.changes
    return Verification(
        tuple(checks),
        tuple(map(clean_label, rest.problems())),
        tuple(map(clean_label, (*rest.remarks(), *_notes_of(given, (data, histories))))),
        tuple(map(clean_label, content.unchecked)),
        tuple(map(clean_label, since.told)) if since is not None else (),
        since.unchanged if since is not None else "",
    )


def _notes_of(given: Mapping[str | None, object], sources: Iterable[object]) -> Iterator[str]:
    """Yield notes on how the files of the data were understood."""
    for data, source in zip((given["data"], given["histories"]), sources, strict=True):
        if isinstance(source, str | Path):
            for each in data.values() if isinstance(data, Mapping) else [data]:
                yield from (note.text for note in getattr(each, "notes", ()))


def _content_of(page: str | Path) -> str | bytes:
    """Return the text of a page, or the bytes of a PDF."""
    path = Path(page)
    if path.suffix.lower() == ".ipynb":
        raise ValueError(
            f"`page` must be an HTML report or a PDF; got {path.name}. Export it first."
        )
    size = path.stat().st_size
    if size > _LARGEST:
        raise ValueError(
            f"`page` must be a report of at most {_LARGEST >> 20} MiB; got {path.name} of "
            f"{size >> 20} MiB."
        )
    read = path.read_bytes()
    if read.startswith(b"%PDF-"):
        return read
    try:
        return read.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ValueError(f"`page` must be an HTML report in UTF-8; {path.name} is not.") from None


def _read(document: object) -> Result | str:
    """Read an embedded result; return the reason if that is not possible."""
    try:
        return from_json(json.dumps(document))
    except BROKEN as error:
        return f"the embedded result cannot be read: {error}"


def _names(results: Iterable[Result | str]) -> list[str]:
    """Name the results by their classes, numbered where there are several."""
    kinds = ["result" if isinstance(one, str) else type(one).__name__ for one in results]
    return [
        kind if kinds.count(kind) == 1 else f"{kind} {kinds[: place + 1].count(kind)}"
        for place, kind in enumerate(kinds)
    ]


def _loaded(
    kind: type[Data],
    source: object,
    reading: Mapping[str, Any] | None,
    name: str,
    results: Iterable[Result],
) -> Data | Mapping[str, Experiment] | None:
    """Return the data, which are read if a file is given; raise if they are needed and missing."""
    needing = [result for result in results if source_of(result) == name]
    if source is None:
        if needing:
            raise ValueError(
                f"`{name}` must be given: {plural(len(needing), 'result')} of the report "
                f"{'was' if len(needing) == 1 else 'were'} computed from "
                f"{'scores' if name == 'data' else 'histories'}.{_example_of(needing)}"
            )
        return None
    if isinstance(source, kind):
        return source
    if isinstance(source, Mapping) and kind is Experiment:
        return check_experiments(source)
    if not isinstance(source, str | Path):
        noun = f"{'an' if kind is Experiment else 'a'} {kind.__name__}"
        raise TypeError(f"`{name}` must be {noun} or a path; got {type(source).__name__}.")
    options = dict(reading or {})
    said: Any = _directions(needing)
    read: Any = kind.read
    if kind is Experiment and options.get("measures") is not None:
        read = Experiment.read_measures
        said = {str(result.design.measure): result.design.direction for result in needing}
        said[None] = needing[0].design.direction if needing else None
    made: Data | Mapping[str, Experiment]
    if "direction" in options or not needing:
        made = read(source, **options)
        return made
    try:
        made = read(source, **options, direction=said)
    except DirectionError:  # a column of the file says what is better
        made = read(source, **options)
    return made


def _with_example(name: str, data: Any, histories: Any) -> tuple[Any, Any]:
    """Return the sources, of which one is a bundled example."""
    loaded = datasets.load(name)
    kind = "histories" if isinstance(loaded, Histories) else "data"
    if (histories if kind == "histories" else data) is not None:
        raise ValueError(f"give either `{kind}` or example={name!r}; got both.")
    return (data, loaded) if kind == "histories" else (loaded, histories)


def _example_of(results: Iterable[Result]) -> str:
    """Say which bundled example the results were computed from, if it is one."""
    for result in results:
        kind = "histories" if source_of(result) == "histories" else "experiment"
        for name in datasets.names(kind):
            try:
                part = part_used(datasets.load(name), result.design)
            except ValueError:  # other algorithms or data sets
                continue
            if part.fingerprint == result.design.fingerprint:
                return f" They are those of a bundled example: example={name!r}."
    return ""


def _of_measure(data: Mapping[str, Experiment], result: Result) -> Experiment:
    """Return the experiment of the measure of a result, else of its data."""
    design = result.design
    for name, experiment in data.items():
        if design.measure in (name, experiment.measure):
            return experiment
    return next(iter(data.values()))


def _directions(results: Iterable[Result]) -> str | dict[str | None, str]:
    """Return the direction that results record, by data set if it differs."""
    ways: dict[str | None, str] = {}
    usual = ""
    for result in results:
        design = result.design
        usual = usual or design.direction or ""
        higher = design.gain_signs > 0
        ways |= {
            name: MAXIMIZE if high else MINIMIZE
            for name, high in zip(design.datasets, higher, strict=True)
        }
    others: dict[str | None, str] = {name: way for name, way in ways.items() if way != usual}
    return {**others, None: usual} if others else usual
