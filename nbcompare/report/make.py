"""Export reports: compute what they show once, and write it in every format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbcompare._files import check_target, write_all
from nbcompare._progress import PATIENCE, bar_of
from nbcompare._render import plural
from nbcompare._render.parts import DRAWING
from nbcompare.report.execute import IncompleteReportError, compute
from nbcompare.report.outline import Outline, Planned

if TYPE_CHECKING:
    from nbformat import NotebookNode

_EXPORTERS = {
    ".html": "ReportHTMLExporter",
    ".ipynb": None,
    ".pdf": "ReportPDFExporter",
    ".tex": "ReportLatexExporter",
    ".bib": None,
}
FORMATS = tuple(_EXPORTERS)
# The pictures of a figure that each format shows
_VECTORS, _PIXELS, _PRINT = "image/svg+xml", "image/png", "application/pdf"
_PICTURES = {
    ".html": {DRAWING, _VECTORS, _PRINT},
    ".ipynb": {DRAWING, _VECTORS, _PIXELS, _PRINT},
    ".pdf": {_VECTORS},
    ".tex": {_VECTORS},
    ".bib": set[str](),
}
Files = dict[Path, str | bytes]
_FORMATS = f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}"


def export(
    outputs: Sequence[Path],
    report: Planned,
    *,
    on_step: Callable[[int, int], object] = lambda _done, _total: None,
) -> tuple[Path, ...]:
    """Make a report and write it to files, each whole or not at all.

    A section or a figure that fails leaves a note in its place, and a format that fails leaves the
    others; both are reported by an exception when all else has been written.

    Parameters
    ----------
    outputs : sequence of Path
        Each ends in .html (one page, no network needed), .ipynb (the notebook with its outputs),
        .pdf (tagged; needs ``nbcompare[pdf]``), .tex (its pictures are files beside it) or .bib
        (the literature).
    report : Report
        The report.
    on_step : callable
        Called with the number of steps that are done and the number of all steps.

    Returns
    -------
    tuple of Path
        The outputs, files of data that are too long for a cell of the notebook, and pictures.

    Raises
    ------
    ValueError
        For invalid options or data.
    IncompleteReportError
        If sections failed, or some of several outputs: after writing the rest.
    ReportError
        If no section could be made.
    ValueError, ImportError, OSError
        If no output can be written, for characters that the fonts of a PDF lack, a package that is
        not installed, or a folder without permission; existing files are then unchanged.
    """
    lacking = check_outputs(outputs)
    possible = [path for path in outputs if path not in lacking]
    with bar_of(desc="report", unit="step", delay=PATIENCE) as bar:
        steps = _Steps(bar, on_step)
        outline = report.outline
        plan, sections = outline.planned
        steps.reset(sum(bool(part.code) for part in sections) + len(possible))
        shown, failures = compute(sections, plan, hidden=_hidden(possible), on_cell=steps.update)
        made: dict[Path, Files] = {}
        failed: dict[Path, Exception] = {}
        for path in possible:
            try:
                made[path] = _files(outline, shown, path)
            except Exception as error:
                failed[path] = error
            steps.update()
        written, unwritten = _write(made)
    lacking |= failed | unwritten
    if not written:
        raise next(iter(lacking.values()))
    if failures or lacking:
        raise IncompleteReportError(_what_lacks(outputs, lacking, failures), tuple(written))
    return tuple(written)


def _files(outline: Outline, shown: Sequence[Sequence[NotebookNode]], path: Path) -> Files:
    """Return the contents of the files of an output, by path."""
    folder = path.resolve().parent
    exported = _exported(outline.with_outputs(folder, shown), path)
    files: Files = {path: exported.pop("")}
    for name, content in {**dict(outline.files_beside.values()), **exported}.items():
        check_target(path.with_name(name))
        files.setdefault(path.with_name(name), content)
    return files


def _write(made: Mapping[Path, Files]) -> tuple[list[Path], dict[Path, Exception]]:
    """Write the files of each output, all or none of them.

    Return the files that were written, and by output why it was not.
    """
    written: dict[Path, None] = {}
    failed: dict[Path, Exception] = {}
    for output, files in made.items():
        try:
            write_all(files)
        except OSError as error:
            failed[output] = error
        else:
            written |= dict.fromkeys(files)
    return list(written), failed


def _what_lacks(
    outputs: Sequence[Path], lacking: Mapping[Path, Exception], failures: Sequence[str]
) -> str:
    """Say which outputs were not written, and which sections are missing in those that were."""
    lines = []
    for path in outputs:
        if path in lacking:
            reason = str(lacking[path]).strip() or type(lacking[path]).__name__
            if isinstance(lacking[path], MemoryError):
                reason = "there is not enough memory."
            same = reason.startswith(f"cannot write {path}: ")
            lines.append(reason if same else f"cannot write {path}: {reason}")
    if failures:
        number = plural(len(failures), "part")
        lines.append(f"{number} of the report could not be made; a note says so in its place.")
        lines += failures
    return "\n".join(lines)


class _Steps:
    """A counter of steps, which updates a progress bar and calls a function."""

    def __init__(self, bar: Any, told: Callable[[int, int], object]) -> None:
        self._bar, self._told = bar, told
        self._done = self._total = 0

    def reset(self, total: int) -> None:
        self._done, self._total = 0, total
        self._bar.reset(total=total)
        self._told(0, total)

    def update(self) -> None:
        self._done += 1
        self._bar.update()
        self._told(self._done, self._total)


def check_outputs(outputs: Sequence[Path]) -> dict[Path, Exception]:
    """Return why an output cannot be written, by path; raise if that is so for all of them."""
    if not outputs:
        raise ValueError("give at least one file to write; got none.")
    for path in outputs:
        if path.suffix.lower() not in FORMATS:
            raise ValueError(f"the output must end in {_FORMATS}; got {path.name!r}.")
    for position, path in enumerate(outputs):
        if path.resolve() in [other.resolve() for other in outputs[:position]]:
            raise ValueError(f"every output must be a different file; got {str(path)!r} twice.")
    lacking: dict[Path, Exception] = {}
    for path in outputs:
        try:
            check_target(path)
            _check_extra(path.suffix.lower())
        except (OSError, ImportError) as error:
            lacking[path] = error
    if len(lacking) == len(outputs):
        raise lacking[outputs[0]]
    return lacking


def _check_extra(kind: str) -> None:
    if kind in (".pdf", ".tex"):
        from nbcompare.report.typst.compiler import check_extra

        check_extra()


def unavailable(kind: str) -> str:
    """Return why a format cannot be written, such as a missing package; empty if it can."""
    try:
        _check_extra(kind)
    except ImportError as error:
        return str(error)
    return ""


def _hidden(outputs: Sequence[Path]) -> set[str]:
    """Return the pictures of figures that none of the outputs shows."""
    shown = set[str]().union(*(_PICTURES[path.suffix.lower()] for path in outputs))
    return set().union(*_PICTURES.values()) - shown


def _exporter(output: Path) -> Any:
    """Return the class that exports to the format; None for a notebook or the literature."""
    from nbcompare.report import exporters

    name = _EXPORTERS[output.suffix.lower()]
    return None if name is None else getattr(exporters, name)


def _exported(notebook: NotebookNode, output: Path) -> dict[str, str | bytes]:
    """Export a notebook: the output under the name "", files beside it under their names."""
    exporter = _exporter(output)
    if output.suffix.lower() == ".bib":
        from nbcompare.report.page.embedded import bibliography

        return {"": bibliography(notebook)}
    if exporter is None:
        import nbformat

        return {"": str(nbformat.writes(notebook)) + "\n"}
    resources = {"metadata": {"name": output.stem, "path": str(output.resolve().parent)}}
    made, about = exporter().from_notebook_node(notebook, resources=resources)
    beside = about.get("outputs") or {} if output.suffix.lower() == ".tex" else {}
    files = {Path(name).name: data for name, data in beside.items()}
    return {"": made, **files}
