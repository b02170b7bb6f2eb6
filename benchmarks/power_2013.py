"""Time the study of Table 2 of the 2013 paper: 21 effects, 100 experiments each, 3 procedures.

``python benchmarks/power_2013.py`` prints processor times of the parts, and the wall time on all
cores with the load of the machine; ``--parts`` prints the former alone.
"""

from __future__ import annotations

import argparse
import os
import time

import numpy as np
from timing import show

from nbcompare import study

_GOAL = 180.0  # seconds, on two idle cores


def parts(repetitions: int = 5) -> dict[str, float]:
    """Mean processor time of a draw and of each procedure over all effects, in seconds."""
    model, spent = study.BinomialErrors(), dict.fromkeys(["draw"], 0.0)
    for effect in study.EFFECTS_2013:
        for seed in range(repetitions):
            rng = np.random.default_rng(seed)
            began = time.process_time()
            experiment = model.draw(effect, rng)
            spent["draw"] += time.process_time() - began
            for design in study.PAPER_2013:
                began = time.process_time()
                design(experiment, rng)
                spent.setdefault(design.name, 0.0)
                spent[design.name] += time.process_time() - began
    return {name: total / repetitions / len(study.EFFECTS_2013) for name, total in spent.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", action="store_true", help="leave out the whole study")
    only_parts = parser.parse_args().parts
    found = parts()
    for name, seconds in found.items():
        show(f"Table 2 of 2013, one experiment: {name}", f"{1e3 * seconds:.1f} ms", "")
    cores = os.cpu_count() or 1
    wanted = 100 * len(study.EFFECTS_2013) * sum(found.values())
    told = f"{wanted:.0f} s of processor time, {wanted / 2:.0f} s on 2 idle cores"
    show("Table 2 of 2013, all", told, f"{_GOAL:.0f} s")
    if only_parts:
        return
    began = time.perf_counter()
    study.run(study.BinomialErrors(), study.PAPER_2013, effects=study.EFFECTS_2013, n_jobs=-1)
    wall, load = time.perf_counter() - began, os.getloadavg()[0]
    show(f"the same, on {cores} cores, load {load:.1f}", f"{wall:.0f} s", f"{_GOAL:.0f} s")


if __name__ == "__main__":
    main()
