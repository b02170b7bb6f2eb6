"""Which names and lines of a diagram stand out: in bold, in a colour, or in that of a family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from matplotlib.colors import to_hex, to_rgb

from nbcompare._arrays import FloatArray
from nbcompare._validation import check_name, clean_label, shown
from nbcompare.plots._colors import ACCENT, darkened_colors
from nbcompare.plots._wording import highlighted

# Readable as text (a contrast of 4.5) and told apart with any deficiency of colour vision, on white
# and in the dark theme: at least 24 apart in CIELAB, and from black, as Machado, Oliveira and
# Fernandes (2009) simulate these.
PALETTE = ("#2e6be6", "#b25900", "#6a0080", "#546642", "#996390")
# What WCAG 2 asks of large text and of graphics, 1.4.3 and 1.4.11
_LEAST_CONTRAST = 3.0


@dataclass(frozen=True, slots=True)
class Emphasis:
    """Algorithms in bold, colours by algorithm, and families by algorithm with their colours."""

    bold: frozenset[str] = frozenset()
    colors: Mapping[str, str] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)

    def sentences(self, names: Sequence[str]) -> str:
        """Return what an alternative text says of it, as sentences; perhaps nothing."""
        bold = [name for name in names if name in self.bold]
        text = f" Highlighted: {', '.join(bold)}." if bold else ""
        members = {
            family: [name for name in names if self.families.get(name) == family]
            for family in self.keys
        }
        listed = [f"{family}: {', '.join(found)}" for family, found in members.items() if found]
        return f"{text} Families by colour: {'; '.join(listed)}." if listed else text


def emphasis_of(
    algorithms: Sequence[str],
    highlight: Iterable[str] | None,
    families: Mapping[str, str] | None,
    colors: Mapping[str, str] | None,
) -> Emphasis:
    """Return what stands out, or raise an error that names what is not there or not readable."""
    bold = highlighted(highlight, tuple(algorithms)) or frozenset()
    family_of = _mapping(families, "families", "names to families", algorithms)
    for name, family in family_of.items():
        if not isinstance(family, str) or not clean_label(family):
            raise ValueError(
                f"`families` must map names to names of families; got {shown(family)} for {name}."
            )
        family_of[name] = clean_label(family)
    known = list(dict.fromkeys(family_of.values()))
    named = algorithms if families is None else known
    given = _mapping(colors, "colors", "names to colours", named)
    given = {name: _readable(color, name) for name, color in given.items()}
    if families is None:
        accents = {} if colors is not None else dict.fromkeys(bold, ACCENT)
        return Emphasis(bold, given or accents)
    free = [color for color in PALETTE if color not in given.values()]
    without = [family for family in known if family not in given]
    if len(without) > len(free):
        raise ValueError(
            f"`families` must be at most {len(free)} without a colour of their own, because more "
            f"cannot be told apart; got {len(without)}. Join small families, or map families to "
            "colours with `colors`."
        )
    chosen = given | dict(zip(without, free, strict=False))
    keys = {family: chosen[family] for family in known}
    return Emphasis(bold, {name: keys[of] for name, of in family_of.items()}, family_of, keys)


def _mapping(value: object, argument: str, what: str, names: Sequence[str]) -> dict[str, Any]:
    """Return what maps these names to something, a dict or a pandas Series, as a dict."""
    if value is None:
        return {}
    if not hasattr(value, "items"):
        raise TypeError(f"`{argument}` must map {what}; got {shown(value)}.")
    found = dict(value.items())
    for name in found:
        check_name(name, argument, names)
    return found


def _readable(color: object, name: str) -> str:
    """Return a colour as ``#rrggbb``, or raise an error if it is none, or too pale to read."""
    try:
        rgb: FloatArray = np.array(to_rgb(cast(str, color)))
    except (ValueError, TypeError):
        raise ValueError(
            f"`colors` must have colours such as 'navy' or '#0b5fa5'; got {shown(color)} for "
            f"{name}."
        ) from None
    if (contrast := _contrast(rgb)) >= _LEAST_CONTRAST:
        return _hex(rgb)
    darker = next(
        share * rgb
        for share in np.linspace(1, 0, 101)
        if _contrast(share * rgb) >= 1.02 * _LEAST_CONTRAST  # rounded to 256 levels it still is
    )
    raise ValueError(
        f"`colors` must be readable on white and in the dark theme, with a contrast of at least "
        f"{_LEAST_CONTRAST:g}; got {shown(color)} for {name}, whose contrast is {contrast:.2f}. "
        f"A darker one of this hue is {_hex(darker)!r}."
    )


def _hex(rgb: FloatArray) -> str:
    red, green, blue = rgb.tolist()
    return to_hex((red, green, blue))


def _contrast(rgb: FloatArray) -> float:
    """Return the lower of the contrasts (WCAG 2) of a colour with the two backgrounds."""
    both = np.array([rgb, np.ones(3)])
    return min(_ratio(both), _ratio(darkened_colors(both)))


def _ratio(colors: FloatArray) -> float:
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    low, high = sorted((linear @ np.array([0.2126, 0.7152, 0.0722])).tolist())
    return float((high + 0.05) / (low + 0.05))
