"""Experiments to draw, and what every figure must satisfy."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

import nbcompare as nbc


@pytest.fixture
def simulated():
    """Give an experiment of n data sets and k algorithms, the first ones better."""

    def simulated(n, k, *, names=None, spread=0.5, seed=3):
        noise = np.random.default_rng(seed).normal(size=(n, k))
        scores = noise + np.linspace(0, spread * k / 5, k)
        return nbc.Experiment.from_array(scores, direction="minimize", algorithms=names)

    return simulated


@pytest.fixture
def check_legible():
    """Give a check that no text of a plot lies on another or leaves the page."""

    def check_legible(plot):
        renderer = FigureCanvasAgg(plot.figure).get_renderer()
        plot.figure.draw(renderer)
        texts = [text for text in plot.ax.texts if text.get_text()]
        extents = [text.get_window_extent(renderer) for text in texts]
        x0, y0, x1, y1 = np.array([box.extents for box in extents]).T
        width = np.minimum.outer(x1, x1) - np.maximum.outer(x0, x0)
        height = np.minimum.outer(y1, y1) - np.maximum.outer(y0, y0)
        both = np.argwhere(np.triu((width > 0.5) & (height > 0.5), 1))
        assert not [(texts[i].get_text(), texts[j].get_text()) for i, j in both]
        page = plot.figure.bbox
        outside = (x0 < page.x0) | (y0 < page.y0) | (x1 > page.x1) | (y1 > page.y1)
        assert not [texts[i].get_text() for i in np.flatnonzero(outside)]

    return check_legible
