"""``--builder``: the same line opens the builder."""

import pandas as pd
import pytest
from IPython.core.error import UsageError

import nbcompare as nbc
from nbcompare import widgets


def run_code(code, shell):
    exec(code, shell.user_ns)
    return shell.user_ns["result"]


def test_the_builder_begins_with_the_options_of_the_line(shell, displayed, experiment):
    line = "exp --control good --adjust holm,finner --alpha 0.2 --pairs ranks --builder --as made"
    builder = shell.run_line_magic("compare", line)
    assert isinstance(builder, widgets.CDDiagramBuilder)
    assert shell.user_ns["made"] is builder
    assert displayed == []  # the builder is what the cell displays
    assert (builder.control, builder.adjust, builder.alpha) == ("good", ("holm", "finner"), 0.2)
    assert run_code(builder.code, shell).to_json() == builder.result.to_json()


def test_the_level_that_was_set_reaches_the_builder(shell, experiment):
    shell.run_line_magic("config", "ComparisonMagics.alpha = 0.3")
    assert shell.run_line_magic("cd_diagram", "exp --best left --builder").alpha == 0.3


def test_data_that_have_no_name_get_one_for_the_code(shell, capsys):
    frame = pd.DataFrame({"a": [1.0, 2, 3], "b": [2.0, 3, 4]}, index=list("xyz"))
    shell.user_ns["frame"] = frame
    builder = shell.run_line_magic("compare", "frame --direction minimize --builder")
    assert capsys.readouterr().out.startswith("The data are bound to frame_experiment")
    assert run_code(builder.code, shell).to_json() == builder.result.to_json()


def test_what_a_builder_does_not_take_is_a_usage_error(shell, experiment):
    with pytest.raises(UsageError, match=r"^%compare: --control must be one of .*; got 'nobody'"):
        shell.run_line_magic("compare", "exp --control nobody --builder")


@pytest.mark.parametrize(
    ("magic", "line", "settings"),
    [
        ("compare_pair", "exp good bad --alpha 0.1", {"pair": ["good", "bad"], "alpha": 0.1}),
        ("multiple_sign_test", "exp good", {"control": "good"}),
        ("compare_bayesian", "exp --rope 0.01", {"rope": 0.01}),
        (
            "fuzzy_pvalue",
            "exp good bad --test sign",
            {"algorithms": ["good", "bad"], "test": "sign"},
        ),
        ("plan", "exp --prior 4 --largest 5", {"prior": 4.0, "largest": 5}),
    ],
)
def test_every_analysis_has_a_builder(shell, experiment, magic, line, settings):
    builder = shell.run_line_magic(magic, f"{line} --builder")
    assert builder.settings == settings
    assert run_code(builder.code, shell).to_json() == builder.result.to_json()


def test_the_builder_of_reports(shell, monkeypatch, experiment):
    """What it gets; a stand-in takes it down."""
    made = lambda *data, **options: ("ReportBuilder", data, options)  # noqa: E731
    monkeypatch.setattr(widgets, "ReportBuilder", made, raising=False)
    logs = nbc.Histories.from_array([[[3.0, 2, 1], [3, 3, 2]]] * 3, direction="minimize")
    shell.user_ns["logs"] = logs
    made = shell.run_line_magic("nbreport", "--builder --title Mine --code")
    expected = {"histories": logs, "title": "Mine"}
    assert made == ("ReportBuilder", (experiment,), expected)
    shell.user_ns["other"] = experiment.select(algorithms=["good", "bad"])
    with pytest.raises(UsageError, match="takes one Experiment: name one of 'exp' and 'other'"):
        shell.run_line_magic("nbreport", "--builder")
    made = shell.run_line_magic("nbreport", "--builder other")
    assert made == ("ReportBuilder", (shell.user_ns["other"],), {"histories": None})
    with pytest.raises(UsageError, match=r"no data 'oter' here. Did you mean 'other'\?"):
        shell.run_line_magic("nbreport", "--builder oter")
