"""Verify a report: recompute its results, and compare its text with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from nbcompare import datasets
from nbcompare._options import MAXIMIZE, MINIMIZE
from nbcompare._render import plural
from nbcompare._validation import DirectionError, because, clean_label
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.notebook.source import Data
from nbcompare.report.notebook.standard import check_experiments
from nbcompare.report.verification.read import read_report
from nbcompare.report.verification.recompute import (
    BROKEN,
    Check,
    Verification,
    check_result,
    source_of,
)
from nbcompare.results import Result, from_json

__all__ = ["verify"]


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

    Every result embedded in the report is recomputed from the data with the options that it
    records. Its fields are compared (numbers to 1e-9 of their size), and the text of every display
    of it with a fresh rendering. An HTML page also says whether it is as it was exported. Of a PDF,
    only the attached results are recomputed; of a notebook, the outputs that show results. Nothing
    in the file is run.

    Parameters
    ----------
    page : str or Path
        A report written by nbcompare, or by its exporters for nbconvert: HTML, PDF or a notebook.
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
        ``holds``, ``checks``, ``all_problems`` and ``is_whole``; displays itself. If a
        result was computed with another version of nbcompare, a remark says so, and its wording may
        differ; its numbers may not. The name of the measure is compared only if the data have
        one.

    Raises
    ------
    ValueError
        If the report holds no results, or cannot be read, or if the data that
        the results need are not given.
    OSError
        If a file cannot be read.
    MemoryError
        If there is not enough memory to read the report.
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
    The report holds: 1 result agrees with what was recomputed, and 1 display with the results.
    Comparison: under "Notebook", the display of section 'ranks' reads 'C4.5+m 1.000', recomputed
    'C4.5+m 2.000'
    """
    try:
        report = read_report(Path(page))
    except MemoryError:
        raise MemoryError("there is not enough memory to read `page`.") from None
    if example is not None:
        data, histories = _with_example(example, data, histories)
    results = {digest: _read(document) for digest, document in report.results.items()}
    known = [result for result in results.values() if isinstance(result, Result)]
    given: dict[str | None, Mapping[str, Data]] = {
        None: {},
        "data": _loaded(Experiment, data, reading, "data", known),
        "histories": _loaded(Histories, histories, history_reading, "histories", known),
    }
    checks: list[Check] = []
    for (digest, result), name in zip(results.items(), _names(results.values()), strict=True):
        displays = [one for one in report.displays if one.digest == digest]
        if isinstance(result, str):
            checks.append(Check(name, "cannot be read", len(displays), (result,), ()))
        else:
            source = _of_measure(given[source_of(result)], result)
            checks.append(check_result(name, result, source, displays))
    notes = [
        note.text
        for kind, source in (("data", data), ("histories", histories))
        if isinstance(source, str | Path)
        for one in given[kind].values()
        for note in getattr(one, "notes", ())
    ]
    return Verification(tuple(checks), tuple(map(clean_label, notes)), report.is_whole)


def _read(document: object) -> Result | str:
    """Read an embedded result; return the reason if that is not possible."""
    try:
        return from_json(json.dumps(document))
    except BROKEN as error:
        return f"the embedded result cannot be read{because(error)}"


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
) -> Mapping[str, Data]:
    """Return the data by measure, which are read if a file is given; raise if they are missing."""
    needing = [result for result in results if source_of(result) == name]
    if source is None:
        if not needing:
            return {}
        raise ValueError(
            f"`{name}` must be given, or the bundled example named, because results of the report "
            f"were computed from {'scores' if name == 'data' else 'histories'}: "
            f"{plural(len(needing), 'result')}."
        )
    if isinstance(source, Mapping) and kind is Experiment:
        return check_experiments(source)
    if not isinstance(source, kind | str | Path):
        noun = f"{'an' if kind is Experiment else 'a'} {kind.__name__}"
        raise TypeError(f"`{name}` must be {noun} or a path; got {type(source).__name__}.")
    if isinstance(source, kind):
        return {"": source}
    options = dict(reading or {})
    said: Any = _directions(needing)
    read: Any = kind.read
    if kind is Experiment and options.get("measures") is not None:
        read = Experiment.read_measures
        said = {str(result.design.measure): result.design.direction for result in needing}
        said[None] = needing[0].design.direction if needing else None
    made: Any = None
    if "direction" not in options and needing:
        with suppress(DirectionError):  # a column of the file says what is better
            made = read(source, **options, direction=said)
    made = read(source, **options) if made is None else made
    return made if isinstance(made, Mapping) else {"": made}


def _with_example(name: str, data: Any, histories: Any) -> tuple[Any, Any]:
    """Return the sources, of which one is a bundled example."""
    loaded = datasets.load(name)
    kind = "histories" if isinstance(loaded, Histories) else "data"
    if (histories if kind == "histories" else data) is not None:
        raise ValueError(f"give either `{kind}` or example={name!r}; got both.")
    return (data, loaded) if kind == "histories" else (loaded, histories)


def _of_measure(data: Mapping[str, Data], result: Result) -> Data | None:
    """Return the data of the measure of a result, else the first ones."""
    measure = result.design.measure
    same = (one for name, one in data.items() if measure in (name, one.measure))
    return next(same, next(iter(data.values()), None))


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
