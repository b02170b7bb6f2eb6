"""Presets: the settings of a builder in a JSON file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nbcompare._files import check_target, in_words, write_whole
from nbcompare._validation import listed, shown
from nbcompare._version import __version__
from nbcompare.widgets._settings import (
    Member,
    Owner,
    SelectedName,
    SelectedPair,
    Setting,
    SettingError,
    Subset,
)

_FORM, _VERSION = "settings of an nbcompare builder", 1
_LARGEST = 10_000_000  # bytes: a preset holds names, not data


def write(path: Path, builder: str, settings: Mapping[str, Any]) -> Path:
    """Write the settings of a builder of that class, and return the file."""
    check_target(path)
    content = {
        "form": _FORM,
        "version": _VERSION,
        "nbcompare": __version__,
        "builder": builder,
        "settings": dict(settings),
    }
    write_whole(path, json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    return path


def read(path: Path, builder: str) -> dict[str, Any]:
    """Return the settings in a file that a builder of that class has written.

    Raises
    ------
    OSError
        If it cannot be read.
    ValueError
        If it holds something else.
    """
    content = _content(path)
    how = "Write one with save_preset, or with “Save settings” in a builder."
    if not isinstance(content, dict) or content.get("form") != _FORM:
        raise ValueError(f"{path} holds no settings of a builder. {how}")
    version = content.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ValueError(f"{path} does not say which version of settings it holds. {how}")
    if version > _VERSION:
        raise ValueError(
            f"{path} was written by nbcompare {_word(content.get('nbcompare'))}, whose settings "
            f"nbcompare {__version__} cannot read. Install that version or a later one."
        )
    if content.get("builder") != builder:
        raise ValueError(
            f"{path} holds settings of a {_word(content.get('builder'))}, not of a {builder}. "
            "Load it in such a builder."
        )
    settings = content.get("settings")
    if not isinstance(settings, dict):
        raise ValueError(f"{path} must have its `settings` as an object; got {shown(settings)}.")
    return settings


def _content(path: Path) -> Any:
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}. Write one with save_preset.")
    try:
        if path.stat().st_size > _LARGEST:
            raise ValueError(f"{path} is too large to hold settings of a builder.")
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise in_words(error, f"cannot read {path}") from error
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text in UTF-8, as settings of a builder are.") from None
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{path} is no JSON: {error.msg} in line {error.lineno}, column {error.colno}. "
            "Mend that place, or save the settings again."
        ) from None
    except (RecursionError, ValueError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise ValueError(f"{path} holds no settings of a builder: {reason}.") from None


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no number")


def _word(value: object) -> str:
    """Return text of a file as it may stand in a sentence."""
    return " ".join(value.split())[:60] if isinstance(value, str) else "?"


def check_names(settings: Mapping[str, Any], traits: Mapping[str, Setting], builder: Owner) -> None:
    """Raise an error with all names that the data of a builder do not have."""
    lacking: dict[str, list[str]] = {}
    for setting, value in settings.items():
        axis = _axis(traits.get(setting))
        names = [value] if isinstance(value, str) else value
        if not axis or not isinstance(names, list):
            continue
        spelled = traits[setting].entry.spelled
        known = {*getattr(builder.data, axis), *(word for word in spelled if word)}
        missing = [name for name in names if isinstance(name, str) and name not in known]
        lacking.setdefault(axis, []).extend(dict.fromkeys(missing))
    told = [
        f"{_noun(axis)} {listed(dict.fromkeys(names))}; the data have "
        f"{listed(getattr(builder.data, axis))}"
        for axis, names in lacking.items()
        if names
    ]
    if told:
        where = [name for name in settings if _axis(traits.get(name)) in lacking]
        raise SettingError(
            f"the data have no {', and no '.join(told)}. Rename them in the file, or take "
            f"{listed(where)} out of it."
        )


def _axis(setting: Setting | None) -> str:
    """Return the axis of the data on which a setting names something."""
    if isinstance(setting, Subset):
        return str(setting.name)
    if isinstance(setting, SelectedPair):
        return "algorithms"
    if isinstance(setting, SelectedName):
        return setting.axis
    return setting.entry.axis if isinstance(setting, Member) else ""


def _noun(axis: str) -> str:
    return {"datasets": "data set", "problems": "problem"}.get(axis, axis.removesuffix("s"))


@contextmanager
def reading(path: str | Path | None) -> Iterator[None]:
    """Name the file, if there is one, in an error about what it says."""
    try:
        yield
    except SettingError as error:
        text = str(error)
        if path is None:
            raise
        raise SettingError(text if str(path) in text else f"{path}: {text}") from None
