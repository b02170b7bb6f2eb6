"""The texts of notes: each is used, and mentions what the note is given."""

import ast
from pathlib import Path
from string import Formatter

import pytest

import nbcompare
from nbcompare.results.texts import note
from nbcompare.words import text_of_note
from nbcompare.words._word import _texts

PACKAGE = Path(nbcompare.__file__).parent
NOTES = _texts("notes.md")
CALLS = [
    (path.name, call)
    for path in PACKAGE.rglob("*.py")
    if "import note\n" in (text := path.read_text(encoding="utf-8"))
    for call in ast.walk(ast.parse(text))
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "note"
]


def names_of(call: ast.Call) -> list[str]:
    """Return the notes that a call may mean: one, or those that begin as its formatted text."""
    name = call.args[0]
    if isinstance(name, ast.Constant):
        return [str(name.value)]
    if isinstance(name, ast.JoinedStr):
        begins = str(name.values[0].value)
        return [one for one in NOTES if one.startswith(begins)]
    return []  # a variable


def facts_in(text: str) -> set[str]:
    return {field.split(".")[0] for _, field, _, _ in Formatter().parse(text) if field}


def test_calls_give_the_facts_that_texts_mention():
    for where, call in CALLS:
        given = {one.arg for one in call.keywords}
        for name in names_of(call):
            mentioned = facts_in(NOTES[name])
            assert mentioned <= given, f"{where}: {name} lacks {mentioned - given}"
            if isinstance(call.args[0], ast.Constant):
                assert given - {"code"} <= mentioned, f"{where}: {name} does not say {given}"


def test_each_text_is_used():
    used = {name for _, call in CALLS for name in names_of(call)}
    named = {"ratio", "ratio/repeated", "never-significant"}  # by variables
    assert set(NOTES) == used | named


def test_counts_have_their_nouns_and_verbs():
    one, two = (note("not-ranked", alone=n).text for n in (1, 2))
    assert one == "1 data set with fewer than 2 scores was not ranked."
    assert two == "2 data sets with fewer than 2 scores were not ranked."


def test_names_with_braces_are_no_fields():
    assert "{0} and {x.y}" in note("worst", cells="{0} and {x.y}", source="it").text


def test_a_name_that_is_not_there_is_an_error():
    with pytest.raises(KeyError, match="no-such-note"):
        text_of_note("no-such-note")
