"""The settings of the builders, from their traits."""

from __future__ import annotations

from collections.abc import Iterator

from markup import capital, code, plain, table
from traitlets import TraitType

import nbcompare
from nbcompare import widgets
from nbcompare._commands import ANALYSES

_NOTHING = (None, (), "")


def settings_of(builder: type) -> dict[str, TraitType]:
    """Return the settings of a builder by name: its traits that no widget of Jupyter's has."""
    foreign = {
        name
        for base in builder.__mro__
        if base.__module__.startswith(("ipywidgets", "anywidget"))
        for name in base.class_trait_names()
    }
    return {name: trait for name, trait in builder.class_traits().items() if name not in foreign}


def page() -> str:
    """Return a section for each builder, with a table of its settings."""
    return "\n\n".join(part for name in widgets.__all__ for part in _section(name))


def _section(name: str) -> Iterator[str]:
    builder = getattr(nbcompare, name)
    yield f"(builder-{name.lower()})=\n## {name}"
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
