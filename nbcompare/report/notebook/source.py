"""The data of a report, and the Python code that loads them again on the reader's machine."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from nbcompare._options import RAW
from nbcompare._tables import Origin, origin_of, stamp_of
from nbcompare._validation import clean_label
from nbcompare.experiment import Experiment
from nbcompare.formats import is_pattern
from nbcompare.histories import Histories

if TYPE_CHECKING:
    import pandas as pd

Data = Experiment | Histories
# Characters of a table that a cell may hold; a longer table is a file beside the notebook.
_MOST_INSIDE = 200_000
_LABELS = ("dataset", "problem", "algorithm", "fold", "item", "cluster")
_BESIDE = ("run", "higher_is_better", "domain")
_ORDERED = ("datasets", "problems", "algorithms")


@dataclass(frozen=True, eq=False)
class Source:
    """Scores or histories, and the way in which a notebook loads them.

    Attributes
    ----------
    data : Experiment or Histories
        The data that the notebook needs.
    variable : str
        Their variable there.
    """

    data: Data
    variable: str

    @cached_property
    def origin(self) -> Origin | None:
        """The call that still loads the same data, if there is one."""
        origin = repeatable(self.data)
        if origin is None or is_untouched(origin) or self._is_still_there(origin):
            return origin
        return None

    def _is_still_there(self, origin: Origin) -> bool:
        """Whether a file that was written to since then still holds the same data."""
        try:
            read = getattr(type(self.data), origin.function.rpartition(".")[2])
            again = read(origin.source, **origin.options)
            if origin.item is not None:
                again = again[origin.item]
        except (ValueError, OSError, KeyError):
            return False
        return alike(again, self.data)

    @property
    def name(self) -> str | None:
        """The name of the file or the example; None for data from neither."""
        if self.origin is None:
            return None
        source = self.origin.source
        if isinstance(source, str):
            return source
        if is_pattern(source):  # which is called as the folder of its files
            source = next(folder for folder in source.parents if folder.is_dir())
        # the name of a file may contain bytes that are not text
        return clean_label(source.name.partition(".")[0] or source.name)

    @cached_property
    def written(self) -> Written:
        """The data as text for the notebook, or for a file beside it, if no other file has them."""
        return written(self.data)

    @property
    def file_name(self) -> str | None:
        """The name of the file of data beside the notebook; None if none is needed.

        The name ends in the first digits of the fingerprint: an existing file with that name has
        the same contents, and no other file is overwritten.
        """
        if self.origin is not None or not self.written.is_long:
            return None
        return f"{self.variable}-{self.data.fingerprint.partition(':')[2][:12]}.csv"

    def code(self, folder: Path) -> str:
        """Return statements that create the variable, for a notebook in a folder.

        Parameters
        ----------
        folder : Path
            Paths are relative to this folder.
        """
        if self.origin is not None:
            source = self.origin.source
            shown = source if isinstance(source, str) else seen_from(folder, source)
            arguments = ", ".join([repr(shown), *keywords(self.origin.options)])
            call = f"nbc.{self.origin.function}({arguments}){self.origin.picked}"
            return f"{self.variable} = {call}"
        if self.file_name is None:
            return self.written.inside(self.variable)
        return self.written.beside(self.variable, self.file_name)


def repeatable(data: object) -> Origin | None:
    """Return the call that loaded the data, if it can be written as code and its file exists."""
    origin = origin_of(data)
    if origin is None or isinstance(origin.source, str):
        return origin
    literal = all(map(_is_literal, origin.options.values()))
    there = origin.source.exists() or is_pattern(origin.source)
    return origin if literal and there else None


def is_untouched(origin: Origin) -> bool:
    """Whether an example or a file is unchanged since it was read, without reading it again."""
    return isinstance(origin.source, str) or stamp_of(origin.source) == origin.stamp


def seen_from(folder: Path, data: Path) -> str:
    """Return the path of data relative to a folder, as a notebook writes it."""
    return Path(os.path.relpath(data.resolve(), folder.resolve())).as_posix()


def keywords(options: Mapping[str, Any]) -> list[str]:
    """Write options as keyword arguments, ``name=value``."""
    return [f"{name}={value!r}" for name, value in options.items()]


def _is_literal(value: object) -> bool:
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError):
        return False


class Written(NamedTuple):
    """Data as a table of text, and the code that reads it.

    Attributes
    ----------
    table : str
        CSV with a header.
    arguments : str
        Arguments of ``from_frame`` and ``read``.
    class_name : str
        ``Experiment`` or ``Histories``.
    numbers : str
        A call that converts columns of numbers.
    order : str
        Calls that restore the order of the labels and the points of histories, if they differ.
    fields : tuple of str
        Fields that no table has, as keyword arguments: deviations, notes and the citation.
    """

    table: str
    arguments: str
    class_name: str
    numbers: str
    order: str = ""
    fields: tuple[str, ...] = ()

    @property
    def is_long(self) -> bool:
        """Whether the table is too long for a cell."""
        return len(self.table) > _MOST_INSIDE

    def inside(self, variable: str) -> str:
        """Return statements that contain the table."""
        return (
            "import io\n\nimport pandas as pd\n\n"
            "# the data themselves, which were not read from a file\n"
            f"{variable}_table = {_literal(self.table)}\n"
            f"{variable}_text = pd.read_csv(\n"
            f"    io.StringIO({variable}_table), dtype=str, keep_default_na=False\n)\n"
            f"{variable}_frame = {variable}_text{self.numbers}\n"
            f"{variable} = nbc.{self.class_name}.from_frame(\n"
            f"    {variable}_frame, {self.arguments}\n){self._more(variable)}"
        )

    def beside(self, variable: str, path: str) -> str:
        """Return statements that read the table from a file."""
        return (
            f"{variable} = nbc.{self.class_name}.read({path!r}, {self.arguments})"
            f"{self._more(variable)}"
        )

    def _more(self, variable: str) -> str:
        if not self.fields:
            return self.order
        return (
            f"{self.order}\n\nimport dataclasses\n\n"
            f"{variable} = dataclasses.replace({variable}, {', '.join(self.fields)})"
        )


class _WrittenArray(Written):
    """Scores of which some are infinite, which no table may hold, as an array in a cell."""

    @property
    def is_long(self) -> bool:
        return False

    def inside(self, variable: str) -> str:
        return (
            "# the data themselves, which were not read from a file\n"
            f"{variable} = nbc.Experiment.from_array(\n"
            f"    [\n{self.table}    ],\n    {self.arguments},\n){self._more(variable)}"
        )


def _written_array(data: Experiment) -> Written:
    """Write an experiment with infinite scores, of which there is one in each cell."""
    rows = (repr(row) for row in data.lower[:, :, 0, 0].tolist())
    table = "".join(f"        {row},\n" for row in rows)
    for word in ("inf", "nan"):
        table = table.replace(word, f'float("{word}")')
    names = ("direction", "datasets", "algorithms", "measure", "infinite")
    arguments = {name: getattr(data, name) for name in names}
    arguments |= {name: list(arguments[name]) for name in ("datasets", "algorithms")}
    groups = () if data.domains is None else (f"domains={data.domains!r}",)
    turned = (f"turned={data.turned!r}",) if data.turned else ()
    return _WrittenArray(
        table,
        ", ".join(keywords(arguments)),
        "Experiment",
        "",
        fields=(*groups, *turned, *_fields(data)),
    )


def written(data: Experiment | Histories) -> Written:
    """Write data as text, in the first layout from which they can be read unchanged.

    Raises
    ------
    ValueError
        If there is no such layout.
    """
    if isinstance(data, Experiment) and data.n_infinite:
        return _written_array(data)
    for frame, keep in ((frame, keep) for frame in _frames(data) for keep in (False, True)):
        plain = Written(
            frame.to_csv(index=False, lineterminator="\n", na_rep="nan"),
            _arguments(data, frame) + (_kept(data, frame) if keep else ""),
            type(data).__name__,
            _numbers(frame),
        )
        try:
            text = plain._replace(order=_order(data, plain), fields=_fields(data))
            made = load_again(text.inside("made"), "made")
        except ValueError:
            continue  # it is read differently from how it was written
        if alike(made, data):
            return text
    raise ValueError(f"{data!r} cannot be written as text without a change; read it from a file.")


def load_again(code: str, variable: str) -> Any:
    """Run statements of a notebook, and return the value of a variable."""
    namespace: dict[str, Any] = {"nbc": SimpleNamespace(Experiment=Experiment, Histories=Histories)}
    exec(code, namespace)
    return namespace[variable]


def _frames(data: Experiment | Histories) -> Iterator[pd.DataFrame]:
    if isinstance(data, Histories):
        yield data.to_frame()
        return
    if data.n_folds * data.n_runs == 1 and not data.is_interval:
        clash = {*_LABELS, *_BESIDE, "score", "lower", "upper"} & set(data.algorithms)
        if not clash:
            yield data.to_frame().reset_index()
    frame = data.to_frame("long")
    alone = {"fold": data.n_folds, "run": data.n_runs}
    yield frame.drop(
        columns=[name for name, count in alone.items() if count == 1 and name in frame]
    )
    yield frame


def _arguments(data: Experiment | Histories, frame: pd.DataFrame) -> str:
    """Return the arguments to read the frame; only a long one has a column for algorithms.

    What a frame has no column for is given by data set.
    """
    names = list(frame.columns) if "algorithm" in frame.columns else ["dataset"]
    given = [] if "higher_is_better" in names else [f"direction={_directions(data)!r}"]
    given += [f"{name}={name!r}" for name in names]
    if isinstance(data, Experiment) and data.domains is not None and "domain" not in names:
        given.append(f"domain={dict(zip(data.datasets, data.domains, strict=True))!r}")
    if data.measure is not None:
        given.append(f"measure={data.measure!r}")
    if isinstance(data, Histories):
        given += [f"values={RAW!r}"] if data.is_raw else []
        given += ["early='carry'"] if data.logged is not None else []
    return ", ".join(given)


def _directions(data: Experiment | Histories) -> str | dict[str | None, str]:
    """Return the direction, by data set if it differs."""
    if isinstance(data, Histories) or not data.turned:
        return data.direction
    ways = dict(zip(data.datasets, data.ways, strict=True))
    return {**{name: ways[name] for name in data.turned}, None: data.direction}


def _kept(data: Experiment | Histories, frame: pd.DataFrame) -> str:
    """Return the arguments that say that nothing in the frame is a summary or a size."""
    if isinstance(data, Histories):
        return ""
    rows = f", keep_rows={list(data.datasets)!r}"
    return rows if "algorithm" in frame.columns else f"{rows}, keep={list(data.algorithms)!r}"


def _numbers(frame: pd.DataFrame) -> str:
    """Return the call that converts numbers, with Python's float, which reads them exactly."""
    if "algorithm" not in frame.columns:
        return ".set_index('dataset').astype(float)"
    numbers = {name for name in frame.columns if name not in (*_LABELS, *_BESIDE)}
    types = ", ".join(f"{name!r}: float" for name in frame.columns if name in numbers)
    return f".astype({{{types}}})"


def _order(data: Experiment | Histories, plain: Written) -> str:
    made = load_again(plain.inside("made"), "made")
    order = [
        f"{name}={list(getattr(data, name))!r}"
        for name in _ORDERED
        if getattr(made, name, None) != getattr(data, name, None)
    ]
    calls = f".select({', '.join(order)})" if order else ""
    if isinstance(data, Histories):
        points = data.evaluations.tolist()
        if made.select(problems=data.problems).evaluations.tolist() != points:
            calls += f".with_points({points})"
    return calls


def _fields(data: Experiment | Histories) -> tuple[str, ...]:
    """Return the fields that no table has, as keyword arguments."""
    fields = []
    if isinstance(data, Experiment) and data.deviations is not None:
        fields.append(f"deviations={_deviations(data)}")
    if isinstance(data, Experiment) and data.notes:
        fields.append(f"notes={[(note.code, note.text) for note in data.notes]!r}")
    if isinstance(data, Histories) and data.dimensions is not None:
        fields.append(f"dimensions={data.dimensions.tolist()}")
    if data.citation is not None:
        fields.append(f"citation={data.citation!r}")
    return tuple(fields)


def _deviations(data: Experiment | Histories) -> str:
    """Return the deviations as a list of lists, nothing if there are none."""
    if isinstance(data, Histories) or data.deviations is None:
        return ""
    return repr(data.deviations.tolist()).replace("nan", "float('nan')")


def alike(made: Any, data: Experiment | Histories) -> bool:
    """Whether two data sets are the same, including the order of their labels."""
    names = (*_ORDERED, "folds", "measure", "citation", "turned", "domains")
    return (
        bool(made.fingerprint == data.fingerprint)
        and all(getattr(made, name, None) == getattr(data, name, None) for name in names)
        and _deviations(made) == _deviations(data)
    )


def _literal(table: str) -> str:
    """Write a string literal over several lines, unless its contents would end or change it."""
    if "\\" in table or '"""' in table or not table.replace("\n", "").isprintable():
        lines = "\n".join(f"    {line!r}" for line in table.splitlines(keepends=True))
        return f"(\n{lines}\n)"
    return f'"""\\\n{table}"""'
