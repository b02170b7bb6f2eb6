"""Designs that end the process that runs them, or wait, once; other processes import them."""

import dataclasses
import os
import signal
import time
from pathlib import Path

from nbcompare import study


@dataclasses.dataclass(frozen=True)
class Deadly:
    """A design that kills its process the first time that a worker comes to a repetition."""

    folder: str
    main: int
    deaths: int = 1

    name = "deadly"
    alpha = None

    def __call__(self, experiment, rng):
        if os.getpid() != self.main:
            for death in range(self.deaths):
                try:
                    Path(self.folder, f"died-{death}").touch(exist_ok=False)
                except FileExistsError:
                    continue
                os.kill(os.getpid(), signal.SIGKILL)
        return study.CompareDesign(pairs="t")(experiment, rng)


def slow(experiment, rng):
    """Return outcomes after a while."""
    time.sleep(0.05)
    return study.CompareDesign(pairs="t")(experiment, rng)


@dataclasses.dataclass(frozen=True)
class Signing:
    """A design that leaves the number of its process in a folder."""

    folder: str

    name = "signing"
    alpha = None

    def __call__(self, experiment, rng):
        Path(self.folder, str(os.getpid())).touch()
        return study.CompareDesign(pairs="t")(experiment, rng)
