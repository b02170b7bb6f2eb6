"""What a page says of its results as a whole: the line under the title, methods to paste."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence

from nbcompare._options import nouns_of
from nbcompare._render import latex, plural
from nbcompare.results import Design
from nbcompare.words import literature_of

__all__ = ["about_data", "citing"]

_PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.DOTALL)
_REFERENCE = re.compile(r"<li>\[(\d+)\] (.*?)</li>", re.DOTALL)
_CITED = r"(?: \[(?P<numbers>\d+(?:, \d+)*)\])"


def about_data(designs: Iterable[Design], noun: str = "data set") -> str:
    """Describe the data of a page, such as ``14 data sets × 4 algorithms · AUC, higher is better``.

    Parameters
    ----------
    designs : iterable of Design
        Those of the results on the page.
    noun : str
        What their data sets are called.

    Returns
    -------
    str
        Empty if there are none, or if they are not about the same data: some results may be of a
        part of the data sets and algorithms of another one.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> data = nbc.datasets.load("demsar2006")
    >>> about_data([nbc.compare(data).design, nbc.compare_pair(data, "C4.5", "C4.5+m").design])
    '14 data sets × 4 algorithms · AUC, higher is better'
    """
    known = list(designs)
    if not known:
        return ""
    largest = max(known, key=lambda design: (len(_datasets(design)), len(design.algorithms)))
    if not all(_is_part(design, largest) for design in known):
        return ""
    if largest.unit == "items":
        noun, _ = nouns_of(largest.unit)
    n_datasets = max(len(_datasets(largest)), largest.n_datasets)
    sizes = [plural(n_datasets, noun), plural(len(largest.algorithms), "algorithm")]
    sizes += [plural(*part) for part in largest.repeated]
    measured = ", ".join(filter(None, (largest.measure, largest.better)))
    return " · ".join(filter(None, (" × ".join(sizes), measured)))


def _datasets(design: Design) -> frozenset[str]:
    return frozenset((*design.datasets, *design.left_out))


def _is_part(design: Design, whole: Design) -> bool:
    return (
        _datasets(design) <= _datasets(whole)
        and set(design.algorithms) <= set(whole.algorithms)
        and (design.measure, design.direction) == (whole.measure, whole.direction)
    )


def citing(displays: Sequence[str], names: Iterable[str]) -> str:
    r"""Write paragraphs on methods in LaTeX, with the keys of their references.

    Parameters
    ----------
    displays : sequence of str
        HTML of what the sections ``methods`` of results show: paragraphs with numbers in brackets,
        and lists of the references with these numbers.
    names : iterable of str
        Names in the paragraphs, in which numbers in brackets are no references.

    Returns
    -------
    str
        Paragraphs with ``\cite`` and the keys of :meth:`Result.to_bibtex`; a number without a
        reference stays as it is.

    Examples
    --------
    >>> citing(["<p>By a test [1] of A [1].</p><li>[1] Wilcoxon, F. (1945). Individual comparisons "
    ...         "by ranking methods. Biometrics Bulletin 1, 80–83.</li>"], ["A [1]"])
    'By a test~\\cite{wilcoxon1945} of A [1].'
    """
    keys = {
        number: key
        for display in displays
        for number, text in _REFERENCE.findall(display)
        for key in _keys(html.unescape(text))
    }
    texts = [html.unescape(text) for display in displays for text in _PARAGRAPH.findall(display)]
    odd = sorted(
        (name for name in set(names) if re.search(_CITED, f" {name}")), key=len, reverse=True
    )
    piece = re.compile("|".join([*(f" ?{re.escape(name)}" for name in odd), _CITED]))
    return "\n\n".join(_with_keys(text, piece, keys) for text in texts)


def _with_keys(text: str, piece: re.Pattern[str], keys: Mapping[str, str]) -> str:
    written, end = [], 0
    for match in piece.finditer(text):
        cited = [keys.get(number) for number in (match["numbers"] or "").split(", ")]
        if None not in cited:
            written += [
                latex.escape(text[end : match.start()]),
                f"~\\cite{{{','.join(filter(None, cited))}}}",
            ]
            end = match.end()
    return "".join([*written, latex.escape(text[end:])])


def _keys(text: str) -> tuple[str, ...]:
    try:
        return tuple(literature_of([text]))
    except KeyError:  # of another version, or written by somebody
        return ()
