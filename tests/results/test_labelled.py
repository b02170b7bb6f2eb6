import copy
import pickle
import re
from collections.abc import Mapping

import numpy as np
import pytest

from nbcompare.results import Labelled


def test_a_read_only_mapping():
    ranks = Labelled({"b": 2.0, "a": 1.0})
    assert isinstance(ranks, Mapping)
    assert (list(ranks), list(ranks.values()), len(ranks)) == (["b", "a"], [2.0, 1.0], 2)
    assert ranks == {"a": 1.0, "b": 2.0}
    assert "a" in ranks
    assert 1 not in ranks
    assert repr(ranks) == "Labelled({'b': 2.0, 'a': 1.0})"
    with pytest.raises(TypeError):
        ranks["a"] = 3.0
    with pytest.raises(TypeError):
        del ranks["a"]
    with pytest.raises(AttributeError, match=r"^Labelled is read-only$"):
        ranks._values = {}
    with pytest.raises(AttributeError):
        ranks.other = 1


def test_unknown_name():
    with pytest.raises(KeyError, match=re.escape("'c' is not one of 'a' and 'b'")):
        Labelled({"a": 1, "b": 2})["c"]
    assert Labelled({"a": 1}).get("c") is None


def test_does_not_follow_what_it_was_made_from():
    source = {"a": np.array([1.0, 2.0])}
    kept = Labelled(source)
    source["a"][0] = 9
    source["b"] = np.zeros(2)
    assert list(kept) == ["a"]
    assert kept["a"].tolist() == [1, 2]


@pytest.mark.parametrize(
    "again", [lambda x: x, lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy]
)
def test_arrays_stay_locked(again):
    kept = again(Labelled({"a": np.array([1.0, 2.0])}))
    with pytest.raises(ValueError, match="read-only"):
        kept["a"][0] = 9
    assert kept["a"].tolist() == [1, 2]


def test_as_an_array():
    ranks = Labelled({"a": 1.5, "b": 2.0})
    assert np.asarray(ranks).tolist() == [1.5, 2.0]
    assert np.asarray(ranks, dtype=np.float32).dtype == np.float32
    assert np.asarray(Labelled({"a": np.ones(2), "b": np.zeros(2)})).shape == (2, 2)
    with pytest.raises(ValueError, match="a copy is needed"):
        np.asarray(ranks, copy=False)
    np.asarray(ranks)[0] = 9
    assert ranks["a"] == 1.5
