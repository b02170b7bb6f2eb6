"""Results of scikit-learn, known by their shape: scikit-learn itself is not imported."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import DIRECTIONS, MAXIMIZE, MINIMIZE
from nbcompare._render import Note
from nbcompare._validation import (
    DataError,
    check_choice,
    check_real,
    clean_label,
    did_you_mean,
    listed,
    shown,
)

_SINGLE = "score"  # what scikit-learn calls the only metric
_ONE = "1"  # the data set that has no name
_OF_FOLDS = re.compile(r"fit_time|score_time|estimator|indices|(test|train)_.+")
_OF_SPLIT = re.compile(r"split(\d+)_test_(.+)")
_NESTING = (
    "Pass {algorithm: result} for one data set, or {dataset: {algorithm: result}}, where a result "
    "is what cross_validate or cross_val_score returned, or a fitted search."
)
_UNNAMED = Note(
    "sklearn",
    "Higher scores are taken to be better, as with every scorer of scikit-learn, for which errors "
    "are negative.",
)


class _Result(NamedTuple):
    """Scores of one algorithm on one data set: ``[fold]`` by metric, and the test examples.

    ``is_array`` is True of scores that were passed without the name that scikit-learn gave them,
    and whose sign may have been changed.
    """

    scores: Mapping[str, Any]
    splits: tuple[tuple[Any, ...], ...] | None = None
    is_array: bool = False


def parts(
    results: object, scoring: str | None, direction: str | None, measure: str | None
) -> dict[str, Any]:
    """Return the arguments that make an Experiment of results of scikit-learn."""
    if direction is not None:
        check_choice(direction, "direction", DIRECTIONS)
    found = {
        dataset: _by_algorithm(dataset, inner) for dataset, inner in _by_dataset(results).items()
    }
    algorithms = tuple(dict.fromkeys(name for inner in found.values() for name in inner))
    metric = _metric(found, scoring)
    arrays = {
        (d, a): _folds(result, metric, _where(dataset, name))
        for d, (dataset, inner) in enumerate(found.items())
        for a, name in enumerate(algorithms)
        if (result := inner.get(name)) is not None
    }
    for dataset, inner in found.items():
        _check_same_splits(dataset, inner, metric)
    n_folds = max((len(scores) for scores in arrays.values()), default=0)
    cells = np.full((len(found), len(algorithms), n_folds, 1), np.nan)
    for (d, a), scores in arrays.items():
        cells[d, a, : len(scores), 0] = scores
    plain = all(result.is_array for inner in found.values() for result in inner.values())
    _check_sign(metric, cells, direction, plain=plain)
    return {
        "lower": cells,
        "upper": cells,
        "datasets": tuple(found),
        "algorithms": algorithms,
        "folds": tuple(str(fold + 1) for fold in range(n_folds)),
        "direction": direction or MAXIMIZE,
        "measure": metric if measure is None and metric != _SINGLE else measure,
        "notes": (_UNNAMED,) if plain and direction is None else (),
    }


# --------------------------------------------------------------------------- the nesting


def _by_dataset(results: object) -> Mapping[str, Mapping[str, Any]]:
    """Return what was passed as ``{dataset: {algorithm: result}}``."""
    if _settings(results) is not None:
        return {_ONE: {"": results}}
    items = _mapping(results)
    if items is None or _is_of_folds(items):
        what = "the result of one algorithm" if items is not None else _kind(results)
        raise TypeError(f"`results` must name the algorithms; got {what}. {_NESTING}")
    if not items:
        raise ValueError(f"`results` must hold at least one result; got none. {_NESTING}")
    nested = {name: _is_nested(value) for name, value in items.items()}
    if len(set(nested.values())) > 1:
        inner = next(name for name, is_nested in nested.items() if is_nested)
        outer = next(name for name, is_nested in nested.items() if not is_nested)
        raise TypeError(
            f"`results` must be nested alike everywhere: results[{outer!r}] is a result, and "
            f"results[{inner!r}] holds some. {_NESTING}"
        )
    if all(nested.values()):
        return {_label(name, "data set"): _mapping(inner) or {} for name, inner in items.items()}
    for name, value in items.items():
        if _settings(value) is not None:
            raise TypeError(
                f"results[{name!r}] is a search of settings, and {shown(name)} may be an "
                "algorithm or a data set. Pass {dataset: {algorithm: search}}, also for one data "
                "set, or the search alone."
            )
    return {_ONE: items}


def _by_algorithm(dataset: str, inner: Mapping[str, Any]) -> dict[str, _Result]:
    found: dict[str, _Result] = {}
    for name, value in inner.items():
        where = _where(dataset, name)
        settings = _settings(value)
        made: dict[str, _Result]
        if settings is not None:
            start = f"{_label(name, 'algorithm')}: " if name != "" else ""
            made = {f"{start}{label}": one for label, one in _of_search(settings, where).items()}
        else:
            made = {_label(name, "algorithm"): _of_folds(value, where)}
        for label, result in made.items():
            if label in found:
                raise DataError(
                    f"{where}: the algorithm {shown(label)} is there twice. Give one another name."
                )
            found[label] = result
    return found


def _is_nested(value: object) -> bool:
    items = _mapping(value)
    return items is not None and not _is_of_folds(items) and _settings(value) is None


def _mapping(value: object) -> Mapping[Any, Any] | None:
    """Return a mapping, or the columns of a dataframe as one; None for anything else."""
    if isinstance(value, Mapping):
        return value
    if hasattr(value, "columns") and hasattr(value, "__getitem__"):
        return {str(name): np.asarray(value[name]) for name in value.columns}
    return None


def _is_of_folds(items: Mapping[Any, Any]) -> bool:
    """Tell whether these are the arrays of cross_validate."""
    names = [name for name in items if isinstance(name, str)]
    return (
        len(names) == len(items)
        and all(_OF_FOLDS.fullmatch(name) for name in names)
        and any(name.startswith("test_") for name in names)
        and not any(isinstance(value, Mapping) for key, value in items.items() if key != "indices")
    )


def _settings(value: object) -> Mapping[Any, Any] | None:
    """Return the ``cv_results_`` of a search, None for anything else."""
    items = _mapping(getattr(value, "cv_results_", value))
    is_search = items is not None and "params" in items and "mean_fit_time" in items
    return items if is_search else None


def _label(name: object, noun: str) -> str:
    label = clean_label(name) if isinstance(name, str | int | float) else ""
    if not label:
        raise DataError(f"`results`: the name of every {noun} must be text; got {shown(name)}.")
    return label


def _where(dataset: str, name: object) -> str:
    at = "" if dataset == _ONE else f"[{dataset!r}]"
    return f"results{at}{'' if name == '' else f'[{name!r}]'}"


def _kind(value: object) -> str:
    name = type(value).__name__
    if hasattr(value, "fit"):
        searches = hasattr(value, "param_grid") or hasattr(value, "param_distributions")
        return f"{name}, which has not been fitted" if searches else f"the estimator {name}"
    return name


# -------------------------------------------------------------------------- the results


def _of_folds(value: object, where: str) -> _Result:
    """Return what cross_validate or cross_val_score gave for one algorithm."""
    items = _mapping(value)
    if items is None:
        if not hasattr(value, "__len__") or isinstance(value, str | bytes) or hasattr(value, "fit"):
            raise TypeError(
                f"{where} must be a result; got {_kind(value)}. "
                "Pass what cross_validate returns for it."
            )
        return _Result({_SINGLE: value}, is_array=True)
    if not _is_of_folds(items):
        raise TypeError(
            f"{where} must be a result of cross_validate; got {shown(list(items))}. {_NESTING}"
        )
    scores = {
        key.removeprefix("test_"): array for key, array in items.items() if key.startswith("test_")
    }
    indices = items.get("indices")
    if not isinstance(indices, Mapping) or "test" not in indices:
        return _Result(scores)
    return _Result(scores, tuple(tuple(np.asarray(fold).tolist()) for fold in indices["test"]))


def _of_search(items: Mapping[Any, Any], where: str) -> dict[str, _Result]:
    """Return the results of the settings of a search, by their parameters."""
    if "iter" in items:
        raise DataError(
            f"{where} is a halving search, whose settings were evaluated on samples of different "
            "sizes, so that their scores cannot be compared. Pass what cross_validate returns for "
            "the settings that matter."
        )
    columns: dict[str, dict[int, Any]] = {}
    for key, values in items.items():
        if found := _OF_SPLIT.fullmatch(str(key)):
            columns.setdefault(found[2], {})[int(found[1])] = np.asarray(values)
    if not columns:
        raise DataError(f"{where} holds no score of a split, such as 'split0_test_score'.")
    results: dict[str, _Result] = {}
    for place, params in enumerate(items["params"]):
        label = _of_params(params)
        if label in results:
            raise DataError(f"{where}: two settings are written {shown(label)}; leave out one.")
        results[label] = _Result(
            {
                metric: [splits[number][place] for number in sorted(splits)]
                for metric, splits in columns.items()
            }
        )
    return results


def _of_params(params: Mapping[str, Any]) -> str:
    """Name a setting by its parameters.

    Examples
    --------
    >>> _of_params({"C": 1.0, "kernel": "rbf"}), _of_params({})
    ('C=1.0, kernel=rbf', 'default')
    """
    return clean_label(", ".join(f"{name}={value}" for name, value in params.items())) or "default"


def _metric(found: Mapping[str, Mapping[str, _Result]], scoring: str | None) -> str:
    """Return the metric that every result has: the only one, or the one that is asked for."""
    every = [
        (_where(dataset, name), result)
        for dataset, inner in found.items()
        for name, result in inner.items()
    ]
    if not every:
        raise ValueError(f"`results` must hold at least one result; got none. {_NESTING}")
    names = list(dict.fromkeys(metric for _, result in every for metric in result.scores))
    if scoring is None:
        if len(names) > 1:
            raise ValueError(f"`scoring` must be one of {listed(names)}, the metrics; got none.")
        return names[0]
    asked = scoring.removeprefix("test_") if isinstance(scoring, str) else scoring
    for where, result in every:
        if asked not in result.scores:
            only = (
                " A single metric is called 'score': leave out `scoring`, and pass "
                f"measure={scoring!r} to name it."
                if list(result.scores) == [_SINGLE] and isinstance(scoring, str)
                else did_you_mean(scoring, result.scores)
            )
            raise ValueError(
                f"`scoring` must be one of {listed(result.scores)}, the metrics of {where}; "
                f"got {shown(scoring)}.{only}"
            )
    return str(asked)


def _folds(result: _Result, metric: str, where: str) -> FloatArray:
    if metric not in result.scores:
        raise ValueError(
            f"{where} must have the metric {metric!r}; it has {listed(result.scores)}."
        )
    scores = check_real(result.scores[metric], where)
    if scores.ndim != 1 or not len(scores):
        raise DataError(
            f"{where} must hold one score per split; got an array of shape {scores.shape}."
        )
    if np.isinf(scores).any():
        split = int(np.flatnonzero(np.isinf(scores))[0])
        raise DataError(f"{where} must be finite; got {scores[split]!s} on split {split + 1}.")
    return scores


def _check_same_splits(dataset: str, inner: Mapping[str, _Result], metric: str) -> None:
    """Refuse algorithms that were evaluated on other splits than the first one."""
    (first, one), *others = inner.items()
    for name, other in others:
        counts = len(one.scores[metric]), len(other.scores[metric])
        if counts[0] != counts[1]:
            _refuse_splits(dataset, name, first, f"got {counts[1]} splits, and {counts[0]}")
        if one.splits is not None and other.splits is not None and one.splits != other.splits:
            _refuse_splits(dataset, name, first, "their test examples differ")


def _refuse_splits(dataset: str, name: str, first: str, told: str) -> NoReturn:
    raise DataError(
        f"{_where(dataset, name)} and {_where(dataset, first)} must be of the same splits; {told}. "
        "Pass the same cv to every call, with a random_state if it shuffles."
    )


def _check_sign(metric: str, cells: FloatArray, direction: str | None, *, plain: bool) -> None:
    """Refuse a direction, or a sign, that such scores cannot have."""
    scores = cells[~np.isnan(cells)]
    if direction == MINIMIZE:
        told = "" if metric == _SINGLE else f" with {metric!r}"
        if not plain:
            raise ValueError(
                f"`direction` must be 'maximize'{told}, because higher is better with every "
                "scorer of scikit-learn, also with one of errors (neg_...); got 'minimize'. If the "
                "sign was changed, pass the arrays alone: {algorithm: array}."
            )
        if bool((scores <= 0).all()) and bool((scores < 0).any()):
            raise ValueError(
                "`direction` must be 'maximize', because no score is above 0: they seem to be "
                "errors with the sign of scikit-learn (neg_...), of which higher is better; got "
                "'minimize'. If the sign is right, use Experiment.from_array."
            )
    if metric.startswith("neg_") and bool((scores > 0).any()):
        raise DataError(
            f"{metric!r} cannot be above 0: the sign of the scores was changed. Pass them as "
            "scikit-learn gives them, or the arrays alone, {algorithm: array}, with "
            "direction='minimize'."
        )
