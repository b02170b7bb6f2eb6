"""Tables for a paper: LaTeX, Markdown and Typst of a result, or of a part of it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from nbcompare._render import Part, Rich, Table, latex, markdown, typst
from nbcompare._validation import one_line, shown

# What \label, \ref and Typst's labels and references all take.
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9:._-]*[A-Za-z0-9])?", re.ASCII)


class ForPapers(Rich, ABC):
    """Mixin of what has tables that go into a paper."""

    __slots__ = ()

    @abstractmethod
    def _for_paper(self, section: str | None) -> Sequence[Part]:
        """Its tables in full; or those of a section, with what else that has."""

    def to_latex(
        self,
        section: str | None = None,
        *,
        booktabs: bool = True,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        r"""Tables in LaTeX, in full, each a float; one of more than 36 rows goes over pages.

        Columns that are too many for a line are set smaller, or in several tables. Names are
        printed as they stand.

        Parameters
        ----------
        section : str, optional
            One of ``sections``; by default all tables that the result is shown with.
        booktabs : bool, default True
            Rules of the package booktabs, and longtable and array where needed; a comment says
            which packages. False: ``\hline``, and no package at all; a long table becomes
            several floats of one number.
        caption : str, optional
            Plain text instead of the caption that the table has; ``""`` for none.
        label : str, optional
            For ``\ref``: letters, digits and ``:._-``.

        Returns
        -------
        str
            For pdfLaTeX, XeLaTeX or LuaLaTeX since 2020, in UTF-8. Letters that pdfLaTeX
            lacks, such as Chinese ones and emoji, stay as they are, and comments at the top
            name them: they need XeLaTeX or LuaLaTeX, or a declaration.

        Raises
        ------
        ValueError
            If there is no such section; if ``caption`` or ``label`` is given and there is not
            exactly one table; if ``label`` has other characters, or there is no caption, to
            which LaTeX's numbers belong.

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
        if not isinstance(booktabs, bool):
            raise TypeError(f"`booktabs` must be True or False; got {shown(booktabs)}.")
        parts = _captioned(self._for_paper(section), caption, label)
        return latex.for_paper(parts, booktabs=booktabs)

    def to_markdown(self, section: str | None = None) -> str:
        r"""Tables in Markdown, in full, as pipe tables, which GitHub, pandoc and Quarto read.

        Parameters
        ----------
        section : str, optional
            One of ``sections``; by default all tables that the result is shown with.

        Returns
        -------
        str
            Every mark of a name is escaped.

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
        """Tables in Typst, in full; each is a figure of kind ``table`` if it has a caption.

        A table breaks over pages with its header on each, and needs no preamble: it can be
        compiled by itself, or pasted into a document.

        Parameters
        ----------
        section : str, optional
            One of ``sections``; by default all tables that the result is shown with.
        caption : str, optional
            Plain text instead of the caption that the table has; ``""`` for none.
        label : str, optional
            To refer to: ``@tab:ranks``. Letters, digits and ``:._-``.

        Returns
        -------
        str
            Typst. Letters that its fonts lack, such as Chinese ones, Typst leaves out or shows
            as boxes unless other fonts are at hand; for PDF/UA it refuses them, and names them.

        Raises
        ------
        ValueError
            As of :meth:`to_latex`.

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
    """The parts, with another caption and a label of their one table."""
    if caption is None and label is None:
        return list(parts)
    given = "caption" if caption is not None else "label"
    n_tables = sum(isinstance(part, Table) for part in parts)
    if n_tables != 1:
        raise ValueError(
            f"`{given}` needs exactly one table; got {n_tables}. Name a `section` with one."
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
