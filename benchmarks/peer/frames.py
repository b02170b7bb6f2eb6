"""Tables as dataframes, for the packages that take them so."""

import numpy as np
import pandas as pd


def frame_in(path):
    """Return data sets by algorithms, from a CSV file or an array."""
    if path.suffix == ".npy":
        scores = np.load(path)
        return pd.DataFrame(scores, columns=[f"A{i}" for i in range(scores.shape[1])])
    return pd.read_csv(path, index_col=0)


def named(names, figures):
    return {name: float(one) for name, one in zip(names, figures, strict=True)}
