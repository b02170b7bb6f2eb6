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
from nbcompare._tables import read as read_table
from nbcompare._validation import DataError, check_choice
from nbcompare.formats import (
    arrays,
    documents,
    evaluations,
    folder,
    retrieval,
    samples,
    stable_baselines,
    tables,
    verdicts,
)
from nbcompare.formats.folder import is_pattern
from nbcompare.formats.given import Format, Given, Imported

_TEXT = (".csv", ".txt", ".tsv", ".tab")
_JSON, _ARFF, _KEEL = (".json",), (".arff",), (tables.PREDICTIONS, tables.REPORT)
_LINES = (*_JSON, ".jsonl")
_WEB, _MARKDOWN, _ARRAYS = (".html", ".htm"), (".md", ".markdown"), (".npy", ".npz")
_BENCHMARKS = "pytest-benchmark"

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        # before the results beside them, which say less
        "lm-eval-samples": Format(
            "lm-evaluation-harness's logs of answers",
            evaluations.read_samples,
            (".jsonl",),
            evaluations.SAMPLES,
            True,
        ),
        "lm-eval": Format(
            "lm-evaluation-harness", evaluations.read_lm_eval, _JSON, evaluations.LM_EVAL, True
        ),
        "mteb": Format("MTEB", evaluations.read_mteb, _JSON, evaluations.MTEB, True),
        "trec": Format(
            "trec_eval or ir_measures", retrieval.read, retrieval.SUFFIXES, retrieval.SIGN, True
        ),
        "programs": Format(
            "HumanEval or EvalPlus", samples.read_programs, _LINES, samples.PROGRAMS, True
        ),
        "mt-bench": Format("MT-bench", samples.read_grades, _LINES, samples.GRADES),
        "verdicts": Format("verdicts of judges", verdicts.read, (*_TEXT, *_LINES), verdicts.SIGN),
        "opencompass": Format("OpenCompass", tables.read_opencompass, _TEXT, tables.OPENCOMPASS),
        "hyperfine": Format(
            "hyperfine", evaluations.read_hyperfine, _JSON, evaluations.HYPERFINE, True
        ),
        _BENCHMARKS: Format(_BENCHMARKS, evaluations.read_pytest, _JSON, evaluations.PYTEST, True),
        "aslib": Format("ASlib", tables.read_aslib, _ARFF, tables.OF_ASLIB, True),
        "weka": Format("Weka", tables.read_weka, (*_ARFF, *_TEXT), tables.OF_WEKA),
        "arff": Format("ARFF", tables.read_arff, _ARFF, tables.OF_ANY),
        "keel": Format("KEEL", tables.read_keel, _KEEL, tables.KEEL, True),
        "jmetal": Format("jMetal", tables.read_jmetal, _TEXT, tables.JMETAL),
        "wandb": Format("Weights & Biases", tables.read_wandb, _TEXT, tables.WANDB),
        "mlflow": Format("MLflow", tables.read_mlflow, _TEXT, tables.MLFLOW),
        "optuna": Format("Optuna", tables.read_optuna, _TEXT, tables.OPTUNA),
        "stable-baselines3": Format(
            "Stable-Baselines3",
            stable_baselines.read,
            stable_baselines.SUFFIXES,
            stable_baselines.SIGN,
        ),
        "numpy": Format("NumPy", arrays.read, _ARRAYS, r"\A(\x93NUMPY|PK\x03\x04)"),
        "markdown": Format("Markdown", documents.read_markdown, _MARKDOWN, r"\|"),
        "latex": Format("LaTeX", documents.read_latex, (".tex",), r"\\begin\{"),
        "html": Format("HTML", documents.read_html, _WEB, r"<"),
        "folder": Format(
            "tables in a folder", lambda given: folder.read(given, _of_file), has_folders=True
        ),
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
    if is_pattern(path):
        return "folder"
    if not path.exists():
        return None
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


def _of_file(path: Path, text: TextFormat) -> Imported:
    """Return the table in one of several files."""
    word = recognised(path)
    return imported(path, word, text) if word else Imported(read_table(path, text=text), {})


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
    names = None if algorithms is None else tuple(algorithms)
    try:
        made = chosen.importer(Given(path, text, names))
    except RecursionError:
        raise DataError(f"{path.name} nests its lists or objects too deeply.") from None
    if not made.table.n_rows:
        raise DataError(f"{path.name} holds no results of {chosen.label}.")
    return made


def label(format: str, path: Path) -> str:
    """Return what the format of a file, folder or pattern is called in sentences."""
    return "tables in the files of a pattern" if is_pattern(path) else FORMATS[format].label
