"""Tables for a paper: LaTeX, Markdown and Typst, with a caption and a label."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from nbcompare._display import Options
from nbcompare._render import Part, Rich, Table, latex, markdown, typst
from nbcompare._validation import check_choice, one_line, shown

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
        if not isinstance(booktabs, bool):
            raise TypeError(f"`booktabs` must be True or False; got {shown(booktabs)}.")
        if venue is not None:
            check_choice(venue, "venue", tuple(latex.VENUES))
        with Options(least_p=0.0 if venue is None else _LEAST_P):
            parts = _captioned(self._for_paper(section), caption, label)
        return latex.for_paper(parts, booktabs=booktabs, venue=venue)

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
