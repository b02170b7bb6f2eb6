"""Links by name: to the literature, and to objects by the names under which a user has them.

``{lit}`` with a key of the literature is a citation. A docstring may name an object where it is
defined, as ``nbcompare.results.Comparison``; its page is that of the public name,
``nbcompare.Comparison``. What a class inherits from other packages has no place of its own.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxRole

from nbcompare.words import short_citation

# Where a user finds names, the best place first
PLACES = ("nbcompare", "nbcompare.plots", "nbcompare.study", "nbcompare.results")


@cache
def _public_names() -> dict[int, str]:
    names: dict[int, str] = {}
    for place in PLACES:
        module = importlib.import_module(place)
        public = [name for name in vars(module) if not name.startswith("_")]
        for name in getattr(module, "__all__", public):
            names.setdefault(id(getattr(module, name)), f"{place}.{name}")
    return names


def public_name(dotted: str) -> str:
    """Return the public name of an object that is named by where it is; empty if it has none."""
    place, _, name = dotted.rpartition(".")
    try:
        found = getattr(importlib.import_module(place), name)
    except (ImportError, AttributeError, ValueError):
        return ""
    return _public_names().get(id(found), "")


def _resolve(
    app: Sphinx, env: BuildEnvironment, node: nodes.Element, content: nodes.TextElement
) -> nodes.Node | None:
    if node.get("refdomain") != "py":
        return None
    target = public_name(node["reftarget"])
    if not target or target == node["reftarget"]:
        return None
    python = env.domains["py"]
    return python.resolve_xref(
        env, node["refdoc"], app.builder, node["reftype"], target, node, content
    )


def _anchor_for_sources(app: Sphinx, document: nodes.document) -> None:
    """Let links from source code find objects as if they were in any of the places.

    Links back from a module take the place of one of its objects for that of all, and which one
    depends on the order in which pages are read.
    """
    for signature in document.findall(addnodes.desc_signature):
        for name in tuple(signature["ids"]):
            place = max((it for it in PLACES if name.startswith(f"{it}.")), key=len, default="")
            inside = name.removeprefix(f"{place}.")
            others = [f"{other}.{inside}" for other in PLACES if place]
            signature["ids"] += [other for other in others if other not in signature["ids"]]


def _skip(app: Sphinx, what: str, name: str, found: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what a class inherits from other packages."""
    home = getattr(getattr(found, "fget", found), "__module__", None)
    return True if home and not home.startswith("nbcompare") else None


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
    """Register the role, and connect what is above."""
    app.add_role("lit", Literature())
    app.connect("autodoc-skip-member", _skip)
    app.connect("missing-reference", _resolve)
    app.connect("doctree-read", _anchor_for_sources)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
