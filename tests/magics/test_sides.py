"""Magics about data sets with different directions, and with groups."""

import pandas as pd
import pytest
from IPython.core.error import UsageError

import nbcompare as nbc

TABLE = pd.DataFrame(
    {
        "dataset": ["adult", "kddcup", "iris", "wine"],
        "domain": ["x", "x", "y", "y"],
        "A": [0.9, 0.1, 0.8, 0.7],
        "B": [0.8, 0.2, 0.7, 0.6],
        "C": [0.7, 0.3, 0.6, 0.5],
    }
)
HIGHER = [True, False, True, True]


def test_direction_by_data_set(shell, displayed):
    shell.user_ns["scores"] = TABLE
    result = shell.run_line_magic("compare", "scores --direction maximize,kddcup=minimize")
    assert result.design.turned == ("kddcup",)
    assert dict(result.average_ranks) == {"A": 1, "B": 2, "C": 3}
    with pytest.raises(UsageError, match=r"scores: --direction must name data sets, .*got 'kdd'"):
        shell.run_line_magic("compare", "scores --direction maximize,kdd=minimize")
    with pytest.raises(UsageError, match="--direction of 'iris' must be 'maximize' or"):
        shell.run_line_magic("compare", "scores --direction maximize,iris=up")


@pytest.mark.slow
def test_a_column_needs_no_direction_and_overrules_a_setting(shell, displayed, capsys):
    shell.user_ns["scores"] = TABLE.assign(higher_is_better=HIGHER)
    assert shell.run_line_magic("compare", "scores").design.turned == ("kddcup",)
    for word in ("minimize", "maximize"):
        shell.run_line_magic("config", f"ComparisonMagics.direction = {word!r}")
        assert shell.run_line_magic("compare", "scores").design.turned == ("kddcup",)
    with pytest.raises(UsageError, match="lower is better on data set 'kddcup'"):
        shell.run_line_magic("compare", "scores --direction maximize")


def test_compare_by(shell, displayed):
    shell.user_ns["scores"] = TABLE
    line = "scores --direction maximize,kddcup=minimize --across --adjust bonferroni"
    result = shell.run_line_magic("compare_by", line)
    assert list(result.groups) == ["x", "y"]
    assert result.across
    assert result.first.n_pooled == 6
    (figure,) = displayed
    assert len(figure.artists["titles"]) == 2
    data = nbc.Experiment.from_frame(TABLE.drop(columns="domain"), direction="maximize")
    shell.user_ns["plain"] = data
    with pytest.raises(UsageError, match="Name the column that holds them with --domain"):
        shell.run_line_magic("compare_by", "plain")
