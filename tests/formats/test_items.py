"""Items of benchmarks as programs write them: logs of answers, topics, verdicts of judges."""

import json

import numpy as np
import pytest
from mutations import answer
from scipy.stats import binomtest

from nbcompare import DataBuilder, Experiment, compare
from nbcompare._validation import DataError
from nbcompare.cli import main
from nbcompare.experiment import ReadingError
from nbcompare.formats import recognised

# ------------------------------------------------ logs of answers of lm-evaluation-harness


def log(folder, model, samples, task="arc"):
    file = folder / model / f"samples_{task}_2026-02-01T10-00-00.123456.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(one, ensure_ascii=False) for one in samples)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def log_of_two(folder, **options):
    for model, right in (("A", (1.0, 1.0, 0.0, 1.0)), ("B", (1.0, 0.0, 0.0, 0.0))):
        log(folder, model, [answer(i, acc=one, **options) for i, one in enumerate(right)])


def test_answers_go_before_the_results_beside_them(tmp_path):
    log_of_two(tmp_path)
    for model in "AB":
        results = {"results": {"arc": {"acc,none": 0.5}}, "model_name": f"org/{model}"}
        (tmp_path / model / "results_2026-02-01.json").write_text(json.dumps(results))
    assert recognised(tmp_path) == "lm-eval-samples"
    read = Experiment.read(tmp_path, direction="maximize")
    assert (read.unit, read.algorithms, read.n_folds) == ("items", ("org/A", "org/B"), 4)


def test_answers_to_long_prompts_with_separators_of_lines(tmp_path):
    log_of_two(tmp_path, prompt="a\u2028b\x85" + "long " * 5000)
    assert recognised(tmp_path) == "lm-eval-samples"
    assert Experiment.read(tmp_path, direction="maximize").n_folds == 4


def test_truth_values_are_scores_and_lists_are_none(tmp_path):
    metrics = ("strict", "by_instruction")
    for model in "AB":
        answers = [
            answer(i, metrics=metrics, strict=i > 1 or model == "A", by_instruction=[True, False])
            for i in range(4)
        ]
        log(tmp_path, model, answers)
    read = Experiment.read(tmp_path, direction="maximize")
    assert read.lower[0, :, :, 0].tolist() == [[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]]
    assert any("'by_instruction'" in note.text for note in read.notes)


def test_other_questions_under_the_same_number(tmp_path):
    log_of_two(tmp_path)
    log(tmp_path, "C", [answer(i, acc=1.0, digest="another" if i == 2 else None) for i in range(4)])
    with pytest.raises(DataError, match=r"line 3: question 2 of task 'arc' is another one"):
        Experiment.read(tmp_path, direction="maximize")


# ------------------------------------------------------- topics of trec_eval and ir_measures

SCORES = {"bm25": (0.2345, 0.1, 0.5), "dense": (0.3, 0.2, 0.4)}


def trec_eval(scores, measures=("map",)):
    lines = [
        f"{measure:<22}\t{topic}\t{one:.4f}\n"
        for topic, one in enumerate(scores, start=301)
        for measure in ("num_ret", *measures)
    ]
    return "".join(
        [*lines, "runid                 \tall\ttag\n", "map                   \tall\t0.3\n"]
    )


def ir_measures(scores):
    lines = [f"{topic}\tnDCG@10\t{one:.4f}\n" for topic, one in enumerate(scores, start=301)]
    return "".join([*lines, "all\tnDCG@10\t0.3\n"])


def returned(scores):
    return json.dumps({f"{topic}": {"map": one} for topic, one in enumerate(scores, start=301)})


@pytest.mark.parametrize(
    ("printed", "suffix", "measure"),
    [
        (trec_eval, ".txt", "map"),
        (trec_eval, ".eval", "map"),
        (ir_measures, ".tsv", "nDCG@10"),
        (returned, ".json", "map"),
    ],
)
def test_topics_in_a_folder_and_by_a_pattern(printed, suffix, measure, tmp_path):
    for system, scores in SCORES.items():
        (tmp_path / f"{system}{suffix}").write_text(printed(scores))
    for path in (tmp_path, tmp_path / f"{{algorithm}}{suffix}"):
        read = Experiment.read(path)
        assert (read.unit, read.algorithms, read.direction) == (
            "items",
            ("bm25", "dense"),
            "maximize",
        )
        assert read.measure == measure
        assert read.lower[0, :, :, 0].tolist() == [list(scores) for scores in SCORES.values()]


def test_measures_of_trec_eval_are_chosen_by_their_names(tmp_path):
    for system, scores in SCORES.items():
        (tmp_path / f"{system}.txt").write_text(trec_eval(scores, ("map", "P_10")))
    with pytest.raises(ReadingError) as refused:
        Experiment.read(tmp_path)
    assert refused.value.advice == ({"where": {"measure": "map"}}, {"where": {"measure": "P_10"}})
    read = Experiment.read(tmp_path, where={"measure": "map"})
    assert (read.algorithms, read.measure) == (("bm25", "dense"), "map")
    found = Experiment.read_measures(tmp_path, measures="measure")
    assert {name: one.direction for name, one in found.items()} == (
        {"map": "maximize", "P_10": "maximize"}
    )
    built = DataBuilder(tmp_path, where={"measure": "map"}).experiment
    assert built.fingerprint == read.fingerprint


def test_the_command_read_shows_a_folder(tmp_path, capsys):
    for system, scores in SCORES.items():
        (tmp_path / f"{system}.txt").write_text(trec_eval(scores, ("map", "P_10")))
    assert main(["read", str(tmp_path)]) == 1
    assert "Pass --where measure=map or --where measure=P_10." in capsys.readouterr().err
    assert main(["read", str(tmp_path), "--where", "measure=map"]) == 0
    out = capsys.readouterr().out
    assert "--direction" not in out  # which the format says
    assert out.endswith(f"To compare: nbcompare compare {tmp_path} --where measure=map\n")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", "301 Q0 FT911-1 1 29.9 bm25\n", r"a\.txt holds a ranking.*trec_eval -q"),
        ("a.run", "301\tQ0\tFT911-1\t1\t29.9\tbm25\n", r"a\.run holds a ranking"),
        ("a.txt", "301 0 FT911-1 1\n", r"a\.txt holds judgements.*trec_eval -q"),
        ("a.txt", "map \tall\t0.3\n", r"a\.txt holds means over all topics alone.*trec_eval -q"),
        ("a.txt", "map \t301\t0.3\nkilled\n", r"a\.txt, line 2 must be a measure.* got 'killed'"),
    ],
)
def test_what_holds_no_scores_of_topics(name, content, message, tmp_path):
    file = tmp_path / name
    file.write_text(content)
    with pytest.raises(DataError, match=message):
        Experiment.read(file)


def test_topics_that_a_system_lacks_are_told(tmp_path):
    for system, scores in SCORES.items():
        (tmp_path / f"{system}.txt").write_text(trec_eval(scores[: 2 if system == "bm25" else 3]))
    assert any("trec_eval -c prints 0" in note.text for note in Experiment.read(tmp_path).notes)


def test_rankings_beside_scores_are_left_out(tmp_path):
    for system, scores in SCORES.items():
        (tmp_path / f"{system}.eval").write_text(trec_eval(scores))
        (tmp_path / f"{system}.run").write_text("301 Q0 FT911-1 1 29.9 bm25\n")
    (tmp_path / "curve.png").write_bytes(b"\x89PNG\xff")
    read = Experiment.read(tmp_path)
    assert read.algorithms == ("bm25", "dense")
    assert any("'bm25.run'" in note.text for note in read.notes)


@pytest.mark.parametrize("head", ["map\tndcg\tP_10\n301\t0.2\t0.3\n", "P R F\n1 2 3\n"])
def test_other_tables_are_no_topics(head, tmp_path):
    file = tmp_path / "t.txt"
    file.write_text(head)
    assert recognised(file) is None


def test_runs_that_a_column_names_are_systems(tmp_path):
    rows = [
        f"{run},{topic},{measure},{score}\n"
        for run, scores in SCORES.items()
        for topic, score in enumerate(scores, start=301)
        for measure in ("map", "P_10")
    ]
    file = tmp_path / "long.csv"
    file.write_text("run,qid,measure,value\n" + "".join(rows))
    with pytest.raises(ReadingError) as refused:
        Experiment.read(file, direction="maximize")
    for way in refused.value.advice:
        assert Experiment.read(file, direction="maximize", **way).algorithms == ("bm25", "dense")


# ------------------------------------------------------------------------ verdicts of judges

VERDICTS = ["model_a"] * 9 + ["model_b"] * 2 + ["tie"] * 3 + ["tie (bothbad)"]


def arena(verdicts, pairs=(("A", "B"),)):
    rows = [
        f"{question},{one},{other},{verdict}\n"
        for one, other in pairs
        for question, verdict in enumerate(verdicts)
    ]
    return "question_id,model_a,model_b,winner\n" + "".join(rows)


def test_verdicts_on_two_models_are_a_sign_test(tmp_path):
    file = tmp_path / "arena.csv"
    file.write_text(arena(VERDICTS))
    read = Experiment.read(file)
    assert any(note.code == "places" for note in read.notes)
    result = compare(read)
    assert result.hypotheses.pvalue[0] == pytest.approx(binomtest(2, 11).pvalue)
    assert result.mean_scores == pytest.approx({"A": 11 / 15, "B": 4 / 15})


def test_names_of_models_are_verdicts_too_and_both_orders_need_no_note(tmp_path):
    file = tmp_path / "arena.csv"
    swapped = arena(["B"], pairs=[("B", "A")]).replace("\n0,", "\n99,").partition("\n")[2]
    file.write_text(arena(["A", "B", "tie", "A"]) + swapped)
    read = Experiment.read(file)
    assert not any(note.code == "places" for note in read.notes)
    assert read.lower[0, :, :, 0].tolist() == [[1, 0, 0.5, 1, 0], [0, 1, 0.5, 0, 1]]


def test_two_rows_for_both_orders_are_runs(tmp_path):
    file = tmp_path / "arena.csv"
    swapped = ["model_b"] * 6 + ["model_a"] * 4 + ["tie"] * 5
    file.write_text(arena(VERDICTS) + arena(swapped, [("B", "A")]).partition("\n")[2])
    read = Experiment.read(file)
    assert (read.n_runs, read.n_folds) == (2, 15)
    assert read.lower[0, 0, [0, 8, 9, 14]].tolist() == [[1, 1], [1, 0], [0, 0], [0.5, 0.5]]
    assert compare(read).n_items == (15,)


def test_of_several_pairs_one_is_chosen(tmp_path):
    file = tmp_path / "arena.csv"
    file.write_text(arena(VERDICTS, [("A", "B"), ("B", "C"), ("C", "A")]))
    with pytest.raises(ReadingError, match="'pair'") as refused:
        Experiment.read(file)
    assert {"where": {"pair": "A / C"}} in refused.value.advice
    assert Experiment.read(file, where={"pair": "A / C"}).algorithms == ("C", "A")


def test_verdicts_of_mt_bench_in_both_orders_on_turns_of_a_dialogue(tmp_path):
    rows = [
        {
            "question_id": question,
            "model_1": "A",
            "model_2": "B",
            "g1_winner": "model_1",
            "g2_winner": "model_1" if turn == 1 else "tie",
            "judge": ["gpt-4", "pair-v2"],
            "g1_judgment": f"{question} {turn}",
            "turn": turn,
            "tstamp": question + turn / 10,
        }
        for question in range(81, 89)
        for turn in (1, 2)
    ]
    file = tmp_path / "gpt-4_pair.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    result = compare(Experiment.read(file))
    assert result.mean_scores == pytest.approx({"A": 0.875, "B": 0.125})
    assert (result.n_items, result.n_clusters) == ((16,), (8,))


def test_preferences_of_alpaca_eval(tmp_path):
    preferences = [1, 2, 1.5, 1.25, None]
    rows = [
        {
            "instruction": f"do {number}",
            "output_1": f"done {number}",
            "generator_1": "base",
            "dataset": "koala" if number % 2 else "vicuna",
            "output_2": f"did {number}",
            "generator_2": "tuned",
            "annotator": "judge",
            "preference": preference,
            "time_per_example": number / 7,
        }
        for number, preference in enumerate(preferences)
    ]
    file = tmp_path / "annotations.json"
    file.write_text(json.dumps(rows))
    read = Experiment.read(file)
    assert any("1 verdict is missing" in note.text for note in read.notes)
    assert compare(read).n_items == (4,)
    assert read.lower[0, :, :4, 0].tolist() == [[1, 0, 0.5, 0.75], [0, 1, 0.5, 0.25]]


def test_what_is_no_verdict(tmp_path):
    file = tmp_path / "arena.csv"
    file.write_text(arena(["model_a", "C"]))
    with pytest.raises(DataError, match=r"row 2, column 'winner' must be .*'tie'; got 'C'"):
        Experiment.read(file)


# ---------------------------------------------------- programs that were run, and grades

PASSED = {"A": (10, 3, 0), "B": (9, 0, 1)}  # of ten programs for each task


@pytest.fixture(params=["human-eval", "eval-plus"])
def programs(request, tmp_path):
    for model, counts in PASSED.items():
        runs = {f"HumanEval/{i}": [k < c for k in range(10)] for i, c in enumerate(counts)}
        if request.param == "human-eval":
            lines = [
                {"task_id": task, "completion": "...", "result": "passed", "passed": one}
                for task, passes in runs.items()
                for one in passes
            ]
            file, content = tmp_path / f"{model}.jsonl_results.jsonl", map(json.dumps, lines)
            file.write_text("\n".join(content))
            continue
        found = {
            task: [
                {
                    "task_id": task,
                    "solution": "...",
                    "base_status": "pass" if one else "fail",
                    "plus_status": "fail" if k == 0 else "pass",
                }
                for k, one in enumerate(passes)
            ]
            for task, passes in runs.items()
        }
        file = tmp_path / model / "eval_results.json"
        file.parent.mkdir()
        file.write_text(json.dumps({"date": "2026-01-01", "hash": "1", "eval": found}))
    return tmp_path, " of base tests" if request.param == "eval-plus" else ""


def test_programs_by_pass_at_k(programs):
    folder, tests = programs
    with pytest.raises(ReadingError) as refused:
        Experiment.read(folder)
    measures = [way["where"]["measure"] for way in refused.value.advice]
    assert set(measures) >= {f"pass@1{tests}", f"pass@10{tests}"}
    read = Experiment.read(folder, where={"measure": f"pass@1{tests}"})
    assert read.measure == f"pass@1{tests}"
    assert read.lower[0, :, :, 0] == pytest.approx(np.array([*PASSED.values()]) / 10)
    read = Experiment.read(folder, where={"measure": f"pass@10{tests}"})
    assert read.lower[0, :, :, 0].tolist() == [[1, 1, 0], [1, 0, 1]]
    if tests:
        read = Experiment.read(folder, where={"measure": "pass@1 of all tests"})
        assert read.lower[0, :, :, 0] == pytest.approx(np.array([[9, 2, 0], [8, 0, 0]]) / 10)


def test_grades_of_mt_bench(tmp_path):
    rows = [
        {
            "question_id": question,
            "model": model,
            "judge": ["gpt-4", "single-v1"],
            "judgment": f"Rating: {question}",
            "score": -1 if question == 84 else 1 + (question + turn) % 10,
            "turn": turn,
            "tstamp": question / 7,
        }
        for question in range(81, 85)
        for model in "AB"
        for turn in (1, 2)
    ]
    file = tmp_path / "gpt-4_single.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    result = compare(Experiment.read(file))
    assert (result.n_items, result.n_clusters) == ((6,), (3,))


def test_the_summary_of_opencompass(tmp_path):
    file = tmp_path / "summary.csv"
    file.write_text(
        "dataset,version,metric,mode,A,B\n"
        "--------- Exam ---------,-,-,-,-,-\n"
        "ceval,-,naive_average,ppl,35.00,45.00\n"
        "ceval-physics,db9ce2,accuracy,ppl,30.00,40.00\n"
        "ceval-law,1c2571,accuracy,ppl,40.00,50.00\n"
        "humaneval,123456,humaneval_pass@1,gen,10.37,-\n"
        "gsm8k,1d7fe4,accuracy,gen,65.62,70.1\n"
    )
    read = Experiment.read(file, direction="maximize")
    assert read.datasets == ("ceval-physics", "ceval-law", "humaneval", "gsm8k")
    assert read.mean_scores[:2].tolist() == [[30, 40], [40, 50]]
    assert np.isnan(read.mean_scores[2, 1])


# ---------------------------------------------------------------------- tables of items


def test_the_index_of_tables_in_many_files_may_name_the_items(tmp_path):
    for system, scores in SCORES.items():
        rows = [f"{topic},{one},{one / 2}\n" for topic, one in enumerate(scores * 8, start=301)]
        (tmp_path / f"{system}.csv").write_text(",map,P_10\n" + "".join(rows))
    with pytest.raises(ReadingError) as refused:
        Experiment.read(tmp_path / "{algorithm}.csv", direction="maximize")
    way = refused.value.advice[0]
    assert (way["score"], way["item"], "where" in way) == ("map", "index", False)
    read = Experiment.read(tmp_path / "{algorithm}.csv", direction="maximize", **way)
    assert (read.unit, read.n_folds) == ("items", 24)


def test_words_are_no_scores(tmp_path):
    file = tmp_path / "words.csv"
    file.write_text(
        "id,A,B\n" + "".join(f"{i},pass,{'pass' if i % 3 else 'fail'}\n" for i in range(9))
    )
    with pytest.raises(DataError, match="write 1 and 0 for words such as pass and fail"):
        Experiment.read(file, direction="maximize", item="id")


def test_what_is_left_out_of_files_of_a_pattern_is_told(tmp_path):
    for system, scores in SCORES.items():
        (tmp_path / f"{system}.txt").write_text(trec_eval(scores * 8))
    read = Experiment.read(tmp_path / "{algorithm}.txt")
    assert [note.text for note in read.notes if "num_ret" in note.text]
    assert len({note.text for note in read.notes}) == len(read.notes)
    assert "Read as tables in the files of a pattern." in [note.text for note in read.notes]
