"""Records of questions: complete, short, and citing what is known."""

import re

import pytest

from nbcompare.words import CHOICES, CITATIONS, LOGS, QUESTIONS, SCORES, choices_in


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_says_what_answers_it(name):
    record = QUESTIONS[name]
    assert record.asks.endswith("?")
    assert record.applies
    assert record.source in CITATIONS
    assert re.findall(r"[.!?](?:\s|$)", record.text).__len__() in (1, 2)
    assert not re.search(r"\w\(|=|_", record.asks + record.text + record.applies)
    assert record.of in record.call
    data = SCORES if record.of == "experiment" else LOGS
    # a magic stands for a command, with the same options, unless that writes a file
    assert bool(record.magic) == (bool(record.command) and "-o" not in record.command.split())
    if record.command:
        program, word, first, *options = record.command.split()
        assert (program, first) == ("nbcompare", data)
    if record.magic:
        magic, named, *same = record.magic.split()
        assert (magic, named, same) == (f"%{word.replace('-', '_')}", record.of, options)
    typed = (record.call, record.command, record.magic)
    capitals = set(re.findall(r"\b[A-Z]{2,}\b", " ".join(typed))) - {SCORES, LOGS}
    assert capitals == set(choices_in(typed))
    assert capitals <= set(CHOICES)


def test_names_in_quotation_marks_are_no_choices():
    assert choices_in(["f(x, control='ROPE', rope=ROPE)", "g((LOW, HIGH))"]) == (
        "ROPE",
        "LOW",
        "HIGH",
    )
    assert choices_in(["f(EUROPE, ROPES)"]) == ()
