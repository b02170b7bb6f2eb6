"""A report that was changed by hand, anywhere, is caught; one that was not holds."""

import html
import json
import re
from dataclasses import replace

import nbformat
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nbcompare as nbc
from nbcompare._commands import ANALYSES
from nbcompare.cli import main
from nbcompare.report import verify
from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.report.page.embedded import script_safe
from nbcompare.results import SCHEMA, Result

NAMES = ["</script>", "C4.5_m & co", "$x$", "10"]
RNG = np.random.default_rng(7)
SCORES = nbc.Experiment.from_array(
    RNG.normal(size=(9, 4)).round(3) + np.array([0, 0, 0.3, 1.5]),
    direction="minimize",
    algorithms=NAMES,
    datasets=[f"d{i}" for i in range(9)],
)
RUNS = nbc.Experiment.from_array(
    RNG.normal(size=(4, 3, 5, 3)).round(3), direction="maximize", measure="AUC"
)
LOGS = nbc.Histories.from_array(
    20 - RNG.uniform(0, 1, size=(5, 2, 3, 12)).cumsum(axis=-1),
    evaluations=range(1, 13),
    direction="minimize",
    optimum=0.0,
)


def with_gap():
    values = np.array(SCORES.mean_scores)
    values[2, 1] = np.nan
    return nbc.Experiment.from_array(values, direction="minimize", algorithms=NAMES)


def views(result):
    """The whole and its sections; references go into the list of the page."""
    names = [name for name in result.sections if name != "references"]
    names.sort(key=("findings", "pairs", "methods").__contains__)  # tables that tests count first
    return [result, *map(result.section, names)]


def page(*shown, more=""):
    """A page of the template, with a part for each display; ``more`` is HTML of the author."""
    cells = []
    for number, one in enumerate(shown, 1):
        output = nbformat.v4.new_output("display_data", one._repr_mimebundle_())
        cells.append(nbformat.v4.new_markdown_cell(f"## Part {number}"))
        cells.append(nbformat.v4.new_code_cell("show", outputs=[output], id=f"cell-{number}"))
    if more:
        cells.append(nbformat.v4.new_markdown_cell(more, id="more"))
    text, _ = ReportHTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=cells))
    return text


@pytest.fixture
def file(tmp_path):
    def write(text, name="page.html"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


COMPARISON = nbc.compare(SCORES, control="best", adjust=["holm", "hommel"])
PAGE = page(*views(COMPARISON))


def changed(old, new, text=PAGE, count=1):
    assert text.count(old) >= count
    return text.replace(old, new, count)


def with_json(change, result=COMPARISON):
    """The page with its embedded result changed."""
    document = json.loads(result.to_json())
    change(document["fields"])
    document["nbcompare"] = document["fields"]["design"]["version"]
    text = page(*views(result))
    old = script_safe(json.loads(result.to_json()))
    return changed(old, script_safe(document), text)


FOLDS = RUNS.select(datasets=["2"])


def low_and_high(data):
    """The worst and the best algorithm on the only data set."""
    order = data.mean_scores[0].argsort()
    return [data.algorithms[order[0]], data.algorithms[order[-1]]]


# -------------------------------------------------------------------------- what holds


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sources", "results"),
    [
        ({"data": SCORES}, [COMPARISON, nbc.compare(SCORES, ranking="auto", adjust="auto")]),
        (
            {"data": SCORES},
            [nbc.compare(SCORES, margin=m, pairs=by) for m in (1.0, 3) for by in ("auto", "t")],
        ),
        ({"data": SCORES}, [nbc.compare_pair(SCORES, NAMES[3], NAMES[0], alternative="worse")]),
        ({"data": SCORES}, [nbc.contrast_estimation(SCORES, n_resamples=50, rng=np.int64(4))]),
        ({"data": RUNS}, [nbc.describe(RUNS, alpha=0.1)]),
        ({"data": with_gap()}, [nbc.describe(with_gap())]),
        ({"data": SCORES}, [nbc.multiple_sign_test(SCORES, "best"), nbc.recommend(SCORES)]),
        ({"data": with_gap()}, [nbc.compare(with_gap(), missing="drop", adjust=None)]),
        ({"data": with_gap()}, [nbc.compare(with_gap(), missing="skillings-mack")]),
        (
            {"data": SCORES},
            [
                nbc.compare(SCORES, scale="several"),
                nbc.compare_by(
                    SCORES, by=dict.fromkeys(SCORES.datasets, "all"), scale="several", pairs="t"
                ),
                nbc.recommend(SCORES, scale="several"),
                nbc.sensitivity(SCORES, scale="several"),
            ],
        ),
        (
            {"data": SCORES},
            [
                nbc.compare_bayesian(SCORES, rope=0.2, n_samples=500, rng=4, control="best"),
                nbc.compare_bayesian(SCORES, rope=0, test="sign"),
                nbc.compare_bayesian(SCORES, rope=0, test="sign", rng=np.random.default_rng(1)),
            ],
        ),
        ({"data": RUNS}, [nbc.compare_bayesian(RUNS, rope=0.2, dataset="2", ratio=0.25)]),
        (
            {"data": RUNS},
            [
                nbc.aggregate_runs(RUNS, target=1, n_resamples=200, rng=5),
                nbc.aggregate_runs(RUNS, scale="several", n_resamples=200),
                nbc.aggregate_runs(
                    RUNS, baseline=dict.fromkeys(RUNS.datasets, (-1, 2.5)), n_resamples=200
                ),
                nbc.aggregate_runs(FOLDS, baseline=low_and_high(FOLDS), n_resamples=200),
            ],
        ),
        ({"data": RUNS}, [nbc.check_conditions(RUNS), nbc.compare_stochastic(RUNS)]),
        ({"data": RUNS}, [nbc.compare_stochastic(RUNS, procedure="fuzzy", rng=3)]),
        (
            {"data": RUNS},
            [
                nbc.compare_stochastic(RUNS, method="resampling", n_resamples=99, rng=5),
                nbc.compare_cv("A1", "A3", experiment=RUNS, dataset="2", test="classical"),
            ],
        ),
        (
            {"data": FOLDS},
            [nbc.compare_cv(FOLDS), nbc.compare_cv(FOLDS, control="A2", adjust=["holm", "li"])],
        ),
        ({"histories": LOGS}, [nbc.compare_convergence(LOGS, cutpoints=4, adjust=["holm"])]),
        (
            {"histories": LOGS},
            [
                nbc.compare_convergence(LOGS, cutpoints=4, **how)
                for how in ({}, {"formulas": "printed"}, {"differences": "raw", "alpha": 0.2})
            ],
        ),
        ({}, [nbc.compare_ranks({"A": 1.2, "B": 2.1, "C": 2.7}, 9, adjust="nemenyi")]),
    ],
    ids=lambda value: type(value[0]).__name__ if isinstance(value, list) else "",
)
def test_unchanged(file, sources, results):
    shown = [one for result in results for one in views(result)]
    found = verify(file(page(*sources.values(), *shown)), **sources)
    assert found.all_problems == ()
    assert found.holds
    assert sum(check.n_displays for check in found.checks) == len(shown)
    assert found.sentences[0].startswith("The report holds: ")
    assert repr(found).endswith(", holds>")
    assert found.remarks == ()


def test_arrays_of_folds(file):
    one, two = RUNS.mean_scores.T[:2]
    result = nbc.compare_cv(one, two, direction="maximize", names=("A1", "A2"), dataset="lab")
    data = nbc.Experiment.from_array(
        np.array([one, two])[np.newaxis], direction="maximize", datasets=["lab"]
    )
    assert verify(file(page(*views(result))), data=data).holds


@pytest.mark.slow
def test_rows_in_another_order(file, tmp_path):
    frame = SCORES.to_frame().sample(frac=1, random_state=1).iloc[:, ::-1]
    frame.to_csv(tmp_path / "scores.csv")
    result = nbc.contrast_estimation(SCORES, n_resamples=50)
    text = page(SCORES, *views(COMPARISON), *views(result))
    assert verify(file(text), data=tmp_path / "scores.csv").holds
    found = verify(file(text), data=tmp_path / "scores.csv", reading={"direction": "maximize"})
    told = "Comparison: the data differ from those of the report: fingerprint sha256:"
    assert told in found.all_problems[0]


def test_a_part_of_the_data(file):
    part = nbc.compare(SCORES.select(algorithms=NAMES[:3], datasets=SCORES.datasets[:5]))
    assert verify(file(page(part)), data=SCORES).holds


@pytest.mark.slow
def test_what_the_data_do_not_say(file):
    """Measure and citation are no part of a file of scores."""
    named = replace(SCORES, measure="error", citation="A. Author (2001).")
    assert verify(file(page(*views(nbc.compare(named)))), data=SCORES).holds
    other = replace(SCORES, measure="accuracy")
    found = verify(file(page(nbc.compare(named))), data=other)
    assert found.all_problems[0] == (
        "Comparison: in the embedded result, design.measure is 'error', recomputed 'accuracy'"
    )


def test_page_of_the_template(file):
    def exported(*shown):
        outputs = [nbformat.v4.new_output("display_data", one._repr_mimebundle_()) for one in shown]
        cell = nbformat.v4.new_code_cell("compare", outputs=outputs)
        return ReportHTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))[0]

    found = verify(file(exported(SCORES, *views(COMPARISON))), data=SCORES)
    assert found.all_problems == ()
    assert found.checks[0].n_displays >= 6
    text = exported(SCORES, COMPARISON)  # without methods, which have their own list
    before, name, after = text.rpartition("Holm, S. (1979)")  # in the list of references
    assert name
    assert verify(file(f"{before}Holm, S. (1978){after}"), data=SCORES).is_whole is False


# ---------------------------------------------------------------------- what does not


def cell(text, row, column):
    """Where a number of the table of hypotheses stands."""
    start = text.index('data-nbcompare-section="hypotheses"')
    start = text.index("<tbody>", start)
    for _ in range(row):
        start = text.index("<tr>", start) + 1
    for _ in range(column - 1):
        start = text.index("<td", start) + 1
    start = text.index(">", start) + 1
    return start, text.index("<", start)


@pytest.mark.parametrize(("row", "column"), [(1, 4), (2, 5), (3, 3)])
def test_a_number(file, row, column):
    start, end = cell(PAGE, row, column)
    after = PAGE[start:end].replace(PAGE[end - 1], "7" if PAGE[end - 1] != "7" else "3")
    found = verify(file(PAGE[:start] + after + PAGE[end:]), data=SCORES)
    (problem,) = found.all_problems
    where = "Comparison: under \"Part 4\", the display of section 'hypotheses' reads "
    assert problem.startswith(where)
    read, _, recomputed = problem.removeprefix(where).partition(", recomputed ")
    assert after.split()[-1] in read
    assert PAGE[start:end].split()[-1] in recomputed
    assert not found.holds


DISPLAY = re.compile(r'<div class="nbcompare tex2jax.*?</div>', re.DOTALL)
TEXT = re.compile(r">([^<]+)<")
DIGITS = [
    display.start() + text.start(1) + digit.start()
    for display in DISPLAY.finditer(PAGE)
    for text in TEXT.finditer(display[0])
    for digit in re.finditer(r"\d(?!\d*;)", text[1])  # but in &#36;
    if not text[1].startswith("Table ")
]


@pytest.mark.slow
@settings(max_examples=40)
@given(st.sampled_from(DIGITS), st.integers(1, 9))
def test_any_digit(tmp_path_factory, place, more):
    """In a table, a sentence, a note, the version, a fingerprint."""
    path = tmp_path_factory.mktemp("changed") / "page.html"
    path.write_text(f"{PAGE[:place]}{(int(PAGE[place]) + more) % 10}{PAGE[place + 1 :]}", "utf-8")
    found = verify(path, data=SCORES)
    assert len(found.checks[0].problems) == 1
    assert not found.holds


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "of the four algorithms",
            "of the five algorithms",
            "has the best average rank of the five algorithms on nine data sets (1.",
        ),
        (
            "Average ranks, best first</caption>",
            "Average ranks, worst first</caption>",
            "reads 'Average ranks, worst first', recomputed 'Average ranks, best first'",
        ),
        (
            "<p>&lt;/script&gt; has the best",
            "<p>Ours is best.</p><p>&lt;/script&gt; has the best",
            "has 'Ours is best.', which is not in it",
        ),
        (
            "<p>&lt;/script&gt; has the best",
            "Ours is best.<p>&lt;/script&gt; has the best",
            "has 'Ours is best.', which is not in it",
        ),
    ],
)
def test_words(file, old, new, message):
    found = verify(file(changed(old, new)), data=SCORES)
    assert not found.holds
    (problem, *_) = found.all_problems
    assert problem.startswith('Comparison: under "Part 1", the display of the result ')
    assert message in problem


def test_a_sentence_less(file):
    sentence = re.search(r"<p>(&lt;/script&gt; has the best.*?)</p>", PAGE)
    found = verify(file(changed(sentence[0], "")), data=SCORES)
    (problem,) = found.all_problems
    assert problem.startswith('Comparison: under "Part 1", the display of the result lacks ')
    assert "has the best" in problem


def test_a_row_less(file):
    start = PAGE.index("<tbody>", PAGE.index('data-nbcompare-section="hypotheses"'))
    start = PAGE.index("<tr>", start)
    end = PAGE.index("</tr>", start) + len("</tr>")
    found = verify(file(PAGE[:start] + PAGE[end:]), data=SCORES)
    (problem,) = found.all_problems
    assert "the display of section 'hypotheses' lacks '</script> 10 " in problem


def test_a_note_less(file):
    result = nbc.compare_pair(SCORES, *NAMES[:2], test="t")
    text = re.sub(r'(<ul class="nbcompare-notes">.*)<li>.*?</li>', r"\1", page(result), count=1)
    (problem,) = verify(file(text), data=SCORES).all_problems
    assert 'under "Part 1", the display of the result lacks ' in problem


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda f: f["hypotheses"]["pvalue"].__setitem__(0, 1e-7),
            r"hypotheses\.pvalue\[0\] is 1e-07, recomputed 0\.0\d+",
        ),
        (
            lambda f: f["average_ranks"][0].__setitem__(1, 1.9),
            r"average_ranks\['</script>'\] is 1\.9, recomputed 1\.7\d+",
        ),
        (
            lambda f: f["notes"].append({"code": "x", "text": "y"}),
            "the length of notes is 2, recomputed 1",
        ),
        (
            lambda f: f["design"]["datasets"].reverse(),
            None,  # the order of data sets is of no account to a test by ranks
        ),
        (
            lambda f: f.update(standard_error=f["standard_error"] * (1 + 1e-6)),
            r"standard_error is .*, recomputed .*",
        ),
        (lambda f: f.update(standard_error=f["standard_error"] * (1 + 1e-12)), None),
    ],
)
def test_json(file, change, message):
    found = verify(file(with_json(change)), data=SCORES)
    assert (found.all_problems == ()) == (message is None)
    assert not found.holds
    if message is not None:
        assert re.fullmatch(f"Comparison: in the embedded result, {message}", found.all_problems[0])


def test_number_and_json(file):
    """Changed everywhere: the data tell."""
    rank = f"{COMPARISON.average_ranks[NAMES[1]]:.3f}"
    text = with_json(lambda f: f["average_ranks"][1].__setitem__(1, 1.234))
    text = changed(f">{rank}<", ">1.234<", text, text.count(f">{rank}<"))
    found = verify(file(text), data=SCORES)
    assert "average_ranks['C4.5_m & co'] is 1.234" in found.all_problems[0]
    assert not found.holds


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f["design"].update(options=[["beta", 1]]), "cannot be read: `text` must hold"),
        (lambda f: f["adjust"].__setitem__(0, "x"), "cannot be read: `text` must hold"),
        (lambda f: f.pop("alpha"), "result: the embedded result cannot be read: `text` must"),
        (lambda f: f["design"].update(fingerprint=None), "in the embedded result, "),
    ],
)
def test_broken_json(file, change, message):
    found = verify(file(with_json(change)), data=SCORES)
    assert any(message in text for text in found.all_problems)
    assert str(found).startswith("The report does not hold: of 1 result, 1 differs from what was")


def test_other_data(file):
    values = np.array(SCORES.mean_scores)
    values[4, 2] += 0.001
    other = nbc.Experiment.from_array(
        values, direction="minimize", algorithms=NAMES, datasets=SCORES.datasets
    )
    problems = verify(file(page(SCORES, *views(COMPARISON))), data=other).all_problems
    assert problems[0] == (
        "Comparison: the data differ from those of the report: fingerprint "
        f"{SCORES.fingerprint[:19]}… in the report, "
        f"{other.fingerprint[:19]}… of the data given"
    )
    fewer = verify(file(PAGE), data=SCORES.select(algorithms=NAMES[:3]))
    assert fewer.all_problems == (
        "Comparison: it cannot be recomputed from these data with its options: `algorithms` must "
        "be one of '</script>', 'C4.5_m & co' and '$x$'; got '10'",
    )


def test_other_version(file):
    def older(fields):
        fields["design"]["version"] = "0.0.9"
        fields["notes"][0]["text"] = "In other words, of 6 pairs."

    shown = with_json(older)
    shown = shown.replace(nbc.__version__, "0.0.9")
    note = html.escape(COMPARISON.notes[0].text)
    shown = changed(note, "In other words, of 6 pairs.", shown, shown.count(note))
    shown = changed("has the best average rank of", "leads among", shown)
    found = verify(file(shown), data=SCORES)
    assert found.all_problems == ()
    assert found.checks[0].remarks[0] == (
        f"The report was computed with nbcompare 0.0.9 and recomputed with {nbc.__version__}: the "
        "wording may differ."
    )
    start, end = cell(shown, 1, 4)
    assert not verify(file(shown[:start] + "0.5" + shown[end:]), data=SCORES).holds


def test_no_seed(file):
    result = nbc.contrast_estimation(SCORES, n_resamples=20, rng=np.random.default_rng(1))
    (problem,) = verify(file(page(result)), data=SCORES).all_problems
    assert problem == (
        "Contrast: it cannot be recomputed, because its random numbers were drawn without a seed; "
        "compute it with a seed"
    )
    exact = nbc.compare_stochastic(RUNS, rng=np.random.default_rng(1))
    assert verify(file(page(exact)), data=RUNS).holds


SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="6"><path d="M0 0L{} 9"/></svg>'


def whole_notebook():
    """Data, a result, a figure and the author's text."""
    cells = [nbformat.v4.new_markdown_cell("# Woods\n\nThere were twelve trees.", id="text")]
    for number, one in enumerate((SCORES, COMPARISON)):
        output = nbformat.v4.new_output("display_data", one._repr_mimebundle_())
        cells.append(nbformat.v4.new_code_cell("show()", outputs=[output], id=f"show-{number}"))
    about = {"alt": "Growth of trees.", "caption": "Growth"}
    for number in (7, 8):
        drawn = {"image/svg+xml": SVG.format(number)}
        output = nbformat.v4.new_output("display_data", drawn, metadata=about)
        cells.append(nbformat.v4.new_code_cell("draw()", outputs=[output], id=f"draw-{number}"))
    return nbformat.v4.new_notebook(cells=cells)


WHOLE = ReportHTMLExporter().from_notebook_node(whole_notebook())[0]
PICTURES = re.findall(r'src="(data:image[^"]+)"', WHOLE)
CHANGED = {
    "a cell of the data": (">d0<", ">d9<"),
    "a picture": (PICTURES[0], PICTURES[0].replace("A", "B", 1)),
    "no sentence": ("<p>There were twelve trees.</p>", ""),
    "a script": ("const main =", "x(); const main ="),
    "what hides": ("<main", "<main hidden"),
}


@pytest.mark.parametrize(("old", "new"), CHANGED.values(), ids=CHANGED)
def test_what_is_not_recomputed_is_as_it_was_exported(file, old, new):
    assert verify(file(WHOLE), data=SCORES).holds
    found = verify(file(changed(old, new, WHOLE)), data=SCORES)
    assert not found.holds
    assert found.all_problems == ()
    assert found.sentences[0].startswith("The report does not hold, because it was changed since")


def test_a_page_without_a_digest_is_not_checked_as_a_whole(file, capsys):
    text = page(nbc.compare(nbc.datasets.load("demsar2006")))
    text = re.sub("<!-- nbcompare-digest .*-->", "", text)
    assert main(["verify", str(file(text)), "--example", "demsar2006"]) == 2
    said = " ".join(capsys.readouterr().out.split())
    assert "The results hold, but the report could not be checked as a whole: 1 result" in said
    assert "Not recomputed: data, text, code and figures; only an HTML page" in said


def test_a_notebook(file):
    """Its outputs are compared; no cell is run."""
    notebook = whole_notebook()
    text = nbformat.writes(notebook)
    found = verify(file(text, "page.ipynb"), data=SCORES)
    assert found.all_problems == ()
    assert found.checks[0].n_displays == 1
    assert found.sentences[0].startswith("The results hold, but the report could not be checked")
    other = text.replace("of the four algorithms", "of the five algorithms")
    (problem,) = verify(file(other, "page.ipynb"), data=SCORES).all_problems
    assert 'under "Woods", the display of the result reads' in problem
    with pytest.raises(
        ValueError, match=r"^`page` must be a report; got a notebook that cannot be"
    ):
        verify(file("[]", "page.ipynb"), data=SCORES)


# ------------------------------------------------------------------------------ errors


@pytest.mark.slow
def test_errors(file):
    with pytest.raises(ValueError, match=r"^`page` must hold results of nbcompare; none is"):
        verify(file("<p>nothing</p>"), data=SCORES)
    with pytest.raises(ValueError, match=r"^`page` must hold its results as JSON: "):
        verify(file(PAGE.replace('nbcompare-results">{', 'nbcompare-results">')), data=SCORES)
    with pytest.raises(ValueError, match=r"^`data` must be given, or the bundled example named, "):
        verify(file(PAGE))
    both = [nbc.compare_convergence(LOGS, cutpoints=4, null=n) for n in ("page", "exchange")]
    with pytest.raises(ValueError, match=r"were computed from histories: 2 results\.$"):
        verify(file(page(*both)), data=SCORES)
    with pytest.raises(TypeError, match=r"^`data` must be an Experiment or a path; got DataFrame"):
        verify(file(PAGE), data=pd.DataFrame())


@pytest.mark.slow
def test_command(file, tmp_path, capsys):
    SCORES.to_frame().to_csv(tmp_path / "scores.csv")
    data = ["--data", str(tmp_path / "scores.csv")]
    assert main(["verify", str(file(PAGE)), *data]) == 0
    assert capsys.readouterr().out.startswith("The report holds: 1 result agrees")
    assert (
        main(
            [
                "verify",
                str(file(changed("of the four algorithms", "of the five algorithms"))),
                *data,
            ]
        )
        == 1
    )
    assert "of the five algorithms" in " ".join(capsys.readouterr().out.split())
    for arguments, message in (
        ([], "--data must be given, or the bundled"),
        (["--data", str(tmp_path / "none.csv")], "none.csv"),
        ([*data, "--example", "demsar2006"], "give either --data or --example demsar2006"),
    ):
        with pytest.raises(SystemExit) as left:
            main(["verify", str(file(PAGE)), *arguments])
        assert left.value.code == 2
        assert message in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("name", ["demsar2006", "convergence_de"])
def test_data_and_an_example_are_one_too_many(file, name):
    data = nbc.datasets.load(name)
    result = (
        nbc.compare_convergence(data, cutpoints=4, differences="raw")
        if isinstance(data, nbc.Histories)
        else nbc.compare(data.select(algorithms=data.algorithms[:3]))
    )
    path = file(page(*views(result)))
    assert verify(path, example=name).holds
    kind = "histories" if isinstance(data, nbc.Histories) else "data"
    with pytest.raises(ValueError, match=f"^give either `{kind}` or example='{name}'; got both"):
        verify(path, **{kind: data}, example=name)


def test_a_page_of_an_earlier_schema_is_refused(file, capsys):
    text = page(*views(nbc.compare(nbc.datasets.load("demsar2006"))))
    old = text.replace(f'"schema":{SCHEMA}', '"schema":1')
    assert old != text
    with pytest.raises(SystemExit, match="2"):
        main(["verify", str(file(old)), "--example", "demsar2006"])
    said = " ".join(capsys.readouterr().err.split())
    assert f"must hold results of schema {SCHEMA}; got schema 1" in said
    assert f"Export it again with this version, {nbc.__version__}" in said


def test_every_class_can_be_computed_again():
    made = {name for it in ANALYSES for name in (it.result, it.pair_result) if name}
    assert {*made, "PowerStudy"} == {kind.__name__ for kind in Result._kinds()}


def test_a_study_is_not_said_to_hold(file):
    result = nbc.study.run(
        nbc.study.BinomialErrors(n_datasets=8, n_runs=2),
        [nbc.study.CompareDesign()],
        effects=[0.1],
        repetitions=2,
    )
    found = verify(file(page(result)))
    assert not found.holds
    assert "its experiments were simulated" in found.all_problems[0]


def changed_by(place, more):
    """A change of a number in the fields of a result."""

    def change(fields):
        *path, last = place
        for step in path:
            fields = fields[step]
        fields[last] += more

    return change


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "data", "options", "place"),
    [
        (nbc.compare_bayesian, SCORES, {"rope": 0.2, "n_samples": 500}, ("first_better", 0)),
        (nbc.aggregate_runs, RUNS, {"n_resamples": 200}, ("mean", "upper", 0)),
        (nbc.fixed_targets, LOGS, {"precisions": [15, 18]}, ("ert", 0, 0, 0)),
        (nbc.sensitivity, SCORES, {}, ("least", 0)),
    ],
)
def test_a_number_that_was_changed_in_the_json_is_caught(file, function, data, options, place):
    source = {"histories" if data is LOGS else "data": data}
    result = function(data, **options)
    assert verify(file(page(*views(result))), **source).holds
    path = file(with_json(changed_by(place, 0.002), result))
    (problem, *_) = verify(path, **source).all_problems
    assert place[0] in problem
    if "n_samples" in options or "n_resamples" in options:
        drawn = function(data, **options, rng=np.random.default_rng(1))
        told = str(verify(file(page(*views(drawn))), **source))
        assert "its random numbers were drawn without a seed" in " ".join(told.split())


@pytest.mark.slow
def test_a_folded_appendix_holds(tmp_path):
    data, path = nbc.datasets.load("demsar2006"), tmp_path / "report.html"
    nbc.Report(data, sections=["findings", "comparison", "appendix"]).export(path)
    assert path.read_text("utf-8").count('<details class="folded">') == 1
    assert verify(path, data=data).holds
