"""Lengths and colours that many figures share."""

from __future__ import annotations

# All lengths in inches.
MARGIN = 0.12  # around a drawing
PAD = 0.06  # between an axis and what belongs to it
TICK = 0.05
FILL = "#a9cfe8"  # light blue, of what is filled
