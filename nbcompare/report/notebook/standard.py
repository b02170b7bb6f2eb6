"""The sections that a report has by default, and the call behind each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nbcompare._commands import BY_SECTION
from nbcompare._options import SECTIONS, default
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.notebook.plan import Call, Chapter, Plan

_MOST_SIGNS = 20_000  # data sets; the exact distribution for more is not computed
_OF_EXPERIMENT = frozenset(SECTIONS) - {"histories", "convergence", "references"}
_OF_HISTORIES = frozenset({"histories", "convergence"})


@dataclass(frozen=True)
class Subject:
    """The data of a report, and the options of its analyses."""

    experiment: Experiment | None
    histories: Histories | None
    compare: Mapping[str, Any]
    stochastic: Mapping[str, Any] | None
    convergence: Mapping[str, Any]

    def sections(self) -> Iterator[str]:
        """Yield the names of the sections that suit the data."""
        if self.experiment is not None:
            yield "data"
            stochastic_alone = self.experiment.is_interval or (
                self.experiment.n_datasets == 1 and self.experiment.n_folds > 1
            )
            if not stochastic_alone:
                yield from self._of_ranks(self.experiment)
            if stochastic_alone or self.stochastic is not None:
                yield "stochastic"
        if self.histories is not None:
            yield from ("histories", "convergence")
        yield "references"

    def _of_ranks(self, experiment: Experiment) -> Iterator[str]:
        yield from ("design", "conditions", "comparison")
        if experiment.missing.any() and self.compare.get("missing") != "drop":
            return  # the other sections need complete data
        if experiment.n_algorithms == 2:
            yield "pair"
        if self.compare.get("control") is not None and experiment.n_datasets <= _MOST_SIGNS:
            yield "signs"
        yield "contrast"

    def check(self, name: str) -> None:
        """Raise ValueError for a section that the data do not allow."""
        control = self.compare.get("control")
        if name in _OF_EXPERIMENT:
            self._needed(name)
        if name in _OF_HISTORIES and self.histories is None:
            raise ValueError(f"section {name!r} needs histories of runs; the report has none.")
        if name == "signs" and control is None:
            raise ValueError("section 'signs' needs a control.")
        if name == "pair" and self.experiment is not None and self.experiment.n_algorithms != 2:
            raise ValueError(
                f"section 'pair' compares two algorithms; there are {self.experiment.n_algorithms}."
            )

    def _needed(self, name: str) -> Experiment:
        """Return the experiment, which a section needs."""
        if self.experiment is None:
            raise ValueError(f"section {name!r} needs scores; the report has none.")
        return self.experiment

    def chapter(self, name: str, names: tuple[str, ...], plan: Plan) -> Chapter:
        """Return the chapter of a section, and add its call to the plan."""
        if name == "histories":
            return Chapter(name, name, name)
        call = self._call(name, plan)
        is_shared = name == "all-pairs" and self.compare.get("control") is None
        if name in BY_SECTION:
            variable = BY_SECTION[name].variable
        else:
            variable = "comparison" if is_shared else "all_pairs"
        plan.call(variable, call)
        return Chapter(
            name, variable, call.data or "", is_shared=is_shared and "comparison" in names
        )

    def _call(self, name: str, plan: Plan) -> Call:
        """Return the call of a section, with the options of the comparison that concern it."""
        made_by = BY_SECTION["comparison" if name == "all-pairs" else name]
        arguments, options = self._given(name, plan)
        return Call(made_by.function, made_by.takes, arguments, options)

    def _given(self, name: str, plan: Plan) -> tuple[tuple[Any, ...], Mapping[str, Any]]:
        """Return the arguments and options of a section's call."""
        compare = self.compare
        alpha = {"alpha": compare.get("alpha", default("alpha"))}
        control = {key: value for key, value in compare.items() if key == "control"}
        if name == "design":
            return (), {**{k: v for k, v in control.items() if v is not None}, **alpha}
        if name in ("data", "conditions"):
            return (), alpha
        if name == "comparison":
            return (), compare
        if name == "all-pairs":
            return (), {key: value for key, value in compare.items() if key != "control"}
        if name == "stochastic":
            return (), self.stochastic or {}
        if name == "convergence":
            return (), self.convergence
        gaps = self.experiment is not None and self.experiment.missing.any()
        missing = {"missing": compare.get("missing", default("missing"))} if gaps else {}
        if name == "contrast":
            return (), missing
        if name == "pair":
            return self._needed(name).algorithms, {**alpha, **missing}
        if name == "signs":
            plan.call("comparison", self._call("comparison", plan))
            return (plan.result("comparison").control,), {**alpha, **missing}
        return (), {}
