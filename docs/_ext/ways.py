"""The ways to ask for the same: a call, a magic, a command and a builder, in one table.

A page says what is asked for, and gets the table in its place::

    ```{ways} compare_pair
    :names: C4.5+m, C4.5
    test sign
    ```

Each line has an option of the function and its value; one without a value is a switch. ``:names:``
are what the function takes beside the data, ``:data:`` is the variable that holds these, and
``:file:`` the file of a command, with the options that say how to read it. What cannot be made from
the table of analyses is written by hand, as ``:python:``, ``:magic:``, ``:command:`` and
``:builder:``; without the name of a function, these are all.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from markup import code, table

from nbcompare._commands import ANALYSES, Analysis, flag
from nbcompare._options import OPTIONS
from nbcompare.magics._lines import MAGICS
from nbcompare.words import CHOICES

if TYPE_CHECKING:
    from sphinx.application import Sphinx

BY_FUNCTION = {it.function: it for it in ANALYSES}
# The file of a command, by what a notebook calls its data
FILES = {
    "experiment": "scores.csv --direction maximize",
    "runs": "runs.csv --direction maximize",
    "pilot": "pilot.csv --direction maximize",
    "histories": "logs.csv --direction minimize",
}
_PLACE = re.compile(r"^```\{ways\} ?(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r":(\w+): (.+)")
_CALLED = re.compile(r"nbc\.([\w.]+)\(")


class Ways(NamedTuple):
    """What to type; a way that there is not is empty."""

    python: str
    magic: str = ""
    command: str = ""
    builder: str = ""

    def table(self) -> str:
        """Return the table, in which each way leads to its page of the reference."""
        words = ("Python", "magic", "command", "builder")
        typed = zip(words, self, strict=True)
        rows = ([_link(word, text), code(text)] for word, text in typed if text)
        return table(["way", "what to type"], rows)


def anchor(line: str) -> str:
    """Return the label of the magic or the command of a line, as pages refer to it."""
    first, *rest = line.split()
    kind, name = ("magic", first[1:]) if first.startswith("%") else ("command", rest[0])
    return f"{kind}-{name.replace('_', '-')}"


def _link(word: str, typed: str) -> str:
    if called := _CALLED.match(typed):
        return f"{{doc}}`{word} </reference/api/generated/nbcompare.{called[1]}>`"
    return f"[{word}](#{anchor(typed)})"


# ------------------------------------------------------------------------- from the table


def of_call(
    function: str,
    names: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
    *,
    data: str = "",
    file: str = "",
) -> Ways:
    """Write an analysis with these names of algorithms and settings of options.

    Parameters
    ----------
    function : str
        Name of a public function.
    names : sequence of str
        What it takes beside the data.
    settings : mapping of str to str
        Values by option, as a command line has them; an option without a value is a switch.
    data : str
        The variable that holds the data.
    file : str
        The file of a command, with the options that say how to read it.

    Raises
    ------
    ValueError
        If the function has no such option, or the option no such word.
    """
    analysis = BY_FUNCTION[function]
    data = data or analysis.takes
    known = {name.rpartition(".")[2]: name for name in analysis.options} | dict(analysis.selects)
    keywords, written = [], []
    for word, text in (settings or {}).items():
        if word not in known:
            raise ValueError(f"{function} has no option {word!r}; it has {', '.join(known)}")
        option = OPTIONS[known[word]]
        for each in text.split(",") if option.choices else ():
            option.check(each, word)
        keywords.append(f"{word}={_value(text)}")
        written.append(" ".join(filter(None, [flag(known[word]), shlex.quote(text) * bool(text)])))
    python = f"nbc.{function}({', '.join([*_given(analysis, data, names), *keywords])})"
    quoted = [shlex.quote(name) for name in names]
    # a magic takes names by position, a command by option
    by_option = [f"--{word} {name}" for word, name in zip(analysis.arguments, quoted, strict=False)]
    return Ways(
        python,
        " ".join([f"%{analysis.name} {data}", *quoted, *written]),
        " ".join([f"nbcompare {analysis.word} {file or FILES[data]}", *by_option, *written]),
        builder_of(python),
    )


def of_magic(line: str) -> Ways:
    """Write what a magic does in all ways."""
    word, data, *given = shlex.split(line.removeprefix("%"))
    magic = MAGICS[word]
    names = list(takewhile(lambda text: not text.startswith("--"), given))
    what = magic.command
    options = {flag(name): name.rpartition(".")[2] for name in what.options}
    options |= {flag(name): argument for argument, name in what.selects.items()}
    settings: dict[str, str] = dict(magic.fixed)
    for text in given[len(names) :]:
        if text.startswith("--"):
            settings[options[text]] = ""
        else:
            settings[next(reversed(settings))] = text
    found = of_call(what.function, names, settings, data=data)._replace(magic=line)
    if magic.is_diagram:  # no command draws
        return found._replace(python=f"nbc.plots.cd_diagram({found.python})", command="")
    return found


def builder_of(call: str) -> str:
    """Return the call of the builder that shows what a call computes; empty if there is none."""
    function, _, given = call.removeprefix("nbc.").partition("(")
    analysis = BY_FUNCTION.get(function)
    if analysis is None or not analysis.builder:
        return ""
    # the builder begins with a procedure that suits the data, the function with one for all
    if "procedure" in analysis.options and "procedure=" not in given:
        given = f'{given[:-1]}, procedure="{OPTIONS["procedure"].default}")'
    return f"nbc.{analysis.builder}({given}"


def _given(analysis: Analysis, data: str, names: Sequence[str]) -> list[str]:
    quoted = [f'"{name}"' for name in names]
    if analysis.data_argument and names:
        return [*quoted, f"{analysis.data_argument}={data}"]
    return [data, *quoted]


def _value(text: str) -> str:
    """Return what an option gets in a call; what the reader must choose stays as it is."""
    if not text:
        return "True"
    if text in CHOICES:
        return text
    try:
        literal = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        words = [f'"{word}"' for word in text.split(",")]
        return words[0] if len(words) == 1 else f"[{', '.join(words)}]"
    return f"[{', '.join(text.split(','))}]" if isinstance(literal, tuple) else text


# ------------------------------------------------------------------------------- on pages


def on_page(text: str) -> Iterator[Ways]:
    """Yield all ways that a page shows, as they are typed."""
    return (_read(*place) for place in _PLACE.findall(text))


def _read(function: str, block: str) -> Ways:
    fields: dict[str, str] = {}
    settings: dict[str, str] = {}
    for line in block.splitlines():
        if field := _FIELD.fullmatch(line):
            fields[field[1]] = field[2]
        else:
            word, _, value = line.partition(" ")
            settings[word] = value
    by_hand = {name: fields.pop(name) for name in Ways._fields if name in fields}
    if not function:
        return Ways(**by_hand)
    names = [name.strip() for name in fields.pop("names", "").split(",") if name]
    return of_call(function, names, settings, **fields)._replace(**by_hand)


def _fill(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = _PLACE.sub(lambda place: _read(*place.groups()).table(), source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Fill pages as they are read."""
    app.connect("source-read", _fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
