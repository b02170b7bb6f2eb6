"""Roles of columns, and the names by which people call the columns that play them.

A name only proposes a role; what a column holds decides whether it can play it. Tables of scores
and logs of runs share these names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_CALLED = {
    "dataset": (
        "dataset data datasetname dataname problem problemname task taskname instance instancename "
        "instanceid benchmark function functionname game gamename environment env"
    ),
    "algorithm": (
        "algorithm algorithmname algo classifier classifiername method methodname model modelname "
        "framework frameworkname learner estimator optimizer optimiser solver agent approach "
        "regressor pipeline system"
    ),
    "fold": "fold folds foldid foldnumber foldnr cvfold outerfold testfold split splitid cv",
    "run": (
        "run runs runid runnumber seed seeds randomseed randomstate repeat repeats repetition "
        "repetitions rep replicate replication replica trial executionid"
    ),
    "item": (
        "item itemid question questionid qid example exampleid doc docid document documentid query "
        "queryid prompt promptid"
    ),
    "measure": "measure measures metric metrics metricname indicator scorer scoring",
    "score": "score",
    "lower": "lower",
    "upper": "upper",
    "domain": "domain",
    "higher_is_better": "higherisbetter",
    "evaluations": (
        "evaluations evaluation evals eval nevals nevaluations functionevaluations fe fes nfe nfes "
        "nfev numevals numberofevaluations maxfes feval fevals"
    ),
    # what counts otherwise, where nothing counts evaluations
    "step": (
        "iteration iterations iter iters generation generations gen step steps timestep "
        "timesteps totaltimesteps totalsteps globalstep numtimesteps envsteps epoch epochs episode "
        "episodes"
    ),
    "value": (
        "value best bestsofar bestvalue bestfitness fbest bestf fitness fval objective "
        "objectivevalue episodereward episodereturn episoderewardmean meanreward meanreturn "
        "rolloutepreward rollouteprewmean eprewmean averagereturn evalreward evalreturn reward "
        "return cost loss error valloss validationloss valerror valacc valaccuracy "
        "validationaccuracy"
    ),
    "optimum": "optimum fopt fstar knownoptimum optimalvalue",
    "dimension": "dimension dimensions dim ndim",
}
NAMES = {role: frozenset(words.split()) for role, words in _CALLED.items()}
NAMES["problem"] = NAMES["dataset"]  # as logs of runs have it
NAMES["evaluations"] |= NAMES["step"]
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
    found = [name for name in names if bare(name) in NAMES[role]]
    exact = [name for name in found if bare(name) == bare(role)]
    return exact if len(exact) == 1 else found
