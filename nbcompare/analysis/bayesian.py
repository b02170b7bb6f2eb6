"""Compare algorithms by probabilities of differences and of practical equivalence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
from nbcompare._options import AUTO, default
from nbcompare._progress import Progress
from nbcompare._render import Note
from nbcompare._validation import DataError, shown
from nbcompare.analysis import _notes
from nbcompare.analysis._family import check_control
from nbcompare.analysis.crossval import notes_of_splits
from nbcompare.analysis.data import Fill, called, of_frames, oriented_scores, result_of, treated
from nbcompare.analysis.rules import State
from nbcompare.analysis.scales import Scales, scales_of
from nbcompare.analysis.within import Splits, settled_ratio, splits_of
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import BayesianComparison
from nbcompare.results.bayesian import FIRST, NONE, SECOND
from nbcompare.results.hypotheses import EQUIVALENT
from nbcompare.results.texts import note
from nbcompare.results.within import splits_text
from nbcompare.stats import bayesian, posthoc, rankings
from nbcompare.stats.bayesian import lattice_counts
from nbcompare.words import BAYESIAN_TESTS, TREATMENTS_OF

# The draws that a figure shows: their number, and the steps of the lattice to which they are
# rounded, with a region of equivalence and without one, where they lie on a line
_SHOWN, _STEPS, _STEPS_OF_LINE = 5_000, 24, 40
_TOO_EASILY = "That it is better is therefore claimed too easily."
_MOST_SHOWN = 300  # pairs; of more, the result would be too large


# The algorithms of each pair, by index, and the control
_Chosen = tuple[IntArray, IntArray, int | None]


@of_frames
def compare_bayesian(
    experiment: Experiment | Frame,
    *,
    rope: float | None = default("rope"),
    direction: str | None = None,
    control: str | None = default("control"),
    dataset: str | None = None,
    test: str = default("bayesian.test"),
    ratio: float | None = None,
    threshold: float = default("threshold"),
    n_samples: int = default("n_samples"),
    rng: np.random.Generator | int | None = default("bayesian.rng"),
    missing: str = default("bayesian.missing"),
    fill: Fill = default("fill"),
) -> BayesianComparison:
    r"""Compute how probable it is that an algorithm is better, or that two are equivalent.

    Each pair has three probabilities, which add up to 1: that the first is better by more than
    ``rope``, that the two are practically equivalent, and that the second is better by more than
    ``rope``. Something is claimed if its probability is at least ``threshold``. Differences are
    positive where the first is better, whether high or low scores are better.

    Parameters
    ----------
    experiment : Experiment or dataframe
        At least 2 algorithms, on at least 2 data sets or on the folds of one.
    rope : float
        Half the width of the region of practical equivalence, in units of the measure: the
        largest difference that does not matter in practice, such as 0.01 for an accuracy between
        0 and 1. It must be chosen before the results are looked at. 0 asks only which of the two is
        better.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    control : str, optional
        The algorithm that all others are compared with; ``"best"`` is the one with the best
        average rank (on folds, the best mean), with a note that it was chosen from the data. All
        pairs are compared by default.
    dataset : str, optional
        The data set whose folds are compared, if the experiment has several.
    test : {"auto", "signed-rank", "sign", "correlated-t"}
        ``signed-rank`` compares over data sets, and uses how large the differences are. ``sign``
        uses only whether they lie beyond the region of equivalence. ``correlated-t`` compares on
        the folds of one data set. ``auto``: ``signed-rank`` for several data sets, else
        ``correlated-t``.
    ratio : float, optional
        For ``correlated-t``, the size of a test set over that of a training set, as in
        :func:`nbcompare.compare_cv`.
    threshold : float, default 0.95
        Probability from which something is claimed, above 0.5 and below 1.
    n_samples : int, default 50000
        Number of random draws of ``signed-rank``; the other tests are exact.
    rng : None, int or numpy Generator, default 0
        Seed or source of the random numbers. The default gives the same result every time; None
        draws new ones.
    missing : {"raise", "drop-folds", "drop", "worst", "available"}
        What to do about missing scores, as in :func:`nbcompare.compare`; ``correlated-t`` takes the
        first two.
    fill : float or str, optional
        The score of what failed, as in :func:`nbcompare.compare`.

    Returns
    -------
    BayesianComparison
        The result, which displays itself; see also its ``sentences`` and ``to_frame()``.
        :func:`nbcompare.plots.posterior_matrix` shows all pairs,
        :func:`nbcompare.plots.posterior_simplex` one of them.

    Raises
    ------
    DataError
        If scores are missing, not finite or intervals, or if there are too few algorithms, data
        sets or folds.
    ValueError
        If ``rope`` is not given, an option is out of range, or options cannot be combined.

    Notes
    -----
    Probabilities are about each pair by itself: nothing is adjusted for the number of pairs. A
    difference of exactly ``rope`` is in the region of equivalence; with ``rope=0`` there is none,
    and a tie is half a gain and half a loss. Differences that are equal but for rounding are
    treated as equal: 0.81 - 0.80 is 0.01.

    There is also a hierarchical model, which uses the folds of several data sets at once (Corani
    et al. 2017). It needs Markov chain Monte Carlo and is not part of nbcompare; the package
    baycomp fits it.

    References
    ----------
    Benavoli, A., Mangili, F., Corani, G., Zaffalon, M. and Ruggeri, F. (2014). A Bayesian
    Wilcoxon signed-rank test based on the Dirichlet process. Proceedings of the 31st
    International Conference on Machine Learning, 1026-1034.
    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial
    for comparing multiple classifiers through Bayesian analysis. Journal of Machine Learning
    Research 18(77), 1-36.
    Corani, G. and Benavoli, A. (2015). A Bayesian approach for comparing cross-validated
    algorithms on multiple data sets. Machine Learning 100, 285-304.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> data = nbc.datasets.load("demsar2006")
    >>> result = nbc.compare_bayesian(data, rope=0.01, control="C4.5")
    >>> result
    <BayesianComparison: C4.5+m+cf is better than C4.5 by more than 0.01 (AUC) with probability
    0.962>
    >>> print(result.sentences[0])
    C4.5+m+cf is better than C4.5 by more than 0.01 (AUC) with probability 0.962.
    >>> result.to_frame()[["second", "first_better", "equivalent", "second_better"]].round(2)
          second  first_better  equivalent  second_better
    0  C4.5+m+cf          0.00        0.04           0.96
    1    C4.5+cf          0.07        0.78           0.15
    2     C4.5+m          0.00        0.33           0.67
    """
    data, asked = called("compare_bayesian", locals())
    check_rope(rope)
    word = settled_test(test, data, dataset)
    record = BAYESIAN_TESTS[word]
    if not record.is_sampled and asked.n_samples != default("n_samples"):
        raise ValueError(
            f"`n_samples` must be left out with test={word!r}, which is exact; got "
            f"{asked.n_samples}."
        )
    if record.on_folds:
        if missing not in TREATMENTS_OF["compare_cv"]:
            words = " or ".join(map(repr, TREATMENTS_OF["compare_cv"]))
            raise ValueError(f"`missing` must be {words} with test={word!r}; got {missing!r}.")
        splits = splits_of(data, dataset, missing)
        return _on_folds(splits, asked, word)
    if ratio is not None:
        raise ValueError(
            f"`ratio` must be left out with test={word!r}, which does not compare folds; got "
            f"{shown(ratio)}."
        )
    used, notes = treated(data, missing, fill, function="compare_bayesian")
    return _over_datasets(data, used, notes, asked, word)


# ------------------------------------------------------------------------- over data sets


def _over_datasets(
    given: Experiment,
    data: Experiment,
    notes: tuple[Note, ...],
    asked: State,
    test: str,
) -> BayesianComparison:
    scores, magnitude = oriented_scores(data)
    standing = rankings.rank(scores, scale=magnitude).average_ranks
    first, second, chosen = _pairs(asked.control, data.algorithms, standing)
    sizes = (np.abs(scores) if magnitude is None else magnitude).T
    scale = np.maximum(sizes[first], sizes[second])
    gains = (scores[:, second] - scores[:, first]).T
    gains = at_edges(gains, asked.rope, NOISE * scale)
    if test == "sign":
        counts = bayesian.sign_counts(gains, asked.rope, scale=scale)
        law = bayesian.sign if asked.rope else bayesian.sign_without_region
        found = law(*counts)
    else:
        counts, n = None, asked.n_samples
        with Progress("random draws", n) as bar:
            found = bayesian.signed_rank(
                gains, asked.rope, n_samples=n, rng=asked.rng, scale=scale, progress=bar.update
            )
    scales = scales_of(data)
    pairs, found, gains, turned = _better_first((first, second, chosen), found, gains)
    if counts is not None:
        wins, within, losses = counts
        counts = np.where(turned, losses, wins), within, np.where(turned, wins, losses)
    return _result(
        data,
        asked,
        test,
        pairs,
        found,
        given=given,
        gains=gains if scales.one else None,
        draws=_draws(gains, scale, counts, asked),
        n_differences=data.n_datasets,
        notes=(
            *notes,
            *_notes.of_experiment(data),
            *of_datasets(data.n_datasets, asked.rope, test, scales),
            *_notes.of_control(asked.control, chosen, data.algorithms, standing, what=_TOO_EASILY),
            *of_pairs(found, gains, asked),
        ),
    )


def _draws(
    gains: FloatArray,
    scale: FloatArray,
    counts: tuple[FloatArray, FloatArray, FloatArray] | None,
    asked: State,
) -> IntArray | None:
    """Return where some draws of the three shares lie, of each pair, for a figure."""
    if len(gains) > _MOST_SHOWN:
        return None
    region = asked.rope > 0
    found = []
    for row in range(len(gains)):
        if counts is None:
            shares = bayesian.signed_rank_shares(
                gains[row], asked.rope, n_samples=_SHOWN, scale=scale[row]
            )
        else:
            own = (float(part[row]) for part in counts)
            shares = bayesian.sign_shares(*own, region=region, n_samples=_SHOWN)
        if region:
            found.append(lattice_counts(shares, _STEPS))
        else:  # there is no share of equivalence, and the lattice is a line
            nearest = np.rint(shares[:, 0] * _STEPS_OF_LINE).astype(np.int64)
            found.append(np.bincount(nearest, minlength=_STEPS_OF_LINE + 1))
    return np.array(found)


# ---------------------------------------------------------------------------- on folds


def _on_folds(splits: Splits, asked: State, test: str) -> BayesianComparison:
    size = settled_ratio(asked.ratio, splits.shape)
    algorithms = splits.data.algorithms
    standing = splits.exact.mean(axis=1)
    first, second, chosen = _pairs(asked.control, algorithms, standing)
    _, _, gains = splits.differences(first, second)
    sizes = np.abs(splits.scores).max(axis=1)
    noise = NOISE * np.maximum(sizes[first], sizes[second])
    gains = at_edges(gains, asked.rope, noise[:, np.newaxis])
    # of differences that are equal but for rounding
    deviations = np.where(np.ptp(gains, axis=1) <= 2 * noise, 0.0, gains.std(axis=1, ddof=1))
    means = at_edges(gains.mean(axis=1), asked.rope, noise)
    found = bayesian.correlated_t(means, deviations, splits.n, size, asked.rope)
    pairs, found, gains, _ = _better_first((first, second, chosen), found, gains)
    return _result(
        splits.data,
        asked,
        test,
        pairs,
        found,
        given=splits.given,
        gains=gains,
        spread=np.sqrt(1 / splits.n + size) * deviations,
        n_differences=splits.n,
        ratio=size,
        splits=splits,
        notes=(
            *splits.notes,
            *notes_of_splits(
                splits, size, given=asked.ratio is not None, wrong="probabilities are too extreme"
            ),
            note("one-data-set"),
            *_notes.of_control(
                asked.control, chosen, algorithms, standing, "mean", what=_TOO_EASILY
            ),
            *of_variance(deviations, asked.rope),
            *of_pairs(found, gains, asked),
        ),
    )


# ------------------------------------------------------------------------- both of them


def _pairs(control: str | None, algorithms: tuple[str, ...], standing: FloatArray) -> _Chosen:
    """Return the pairs to compare, and the control; the lowest standing is the best."""
    chosen = check_control(control, algorithms, standing)
    return (*posthoc.pairs(len(algorithms), chosen), chosen)


def _better_first(
    pairs: _Chosen, found: bayesian.Posterior, gains: FloatArray
) -> tuple[_Chosen, bayesian.Posterior, FloatArray, BoolArray]:
    """Turn pairs whose second is more probably better, but for those with a control.

    The last is which pairs were turned.
    """
    first, second, chosen = pairs
    turned = (found.second > found.first) & (chosen is None)
    oriented = found._replace(
        first=np.where(turned, found.second, found.first),
        second=np.where(turned, found.first, found.second),
        standard_error=np.where(turned, found.standard_error[::-1], found.standard_error),
    )
    pairs = np.where(turned, second, first), np.where(turned, first, second), chosen
    return pairs, oriented, np.where(turned[:, np.newaxis], -gains, gains), turned


def _result(
    data: Experiment,
    asked: State,
    test: str,
    pairs: _Chosen,
    found: bayesian.Posterior,
    *,
    gains: FloatArray | None,
    draws: IntArray | None = None,
    spread: FloatArray | None = None,
    splits: Splits | None = None,
    **more: Any,
) -> BayesianComparison:
    """Return the result with its pairs in order: claims first, then by the largest probability."""
    first, second, chosen = pairs
    algorithms = data.algorithms
    each = np.stack([found.first, found.equal, found.second], axis=1)
    largest, claimed = each.max(axis=1), each.argmax(axis=1)
    decided = largest >= asked.threshold
    order = np.lexsort((-largest, ~decided))
    words = np.array([FIRST, EQUIVALENT, SECOND])
    sampled = BAYESIAN_TESTS[test].is_sampled

    def names(places: IntArray) -> tuple[str, ...]:
        return tuple(algorithms[place] for place in places[order])

    return result_of(
        BayesianComparison,
        data,
        asked,
        test=test,
        control=None if chosen is None else algorithms[chosen],
        n_samples=asked.n_samples if sampled else None,
        first=names(first),
        second=names(second),
        first_better=found.first[order],
        equivalent=found.equal[order],
        second_better=found.second[order],
        standard_errors=found.standard_error.T[order] if sampled else None,
        decision=tuple(str(words[claimed[row]]) if decided[row] else NONE for row in order),
        mean_difference=None if gains is None else (gains / gains.shape[1]).sum(axis=1)[order],
        draws=None if draws is None else draws[order],
        spread=None if spread is None else spread[order],
        dataset=None if splits is None else splits.dataset,
        splits="" if splits is None else splits_text(*splits.shape, splits.n),
        **{"ratio": None, **more},
    )


_FEW = 10  # data sets below which a claim is too likely


def check_rope(rope: object) -> None:
    """Say how to choose half the width of the region of equivalence, if it is not given."""
    if rope is None:
        raise ValueError(
            "`rope` must be given: the largest difference that does not matter in practice, in "
            "units of the measure. For an accuracy between 0 and 1 it is often one hundredth: "
            "rope=0.01; in percent, rope=1. Choose it before you look at the results. With rope=0, "
            "the question is only which of two algorithms is better."
        )


def settled_test(test: str, data: Experiment, dataset: str | None) -> str:
    """Return the test that suits the data, or refuse one that does not."""
    alone = dataset is not None or data.n_datasets == 1
    if test == AUTO:
        return "correlated-t" if alone else "signed-rank"
    if BAYESIAN_TESTS[test].on_folds and not alone:
        raise DataError(
            f"`experiment` must hold one data set with test={test!r}, which compares on its folds; "
            f"got {data.n_datasets}. Take one of them with experiment.select(datasets=...), or "
            "compare over all of them with test='signed-rank'."
        )
    if BAYESIAN_TESTS[test].on_folds or not alone:
        return test
    if dataset is not None:
        raise ValueError(
            f"`dataset` must be left out with test={test!r}, which compares over data sets; got "
            f"{shown(dataset)}."
        )
    raise DataError(
        f"`experiment` must hold at least 2 data sets with test={test!r}; got 1. Add data sets; or "
        "compare the algorithms on the folds of this one with test='correlated-t'."
    )


def at_edges(differences: FloatArray, rope: float, noise: FloatArray) -> FloatArray:
    """Return differences that are 0 or ``rope`` but for rounding noise as just that."""
    for edge in (0.0, rope):
        is_at = np.abs(np.abs(differences) - edge) <= noise
        differences = np.where(is_at, np.sign(differences) * edge + 0.0, differences)
    return differences


# -------------------------------------------------------------------------------- notes


def of_datasets(n: int, rope: float, test: str, scales: Scales) -> Iterator[Note]:
    """Yield notes on few data sets, and on several scales."""
    if n < _FEW:
        yield note("few-datasets", n=n, claims=BAYESIAN_TESTS[test].false_claims)
    if scales.one or not (rope or test == "signed-rank"):
        return
    means = "differences of different data sets are added up"
    if rope:
        means = f"{rope:g} does not mean the same on all of them"
    yield note("several-scales/bayesian", scales=scales, means=means)


def of_variance(deviations: FloatArray, rope: float) -> Iterator[Note]:
    """Yield a note if two algorithms differ by the same amount on every test set."""
    if (deviations == 0).any():
        yield note("no-variance/probabilities", values="0 or 1" if rope else "0, 1 or 1/2")


def of_pairs(found: bayesian.Posterior, gains: FloatArray, asked: State) -> Iterator[Note]:
    """Yield notes on ties, on several pairs, and on claims that more draws may change."""
    if not gains.any():
        yield note("all-tied")
    elif asked.rope >= (largest := float(np.abs(gains).max())):
        yield note("rope-too-wide", asked=asked, largest=largest)
    if len(found.first) > 1:
        yield note("pairs-single")
    each = np.stack([found.first, found.equal, found.second])
    near = np.abs(each - asked.threshold) <= 2 * found.standard_error
    unsure = int((near & (found.standard_error > 0)).any(axis=0).sum())
    if unsure:
        yield note("near-threshold", unsure=unsure, asked=asked)
