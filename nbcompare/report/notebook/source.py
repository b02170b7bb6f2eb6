"""The data of a report, and the Python that loads them again on the reader's machine."""

from __future__ import annotations

import ast
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from nbcompare._tables import Origin, origin_of, stamp_of
from nbcompare._validation import clean_label
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.notebook.embed import Written, alike, written

Data = Experiment | Histories


@dataclass(frozen=True, eq=False)
class Source:
    """Scores or histories, and how a notebook loads them.

    Attributes
    ----------
    data : Experiment or Histories
        What a notebook shall have.
    variable : str
        What it is called there.
    """

    data: Data
    variable: str

    @cached_property
    def origin(self) -> Origin | None:
        """The call that still gives the same data, if there is one."""
        origin = repeatable(self.data)
        if origin is None or is_untouched(origin) or self._is_still_there(origin):
            return origin
        return None

    def _is_still_there(self, origin: Origin) -> bool:
        """Whether a file that was written to since has the same results in it."""
        try:
            again = type(self.data).read(origin.source, **origin.options)
        except (ValueError, OSError):
            return False
        return alike(again, self.data)

    @property
    def name(self) -> str | None:
        """Of the file or example."""
        if self.origin is None:
            return None
        source = self.origin.source
        if isinstance(source, str):
            return source
        # the name of a file may have bytes in it that are no text
        return clean_label(source.name.partition(".")[0] or source.name)

    @cached_property
    def written(self) -> Written:
        """The data as text, to stand in the notebook or beside it if nothing else has them."""
        return written(self.data)

    @property
    def file_name(self) -> str | None:
        """Of the text beside the notebook; None where it is not needed.

        The name ends in the first digits of the fingerprint: a file of that name that is there
        already has the same contents, and no other file is overwritten.
        """
        if self.origin is not None or not self.written.is_long:
            return None
        return f"{self.variable}-{self.data.fingerprint.partition(':')[2][:12]}.csv"

    def code(self, folder: Path, beside: Path | None = None) -> str:
        """Statements that bind the variable, in a notebook that stands in a folder.

        Parameters
        ----------
        folder : Path
            Paths are written as seen from here.
        beside : Path, optional
            Where the file called ``file_name`` is for now; in that folder by default.
        """
        if self.origin is not None:
            source = self.origin.source
            shown = source if isinstance(source, str) else seen_from(folder, source)
            arguments = ", ".join([repr(shown), *keywords(self.origin.options)])
            return f"{self.variable} = nbc.{self.origin.function}({arguments})"
        if self.file_name is None:
            return self.written.inside(self.variable)
        return self.written.beside(self.variable, str(beside or self.file_name))


def repeatable(data: object) -> Origin | None:
    """The call that loaded the data, if it can be written down and its file is still there."""
    origin = origin_of(data)
    if origin is None or isinstance(origin.source, str):
        return origin
    literal = all(map(_is_literal, origin.options.values()))
    return origin if literal and origin.source.exists() else None


def is_untouched(origin: Origin) -> bool:
    """Whether the example or file is as it was when it was read, without reading it again."""
    return isinstance(origin.source, str) or stamp_of(origin.source) == origin.stamp


def seen_from(folder: Path, data: Path) -> str:
    """Path of the data as the notebook writes it."""
    return Path(os.path.relpath(data.resolve(), folder.resolve())).as_posix()


def keywords(options: Mapping[str, Any]) -> list[str]:
    """``name=value`` as in a call."""
    return [f"{name}={value!r}" for name, value in options.items()]


def _is_literal(value: object) -> bool:
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError):
        return False
