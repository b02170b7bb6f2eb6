"""Markup of the statistics reference: how to run a method, and citations."""

from __future__ import annotations

from typing import ClassVar

import markup
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from method_calls import lines, read
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from nbcompare.words import short_citation


class Run(SphinxDirective):
    """Show an analysis as a call, a magic and a command.

    ``{run} compare`` has an option and its value in each line, and ``:names:`` of algorithms.
    """

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {"names": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Return a table with the ways to run it."""
        (function,) = self.arguments
        names = [name.strip() for name in self.options.get("names", "").split(",") if name]
        found = lines(function, names, read("\n".join(self.content)))
        rows = [
            ("Python", f"{markup.code(found.call)}; see {{func}}`nbcompare.{function}`"),
            ("notebook", markup.code(found.magic)),
            ("command line", markup.code(found.command)),
        ]
        if found.builder:
            rows.append(("builder", f"{{class}}`nbcompare.{found.builder}`"))
        written = markup.table(("where", "what to type"), rows).splitlines()
        box = nodes.container()
        self.state.nested_parse(StringList(written, function), self.content_offset, box)
        return box.children


class Literature(SphinxRole):
    """A citation by authors and year, which leads to its entry in the bibliography."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the citation as a link."""
        link = addnodes.pending_xref(
            refdomain="std",
            reftype="ref",
            reftarget=f"ref-{self.text}",
            refexplicit=True,
            refwarn=True,
            refdoc=self.env.docname,
        )
        link += nodes.inline("", short_citation(self.text))
        return [link], []


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive and the role."""
    app.add_directive("run", Run)
    app.add_role("lit", Literature())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
