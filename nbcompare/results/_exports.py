"""A result as JSON and back, as tables for a paper, and what contradicts itself in it.

Notebook programs may change the order of keys, and write 1.0 as 1 and -0.0 as 0. So that
nothing is lost, a mapping is written as a list of pairs, and a value that JSON lacks as a string.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import types
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, NoReturn, Union, get_args, get_origin, get_type_hints

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._display import Options
from nbcompare._render import Part, Rich, Table, latex, markdown, typst
from nbcompare._validation import DataError, because, check_choice, one_line, shown
from nbcompare.results.labelled import Labelled

# Since schema 2, positive statistics and differences mean that the first is better; since schema 3,
# results say how p was computed and why the tests were chosen.
SCHEMA = 3
MIME_TYPE = "application/vnd.nbcompare.v1+json"
_FLOATS = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan, "-0.0": -0.0}
# Notebooks are edited in JavaScript, which has no larger exact whole numbers.
_LARGEST_INT = 2**53
# Array types are recognised by the names that fields use, not by their structure: they are
# generic aliases before NumPy 2.5 and type aliases since.
_ARRAYS: Mapping[Any, type] = types.MappingProxyType(
    {FloatArray: float, IntArray: int, BoolArray: bool}
)


def digest(document: Mapping[str, Any]) -> str:
    """Return a SHA-256 digest of a document that does not depend on the order of keys."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"sha256:{hashlib.sha256(text.encode('ascii')).hexdigest()}"


def parsed(text: object) -> Any:
    """Return the parsed JSON, without the extensions that Python accepts, such as NaN."""
    if not isinstance(text, str):
        raise TypeError(f"`text` must be a str, JSON of a result; got {type(text).__name__}.")
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"`text` must be JSON of a result{because(error)}.") from None


def _no_constant(name: str) -> NoReturn:
    raise DataError(f"{name} is not JSON")


# ------------------------------------------------------------------------------- writing


def written(value: Any, hint: Any) -> Any:
    """Return the value of a field of this type as JSON represents it."""
    if hint is Any:
        return _written_any(value)
    if _is_optional(hint):
        return None if value is None else written(value, _of_optional(hint))
    if isinstance(hint, type) and is_dataclass(hint):
        return {name: written(getattr(value, name), of) for name, of in _hints(hint).items()}
    if hint in _ARRAYS:
        plain, odd = value.tolist(), ~np.isfinite(value) | ((value == 0) & np.signbit(value))
        return _each(plain, _written_float) if odd.any() else plain
    origin, of = get_origin(hint), get_args(hint)
    if _is_mapping(origin):
        return [[name, written(item, of[-1])] for name, item in value.items()]
    if origin is tuple:
        return [written(item, of[0]) for item in value]
    return _written_float(float(value)) if hint is float else hint(value)


def _written_float(value: float) -> float | str:
    if math.isfinite(value) and (value or math.copysign(1.0, value) > 0):
        return value
    return next(name for name, known in _FLOATS.items() if repr(known) == repr(value))


def _written_any(value: Any) -> Any:
    """Return an option as JSON represents it: a word, a number, None, or several of these."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, tuple | list):
        return [_written_any(item) for item in value]
    if isinstance(value, int | np.integer):
        whole = int(value)
        return whole if abs(whole) <= _LARGEST_INT else {"int": str(whole)}
    if isinstance(value, float | np.floating):
        number = float(value)
        # 1.0 could be read back as 1, so whole floats are written as strings
        plain = math.isfinite(number) and not number.is_integer()
        return number if plain else {"float": repr(number)}
    raise TypeError(
        f"An option must be a word or a number to be written as JSON; got {shown(value)}."
    )


# ------------------------------------------------------------------------------- reading


_SPOILED = (
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip


def read(document: Any, kind: Any) -> Any:
    """Return the object that is written so; what :func:`written` would not write is refused.

    Fields with a default may be newer than the document.
    """
    where = kind.__name__
    try:
        found = _read(document, kind)
        where = _changed(document, written(found, kind), where)
    except _SPOILED:
        found = None
    if where:
        raise ValueError(
            f"`text` must hold a {kind.__name__} as to_json() writes it; {where} is missing, "
            "unknown or of another kind. Export it again."
        )
    return found


def _read(value: Any, hint: Any) -> Any:
    if hint is Any:
        return _read_any(value)
    if _is_optional(hint):
        return None if value is None else _read(value, _of_optional(hint))
    if isinstance(hint, type) and is_dataclass(hint):
        known = _hints(hint)
        return hint(**{name: _read(part, known[name]) for name, part in value.items()})
    if hint in _ARRAYS:
        return np.array(value, dtype=_ARRAYS[hint])  # which reads "Infinity", too
    origin, of = get_origin(hint), get_args(hint)
    if _is_mapping(origin):
        return Labelled((name, _read(item, of[-1])) for name, item in value)
    if origin is tuple:
        return tuple(_read(item, of[0]) for item in value)
    return hint(value)


def _read_any(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_read_any, value))
    if not isinstance(value, Mapping):
        return value
    ((kind, text),) = value.items()
    return {"int": int, "float": float}[kind](text)


def _changed(given: Any, known: Any, where: str) -> str:
    """Return the place in a document of what is not written so; nothing if all of it is."""
    if given == known:
        return ""
    if isinstance(given, Mapping) and isinstance(known, Mapping):
        parts = [(part, known.get(name), f".{name}") for name, part in given.items()]
    elif isinstance(given, list) and isinstance(known, list) and len(given) == len(known):
        parts = [(*pair, f"[{at}]") for at, pair in enumerate(zip(given, known, strict=True))]
    else:
        return where
    return next(filter(None, (_changed(one, two, where + at) for one, two, at in parts)), "")


# --------------------------------------------------------------------------------- types


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a dataclass by name, in order."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _is_optional(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType)


def _of_optional(hint: Any) -> Any:
    (kind,) = (part for part in get_args(hint) if part is not type(None))
    return kind


def _is_mapping(origin: Any) -> bool:
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _each(nested: Any, change: Any) -> Any:
    """Apply a function to every number of nested lists."""
    return [_each(item, change) for item in nested] if isinstance(nested, list) else change(nested)


_LEAST_P = 0.001  # in a paper
# Labels that both LaTeX and Typst accept
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9:._-]*[A-Za-z0-9])?", re.ASCII)


class ForPapers(Rich, ABC):
    """Mixin of classes with tables for a paper."""

    __slots__ = ()

    @abstractmethod
    def _for_paper(self, section: str | None) -> Sequence[Part]:
        """Return all tables in full, or all parts of a section."""

    def to_latex(
        self,
        section: str | None = None,
        *,
        booktabs: bool = True,
        caption: str | None = None,
        label: str | None = None,
        venue: str | None = None,
        siunitx: bool = False,
    ) -> str:
        r"""Return complete tables in LaTeX.

        Each table is a float; a table of more than 36 rows breaks over pages. Tables with many
        columns are set smaller, or split into several tables. Names are escaped, so that LaTeX
        prints them unchanged.

        Parameters
        ----------
        section : str, optional
            One of ``sections``; by default all tables that the result displays.
        booktabs : bool, default True
            Use the rules of the package booktabs, and the packages longtable and array where
            needed; a comment names the packages. False: use ``\hline`` and no package; a long
            table becomes several floats with one number.
        caption : str, optional
            Plain text that replaces the caption of the table; ``""`` for no caption.
        label : str, optional
            Label for ``\ref``, of letters, digits and ``:._-``.
        venue : {"ieee", "acm", "lncs", "elsevier"}, optional
            Fit each table to a column of the class IEEEtran, acmart (sigconf), llncs or elsarticle
            (5p), or to the page if it is wider, and give smaller p-values as below 0.001. A
            long table becomes several floats with one number.
        siunitx : bool, default False
            Align numbers at their decimal points with the package siunitx, instead of right.

        Returns
        -------
        str
            Source for pdfLaTeX, XeLaTeX or LuaLaTeX since 2020, in UTF-8. Characters that
            pdfLaTeX lacks, such as Chinese ones and emoji, are kept, and comments at the top
            name them: they need XeLaTeX or LuaLaTeX, or a declaration.

        Raises
        ------
        ValueError
            If there is no such section; if ``caption`` or ``label`` is given and there is not
            exactly one table; or if ``label`` has other characters, or the table has no
            caption, whose number ``label`` refers to.

        Examples
        --------
        >>> import nbcompare as nbc
        >>> result = nbc.compare(nbc.datasets.load("demsar2006_ranks"))
        >>> print(result.to_latex("ranks", caption="Ranks, 1 & up", label="tab:ranks"))
        % Needs \usepackage{booktabs}.
        \begin{table}[htbp]
        \centering
        \caption{Ranks, 1 \& up}\label{tab:ranks}
        \begin{tabular}{lr}
        \toprule
        algorithm & average rank \\
        \midrule
        C4.5+m+cf & 1.964 \\
        C4.5+m & 2.000 \\
        C4.5+cf & 2.893 \\
        C4.5 & 3.143 \\
        \bottomrule
        \end{tabular}
        \end{table}
        """
        for name, given in (("booktabs", booktabs), ("siunitx", siunitx)):
            if not isinstance(given, bool):
                raise TypeError(f"`{name}` must be True or False; got {shown(given)}.")
        if venue is not None:
            check_choice(venue, "venue", tuple(latex.VENUES))
        with Options(least_p=0.0 if venue is None else _LEAST_P):
            parts = _captioned(self._for_paper(section), caption, label)
        return latex.for_paper(parts, booktabs=booktabs, venue=venue, siunitx=siunitx)

    def to_markdown(self, section: str | None = None) -> str:
        r"""Return complete tables in Markdown, as pipe tables for GitHub, pandoc and Quarto.

        Parameters
        ----------
        section : str, optional
            One of ``sections``; by default all tables that the result displays.

        Returns
        -------
        str
            Markdown, with every special character of a name escaped.

        Raises
        ------
        ValueError
            If there is no such section.

        Examples
        --------
        >>> import nbcompare as nbc
        >>> result = nbc.compare(nbc.datasets.load("demsar2006_ranks"))
        >>> print(result.to_markdown("ranks"))
        Average ranks, best first
        <BLANKLINE>
        | algorithm | average rank |
        | :--------- | ------------: |
        | C4.5+m+cf | 1.964 |
        | C4.5+m | 2.000 |
        | C4.5+cf | 2.893 |
        | C4.5 | 3.143 |
        <BLANKLINE>
        """
        return markdown.render(self._for_paper(section))

    def to_typst(
        self,
        section: str | None = None,
        *,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """Return complete tables in Typst; a table with a caption is a figure.

        The figure is of kind ``table``. A table breaks over pages, with its header on each of
        them, and needs no preamble: it can be compiled by itself or pasted into a document.

        Parameters
        ----------
        section : str, optional
            One of ``sections``; by default all tables that the result displays.
        caption : str, optional
            Plain text that replaces the caption of the table; ``""`` for no caption.
        label : str, optional
            Label for references such as ``@tab:ranks``, of letters, digits and ``:._-``.

        Returns
        -------
        str
            Typst source. If the available fonts lack a character, such as a Chinese one, Typst
            leaves it out or shows a box; for PDF/UA it reports an error that names it.

        Raises
        ------
        ValueError
            If :meth:`to_latex` raises it for these arguments.

        Examples
        --------
        >>> import nbcompare as nbc
        >>> result = nbc.compare(nbc.datasets.load("demsar2006_ranks"))
        >>> text = result.to_typst("ranks", label="tab:ranks")
        >>> text.count("figure("), '#label("tab:ranks")' in text, '"C4.5+m", "2.000"' in text
        (1, True, True)
        """
        return typst.render(_captioned(self._for_paper(section), caption, label))


def _captioned(parts: Sequence[Part], caption: object, label: object) -> list[Part]:
    """Return the parts with a caption and a label for their only table."""
    if caption is None and label is None:
        return list(parts)
    given = "caption" if caption is not None else "label"
    n_tables = sum(isinstance(part, Table) for part in parts)
    if n_tables != 1:
        raise ValueError(
            f"`{given}` needs exactly one table; got {n_tables}. Name a `section` with one table."
        )
    return [_labelled(part, caption, label) if isinstance(part, Table) else part for part in parts]


def _labelled(table: Table, caption: object, label: object) -> Table:
    if caption is not None:
        table = replace(table, caption=one_line(caption, "caption") or "")
    if label is None:
        return table
    if not isinstance(label, str) or not _LABEL.fullmatch(label):
        raise ValueError(
            "`label` must be of letters, digits and :._- (not at its ends), as 'tab:ranks'; "
            f"got {shown(label)}."
        )
    if not table.caption:
        raise ValueError("`label` needs a `caption`, whose number it refers to; there is none.")
    return replace(table, label=label)


_FORMATS = ("to_latex", "to_markdown", "to_typst")


def contradictions(result: Any) -> Iterator[str]:
    """Yield what in a result contradicts something else in it, as sentences."""
    for name, part, owner in _parts(result, type(result).__name__, result):
        if hasattr(part, "contradictions"):
            yield from (f"{name}: {text}" for text in part.contradictions(owner))
        elif not owner.describes_gaps and _has_nan(part):
            yield f"{name} has NaN."
    again = type(result).from_json(result.to_json())
    if again.to_json() != result.to_json() or str(again) != str(result):
        yield "The result that is read from its JSON is another one."
    for section in (None, *result.sections):
        for export in _FORMATS:
            if "nan" in getattr(result, export)(section).lower().split():
                yield f"{export}({section!r}) shows NaN."
    if result.sentences[: len(result.findings)] != result.findings:
        yield "The sentences do not begin with the findings."
    if any(not text or text != text.strip() for text in result.sentences):
        yield "A sentence is empty, or has blanks at its ends."


def _has_nan(part: Any) -> bool:
    return isinstance(part, np.ndarray) and part.dtype.kind == "f" and bool(np.isnan(part).any())


def _parts(value: Any, name: str, owner: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the parts of a record, and theirs, with their names and the result that has them."""
    yield name, value, owner
    if is_dataclass(value) and not isinstance(value, type):
        owner = value if hasattr(value, "design") else owner
        for one in fields(value):
            yield from _parts(getattr(value, one.name), f"{name}.{one.name}", owner)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _parts(part, f"{name}[{key!r}]", owner)
