"""Rules of the analyses: their words exist, and their texts suit the control and the error."""

import re
import tomllib
from pathlib import Path

import pytest

from nbcompare import words
from nbcompare._commands import ANALYSES
from nbcompare._options import AUTO, OPTIONS
from nbcompare.analysis import rules
from nbcompare.analysis.rules import Rule, State, check_rules, refusals

TABLES = {
    "compare": rules.RANK_RULES,
    "compare_stochastic": rules.RUN_RULES,
    "compare_convergence": rules.TREND_RULES,
}
CASES = [(function, rule) for function, rules in TABLES.items() for rule in rules]


def test_rules_are_about_options_of_the_function_and_their_words():
    for function, rule in CASES:
        command = next(command for command in ANALYSES if command.function == function)
        entries = {name.rpartition(".")[2]: OPTIONS[name] for name in command.options}
        assert rule.option in entries
        if not callable(rule.words):
            # auto is a word of every adjustment in the API
            assert set(rule.words) <= {*entries[rule.option].choices, AUTO}


def test_reasons_are_clauses_without_the_language_of_the_api():
    for _, rule in CASES:
        assert not re.search(r"[`=()]|\.$", rule.reason)
        assert rule.reason[0].islower() or rule.reason[0] in "{A"
        assert not rule.instead or rule.instead.endswith((".", "..."))
        assert rule.instead or rule.message or rule.option == "missing"


def test_one_rule_raises_and_explains():
    rule = Rule("adjust", ("x",), lambda s: s.k > 3, "there are {k} of them", "Take 'y'.")
    state = State(adjust=("y", "x"), k=5)
    with pytest.raises(ValueError, match=r"^`adjust` must not be 'x' here: there are 5 of them\. "):
        check_rules([rule], state)
    found = [rule.told(state, word) for rule, word in refusals([rule], "adjust", "x", state)]
    assert found == ["there are 5 of them"]
    check_rules([rule], State(state, k=3))
    check_rules([rule], state, "ranking")


def test_each_text_belongs_to_a_rule():
    sources = Path(rules.__file__).parent.glob("*.py")
    used = {
        name
        for path in sources
        for name in re.findall(r'rule\(\s*"([a-z-]+)"', path.read_text(encoding="utf-8"))
    }
    texts = Path(words.__file__).with_name("rules.toml").read_text(encoding="utf-8")
    assert used == set(tomllib.loads(texts))
