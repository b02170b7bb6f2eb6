"""Files of every format that is read, damaged in a reproducible way, and what may come of each.

Every damaged file ends in data, or in an error that the package raised itself, of one readable
paragraph. ``python tests/mutations.py KIND FIRST END`` tries some, and prints the failures
as JSON; mutation 17 of a kind is the same wherever it is tried.
"""

import gzip
import io
import json
import re
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

import nbcompare as nbc
from nbcompare._tables import delimited
from nbcompare.report import verify
from nbcompare.results import from_json

ROOT = Path(__file__).parent
LONGEST = 1_000  # characters of a message
SLOWEST = 10  # seconds of the processor

# ------------------------------------------------------------------------------- damage

TOKENS = (
    *(b'"', b",", b";", b"\t", b"\n", b"\r", b"\r\n", b"|", b"&", b"\\", b"\\\\", b"{", b"}"),
    *(b"[", b"]", b":", b"'", b"%", b"#", b"=", b"<", b">", b"<td>", b"</table>", b"<!--", b"$"),
    *(b"\x00", b"\x07", b"\x1b[31m", b"\x7f", b"\xff", b"\xc3", "\u202e".encode(), "é".encode()),
    *(b"\xef\xbb\xbf", "١".encode(), b"null", b"true", b"NaN", b"Infinity", b"{}", b"[]", b'""'),
    *(b"nan", b"inf", b"?", b"__proto__", b"../x", b"@data", b"\\end{tabular}", b"\\multirow"),
)
NUMBERS = (
    *(b"0", b"-0", b"-1", b"1e999", b"-1e999", b"1e308", b"5e-324", b"nan", b"inf", b"1_0"),
    *(b"9" * 400, b"9007199254740993", b"4294967296", b"-2147483649", b"1.0", b"0.1.2", b"1,5"),
    *(b"true", b"null", b"[]", b'"x"', b"", b"00", b"2", b"65536", b"0x10", "²".encode()),
)
_NUMBER = re.compile(rb"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


def flip(data, random):
    at = random.randrange(len(data))
    data[at] ^= 1 << random.randrange(8)


def overwrite(data, random):
    at = random.randrange(len(data))
    data[at : at + random.choice((1, 4, 8))] = random.randbytes(random.choice((1, 4, 8)))


def cut(data, random):
    del data[random.randrange(len(data)) :]


def remove(data, random):
    at = random.randrange(len(data))
    del data[at : at + random.choice((1, 3, 40))]


def insert(data, random):
    at = random.randrange(len(data) + 1)
    data[at:at] = random.choice(TOKENS)


def swap(data, random):
    one, two = sorted(random.randrange(len(data)) for _ in range(2))
    length = min(random.choice((1, 8, 60)), two - one)
    data[one : one + length], data[two : two + length] = (
        data[two : two + length],
        data[one : one + length],
    )


def renumber(data, random):
    found = list(_NUMBER.finditer(data))
    if found:
        number = random.choice(found)
        data[number.start() : number.end()] = random.choice(NUMBERS)


def repeat(data, random):
    at = random.randrange(len(data))
    part = data[at : at + random.choice((1, 12, 80, 400))]
    data[at:at] = part * random.choice((1, 1, 3, 50, 2000 if len(part) < 50 else 1))


WAYS = (flip, overwrite, cut, remove, insert, swap, renumber, repeat, renumber, insert)


def damaged(content: bytes, random: Random) -> bytes:
    """The bytes with one to five changes."""
    data = bytearray(content)
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        if data:
            random.choice(WAYS)(data, random)
    return bytes(data)


def damaged_file(name: str, content: bytes, random: Random) -> bytes:
    """The file with changes; of what is compressed, more often what was before."""
    inner = random.random() < 0.7
    if inner and name.endswith(".gz"):
        return gzip.compress(damaged(gzip.decompress(content), random))
    if inner and name.endswith(".zst"):
        from backports import zstd

        return zstd.compress(damaged(zstd.decompress(content), random))
    if inner and name.endswith((".xlsx", ".npz", ".nbcompare")):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = {each: archive.read(each) for each in archive.namelist()}
        chosen = random.choice(sorted(parts))
        parts[chosen] = damaged(parts[chosen], random)
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as archive:
            for each, part in parts.items():
                archive.writestr(each, part)
        return made.getvalue()
    return damaged(content, random)


# ------------------------------------------------------------------------------- samples

Files = Mapping[str, bytes]


class Sample(NamedTuple):
    """Whole files by name, which of them is read (the folder if it is empty), and how."""

    files: Files
    read: Callable[[Path], object]
    target: str = ""


def table(**options):
    def read(path):
        made = nbc.Experiment.read(path, direction="minimize", **options)
        assert np.isfinite(made.lower[~np.isnan(made.lower)]).all()
        return str(made), [note.text for note in made.notes]

    return read


def fast_table(path):
    """By the reader of large files."""
    usual, delimited.LARGE = delimited.LARGE, 0
    try:
        return table()(path)
    finally:
        delimited.LARGE = usual


def logs(**options):
    def read(path):
        made = nbc.Histories.read(path, **options)
        assert np.isfinite(made.values[~np.isnan(made.values)]).all()
        assert np.isfinite(made.evaluations).all()
        return str(made), [note.text for note in made.notes]

    return read


def result(path):
    made = from_json(path.read_text("utf-8", "surrogateescape"))
    return str(made), made.to_json(), [str(made.section(name)) for name in made.sections]


def project(path):
    made = nbc.open_project(path)
    return str(made), str(made.experiment), str(made.histories), *map(str, made.results.values())


def page(path):
    text = str(verify(path, data=DATA))
    if found := PYTHON.search(unquoted(text)):
        raise AssertionError(f"speaks Python: {found[0]} in {text}")
    return text


LONG = "data set,algorithm,fold,score\n" + "".join(
    f"d{i},{name},{fold},{(i * 7 + fold * 3 + len(name)) / 11:.4f}\n"
    for i in range(6)
    for name in ("C4.5", 'k-NN "3"'.replace('"', ""), "naïve")
    for fold in (1, 2)
)
WIDE = 'dataset,A,"B, 2",C\n' + "".join(
    f'"d {i}",{i / 7:.3f},{i * 11 % 5}.5,{(i * 3) % 7 / 10}\n' for i in range(12)
)
DEVIATIONS = "dataset,A,B\n" + "".join(f"d{i},0.{i}1 ± 0.0{i},0.5{i} ± 0.01\n" for i in range(1, 9))
LOGS = "problem,algorithm,run,evaluations,value\n" + "".join(
    f"f{i // 20},DE,{i // 10 % 2},{i % 10 + 1},{9 - i % 10}\n" for i in range(60)
)
DATA = nbc.Experiment.from_array(
    np.random.default_rng(3).normal([0, 0.4, 1.1], size=(8, 3)).round(2),
    direction="minimize",
    algorithms=("tree", "forest", "net"),
)


def texts(*contents: str, name: str, read=None, **options) -> list[Sample]:
    return [Sample({name: each.encode()}, read or table(**options), name) for each in contents]


def saved(save, *arguments, **options) -> bytes:
    stream = io.BytesIO()
    save(stream, *arguments, **options)
    return stream.getvalue()


def as_json(content: object) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode()


def folder_of(path: Path) -> Files:
    return {
        each.relative_to(path).as_posix(): each.read_bytes()
        for each in sorted(path.rglob("*"))
        if each.is_file()
    }


def frame():
    import pandas as pd

    return pd.read_csv(io.StringIO(WIDE))


def in_csv():
    return texts(LONG, WIDE, DEVIATIONS, name="t.csv")


def in_large_csv():
    return texts(LONG, WIDE, name="t.csv", read=fast_table)


def in_tsv():
    return texts(LONG.replace(",", "\t"), DEVIATIONS.replace(",", "\t"), name="t.tsv")


def in_gzip():
    return [Sample({"t.csv.gz": gzip.compress(WIDE.encode())}, table(), "t.csv.gz")]


def in_zstandard():
    from backports import zstd

    return [Sample({"t.csv.zst": zstd.compress(WIDE.encode())}, table(), "t.csv.zst")]


def in_excel():
    import openpyxl

    plain = saved(lambda to: frame().to_excel(to, index=False))
    book = openpyxl.load_workbook(io.BytesIO(plain))
    sheet = book.active
    sheet.insert_rows(1)
    sheet["A1"] = "a title"
    sheet.merge_cells("A1:D1")
    for row in range(3, sheet.max_row + 1):
        for column in "BCD":
            sheet[f"{column}{row}"].number_format = "0.0%"
    odd = saved(book.save)
    return [Sample({"t.xlsx": each}, table(), "t.xlsx") for each in (plain, odd)]


def in_parquet():
    import polars as pl

    made = [saved(frame().to_parquet), saved(frame().set_index("dataset").to_parquet)]
    lazy = pl.from_pandas(frame())
    for kind in ("uncompressed", "snappy", "zstd", "lz4", "gzip", "brotli"):
        made.append(saved(lazy.write_parquet, compression=kind))
    return [Sample({"t.parquet": each}, table(), "t.parquet") for each in made]


def in_json():
    forms = [json.loads(frame().to_json(orient=form)) for form in ("records", "columns")]
    return [Sample({"t.json": as_json(each)}, table(), "t.json") for each in forms]


def in_lines():
    return texts(frame().to_json(orient="records", lines=True), name="t.jsonl")


RUNS = """@RELATION ALGORITHM_RUNS_2013-SAT-Competition

@ATTRIBUTE instance_id STRING
@ATTRIBUTE repetition NUMERIC
@ATTRIBUTE algorithm STRING
@ATTRIBUTE runtime NUMERIC
@ATTRIBUTE runstatus {ok , timeout , memout , not_applicable , crash , other}

@DATA
% a comment
inst1.cnf, 1, lingeling, 5.0, ok
inst1.cnf, 1, clasp, 5000, timeout
'inst 2, hard.cnf', 1, lingeling, ?, crash
'inst 2, hard.cnf', 1, clasp, 17.5, ok
"""
DESCRIPTION = """scenario_id: SAT11-HAND
performance_measures:
    - runtime
maximize:
    - false
performance_type:
    - runtime
algorithm_cutoff_time: 5000
algorithm_cutoff_memory: "?"
algorithms_deterministic:
    - lingeling
"""
WEKA = """@relation InstanceResultListener

@attribute Key_Dataset {iris,wine}
@attribute Key_Run {1}
@attribute Key_Fold {1}
@attribute Key_Scheme {weka.classifiers.rules.ZeroR,weka.classifiers.trees.J48}
@attribute Key_Scheme_options {'','\\'-C 0.25 -M 2\\'','\\'-C 0.5, -M 2\\''}
@attribute Key_Scheme_version_ID {48055541465867954,-217733168393644444}
@attribute Date_time numeric
@attribute Percent_correct numeric
@attribute Elapsed_Time_training numeric

@data
iris,1,1,weka.classifiers.rules.ZeroR,'',48055541465867954,20240101.101,33.333,0
iris,1,1,weka.classifiers.trees.J48,'\\'-C 0.25 -M 2\\'',-217733168393644444,20240101.101,96,0.01
wine,1,1,weka.classifiers.rules.ZeroR,'',48055541465867954,20240101.101,?,0
wine,1,1,weka.classifiers.trees.J48,'\\'-C 0.25 -M 2\\'',-217733168393644444,20240101.102,94,0.02
"""
PREDICTED = """@relation iris
@attribute sepalLength real[4.3,7.9]
@attribute class{setosa,versicolor}
@inputs sepalLength
@outputs class
@data
setosa setosa
setosa versicolor
versicolor versicolor
versicolor versicolor
"""


def answer(number, *, prompt="?", digest=None, metrics=("acc",), **scores):
    return {
        "doc_id": number,
        "doc": {"question": prompt},
        "target": "A",
        "arguments": {"gen_args_0": {"arg_0": prompt}},
        "resps": [["A"]],
        "filtered_resps": ["A"],
        "filter": "none",
        "metrics": list(metrics),
        "doc_hash": digest or f"digest {number}",
        **scores,
    }


def lm_eval(model, **tasks):
    return {
        "results": {task: {"alias": task, **measures} for task, measures in tasks.items()},
        "group_subtasks": {task: [] for task in tasks},
        "configs": {task: {"task": task, "num_fewshot": 5} for task in tasks},
        "versions": dict.fromkeys(tasks, 1.0),
        "n-shot": dict.fromkeys(tasks, 5),
        "higher_is_better": {task: {"acc": True} for task in tasks},
        "config": {"model": "hf", "model_args": f"pretrained={model},dtype=bfloat16"},
        "model_name": model,
    }


def hyperfine(command, times, codes=None, **parameters):
    result = {"command": command, "mean": 1.0, "stddev": 0.1, "median": 1.0, "user": 0.5}
    result |= {"times": times, "exit_codes": codes or [0] * len(times)}
    return result | ({"parameters": parameters} if parameters else {})


def benchmark(name, times, group=None, params=None):
    stats = {"min": 1.0, "mean": 1.5, "rounds": 2, "data": times}
    if times is None:
        del stats["data"]
    return {"group": group, "name": name, "params": params, "extra_info": {}, "stats": stats}


def in_arff():
    aslib = {"algorithm_runs.arff": RUNS.encode(), "description.txt": DESCRIPTION.encode()}
    return [
        Sample(aslib, table(failed="worst")),
        Sample(aslib, table(failed="par10"), "algorithm_runs.arff"),
        *texts(WEKA, name="t.arff", score="Percent_correct"),
    ]


def in_keel():
    more = PREDICTED.replace("setosa versi", "versicolor versi")
    files = {
        f"{algorithm}/{dataset}/result{fold}.tst": text.replace("iris", dataset).encode()
        for algorithm in ("C4.5-C", "KNN-C")
        for dataset in ("iris", "wine")
        for fold, text in enumerate((PREDICTED, more))
    }
    return [Sample(files, table())]


def in_npy():
    scores = np.arange(24).reshape(4, 2, 3) / 7
    return [
        Sample({"t.npy": saved(np.save, each)}, table(algorithms=["A", "B"]), "t.npy")
        for each in (scores, scores[:, :, 0], np.float32(scores))
    ]


def in_npz():
    arrays = {"A": np.arange(12).reshape(4, 3) / 7, "B": np.ones((4, 3))}
    return [
        Sample({"t.npz": saved(save, **arrays)}, table(), "t.npz")
        for save in (np.savez, np.savez_compressed)
    ]


LATEX = r"""\begin{table}[t]
\caption{Accuracy \& time}  % of all
\begin{tabular}{@{}l*{2}{c}r@{}}
\toprule
Data set & SVM & \textsc{RF} & $k$-NN \\ \midrule
\multicolumn{4}{l}{\textit{Small}} \\
iris\_v2 & \textbf{0.95} & $0.9$ & 0.3\\[2pt]
wine     & {\bf 0.75} & \underline{\textbf{0.8}} & 0.4 \\
zoo & 0.5 & 0.61 & 0.1 \\
\bottomrule
\end{tabular}
\end{table}
"""
MULTIROW = r"""\begin{tabularx}{\textwidth}{|l|l|r|} \hline
Data & Method & Score \\ \hline
\multirow{2}{*}{iris} & SVM & 1 \\ \cline{2-3}
 & RF & 2 \\ \hline
\multirow{2}{2cm}{wine} & SVM & 3 \\
 & RF & 4 \\ \hline
\end{tabularx}"""
MARKDOWN = r"""# Results

| Data set | **SVM** | `RF` |
|:---------|--------:|:----:|
| iris | **0.95** | 0.9 |
| wine \| red | 0.75 | 0.5 |
| zoo | 0.7 | _0.65_ |

And more text.
"""
HTML = """<!DOCTYPE html><html><head><style>td {color: red}</style></head><body><h1>Scores</h1>
<table border="1" class="dataframe">
  <thead>
    <tr style="text-align: right;"><th></th><th colspan="2">acc</th></tr>
    <tr><th>dataset</th><th>A &amp; B</th><th>C<br>2</th></tr>
  </thead>
  <tbody>
    <tr><th>iris</th><td><b>0.95</b></td><td>0.9</td></tr>
    <tr><th>007</th><td>0.75</td><td>0.5</td></tr>
    <tr><th>zoo<td rowspan="2">0.25<td> 1e-3 </tr>
    <tr><th>yeast<td> 0.5 </tr>
  </tbody>
</table></body></html>
"""


def in_latex():
    return texts(LATEX, MULTIROW, name="t.tex")


def in_markdown():
    return texts(MARKDOWN, name="t.md")


def in_html():
    return texts(HTML, name="t.html")


def in_lm_eval():
    files, answers = {}, {}
    for model, more in (("org/small", 0.0), ("org/large", 0.2)):
        files[f"{model.replace('/', '__')}/results_2024-05-01T10-00-00.json"] = as_json(
            lm_eval(model, **{task: {"acc,none": 0.5 + more} for task in ("arc", "piqa")})
        )
        answers[f"{model.replace('/', '__')}/samples_arc_2024-05-01T10-00-00.jsonl"] = b"".join(
            as_json(answer(i, acc=float((i + len(model)) % 3 > 0))) + b"\n" for i in range(5)
        )

    def maximal(path):
        return str(nbc.Experiment.read(path))

    return [Sample(files, maximal), Sample(answers, table(measure="acc"))]


def in_mteb():
    files = {}
    for model, more in (("org__small", 0.6), ("org__large", 0.7)):
        place = f"results/{model}/0123456789abcdef0123456789abcdef01234567"
        files[f"{place}/model_meta.json"] = as_json({"name": model, "revision": "0123"})
        for task in ("Banking77", "STS"):
            scores = [{"accuracy": more, "main_score": more, "hf_subset": "default"}]
            files[f"{place}/{task}.json"] = as_json(
                {
                    "dataset_revision": "abc",
                    "task_name": task,
                    "mteb_version": "1.18.0",
                    "scores": {"test": [scores[0] | {"languages": ["eng-Latn"]}]},
                    "evaluation_time": 3.2,
                }
            )
    return [Sample(files, lambda path: str(nbc.Experiment.read(path)))]


def in_hyperfine():
    runs = [hyperfine(name, [1.5, 1.25], n="10") for name in ("fd", "find .")]
    return [Sample({"t.json": as_json({"results": runs})}, table(), "t.json")]


def in_pytest():
    about = {"machine_info": {"node": "x", "cpu": {}}, "commit_info": {}, "version": "4.0.0"}
    names = [("g", "a"), ("g", "b"), ("h", "a"), ("h", "b")]
    runs = [benchmark(f"test_{name}", [0.5, 0.6, 0.7], group) for group, name in names]
    content = as_json(about | {"benchmarks": runs, "datetime": "2024-01-01"})
    return [Sample({"0001.json": content}, table(), "0001.json")]


def in_coco():
    places = (ROOT / "foreign" / "logs" / name for name in ("coco-2.8.2", "coco-2009"))
    return [Sample(folder_of(each), logs(instances="runs", early="carry")) for each in places]


def in_ioh():
    old, new = ROOT / "foreign" / "logs" / "ioh-2019", ROOT / "histories" / "data" / "ioh"
    options = {"instances": "runs", "early": "carry"}
    return [
        Sample(folder_of(old), logs(direction="maximize", **options)),
        Sample(folder_of(new), logs(**options)),
    ]


def in_log_tables():
    return texts(LOGS, LOGS.replace("run,", "seed,"), name="t.csv", read=logs(direction="minimize"))


def in_project():
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "scores.csv"
        file.write_text(WIDE, "utf-8")
        read = nbc.Experiment.read(file, direction="minimize")
        histories = nbc.Histories.from_array(
            np.arange(24).reshape(2, 2, 2, 3)[..., ::-1] / 3,
            evaluations=[1, 2, 5],
            direction="minimize",
        )
        made = []
        for data, results, more in (
            (read, {"Comparison": nbc.compare(read)}, histories),
            (DATA, {}, None),
        ):
            settings = {"Comparison": {"alpha": 0.1}}
            whole = nbc.Project(data, more, settings=settings, results=results, page="Comparison")
            made.append(whole.save(Path(name) / "a.nbcompare").read_bytes())
    return [Sample({"a.nbcompare": each}, project, "a.nbcompare") for each in made]


def in_results():
    values = np.random.default_rng(1).normal(size=(6, 3, 4)).round(3)
    folds = nbc.Experiment.from_array(values, direction="minimize")
    runs = nbc.Experiment.from_array(values.reshape(6, 3, 1, 4), direction="minimize")
    made = [
        nbc.compare(DATA, adjust=["shaffer", "holm"]),
        nbc.compare_pair(DATA, "tree", "net"),
        nbc.contrast_estimation(DATA, n_resamples=20),
        nbc.rank_intervals(DATA),
        nbc.describe(folds),
        nbc.check_conditions(folds),
        nbc.recommend(DATA),
        nbc.compare_stochastic(runs, procedure="fuzzy", coverage=1),
        nbc.compare_cv(folds, dataset="1"),
        nbc.compare_bayesian(DATA, rope=0.1, n_samples=50, rng=1),
        nbc.aggregate_runs(runs, target=0, n_resamples=20),
        nbc.sensitivity(DATA),
    ]
    return [Sample({"r.json": each.to_json().encode()}, result, "r.json") for each in made]


def report(*shown):
    import nbformat.v4 as notebook

    text = "# Report\n\nSome *text* with `code`, $x_1^2$.\n\n## Part"
    cells = [notebook.new_markdown_cell(text)]
    for each in shown:
        output = notebook.new_output("display_data", each._repr_mimebundle_())
        cells.append(notebook.new_code_cell("show()", outputs=[output]))
    return notebook.new_notebook(cells=cells)


def in_page():
    from nbcompare.report.exporters import ReportHTMLExporter

    ranks = nbc.compare(DATA)
    made = []
    for shown in ((DATA, ranks, ranks.section("ranks")), (nbc.compare_pair(DATA, "tree", "net"),)):
        text = ReportHTMLExporter().from_notebook_node(report(*shown))[0]
        # the parts that are read, without styles and scripts that take most of the bytes
        text = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)
        made.append(text.encode())
    return [Sample({"page.html": each}, page, "page.html") for each in made]


def in_notebook():
    import nbformat

    text = nbformat.writes(report(DATA, nbc.compare(DATA)))
    return [Sample({"page.ipynb": text.encode()}, page, "page.ipynb")]


def in_pdf():
    from pypdf import PdfWriter

    from nbcompare.report.page.embedded import ATTACHMENT

    result_of = nbc.compare(DATA)
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    digest = f"sha256:{'0' * 64}"
    writer.add_attachment(ATTACHMENT, as_json({digest: json.loads(result_of.to_json())}))
    return [Sample({"page.pdf": saved(writer.write)}, page, "page.pdf")]


WEEKLY = 2_000  # damaged files of each format
KINDS = {
    "csv": in_csv,
    "large csv": in_large_csv,
    "tsv": in_tsv,
    "gzip": in_gzip,
    "zstandard": in_zstandard,
    "excel": in_excel,
    "parquet": in_parquet,
    "json": in_json,
    "json lines": in_lines,
    "arff": in_arff,
    "keel": in_keel,
    "npy": in_npy,
    "npz": in_npz,
    "latex": in_latex,
    "markdown": in_markdown,
    "html": in_html,
    "lm-eval": in_lm_eval,
    "mteb": in_mteb,
    "hyperfine": in_hyperfine,
    "pytest-benchmark": in_pytest,
    "coco": in_coco,
    "ioh": in_ioh,
    "tables of logs": in_log_tables,
    "project": in_project,
    "results": in_results,
    "page": in_page,
    "notebook": in_notebook,
    "pdf": in_pdf,
}


@cache
def samples(kind: str) -> Sequence[Sample]:
    return KINDS[kind]()


# ------------------------------------------------------------------------------- outcome

PYTHON = re.compile(
    r"invalid literal|could not convert|unsupported operand|object is not|has no attribute"
    r"|positional argument|keyword argument|index out of range|values to unpack|unhashable"
    r"|Traceback|<class |NoneType|Error\(|Errno|codec can't|is out of bounds for axis|broadcast"
    r"|indices must"
    r"|not supported between|must be real number|0x[0-9a-f]{6}|[Pp]olars|pyarrow|ComputeError"
    r"|dtype\(|__\w+__|<built-in|argument of type|cannot be interpreted|Expecting |Extra data"
    r"|Invalid control|Unterminated string|Invalid \\|inhomogeneous|truth value|stack traceback"
    r"|object cannot|expected str|bytes-like|math domain|divide by zero|\bNaN to int"
)
OURS = str(Path(nbc.__file__).parent)


def unquoted(text: str) -> str:
    """The text without words of the file, which may be anything, and stand in quotation marks."""
    return re.sub(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""", "''", text)


def fault(error: BaseException) -> str:
    """What is wrong with an error, nothing if it is one of the package's own."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames or not frames[-1].filename.startswith(OURS):
        return "raised elsewhere"
    if not isinstance(error, ValueError | TypeError | OSError | MemoryError):
        return "of a foreign class"
    told = str(error)
    if found := PYTHON.search(unquoted(told)):
        return f"speaks Python: {found[0]}"
    lines = told.split("\n")  # of which some may be rows of a table of columns
    prose = [line for line in lines if not line.startswith("  ")]
    if sum(map(len, prose)) > LONGEST or max(map(len, lines)) > LONGEST or len(lines) > 50:
        return f"of {len(told)} characters"
    if not told.replace("\n", " ").isprintable():
        return "not printable"
    # the last lines may be a table of columns
    if len(told) < 12 or (told[-1] not in ".?!)" and "\n  '" not in told):
        return "no sentence"
    return ""


def tried(kind: str, number: int, folder: Path) -> tuple[str, str]:
    """Read a damaged file; return what is wrong with the outcome, and the message if any."""
    random = Random(f"{kind} {number}")
    there = samples(kind)
    sample = there[number % len(there)]
    chosen = random.choice(sorted(sample.files))
    content = damaged_file(chosen, sample.files[chosen], random)
    for name, whole in sample.files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if name == chosen else whole)
    start, wrong, told = time.process_time(), "", ""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            sample.read(folder / sample.target if sample.target else folder)
        except Exception as error:
            told, wrong = str(error), fault(error)
            if wrong:
                last = traceback.extract_tb(error.__traceback__)[-1]
                place = f"{Path(last.filename).name}:{last.lineno}"
                wrong = f"{wrong} ({type(error).__name__}, {place})"
    took = time.process_time() - start
    if took > SLOWEST:
        wrong = wrong or f"took {took:.0f} s"
    if warned:
        wrong = wrong or f"warning: {warned[0].category.__name__}"
        told = told or f"{warned[0].message} {warned[0].filename}:{warned[0].lineno}"
    return wrong, told


def main(kind: str, first: int, end: int) -> None:
    """Try some damaged files, and print what is wrong; the last line has the counts."""
    import faulthandler

    refused = 0
    with tempfile.TemporaryDirectory() as name:
        for number in range(first, end):
            faulthandler.dump_traceback_later(120, exit=True)
            sys.stdout.write(f"{number}\n")  # known where the process ends
            wrong, told = tried(kind, number, Path(name))
            refused += bool(told)
            if wrong:
                sys.stdout.write(json.dumps([number, wrong, told[:1500]]) + "\n")
            if number % 50 == 0:
                sys.stdout.flush()
    faulthandler.cancel_dump_traceback_later()
    sys.stdout.write(json.dumps({"tried": end - first, "refused": refused}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
