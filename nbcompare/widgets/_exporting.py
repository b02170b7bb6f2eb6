"""A task for a worker: a report with what is known of its data, and the files to write."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nbcompare._display import Display, Options, current
from nbcompare._progress import Progress
from nbcompare._tables import Origin, origin_of, remember
from nbcompare.report.report import Report


@dataclass(frozen=True)
class Export:
    """A report on its way to another process, and the files to write."""

    report: Report
    paths: tuple[str, ...]
    origins: tuple[Origin | None, ...]  # where its data are from
    display: Display

    @classmethod
    def of(cls, report: Report, paths: tuple[str, ...]) -> Export:
        """Return the task, with what is known here: origins, and how results are shown."""
        data = (report.experiment, report.histories)
        origins = tuple(None if one is None else origin_of(one) for one in data)
        return cls(report, paths, origins, current())

    def __call__(self) -> tuple[Path, ...]:
        """Write the files; the report loads its data as it would in the first process."""
        from nbcompare.report.make import export

        data = (self.report.experiment, self.report.histories)
        for one, origin in zip(data, self.origins, strict=True):
            if one is not None and origin is not None:
                remember(one, origin)
        paths = [Path(path) for path in self.paths]
        with Options(digits=self.display.digits), Progress("steps", None) as progress:
            return export(paths, self.report, on_step=progress.reach)
