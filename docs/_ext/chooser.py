"""The page that leads from what one has to the right call, from the rules of ``recommend``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import ways
from bibliography import citation
from markup import capital, code, heading, plain, table
from situations import (
    AIMS,
    ALPHA,
    LOSSES,
    MOST,
    SCALES,
    SITUATIONS,
    Outcome,
    Row,
    Situation,
    Why,
    fewest_for_wilcoxon,
    fewest_of_strength,
)

import nbcompare as nbc
from nbcompare.analysis._design import filled, n_hypotheses
from nbcompare.words import (
    CHOICES,
    PAIRWISE_TESTS,
    PROCEDURES,
    QUESTIONS,
    RANKINGS,
    SCORES,
    TREATMENTS,
    Question,
    choices_in,
)

NAME = "NAME"  # the control, for the reader to choose
FAILED = "worst"  # the treatment of what is missing because an algorithm failed
# What a choice is called, by option
_LABELS: Mapping[str, Callable[[str], str]] = {
    "missing": code,
    "ranking": lambda word: plain(capital(RANKINGS[word].ranks)),
    "pairs": lambda word: plain(capital(PAIRWISE_TESTS[word].recommended)),
    "adjust": lambda word: plain(PROCEDURES[word].label),
}
_SIZES = (2, 3, 4, 5, 6, 8, 10, 14, 20, 30, 50)
# On one data set, and of repeated runs
_ON_ONE = ("one-data-set", "one-data-set-runs", "one-data-set-equivalence")
_ON_ITEMS = ("items",)
_ON_RUNS = ("runs", "typical-run")

# Where a part of the page is told at length, by an example
_HOW_TO = {
    "pairs": "bergmann-hommel",
    "control": "control",
    "missing": "missing",
    "repeated": "three-seeds",
    "logs": "convergence",
}

_OF_SCALES = {SCALES: "any", (True,): "on one scale", (False,): "on several scales"}


def page() -> str:
    """Return the questions with links from answer to answer, and what they end in."""
    return "\n\n".join(_parts())


def _parts() -> Iterator[str]:
    yield from _asked(
        "choose-data",
        "What do you have?",
        {
            "Scores of algorithms on data sets (or problems, or tasks)": "choose-datasets",
            "Scores on items of benchmarks, such as questions": "choose-items",
            "Such scores, and another question than which algorithms differ": "choose-other",
            "Logs of optimisers: the best value so far, by evaluations": "choose-logs",
            "Average ranks alone, such as those printed in a paper": "choose-ranks",
        },
    )
    yield from _asked(
        "choose-datasets",
        "On how many data sets?",
        {"Two or more": "choose-runs", "One": "choose-one"},
    )
    yield "How many are enough is a question by itself: [](howto/enough-data-sets.md)"
    yield from _asked(
        "choose-runs",
        "How many scores has an algorithm on a data set?",
        {
            "One, or only the mean of several runs is of interest": "choose-missing",
            "One for each fold of a cross-validation, whose mean is compared": "choose-missing",
            "One for each of several runs, and it matters how much they vary": "choose-repeated",
        },
    )
    yield from _missing()
    for situation in SITUATIONS:
        yield from _comparison(situation)
    yield from _group("choose-repeated", "Repeated runs", _ON_RUNS, _shown_in("repeated"))
    yield from _group("choose-one", "One data set", _ON_ONE)
    yield from _group("choose-items", "Items of benchmarks", _ON_ITEMS)
    yield from _group("choose-logs", "Logs of optimisers", _of("histories"), _shown_in("logs"))
    yield from _ranks()
    rest = [name for name in _of("experiment") if name not in (*_ON_ONE, *_ON_ITEMS, *_ON_RUNS)]
    yield from _group("choose-other", "Other questions of scores on several data sets", rest)


def _asked(label: str, question: str, answers: dict[str, str]) -> Iterator[str]:
    yield heading(label, question)
    yield "\n".join(f"- [{plain(answer)}](#{target})" for answer, target in answers.items())


def _missing() -> Iterator[str]:
    yield heading("choose-missing", "What is missing, and which algorithms are compared?")
    yield "A control is one algorithm with which all others are compared."
    rows = (
        [
            plain(loss.asks),
            *(f"[{it.aim.short}](#{it.label})" for it in SITUATIONS if it.loss == loss),
        ]
        for loss in LOSSES
    )
    yield table(["what is missing", "two algorithms", "three or more", "three or more"], rows)


def _shown_in(*parts: str) -> str:
    """Return a sentence with links to the how-to pages on these parts."""
    return f"Shown by an example: {', '.join(f'[](howto/{_HOW_TO[it]}.md)' for it in parts)}."


# ---------------------------------------------------------------- comparisons over data sets


def options_of(situation: Situation) -> dict[str, str]:
    """Return the options to type: what ``compare`` does not settle by itself."""
    (missing,) = {row.outcome.missing for row in situation.rows()}
    options = {"control": NAME} if situation.aim.control else {}
    return options if missing == "raise" else {**options, "missing": missing}


def _comparison(situation: Situation) -> Iterator[str]:
    options, rows = options_of(situation), situation.rows()
    title = f"{situation.aim.asks}: {situation.loss.short}"
    yield heading(situation.label, plain(title))
    yield ways.of_call("compare", settings=options, file=SCORES).table()
    if "missing" in options:
        yield _treated(options["missing"])
    parts = [situation.aim.name] if situation.aim.name in _HOW_TO else []
    if "missing" in options:
        parts.append("missing")
    if parts:
        yield _shown_in(*parts)
    yield ":::{dropdown} What is computed, and why"
    (ranking,) = {row.outcome.ranking for row in rows}
    taken = _method("", ranking, RANKINGS[ranking].ranks)
    yield f"By default, {{func}}`nbcompare.compare` takes {taken}, and then tests as follows:"
    yield table(["data sets", "algorithms", "test of pairs", "adjustment"], map(_cells, rows))
    yield from _reasons(situation)
    yield ":::"
    codes = _questions_of(situation)
    links = (f"- [{plain(QUESTIONS[name].asks)}](#question-{name})" for name in codes)
    yield ":::{dropdown} What else such data can answer"
    yield "\n".join(links)
    yield ":::"


def _treated(missing: str) -> str:
    """Return what is done about missing scores, and what else it may have to be."""
    treatment = TREATMENTS[missing]
    does = f"{_method('missing-', missing, code(missing))} {plain(treatment.effect)}"
    text = f"What is missing has to be treated, by its reason: {does}."
    if missing == FAILED:
        return f"{text} That is right if the algorithm failed there."
    failed = _method("missing-", FAILED, code(f'missing="{FAILED}"'))
    return f"{text} If the algorithm failed there, take {failed} instead, so that failures count."


def _reasons(situation: Situation) -> Iterator[str]:
    """Yield the reasons for each choice, below its name."""
    of_choices: dict[tuple[str, str], list[Why]] = {}
    for why in situation.reasons():
        of_choices.setdefault((why.option, why.rule.value), []).append(why)
    order = tuple(Outcome._fields)
    for (option, value), found in sorted(of_choices.items(), key=lambda it: order.index(it[0][0])):
        yield f"**{_LABELS[option](value)}**"
        for _, rule, facts in found:
            scale = "on one scale" if facts.one_scale else "on several scales"
            size = f"{facts.k} algorithms, {facts.n} data sets {scale}"
            yield f"- *{size}:* {plain(filled(rule.text, facts))} ({citation(rule.source)})"


def _method(prefix: str, name: str, text: str) -> str:
    """Return a link to the page on a method of statistics."""
    return f"[{text}](#stat-{prefix}{name})"


def _questions_of(situation: Situation) -> list[str]:
    """Return the questions that data of a kind can answer, by ``recommend``."""
    k = max(situation.aim.fewest, min(5, situation.aim.most))
    data = situation.data(k, 12, one_scale=True)
    return [it.code for it in nbc.recommend(data, control=situation.aim.control).questions]


def _cells(row: Row) -> list[str]:
    outcome: Outcome = row.outcome
    return [
        _OF_SCALES[row.scales],
        _range(row),
        _method("", outcome.pairs, plain(PAIRWISE_TESTS[outcome.pairs].recommended)),
        _method("", outcome.adjust, plain(PROCEDURES[outcome.adjust].label)),
    ]


def _range(row: Row) -> str:
    if row.fewest == row.most:
        return str(row.fewest)
    return f"{row.fewest} or more" if row.most == MOST else f"{row.fewest} to {row.most}"


def enough() -> str:
    """Return how many data sets are enough, for the page about that question."""
    about = (
        f"At α = {ALPHA:g}, and adjusted for the number of hypotheses, Wilcoxon's test and the "
        "exchange test can reject from the numbers in the first two columns on. From those in the "
        "others on the design is called adequate (so many, and two for each algorithm, by the rule "
        "of thumb for rank tests) and strong (four for each, and at least 11)."
    )
    head = ["algorithms", "all pairs", "with a control", "adequate", "strong"]
    return f"{about}\n\n{table(head, ([str(k), *map(str, _fewest(k))] for k in _SIZES))}"


def _fewest(k: int) -> Iterator[int]:
    for aim in AIMS[1:]:
        yield fewest_for_wilcoxon(n_hypotheses(k, aim.control))
    for strength in ("adequate", "strong"):
        yield fewest_of_strength(k, strength)


# ----------------------------------------------------------------------------- questions


def _of(data: str) -> list[str]:
    return [name for name, question in QUESTIONS.items() if question.of == data]


def _group(label: str, title: str, names: Sequence[str], about: str = "") -> Iterator[str]:
    yield heading(label, title)
    if about:
        yield about
    for name in names:
        yield from _question(QUESTIONS[name])


def _question(question: Question) -> Iterator[str]:
    yield heading(f"question-{question.name}", plain(question.asks), level=3)
    about = f"It needs {question.applies}. {question.text}"
    yield f"{plain(about)} ({citation(question.source)})"
    builder = ways.builder_of(question.call)
    yield ways.Ways(question.call, question.magic, question.command, builder).table()
    words = choices_in([question.call, question.command, question.magic])
    if words:
        yield " ".join(f"{code(word)}: {plain(CHOICES[word])}." for word in words)


def _ranks() -> Iterator[str]:
    yield heading("choose-ranks", "Average ranks alone")
    yield (
        "Average ranks from a paper allow tests by average ranks and the normal law; "
        "{func}`nbcompare.compare_ranks` says what that needs."
    )
    call = 'nbc.compare_ranks({"C4.5": 3.143, "C4.5+m": 2.0}, n_datasets=14)'
    yield ways.Ways(call, command="nbcompare compare-ranks --help").table()
