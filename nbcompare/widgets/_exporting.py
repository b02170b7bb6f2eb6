"""Tasks for a worker: a report with its data, and the files to write."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from nbcompare._display import Display, Options, current
from nbcompare._progress import Progress
from nbcompare._tables import Origin, origin_of, remember
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.report import Report


class Document(NamedTuple):
    """The data and arguments of a report, on their way to another process."""

    experiment: Experiment | None
    histories: Histories | None
    arguments: dict[str, Any]
    origins: tuple[Origin | None, ...]
    display: Display

    @classmethod
    def of(
        cls, experiment: Experiment | None, histories: Histories | None, arguments: dict[str, Any]
    ) -> Document:
        """Return it with what is known here: where the data are from, and how results are shown."""
        origins = tuple(
            None if data is None else origin_of(data) for data in (experiment, histories)
        )
        return cls(experiment, histories, arguments, origins, current())

    def report(self) -> Report:
        """Return the report, which loads its data as it would in the first process."""
        for data, origin in zip((self.experiment, self.histories), self.origins, strict=True):
            if data is not None and origin is not None:
                remember(data, origin)
        return Report(self.experiment, histories=self.histories, **self.arguments)


class Export(NamedTuple):
    """A task: a report, and the files to write."""

    document: Document
    paths: tuple[str, ...]

    def run(self) -> tuple[Path, ...]:
        """Write the files."""
        from nbcompare.report.make import export

        paths = [Path(path) for path in self.paths]
        with Options(digits=self.document.display.digits), Progress("steps", None) as progress:
            return export(paths, self.document.report(), on_step=progress.reach)
