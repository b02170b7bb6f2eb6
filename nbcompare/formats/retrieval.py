"""Scores of topics, as trec_eval and ir_measures print them and pytrec_eval returns them.

Rankings of documents and judgements of relevance look alike, but hold no scores: they are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nbcompare._tables import parsed_json
from nbcompare._validation import DataError, shown
from nbcompare.formats.given import Given, Imported, item, left_out

SUFFIXES = (
    *(".txt", ".tsv", ".csv", ".tab", ".json"),
    *(".eval", ".res", ".out", ".run", ".trec", ".qrels"),
)
_TREC_EVAL = (
    r"(?:map|gm|bpref|P|recall|relative|recip_rank|iprec_at_recall|11pt_avg|ndcg|Rprec|Rndcg|infAP"
    r"|success|set|utility|G|binG|num|runid|relstring)(?:_[^\s\"]*)?"
)
_IR_MEASURES = (
    r"(?:alpha_|α_?)?(?:AP|BPM|Bpref|Compat|ERR|IPrec|infAP|INSQ|INST|Judged|nDCG|nERR|NERR|nNRBP"
    r"|NRBP|Num|P|R|RBP|Rprec|RR|SDCG|Set|STREC|Success)[\w-]*(?:\([^\s()]*\))?(?:@\d+)?"
)
_HEAD = 2**13  # characters that tell what a file holds
_GAP, _NUMBER, _END = r"[ \t]+", r"-?\d+(?:\.\d+)?", r"[ \t]*\r?\n"
_BY_MEASURE, _BY_TOPIC = rf"({_TREC_EVAL}){_GAP}(\S+){_GAP}", rf"(\S+)\t({_IR_MEASURES})\t"
_RETURNED = rf'\{{\s*"[^"]+"\s*:\s*\{{\s*"{_TREC_EVAL}"\s*:\s*{_NUMBER}'
_RANKING = rf"\S+{_GAP}Q0{_GAP}\S+{_GAP}\d+{_GAP}{_NUMBER}\S*{_GAP}\S+{_END}"
_JUDGEMENTS = rf"\S+{_GAP}Q?0{_GAP}\S+{_GAP}-?\d+{_END}"
_SCORES = rf"(?:{_BY_MEASURE}|{_BY_TOPIC}){_NUMBER}{_END}|runid{_GAP}all{_GAP}|{_RETURNED}"
SIGN = rf"\A\s*(?:{_SCORES}|{_RANKING}|{_JUDGEMENTS})"
_KINDS = {  # of files, and their first lines
    "": rf"\s*(?:{_SCORES})",
    "holds a ranking of documents, and no scores of topics": _RANKING,
    "holds judgements of relevance, and no scores of topics": _JUDGEMENTS,
    "holds no scores of topics": "",
}
_NO_SCORE = re.compile(r"(?:num_|Num|runid|relstring).*")  # but a count, or a label
_ALL = "all"  # stands for a topic beside means over topics
_LACKING = (
    "Some systems lack topics, as if they found nothing for them: trec_eval -c prints 0 there."
)
_HOW = (
    "For every system, let trec_eval -q QRELS RUN > SYSTEM.txt, or ir_measures -q, print the "
    "scores of each topic, and read the folder with these files."
)


def read(given: Given) -> Imported:
    """Return a row per topic and measure of each system; files are called after systems."""
    rows: list[dict[str, str | float]] = []
    refused: dict[str, str] = {}
    no_scores: dict[str, None] = {}
    for file in given.files("*"):
        label = given.label_of(file)
        if file != given.path and file.suffix.lower() not in SUFFIXES:
            refused[label] = "has another ending than files of scores"
            continue
        content = given.content(file)
        what = next(it for it, sign in _KINDS.items() if re.match(sign, content[:_HEAD]))
        if what:
            refused[label] = what
            continue
        for topic, measure, score in _scores(content, label):
            if _NO_SCORE.fullmatch(measure):
                no_scores[measure] = None
            elif topic != _ALL:
                system = label.removesuffix(file.suffix)
                rows.append({"topic": topic, "system": system, "measure": measure, "score": score})
    if not rows:
        label, what = next(iter(refused.items()), (given.name, "holds means over all topics alone"))
        raise DataError(f"{label} {what}. {_HOW}")
    reading = {"item": "topic", "algorithm": "system", "score": "score", "direction": "maximize"}
    notes = left_out(no_scores, "no scores") + left_out(refused, "no scores of topics")
    cells = {(row["system"], row["topic"]) for row in rows}
    systems, topics = map(set, zip(*cells, strict=True))
    if len(cells) < len(systems) * len(topics):
        notes += (("topics", _LACKING),)
    return Imported(given.from_rows(rows), reading, notes)


def _scores(content: str, where: str) -> Iterator[tuple[str, str, float | str]]:
    """Yield topics, measures and scores."""
    if content.lstrip().startswith("{"):
        found = parsed_json(content, where)
        for topic in found:
            for measure, score in item(found, topic, dict, where).items():
                yield topic, measure, score
        return
    for number, line in enumerate(content.split("\n"), start=1):
        printed = re.match(rf"(?:{_BY_MEASURE}|{_BY_TOPIC})(\S+)", line)
        if printed:
            by_measure, topic, other, measure, score = printed.groups()
            yield topic or other, by_measure or measure, score
        elif line.strip():
            raise DataError(
                f"{where}, line {number} must be a measure, a topic and a score, as trec_eval -q "
                f"prints them, or a topic, a measure and a score; got {shown(line.strip())}."
            )
