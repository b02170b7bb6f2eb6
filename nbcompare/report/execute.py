"""Compute what the cells of a report's notebook show, in this process and once."""

from __future__ import annotations

import importlib
import warnings
from base64 import b64encode
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbcompare._display import USUAL, set_options
from nbcompare._render import markdown
from nbcompare._validation import clean_label

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from nbcompare.report.notebook.plan import Plan, Section

_LONGEST_MESSAGE = 500  # characters of an exception
# Exceptions whose messages are sentences about the data or the options
_SENTENCES = (ValueError, TypeError, ImportError, OSError)


class ReportError(RuntimeError):
    """Raised if a report cannot be made; the message names the part or file, and the reason."""


class IncompleteReportError(ReportError):
    """Raised after a report was written without some sections or formats; the message names them.

    Attributes
    ----------
    written : tuple of Path
        The files that were written.
    """

    def __init__(self, message: str, written: tuple[Path, ...] = ()) -> None:
        super().__init__(message)
        self.written = written


def compute(
    sections: Iterable[Section],
    plan: Plan,
    *,
    hidden: Collection[str] = (),
    on_cell: Callable[[], object] = lambda: None,
) -> tuple[list[list[NotebookNode]], list[str]]:
    """Compute what the cells of the sections show, from the results that the plan has already.

    The notebook has the code that gives the same results from the data; what it shows is made here,
    so that every result of a report is computed once.

    Parameters
    ----------
    sections : iterable of Section
        The sections of the report, of which those with code have a cell.
    plan : Plan
        The plan of the variables that they need.
    hidden : collection of str
        Types of pictures, such as ``image/png``, that need not be drawn.
    on_cell : callable
        Called when a cell is done.

    Returns
    -------
    outputs : list of list of NotebookNode
        The outputs of each cell. A part that failed is a note in its place.
    failures : list of str
        A sentence on each part that failed.

    Raises
    ------
    ReportError
        If every part fails.
    """
    from nbformat import v4

    # in a notebook, `display` shows several objects of one cell
    known: dict[str, Any] = {
        "nbc": importlib.import_module("nbcompare"),
        "display": lambda *several: several,
    }
    outputs: list[list[NotebookNode]] = []
    failures: list[str] = []
    heading = ""
    with _undecorated():
        for part in sections:
            heading = part.heading or heading
            if not part.code:
                continue
            try:
                values = {name: plan.value(name) for name in part.needs}
                shown = eval(part.code, known, values)
                bundles = [_bundle(each, hidden) for each in _each(shown)]
            except Exception as error:
                what, note = _note(part.code, error)
                bundles = [(note, {})]
                failures.append(f"{heading}: {what}" if heading else what)
            outputs.append(
                [v4.new_output("display_data", each[0], metadata=each[1]) for each in bundles]
            )
            on_cell()
    if outputs and len(failures) == len(outputs):
        raise ReportError(failures[0])
    return outputs, failures


def _each(shown: Any) -> tuple[Any, ...]:
    return shown if isinstance(shown, tuple) else (shown,)


@contextmanager
def _undecorated() -> Iterator[None]:
    """Draw as in a new process: the styles of the caller's own figures are none of a report's."""
    import matplotlib as mpl

    usual = {key: value for key, value in mpl.rcParamsOrig.items() if "backend" not in key}
    # what is to be said stands in notes: a report shows no warnings of a library
    with set_options(theme=USUAL.theme), mpl.rc_context(usual), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _bundle(shown: Any, hidden: Collection[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what an object shows, as a notebook keeps it."""
    made = shown._repr_mimebundle_(exclude=hidden)
    data, about = made if isinstance(made, tuple) else (made, {})
    kept = {
        kind: b64encode(value).decode() if isinstance(value, bytes) else value
        for kind, value in data.items()
    }
    return kept, about


def _note(code: str, error: Exception) -> tuple[str, dict[str, str]]:
    """Return a sentence for the caller on a part that failed, and the note in its place."""
    reason = _reason(error)
    what, done = ("figure", "drawn") if code.startswith("nbc.plots.") else ("part", "computed")
    failed = f"could not be {done}."
    missing = f"This {what} is missing: it {failed}"
    return f"this {what} {failed} {reason}", {
        "text/markdown": f"> **{missing}** {markdown.escape(reason)}",
        "text/plain": f"{missing} {reason}",
    }


def _reason(error: Exception) -> str:
    """Say in a sentence why a part failed: mistakes in the data say it themselves."""
    text = clean_label(str(error))
    if len(text) > _LONGEST_MESSAGE:
        text = f"{text[: _LONGEST_MESSAGE - 1]}…"
    if not isinstance(error, _SENTENCES) or not text:
        name = type(error).__name__
        text = f"an error in the program ({name}{': ' if text else ''}{text.rstrip('.')})"
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
