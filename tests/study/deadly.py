"""Designs that end the process that runs them, or sign it; other processes import them."""

import dataclasses
import os
import signal
from pathlib import Path

from nbcompare import study


@dataclasses.dataclass(frozen=True)
class Deadly:
    """A design that kills its process if this is a worker."""

    main: int

    name = "deadly"
    alpha = None

    def __call__(self, experiment, rng):
        if os.getpid() != self.main:
            os.kill(os.getpid(), signal.SIGKILL)
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
