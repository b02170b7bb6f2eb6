"""Bayesian tests of two algorithms, which give probabilities of differences and of equivalence."""

from __future__ import annotations

from dataclasses import dataclass

from nbcompare.words._word import by_name


@dataclass(frozen=True, slots=True, kw_only=True)
class BayesianTest:
    """A Bayesian test of two algorithms.

    Attributes
    ----------
    name : str
        The word for the option ``test``.
    label : str
        Name in a sentence.
    on_folds : bool
        Whether it compares on the folds of one data set rather than on data sets.
    is_sampled : bool
        Whether its probabilities are shares of random draws; else they are exact.
    method : str
        Description in the table of the method.
    false_claims : str
        Measured probabilities that one of two algorithms that perform equally is claimed to be
        better, by the number of data sets: normal differences, no region of equivalence, a
        threshold of 0.95. Empty on folds.
    cites : tuple of str
        Keys of the literature.
    explanation : str
        Description with formulas in a report, in Markdown.
    """

    name: str
    label: str
    on_folds: bool
    is_sampled: bool
    method: str
    false_claims: str = ""
    cites: tuple[str, ...]
    explanation: str


_REGIONS = r"""The *region of practical equivalence* holds the differences of at most $r$ either
way, which do not matter in practice. The difference $z_i$ of two algorithms on data set $i$ is
positive where the first is better."""
_LARGEST = """The probability that the first algorithm is better, that the two are practically
equivalent, or that the second is better is the posterior probability that its share is the
largest of the three."""
# What a reader may miss
HIERARCHICAL = """There is also a hierarchical model, which uses the folds of several data sets at
once. It needs Markov chain Monte Carlo and is not part of nbcompare; the Python package baycomp
fits it."""

BAYESIAN_TESTS = by_name(
    BayesianTest(
        name="signed-rank",
        label="Bayesian signed-rank test",
        on_folds=False,
        is_sampled=True,
        method="Bayesian signed-rank test, with a Dirichlet process as prior: one "
        "pseudo-observation of no difference, with weight 1/2",
        false_claims="0.49 for 2, 0.25 for 3, 0.18 for 5, 0.13 for 10 and 0.11 for 30",
        cites=("benavoli2014", "benavoli2017"),
        explanation=rf"""{_REGIONS} With a pseudo-observation $z_0 = 0$ as prior, the $n$ data sets
have random weights $(w_0, \dots, w_n) \sim \mathrm{{Dirichlet}}(1/2, 1, \dots, 1)$. The shares of
the three regions are

$$\theta_1 = \sum_{{i,j: z_i + z_j > 2r}} w_i w_j, \qquad
\theta_2 = \sum_{{i,j: z_i + z_j < -2r}} w_i w_j, \qquad
\theta_0 = 1 - \theta_1 - \theta_2.$$

{_LARGEST} It is computed from random draws of the weights. For $r = 0$, sums of 0 count half on
either side.""",
    ),
    BayesianTest(
        name="sign",
        label="Bayesian sign test",
        on_folds=False,
        is_sampled=False,
        method="Bayesian sign test, with a Dirichlet prior of weight 1 on equivalence; exact",
        false_claims="0.25 for 3, 0.22 for 6, 0.17 for 9, 0.11 for 10 and 0.10 for 30",
        cites=("benavoli2017",),
        explanation=rf"""{_REGIONS} On $n_1$ of the data sets $z_i > r$, on $n_2$ of them
$z_i < -r$, and on $n_0$ neither. With a prior of weight 1 on equivalence, the shares of the three
regions have the distribution

$$(\theta_1, \theta_0, \theta_2) \sim \mathrm{{Dirichlet}}(n_1,\ n_0 + 1,\ n_2).$$

{_LARGEST} It is computed exactly. For $r = 0$, ties and the prior count half on either side.""",
    ),
    BayesianTest(
        name="correlated-t",
        label="Bayesian correlated t test",
        on_folds=True,
        is_sampled=False,
        method="Bayesian correlated t test; exact",
        cites=("benavoli2017", "corani2015"),
        explanation=r"""The *region of practical equivalence* holds the differences of at most $r$
either way, which do not matter in practice. With the mean $\bar d$ and the standard deviation $s$
of the $n$ differences on the test sets, and the sizes $n_2$ of a test set and $n_1$ of a training
set, the expected difference $\mu$ has the posterior distribution

$$\mu \sim t_{n-1}\left(\bar d,\ \left(\frac1n + \frac{n_2}{n_1}\right) s^2\right),$$

Student's t distribution with $n - 1$ degrees of freedom around $\bar d$. The first algorithm is
better with probability $P(\mu > r)$, the second with $P(\mu < -r)$, and the two are practically
equivalent with the rest. The term $n_2/n_1$ takes account of training sets that overlap.""",
    ),
)
