"""Results of scikit-learn, known by their shape: scikit-learn itself is not imported."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import MAXIMIZE, MINIMIZE
from nbcompare._render import Note
from nbcompare._validation import DataError, check_real, clean_label, did_you_mean, listed, shown

_SINGLE = "score"  # what scikit-learn calls the only metric
_ONE = "1"  # the data set that has no name
_OF_FOLDS = re.compile(r"fit_time|score_time|estimator|indices|(test|train)_.+")
_OF_SPLIT = re.compile(r"split(\d+)_test_(.+)")
_NESTING = (
    "Pass {algorithm: result} for one data set, or {dataset: {algorithm: result}}, where a result "
    "is what cross_validate or cross_val_score returned. A fitted search has several algorithms: "
    "pass {dataset: {algorithm: search}}, or it alone."
)
_UNNAMED = "Higher is taken to be better, as by scorers of scikit-learn, whose errors are negative."


class _Result(NamedTuple):
    """Scores of one algorithm on one data set: ``[fold]`` by metric, and the test examples.

    ``path`` holds the names under which it was passed; ``setting``, the parameters of one of a
    search. ``is_array`` is True of scores that were passed without the name that scikit-learn gave
    them, and whose sign may have been changed.
    """

    path: tuple[Any, ...]
    scores: Mapping[str, Any]
    setting: str = ""
    splits: Any = None
    is_array: bool = False

    def __str__(self) -> str:
        return f"results{''.join(f'[{name!r}]' for name in self.path)}"


def parts(
    results: object, scoring: str | None, direction: str | None, measure: str | None
) -> dict[str, Any]:
    """Return the arguments that make an Experiment of results of scikit-learn."""
    found = list(_walked(results, ()))
    metric = _metric(found, scoring)
    arrays: dict[tuple[str, str], FloatArray] = {}
    firsts: dict[str, _Result] = {}
    for one in found:
        dataset, algorithm = cell = _cell(one, found[0])
        if cell in arrays:
            raise DataError(f"{one}: {shown(algorithm)} is there twice; give one another name.")
        arrays[cell] = _folds(one, metric, firsts.setdefault(dataset, one))
    datasets, algorithms = (tuple(dict.fromkeys(axis)) for axis in zip(*arrays, strict=True))
    n_folds = max(map(len, arrays.values()))
    cells = np.full((len(datasets), len(algorithms), n_folds, 1), np.nan)
    for (dataset, algorithm), scores in arrays.items():
        cells[datasets.index(dataset), algorithms.index(algorithm), : len(scores), 0] = scores
    are_arrays = all(one.is_array for one in found)
    _check_sign(metric, cells, direction, are_arrays=are_arrays)
    return {
        "lower": cells,
        "upper": cells,
        "datasets": datasets,
        "algorithms": algorithms,
        "folds": tuple(str(fold + 1) for fold in range(n_folds)),
        "direction": MAXIMIZE if direction is None else direction,
        "measure": metric if measure is None and metric != _SINGLE else measure,
        "notes": (Note("sklearn", _UNNAMED),) if are_arrays and direction is None else (),
    }


def _walked(value: Any, path: tuple[Any, ...]) -> Iterator[_Result]:
    """Yield every result, in however many mappings of names it is."""
    items = getattr(value, "cv_results_", value)
    if hasattr(items, "columns") and hasattr(items, "__getitem__"):
        items = {str(name): np.asarray(items[name]) for name in items.columns}
    one = _Result(path, {_SINGLE: value}, is_array=True)
    if not isinstance(items, Mapping):
        if isinstance(value, str | bytes) or hasattr(value, "fit") or not hasattr(value, "__len__"):
            raise TypeError(f"{one} must be a result; got {type(value).__name__}. {_NESTING}")
        yield one
    elif "params" in items and "mean_fit_time" in items:
        yield from _settings(items, one)
    elif _is_of_folds(items):
        tests = {name.removeprefix("test_"): items[name] for name in items if name[:5] == "test_"}
        indices = items.get("indices")
        folds = indices.get("test") if isinstance(indices, Mapping) else None
        splits = None if folds is None else [np.asarray(fold).tolist() for fold in folds]
        yield _Result(path, tests, splits=splits)
    elif items:
        for name, inner in items.items():
            yield from _walked(inner, (*path, name))
    else:
        raise ValueError(f"{one} must hold at least one result; got none. {_NESTING}")


def _is_of_folds(items: Mapping[Any, Any]) -> bool:
    """Tell whether these are the arrays of cross_validate."""
    return any(str(name).startswith("test_") for name in items) and all(
        _OF_FOLDS.fullmatch(str(name)) and (name == "indices" or not isinstance(value, Mapping))
        for name, value in items.items()
    )


def _settings(items: Mapping[Any, Any], search: _Result) -> Iterator[_Result]:
    """Yield the results of the settings of a search, by their parameters."""
    keys = [(key, found) for key in items if (found := _OF_SPLIT.fullmatch(str(key)))]
    splits: dict[str, list[Any]] = {}
    for key, found in sorted(keys, key=lambda each: int(each[1][1])):
        splits.setdefault(found[2], []).append(np.asarray(items[key]))
    if "iter" in items or not splits:
        raise DataError(
            f"{search} must have the scores of every setting on the same splits, which a halving "
            "search has not. Pass what cross_validate returns for the settings that matter."
        )
    for place, params in enumerate(items["params"]):
        scores = {metric: [each[place] for each in every] for metric, every in splits.items()}
        setting = clean_label(", ".join(f"{name}={value}" for name, value in params.items()))
        yield _Result(search.path, scores, setting or "default")


def _cell(one: _Result, first: _Result) -> tuple[str, str]:
    """Return the data set and the algorithm that the names of a result mean."""
    depth = len(one.path)
    if depth != len(first.path) or (depth != 2 and depth != (0 if one.setting else 1)):
        raise TypeError(
            "`results` must name algorithms, or data sets and algorithms, alike everywhere; got "
            f"{'a search' if one.setting else 'a result'} as {one}, and the first as {first}. "
            f"{_NESTING}"
        )
    names = [clean_label(name) for name in one.path]
    algorithm = ": ".join(filter(None, (*names[-1:], one.setting)))
    return names[0] if depth == 2 else _ONE, algorithm


def _metric(found: Sequence[_Result], scoring: str | None) -> str:
    """Return the metric that every result has: the only one, or the one that is asked for."""
    common = [name for name in found[0].scores if all(name in one.scores for one in found)]
    if scoring is None and len(common) == 1:
        return common[0]
    metric = str(scoring).removeprefix("test_")
    if scoring is None or metric not in common:
        hint = did_you_mean(scoring, common) if scoring else ""
        raise ValueError(
            f"`scoring` must be one of {listed(common)}, the metrics of all results; got "
            f"{shown(scoring)}.{hint or ' Name a single metric with `measure`.'}"
        )
    return metric


def _folds(one: _Result, metric: str, first: _Result) -> FloatArray:
    """Return a score for each split, which must be those of the first result of a data set."""
    scores = check_real(one.scores[metric], str(one))
    if scores.ndim != 1 or not scores.size or np.isinf(scores).any():
        got = shown(scores.tolist())
        raise DataError(f"{one} must hold one finite score per split; got {got}.")
    n_splits = len(first.scores[metric])
    is_other = None not in (one.splits, first.splits) and one.splits != first.splits
    if len(scores) != n_splits or is_other:
        raise DataError(
            f"{one} ({len(scores)} splits) and {first} ({n_splits}) must have the same splits and "
            "test examples. Pass the same cv to every call, with a random_state if it shuffles."
        )
    return scores


def _check_sign(metric: str, cells: FloatArray, direction: str | None, *, are_arrays: bool) -> None:
    """Refuse a direction, or a sign, that such scores cannot have."""
    scores = cells[~np.isnan(cells)]
    is_negative = bool((scores <= 0).all() and (scores < 0).any())
    if direction == MINIMIZE and (is_negative or not are_arrays):
        raise ValueError(
            f"`direction` must be 'maximize' with {metric!r}, because higher is better with every "
            "scorer of scikit-learn, whose errors are negative; got 'minimize'. Pass scores with "
            "another sign as arrays, {algorithm: array}, or to Experiment.from_array."
        )
    if metric.startswith("neg_") and bool((scores > 0).any()):
        raise DataError(
            f"{metric!r} cannot be above 0: the sign of the scores was changed. Pass them as they "
            "were, or as arrays, {algorithm: array}, with direction='minimize'."
        )
