"""The packages, and an environment for each of them."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

_ADAPTERS = Path(__file__).parent


@dataclass(frozen=True)
class Package:
    """A package, or several that are used together by hand.

    ``modules`` are imported to see whether an environment has it; ``shown`` are the distributions
    whose versions are stated.
    """

    title: str
    adapter: str
    environment: str
    requirements: tuple[str, ...]
    modules: tuple[str, ...]
    shown: tuple[str, ...]
    does: str
    reports: str = ""

    @property
    def script(self) -> Path:
        """The program that does the work in the environment of the package."""
        return _ADAPTERS / f"{self.adapter}.py"


OURS = Package(
    "nbcompare",
    "of_nbcompare",
    "",
    (),
    ("nbcompare",),
    ("nbcompare",),
    "Friedman, Nemenyi, and a CD diagram",
    "an HTML page with tables, figures, sentences, formulas and references, from a notebook",
)

PACKAGES = (
    OURS,
    Package(
        "SciPy by hand",
        "of_by_hand",
        "statsmodels",
        ("scipy", "pandas"),
        ("scipy", "pandas"),
        ("scipy",),
        "Friedman and Nemenyi; no diagram",
    ),
    Package(
        "statsmodels",
        "of_statsmodels",
        "statsmodels",
        ("statsmodels",),
        ("statsmodels", "scipy", "pandas"),
        ("statsmodels",),
        "Friedman by SciPy, Nemenyi by its studentized range; no diagram",
    ),
    Package(
        "scikit-posthocs",
        "of_scikit_posthocs",
        "scikit-posthocs",
        ("scikit-posthocs",),
        ("scikit_posthocs",),
        ("scikit-posthocs",),
        "Friedman by SciPy, Nemenyi, and a CD diagram",
    ),
    Package(
        "autorank",
        "of_autorank",
        "autorank",
        ("autorank",),
        ("autorank",),
        ("autorank",),
        "Friedman, Nemenyi's critical difference without p-values of pairs, and a CD diagram",
        "sentences, and a LaTeX document with a figure and a table, not typeset",
    ),
    Package(
        "StaTDS",
        "of_statds",
        "statds",
        ("statds",),
        ("statds.no_parametrics",),
        ("statds",),
        "Friedman, Nemenyi's critical difference without p-values of pairs, and a CD diagram",
    ),
    Package(
        "SAES",
        "of_saes",
        "SAES",
        ("SAES",),
        ("SAES.plots.cdplot",),
        ("SAES",),
        "Friedman, adjusted p-values, and a CD diagram",
    ),
    Package(
        "MLStatReport",
        "of_mlstatreport",
        "mlstatreport",
        ("mlstatreport",),
        ("mlstatreport",),
        ("mlstatreport",),
        "",
        "Markdown, LaTeX, PDF and JSON with three figures, without a notebook",
    ),
    Package(
        "aeon",
        "of_aeon",
        "aeon",
        ("aeon", "matplotlib"),
        ("aeon.visualisation", "matplotlib"),
        ("aeon",),
        "Friedman, groups by Nemenyi's critical difference without p-values, and a CD diagram",
    ),
)


@dataclass
class Environments:
    """Where the environments are, and what came of making them.

    Without a folder, there is only this environment, with the packages that it has.
    """

    folder: Path | None
    missing: dict[str, str] = field(default_factory=dict)

    def python(self, package: Package) -> str | None:
        """Return the interpreter that has the package, made if need be; None if it cannot be."""
        if package is OURS:
            return sys.executable
        if self.folder is None:
            found = all(map(importlib.util.find_spec, package.modules))
            return sys.executable if found else None
        home = self.folder / package.environment
        python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        if _has(python, package):
            return str(python)
        print(f"making an environment for {package.title}", file=sys.stderr, flush=True)
        for line in _steps(home, python, package):
            done = subprocess.run(line, capture_output=True, text=True, check=False)
            if done.returncode:
                said = [one.strip() for one in (done.stderr or done.stdout).splitlines() if one]
                reason = " ".join(said[-2:]).replace(str(home), "the environment")
                self.missing[package.title] = reason[-300:]
                return None
        if not _has(python, package):
            self.missing[package.title] = "it was installed, and cannot be imported"
            return None
        return str(python)


def _has(python: Path, package: Package) -> bool:
    """Whether an environment exists and the package can be imported in it."""
    if not python.exists():
        return False
    line = [str(python), "-c", f"import {', '.join(package.modules)}"]
    environment = {**os.environ, "MPLBACKEND": "agg"}
    done = subprocess.run(line, capture_output=True, env=environment, check=False)
    return done.returncode == 0


def _steps(home: Path, python: Path, package: Package) -> list[list[str]]:
    """Return the commands that make the environment, by uv where it is there."""
    beside = Path(sys.executable).parent / "uv"
    uv = shutil.which("uv") or (str(beside) if beside.exists() else None)
    new = not python.exists()
    wanted = list(package.requirements)
    if uv is not None:
        making = [[uv, "venv", "--python", sys.executable, str(home)]] if new else []
        return [*making, [uv, "pip", "install", "--python", str(python), *wanted]]
    making = (
        [[sys.executable, "-m", "venv", str(home)]] if new else [[str(python), "-m", "ensurepip"]]
    )
    return [*making, [str(python), "-m", "pip", "install", *wanted]]
