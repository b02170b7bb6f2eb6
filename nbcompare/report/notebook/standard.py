"""The sections that a report has by default, and the call behind each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nbcompare._options import SECTIONS, default
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.notebook.plan import Call, Chapter, Plan

_MOST_SIGNS = 20_000  # data sets; the exact distribution for more is not computed
_OF_EXPERIMENT = frozenset(SECTIONS) - {"histories", "convergence", "references"}
_OF_HISTORIES = frozenset({"histories", "convergence"})
# Variables of results in the notebook, where they differ from the names of their sections
_VARIABLES = {"design": "recommendation"}


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
        if name in ("data", "histories"):
            variable = "experiment" if name == "data" else "histories"
            return Chapter(name, variable, variable)
        call = self._call(name, plan)
        variable = _VARIABLES.get(name, name.replace("-", "_"))
        is_shared = name == "all-pairs" and self.compare.get("control") is None
        if is_shared:
            variable = "comparison"
        plan.call(variable, call)
        return Chapter(
            name, variable, call.data or "", is_shared=is_shared and "comparison" in names
        )

    def _call(self, name: str, plan: Plan) -> Call:
        alpha = self.compare.get("alpha", default("alpha"))
        control = self.compare.get("control")
        if name == "design":
            given = {} if control is None else {"control": control}
            return Call("recommend", "experiment", options={**given, "alpha": alpha})
        if name == "conditions":
            return Call("check_conditions", "experiment", options={"alpha": alpha})
        if name == "comparison":
            return Call("compare", "experiment", options=self.compare)
        if name == "all-pairs":
            options = {key: value for key, value in self.compare.items() if key != "control"}
            return Call("compare", "experiment", options=options)
        if name == "stochastic":
            return Call("compare_stochastic", "experiment", options=self.stochastic or {})
        if name == "convergence":
            return Call("compare_convergence", "histories", options=self.convergence)
        return self._beside(name, plan, alpha)

    def _beside(self, name: str, plan: Plan, alpha: float) -> Call:
        """Return the call of a section beside the comparison, on the same data sets."""
        experiment = self._needed(name)
        gaps = experiment.missing.any()
        missing = {"missing": self.compare.get("missing", default("missing"))} if gaps else {}
        if name == "contrast":
            return Call("contrast_estimation", "experiment", options=missing)
        options = {"alpha": alpha, **missing}
        if name == "pair":
            return Call("compare_pair", "experiment", experiment.algorithms, options)
        plan.call("comparison", self._call("comparison", plan))
        return Call(
            "multiple_sign_test", "experiment", (plan.result("comparison").control,), options
        )
