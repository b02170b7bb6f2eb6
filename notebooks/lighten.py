"""Leave one format of each output in executed notebooks: ``python notebooks/lighten.py``.

A figure is a PNG of few colours, a table HTML, with plain text beside them. The site, whose pages
can be dark, executes the notebooks itself, but for the studies in ``STORED``: these keep their
figures as SVG, and their results, which are read again.
"""

import base64
import io
from pathlib import Path

import nbformat
from PIL import Image

STORED = ("08_power_2013", "09_crossvalidation_2006")
_RESULT = "application/vnd.nbcompare.v1+json"
_FIGURES = ("image/png", "image/svg+xml")
_TEXTS = ("text/html", "text/markdown")
_COLOURS = 64


def lightened(data: dict, *, is_stored: bool) -> dict:
    """Return the formats of an output that a reader needs."""
    figures = _FIGURES[::-1] if is_stored else _FIGURES
    kept = ["text/plain", *([_RESULT] if is_stored else [])]
    # what has both is the view of a builder, whose HTML holds its figure
    formats = _TEXTS if data.keys() & {*_TEXTS} else figures
    kept += [kind for kind in formats if kind in data][:1]
    light = {kind: value for kind, value in data.items() if kind in kept}
    if "image/png" in light:
        light["image/png"] = fewer_colours(light["image/png"])
    return light


def fewer_colours(encoded: str) -> str:
    """Return a picture as a PNG with a palette, in base64."""
    picture = Image.open(io.BytesIO(base64.b64decode(encoded)))
    if picture.mode == "P":
        return encoded
    small = io.BytesIO()
    plain = picture.convert("RGBA").quantize(_COLOURS, Image.Quantize.FASTOCTREE)
    plain.save(small, format="PNG", optimize=True)
    return base64.b64encode(small.getvalue()).decode("ascii")


if __name__ == "__main__":
    for path in sorted(Path(__file__).parent.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            for output in cell.get("outputs", ()):
                if "data" in output:
                    output["data"] = lightened(output["data"], is_stored=path.stem in STORED)
        nbformat.write(notebook, path)
