"""Every check: what it lets through, and the whole sentence of what it refuses."""

import datetime
import re
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from nbcompare._validation import (
    DataError,
    check_choice,
    check_count,
    check_finite,
    check_labels,
    check_name,
    check_probability,
    check_pvalues,
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
    assert shown("x" * 1_000).endswith("x...")


def test_choice():
    assert check_choice("holm", "adjust", ("holm", "nemenyi")) == "holm"
    with refuses(ValueError, "`adjust` must be 'a', 'b' or 'c'; got 'x'."):
        check_choice("x", "adjust", ("a", "b", "c"))
    with refuses(ValueError, "`adjust` must be 'holm'; got 'Holms'. Did you mean 'holm'?"):
        check_choice("Holms", "adjust", ("holm",))
    for value in (None, 3, ["holm"], ""):
        with pytest.raises(ValueError, match=re.escape(f"got {value!r}.")):
            check_choice(value, "adjust", ("holm", "nemenyi"))


def test_name():
    assert check_name("CN2", "control", ("C4.5", "CN2")) == "CN2"
    with refuses(
        ValueError,
        "`control` must be one of 'C4.5' and 'CN2'; got 'C45'. Did you mean 'C4.5'?",
    ):
        check_name("C45", "control", ("C4.5", "CN2"))
    with refuses(ValueError, "`control` must be one of 'C4.5' and 'CN2'; got 7."):
        check_name(7, "control", ("C4.5", "CN2"))


@pytest.mark.parametrize("value", [0.05, np.float64(0.05), np.float32(0.5), 1e-300])
def test_probability(value):
    assert check_probability(value, "alpha") == float(value)


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, -1, 5, float("nan"), True, "0.05", None, 1j])
def test_no_probability(value):
    with refuses(
        ValueError, f"`alpha` must be a number between 0 and 1, exclusive; got {value!r}."
    ):
        check_probability(value, "alpha")


@pytest.mark.parametrize("value", [2, 2.0, np.int8(2), np.uint64(2), np.float64(2)])
def test_count(value):
    count = check_count(value, "k", least=2)
    assert (count, type(count)) == (2, int)


@pytest.mark.parametrize("value", [1, 2.5, True, "2", None, float("nan"), float("inf")])
def test_no_count(value):
    with refuses(ValueError, f"`k` must be a whole number of at least 2; got {value!r}."):
        check_count(value, "k", least=2)


def test_finite():
    assert check_finite([[1, 2]], "scores", ndim=2).dtype == np.float64
    assert check_finite([1e308, 1e308], "scores").tolist() == [1e308, 1e308]  # the sum is not
    assert check_finite([], "scores").shape == (0,)
    with refuses(ValueError, "`scores` must have 2 dimensions; got an array of shape (3,)."):
        check_finite([1, 2, 3], "scores", ndim=2)
    with refuses(ValueError, "`scores` must have 1 dimension; got an array of shape ()."):
        check_finite(1.0, "scores", ndim=1)
    for value in (np.nan, np.inf, -np.inf):
        with refuses(
            DataError, f"`scores` must hold finite numbers; got {value!r} at index (0, 1)."
        ):
            check_finite([[1, value]], "scores")


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


def test_pvalues():
    assert check_pvalues([0, 1, 0.5], "pvalues").tolist() == [0, 1, 0.5]
    assert check_pvalues([-np.inf, 0], "logs", log10=True).tolist() == [-np.inf, 0]
    with refuses(ValueError, "`pvalues` must have 1 or 2 dimensions; got an array of shape ()."):
        check_pvalues(0.5, "pvalues")
    for value in (1.5, -0.1, np.nan):
        with refuses(
            ValueError, f"`pvalues` must hold p-values from 0 to 1; got {value!r} at index 1."
        ):
            check_pvalues([0.5, value], "pvalues")
    with refuses(
        ValueError,
        "`logs` must hold logarithms of p-values, none above 0; got 0.5 at index 0.",
    ):
        check_pvalues([0.5], "logs", log10=True)


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
