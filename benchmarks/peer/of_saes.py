"""SAES."""

import pandas as pd
from frames import frame_in, named
from harness import Loaded, measure, pairs_of
from SAES.plots.cdplot import CDplot
from SAES.statistical_tests.apv_procedures import friedman_ph_test
from SAES.statistical_tests.non_parametrical import NemenyiCD, _ranks, friedman


def adjusted(frame, word):
    return friedman_ph_test(frame, True, apv_procedure=word)[2]


def compare(frame):
    return friedman(frame, True), adjusted(frame, "Holm")


def diagram(path):
    frame = frame_in(path)
    friedman(frame, True)
    adjusted(frame, "Nemenyi")
    long = frame.rename_axis("Instance").reset_index()
    long = long.melt("Instance", var_name="Algorithm", value_name="MetricValue")
    long["MetricName"] = "score"
    metrics = pd.DataFrame({"MetricName": ["score"], "Maximize": [True]})
    CDplot(long, metrics, "score").save(".")


def agreement(path):
    frame = frame_in(path)
    names = list(frame)

    def pairs(word):
        table = adjusted(frame, word)
        p = dict(zip(table.index, table.iloc[:, 0], strict=True))
        return pairs_of(names, lambda i, j: p[f"{names[i]} vs {names[j]}"])

    n, k = frame.shape
    return {
        "friedman": lambda: float(friedman(frame, True).loc["p-value"].iloc[0]),
        "ranks": lambda: named(names, _ranks(frame.to_numpy(), True).mean(axis=0)),
        "cd": lambda: float(NemenyiCD(0.05, k, n)),
        "nemenyi": lambda: pairs("Nemenyi"),
        "holm": lambda: pairs("Holm"),
        "shaffer": lambda: pairs("Shaffer"),
    }


measure(
    {
        "diagram": diagram,
        "compare": Loaded(frame_in, compare),
        "shaffer": Loaded(frame_in, lambda frame: adjusted(frame, "Shaffer")),
        "agreement": agreement,
    }
)
