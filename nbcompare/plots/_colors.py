"""Colours that figures share, and the filter for dark notebooks."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._render.rich import DARK

__all__ = ["ACCENT", "LIGHT", "TINT", "darkened_colors", "darkened_png"]

# Of what is significant or stands out: lines and marks, areas, and the ground behind these
ACCENT, LIGHT, TINT = "#0b5fa5", "#a9cfe8", "#e8f1fa"


def darkened_png(png: bytes) -> bytes:
    """Return the picture with the colours that the filter of a dark SVG gives."""
    from PIL import Image  # a dependency of Matplotlib

    with Image.open(io.BytesIO(png)) as picture:
        pixels = np.asarray(picture.convert("RGB"), dtype=np.float32) / 255
        file = io.BytesIO()
        dark = Image.fromarray((darkened_colors(pixels) * 255 + 0.5).astype(np.uint8))
        dark.save(file, "png", dpi=picture.info.get("dpi"))
    return file.getvalue()


def darkened_colors(colors: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return colours, from 0 to 1 in the last dimension, as the filter of a dark SVG gives them."""
    matrix = np.array(DARK, dtype=colors.dtype)
    seen: npt.NDArray[Any] = np.clip(colors @ matrix[:, :3].T + matrix[:, 3], 0, 1)
    return seen
