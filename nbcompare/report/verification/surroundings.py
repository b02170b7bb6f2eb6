"""Find what on a page, apart from its results, may change what a reader sees of them.

A page from our template holds nothing that hides, moves or covers a display: no script and no style
sheet but those of the template, and inline styles of colour and alignment only. Whatever is not
known to leave the displays alone is named, so that no such page passes for one that was checked as
a whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from nbcompare.report.page.figures import ATTRIBUTES, ELEMENTS, FIGURE, FONTS
from nbcompare.report.page.markup import Element
from nbcompare.report.page.templates import digest_of_code, known_code

__all__ = ["unchecked"]

_ELEMENTS = """
html head meta title style script body a header footer nav main div p h1 h2 h3 h4 h5 h6 ul ol li
dl dt dd table caption colgroup thead tbody tfoot tr th td details summary figure figcaption img
span em strong b i u s del ins sub sup small code pre kbd samp var br hr blockquote q cite abbr
bdi
label input math semantics annotation mrow mi mn mo ms mtext mspace msub msup msubsup munder mover
munderover mmultiscripts mprescripts mfrac msqrt mroot mtable mtr mtd mstyle mphantom menclose
"""
_NAMES = """
class id href title alt src width height colspan rowspan scope role tabindex lang start open type
checked disabled content name charset http-equiv border halign valign cite download scoped xmlns
alttext display displaystyle scriptlevel stretchy fence separator form lspace rspace minsize maxsize
symmetric largeop movablelimits accent accentunder mathvariant linethickness columnalign
columnspacing columnlines rowspacing rowlines columnspan frame bevelled notation depth encoding
mathcolor mathsize
"""
_TAGS, _ATTRIBUTES = frozenset(_ELEMENTS.split()), frozenset(_NAMES.split())
# Of a drawing, which stands in a figure and is cut to its own size
_DRAWN = frozenset(("svg", "a", "title", *map(str.lower, ELEMENTS)))
_ONLY_DRAWN = _DRAWN - _TAGS
_FORMS = {name.lower(): form for name, form in ATTRIBUTES.items()}  # as pages are read
_OF_DRAWINGS = {"class": FIGURE, "font-family": FONTS, "role": "group"}
_SIZES = frozenset(("viewbox", "width", "height"))
# What drawings of version 0.2.0 have as well: colours and fonts of a style sheet of their own
_OLD_NAMES = re.compile(r"var\(--f\d+\)|(?:nbcompare-figure-\d+,)+sans-serif")
_OLD_COLORS = r"\{(?:--f\d+:#[0-9a-f]{6};)*\}"
_OLD_SHEET = re.compile(
    rf"\s*svg\.{FIGURE}{_OLD_COLORS}\s*"
    rf"@media screen and \(prefers-color-scheme:dark\)\{{svg\.{FIGURE}{_OLD_COLORS}\}}\s*"
    r'(?:@font-face\{font-family:"nbcompare-figure-\d+";font-weight:[47]00;'
    r"font-style:(?:normal|italic);"
    r'src:url\(data:font/woff;base64,[A-Za-z0-9+/]+=*\) format\("woff"\)\}\s*)*'
)
_ATTRIBUTE_KINDS = ("aria-", "data-")
# Colour and alignment move nothing; output of terminals and dataframes has such styles.
_HARMLESS_STYLE = re.compile(
    r"\s*((text-align|color|background-color|font-weight|font-style|text-decoration)\s*:"
    r"\s*(#?[\w.%-]+|rgba?\([\d,.\s%]*\))\s*(;\s*|$))*"
)
_METRICS = ("width", "height", "depth", "lspace", "rspace")
_SMALL_STEP_BACK = re.compile(r"-0?\.[0-4]\d*em")  # as \! and similar commands take in formulas
_SAFE_LINK = re.compile(
    r"(?![a-z+.-]*:)|(https?|mailto|doi):|data:application/pdf;base64,", re.IGNORECASE
)
# as pandas writes it for each of its tables
_DATAFRAME_STYLE = re.compile(
    r"(\s*\.dataframe [a-z: -]+\{\s*(text-align|vertical-align): [a-z]+;\s*\})*\s*"
)
_IGNORED = re.compile(r"[\x00-\x20]")  # browsers ignore them in the name of a protocol
_INERT_SCRIPTS = ("application/json", "application/vnd.jupyter.widget-state+json")
# The classes of the style sheet that take an element out of its place, or hide something
_MOVING = frozenset(
    "skip contents anchor said sort tool off rows columns code-apart figure-tip".split()  # noqa: SIM905
)
_BODY = re.compile(r"(a )?(header )?(nav )?main footer (script )*")


def unchecked(elements: Sequence[tuple[Element, str]]) -> Iterator[str]:
    """Name what on a page may change how it looks, and where.

    Parameters
    ----------
    elements : sequence of pairs of Element and str
        Every element in order, and the nearest heading above it.
    """
    told: Counter[str] = Counter()
    for element, heading in elements:
        where = f' under "{heading}"' if heading else ""
        told.update(f"{what}{where}" for what in _foreign(element))
    for what, count in told.items():
        yield what if count == 1 else f"{what} ({count} times)"


def _foreign(element: Element) -> Iterator[str]:
    """Name what the templates do not write of an element."""
    tag = element.tag
    drawing = next((one for one in (element, *element.above()) if one.tag == "svg"), None)
    if tag not in _TAGS | _ONLY_DRAWN or (drawing is None and tag in _ONLY_DRAWN):
        yield f"an element <{tag}>"
        return
    if drawing is not None and not _is_of_drawing(element, drawing):
        yield f"an element <{tag}> in a drawing" if element is not drawing else "an element <svg>"
        return
    for name, value in element.attributes.items():
        if not (_is_harmless if drawing is None else _is_drawn)(tag, name, value):
            yield f"<{tag}> with {name}={value[:40]!r}" if value else f"<{tag}> with {name}"
    if tag in ("script", "style") and not _is_known_code(element):
        noun = "a script" if tag == "script" else "a style sheet"
        yield f"{noun} that is not from a template of nbcompare"
    if tag == "input" and not (
        element.get("type") == "checkbox" and "disabled" in element.attributes
    ):
        yield "an input field"
    if tag in ("html", "head", "body", "main") and not _is_where_it_belongs(element):
        yield f"<{tag}> in an unexpected place"
    if tag == "body" and not _has_parts_in_order(element):
        yield "<body> with parts that the template does not have"
    for name in _MOVING.intersection(element.classes):
        if not _may_be_moved(element, name):
            yield f"<{tag}> with the class {name!r}"


def _is_harmless(tag: str, name: str, value: str) -> bool:
    if name == "style":
        return bool(_HARMLESS_STYLE.fullmatch(value))
    if name == "href":
        return bool(_SAFE_LINK.match(_IGNORED.sub("", value)))
    if name in _METRICS and tag.startswith("m"):
        return not value.lstrip().startswith("-") or bool(_SMALL_STEP_BACK.fullmatch(value.strip()))
    if name == "http-equiv":
        return value.lower() == "content-security-policy"
    return name in _ATTRIBUTES or name.startswith(_ATTRIBUTE_KINDS)


def _is_of_drawing(element: Element, drawing: Element) -> bool:
    """Whether an element of a drawing is one that the template writes, where it writes it."""
    around = drawing.parent
    return (
        element.tag in _DRAWN
        and (element is drawing or element.tag != "svg")
        and around is not None
        and around.tag == "figure"
        and drawing.get("class") == FIGURE
    )


def _is_drawn(tag: str, name: str, value: str) -> bool:
    """Whether an attribute of a drawing leaves everything around the drawing as it is."""
    if name.startswith(_ATTRIBUTE_KINDS):
        return True
    if _OLD_NAMES.fullmatch(value):
        return name in ("fill", "stroke", "font-family")
    if tag == "svg":
        return name in _SIZES or _OF_DRAWINGS.get(name) == value
    if name == "href":
        return tag in ("a", "use") and value.startswith("#")
    if name in ("class", "role", "id"):
        return name == "id" or value in ("m", "img")
    return name in _FORMS and bool(_FORMS[name].fullmatch(value))


def _is_known_code(element: Element) -> bool:
    text = "".join(map(str, element.children))
    if element.tag == "script" and element.get("type") in _INERT_SCRIPTS:
        return "<" not in text  # which could close the script
    if element.tag == "style" and any(it.fullmatch(text) for it in (_DATAFRAME_STYLE, _OLD_SHEET)):
        return True
    return digest_of_code(text) in known_code()


def _is_where_it_belongs(element: Element) -> bool:
    """Whether a part that a page has once is where it should be."""
    around = element.parent
    if around is None or around.tag != {"main": "body", "html": ""}.get(element.tag, "html"):
        return False
    return sum(isinstance(x, Element) and x.tag == element.tag for x in around.children) == 1


def _has_parts_in_order(body: Element) -> bool:
    """Whether the page has each of its parts once: a second one would cover the first."""
    tags = []
    for child in body.children:
        if isinstance(child, str):
            if child.strip():
                return False
        else:
            tags.append(child.tag)
    return bool(_BODY.fullmatch("".join(f"{tag} " for tag in tags)))


def _may_be_moved(element: Element, name: str) -> bool:
    around = element.parent
    if around is None:
        return False
    if name == "skip":
        return element.tag == "a" and around.tag == "body"
    if name == "contents":
        return element.tag == "nav" and around.tag == "body"
    return name == "anchor" and "heading" in around.classes and element.text() == "#"
