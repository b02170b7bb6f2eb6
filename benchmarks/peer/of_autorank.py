"""autorank."""

from autorank import autorank, create_report, latex_report, plot_stats
from frames import frame_in, named
from harness import Loaded, measure


def ranked(frame):
    return autorank(
        frame, alpha=0.05, verbose=False, force_mode="nonparametric", order="descending"
    )


def diagram(path):
    result = ranked(frame_in(path))
    plot_stats(result, allow_insignificant=True).figure.savefig("diagram.png")


def report(path):
    """Sentences, and a document for LaTeX with a figure and a table."""
    result = autorank(frame_in(path), alpha=0.05, verbose=False, order="descending")
    create_report(result)
    latex_report(result, complete_document=True)


def agreement(path):
    frame = frame_in(path)
    result = ranked(frame)
    names = list(frame)
    ranks = result.rankdf.meanrank.loc[names]
    return {
        "friedman": lambda: float(result.pvalue),
        "ranks": lambda: named(names, ranks),
        "cd": lambda: float(result.cd),
    }


measure(
    {
        "diagram": diagram,
        "compare": Loaded(frame_in, ranked),
        "report": report,
        "agreement": agreement,
    }
)
