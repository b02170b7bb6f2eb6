"""The class of projects: what one holds, how it is written, and how it is read."""

from __future__ import annotations

import io
import json
import platform
import zipfile
import zlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Self, cast

import numpy as np
import scipy

from nbcompare._files import PROJECT, check_target, in_words, write_whole
from nbcompare._validation import DataError, because, listed, shown
from nbcompare._version import __version__
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.project._given import (
    KINDS,
    NOUNS,
    Data,
    Example,
    File,
    Given,
    as_given,
    checked_name,
    loaded,
    read,
    suffix_of,
    written,
)
from nbcompare.results import Result, from_json

MOST_BYTES = 2**29  # of all parts together when unpacked: a small file can hold gigabytes
_MOST_TEXT = 2**26  # of a part that is not data, which JSON takes many times
_MOST_PARTS = 100
_PACKED = 2**22  # bytes from which a part is stored as it is, so that saving stays quick
_DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip knows
_DATA = ("data/", "experiment.json", "histories.json")
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError),
    *(UnicodeDecodeError, ValueError),
)
HOW = "Save one with Project.save, or work with one in `nbcompare app study.nbcompare`."


def packed(parts: Mapping[str, bytes]) -> bytes:
    """Return a zip of these parts, in their order.

    Raises
    ------
    ValueError
        If they are too large to be read again.
    """
    total = sum(map(len, parts.values()))
    if total > MOST_BYTES:
        raise ValueError(
            f"a project must have at most {MOST_BYTES:,} bytes; got {total:,}. Leave out columns "
            "and rows that are not needed, or keep the table as a file of its own."
        )
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in parts.items():
            about = zipfile.ZipInfo(name, _DATE)
            about.create_system = 3  # the same on every system
            about.external_attr = 0o644 << 16
            is_long = len(content) >= _PACKED
            about.compress_type = zipfile.ZIP_STORED if is_long else zipfile.ZIP_DEFLATED
            archive.writestr(about, content, compresslevel=6)
    return made.getvalue()


def unpacked(path: Path) -> dict[str, bytes]:
    """Return the parts of a zip by name; nothing is written anywhere.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is no such zip, or too large.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if not (problem := _too_large(members)):
                return {one.filename: archive.read(one) for one in members}
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no file {path}. {HOW}") from None
    except OSError as error:
        raise in_words(error, f"cannot read {path}") from error
    except _BROKEN as error:
        raise ValueError(f"{path} must be a project of nbcompare{because(error)}. {HOW}") from None
    raise ValueError(f"{path} must have at most {problem}")


def _too_large(members: list[zipfile.ZipInfo]) -> str:
    """Return what would take too much memory, if anything; no part is longer than it says."""
    names = {one.filename for one in members}
    if len(members) > _MOST_PARTS or len(names) < len(members):
        got = f"got {len(members)} with {len(names)} names"
        return f"{_MOST_PARTS} parts, each once; {got}. {HOW}"
    for one in members:
        most = MOST_BYTES if one.filename.startswith(_DATA) else _MOST_TEXT
        if one.file_size > most:
            return f"{most:,} bytes in {shown(one.filename)}; got {one.file_size:,}."
    total = sum(one.file_size for one in members)
    return f"{MOST_BYTES:,} bytes when unpacked; got {total:,}." if total > MOST_BYTES else ""


def as_json(content: Any) -> bytes:
    """Return JSON in UTF-8; NaN and other words that JSON lacks are an error."""
    text = json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)
    return f"{text}\n".encode("utf-8", "surrogatepass")


def of_json(content: bytes, what: str) -> Any:
    """Return the value of JSON; a ValueError says what should have held it."""
    try:
        return json.loads(content.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{what} must be JSON{because(error)}.") from None


def _refuse(constant: str) -> float:
    raise DataError(f"{constant} is not a number")


_FORM, _VERSION = "project of nbcompare", 1
_ABOUT = "project.json"


class Project:
    """Data, the settings of builders, and results, to be kept in one file.

    Parameters
    ----------
    experiment : Experiment, optional
        The scores. The file that they were read from is kept as it is, with the arguments of
        reading, if it has not changed since then; of a bundled example only its name.
    histories : Histories, optional
        The histories of runs, in the same way.
    settings : mapping of str to mapping, optional
        The settings of builders, by the name of the page, such as
        ``{"Comparison": builder.settings}``.
    results : mapping of str to Result, optional
        Results by name.
    page : str
        The page that is shown.

    Attributes
    ----------
    given : mapping
        What was given as data, by ``experiment`` and ``histories``: a file, the name of an
        example, or the data themselves.
    settings : dict
        The settings of builders, by the name of the page.
    versions : mapping of str to str
        The versions with which it was saved.

    Raises
    ------
    TypeError
        For other data, settings or results.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import nbcompare as nbc
    >>> experiment = nbc.datasets.load("demsar2006")
    >>> builder = nbc.CDDiagramBuilder(experiment, control="C4.5")
    >>> project = nbc.Project(
    ...     experiment,
    ...     settings={"Comparison": builder.settings},
    ...     results={"Comparison": builder.result},
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = project.save(Path(folder, "study.nbcompare"))
    ...     again = nbc.open_project(path)
    >>> again.settings
    {'Comparison': {'control': 'C4.5'}}
    >>> again.results["Comparison"].control, again.experiment
    ('C4.5', <Experiment: 4 algorithms on 14 data sets, AUC, maximize>)
    """

    def __init__(
        self,
        experiment: Experiment | File | Example | None = None,
        histories: Histories | File | Example | None = None,
        *,
        settings: Mapping[str, Mapping[str, Any]] | None = None,
        results: Mapping[str, Result] | None = None,
        page: str = "",
    ) -> None:
        given = {"experiment": experiment, "histories": histories}
        self.given: dict[str, Given] = {}
        for kind, one in given.items():
            if isinstance(one, KINDS[kind]):
                self.given[kind] = as_given(one)
            elif isinstance(one, File | Example):
                self.given[kind] = one
            elif one is not None:
                raise TypeError(f"`{kind}` must be {NOUNS[kind]}; got {shown(one)}.")
        for page_name, each in (settings or {}).items():
            if not isinstance(page_name, str) or not isinstance(each, Mapping):
                raise TypeError(
                    "`settings` must be those of builders by page, such as "
                    f"{{'Comparison': builder.settings}}; got {shown(settings)}."
                )
        self.settings = {name: dict(each) for name, each in (settings or {}).items()}
        for name, result in (results or {}).items():
            if not isinstance(name, str) or not isinstance(result, Result):
                raise TypeError(f"`results` must be results by name; got {shown(results)}.")
        self._texts = {name: result.to_json() for name, result in (results or {}).items()}
        self.page, self.versions = page, _versions()
        self._source = "the project"

    def __repr__(self) -> str:
        named = ", ".join([*self.given, *(f"{name!r}" for name in self.settings)])
        return f"<Project: {named or 'empty'}>"

    # ------------------------------------------------------------------------- what it has

    @cached_property
    def experiment(self) -> Experiment | None:
        """The scores, read again as they were; None without any."""
        return cast("Experiment | None", self._data("experiment"))

    @cached_property
    def histories(self) -> Histories | None:
        """The histories of runs, read again as they were; None without any."""
        return cast("Histories | None", self._data("histories"))

    def _data(self, kind: str) -> Data | None:
        given = self.given.get(kind)
        return None if given is None else loaded(given, kind, self._source)

    @cached_property
    def results(self) -> Mapping[str, Result]:
        """The results by name, as they were when the project was saved."""
        made = {}
        for name, text in self._texts.items():
            try:
                made[name] = from_json(text)
            except ValueError as error:
                raise ValueError(
                    f"{self._source} has a result {shown(name)} that nbcompare {__version__} "
                    f"cannot read; it is of nbcompare {self.versions['nbcompare']}: {error}"
                ) from None
        return made

    # --------------------------------------------------------------------------- in a file

    def save(self, path: str | Path) -> Path:
        """Write the project to a file, which :func:`nbcompare.open_project` reads.

        Parameters
        ----------
        path : str or Path
            The file, such as ``study.nbcompare``; one that is there is replaced, as a whole.
            The same project gives the same bytes.

        Returns
        -------
        Path
            The file that was written.

        Raises
        ------
        ValueError
            If the name ends in something else, the project is too large, or settings are no
            values of JSON.
        OSError
            If it cannot be written.
        """
        target = Path(path)
        if target.suffix.lower() != PROJECT:
            raise ValueError(f"`path` must end in {PROJECT}; got {shown(str(path))}.")
        check_target(target)
        write_whole(target, packed(self._parts()))
        return target

    def _parts(self) -> dict[str, bytes]:
        """Return the parts of the file by name, what it is about first."""
        data: dict[str, Any] = {}
        parts: dict[str, bytes] = {}
        for kind, given in self.given.items():
            if isinstance(given, Example):
                data[kind] = {"example": given.name}
            elif isinstance(given, File):
                part = f"data/{kind}{suffix_of(given.name)}"
                name = given.name.encode("utf-8", "backslashreplace").decode()
                data[kind] = {"part": part, "file": name, "reading": dict(given.reading)}
                parts[part] = given.content
            else:
                part = f"{kind}.json"
                data[kind] = {"part": part}
                parts[part] = json.dumps(written(given), allow_nan=False).encode("ascii")
        results = {name: f"results/{n}.json" for n, name in enumerate(self._texts, start=1)}
        parts |= {results[name]: text.encode("ascii") for name, text in self._texts.items()}
        about = {
            "form": _FORM,
            "version": _VERSION,
            "versions": _versions(),
            "data": data,
            "settings": self.settings,
            "results": results,
            "page": self.page,
        }
        try:
            return {_ABOUT: as_json(about), **parts}
        except TypeError as error:
            raise ValueError(f"`settings` must be values of JSON: {error}.") from None

    @classmethod
    def _of_parts(cls, parts: dict[str, bytes], path: Path) -> Self:
        """Return the project of the parts of a file; none of them is taken on trust."""
        about = _description(parts, path)
        known = {_ABOUT}
        given: dict[str, Any] = {}
        for kind, one in _object(about, "data", path).items():
            if kind not in KINDS or not isinstance(one, dict):
                raise ValueError(f"{path} must have `data` of {listed(KINDS)}; got {shown(kind)}.")
            if "example" in one:
                given[kind] = Example(str(one["example"]))
                continue
            content = _part(parts, one.get("part"), path)
            known.add(one["part"])
            if "file" in one:
                reading = _object(one, "reading", path)
                given[kind] = File(checked_name(one["file"], path), content, reading)
            else:
                try:
                    given[kind] = read(of_json(content, one["part"]), kind)
                except ValueError as error:
                    raise ValueError(f"{path} cannot be read: {error}") from None
        settings = _object(about, "settings", path)
        for page in settings:
            _object(settings, page, path)
        made = cls(**given, settings=settings, page=str(about.get("page", "")))
        for name, part in _object(about, "results", path).items():
            content = _part(parts, part, path)
            made._texts[name] = content.decode("utf-8", "replace")
            known.add(part)
        strange = [name for name in parts if name not in known]
        if strange:
            raise ValueError(f"{path} must have only parts of a project; got {listed(strange)}.")
        made.versions = {name: str(of) for name, of in _object(about, "versions", path).items()}
        made._source = str(path)
        return made


def open_project(path: str | Path) -> Project:
    """Return the project that :meth:`Project.save`, a builder or the app has written.

    A project from another person is read as any table: nothing in it is run, and nothing of it is
    written but a copy of its table, which is gone once that is read.

    Parameters
    ----------
    path : str or Path
        The file, such as ``study.nbcompare``.

    Returns
    -------
    Project
        Its ``experiment`` and ``histories`` are read when they are asked for; ``settings`` are
        those of builders, by page, and ``results`` were found when it was saved.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is no project, is damaged or too large, or is of a later version.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> nbc.open_project("study.nbcompare")
    Traceback (most recent call last):
        ...
    FileNotFoundError: there is no file study.nbcompare. Save one with Project.save, or work with
    one in `nbcompare app study.nbcompare`.
    """
    return Project._of_parts(  # noqa: SLF001 - of this module
        unpacked(Path(path)), Path(path)
    )


def _description(parts: dict[str, bytes], path: Path) -> dict[str, Any]:
    """Return what a file says of itself, if it is a project that can be read here."""
    content = of_json(parts[_ABOUT], f"{_ABOUT} in {path}") if _ABOUT in parts else None
    if not isinstance(content, dict) or content.get("form") != _FORM:
        raise ValueError(f"{path} must be a project of nbcompare; it is another file. {HOW}")
    version = content.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ValueError(f"{path} must say which version of projects it is; got {shown(version)}.")
    if version > _VERSION:
        raise ValueError(
            f"{path} must be a project of version {_VERSION} to be read by nbcompare "
            f"{__version__}; got version {version}. Install a later nbcompare."
        )
    return content


def _object(content: Mapping[str, Any], name: str, path: Path) -> dict[str, Any]:
    found = content.get(name)
    if not isinstance(found, dict):
        raise ValueError(f"{path} must have `{name}` as an object; got {shown(found)}.")
    return found


def _part(parts: Mapping[str, bytes], name: object, path: Path) -> bytes:
    if not isinstance(name, str) or name not in parts:
        raise ValueError(f"{path} must have a part {shown(name)}; it has {listed(parts)}.")
    return parts[name]


def _versions() -> dict[str, str]:
    return {
        "nbcompare": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }
