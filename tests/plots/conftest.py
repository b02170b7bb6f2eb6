"""Experiments and results to draw, and what every figure must satisfy."""

import dataclasses
import re

import numpy as np
import pytest
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.text import Text
from scipy.stats import norm, rankdata

import nbcompare as nbc
from nbcompare.results import Design, Labelled, Plan
from nbcompare.results.plan import Needed, RisingPower
from nbcompare.results.power_study import Shares

LEVELS = np.linspace(0.1, 1, 10)


@pytest.fixture(scope="session", autouse=True)
def texts_are_measured_once():
    """Measure a text in a font once: Matplotlib remembers it for one figure only."""
    measure, found = RendererAgg.get_text_width_height_descent, {}

    def measured(renderer, text, font, math):
        key = text, hash(font), math, renderer.dpi
        if key not in found:
            found[key] = measure(renderer, text, font, math)
        return found[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RendererAgg, "get_text_width_height_descent", measured)
        yield


@pytest.fixture(scope="session")
def simulated():
    """Give an experiment of n data sets and k algorithms, the first ones better."""

    def simulated(n, k, *, names=None, spread=0.5, seed=3):
        noise = np.random.default_rng(seed).normal(size=(n, k))
        scores = noise + np.linspace(0, spread * k / 5, k)
        return nbc.Experiment.from_array(scores, direction="minimize", algorithms=names)

    return simulated


@pytest.fixture(scope="session")
def stochastic():
    """Give a comparison of means of an experiment that are known up to a slack.

    Every third algorithm is deterministic; the slack of the others grows with their number.
    """

    def stochastic(experiment, *, procedure="bootstrap-b", slack=0.15, adjust="bonferroni", **more):
        scores = experiment.mean_scores
        k = scores.shape[1]
        slacks = slack * scores.std(axis=0) * (np.arange(k) % 3) * (1 + np.arange(k) / k)
        # half of the runs lie within the slack
        runs = scores[..., np.newaxis] + slacks[:, np.newaxis] * np.linspace(-2, 2, 9)
        data = nbc.Experiment.from_array(
            runs[:, :, np.newaxis],
            direction=experiment.direction,
            algorithms=experiment.algorithms,
            datasets=experiment.datasets,
        )
        options = {"scale": "one", "blocks": "datasets", "coverage": 0.5}
        if procedure.startswith("bootstrap"):  # the exact tests of many data sets take seconds
            options |= {"method": "resampling", "n_resamples": 10_000, "rng": 0}
        options |= {"adjust": adjust or None} | more
        return nbc.compare_stochastic(data, procedure=procedure, **options)

    return stochastic


@pytest.fixture(scope="session")
def histories_of():
    """Give histories that step towards the scores of an experiment, scaled to at most 1."""

    def histories_of(experiment, *, points=40, runs=7, seed=8):
        rng = np.random.default_rng(seed)
        scores = experiment.mean_scores / max(np.abs(experiment.mean_scores).max(), 1.0)
        n, k = scores.shape
        steps = rng.exponential(size=(n, k, runs, points)) * (
            rng.random((n, k, runs, points)) < 0.6
        )
        gap = np.cumsum(steps[..., ::-1], axis=-1)[..., ::-1]
        if experiment.direction == "maximize":
            gap = -gap
        return nbc.Histories.from_array(
            scores[..., np.newaxis, np.newaxis] + gap,
            evaluations=100 * np.arange(1, points + 1),
            direction=experiment.direction,
            problems=experiment.datasets,
            algorithms=experiment.algorithms,
            measure=experiment.measure,
        )

    return histories_of


@pytest.fixture(scope="session")
def convergence():
    """Give a comparison of exponential decays, the faster the smaller the score's rank."""

    def convergence(
        experiment, *, versions=("basic", "alternative"), adjust=(), alpha=0.1, null="exchange", c=8
    ):
        names, scores = experiment.algorithms, experiment.mean_scores
        if experiment.direction == "maximize":
            scores = -scores
        n, k = scores.shape
        # so slow that gaps mostly grow, but for noise
        rate = (
            0.02 + 0.25 * (1 - rankdata(scores, axis=1) / k) / np.arange(1, n + 1)[:, None] ** 0.3
        )
        step = np.arange(1, c + 1)
        error = np.exp(-rate[..., np.newaxis] * step)
        noise = np.random.default_rng(4).normal(scale=0.04, size=error.shape)
        error = np.minimum.accumulate(error * np.exp(noise), axis=-1)
        tolerance = 0.35 if "alternative" in versions else None
        histories = nbc.Histories.from_array(
            error[:, :, np.newaxis],
            evaluations=1000 * step,
            direction="minimize",
            problems=experiment.datasets,
            algorithms=names,
            measure="error",
            optimum=None if tolerance is None else 0.0,
        )
        return nbc.compare_convergence(
            histories,
            cutpoints=c,
            differences="raw",
            optimum_tolerance=tolerance,
            adjust=adjust or None,
            alpha=alpha,
            null=null,
        )

    return convergence


def needed_of(power, lower, upper, sizes, wanted):
    """What the columns of a power by size need, by a search from the smallest size on."""

    def first(curves):
        return np.array(
            [next((n for n, p in zip(sizes, c, strict=True) if p >= wanted), 0) for c in curves.T]
        )

    n = first(power)
    at = [list(sizes).index(one) if one else -1 for one in n], range(len(n))
    return Needed(
        n=n,
        lower=first(upper),
        upper=first(lower),
        power=power[at],
        power_lower=lower[at],
        power_upper=upper[at],
    )


@pytest.fixture(scope="session")
def planned():
    """Give a plan by hand: power by the normal law, of the data sets of an experiment."""

    def planned(
        experiment, *, control=None, power=0.8, alpha=0.05, prior=2.0, largest=60, n_pilot=None
    ):
        names, scores = experiment.algorithms, experiment.mean_scores
        if experiment.direction == "minimize":
            scores = -scores
        n, k = scores.shape
        pairs = [(i, j) for i in range(k) for j in range(i + 1, k) if control in (None, i, j)]
        first, second = np.array(pairs).T
        gaps = scores[:, first] - scores[:, second]
        mean, deviation = gaps.mean(axis=0), gaps.std(axis=0)
        first, second = np.where(mean < 0, (second, first), (first, second))
        effect = np.divide(np.abs(mean), deviation, out=np.zeros(len(pairs)), where=deviation > 0)
        pvalue = np.minimum(2 * norm.sf(effect * n**0.5) * len(pairs), 1.0)
        order = np.argsort(-effect, kind="stable")
        effect, pvalue, first, second = (part[order] for part in (effect, pvalue, first, second))
        sizes = np.unique(np.geomspace(2, largest, 40).round().astype(int))
        root = sizes[:, np.newaxis] ** 0.5
        found = norm.cdf(effect * root + norm.ppf(alpha / 2 / len(pairs)))
        significant = pvalue <= alpha
        together = found[:, significant].prod(axis=1, keepdims=True) * significant.any()
        share, of = np.hstack([found, together]), 400
        half = 1.96 * (share * (1 - share) / of) ** 0.5
        low, high = share - half, share + half
        trials = np.full(share.shape, float(of))
        columns = needed_of(share, low, high, sizes, power)
        parts = dataclasses.fields(Needed)

        def rows(some):
            return Needed(**{part.name: getattr(columns, part.name)[some] for part in parts})

        return Plan(
            unit="datasets",
            n_pilot=n if n_pilot is None else n_pilot,
            power=power,
            alpha=alpha,
            prior=prior,
            largest=largest,
            first=tuple(names[i] for i in first),
            second=tuple(names[i] for i in second),
            difference=np.abs(mean)[order],
            pvalue=pvalue,
            significant=significant,
            needed=rows(slice(-1)),
            together=rows(slice(-1, None)) if significant.any() else None,
            sizes=sizes,
            repetitions=np.full(len(sizes), of),
            found=Shares(successes=share * of, trials=trials, lower=low, upper=high),
            rising=RisingPower(power=share, lower=low, upper=high),
            confidence=0.95,
            tests="Design: made by hand.",
            several_scales=False,
            notes=(),
            design=Design(
                algorithms=names,
                datasets=experiment.datasets,
                n_datasets=n,
                n_folds=1,
                n_runs=1,
                direction=experiment.direction,
                measure=experiment.measure,
                citation=None,
                fingerprint=None,
                version="0",
                options=Labelled({"rng": 0}),
            ),
        )

    return planned


def drawn_texts(figure):
    """The texts of a figure that are really drawn, with their boxes in pixels."""
    texts, draw = [], Text.draw

    def noted(text, renderer):
        if text.get_visible() and text.get_text().strip():
            texts.append(text)
        draw(text, renderer)

    Text.draw = noted
    try:
        figure.draw_without_rendering()
    finally:
        Text.draw = draw
    texts = list(dict.fromkeys(texts))
    return texts, [Text.get_window_extent(text) for text in texts]


@pytest.fixture(scope="session")
def texts_of():
    """Give the texts that are drawn, each on one line."""
    return lambda plot: [" ".join(text.get_text().split()) for text in drawn_texts(plot.figure)[0]]


@pytest.fixture(scope="session")
def check_legible():
    """Give a check of all texts and marks.

    No text lies on another, leaves the canvas or is smaller than 7 pt; there is one sign for minus;
    Arabic words leave others in their order; and marks of a matrix have room in their cells.
    """

    def check_legible(plot):
        texts, boxes = drawn_texts(plot.figure)
        x0, y0, x1, y1 = np.array([box.extents for box in boxes]).T
        width = np.minimum.outer(x1, x1) - np.maximum.outer(x0, x0)
        height = np.minimum.outer(y1, y1) - np.maximum.outer(y0, y0)
        # boxes of letters have some air above and below
        both = np.argwhere(np.triu((width > 1) & (height > 2), 1))
        assert not [(texts[i].get_text(), texts[j].get_text()) for i, j in both]
        page = plot.figure.bbox
        outside = (x0 < page.x0 - 1) | (y0 < page.y0 - 1) | (x1 > page.x1 + 1) | (y1 > page.y1 + 1)
        assert not [texts[i].get_text() for i in np.flatnonzero(outside)]
        assert min(text.get_fontsize() for text in texts) >= 7
        written = [text.get_text() for text in texts]
        assert not [text for text in written if re.search(r"(?<![\w.)])-(?=[\d.])", text)]
        mixed = [text for text in written if re.search("[A-Za-z]", text) and not text.isascii()]
        assert all("\u2068" in text for text in mixed if re.search("[\u0600-\u06ff]", text))
        if plot.shown and plot.artists.keys() >= {"marks", "cells"}:
            cell = np.ptp(plot.ax.transData.transform([(0, 0), (1, 1)]), axis=0).min()
            widest = max(mark.get_markersize() for mark in plot.artists["marks"])
            assert 1.6 * widest * plot.figure.dpi / 72 < cell

    return check_legible
