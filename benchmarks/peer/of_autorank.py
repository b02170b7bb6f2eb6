"""autorank."""

import pandas as pd
from autorank import autorank, create_report, latex_report, plot_stats
from harness import measure


def ranked(path):
    frame = pd.read_csv(path, index_col=0)
    return autorank(frame, alpha=0.05, verbose=False, force_mode="nonparametric", order="descending")


def diagram(path):
    result = ranked(path)
    plot_stats(result, allow_insignificant=True).figure.savefig("diagram.png")
    return {"friedman": float(result.pvalue), "without": "p-values of pairs"}


def report(path):
    """Sentences, and a document for LaTeX with a figure and a table, which is not typeset."""
    frame = pd.read_csv(path, index_col=0)
    result = autorank(frame, alpha=0.05, verbose=False)
    create_report(result)
    latex_report(result, complete_document=True)
    return {"without": "typesetting"}


measure({"diagram": diagram, "report": report})
