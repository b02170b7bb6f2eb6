"""Formats of programs that people evaluate with: each becomes a table, and what it knows of it.

A reader knows splits, states and directions of its format, and nothing else; it never guesses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from nbcompare._tables import PLAIN, TextFormat, checked_file, files_under
from nbcompare._validation import DataError, check_choice
from nbcompare.formats import (
    arff_tables,
    arrays,
    folder,
    html,
    keel,
    latex,
    lm_eval,
    markdown,
    mteb,
    run_tables,
    timings,
)
from nbcompare.formats.given import Format, Imported

__all__ = ["FORMATS", "Format", "Imported", "imported", "label", "pasted", "recognised"]

_TEXT = (".csv", ".txt", ".tsv", ".tab")
_JSON, _ARFF, _KEEL = (".json",), (".arff",), (keel.PREDICTIONS, keel.REPORT)
_WEB, _MARKDOWN, _ARRAYS = (".html", ".htm"), (".md", ".markdown"), (".npy", ".npz")
_BENCHMARKS = "pytest-benchmark"

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "lm-eval": Format("lm-evaluation-harness", lm_eval.read, _JSON, lm_eval.SIGN, True),
        "lm-eval-samples": Format(
            "lm-evaluation-harness's logs of answers",
            lm_eval.read_samples,
            (".jsonl",),
            lm_eval.SAMPLES,
            True,
        ),
        "mteb": Format("MTEB", mteb.read, _JSON, mteb.SIGN, True),
        "hyperfine": Format("hyperfine", timings.read_hyperfine, _JSON, timings.HYPERFINE, True),
        _BENCHMARKS: Format(_BENCHMARKS, timings.read_pytest, _JSON, timings.PYTEST, True),
        "aslib": Format("ASlib", arff_tables.read_aslib, _ARFF, arff_tables.OF_ASLIB, True),
        "weka": Format("Weka", arff_tables.read_weka, (*_ARFF, *_TEXT), arff_tables.OF_WEKA),
        "arff": Format("ARFF", arff_tables.read, _ARFF, arff_tables.OF_ANY),
        "keel": Format("KEEL", keel.read, _KEEL, keel.SIGN, True),
        "jmetal": Format("jMetal", run_tables.read_jmetal, _TEXT, run_tables.JMETAL),
        "wandb": Format("Weights & Biases", run_tables.read_wandb, _TEXT, run_tables.WANDB),
        "mlflow": Format("MLflow", run_tables.read_mlflow, _TEXT, run_tables.MLFLOW),
        "optuna": Format("Optuna", run_tables.read_optuna, _TEXT, run_tables.OPTUNA),
        "numpy": Format("NumPy", arrays.read, _ARRAYS, r"\A(\x93NUMPY|PK\x03\x04)"),
        "markdown": Format("Markdown", markdown.read, _MARKDOWN, r"\|"),
        "latex": Format("LaTeX", latex.read, (".tex",), r"\\begin\{"),
        "html": Format("HTML", html.read, _WEB, r"<"),
        "folder": Format("tables in a folder", folder.read, has_folders=True),
    }
)
_PASTED = {
    "html": r"<t(able|r)\b",
    "latex": r"\\begin\{tabular",
    "markdown": r"^.*\|.*\n(?=.*\|)(?=.*-)[|:\- \t]+$",
}
_HEAD = 2**13  # bytes that tell the format of a file
_MOST_FILES = 1000  # among which one tells that of a folder


def recognised(path: Path) -> str | None:
    """Return the word for the format of a file or folder, None unless it is unmistakable."""
    if not path.exists():
        return "folder" if "{" in path.name and "}" in str(path) else None
    if path.is_dir():
        found = {recognised(file) for file in islice(files_under(path), _MOST_FILES)}
        folders = (word for word, one in FORMATS.items() if one.has_folders)
        return next((word for word in folders if word in found), None)
    suffix = path.suffix.lower()
    likely = {word: one for word, one in FORMATS.items() if suffix in one.suffixes}
    if not likely:
        return None
    try:
        checked_file(path)
    except DataError:  # who reads the file says what is wrong with it
        return None
    with path.open("rb") as stream:
        head = stream.read(_HEAD).removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    return next((word for word, one in likely.items() if re.search(one.sign, head)), None)


def pasted(text: str) -> str | None:
    r"""Return the word for the format of a table that was copied from a document, if it is one.

    Examples
    --------
    >>> pasted("| data | A | B |\n| --- | --- | --- |\n| iris | 0.9 | 0.8 |"), pasted("data,A,B")
    ('markdown', None)
    """
    head = text[:_HEAD]
    return next((word for word, sign in _PASTED.items() if re.search(sign, head, re.M)), None)


def imported(
    path: Path,
    format: str,
    text: TextFormat = PLAIN,
    *,
    algorithms: Sequence[str] | None = None,
) -> Imported:
    """Read a file or folder of a format.

    Parameters
    ----------
    path : Path
        A file, or a folder where the format has folders; of ``folder``, also a pattern.
    format : str
        One of ``FORMATS``.
    text : TextFormat
        How text is written.
    algorithms : sequence of str, optional
        Names for arrays that have none.

    Raises
    ------
    DataError
        If the file is damaged or of another format.
    ValueError
        If there is no such format.
    FileNotFoundError, IsADirectoryError
        If there is no such file.
    """
    chosen = FORMATS[check_choice(format, "format", list(FORMATS))]
    if not path.exists() and format != "folder":
        raise FileNotFoundError(f"`path` must name a file; there is no {str(path)!r}.")
    if path.is_dir() and not chosen.has_folders:
        raise IsADirectoryError(f"`path` must name a file; {str(path)!r} is a directory.")
    try:
        return chosen.read(path, text, algorithms)
    except RecursionError:
        raise DataError(f"{path.name} nests its lists or objects too deeply.") from None


def label(format: str) -> str:
    """Return what a format is called in sentences."""
    return FORMATS[format].label
