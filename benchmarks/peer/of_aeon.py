"""aeon."""

import pandas as pd
from aeon.visualisation import plot_critical_difference
from harness import measure


def diagram(path):
    """Groups by Wilcoxon's one-sided tests; what it returns is not adjusted."""
    frame = pd.read_csv(path, index_col=0)
    figure, _, _ = plot_critical_difference(
        frame.to_numpy(), list(frame), alpha=0.05, return_p_values=True
    )
    figure.savefig("diagram.png")
    return {"without": "Friedman's p, and adjusted p-values of pairs"}


measure({"diagram": diagram})
