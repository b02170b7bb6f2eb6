"""Records of words: complete, known to the options, and checked when they are imported."""

import dataclasses

import pytest

from nbcompare import words
from nbcompare._options import AUTO, OPTIONS
from nbcompare._options.analyses import ANALYSIS_OPTIONS
from nbcompare._options.reading import READING_OPTIONS
from nbcompare.words import for_each
from nbcompare.words._word import by_name

TABLES = {
    "ranking": words.RANKINGS,
    "pairs": words.PAIRWISE_TESTS,
    "adjust": words.PROCEDURES,
    "test": words.PAIR_TESTS,
    "zeros": words.ZEROS,
    "procedure": words.STOCHASTIC_PROCEDURES,
    "stochastic.test": words.IMPRECISE_TESTS,
    "encoding": words.ENCODINGS,
    "cv.test": words.CROSS_VALIDATION_TESTS,
    "null": words.TREND_NULLS,
    "version": words.TREND_RANKS,
    "differences": words.DIFFERENCES,
}


@pytest.mark.parametrize("option", TABLES)
def test_an_option_takes_the_words_that_have_a_record(option):
    more = {AUTO, "both"}
    assert [word for word in OPTIONS[option].choices if word not in more] == list(TABLES[option])


@pytest.mark.parametrize("table", [*TABLES.values(), words.OMNIBUS, words.BRANCHES])
def test_records_cite_what_is_known_and_are_frozen(table):
    for name, record in table.items():
        assert record.name == name
        assert len(words.cited(record.cites)) == len(record.cites)
        with pytest.raises(dataclasses.FrozenInstanceError):
            record.name = "other"
    with pytest.raises(TypeError):
        table["other"] = record


def test_a_forgotten_entry_is_an_error_when_a_table_is_made():
    entries = dict.fromkeys(words.RANKINGS, 1)
    assert for_each(words.RANKINGS, entries) == entries
    entries.pop("quade")
    with pytest.raises(KeyError, match=r"lacks \['quade'\]"):
        for_each(words.RANKINGS, entries)
    with pytest.raises(KeyError, match=r"has \['median'\]"):
        for_each(words.RANKINGS, dict.fromkeys([*words.RANKINGS, "median"]))


def test_a_record_that_cites_something_unknown_or_comes_twice_is_an_error():
    holm = words.PROCEDURES["holm"]
    with pytest.raises(KeyError, match="nobody2000"):
        by_name(dataclasses.replace(holm, cites=("nobody2000",)))
    with pytest.raises(KeyError, match="same name"):
        by_name(holm, holm)


def test_no_option_is_defined_twice():
    assert {*OPTIONS} == {*ANALYSIS_OPTIONS, *READING_OPTIONS}
    assert len(OPTIONS) == len(ANALYSIS_OPTIONS) + len(READING_OPTIONS)
