"""The sections that a report has by default, and the call behind each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nbcompare._commands import BY_SECTION
from nbcompare._options import BEST, OPTIONS, SECTIONS, default
from nbcompare._render import plural
from nbcompare._validation import check_name, distinct, one_line, shown
from nbcompare.analysis.data import check_options
from nbcompare.analysis.recommend import shows_ratio
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.notebook.plan import Answer, Call, Chapter, Plan
from nbcompare.results.plan import RUNS
from nbcompare.words import TREATMENTS_OF

_MOST_SIGNS = 20_000  # data sets; the exact distribution for more is not computed
# The answers that a report can have, the primary one first; and the chapters about all of them
ANSWERS = ("comparison", "cv", "items", "runs", "stochastic", "convergence")
# Of what else tells which algorithms are better, the answers that come before it
AFTER = {"bayesian": ANSWERS[:5], "aggregates": ANSWERS[:5], "targets": ANSWERS} | {
    name: ANSWERS[:i] for i, name in enumerate(ANSWERS)
}
_ALONE = ("items", "runs")  # units whose analysis is the only answer
OF_ANSWERS = ("findings", "methods", "appendix")
# What the methods name beside the answers; without an answer, these are what the report tells of
OF_METHODS = ("groups", "sensitivity", "aggregates", "bayesian", "targets", "plan")
_OF_HISTORIES = frozenset({"histories", "convergence", "targets"})
OF_EXPERIMENT = frozenset(SECTIONS) - {*_OF_HISTORIES, "references"}

# Options of a comparison under which the sensitivity analysis has the same primary design; of the
# others, intervals and a margin change no decision
_SAME = frozenset({"control", "alpha", "scale", "missing", "fill"})
_VARIED = _SAME | {"intervals", "margin"}
_MOST_VARIED, _MOST_SCORES = 30, 2_000  # algorithms and scores of a quick sensitivity analysis
_OF_COMPARISON = ("comparison", "all-pairs")
# Sections that belong to the appendix if they follow it
IN_APPENDIX = frozenset({"conditions", "design", "signs", "contrast", "rank-intervals"})
# Beside a comparison by means, repeated runs are compared up to this size without being asked
_MOST_WITH_RUNS, _MOST_VALUES = 12, 100_000
# Runs of an algorithm from which intervals show something, and pairs of runs that are compared in
# about a second
_FEWEST_RUNS, _MOST_PAIRS = 3, 300_000
# Options of the comparison that concern other sections, too; what is stated of the scales holds for
# all of them
_SHARED: Mapping[str, tuple[str, ...]] = {
    "design": ("control", "alpha", "scale"),
    "sensitivity": ("control", "alpha", "scale", "missing", "fill"),
    "data": ("alpha",),
    "conditions": ("alpha",),
    "cv": ("control", "alpha"),
    "items": ("control", "alpha", "adjust", "missing"),
    "runs": ("control", "alpha", "adjust"),
    "pair": ("alpha", "scale"),
    "signs": ("alternative", "alpha"),
    **dict.fromkeys(("stochastic", "aggregates", "contrast"), ("scale",)),
}
# Options of the comparison that a plan shares, over data sets and on one data set
_PLANNED = ("control", "alpha", "ranking", "pairs", "adjust", "method", "scale", "formulas")
_PLANNED_ALONE = ("control", "alpha", "adjust")
# Sections whose analysis takes the same treatment of missing scores
_TREATED = ("aggregates", "rank-intervals", "contrast", "pair", "signs")


@dataclass(frozen=True)
class Subject:
    """The data of a report, and the options of its analyses."""

    experiment: Experiment | None
    histories: Histories | None
    compare: Mapping[str, Any]
    convergence: Mapping[str, Any]
    stochastic: Mapping[str, Any] | None = None
    cv: Mapping[str, Any] | None = None
    bayesian: Mapping[str, Any] | None = None
    targets: Mapping[str, Any] | None = None
    aggregates: Mapping[str, Any] | None = None
    plan: Mapping[str, Any] | None = None
    suffix: str = ""  # of the variables, where a report is about several experiments
    label: str = ""  # in headings, for the same reason
    full: bool = False  # with everything that suits the data

    def sections(self) -> Iterator[str]:
        """Yield the names of the sections that suit the data."""
        answers, data = self.answers, self.experiment
        appended: tuple[str, ...] = ()
        yield "findings"
        for answer in answers:
            yield answer
            if answer == "comparison" and data is not None:
                yield from self._beside(data)
                appended += self._alternatives(data)
        if self.aggregates is not None or (self.full and self._suits_aggregates):
            yield "aggregates"
        if self.bayesian is not None:
            yield "bayesian"
        alone = data is not None and data.unit in _ALONE
        if data is not None and "comparison" in answers and self._is_quick(data):
            yield "sensitivity"
        if data is not None and not (data.n_infinite or alone):
            yield "data"
        if self.plan is not None:
            yield "plan"
        if self.histories is not None:
            if self._has_targets(self.histories):
                yield "targets"
            yield "histories"
        yield "methods"
        if self.full:
            yield from ("appendix", *appended, "references")

    @property
    def answers(self) -> tuple[str, ...]:
        """The analyses that suit the data, or were asked for; the primary one first."""
        found: list[str] = []
        if self.experiment is not None and self.experiment.unit in _ALONE:
            found.append(self.experiment.unit)
        elif self.experiment is not None:
            if not self._is_alone(self.experiment):
                found.append("comparison")
            if self.cv is not None or self._picks_folds(self.experiment):
                found.append("cv")
            by_runs = self.full and "comparison" in found and self._suits_runs(self.experiment)
            if self.stochastic is not None or not found or by_runs:
                found.append("stochastic")
        if self.histories is not None and not self.histories.is_raw:
            found.append("convergence")
        return tuple(found)

    @property
    def picked(self) -> dict[str, str]:
        """Sentences on the analysis that was picked because of the data, by section."""
        data = self.experiment
        if data is None or data.unit in _ALONE or not self._is_alone(data):
            return {}
        there = "intervals" if data.is_interval else f"one data set with {_folds(data)}"
        if "cv" in self.answers:
            how = "their scores on its folds are compared by the corrected resampled t test"
            return {"cv": f"The data are {there}, so the algorithms are not ranked: {how}."}
        if self.stochastic is not None:
            return {}
        how = "by their runs" if data.n_runs > 1 else "over its folds"
        if data.is_interval:
            how = "for all values in these"
        return {"stochastic": f"The data are {there}, so the algorithms are compared {how}."}

    @property
    def advice(self) -> str:
        """A sentence on an option that would allow another analysis; empty if there is none."""
        data = self.experiment
        if data is None or data.is_interval or not self._is_alone(data) or "cv" in self.answers:
            return ""
        if data.unit in _ALONE:
            return ""
        return (
            "With `ratio`, the size of a test set over that of a training set, the report has the "
            "corrected resampled t test instead."
        )

    @staticmethod
    def _is_alone(experiment: Experiment) -> bool:
        """Whether the data allow no comparison by ranks over data sets."""
        return experiment.is_interval or experiment.unit != "datasets"

    def _picks_folds(self, experiment: Experiment) -> bool:
        """Whether folds are compared by the test that allows for training sets that overlap."""
        asked = self.stochastic is not None or experiment.is_interval or experiment.losses.any
        alone = experiment.unit == "folds" and experiment.n_algorithms > 1
        return alone and not asked and shows_ratio(experiment)

    def _suits_runs(self, data: Experiment, *, most: int = _MOST_WITH_RUNS, least: int = 2) -> bool:
        """Whether repeated runs can be compared quickly, of which there are ``least`` or more."""
        if data.is_interval or data.n_runs == 1 or self._is_incomplete(data):
            return False
        if data.n_algorithms > most or data.lower.size > _MOST_VALUES:
            return False
        counts = (~np.isnan(data.lower)).sum(axis=-1)  # runs of each fold
        repeated = counts.max(axis=(0, 2)) > 1
        return bool(repeated.any() and (counts[:, repeated] >= least).all())

    @property
    def _suits_aggregates(self) -> bool:
        """Whether runs are aggregated quickly, with intervals that show something."""
        data = self.experiment
        if data is None or data.n_algorithms < 2:
            return False
        k = data.n_algorithms
        pairs = data.n_datasets * k * (k - 1) // 2 * data.n_runs**2
        return pairs <= _MOST_PAIRS and self._suits_runs(data, most=k, least=_FEWEST_RUNS)

    def _beside(self, experiment: Experiment) -> Iterator[str]:
        """Yield the sections that tell more of which algorithms differ."""
        if self._has_groups(experiment):
            yield "groups"
        incomplete = self._is_incomplete(experiment) or experiment.n_infinite
        if experiment.n_algorithms == 2 and not incomplete:
            yield "pair"

    def _alternatives(self, experiment: Experiment) -> tuple[str, ...]:
        """Return the analyses that belong to the appendix of a comparison."""
        if experiment.n_infinite:  # which only the order of scores can use
            return ("design",)
        found: tuple[str, ...] = ("conditions", "design")
        if self._is_incomplete(experiment):
            return found
        if self.compare.get("control") is not None and experiment.n_datasets <= _MOST_SIGNS:
            found += ("signs",)
        return (*found, "contrast")

    def _has_targets(self, histories: Histories) -> bool:
        """Whether there are targets to reach, and runs to reach them."""
        known = self.targets is not None or histories.optimum is not None
        gaps = histories.missing.any() and "missing" not in self._of_targets
        return known and not (histories.is_raw or gaps)

    @property
    def _of_targets(self) -> dict[str, Any]:
        """Return the options of the fixed targets, with those that convergence shares."""
        shared = {key: self.convergence[key] for key in ("missing",) if key in self.convergence}
        return {**shared, **(self.targets or {})}

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
            and not (experiment.n_infinite or self._is_incomplete(experiment))
        )

    @staticmethod
    def _has_groups(experiment: Experiment) -> bool:
        """Whether data sets are in several groups, of which one can be compared."""
        sizes = Counter(experiment.domains or ())
        return len(sizes) > 1 and max(sizes.values()) > 1

    def check(self, name: str) -> None:
        """Raise ValueError for a section that the data do not allow."""
        control = self.compare.get("control")
        if name in OF_ANSWERS and self.histories is not None:
            return
        if name in OF_EXPERIMENT:
            self._needed(name)
        if name in _OF_HISTORIES and self.histories is None:
            raise ValueError(f"section {name!r} needs histories of runs; the report has none.")
        if name in ("convergence", "targets") and self.histories is not None:
            self.histories.check_best_so_far(f"section {name!r}")
        if name == "targets" and self.histories is not None:
            given = {key for key, value in self._of_targets.items() if value is not None}
            if self.histories.optimum is None and "targets" not in given:
                raise ValueError(
                    "section 'targets' needs `targets`, values of the objective that runs are to "
                    "reach, because the optima of the problems are not known; 'quantiles' stands "
                    "for ten that are chosen from the data."
                )
        if name == "groups" and self._needed(name).domains is None:
            raise ValueError(
                "section 'groups' needs groups of data sets: name the column that holds them with "
                "domain= when the scores are read."
            )
        if name == "cv":
            data = self._needed(name)
            if data.n_datasets > 1 or data.is_interval or data.n_folds * data.n_runs == 1:
                out = "`ratio`" if "ratio" in (self.cv or {}) else "this section"
                raise ValueError(
                    "section 'cv' compares the scores on the folds of one data set; there are "
                    f"{plural(data.n_datasets, 'data set')}, {plural(data.n_folds, 'fold')} and "
                    f"{plural(data.n_runs, 'run')}{' of intervals' * data.is_interval}. Select one "
                    f"data set, or leave out {out}."
                )
        if name in _ALONE and self._needed(name).unit != name:
            raise ValueError(
                f"section {name!r} compares algorithms by {name}, which Experiment.read takes from "
                f"the column that names them, or unit={name!r}; there are "
                f"{self._needed(name).unit}."
            )
        if name == "bayesian" and (self.bayesian or {}).get("rope") is None:
            raise ValueError(
                "section 'bayesian' needs `rope`, half the width of the region of practical "
                "equivalence in units of the measure, such as rope=0.01; 0 stands for no such "
                "region."
            )
        if name == "plan":
            _check_next(self._needed(name), self._of_plan)
        if name == "signs" and control is None:
            raise ValueError("section 'signs' needs a control.")
        if name == "rank-intervals" and self._needed(name).n_datasets < 2:
            raise ValueError("section 'rank-intervals' needs at least 2 data sets; there is 1.")
        if name == "pair" and self.experiment is not None and self.experiment.n_algorithms != 2:
            raise ValueError(
                f"section 'pair' compares two algorithms; there are {self.experiment.n_algorithms}."
            )

    @property
    def _of_plan(self) -> dict[str, Any]:
        return _options_of_next(self._needed("plan"), self.plan or {}, self.compare, self.cv or {})

    def _needed(self, name: str) -> Experiment:
        """Return the experiment, which a section needs."""
        if self.experiment is None:
            raise ValueError(f"section {name!r} needs scores; the report has none.")
        return self.experiment

    def chapter(self, name: str, names: tuple[str, ...], plan: Plan) -> Chapter:
        """Return the chapter of a section, and add its call to the plan."""
        others = frozenset(kind for kind in SECTIONS if f"{kind}{self.suffix}" in names)
        if name == "histories":
            return Chapter(f"{name}{self.suffix}", name, name, self.label, others=others)
        if name in OF_ANSWERS:
            return self._of_answers(name, others, plan)
        variable, call = self._planned(name, plan)
        is_shared = name == "all-pairs" and self.compare.get("control") is None
        compared = name == "groups" and "comparison" in others
        return Chapter(
            f"{name}{self.suffix}",
            variable,
            call.data or "",
            self.label,
            is_shared=is_shared and "comparison" in others,
            is_second=name == "plan" or bool({*AFTER.get(name, ())} & others),
            others=others,
            beside=self._planned("comparison", plan)[0] if compared else "",
        )

    def _planned(self, name: str, plan: Plan) -> tuple[str, Call]:
        """Add the call of a section to the plan; return the variable of its result too."""
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
        return variable, call

    def _of_answers(self, name: str, others: frozenset[str], plan: Plan) -> Chapter:
        """Return a chapter about all answers of the report."""
        kinds = [kind for kind in ANSWERS if kind in others]
        if not kinds:  # a plan is about the next experiment, and answers nothing about this one
            kinds = [kind for kind in OF_METHODS if kind in others and kind != "plan"]
            kinds = kinds or [*self.answers[:1]]
        if name == "methods":
            kinds += [kind for kind in OF_METHODS if kind in others and kind not in kinds]
        elif name == "findings":
            asked_for = ("groups", "bayesian", "aggregates", "plan")
            kinds += [kind for kind in asked_for if kind in others and kind not in kinds]
        asked = {option for option, value in self.compare.items() if value != default(option)}
        both = name == "findings" and {"convergence", "targets"} <= others
        targets = self._planned("targets", plan)[0] if both else ""
        answers = []
        for kind in kinds:
            variable, _ = self._planned(kind, plan)
            varied = ""
            if kind == "comparison" and "sensitivity" in others and asked <= _SAME:
                varied, _ = self._planned("sensitivity", plan)
            answers.append(Answer(kind, variable, varied=varied))
        return Chapter(
            f"{name}{self.suffix}",
            answers[0].variable,
            label=self.label,
            others=others,
            answers=tuple(answers),
            beside=targets,
            picked=tuple(
                text for kind, text in self.picked.items() if name == "methods" and kind in others
            ),
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
        if name in ("comparison", "groups"):
            return (), compare
        if name == "all-pairs":
            of_control = ("control", "alternative")
            return (), {key: value for key, value in compare.items() if key not in of_control}
        if name == "convergence":
            return (), self.convergence
        if name == "targets":
            return (), self._of_targets
        if name == "plan":
            return (), self._of_plan
        if name == "bayesian":
            return (), self._for_bayesian(self._shared(("control",)), plan)
        options = self._shared(_SHARED.get(name, ()))
        if name == "items" and options.get("missing") not in TREATMENTS_OF["compare_items"]:
            options.pop("missing", None)
        if name in _TREATED:
            options |= self._treatment
        if name == "stochastic" and self.stochastic is None:
            options |= self._shared_with_runs(plan)
        own = {"stochastic": self.stochastic, "cv": self.cv, "aggregates": self.aggregates}
        options |= own.get(name) or {}
        if name == "pair":
            return self._needed(name).algorithms, options
        if name == "signs":
            variable = f"comparison{self.suffix}"
            plan.call(variable, self._call("comparison", plan))
            return (plan.result(variable).control,), options
        return (), options

    def _shared(self, names: Iterable[str]) -> dict[str, Any]:
        """Return these options of the comparison, as far as they are given; always the level."""
        given = {"alpha": default("alpha"), **self.compare}
        return {
            name: given[name]
            for name in names
            if name in given and not (name == "control" and given[name] is None)
        }

    def _for_bayesian(self, chosen: Mapping[str, Any], plan: Plan) -> dict[str, Any]:
        """Return the options of the Bayesian comparison, with those that others share."""
        given, shared = dict(self.bayesian or {}), dict(chosen)
        missing = self._treatment
        if self._is_alone(self._needed("bayesian")):
            ratio = (self.cv or {}).get("ratio")
            shared |= {} if ratio is None else {"ratio": ratio}
            if missing.get("missing") not in TREATMENTS_OF["compare_cv"]:
                missing = {}
        elif shared and "control" not in given:
            # chosen from the data, it must be the same one
            variable, _ = self._planned("comparison", plan)
            shared["control"] = plan.result(variable).control
        return {**shared, **missing, **given}

    def _shared_with_runs(self, plan: Plan) -> dict[str, Any]:
        """Return options of the comparison for the one by runs, which was not asked for."""
        shared = {name: self.compare[name] for name in ("alpha",) if name in self.compare}
        if "comparison" in self.answers and self.compare.get("control") is not None:
            # chosen from the data, it must be the same one
            variable, _ = self._planned("comparison", plan)
            shared["control"] = plan.result(variable).control
        return {**shared, **self._treatment}


def _folds(data: Experiment) -> str:
    folds, runs = (
        plural(*part)
        for part in zip((data.n_folds, data.n_runs), ("fold", "run"), data.fewest, strict=True)
    )
    return f"{folds} and {runs}" if data.n_runs > 1 else folds


# ------------------------------------------------------------------------ the next experiment


def _options_of_next(
    pilot: Experiment, own: Mapping[str, Any], compare: Mapping[str, Any], cv: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the options of the plan, with those that the comparison of the report shares.

    Parameters
    ----------
    pilot : Experiment
        The scores of the report.
    own, compare, cv : mapping
        Options that were given for the plan, for the comparison over data sets, and for the one by
        folds of one data set.
    """
    alone = pilot.n_datasets == 1
    names = _PLANNED_ALONE if alone else (*_PLANNED, "missing")
    shared = {key: it for key, it in compare.items() if key in names}
    if shared.get("missing") not in TREATMENTS_OF["plan"]:
        shared.pop("missing", None)
    if alone:
        by_runs = own.get("unit") == RUNS or bool(pilot.fewer_runs)
        of_folds = ("adjust",) if by_runs else ("adjust", "ratio")
        shared |= {key: it for key, it in cv.items() if key in of_folds}
    return {**shared, **own}


def _check_next(pilot: Experiment, options: Mapping[str, Any]) -> None:
    """Check a plan at once, as far as that takes no time: its simulation takes a while."""
    # half a second, which reports without a plan do not need
    from nbcompare.study import check_pilot

    usual = {name.rpartition(".")[2]: OPTIONS[name].default for name in BY_SECTION["plan"].options}
    if unknown := [name for name in options if name not in usual]:
        raise ValueError(
            f"`plan` must hold options of a plan, {', '.join(usual)}; got {shown(unknown[0])}."
        )
    asked = check_options("plan", {**usual, **options})
    if asked["control"] not in (None, BEST):
        check_name(asked["control"], "control", pilot.algorithms)
    check_pilot(pilot, asked)


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
        found.append(distinct(plain, found))
    return found
