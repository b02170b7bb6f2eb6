"""The sections that a report has by default, and the call behind each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nbcompare._commands import BY_SECTION
from nbcompare._options import SECTIONS, default
from nbcompare._render import plural
from nbcompare._validation import one_line, shown
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.notebook.plan import Call, Chapter, Plan
from nbcompare.words import TREATMENTS_OF

_MOST_SIGNS = 20_000  # data sets; the exact distribution for more is not computed
OF_EXPERIMENT = frozenset(SECTIONS) - {"histories", "convergence", "references"}
_OF_HISTORIES = frozenset({"histories", "convergence"})

# Options of a comparison under which the sensitivity analysis has the same primary design; of the
# others, intervals and a margin change no decision
_SAME = frozenset({"control", "alpha", "scale", "missing", "fill"})
_VARIED = _SAME | {"intervals", "margin"}
_MOST_VARIED, _MOST_SCORES = 10, 1_000  # algorithms and scores of a quick sensitivity analysis
_OF_COMPARISON = ("findings", "comparison", "methods", "appendix", "all-pairs")
# Sections that belong to the appendix if they follow it
IN_APPENDIX = frozenset({"conditions", "design", "signs", "contrast", "rank-intervals"})
_FEWEST_RESAMPLED = 6  # data sets of intervals of average ranks


@dataclass(frozen=True)
class Subject:
    """The data of a report, and the options of its analyses."""

    experiment: Experiment | None
    histories: Histories | None
    compare: Mapping[str, Any]
    stochastic: Mapping[str, Any] | None
    convergence: Mapping[str, Any]
    cv: Mapping[str, Any] | None = None
    suffix: str = ""  # of the variables, where a report is about several experiments
    label: str = ""  # in headings, for the same reason

    def sections(self) -> Iterator[str]:
        """Yield the names of the sections that suit the data."""
        appended: tuple[str, ...] = ()
        if self.experiment is not None:
            stochastic_alone = self.experiment.is_interval or (
                self.experiment.n_datasets == 1 and self.experiment.n_folds > 1
            )
            if not stochastic_alone:
                yield from self._answers(self.experiment)
                appended = ("methods", "appendix", "conditions", "design")
                appended += tuple(self._alternatives(self.experiment))
            elif self.cv is not None:
                yield "cv"
            if stochastic_alone or self.stochastic is not None:
                yield "stochastic"
            if not stochastic_alone and self.cv is not None:
                yield "cv"
            yield "data"
            if not stochastic_alone and self._is_quick(self.experiment):
                yield "sensitivity"
        if self.histories is not None:
            yield from ("convergence", "histories")
        yield from appended
        yield "references"

    def _answers(self, experiment: Experiment) -> Iterator[str]:
        """Yield the sections that answer which algorithms differ."""
        yield from ("findings", "comparison")
        if self._has_groups(experiment):
            yield "groups"
        if experiment.n_algorithms == 2 and not self._is_incomplete(experiment):
            yield "pair"

    def _alternatives(self, experiment: Experiment) -> Iterator[str]:
        """Yield the analyses beside the comparison, which need complete data."""
        if self._is_incomplete(experiment):
            return
        if self.compare.get("control") is not None and experiment.n_datasets <= _MOST_SIGNS:
            yield "signs"
        yield "contrast"

    def _is_incomplete(self, experiment: Experiment) -> bool:
        return bool(experiment.missing.any()) and self._treatment.get("missing") is None

    def _is_quick(self, experiment: Experiment) -> bool:
        """Whether other designs of this comparison can be tried in about a second."""
        asked = {name for name, value in self.compare.items() if value != default(name)}
        n, k = experiment.n_datasets, experiment.n_algorithms
        return (
            asked <= _VARIED
            and k <= _MOST_VARIED
            and n * k <= _MOST_SCORES
            and not self._is_incomplete(experiment)
        )

    @staticmethod
    def _has_groups(experiment: Experiment) -> bool:
        """Whether data sets are in several groups, of which one can be compared."""
        sizes = Counter(experiment.domains or ())
        return len(sizes) > 1 and max(sizes.values()) > 1

    def check(self, name: str) -> None:
        """Raise ValueError for a section that the data do not allow."""
        control = self.compare.get("control")
        if name in OF_EXPERIMENT:
            self._needed(name)
        if name in _OF_HISTORIES and self.histories is None:
            raise ValueError(f"section {name!r} needs histories of runs; the report has none.")
        if name == "groups" and self._needed(name).domains is None:
            raise ValueError(
                "section 'groups' needs groups of data sets: name the column that holds them with "
                "domain= when the scores are read."
            )
        if name == "cv":
            data = self._needed(name)
            if data.n_datasets > 1 or data.is_interval or data.n_folds * data.n_runs == 1:
                raise ValueError(
                    "section 'cv' compares the scores on the folds of one data set; there are "
                    f"{plural(data.n_datasets, 'data set')}, {plural(data.n_folds, 'fold')} and "
                    f"{plural(data.n_runs, 'run')}{' of intervals' * data.is_interval}."
                )
        if name == "signs" and control is None:
            raise ValueError("section 'signs' needs a control.")
        if name == "rank-intervals" and self._needed(name).n_datasets < _FEWEST_RESAMPLED:
            raise ValueError(
                f"section 'rank-intervals' needs at least {_FEWEST_RESAMPLED} data sets; there are "
                f"{self._needed(name).n_datasets}."
            )
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
            return Chapter(f"{name}{self.suffix}", name, name, self.label)
        call = self._call(name, plan)
        is_shared = name == "all-pairs" and self.compare.get("control") is None
        if name in BY_SECTION:
            variable = BY_SECTION[name].variable
        elif name != "all-pairs" or is_shared:
            variable = BY_SECTION["comparison"].variable
        else:
            variable = "all_pairs"
        variable += self.suffix
        plan.call(variable, call)
        others = frozenset(kind for kind in SECTIONS if f"{kind}{self.suffix}" in names)
        asked = {name for name, value in self.compare.items() if value != default(name)}
        varied = ""
        if name == "findings" and "sensitivity" in others and asked <= _SAME:
            varied = f"{BY_SECTION['sensitivity'].variable}{self.suffix}"
            plan.call(varied, self._call("sensitivity", plan))
        return Chapter(
            f"{name}{self.suffix}",
            variable,
            call.data or "",
            self.label,
            is_shared=is_shared and f"comparison{self.suffix}" in names,
            is_second=name == "stochastic" and f"comparison{self.suffix}" in names,
            others=others,
            varied=varied,
        )

    @property
    def _treatment(self) -> dict[str, Any]:
        """Return the options for missing scores that all analyses of scores take."""
        word = self.compare.get("missing", default("missing"))
        gaps = self.experiment is not None and self.experiment.losses.any
        if not gaps or word == default("missing") or word not in TREATMENTS_OF["compare_pair"]:
            return {}
        fill = self.compare.get("fill")
        return {"missing": word, **({} if fill is None else {"fill": fill})}

    def _call(self, name: str, plan: Plan) -> Call:
        """Return the call of a section, with the options of the comparison that concern it."""
        made_by = BY_SECTION["comparison" if name in _OF_COMPARISON else name]
        arguments, options = self._given(name, plan)
        data = f"{made_by.takes}{self.suffix if made_by.takes == 'experiment' else ''}"
        return Call(made_by.function, data, arguments, options)

    def _given(self, name: str, plan: Plan) -> tuple[tuple[Any, ...], Mapping[str, Any]]:
        """Return the arguments and options of a section's call."""
        compare = self.compare
        alpha = {"alpha": compare.get("alpha", default("alpha"))}
        chosen = {k: v for k, v in compare.items() if k == "control" and v is not None}
        # what is stated of the scales holds for all analyses
        scale = {key: value for key, value in compare.items() if key == "scale"}
        if name == "design":
            return (), {**chosen, **alpha, **scale}
        if name == "sensitivity":
            kept = {key: compare[key] for key in ("missing", "fill") if key in compare}
            return (), {**chosen, **alpha, **scale, **kept}
        if name in ("data", "conditions"):
            return (), alpha
        if name in ("findings", "comparison", "methods", "appendix", "groups"):
            return (), compare
        if name == "all-pairs":
            return (), {key: value for key, value in compare.items() if key != "control"}
        if name == "stochastic":
            return (), {**scale, **(self.stochastic or {})}
        if name == "convergence":
            return (), self.convergence
        if name == "cv":
            return (), {**chosen, **alpha, **(self.cv or {})}
        missing = self._treatment
        if name == "rank-intervals":
            return (), missing
        if name == "contrast":
            return (), {**scale, **missing}
        if name == "pair":
            return self._needed(name).algorithms, {**alpha, **missing}
        if name == "signs":
            variable = f"comparison{self.suffix}"
            plan.call(variable, self._call("comparison", plan))
            return (plan.result(variable).control,), {**alpha, **missing}
        return (), {}


# ------------------------------------------------------------------------ several measures


def check_experiments(given: Mapping[str, Experiment]) -> dict[str, Experiment]:
    """Check the experiments of several measures; each without a measure gets its name."""
    found = {}
    for name, experiment in given.items():
        if not isinstance(experiment, Experiment):
            raise TypeError(
                f"`experiment` must map names of measures to Experiments; got "
                f"{type(experiment).__name__} for {shown(name)}."
            )
        found[str(one_line(name, "experiment"))] = experiment
    if not found:
        raise ValueError("`experiment` must hold the scores of at least one measure; got none.")
    return found


def suffixes(names: Iterable[str]) -> list[str]:
    """Return what follows the names of the variables of each measure, distinct in any case."""
    found: list[str] = []
    for name in names:
        plain = "_" + (re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_") or "measure")
        number, suffix = 1, plain
        while suffix in found:
            number += 1
            suffix = f"{plain}_{number}"
        found.append(suffix)
    return found
