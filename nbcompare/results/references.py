"""The literature behind each procedure, cited where it was used."""

from __future__ import annotations

from types import MappingProxyType

CITATIONS = MappingProxyType(
    {
        "conover1999": "Conover, W. J. (1999). Practical Nonparametric Statistics, 3rd ed., "
        "section 5.8. Wiley.",
        "demsar2006": "Demšar, J. (2006). Statistical comparisons of classifiers over multiple "
        "data sets. Journal of Machine Learning Research 7, 1–30.",
        "dunn1961": "Dunn, O. J. (1961). Multiple comparisons among means. Journal of the "
        "American Statistical Association 56, 52–64.",
        "friedman1937": "Friedman, M. (1937). The use of ranks to avoid the assumption of "
        "normality implicit in the analysis of variance. Journal of the American Statistical "
        "Association 32, 675–701.",
        "garcia2008": "García, S. and Herrera, F. (2008). An extension on “Statistical comparisons "
        "of classifiers over multiple data sets” for all pairwise comparisons. Journal of Machine "
        "Learning Research 9, 2677–2694.",
        "hochberg1988": "Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests "
        "of significance. Biometrika 75, 800–802.",
        "holm1979": "Holm, S. (1979). A simple sequentially rejective multiple test procedure. "
        "Scandinavian Journal of Statistics 6, 65–70.",
        "iman1980": "Iman, R. L. and Davenport, J. M. (1980). Approximations of the critical "
        "region of the Friedman statistic. Communications in Statistics 9, 571–595.",
        "kerby2014": "Kerby, D. S. (2014). The simple difference formula: an approach to teaching "
        "nonparametric correlation. Comprehensive Psychology 3, 11.IT.3.1.",
        "nemenyi1963": "Nemenyi, P. B. (1963). Distribution-free Multiple Comparisons. PhD thesis, "
        "Princeton University.",
    }
)

OF_PROCEDURE = MappingProxyType(
    {
        "bonferroni": "dunn1961",
        "holm": "holm1979",
        "hochberg": "hochberg1988",
        "nemenyi": "nemenyi1963",
    }
)
