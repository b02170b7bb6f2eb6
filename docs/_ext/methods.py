"""Directives of the statistics reference: how to run a method, and the table of all methods."""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from method_calls import lines, read
from method_pages import labels_of_words, pages
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from nbcompare.words import short_citation


class Run(SphinxDirective):
    """Show an analysis as a call, a magic and a command: ``{run} compare`` with its options."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {"names": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Return a table with the ways to run it."""
        names = [name.strip() for name in self.options.get("names", "").split(",") if name]
        found = lines(self.arguments[0], names, read("\n".join(self.content)))
        function = f"{{func}}`nbcompare.{self.arguments[0]}`"
        rows = [
            ("Python", f"`{found.call}`; see {function}"),
            ("notebook", f"`{found.magic}`"),
            ("command line", f"`{found.command}`"),
        ]
        if found.builder:
            rows.append(("builder", f"{{class}}`nbcompare.{found.builder}`"))
        return _table(self, ("where", "what to type"), rows)


class MethodTable(SphinxDirective):
    """Show the methods of all pages: question, how far they are exact, source."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        cites, rows = labels_of_words(), []
        for page in pages():
            self.env.note_dependency(str(self.env.doc2path(f"statistics/{page.name}")))
            source = [key for label in page.labels for key in cites.get(label, ())]
            keys = dict.fromkeys([*source, *page.cites])
            links = "; ".join(f"{{ref}}`stat-{label}`" for label in page.labels)
            literature = "; ".join(f"{{lit}}`{key}`" for key in keys)
            rows.append((links, page.question, page.exact, literature))
        return _table(self, ("method", "question", "exact", "source"), rows)


class Literature(SphinxRole):
    """A citation, which leads to the entry of the bibliography."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the citation as a link."""
        link = nodes.reference("", short_citation(self.text), internal=True)
        uri = self.env.app.builder.get_relative_uri(self.env.docname, "statistics/bibliography")
        link["refuri"] = f"{uri}#{self.text}"
        return [link], []


def _table(
    directive: SphinxDirective, header: tuple[str, ...], rows: list[tuple[str, ...]]
) -> list[nodes.Node]:
    """Return a table of Markdown, whose cells hold no vertical bars."""
    text = [header, tuple("---" for _ in header), *rows]
    written = [f"| {' | '.join(cells)} |" for cells in text]
    box = nodes.container(classes=["method-table"])
    directive.state.nested_parse(StringList(written, "methods"), directive.content_offset, box)
    return [box]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives and the role."""
    app.add_directive("run", Run)
    app.add_directive("method-table", MethodTable)
    app.add_role("lit", Literature())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
