"""Results as JSON: back exactly, whatever a notebook's programs do to it in between."""

import dataclasses
import functools
import hashlib
import json
import re

import kinds
import nbformat
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pybtex.database import parse_string

import nbcompare as nbc
from nbcompare.results import Comparison, Contrast, Labelled, Result, from_json
from nbcompare.words import CITATIONS

MIME_TYPE = "application/vnd.nbcompare.v1+json"
HOSTILE = ["</script><b>", "10", "9", 'say "$x$"\\', "é☃", "__proto__"]


def scores(k=4, n=8, *more, seed=1):
    return np.random.default_rng(seed).normal(size=(n, k, *more)).round(3)


def experiment(values, **options):
    names = HOSTILE[: values.shape[1]]
    return nbc.Experiment.from_array(
        values, direction="minimize", algorithms=names, datasets=range(len(values)), **options
    )


def histories():
    steps = -np.abs(scores(2, 5, 3, 12)).cumsum(axis=-1)
    return nbc.Histories.from_array(
        steps - steps.min(), evaluations=range(1, 13), direction="minimize",
        algorithms=HOSTILE[:2], optimum=0.0,
    )  # fmt: skip


def gaps():
    values = scores(3)
    values[0, 0] = np.nan
    return experiment(values)


PLAIN, FOLDS = experiment(scores(), measure="</td>"), experiment(scores(3, 5, 6, 4))
RUNS = experiment(scores(3, 4, 1, 9))
ITEMS = nbc.Experiment.from_array(
    (scores(2, 3, 40) > 0).astype(float), direction="maximize", unit="items"
)
HISTORIES = histories()
INTERVALS = nbc.Experiment(
    lower=PLAIN.lower, upper=PLAIN.lower + 1.0, datasets=PLAIN.datasets,
    algorithms=PLAIN.algorithms, folds=("1",), direction="maximize",
)  # fmt: skip


def ends():
    """The worst and the best algorithm on a data set."""
    order = RUNS.select(datasets=["0"]).mean_scores[0].argsort()
    return [RUNS.algorithms[place] for place in (order[-1], order[0])]


AGREED = experiment(np.tile([1.0, 2.0, 3.0], (4, 1)))
ONE, TWO = HOSTILE[:2]
MADE = kinds.MADE | {
    "pairs": lambda: nbc.compare(PLAIN, adjust=["shaffer", "holm"]),
    "control": lambda: nbc.compare(PLAIN, control="best", adjust="auto", ranking="auto"),
    "infinite F": lambda: nbc.compare(AGREED),
    "infinite ends": lambda: nbc.compare_pair(AGREED, TWO, ONE, test="t", alternative="better"),
    "contrast": lambda: nbc.contrast_estimation(PLAIN, n_resamples=20, rng=2**80),
    "few": lambda: nbc.contrast_estimation(experiment(scores(3, 4))),
    "targets by name": lambda: nbc.fixed_targets(
        HISTORIES, targets={name: (i, 3.5) for i, name in enumerate(HISTORIES.problems)}
    ),
    "infinite scores": lambda: nbc.compare(
        nbc.fixed_targets(HISTORIES, precisions=[1, 1e-300]).to_experiment()
    ),
    "generator": lambda: nbc.contrast_estimation(PLAIN, rng=np.random.default_rng(1)),
    "description of runs": lambda: nbc.describe(RUNS, alpha=0.1),
    "description of intervals": lambda: nbc.describe(INTERVALS),
    "groups": lambda: nbc.compare_by(
        dataclasses.replace(PLAIN, domains=("a", "b") * (PLAIN.n_datasets // 2)), across=True
    ),
    "conditions": lambda: nbc.check_conditions(FOLDS),
    "recommendation": lambda: nbc.recommend(gaps(), control="best"),
    "fuzzy": lambda: nbc.compare_stochastic(FOLDS, procedure="fuzzy", coverage=1),
    "drawn": lambda: nbc.compare_stochastic(
        FOLDS, method="resampling", n_resamples=50, rng=np.random.default_rng(3)
    ),
    "folds": lambda: nbc.compare_cv(ONE, TWO, experiment=FOLDS, dataset="1", test="classical"),
    "all folds": lambda: nbc.compare_cv(FOLDS, dataset="1", adjust=["shaffer", "holm"], ratio=0.1),
    "benchmarks": lambda: nbc.compare_items(ITEMS, control="A1"),
    "arrays": lambda: nbc.compare_cv(*scores(10, 2), direction="maximize", test="tilted"),
    "bayesian on folds": lambda: nbc.compare_bayesian(FOLDS, rope=0.1, dataset="1", ratio=0.1),
    "aggregates by algorithms": lambda: nbc.aggregate_runs(
        RUNS.select(datasets=["0"]), baseline=ends(), n_resamples=20
    ),
    "aggregates by numbers": lambda: nbc.aggregate_runs(
        RUNS, baseline=dict.fromkeys(RUNS.datasets, (2, 1.5)), target=0, n_resamples=20
    ),
    "convergence": lambda: nbc.compare_convergence(HISTORIES, cutpoints=4, adjust="holm"),
}


@functools.cache
def made(name):
    return MADE[name]()


@pytest.fixture
def result(request):
    return made(request.param)


each_result = pytest.mark.parametrize("result", MADE, indirect=True)


def arrays(value, found):
    """Every array in a result, however deep."""
    if isinstance(value, np.ndarray):
        found.append(value)
    elif isinstance(value, Labelled):
        for item in value.values():
            arrays(item, found)
    elif isinstance(value, tuple):
        for item in value:
            arrays(item, found)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            arrays(getattr(value, name), found)
    return found


def as_a_browser(value):
    """What JavaScript and nbformat leave of JSON: keys in any order, 1.0 as 1, -0.0 as 0."""
    if isinstance(value, dict):
        return {name: as_a_browser(value[name]) for name in sorted(value, reverse=True)}
    if isinstance(value, list):
        return [as_a_browser(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def check_same(again, result):
    assert type(again) is type(result)
    assert (str(again), repr(again)) == (str(result), repr(result))
    assert again.to_json() == result.to_json()
    assert again.sentences == result.sentences
    for name in result.sections:
        assert str(again.section(name)) == str(result.section(name))
    for one, two in zip(arrays(again, []), arrays(result, []), strict=True):
        assert one.dtype == two.dtype
        assert one.tobytes() == two.tobytes()
        assert not one.flags.writeable


@each_result
def test_round_trip(result):
    check_same(from_json(result.to_json()), result)
    check_same(from_json(json.dumps(as_a_browser(json.loads(result.to_json())))), result)


@each_result
def test_bibtex_has_what_a_result_lists(result):
    found = parse_string(result.to_bibtex(), "bibtex").entries
    listed = {key for key, text in CITATIONS.items() if text in result.references}
    assert len(listed) == len(result.references)
    assert set(found) - {"data"} == listed | {"nbcompare"}
    assert ("data" in found) == bool(result.design.citation)


def test_every_class_is_tried():
    assert {type(made(name)) for name in MADE} == set(Result._kinds())


@pytest.mark.slow
@settings(max_examples=30)
@given(
    st.lists(
        st.lists(st.floats(-5, 5) | st.sampled_from([0.0, -0.0, 1.0]), min_size=3, max_size=3),
        min_size=2,
        max_size=6,
    ),
    st.permutations(HOSTILE),
)
def test_any_scores(values, names):
    data = nbc.Experiment.from_array(values, direction="maximize", algorithms=names[:3])
    check_same(from_json(nbc.compare(data).to_json()), nbc.compare(data))
    test = nbc.compare_pair(data, names[0], names[1], test="t")
    check_same(from_json(test.to_json()), test)


def test_what_is_written():
    result = made("infinite F")
    text = result.to_json()
    assert text.isascii()
    document = json.loads(text)
    assert list(document) == ["nbcompare", "schema", "class", "fields"]
    assert document["nbcompare"] == nbc.__version__
    assert document["fields"]["average_ranks"] == [[ONE, 1.0], [TWO, 2.0], [HOSTILE[2], 3.0]]
    assert dict(document["fields"]["omnibus"])["iman-davenport"]["statistic"] == "Infinity"
    assert result.to_json(indent=1).count("\n") > 100


def test_options_keep_their_kind():
    seed = json.loads(made("contrast").to_json())["fields"]["design"]["options"]
    assert dict(map(tuple, [pair for pair in seed if pair[0] == "rng"])) == {
        "rng": {"int": str(2**80)}
    }
    assert from_json(made("contrast").to_json()).design.options["rng"] == 2**80
    coverage = from_json(made("fuzzy").to_json()).design.options["coverage"]
    assert (coverage, type(coverage)) == (1.0, float)
    assert made("drawn").design.options["rng"] == "Generator"
    assert made("control").design.options["adjust"] == ("auto",)


# ------------------------------------------------------------------------------ bundles


@each_result
def test_bundle(result):
    for shown, section in ((result, None), (result.section("references"), "references")):
        entry = shown._repr_mimebundle_(include=None, exclude=None)[MIME_TYPE]
        assert (entry["class"], entry["section"]) == (type(result).__name__, section)
        assert json.dumps(entry["result"]) == result.to_json()
        plain = json.dumps(entry["result"], sort_keys=True, separators=(",", ":"))
        assert entry["digest"] == f"sha256:{hashlib.sha256(plain.encode()).hexdigest()}"


def test_survives_a_notebook():
    result = made("conditions")
    data = result.section("normality")._repr_mimebundle_()
    output = nbformat.v4.new_output("display_data", data)
    cell = nbformat.v4.new_code_cell(outputs=[output])
    text = nbformat.writes(nbformat.v4.new_notebook(cells=[cell]))
    found = nbformat.reads(text, as_version=4).cells[0].outputs[0].data[MIME_TYPE]
    check_same(from_json(json.dumps(found["result"])), result)


def test_data_have_no_document():
    assert MIME_TYPE not in PLAIN._repr_mimebundle_()


# ------------------------------------------------------------------------------- errors


def changed(change):
    document = json.loads(made("pairs").to_json())
    change(document, document["fields"])
    return json.dumps(document)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda d, f: d.update({"class": "Study"}),
            "`text` must hold a result of class '.*; got 'Study'.",
        ),
        (
            lambda d, f: d.update(schema=1),
            re.escape(
                f"`text` must be of schema 3; got 1, written by nbcompare {nbc.__version__}. "
                f"Export it again with this version, {nbc.__version__}."
            ),
        ),
        (lambda d, f: d.pop("fields"), "`text` must be an object with 'nbcompare', 'schema', .*"),
    ],
)
def test_errors(change, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        from_json(changed(change))


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda f: f["hypotheses"].pop("pvalue"), ""),
        (lambda f: f.update(beta=1), ""),
        (lambda f: f.update(alpha="0.05"), ".alpha"),
        (lambda f: f.update(alpha=10**400), ""),
        (lambda f: f["design"].update(n_folds=1.5), ".design.n_folds"),
        (lambda f: f["adjust"].append(None), ".adjust[2]"),
        (lambda f: f["hypotheses"]["rejected"].__setitem__(0, 2), ".hypotheses.rejected[0]"),
        (lambda f: f["hypotheses"]["pvalue"].__setitem__(0, [0.5]), ""),
        (lambda f: f["average_ranks"].append(f["average_ranks"][0]), ".average_ranks"),
        (lambda f: f["average_ranks"].append(["A"]), ""),
        (lambda f: f["design"].update(options=[["alpha", {"float": "x"}]]), ""),
    ],
)
def test_what_is_not_written_so_is_refused(change, where):
    said = f"`text` must hold a Comparison as to_json() writes it; Comparison{where} is missing, "
    with pytest.raises(ValueError, match=re.escape(said)):
        from_json(changed(lambda _, fields: change(fields)))


@pytest.mark.parametrize("text", ["", "{", "[NaN]", "[" * 100_000])
def test_no_json(text):
    with pytest.raises(ValueError, match=r"^`text` must be JSON of a result: .*\.$"):
        from_json(text)


def test_other_class():
    message = r"^`text` must hold a result of class 'Contrast'; got 'Comparison'\.$"
    with pytest.raises(ValueError, match=message):
        Contrast.from_json(made("pairs").to_json())
    with pytest.raises(TypeError, match=r"^`text` must be a str, JSON of a result; got dict\.$"):
        Comparison.from_json({})


def test_fields_that_are_newer_than_the_text_have_their_defaults():
    result = nbc.compare(nbc.datasets.load("demsar2006"))
    document = json.loads(result.to_json())
    del document["fields"]["tied"], document["fields"]["design"]["fewest"]
    again = from_json(json.dumps(document))
    assert (again.tied, again.design.fewest) == (None, (0, 0))
    assert again.sentences == result.sentences
