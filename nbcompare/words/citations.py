"""The literature that results and reports cite."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

CITATIONS = MappingProxyType(
    {
        "alpaydin1999": "Alpaydin, E. (1999). Combined 5 × 2 cv F test for comparing supervised "
        "classification learning algorithms. Neural Computation 11, 1885–1892.",
        "benavoli2016": "Benavoli, A., Corani, G. and Mangili, F. (2016). Should we really use "
        "post-hoc tests based on mean-ranks? Journal of Machine Learning Research 17 (5), 1–10.",
        "benjamini1995": "Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery "
        "rate: a practical and powerful approach to multiple testing. Journal of the Royal "
        "Statistical Society B 57, 289–300.",
        "benjamini2001": "Benjamini, Y. and Yekutieli, D. (2001). The control of the false "
        "discovery rate in multiple testing under dependency. Annals of Statistics 29, 1165–1188.",
        "bergmann1988": "Bergmann, B. and Hommel, G. (1988). Improvements of general multiple "
        "test procedures for redundant systems of hypotheses. In Multiple Hypotheses Testing, "
        "100–115. Springer.",
        "bouckaert2004": "Bouckaert, R. R. and Frank, E. (2004). Evaluating the replicability of "
        "significance tests for comparing learning algorithms. In Advances in Knowledge Discovery "
        "and Data Mining (PAKDD 2004), 3–12. Springer.",
        "brown1974": "Brown, M. B. and Forsythe, A. B. (1974). Robust tests for the equality of "
        "variances. Journal of the American Statistical Association 69, 364–367.",
        "cohen1988": "Cohen, J. (1988). Statistical Power Analysis for the Behavioral Sciences, "
        "2nd ed., section 2.3. Erlbaum.",
        "conover1999": "Conover, W. J. (1999). Practical Nonparametric Statistics, 3rd ed., "
        "section 5.8. Wiley.",
        "couso2008": "Couso, I. and Sánchez, L. (2008). Defuzzification of fuzzy p-values. In Soft "
        "Methods for Handling Variability and Imprecision, Advances in Soft Computing, 126–132. "
        "Springer.",
        "couso2011": "Couso, I. and Sánchez, L. (2011). Mark-recapture techniques in statistical "
        "tests for imprecise data. International Journal of Approximate Reasoning 52, 240–260.",
        "dagostino1973": "D'Agostino, R. and Pearson, E. S. (1973). Tests for departure from "
        "normality. Biometrika 60, 613–622.",
        "dallal1986": "Dallal, G. E. and Wilkinson, L. (1986). An analytic approximation to the "
        "distribution of Lilliefors's test statistic for normality. The American Statistician "
        "40, 294–296.",
        "demsar2006": "Demšar, J. (2006). Statistical comparisons of classifiers over multiple "
        "data sets. Journal of Machine Learning Research 7, 1–30.",
        "derrac2011": "Derrac, J., García, S., Molina, D. and Herrera, F. (2011). A practical "
        "tutorial on the use of nonparametric statistical tests as a methodology for comparing "
        "evolutionary and swarm intelligence algorithms. Swarm and Evolutionary Computation 1, "
        "3–18.",
        "derrac2014": "Derrac, J., García, S., Hui, S., Suganthan, P. N. and Herrera, F. (2014). "
        "Analyzing convergence performance of evolutionary algorithms: a statistical approach. "
        "Information Sciences 289, 41–58.",
        "dietterich1998": "Dietterich, T. G. (1998). Approximate statistical tests for comparing "
        "supervised classification learning algorithms. Neural Computation 10, 1895–1923.",
        "dixon1946": "Dixon, W. J. and Mood, A. M. (1946). The statistical sign test. Journal of "
        "the American Statistical Association 41, 557–566.",
        "doksum1967": "Doksum, K. (1967). Robust procedures for some linear models with one "
        "observation per cell. Annals of Mathematical Statistics 38, 878–883.",
        "dunn1961": "Dunn, O. J. (1961). Multiple comparisons among means. Journal of the "
        "American Statistical Association 56, 52–64.",
        "efron1993": "Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap. "
        "Chapman and Hall.",
        "finner1993": "Finner, H. (1993). On a monotonicity problem in step-down multiple test "
        "procedures. Journal of the American Statistical Association 88, 920–923.",
        "friedman1937": "Friedman, M. (1937). The use of ranks to avoid the assumption of "
        "normality implicit in the analysis of variance. Journal of the American Statistical "
        "Association 32, 675–701.",
        "garcia2008": "García, S. and Herrera, F. (2008). An extension on “Statistical comparisons "
        "of classifiers over multiple data sets” for all pairwise comparisons. Journal of Machine "
        "Learning Research 9, 2677–2694.",
        "garcia2010": "García, S., Fernández, A., Luengo, J. and Herrera, F. (2010). Advanced "
        "nonparametric tests for multiple comparisons in the design of experiments in "
        "computational intelligence and data mining: experimental analysis of power. "
        "Information Sciences 180, 2044–2064.",
        "gijsbers2024": "Gijsbers, P., Bueno, M. L. P., Coors, S., LeDell, E., Poirier, S., "
        "Thomas, J., Bischl, B. and Vanschoren, J. (2024). AMLB: an AutoML benchmark. Journal of "
        "Machine Learning Research 25 (101), 1–65.",
        "greenhouse1959": "Greenhouse, S. W. and Geisser, S. (1959). On methods in the analysis of "
        "profile data. Psychometrika 24, 95–112.",
        "hochberg1988": "Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests "
        "of significance. Biometrika 75, 800–802.",
        "hodges1962": "Hodges, J. L. and Lehmann, E. L. (1962). Rank methods for combination of "
        "independent experiments in analysis of variance. Annals of Mathematical Statistics 33, "
        "482–497.",
        "hodges1963": "Hodges, J. L. and Lehmann, E. L. (1963). Estimates of location based on "
        "rank tests. Annals of Mathematical Statistics 34, 598–611.",
        "holland1987": "Holland, B. S. and Copenhaver, M. D. (1987). An improved sequentially "
        "rejective Bonferroni test procedure. Biometrics 43, 417–423.",
        "holm1979": "Holm, S. (1979). A simple sequentially rejective multiple test procedure. "
        "Scandinavian Journal of Statistics 6, 65–70.",
        "hommel1988": "Hommel, G. (1988). A stagewise rejective multiple test procedure based on "
        "a modified Bonferroni test. Biometrika 75, 383–386.",
        "iman1980": "Iman, R. L. and Davenport, J. M. (1980). Approximations of the critical "
        "region of the Friedman statistic. Communications in Statistics 9, 571–595.",
        "kerby2014": "Kerby, D. S. (2014). The simple difference formula: an approach to teaching "
        "nonparametric correlation. Comprehensive Psychology 3, 11.IT.3.1.",
        "levene1960": "Levene, H. (1960). Robust tests for equality of variances. In "
        "Contributions to Probability and Statistics, 278–292. Stanford University Press.",
        "li2008": "Li, J. (2008). A two-step rejection procedure for testing multiple hypotheses. "
        "Journal of Statistical Planning and Inference 138, 1521–1527.",
        "lilliefors1967": "Lilliefors, H. W. (1967). On the Kolmogorov–Smirnov test for "
        "normality with mean and variance unknown. Journal of the American Statistical "
        "Association 62, 399–402.",
        "mann1947": "Mann, H. B. and Whitney, D. R. (1947). On a test of whether one of two random "
        "variables is stochastically larger than the other. Annals of Mathematical Statistics "
        "18, 50–60.",
        "nadeau2003": "Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. "
        "Machine Learning 52, 239–281.",
        "nemenyi1963": "Nemenyi, P. B. (1963). Distribution-free Multiple Comparisons. PhD thesis, "
        "Princeton University.",
        "otero2010": "Otero, J., Sánchez, L. and Couso, I. (2010). Comparación estadística de "
        "algoritmos de aprendizaje estocásticos usando tests extendidos a datos "
        "intervalo-valorados y borrosos.",
        "otero2013": "Otero, J., Sánchez, L., Couso, I. and Palacios, A. (2013). Bootstrap "
        "analysis of multiple repetitions of experiments using an interval-valued multiple "
        "comparison procedure. Journal of Computer and System Sciences.",
        "page1963": "Page, E. B. (1963). Ordered hypotheses for multiple treatments: a "
        "significance test for linear ranks. Journal of the American Statistical Association 58, "
        "216–230.",
        "piepho2004": "Piepho, H.-P. (2004). An algorithm for a letter-based representation of "
        "all-pairwise comparisons. Journal of Computational and Graphical Statistics 13, 456–466.",
        "pratt1959": "Pratt, J. W. (1959). Remarks on zeros and ties in the Wilcoxon signed rank "
        "procedures. Journal of the American Statistical Association 54, 655–667.",
        "quade1979": "Quade, D. (1979). Using weighted rankings in the analysis of complete blocks "
        "with additive block effects. Journal of the American Statistical Association 74, "
        "680–683.",
        "rhyne1965": "Rhyne, A. L. and Steel, R. G. D. (1965). Tables for a treatments versus "
        "control multiple comparisons sign test. Technometrics 7, 293–306.",
        "rom1990": "Rom, D. M. (1990). A sequentially rejective test procedure based on a "
        "modified Bonferroni inequality. Biometrika 77, 663–665.",
        "sanchez2006": "Sánchez, L., Otero, J. and Alcalá, J. (2006). Assessing the differences in "
        "accuracy between GFSs with bootstrap tests.",
        "shaffer1986": "Shaffer, J. P. (1986). Modified sequentially rejective multiple test "
        "procedures. Journal of the American Statistical Association 81, 826–831.",
        "shapiro1965": "Shapiro, S. S. and Wilk, M. B. (1965). An analysis of variance test for "
        "normality (complete samples). Biometrika 52, 591–611.",
        "sidak1967": "Šidák, Z. (1967). Rectangular confidence regions for the means of "
        "multivariate normal distributions. Journal of the American Statistical Association 62, "
        "626–633.",
        "skillings1981": "Skillings, J. H. and Mack, G. A. (1981). On the use of a Friedman-type "
        "statistic in balanced and unbalanced block designs. Technometrics 23, 171–177.",
        "steel1959": "Steel, R. G. D. (1959). A multiple comparison sign test: treatments versus "
        "control. Journal of the American Statistical Association 54, 767–775.",
        "stephens1974": "Stephens, M. A. (1974). EDF statistics for goodness of fit and some "
        "comparisons. Journal of the American Statistical Association 69, 730–737.",
        "student1908": "Student (1908). The probable error of a mean. Biometrika 6, 1–25.",
        "wendt1972": "Wendt, H. W. (1972). Dealing with a common problem in social science: a "
        "simplified rank-biserial coefficient of correlation based on the U statistic. European "
        "Journal of Social Psychology 2, 463–465.",
        "wilcoxon1945": "Wilcoxon, F. (1945). Individual comparisons by ranking methods. "
        "Biometrics Bulletin 1, 80–83.",
    }
)


def cited(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the references with these keys, each once, sorted by author."""
    return tuple(CITATIONS[key] for key in sorted(set(keys)))
