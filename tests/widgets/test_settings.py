"""Settings are made from the options of a command, whichever there are."""

from dataclasses import replace

import pytest
from traitlets import TraitError

import nbcompare as nbc
from nbcompare import _commands, _options
from nbcompare._options import OPTIONS, Option
from nbcompare.widgets import (
    CDDiagramBuilder,
    FuzzyPValueBuilder,
    PageTrendBuilder,
    PlanBuilder,
    _settings,
)
from nbcompare.widgets._builder import ExperimentBuilder
from nbcompare.widgets._settings import SettingsOf, options_of, setting_of
from nbcompare.widgets.cd_diagram import RankModel


@pytest.mark.parametrize(
    "kind", [CDDiagramBuilder, FuzzyPValueBuilder, PageTrendBuilder, PlanBuilder]
)
def test_every_option_of_the_command_is_a_setting(kind):
    options = options_of(kind._model_kind.function)
    traits = kind.class_traits()
    assert list(kind._order)[: len(options)] == list(options)
    for name, entry in options.items():
        assert traits[name].entry is OPTIONS[entry]
        assert traits[name].default_value == OPTIONS[entry].default
        assert traits[name].help == OPTIONS[entry].help


def test_a_report_has_the_options_of_a_comparison():
    assert set(options_of("compare")) < set(nbc.ReportBuilder._order)


def test_an_option_that_is_listed_has_a_control_words_checks_and_code(demsar, monkeypatch):
    new = Option("little", ("little", "much"), "how much of it", label="Amount")
    monkeypatch.setattr(_settings, "OPTIONS", {**OPTIONS, "amount": new})
    command = _commands.ANALYSES[0]
    more = replace(command, options=(*command.options, "amount"))
    monkeypatch.setattr(_settings, "ANALYSES", (more,))
    compare = nbc.compare
    monkeypatch.setattr(nbc, "compare", lambda data, *, amount, **options: compare(data, **options))

    class Builder(ExperimentBuilder):
        _compare = SettingsOf("compare")
        bayesian = _settings.Switch("Bayesian", "", does="probabilities")
        view = _settings.ShownFigure({"cd": "CD diagram"})
        algorithms, datasets = _settings.Subset("Algorithms"), _settings.Subset("Data sets")
        pair = _settings.SelectedPair(label="Hypothesis")
        _model_kind = RankModel

    builder = Builder(demsar)
    assert builder.amount == "little"
    builder.amount = "much"
    assert 'nbc.compare(experiment, amount="much")' in builder.code
    with pytest.raises(TraitError, match="`amount` must be 'little' or 'much'; got 'more'"):
        builder.amount = "more"
    screen = builder._screen_kind("Builder", builder._model, lambda *_: None, lambda: None)
    assert screen.controls["amount"].widget.label == "Amount"
    assert screen.controls["amount"].widget.options == ("little", "much")


def test_an_option_without_words_or_check_is_an_error_of_the_table(monkeypatch):
    monkeypatch.setattr(_settings, "OPTIONS", {"any": Option(None, None, "anything")})
    with pytest.raises(TypeError, match="'any' needs `choices`, `axis` or `within`"):
        setting_of("any")


def test_the_words_that_a_control_spells_are_words_of_the_option():
    for name, option in _options.OPTIONS.items():
        words = {None, _options.AUTO, _options.BEST, *(option.choices or ())}
        assert set(option.spelled) <= words, name
