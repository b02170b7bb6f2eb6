"""Every check: what it lets through, and the whole sentence of what it refuses."""

import datetime
import re
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from nbcompare._messages import Speech
from nbcompare._validation import (
    DataError,
    check_count,
    check_labels,
    check_probability,
    check_real,
    clean_label,
    listed,
    shown,
)


def refuses(error, message):
    return pytest.raises(error, match=f"^{re.escape(message)}$")


def test_data_error_is_a_value_error():
    assert issubclass(DataError, ValueError)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["a"], "'a'"),
        (["a", "b"], "'a' and 'b'"),
        (["a", "b", "c"], "'a', 'b' and 'c'"),
        ("abcdefgh", "'a', 'b', 'c', 'd', 'e', 'f', 'g' and 'h'"),
        ("abcdefghij", "'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h' and 2 more"),
    ],
)
def test_listed(names, text):
    assert listed(names) == text


def test_what_arrived_is_shown_on_one_short_line():
    assert shown("a\nb") == r"'a\nb'"
    assert shown(np.zeros((3, 1))) == "array([[0.], [0.], [0.]])"
    assert len(shown("x" * 1_000)) == 80
    assert shown("x" * 1_000).endswith("x...'")


@pytest.mark.parametrize("value", [0.05, np.float64(0.05), np.float32(0.5), 1e-300])
def test_probability(value):
    assert check_probability(value, "alpha") == float(value)


@pytest.mark.parametrize("value", [2, 2.0, np.int8(2), np.uint64(2), np.float64(2)])
def test_count(value):
    count = check_count(value, "k", least=2)
    assert (count, type(count)) == (2, int)


@pytest.mark.parametrize(
    "value",
    [
        "1",
        ["1", "2"],
        [1, "2"],
        [b"1"],
        [1j],
        [[1], [1, 2]],
        [datetime.datetime(2020, 1, 1)],
        np.array(["2020-01-01"], dtype="M8[s]"),
        np.array([1], dtype="m8[s]"),
        [object()],
        {"a": 1},
        [10**400],
        [{}],
    ],
)
def test_no_numbers(value):
    with refuses(ValueError, f"`scores` must be an array of real numbers; got {shown(value)}."):
        check_real(value, "scores")


def test_numbers():
    assert check_real([Decimal("0.5"), 1], "scores").tolist() == [0.5, 1.0]
    np.testing.assert_array_equal(check_real([None, 1], "scores"), [np.nan, 1.0])
    given = np.array([1.0, 2.0])
    assert check_real(given, "scores") is given
    with refuses(ValueError, "`scores` must be a plain array; got a masked array."):
        check_real(np.ma.masked_invalid([1, np.nan]), "scores")


def test_labels():
    assert check_labels([" a  b\n", 3, 3.5, np.float64(4)], "names") == ("a b", "3", "3.5", "4")
    assert check_labels(iter(["None", "NA"]), "names") == ("None", "NA")
    for blank in ("", "  ", "\x1b", None, float("nan")):
        with refuses(DataError, "`names` must not be blank; label 2 is."):
            check_labels(["a", blank], "names")
    with refuses(DataError, "`names` must be distinct; got 'a' at positions 1 and 3."):
        check_labels(["a", "b", " a"], "names")
    for value in ("ab", b"ab", 3, None):
        with refuses(TypeError, f"`names` must be a list of names; got {value!r}."):
            check_labels(value, "names")


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("  a \t b\r\nc ", "a b c"),
        ("a\u2028b\u00a0c", "a b c"),
        ("\x1b[31mred\x00\x07", "[31mred"),
        ("\ufeffa", "a"),
        ("\u202eevil\u2066", "evil"),
        ("a\udc80b", "a\ufffdb"),
        ("👩‍🔬", "👩‍🔬"),
        ("می‌خواهم", "می‌خواهم"),
        ("007", "007"),
        ("3.0", "3.0"),
        (3.0, "3"),
        (np.float32(3.0), "3"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (np.float32(0.1), "0.1"),
        (1e300, "1e+300"),
        (2**53 + 1, "9007199254740993"),
        (True, "True"),
        (datetime.date(2020, 1, 2), "2020-01-02"),
        (datetime.datetime(2020, 1, 2), "2020-01-02"),
        (datetime.datetime(2020, 1, 2, 3), "2020-01-02 03:00:00"),
        (pd.Timestamp("2020-01-02"), "2020-01-02"),
        (pd.Timestamp("2020-01-02 00:00:00.000000001"), "2020-01-02 00:00:00.000000001"),
    ],
)
def test_clean_label(value, label):
    assert clean_label(value) == label


def test_what_is_cut_ends_its_quotation():
    for value in ("a" * 200, "it's " + "b" * 200, [{"name": "split", "text": "c" * 200}]):
        told = f"got {shown(value)}. Pass ignore=['a']."
        said = Speech({"ignore": "--ignore"}).says(told)
        assert said.endswith(". Pass --ignore a.")
