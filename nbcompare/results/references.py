"""The literature behind each procedure, cited where it was used."""

from __future__ import annotations

from types import MappingProxyType

CITATIONS = MappingProxyType(
    {
        "bergmann1988": "Bergmann, B. and Hommel, G. (1988). Improvements of general multiple "
        "test procedures for redundant systems of hypotheses. In Multiple Hypotheses Testing, "
        "100–115. Springer.",
        "conover1999": "Conover, W. J. (1999). Practical Nonparametric Statistics, 3rd ed., "
        "section 5.8. Wiley.",
        "demsar2006": "Demšar, J. (2006). Statistical comparisons of classifiers over multiple "
        "data sets. Journal of Machine Learning Research 7, 1–30.",
        "dunn1961": "Dunn, O. J. (1961). Multiple comparisons among means. Journal of the "
        "American Statistical Association 56, 52–64.",
        "finner1993": "Finner, H. (1993). On a monotonicity problem in step-down multiple test "
        "procedures. Journal of the American Statistical Association 88, 920–923.",
        "friedman1937": "Friedman, M. (1937). The use of ranks to avoid the assumption of "
        "normality implicit in the analysis of variance. Journal of the American Statistical "
        "Association 32, 675–701.",
        "garcia2008": "García, S. and Herrera, F. (2008). An extension on “Statistical comparisons "
        "of classifiers over multiple data sets” for all pairwise comparisons. Journal of Machine "
        "Learning Research 9, 2677–2694.",
        "hochberg1988": "Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests "
        "of significance. Biometrika 75, 800–802.",
        "hodges1962": "Hodges, J. L. and Lehmann, E. L. (1962). Rank methods for combination of "
        "independent experiments in analysis of variance. Annals of Mathematical Statistics 33, "
        "482–497.",
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
        "li2008": "Li, J. (2008). A two-step rejection procedure for testing multiple hypotheses. "
        "Journal of Statistical Planning and Inference 138, 1521–1527.",
        "nemenyi1963": "Nemenyi, P. B. (1963). Distribution-free Multiple Comparisons. PhD thesis, "
        "Princeton University.",
        "quade1979": "Quade, D. (1979). Using weighted rankings in the analysis of complete blocks "
        "with additive block effects. Journal of the American Statistical Association 74, "
        "680–683.",
        "rom1990": "Rom, D. M. (1990). A sequentially rejective test procedure based on a "
        "modified Bonferroni inequality. Biometrika 77, 663–665.",
        "shaffer1986": "Shaffer, J. P. (1986). Modified sequentially rejective multiple test "
        "procedures. Journal of the American Statistical Association 81, 826–831.",
        "sidak1967": "Šidák, Z. (1967). Rectangular confidence regions for the means of "
        "multivariate normal distributions. Journal of the American Statistical Association 62, "
        "626–633.",
        "skillings1981": "Skillings, J. H. and Mack, G. A. (1981). On the use of a Friedman-type "
        "statistic in balanced and unbalanced block designs. Technometrics 23, 171–177.",
        "student1908": "Student (1908). The probable error of a mean. Biometrika 6, 1–25.",
        "wilcoxon1945": "Wilcoxon, F. (1945). Individual comparisons by ranking methods. "
        "Biometrics Bulletin 1, 80–83.",
    }
)

OF_PROCEDURE = MappingProxyType(
    {
        "bonferroni": "dunn1961",
        "holm": "holm1979",
        "sidak": "sidak1967",
        "holland": "holland1987",
        "finner": "finner1993",
        "hochberg": "hochberg1988",
        "hommel": "hommel1988",
        "rom": "rom1990",
        "li": "li2008",
        "nemenyi": "nemenyi1963",
        "shaffer": "shaffer1986",
        "bergmann-hommel": "bergmann1988",
    }
)
