"""SAES."""

import pandas as pd
from harness import measure, pairs_of
from SAES.plots.cdplot import CDplot
from SAES.statistical_tests.apv_procedures import friedman_ph_test
from SAES.statistical_tests.non_parametrical import friedman


def adjusted(frame, word):
    table = friedman_ph_test(frame, True, apv_procedure=word)[2]
    p = {label: float(value) for label, value in zip(table.index, table.iloc[:, 0], strict=True)}
    names = list(frame)

    def of(i, j):
        return p.get(f"{names[i]} vs {names[j]}", p.get(f"{names[j]} vs {names[i]}"))

    return pairs_of(names, of)


def diagram(path):
    frame = pd.read_csv(path, index_col=0)
    found = friedman(frame, True)
    long = frame.rename_axis("Instance").reset_index().melt(
        "Instance", var_name="Algorithm", value_name="MetricValue"
    )
    long["MetricName"] = "score"
    metrics = pd.DataFrame({"MetricName": ["score"], "Maximize": [True]})
    CDplot(long, metrics, "score").save(".")
    return {"friedman": float(found.loc["p-value"].iloc[0]), "nemenyi": adjusted(frame, "Nemenyi")}


def shaffer(path):
    return {"shaffer": adjusted(pd.read_csv(path, index_col=0), "Shaffer")}


measure({"diagram": diagram, "shaffer": shaffer})
