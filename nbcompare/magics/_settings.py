"""Defaults that a notebook sets once: ``%nbcompare_config``."""

from __future__ import annotations

from nbcompare.magics._lines import LineParser

# What lines need not say again, and how results look
SETTINGS = ("alpha", "direction", "digits", "theme")


def settings_parser() -> LineParser:
    """Of the lines of %nbcompare_config."""
    parser = LineParser("nbcompare_config")
    parser.take(SETTINGS, "what to set")
    parser.take_flag("--reset", "forget what was set")
    return parser
