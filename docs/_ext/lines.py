"""The commands and the magics with their options, from the parsers that read them."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from markup import block, capital, code, heading, plain, table
from ways import FILES, Ways, anchor, of_magic

from nbcompare._commands import ANALYSES, Analysis
from nbcompare.cli._run import EXIT_CODES, command_parser
from nbcompare.magics import _lines as magics
from nbcompare.magics._report import report_parser

# Options that so many lines share are described once.
_SHARED = 3
# Of the groups that argparse names
_HEADINGS = {"positional arguments": "what it is about", "options": "what else it does"}


class Line(NamedTuple):
    """A command or a magic, and the analysis behind it, if there is one."""

    name: str
    text: str
    parser: argparse.ArgumentParser
    analysis: Analysis | None = None

    @property
    def usage(self) -> str:
        """How it is written."""
        return self.parser.format_usage().removeprefix("usage: ")


class Group(NamedTuple):
    """Some options of a line under a heading."""

    heading: str
    options: tuple[tuple[str, str], ...]  # as they are written, and what they do


# ------------------------------------------------------------------------------- the lines


def commands() -> dict[str, Line]:
    """Return the commands of ``nbcompare`` by name."""
    parser = command_parser(())
    (choices,) = (
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    )
    helps = {action.dest: action.help for action in choices._choices_actions}
    analyses = {analysis.word: analysis for analysis in ANALYSES}
    return {
        name: Line(f"nbcompare {name}", helps[name] or "", found, analyses.get(name))
        for name, found in choices.choices.items()
    }


def magic_lines() -> dict[str, Line]:
    """Return the magics by name: of analyses, and of reports."""
    found = {
        name: Line(f"%{name}", magic.command.help, magic.parser(), magic.command)
        for name, magic in magics.MAGICS.items()
    }
    report = Line("%nbreport", "export the results of a notebook as a report", report_parser())
    return found | {"nbreport": report}


def exit_codes() -> str:
    """Return the exit codes of the commands, as ``nbcompare --help`` tells them."""
    told = re.findall(r"^  (\d+) +(.*(?:\n   .*)*)", EXIT_CODES, re.MULTILINE)
    rows = ([number, plain(" ".join(meaning.split()))] for number, meaning in told)
    return table(["exit code", "meaning"], rows)


# ----------------------------------------------------------------------------- the options


def groups_of(parser: argparse.ArgumentParser) -> Iterator[Group]:
    """Yield the groups of options of a parser that have some."""
    for group in parser._action_groups:
        options = tuple(
            (_written(action), _help(action, parser))
            for action in group._group_actions
            if action.help != argparse.SUPPRESS and not isinstance(action, argparse._HelpAction)
        )
        if options:
            yield Group(_HEADINGS.get(str(group.title), str(group.title)), options)


def _written(action: argparse.Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else ""
    if not value and action.nargs != 0:
        value = (
            f"{{{','.join(map(str, action.choices))}}}" if action.choices else action.dest.upper()
        )
    if not action.option_strings:
        return value or action.dest
    return ", ".join(f"{option} {value}".strip() for option in action.option_strings)


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    return (action.help or "") % {**vars(action), "prog": parser.prog}


# ------------------------------------------------------------------------------- the pages


def command_page() -> str:
    """Return the reference of the command line."""
    return _page(commands(), "command")


def magic_page() -> str:
    """Return the reference of the magics."""
    return _page(magic_lines(), "magic")


def _page(lines: Mapping[str, Line], kind: str) -> str:
    groups = {name: tuple(groups_of(line.parser)) for name, line in lines.items()}
    used = Counter(group for found in groups.values() for group in found)
    shared = {group: f"{kind}-options-{i}" for i, group in enumerate(_often(used), 1)}
    rows = (
        [f"[{code(line.name)}](#{anchor(line.name)})", plain(line.text)] for line in lines.values()
    )
    parts = [table([kind, "what it does"], rows)]
    for name, line in lines.items():
        parts += [heading(anchor(line.name), plain(line.name)), _sentence(line.text)]
        parts += [block("text", line.usage), *_in_all_ways(line)]
        for group in groups[name]:
            if group in shared:
                parts.append(f"**{capital(group.heading)}**: [see below](#{shared[group]}).")
            else:
                parts += [f"**{capital(group.heading)}**", _definitions(group)]
    for group, label in shared.items():
        users = [lines[name] for name, found in groups.items() if group in found]
        links = ", ".join(f"[{code(line.name)}](#{anchor(line.name)})" for line in users)
        of = " of histories" if all(_takes_histories(line) for line in users) else ""
        parts += [heading(label, capital(group.heading) + of), f"These options go with {links}."]
        parts.append(_definitions(group))
    return "\n\n".join(parts)


def _takes_histories(line: Line) -> bool:
    return line.analysis is not None and line.analysis.takes == "histories"


def first_example(analysis: Analysis) -> Ways:
    """Return the first example of a magic in all ways, of data that have a name in a notebook."""
    return of_magic(next(one for one in analysis.examples if one.split()[1] in FILES))


def _in_all_ways(line: Line) -> Iterator[str]:
    """Yield an example of an analysis in all ways, and others of its magic."""
    if line.analysis is None:
        return
    first = first_example(line.analysis)
    yield first.table()
    others = [one for one in line.analysis.examples if one != first.magic]
    if line.name.startswith("%") and others:
        yield block("ipython", "\n".join(others))


def _often(used: Mapping[Group, int]) -> Iterator[Group]:
    return (group for group, n in used.items() if n >= _SHARED and len(group.options) > 1)


def _sentence(text: str) -> str:
    return f"{plain(capital(text))}."


def _definitions(group: Group) -> str:
    return "\n\n".join(f"{code(name)}\n: {plain(text) or '–'}" for name, text in group.options)
