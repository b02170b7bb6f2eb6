"""Data of an analysis: checks, scores as they are compared, options, and the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache, wraps
from inspect import Signature, signature
from itertools import repeat
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray, mean_over
from nbcompare._commands import BY_FUNCTION, own_of, record_of
from nbcompare._options import MAXIMIZE, OPTIONS, Option, nouns_of
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_choice, did_you_mean, listed, named, shown
from nbcompare.analysis._family import check_adjust
from nbcompare.analysis.rules import GAPS, State, check_rules, facts_of_scores
from nbcompare.experiment import FRAME, Experiment, experiment_of, is_frame, refuse_reading
from nbcompare.results import Design, Labelled, Result
from nbcompare.results.texts import note
from nbcompare.stats.permutation import generator
from nbcompare.words import TREATMENTS_OF

if TYPE_CHECKING:
    from nbcompare.histories import Histories

# Resamples of fewer data sets are too alike: of 2, half of them hold one data set only
FEWEST_RESAMPLED = 6
_LARGEST = 1e280  # of scores: sums of their products with weights must be numbers


def check_experiment(
    experiment: object, direction: str | None = None, *, by_order: bool = False
) -> Experiment:
    """Return the experiment, or raise an error that says how to make one.

    Of a dataframe with a direction, functions get an Experiment; see ``analysis/data.py``.
    ``by_order`` says that the function uses the order of scores alone, so that they may be
    infinite.
    """
    data = experiment_of(experiment, direction)
    if data.n_infinite and not by_order:
        raise DataError(
            f"`experiment` holds {count_infinite(data)}, of which the order alone is known. "
            "Use compare(experiment), which then tests average ranks, "
            "multiple_sign_test(experiment, control), which counts wins, or "
            "rank_intervals(experiment); or leave out data sets with experiment.select(...)."
        )
    return data


def check_histories(histories: object) -> Histories:
    """Return the histories, or raise an error that says how to make them."""
    from nbcompare.histories import Histories  # which most comparisons do without

    if not isinstance(histories, Histories):
        raise TypeError(
            f"`histories` must be a Histories; got {type(histories).__name__}. Make one with "
            "Histories.from_frame(frame, ...) or Histories.read(path, ...)."
        )
    return histories


def refuse_items(experiment: Experiment) -> None:
    """Refuse items, which are no folds and no runs: they are independent, and paired."""
    if experiment.unit == "items":
        raise DataError(
            "`experiment` holds items of a benchmark, which are no folds and no runs: use "
            "compare_items(experiment)."
        )


def count_infinite(experiment: Experiment) -> str:
    """Count the infinite scores in words: ``12 of 72 scores that are infinite (no success)``."""
    n, cells = experiment.n_infinite, experiment.missing.size
    return (
        f"{n:,} of {cells:,} scores that {'is' if n == 1 else 'are'} infinite "
        f"({experiment.infinite})"
    )


def own_scores(
    experiment: Experiment, *, gaps: bool = False
) -> tuple[FloatArray, FloatArray | None]:
    """Return the mean scores in their own direction, and the magnitude of what was averaged.

    Both have the shape (n_datasets, n_algorithms); the magnitude is None if nothing was
    averaged. A missing score is an error that names the cell, or NaN if ``gaps`` are allowed.
    """
    refuse_intervals(experiment)
    check_several_algorithms(experiment)
    check_several_datasets(experiment)
    if not gaps and experiment.missing.any():
        check_rules(GAPS, State(missing="raise", **facts_of_scores(experiment)), "missing")
    if experiment.n_infinite:
        return _in_order(experiment), None
    return experiment.mean_scores, magnitude(experiment)


def _in_order(experiment: Experiment) -> FloatArray:
    """Return finite numbers with the order and the ties of scores, some of which are infinite.

    The scores of each data set are divided by the largest finite one, and infinite ones tie beyond
    all others; nothing but their order within the data set has a meaning.
    """
    scores = experiment.mean_scores
    sizes = np.where(np.isfinite(scores), np.abs(scores), 0.0).max(axis=1, keepdims=True)
    shares = scores / np.where(sizes > 0, sizes, 1.0)
    return np.clip(shares, -2.0, 2.0)


def refuse_intervals(experiment: Experiment) -> None:
    """Refuse interval-valued scores where single numbers are needed."""
    if experiment.is_interval:
        raise DataError(
            "`experiment` holds interval-valued scores, and this needs single numbers; "
            "compare_stochastic compares intervals. Or make an Experiment of the midpoints."
        )


def check_several_algorithms(experiment: Experiment) -> None:
    """Refuse an experiment of a single algorithm."""
    if experiment.n_algorithms < 2:
        raise DataError("`experiment` must hold at least 2 algorithms to compare; got 1.")


def check_size(scores: FloatArray, argument: str) -> None:
    """Refuse scores so large that what is computed of them might not be a number."""
    if np.fmax.reduce(np.abs(scores), axis=None, initial=0.0) > _LARGEST:
        raise DataError(
            f"`{argument}` must hold scores up to {_LARGEST:.3g} in size; take a larger unit."
        )


def check_several_datasets(experiment: Experiment) -> None:
    """Refuse a single data set, and say what compares algorithms on it."""
    if experiment.n_datasets > 1:
        return
    text = (
        "`experiment` must hold at least 2 data sets to compare; got 1. One data set says nothing "
        "about others."
    )
    within = {"folds": "compare_cv", "runs": "compare_runs", "items": "compare_items"}
    text += (
        f" To compare the algorithms on this one alone, by its {experiment.unit}, use "
        f"{within[experiment.unit]}(experiment)."
        if experiment.unit in within
        else " Add data sets; or, to compare the algorithms on this one alone, the scores of its "
        "folds, runs or items."
    )
    raise DataError(text)


def too_few_to_resample(n: int) -> str:
    """Say why so few data sets are not resampled, as a sentence."""
    return (
        f"A bootstrap of fewer than {FEWEST_RESAMPLED} data sets, here {n}, gives intervals that "
        "are far too short."
    )


def magnitude(experiment: Experiment) -> FloatArray | None:
    """Return the magnitude of what was averaged, 0 for a missing score; None if nothing was."""
    if experiment.n_folds * experiment.n_runs == 1:
        return None
    return np.asarray(np.nan_to_num(np.abs(experiment.lower)).max(axis=(2, 3)))


def deviation_over(values: FloatArray) -> FloatArray:
    """Return the standard deviation over the last axis without NaN, with n - 1."""
    size = np.nanmax(np.abs(values), axis=-1, keepdims=True)
    size[size == 0] = 1.0  # squares of huge numbers overflow, those of tiny ones vanish
    small = values / size
    off = small - mean_over(small)[..., np.newaxis]
    squares = np.nansum(np.square(off), axis=-1)
    n_others = (~np.isnan(values)).sum(axis=-1) - 1
    share = np.sqrt(squares / n_others)
    return np.asarray(share * np.minimum(size[..., 0], np.finfo(np.float64).max / 2))


def oriented_scores(
    experiment: Experiment, *, gaps: bool = False
) -> tuple[FloatArray, FloatArray | None]:
    """Return the scores of :func:`own_scores` turned so that smaller is better."""
    scores, scale = own_scores(experiment, gaps=gaps)
    return oriented(scores, experiment), scale


def oriented(scores: FloatArray, experiment: Experiment) -> FloatArray:
    """Return scores turned so that smaller is better."""
    return -scores if experiment.direction == MAXIMIZE else scores


def in_order(labels: Iterable[str], *keys: FloatArray) -> IntArray:
    """Return the order of data sets by keys, the last one first, and then by label.

    Random draws belong to data sets in this order, so that it does not matter how a table is
    sorted.
    """
    return np.lexsort((np.array([*labels], dtype=np.str_), *keys))


def seed_of(rng: object) -> int | str | None:
    """Return what a result can record of a random generator: a seed or the name of its class."""
    if rng is None:
        return None
    return int(rng) if isinstance(rng, Integral) else type(rng).__name__


class _Fingerprint(NamedTuple):
    """The fingerprint of an experiment, which is computed later."""

    experiment: Experiment
    names: tuple[str, ...] = ("fingerprint",)

    def column(self, name: str, _: object = None) -> dict[str, str]:
        """Return the fingerprint by its name."""
        return {name: self.experiment.fingerprint}


def design_of(
    experiment: Experiment, options: Mapping[str, Any], *, given: Experiment | None = None
) -> Design:
    """Return the data and options as a result records them.

    ``given`` is the experiment before data sets with missing scores were left out.
    """
    left_out: tuple[str, ...] = ()
    if given is not None and given is not experiment:
        kept = set(experiment.datasets)
        left_out = tuple(name for name in given.datasets if name not in kept)
    return Design(
        algorithms=experiment.algorithms,
        datasets=experiment.datasets,
        n_datasets=experiment.n_datasets,
        n_folds=experiment.n_folds,
        n_runs=experiment.n_runs,
        direction=experiment.direction,
        measure=experiment.measure,
        citation=experiment.citation,
        options=Labelled(
            {name: seed_of(it) if name == "rng" else it for name, it in options.items()}
        ),
        left_out=left_out,
        treated=str(options.get("missing", "")) if given is not None and given.losses.any else "",
        n_missing=int(experiment.missing.sum()),
        turned=experiment.turned,
        fewest=experiment.fewest,
        unit=experiment.unit or "datasets",
        later=_Fingerprint(
            experiment
        ),  # the fingerprint of many scores takes longer than their ranks
    )


def design_of_histories(data: Histories, given: Histories, options: Mapping[str, Any]) -> Design:
    """Return the data and options as the result records them.

    ``given`` holds the histories before problems with missing runs were left out.
    """
    kept = set(data.problems)
    return Design(
        algorithms=data.algorithms,
        datasets=data.problems,
        n_datasets=len(data.problems),
        n_runs=int(data.values.shape[2]),
        direction=data.direction,
        measure=data.measure,
        citation=data.citation,
        fingerprint=data.fingerprint,
        options=Labelled(options),
        left_out=tuple(problem for problem in given.problems if problem not in kept),
    )


Fill = float | str | None
_MOST_NAMED = 10


def check_missing(missing: str, fill: Fill, function: str) -> None:
    """Raise an error if the function does not take the word, or ``fill`` does not go with it."""
    check_choice(missing, "missing", TREATMENTS_OF[function])
    if fill is not None and missing != "worst":
        raise ValueError(
            f"`fill` must be left out without missing='worst', whose scores it replaces; got "
            f"{shown(fill)} with missing={missing!r}."
        )


def treated(
    experiment: Experiment, missing: str, fill: Fill = None, *, function: str
) -> tuple[Experiment, tuple[Note, ...]]:
    """Return the experiment as ``missing`` says, and notes on what was done.

    Words that an analysis follows by itself (``skillings-mack``, ``interval``) change nothing.

    Parameters
    ----------
    experiment : Experiment
        The scores.
    missing : str
        One of the words that the function takes; :func:`check_missing` has checked it.
    fill : float or str, optional
        The score of what failed, or the algorithm whose score it gets, for ``worst``.
    function : str
        The function that treats the scores.

    Raises
    ------
    DataError
        If the word does not say what to do about the scores that are missing, or if too little is
        left.
    """
    baseline = _checked_fill(fill, experiment)
    if not experiment.losses.any:
        return experiment, ()
    check_rules(GAPS, State(missing=missing, **facts_of_scores(experiment, function)), "missing")
    if missing == "drop":
        return _without_datasets(experiment)
    if missing == "drop-folds":
        return _with_common_folds(experiment)
    if missing == "worst":
        return _filled(experiment, baseline)
    if missing == "available":
        names = [str(cell) for cell in experiment.incomplete]
        return experiment, (note("available", cells=named(names, most=3)),)
    return experiment, ()


def _checked_fill(fill: Any, experiment: Experiment) -> float | int | None:
    """Return the score, or the position of the algorithm, that replaces what failed."""
    if fill is None:
        return None
    if isinstance(fill, str):
        if fill in experiment.algorithms:
            return experiment.algorithms.index(fill)
    elif not isinstance(fill, bool) and isinstance(fill, Real) and np.isfinite(float(fill)):
        return float(fill)
    raise ValueError(
        f"`fill` must be a finite number or one of {listed(experiment.algorithms)}; got "
        f"{shown(fill)}.{did_you_mean(fill, experiment.algorithms)}"
    )


# ------------------------------------------------------------------------------ leaving out


def _without_datasets(experiment: Experiment) -> tuple[Experiment, tuple[Note, ...]]:
    """Leave out the data sets on which anything is missing; the folds, of a single data set."""
    losses = experiment.losses
    if experiment.n_datasets == 1:
        gaps = np.asarray((losses.folds | (losses.runs > 0))[0].any(axis=0))
        left_out = [name for name, gap in zip(experiment.folds, gaps, strict=True) if gap]
        whole = ~gaps[:, np.newaxis]
        low = np.where(whole, experiment.lower, np.nan)
        high = np.where(whole, experiment.upper, np.nan) if experiment.is_interval else low
        return experiment.with_scores(low, high), _left_out("fold", left_out, len(gaps))
    gaps = np.asarray((losses.folds | (losses.runs > 0)).any(axis=(1, 2)))
    kept = [name for name, gap in zip(experiment.datasets, gaps, strict=True) if not gap]
    dropped = [name for name, gap in zip(experiment.datasets, gaps, strict=True) if gap]
    return experiment.select(datasets=kept), _left_out("data set", dropped, len(gaps))


def _left_out(noun: str, names: Sequence[str], count: int) -> tuple[Note, ...]:
    told = listed(names, most=_MOST_NAMED)
    return (note("dropped", left=plural(len(names), noun), n=names, names=told, count=count),)


def _with_common_folds(experiment: Experiment) -> tuple[Experiment, tuple[Note, ...]]:
    """Keep the folds, and the labelled runs, that all algorithms have."""
    losses = experiment.losses
    lower, upper = experiment.by_run
    kept: BoolArray = ~np.asarray(losses.folds.any(axis=1, keepdims=True))[..., np.newaxis]
    if losses.struck is not None:
        kept = kept & ~losses.struck[:, np.newaxis]
    there = ~np.isnan(lower)
    stay = there & kept
    folds_before, folds_after = (np.asarray(each.any(axis=(1, 3))) for each in (there, stay))
    lost_runs = (there & ~stay & folds_after[:, np.newaxis, :, np.newaxis]).any(axis=1)
    several = experiment.n_datasets > 1
    what = [
        " and ".join(plural(count, noun) for count, noun in counts if count)
        + (f" of {name}" if several else "")
        for name, *counts in zip(
            experiment.datasets,
            zip(
                (folds_before & ~folds_after).sum(axis=1).tolist(),
                repeat(nouns_of(experiment.unit)[1]),
            ),
            zip(lost_runs.sum(axis=(1, 2)).tolist(), repeat("run")),
            strict=True,
        )
        if any(count for count, _ in counts)
    ]
    low = np.where(stay, lower, np.nan)
    high = low if upper is lower else np.where(stay, upper, np.nan)
    return experiment.with_scores(low, high), (
        note("folds-dropped", what=named(what, most=_MOST_NAMED)),
    )


# --------------------------------------------------------------------------------- filling


def _filled(
    experiment: Experiment, baseline: float | int | None
) -> tuple[Experiment, tuple[Note, ...]]:
    """Give each lost fold and run the worst score of the data set, or that of the baseline."""
    lower, upper = experiment.by_run
    holes = _holes(experiment, lower)
    maximize = experiment.direction == MAXIMIZE
    if isinstance(baseline, int):
        ends = [_of_baseline(baseline, each) for each in (lower, upper)]
        source = f"the score of {experiment.algorithms[baseline]} in the same fold"
    elif baseline is not None:
        of_data_sets = np.where(experiment.is_turned, -baseline, baseline)
        ends = [np.broadcast_to(of_data_sets[:, np.newaxis, np.newaxis], lower.shape[:3])] * 2
        source = f"the score {baseline:g}"
    else:
        worst = np.nanmin(lower, axis=(1, 2, 3)) if maximize else np.nanmax(upper, axis=(1, 2, 3))
        ends = [np.broadcast_to(worst[:, np.newaxis, np.newaxis], lower.shape[:3])] * 2
        source = "the worst score of its data set"
    made = []
    for scores, end in zip((lower, upper), ends, strict=True):
        wide = np.full(holes.shape, np.nan)
        wide[..., : scores.shape[3]] = scores
        made.append(np.where(holes, end[..., np.newaxis], wide))
        if upper is lower:
            made *= 2
            break
    if np.isnan(made[0][holes]).any():
        d, a, f, _ = np.argwhere(holes & np.isnan(made[0]))[0].tolist()
        raise DataError(
            f"`fill` must be an algorithm with a score wherever others failed; "
            f"{shown(experiment.algorithms[int(baseline or 0)])} has none on "
            f"{shown(experiment.datasets[d])} in fold {shown(experiment.folds[f])}, where "
            f"{shown(experiment.algorithms[a])} has none either."
        )
    names = [
        *(
            f"{experiment.algorithms[a]} on {experiment.datasets[d]}"
            for d, a in np.argwhere(experiment.missing).tolist()
        ),
        *map(str, experiment.incomplete),
    ]
    told = note("worst", cells=named(names, most=_MOST_NAMED), source=source)
    return experiment.with_scores(*made), (told,)


def _holes(experiment: Experiment, lower: FloatArray) -> BoolArray:
    """Return where a score is put: for each lost run, and the usual runs of each lost fold."""
    losses = experiment.losses
    there = ~np.isnan(lower)
    if losses.struck is not None:
        used = np.asarray(there.any(axis=(0, 2)))[np.newaxis, :, np.newaxis]
        lost = (losses.struck[:, np.newaxis] & used & ~there) & (losses.runs > 0)[..., np.newaxis]
        lost |= losses.folds[..., np.newaxis] & used
    else:  # further runs follow the existing ones
        counts = there.sum(axis=3)
        usual = counts.max(axis=(0, 2))[np.newaxis, :, np.newaxis]
        ends = counts + np.where(losses.folds, usual, losses.runs)
        place = np.arange(max(lower.shape[3], int(ends.max())))
        lost = (place >= counts[..., np.newaxis]) & (place < ends[..., np.newaxis])
    return np.asarray(lost, dtype=np.bool_)


def _of_baseline(position: int, scores: FloatArray) -> FloatArray:
    """Return the mean score of the baseline in each fold, for every algorithm."""
    means = mean_over(scores[:, position])[:, np.newaxis]
    return np.broadcast_to(means, scores.shape[:3])


_Arguments = ParamSpec("_Arguments")
_Made = TypeVar("_Made", bound=Result)
_Function = TypeVar("_Function", bound=Callable[..., Any])

# Experiments that were made of dataframes: nobody else has them, but a report needs them
_READ: WeakKeyDictionary[Result, Experiment] = WeakKeyDictionary()


def of_frames(function: Callable[_Arguments, _Made]) -> Callable[_Arguments, _Made]:
    """Let an analysis take a dataframe with ``direction`` for its experiment.

    The experiment is the argument of that name, or the first one, which may be something else
    where a second one follows it. The result then begins with notes on how the dataframe was read,
    and :func:`read_for` gives the experiment.
    """
    parameters = list(signature(function).parameters)
    is_either = "experiment" in parameters[1:]

    @wraps(function)
    def taking(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Made:
        by_name = "experiment" in options
        alone = len(arguments) == 1 and options.get("b") is None
        first = bool(arguments) and (parameters[0] == "experiment" or (is_either and alone))
        given = options.get("experiment") if by_name else arguments[0] if first else None
        if given is None or isinstance(given, Experiment) or not is_frame(given):
            return function(*arguments, **options)
        plain: dict[str, Any] = dict(options)
        unknown = [name for name in plain if name not in parameters]
        refuse_reading(unknown, plain.get("direction"), function.__name__)
        analysis = BY_FUNCTION.get(function.__name__)
        unit = (analysis and analysis.unit) or None
        made = experiment_of(given, plain.pop("direction", None), unit=unit)
        if by_name:
            plain["experiment"] = made
        rest: tuple[Any, ...] = arguments if by_name else (made, *arguments[1:])
        result = function(*rest, **plain)
        told: Any = result
        read = tuple(note for note in made.notes if note.code == FRAME)
        result = replace(told, notes=(*read, *result.notes))
        keep_read(result, made)
        return result

    return taking


def takes_options_of(other: Callable[..., Any]) -> Callable[[_Function], _Function]:
    """Show the options of another analysis, which a function passes on, in its signature."""

    def showing(function: _Function) -> _Function:
        own = dict(signature(function).parameters)
        last = list(own)[-1]
        theirs = {name: one for name, one in signature(other).parameters.items() if name not in own}
        del own[last]
        shown: Any = function
        shown.__signature__ = Signature([*own.values(), *theirs.values()])
        return function

    return showing


def keep_read(result: Result, experiment: Experiment) -> None:
    """Remember the experiment that was made of a dataframe for a result."""
    _READ[result] = experiment


def read_for(result: Result) -> Experiment | None:
    """Return the experiment that was made of a dataframe for a result; None for other results."""
    return _READ.get(result)


# Arguments that are data, and no options
_DATA = frozenset({"experiment", "histories", "direction", "names"})
_LATER = frozenset({"ratio"})  # is checked with the folds that it is about


def called(
    function: str, arguments: Mapping[str, Any], *, by_order: bool = False
) -> tuple[Experiment, State]:
    """Return the experiment and the options among the arguments of a function, checked.

    ``by_order`` says that the function uses the order of scores alone.
    """
    asked = check_options(function, arguments)
    given, direction = arguments["experiment"], arguments["direction"]
    return check_experiment(given, direction, by_order=by_order), asked


def check_options(function: str, arguments: Mapping[str, Any]) -> State:
    """Return the options among the arguments of a function, checked.

    The rules on options that go together are checked by :func:`check_rules`.
    """
    asked = State({name: value for name, value in arguments.items() if name not in _DATA})
    for name, value in asked.items():
        option = _option(function, name)
        if name == "adjust":
            asked[name] = check_adjust(value)
        elif name == "rng":
            generator(value)  # refuses an invalid seed, also where nothing is drawn
        elif name == "missing" and function in TREATMENTS_OF:
            check_missing(value, asked.get("fill"), function)
        elif option is not None and name not in _LATER:
            asked[name] = option.checked(value, name)
    return asked


@cache  # of the tables, which do not change
def _option(function: str, name: str) -> Option | None:
    record = record_of(name, own_of(function))
    return None if record is None else OPTIONS[record]


def result_of(
    kind: type[_Made],
    data: Experiment | Histories,
    asked: State,
    *,
    notes: Iterable[Note],
    given: Any = None,
    **found: Any,
) -> _Made:
    """Return a result, with the options that it has by name as they were asked for or ``found``.

    ``given`` are the data before data sets with missing scores were left out.
    """
    kept = {one.name: asked[one.name] for one in fields(kind) if one.name in asked}
    design = (
        design_of(data, asked, given=given)
        if isinstance(data, Experiment)
        else design_of_histories(data, data if given is None else given, asked)
    )
    return kind(**{**kept, "notes": tuple(notes), "design": design, **found})
