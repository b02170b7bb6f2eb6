"""Colours and lengths that figures share, and the filter for dark notebooks."""

from __future__ import annotations

import io

import numpy as np

from nbcompare._render.rich import DARK

__all__ = ["darkened_png"]


def darkened_png(png: bytes) -> bytes:
    """Return the picture with the colours that the filter of a dark SVG gives."""
    from PIL import Image  # a dependency of Matplotlib

    with Image.open(io.BytesIO(png)) as picture:
        pixels = np.asarray(picture.convert("RGB"), dtype=np.float32) / 255
        matrix = np.array(DARK, dtype=np.float32)
        seen = pixels @ matrix[:, :3].T + matrix[:, 3]
        file = io.BytesIO()
        dark = Image.fromarray((np.clip(seen, 0, 1) * 255 + 0.5).astype(np.uint8))
        dark.save(file, "png", dpi=picture.info.get("dpi"))
    return file.getvalue()


# All lengths in inches.
MARGIN = 0.12  # around a drawing
PAD = 0.06  # between an axis and its labels
TICK = 0.05
FILL = "#a9cfe8"  # light blue, for filled shapes
