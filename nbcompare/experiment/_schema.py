"""Roles of columns, the names by which people call them, and the schema of a table.

A name only proposes a role; what a column holds decides whether it can play it. Tables of scores
and logs of runs share these names. A schema says what each column is, what was left out, and why.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple, Self

from nbcompare._render import Column, Part, Prose, Rich, Table, plural
from nbcompare._validation import listed, shown

_CALLED = {
    "dataset": (
        "dataset data datasetname dataname problem problemname task taskname taskid instance "
        "instancename instanceid benchmark function functionname func game gamename environment "
        "environmentid environmentname env envid envname"
    ),
    "algorithm": (
        "algorithm algorithmname algo classifier classifiername method methodname model modelname "
        "modelid modelnameorpath fullname flow flowname flowid "
        "framework frameworkname learner estimator optimizer optimizername optimiser solver "
        "solvername agent agentname approach regressor pipeline system learnerid policy sampler "
        "workflow wflowid clf variant technique strategy heuristic team submission"
    ),
    "fold": "fold folds foldid foldnumber foldnr cvfold outerfold testfold split splitid cv",
    "run": (
        "run runs runid runnumber seed seeds randomseed randomstate repeat repeats repetition "
        "repetitions rep replicate replication replica trial executionid"
    ),
    "item": (
        "item itemid question questionid qid example exampleid doc docid document documentid query "
        "queryid prompt promptid topic topicid sampleid"
    ),
    "measure": "measure measures metric metrics metricname indicator scorer scoring",
    "score": "score",
    "lower": "lower",
    "upper": "upper",
    "domain": "domain",
    "higher_is_better": "higherisbetter",
    "evaluations": (
        "evaluations evaluation evals eval neval nevals nevaluations functionevaluations fe fes "
        "nfe nfes nfev numevals numberofevaluations maxfes feval fevals"
    ),
    # what counts otherwise, where nothing counts evaluations
    "step": (
        "iteration iterations iter iters generation generations gen ngen step steps timestep "
        "timesteps totaltimesteps timetotaltimesteps timestepstotal totalsteps globalstep "
        "numtimesteps envsteps totalenvinteracts epoch epochs episode episodes budget"
    ),
    "value": (
        "value best bestsofar bestvalue bestfitness fbest bestf fitness fval objective "
        "objectivevalue episodereward episodereturn episoderewardmean meanreward meanreturn "
        "rolloutepreward rollouteprewmean eprewmean averageepret averagereturn evalmeanreward "
        "evalreward evalreturn reward return cost loss error valloss validationloss valerror "
        "acc accuracy valacc valaccuracy validationaccuracy"
    ),
    "optimum": "optimum fopt fstar knownoptimum optimalvalue",
    # what algorithms are measured by
    "reference": "bks bestknown bestknownsolution bestknownvalue opt optimal ideal lb ub "
    "lowerbound upperbound bound",
    "dimension": "dimension dimensions dim ndim",
}
NAMES = {role: frozenset(words.split()) for role, words in _CALLED.items()}
NAMES["problem"] = NAMES["dataset"]  # as logs of runs have it
NAMES["evaluations"] |= NAMES["step"]
# What cells say of scores, in words of which none can mean anything else
HIGHER = ("higher", "higher is better", "max", "maximise", "maximize")
LOWER = ("lower", "lower is better", "min", "minimise", "minimize")
NOUNS = {
    "dataset": "data sets",
    "algorithm": "algorithms",
    "fold": "folds",
    "run": "runs",
    "item": "items",
    "cluster": "clusters",
    "measure": "measures",
    "problem": "problems",
    "evaluations": "evaluations",
    "value": "values",
}
REPETITIONS = ("fold", "run")
# What names the rows where each is another one of these: items stand where folds do
ROLE_OF_UNIT = {"folds": "fold", "items": "fold", "runs": "run"}


@lru_cache(maxsize=1024)  # every role asks for the names of all columns
def bare(name: str) -> str:
    """Return a name without case, spaces and marks.

    Examples
    --------
    >>> bare("Classifier_Name"), bare("data set")
    ('classifiername', 'dataset')
    """
    return re.sub(r"[\W_]+", "", name.casefold())


def called(role: str, names: Iterable[str]) -> list[str]:
    """Return the names that are those of a role; one that is just the role's excludes others.

    Examples
    --------
    >>> called("run", ["Seed", "score"]), called("algorithm", ["Algorithm", "method"])
    (['Seed'], ['Algorithm'])
    """
    known = NAMES[role]
    found = [name for name in names if bare(name) in known]
    if len(found) < 2:
        return found
    exact = [name for name in found if bare(name) == bare(role)]
    return exact if len(exact) == 1 else found


_MOST_COLUMNS = 40  # that an error spells out
_WIDEST = 28


class ColumnUse(NamedTuple):
    """What one column is.

    Attributes
    ----------
    name : str
        Its name.
    examples : tuple of str
        The first cells that differ.
    use : str
        What it is taken for, or why it is left out.
    is_settled : bool
        Whether the user need not say more about it.
    """

    name: str
    examples: tuple[str, ...]
    use: str
    is_settled: bool = True


@dataclass(frozen=True, kw_only=True)
class Schema(Rich):
    """How a table was understood; ``print`` shows it.

    Attributes
    ----------
    source : str
        The file, or "frame".
    layout : {"long", "wide", "COCO", "IOHprofiler"}
        A row per score, or columns of scores; of a folder of logs, what wrote it.
    roles : mapping of str to tuple of str
        The columns that name data sets (or problems), algorithms, folds and runs, and those with
        something else to say, by role.
    parts : mapping of str to tuple of str
        What the names of the columns of scores say, by role, in the order of ``scores``.
    scores : tuple of str
        The columns of scores, or of the values of logs.
    columns : tuple of ColumnUse
        What each column is.
    where : mapping of str to tuple of str
        The only labels that were read, by column.
    n_rows, n_kept : int
        Rows of the table, and those that were read.
    sizes : mapping of str to int
        How many data sets (or problems), algorithms, folds and runs there are.
    left_out : tuple of str
        Why rows are left out, or scores replaced.
    """

    source: str
    layout: str
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scores: tuple[str, ...] = ()
    columns: tuple[ColumnUse, ...] = ()
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    n_rows: int = 0
    n_kept: int = 0
    sizes: Mapping[str, int] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    @property
    def is_of_logs(self) -> bool:
        """Whether it is that of logs of runs, not of a table of scores."""
        return "problem" in self.sizes

    @property
    def sentence(self) -> str:
        """How the table was understood, in one line."""
        told = []
        is_wide = self.layout == "wide" and not self.is_of_logs
        of_items = "item" in self.sizes
        for role, count in self.sizes.items():
            if role == "dataset" and count == 1 and not {role} & {*self.roles, *self.parts}:
                continue  # which nothing names
            is_of = "benchmark" if of_items and role == "dataset" else NOUNS[role][:-1]
            noun = plural(count, is_of)
            if role == "item" and self.sizes["dataset"] > 1:
                noun = f"up to {noun}"  # of each
            if role in self.parts:
                told.append(f"{noun} in columns")
            elif is_wide and role in ("dataset", "algorithm", "item"):
                told.append(f"{noun} in rows")
            else:
                told.append(f"{noun}{_by(self.roles.get(role, ()))}")
        if not self.scores:
            beside = f"logs of {self.layout}"
        elif self.layout == "long":
            what = "values" if self.is_of_logs else "scores"
            beside = f"{what} in column {self.scores[0]!r}"
            if len(self.scores) > 1:
                beside = f"scores from {self.scores[0]!r} to {self.scores[1]!r}"
        else:
            beside = f"columns {listed(self.scores, most=5)}"
        if "evaluations" in self.roles:
            beside += f" over {self.roles['evaluations'][0]!r}"
        rows = f"; {self.n_kept:,} of {self.n_rows:,} rows" if self.n_kept < self.n_rows else ""
        # a name of a file may hold bytes that are no text
        source = self.source.encode("utf-8", "backslashreplace").decode()
        between = ": "
        if told[-1:] and told[-1].endswith(" in columns") and beside.startswith("columns "):
            between, beside = " ", beside.removeprefix("columns ")
        return f"{source}: {', '.join(told)}{between}{beside}{rows}."

    @property
    def sentences(self) -> tuple[str, ...]:
        """How the table was understood, and what was left out of it."""
        only = (
            f"Only rows with {name} {' or '.join(labels)}." for name, labels in self.where.items()
        )
        return (self.sentence, *only, *self.left_out)

    def selected(self, sizes: Mapping[str, int]) -> Self:
        """Return the schema of a part of the table, with fewer data sets or algorithms."""
        parts = [
            f"{n:,} of {plural(self.sizes[role], NOUNS[role][:-1])}"
            for role, n in sizes.items()
            if n < self.sizes.get(role, n)
        ]
        told = (f"{' and '.join(parts)} were selected.",) if parts else ()
        return replace(self, sizes={**self.sizes, **sizes}, left_out=(*self.left_out, *told))

    def _parts(self) -> Sequence[Part]:
        table = Table(
            (Column("column"), Column("examples"), Column("what it is")),
            tuple((_name(use), ", ".join(use.examples), use.use) for use in self.columns),
            caption="Columns",
        )
        return (Prose(self.sentences), table) if self.columns else (Prose(self.sentences),)

    def to_json(self) -> str:
        """Return the schema as JSON; :meth:`from_json` reads it back."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the schema that :meth:`to_json` wrote."""
        found: dict[str, Any] = json.loads(text)
        for name in ("roles", "parts", "where"):
            found[name] = {role: tuple(names) for role, names in found[name].items()}
        found["columns"] = tuple(
            ColumnUse(name, tuple(examples), use, settled)
            for name, examples, use, settled in found["columns"]
        )
        return cls(**found | {name: tuple(found[name]) for name in ("scores", "left_out")})


def _by(names: Sequence[str]) -> str:
    return f" by {listed(names)}" if names else ""


def _name(use: ColumnUse) -> str:
    return use.name or "(without a name)"


def listing(uses: Sequence[ColumnUse]) -> str:
    """Return the columns as lines of an error: name, examples, and what each seems to be."""
    rows = [
        (shown(use.name), ", ".join(use.examples), use.use)
        for use in sorted(uses, key=lambda use: use.is_settled)[:_MOST_COLUMNS]
    ]
    widths = [min(_WIDEST, max(len(row[i]) for row in rows)) for i in range(2)]
    lines = [f"  {name:{widths[0]}}  {examples:{widths[1]}}  {use}" for name, examples, use in rows]
    more = len(uses) - len(rows)
    return "\n".join(["", *lines, *([f"  and {more} more"] if more else []), ""])
