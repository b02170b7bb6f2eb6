"""Keeping a project: what is set on the pages of a DataBuilder goes into its file by itself."""

from __future__ import annotations

import atexit
from pathlib import Path
from time import monotonic
from typing import Any

from nbcompare._files import PROJECT, check_target
from nbcompare.project import Example, File, Project, open_project
from nbcompare.results import Result
from nbcompare.widgets._builder import Builder
from nbcompare.widgets._data_model import DataModel, of_log
from nbcompare.widgets._data_tabs import PAGES, REPORT, Tabs
from nbcompare.widgets._live import Debounced
from nbcompare.widgets._settings import SettingError

_REST = 1.0  # seconds without a change after which the file is written
_SPARING = 10  # times as long as it takes to write the file, which may have a large table
TITLES = tuple(dict.fromkeys(page.title for page in PAGES))
DATA = "Data"  # the title of the first page


def opened(path: Path) -> Project:
    """Return the project in a file; an empty one if there is no such file yet.

    Raises
    ------
    OSError
        If it cannot be read, or not be written.
    ValueError
        If it is no project.
    """
    if path.suffix.lower() != PROJECT:
        raise ValueError(f"`project` must end in {PROJECT}; got {str(path)!r}.")
    check_target(path)
    return open_project(path) if path.exists() else Project()


class Autosave:
    """The file of a project, and the builders whose settings it has.

    Parameters
    ----------
    builder : DataBuilder
        Its data are those of the project.
    path : Path
        The file.
    project : Project
        What the file has now.
    """

    def __init__(self, builder: Builder, path: Path, project: Project) -> None:
        self._builder, self._path = builder, path.resolve()
        self._histories: Any = project.given.get("histories")
        self._waiting = dict(project.settings)  # of pages that were not opened since then
        self._page = project.page
        self._data: Any = None  # what the settings that wait are of
        self._followed: dict[str, Builder] = {}
        self._tabs: Tabs | None = None
        self._file: tuple[Any, File] | None = None  # with its stamp
        self._said = ""
        self._is_behind = False  # also after writing was interrupted
        self.saving = Debounced(_REST, self.save)

    def begin(self, tabs: Tabs) -> None:
        """Open the pages that the project has settings of, and follow what is set on them."""
        self._tabs, self._data = tabs, self._builder.data
        tabs.on_made = self._follow
        for title in TITLES:
            if title in self._waiting:
                tabs.select(title)
        tabs.select(self._page or DATA)
        tabs.on_turned = self.ask
        atexit.register(self.finish)

    def end(self) -> None:
        """Write what is to be written, and follow nothing any more."""
        self.finish()
        atexit.unregister(self.finish)
        self._waiting = {**self._waiting, **self._settings()}
        for builder in self._followed.values():
            builder.unobserve(self._changed, _watched(builder))
        self._followed, self._tabs = {}, None

    def ask(self) -> None:
        """Write the file soon, and at once where nothing runs later."""
        if self._tabs is not None:
            self._is_behind = True
            if not self.saving.ask():
                self.save()

    def finish(self) -> None:
        """Write what waits to be written."""
        if self._is_behind:
            self.save()

    # ---------------------------------------------------------------------------- the pages

    def _changed(self, _: Any) -> None:
        self.ask()

    def _follow(self, title: str, builder: Builder) -> None:
        """Restore the settings of a page that was opened now, and hear of their changes."""
        saved = self._waiting.pop(title, None)
        if saved is not None and self._builder.data is self._data:
            _restore(builder, saved, self._path)
        builder.observe(self._changed, _watched(builder))
        self._followed[title] = builder

    def _settings(self) -> dict[str, dict[str, Any]]:
        """Return the settings of the pages that are open."""
        found = {}
        for title, builder in self._followed.items():
            found[title] = dict(builder.settings)
            if title == REPORT:  # what is usual depends on what the comparison hands on
                found[title]["missing"] = builder.missing
        return found

    # ----------------------------------------------------------------------------- the file

    def save(self) -> None:
        """Write the file; say on the page of the data if that fails."""
        self.saving.drop()
        if self._builder.data is not self._data:
            self._data, self._waiting = self._builder.data, {}
        said, began = "", monotonic()
        try:
            self._project().save(self._path)
        except (OSError, ValueError) as error:
            said = f"The project is not saved: {error}"
        self._is_behind = False
        self.saving.seconds = max(_REST, _SPARING * (monotonic() - began))
        screen = self._builder._live.screen  # noqa: SLF001 - of this package
        if said != self._said and screen is not None:
            screen.say([said] if said else [])
        self._said = said

    def _project(self) -> Project:
        results = {title: _found(builder) for title, builder in self._followed.items()}
        model: Any = self._builder._model  # noqa: SLF001 - of this package
        is_log = model.histories() is not None
        given = self._given(model, is_log)
        return Project(
            None if is_log else given,
            given if is_log else self._histories,
            settings={**self._waiting, **self._settings()},
            results={title: one for title, one in results.items() if isinstance(one, Result)},
            page="" if self._tabs is None else self._tabs.shown,
        )

    def _given(self, model: DataModel, is_log: bool) -> Any:
        """Return the data as they were given, of scores or of a log of runs."""
        source = self._builder.data
        if source.example is not None:
            return Example(source.example)
        if isinstance(source.given, Path):
            stamp = source.number, source.table.stamp
            if self._file is None or self._file[0] != stamp:
                self._file = stamp, File(source.name, source.given.read_bytes(), {})
            said = self._builder.settings
            reading = of_log(said) if is_log else said
            return self._file[1]._replace(reading=reading)
        return model.histories() if is_log else model.preview.experiment


def _watched(builder: Builder) -> list[str]:
    return [*builder._order, "result"]  # noqa: SLF001 - of this package


def _restore(builder: Builder, settings: dict[str, Any], path: Path) -> None:
    """Set what a project says; what does not go with these data is said on the page."""
    try:
        builder.settings = settings
    except SettingError as error:
        notices = builder._model.choices.notices  # noqa: SLF001 - of this package
        notices[:] = [f"The settings in {path.name} are not for these data: {error}"]
        builder._live.changed()  # noqa: SLF001 - of this package


def _found(builder: Builder) -> Any:
    """Return the result of a page, if it is there."""
    model = builder._model  # noqa: SLF001 - of this package
    return model.result if model.key() in model.results else None
