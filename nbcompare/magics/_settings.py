"""Defaults that a notebook sets once: ``%nbcompare_config``."""

from __future__ import annotations

from nbcompare.magics._lines import LineParser


def settings_parser() -> LineParser:
    """Of the lines of %nbcompare_config."""
    parser = LineParser("nbcompare_config")
    parser.take(("alpha", "direction"), "what to set")
    parser.take_flag("--reset", "forget what was set")
    return parser
