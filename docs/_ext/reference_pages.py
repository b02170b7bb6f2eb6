"""Pages of the reference from the code: builders, names of studies of power, templates.

Those of commands and magics are in :mod:`lines`, that of results as JSON in :mod:`result_schema`.
"""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path

from markup import capital, code, heading, plain, table
from traitlets import TraitType

import nbcompare
from nbcompare import study, widgets
from nbcompare._commands import ANALYSES
from nbcompare.report.page.templates import template_folder
from nbcompare.widgets._settings import Setting

_NOTHING = (None, (), "")
_WIDTH = 160  # of a value, in characters
_BLOCK = re.compile(r"\{%-?\s*block\s+(\w+)")
_COMMENT = re.compile(r"\A\{#-?(.*?)-?#\}", re.DOTALL)


# -------------------------------------------------------------------------------- builders


def settings_of(builder: type) -> dict[str, TraitType]:
    """Return the settings of a builder by name."""
    return {
        name: trait for name, trait in builder.class_traits().items() if isinstance(trait, Setting)
    }


def builder_names() -> list[str]:
    """Return the names of the classes of builders."""
    return [name for name in widgets.__all__ if inspect.isclass(getattr(widgets, name))]


def builders() -> str:
    """Return a section for each builder, with a table of its settings."""
    return "\n\n".join(part for name in builder_names() for part in _builder(name))


def _builder(name: str) -> Iterator[str]:
    builder = getattr(nbcompare, name)
    yield heading(f"builder-{name.lower()}", name)
    yield f"{(builder.__doc__ or '').strip().splitlines()[0]} See {{class}}`nbcompare.{name}`."
    behind = next((what for what in ANALYSES if what.builder == name), None)
    if behind:
        yield (
            f"It shows {{func}}`nbcompare.{behind.function}`; "
            f"{code(f'%{behind.name} {behind.takes} --builder')} opens it."
        )
    rows = (
        [code(setting), plain(capital(trait.help)), _default(trait)]
        for setting, trait in settings_of(builder).items()
    )
    yield table(["setting", "what it is", "default"], rows)


def _default(trait: TraitType) -> str:
    value = trait.default()
    return "–" if value in _NOTHING or value == {} else code(repr(value))


# ------------------------------------------------------------------------ studies of power


def study_names() -> str:
    """Return the public names of :mod:`nbcompare.study` that are no functions and classes."""
    found = {name: getattr(study, name) for name in study.__all__}
    rows = (
        [code(f"study.{name}"), _shown(value)]
        for name, value in found.items()
        if not (inspect.isclass(value) or inspect.isfunction(value))
    )
    return table(["name", "value"], rows)


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return plain(f"a mapping with {len(value)} entries: {', '.join(map(str, value))}")
    if isinstance(value, tuple) and not isinstance(value[0], float):
        return plain(f"{len(value)} designs: {'; '.join(str(one.name) for one in value)}")
    return code(textwrap.shorten(repr(value), _WIDTH, placeholder=" …"))


# ------------------------------------------------------------------------------- templates


def template_folders() -> dict[str, Path]:
    """Return the folders of the templates by name."""
    return {path.name: path for path in sorted(template_folder().iterdir()) if path.is_dir()}


def exporters() -> dict[str, str]:
    """Return the classes of our exporters by the name that ``--to`` takes."""
    found = entry_points(group="nbconvert.exporters")
    return {one.name: one.value for one in found if one.value.startswith("nbcompare.")}


def templates() -> str:
    """Return the exporters and, for each template, its blocks and files."""
    rows = ([code(name), code(where.rpartition(":")[2])] for name, where in exporters().items())
    parts = [table(["`jupyter nbconvert --to`", "exporter"], rows)]
    for name, folder in template_folders().items():
        parts += _template(name, folder)
    return "\n\n".join(parts)


def _template(name: str, folder: Path) -> Iterator[str]:
    yield heading(f"template-{name}", name)
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
