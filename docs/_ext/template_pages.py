"""The templates of nbconvert that the package brings, from their files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

from markup import code, plain, table

from nbcompare.report.page.templates import template_folder

_BLOCK = re.compile(r"\{%-?\s*block\s+(\w+)")
_COMMENT = re.compile(r"\A\{#-?(.*?)-?#\}", re.DOTALL)


def templates() -> dict[str, Path]:
    """Return the folders of the templates by name."""
    return {path.name: path for path in sorted(template_folder().iterdir()) if path.is_dir()}


def exporters() -> dict[str, str]:
    """Return the classes of our exporters by the name that ``--to`` takes."""
    found = entry_points(group="nbconvert.exporters")
    return {one.name: one.value for one in found if one.value.startswith("nbcompare.")}


def page() -> str:
    """Return the exporters and, for each template, its blocks and files."""
    rows = ([code(name), code(where.rpartition(":")[2])] for name, where in exporters().items())
    parts = [table(["`jupyter nbconvert --to`", "exporter"], rows)]
    for name, folder in templates().items():
        parts += _section(name, folder)
    return "\n\n".join(parts)


def _section(name: str, folder: Path) -> Iterator[str]:
    yield f"(template-{name})=\n## {name}"
    base = json.loads((folder / "conf.json").read_text(encoding="utf-8"))["base_template"]
    yield f"Based on {code(base)}."
    for file in sorted(folder.glob("index.*")):
        text = file.read_text(encoding="utf-8")
        about = _COMMENT.match(text)
        if about:
            yield plain(about[1].replace("`", ""))
        blocks = dict.fromkeys(_BLOCK.findall(text))
        yield f"Blocks of {code(file.name)}: {', '.join(map(code, blocks))}."
    others = [code(path.name) for path in sorted(folder.iterdir()) if path.stem != "index.html"]
    yield f"Files: {', '.join(others)}."
