"""The literature that results and reports cite."""

from __future__ import annotations

import re
from collections.abc import Iterable
from types import MappingProxyType

from nbcompare.words._reference import Reference, article, book, chapter, paper, preprint, thesis

# A DOI, or the page of a journal that has none, is given where it is known for certain.
LITERATURE = MappingProxyType(
    {
        "agarwal2021": chapter(
            "Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A. and Bellemare, M. G.",
            2021,
            "Deep reinforcement learning at the edge of the statistical precipice",
            "Advances in Neural Information Processing Systems 34",
            "29304–29320",
            "Curran Associates",
            url="https://proceedings.neurips.cc/paper/2021/hash/"
            "f514cec81cb148559cf475e7426eed5e-Abstract.html",
        ),
        "agresti1998": article(
            "Agresti, A. and Coull, B. A.",
            1998,
            "Approximate is better than “exact” for interval estimation of binomial proportions",
            "The American Statistician",
            "52, 119–126",
            doi="10.1080/00031305.1998.10480550",
        ),
        "alpaydin1999": article(
            "Alpaydin, E.",
            1999,
            "Combined 5 × 2 cv F test for comparing supervised classification learning algorithms",
            "Neural Computation",
            "11, 1885–1892",
            doi="10.1162/089976699300016007",
        ),
        "auger2005": chapter(
            "Auger, A. and Hansen, N.",
            2005,
            "Performance evaluation of an advanced local search evolutionary algorithm",
            "2005 IEEE Congress on Evolutionary Computation",
            "1777–1784",
            "IEEE",
            doi="10.1109/CEC.2005.1554903",
        ),
        "benavoli2014": chapter(
            "Benavoli, A., Mangili, F., Corani, G., Zaffalon, M. and Ruggeri, F.",
            2014,
            "A Bayesian Wilcoxon signed-rank test based on the Dirichlet process",
            "Proceedings of the 31st International Conference on Machine Learning",
            "1026–1034",
            "PMLR",
            url="https://proceedings.mlr.press/v32/benavoli14.html",
        ),
        "benavoli2016": article(
            "Benavoli, A., Corani, G. and Mangili, F.",
            2016,
            "Should we really use post-hoc tests based on mean-ranks?",
            "Journal of Machine Learning Research",
            "17 (5), 1–10",
            url="https://jmlr.org/papers/v17/benavoli16a.html",
        ),
        "benavoli2017": article(
            "Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M.",
            2017,
            "Time for a change: a tutorial for comparing multiple classifiers through Bayesian "
            "analysis",
            "Journal of Machine Learning Research",
            "18 (77), 1–36",
            url="https://jmlr.org/papers/v18/16-305.html",
        ),
        "benjamini1995": article(
            "Benjamini, Y. and Hochberg, Y.",
            1995,
            "Controlling the false discovery rate: a practical and powerful approach to "
            "multiple testing",
            "Journal of the Royal Statistical Society B",
            "57, 289–300",
            doi="10.1111/j.2517-6161.1995.tb02031.x",
        ),
        "benjamini2001": article(
            "Benjamini, Y. and Yekutieli, D.",
            2001,
            "The control of the false discovery rate in multiple testing under dependency",
            "Annals of Statistics",
            "29, 1165–1188",
            doi="10.1214/aos/1013699998",
        ),
        "bergmann1988": chapter(
            "Bergmann, B. and Hommel, G.",
            1988,
            "Improvements of general multiple test procedures for redundant systems of hypotheses",
            "Multiple Hypotheses Testing",
            "100–115",
            "Springer",
        ),
        "bouckaert2004": chapter(
            "Bouckaert, R. R. and Frank, E.",
            2004,
            "Evaluating the replicability of significance tests for comparing learning algorithms",
            "Advances in Knowledge Discovery and Data Mining (PAKDD 2004)",
            "3–12",
            "Springer",
            doi="10.1007/978-3-540-24775-3_3",
        ),
        "brown1974": article(
            "Brown, M. B. and Forsythe, A. B.",
            1974,
            "Robust tests for the equality of variances",
            "Journal of the American Statistical Association",
            "69, 364–367",
            doi="10.1080/01621459.1974.10482955",
        ),
        "button2013": article(
            "Button, K. S., Ioannidis, J. P. A., Mokrysz, C., Nosek, B. A., Flint, J., "
            "Robinson, E. S. J. and Munafò, M. R.",
            2013,
            "Power failure: why small sample size undermines the reliability of neuroscience",
            "Nature Reviews Neuroscience",
            "14, 365–376",
            doi="10.1038/nrn3475",
        ),
        "clopper1934": article(
            "Clopper, C. J. and Pearson, E. S.",
            1934,
            "The use of confidence or fiducial limits illustrated in the case of the binomial",
            "Biometrika",
            "26, 404–413",
            doi="10.1093/biomet/26.4.404",
        ),
        "cochran1950": article(
            "Cochran, W. G.",
            1950,
            "The comparison of percentages in matched samples",
            "Biometrika",
            "37, 256–266",
            doi="10.1093/biomet/37.3-4.256",
        ),
        "cohen1988": book(
            "Cohen, J.",
            1988,
            "Statistical Power Analysis for the Behavioral Sciences",
            "Erlbaum",
            edition="2nd",
            part="section 2.3",
        ),
        "conover1999": book(
            "Conover, W. J.",
            1999,
            "Practical Nonparametric Statistics",
            "Wiley",
            edition="3rd",
            part="section 5.8",
        ),
        "corani2015": article(
            "Corani, G. and Benavoli, A.",
            2015,
            "A Bayesian approach for comparing cross-validated algorithms on multiple data sets",
            "Machine Learning",
            "100, 285–304",
            doi="10.1007/s10994-015-5486-z",
        ),
        "couso2008": chapter(
            "Couso, I. and Sánchez, L.",
            2008,
            "Defuzzification of fuzzy p-values",
            "Soft Methods for Handling Variability and Imprecision",
            "126–132",
            "Springer",
            series="Advances in Soft Computing",
        ),
        "couso2011": article(
            "Couso, I. and Sánchez, L.",
            2011,
            "Mark-recapture techniques in statistical tests for imprecise data",
            "International Journal of Approximate Reasoning",
            "52, 240–260",
        ),
        "dagostino1973": article(
            "D'Agostino, R. and Pearson, E. S.",
            1973,
            "Tests for departure from normality",
            "Biometrika",
            "60, 613–622",
            doi="10.1093/biomet/60.3.613",
        ),
        "dallal1986": article(
            "Dallal, G. E. and Wilkinson, L.",
            1986,
            "An analytic approximation to the distribution of Lilliefors's test statistic for "
            "normality",
            "The American Statistician",
            "40, 294–296",
            doi="10.1080/00031305.1986.10475419",
        ),
        "demsar2006": article(
            "Demšar, J.",
            2006,
            "Statistical comparisons of classifiers over multiple data sets",
            "Journal of Machine Learning Research",
            "7, 1–30",
            url="https://jmlr.org/papers/v7/demsar06a.html",
        ),
        "derrac2011": article(
            "Derrac, J., García, S., Molina, D. and Herrera, F.",
            2011,
            "A practical tutorial on the use of nonparametric statistical tests as a "
            "methodology for comparing evolutionary and swarm intelligence algorithms",
            "Swarm and Evolutionary Computation",
            "1, 3–18",
            doi="10.1016/j.swevo.2011.02.002",
        ),
        "derrac2014": article(
            "Derrac, J., García, S., Hui, S., Suganthan, P. N. and Herrera, F.",
            2014,
            "Analyzing convergence performance of evolutionary algorithms: a statistical approach",
            "Information Sciences",
            "289, 41–58",
            doi="10.1016/j.ins.2014.06.009",
        ),
        "dietterich1998": article(
            "Dietterich, T. G.",
            1998,
            "Approximate statistical tests for comparing supervised classification learning "
            "algorithms",
            "Neural Computation",
            "10, 1895–1923",
            doi="10.1162/089976698300017197",
        ),
        "dixon1946": article(
            "Dixon, W. J. and Mood, A. M.",
            1946,
            "The statistical sign test",
            "Journal of the American Statistical Association",
            "41, 557–566",
            doi="10.1080/01621459.1946.10501898",
        ),
        "doksum1967": article(
            "Doksum, K.",
            1967,
            "Robust procedures for some linear models with one observation per cell",
            "Annals of Mathematical Statistics",
            "38, 878–883",
        ),
        "dolan2002": article(
            "Dolan, E. D. and Moré, J. J.",
            2002,
            "Benchmarking optimization software with performance profiles",
            "Mathematical Programming",
            "91, 201–213",
            doi="10.1007/s101070100263",
        ),
        "dunn1961": article(
            "Dunn, O. J.",
            1961,
            "Multiple comparisons among means",
            "Journal of the American Statistical Association",
            "56, 52–64",
            doi="10.1080/01621459.1961.10482090",
        ),
        "efron1993": book(
            "Efron, B. and Tibshirani, R. J.",
            1993,
            "An Introduction to the Bootstrap",
            "Chapman and Hall",
            doi="10.1007/978-1-4899-4541-9",
        ),
        "finner1993": article(
            "Finner, H.",
            1993,
            "On a monotonicity problem in step-down multiple test procedures",
            "Journal of the American Statistical Association",
            "88, 920–923",
        ),
        "fisher1935": book(
            "Fisher, R. A.",
            1935,
            "The design of experiments",
            "Oliver and Boyd",
        ),
        "friedman1937": article(
            "Friedman, M.",
            1937,
            "The use of ranks to avoid the assumption of normality implicit in the analysis "
            "of variance",
            "Journal of the American Statistical Association",
            "32, 675–701",
            doi="10.1080/01621459.1937.10503522",
        ),
        "garcia2008": article(
            "García, S. and Herrera, F.",
            2008,
            "An extension on “Statistical comparisons of classifiers over multiple data sets” "
            "for all pairwise comparisons",
            "Journal of Machine Learning Research",
            "9, 2677–2694",
            url="https://jmlr.org/papers/v9/garcia08a.html",
        ),
        "garcia2010": article(
            "García, S., Fernández, A., Luengo, J. and Herrera, F.",
            2010,
            "Advanced nonparametric tests for multiple comparisons in the design of "
            "experiments in computational intelligence and data mining: experimental analysis "
            "of power",
            "Information Sciences",
            "180, 2044–2064",
            doi="10.1016/j.ins.2009.12.010",
        ),
        "gelman2006": article(
            "Gelman, A. and Stern, H.",
            2006,
            "The difference between “significant” and “not significant” is not itself "
            "statistically significant",
            "The American Statistician",
            "60, 328–331",
            doi="10.1198/000313006X152649",
        ),
        "gijsbers2024": article(
            "Gijsbers, P., Bueno, M. L. P., Coors, S., LeDell, E., Poirier, S., Thomas, J., "
            "Bischl, B. and Vanschoren, J.",
            2024,
            "AMLB: an AutoML benchmark",
            "Journal of Machine Learning Research",
            "25 (101), 1–65",
            url="https://jmlr.org/papers/v25/22-0493.html",
        ),
        "gould2016": article(
            "Gould, N. and Scott, J.",
            2016,
            "A note on performance profiles for benchmarking software",
            "ACM Transactions on Mathematical Software",
            "43 (2), 15:1–15:5",
            doi="10.1145/2950048",
        ),
        "green2016": article(
            "Green, P. and MacLeod, C. J.",
            2016,
            "SIMR: an R package for power analysis of generalized linear mixed models by "
            "simulation",
            "Methods in Ecology and Evolution",
            "7, 493–498",
            doi="10.1111/2041-210X.12504",
        ),
        "greenhouse1959": article(
            "Greenhouse, S. W. and Geisser, S.",
            1959,
            "On methods in the analysis of profile data",
            "Psychometrika",
            "24, 95–112",
            doi="10.1007/BF02289823",
        ),
        "guilbaud2008": article(
            "Guilbaud, O.",
            2008,
            "Simultaneous confidence regions corresponding to Holm's step-down procedure and other "
            "closed-testing procedures",
            "Biometrical Journal",
            "50 (5), 678–692",
            doi="10.1002/bimj.200710449",
        ),
        "hansen2021": article(
            "Hansen, N., Auger, A., Ros, R., Mersmann, O., Tušar, T. and Brockhoff, D.",
            2021,
            "COCO: a platform for comparing continuous optimizers in a black-box setting",
            "Optimization Methods and Software",
            "36 (1), 114–144",
            doi="10.1080/10556788.2020.1808977",
        ),
        "hansen2022": article(
            "Hansen, N., Auger, A., Brockhoff, D. and Tušar, T.",
            2022,
            "Anytime performance assessment in blackbox optimization benchmarking",
            "IEEE Transactions on Evolutionary Computation",
            "26 (6), 1293–1305",
            doi="10.1109/TEVC.2022.3210897",
        ),
        "hochberg1988": article(
            "Hochberg, Y.",
            1988,
            "A sharper Bonferroni procedure for multiple tests of significance",
            "Biometrika",
            "75, 800–802",
            doi="10.1093/biomet/75.4.800",
        ),
        "hodges1962": article(
            "Hodges, J. L. and Lehmann, E. L.",
            1962,
            "Rank methods for combination of independent experiments in analysis of variance",
            "Annals of Mathematical Statistics",
            "33, 482–497",
        ),
        "hodges1963": article(
            "Hodges, J. L. and Lehmann, E. L.",
            1963,
            "Estimates of location based on rank tests",
            "Annals of Mathematical Statistics",
            "34, 598–611",
            doi="10.1214/aoms/1177704172",
        ),
        "holland1987": article(
            "Holland, B. S. and Copenhaver, M. D.",
            1987,
            "An improved sequentially rejective Bonferroni test procedure",
            "Biometrics",
            "43, 417–423",
        ),
        "holm1979": article(
            "Holm, S.",
            1979,
            "A simple sequentially rejective multiple test procedure",
            "Scandinavian Journal of Statistics",
            "6, 65–70",
        ),
        "hommel1988": article(
            "Hommel, G.",
            1988,
            "A stagewise rejective multiple test procedure based on a modified Bonferroni test",
            "Biometrika",
            "75, 383–386",
            doi="10.1093/biomet/75.2.383",
        ),
        "iman1980": article(
            "Iman, R. L. and Davenport, J. M.",
            1980,
            "Approximations of the critical region of the Friedman statistic",
            "Communications in Statistics",
            "9, 571–595",
            doi="10.1080/03610928008827904",
        ),
        "ismailfawaz2023": preprint(
            "Ismail-Fawaz, A., Dempster, A., Tan, C. W., Herrmann, M., Miller, L., Schmidt, D. F., "
            "Berretti, S., Weber, J., Devanne, M., Forestier, G. and Webb, G. I.",
            2023,
            "An approach to multiple comparison benchmark evaluations that is stable under "
            "manipulation of the comparate set",
            "2305.11921",
        ),
        "kerby2014": article(
            "Kerby, D. S.",
            2014,
            "The simple difference formula: an approach to teaching nonparametric correlation",
            "Comprehensive Psychology",
            "3, 11.IT.3.1",
            doi="10.2466/11.IT.3.1",
        ),
        "kruskal1952": article(
            "Kruskal, W. H. and Wallis, W. A.",
            1952,
            "Use of ranks in one-criterion variance analysis",
            "Journal of the American Statistical Association",
            "47, 583–621",
            doi="10.1080/01621459.1952.10483441",
        ),
        "levene1960": chapter(
            "Levene, H.",
            1960,
            "Robust tests for equality of variances",
            "Contributions to Probability and Statistics",
            "278–292",
            "Stanford University Press",
        ),
        "li2008": article(
            "Li, J.",
            2008,
            "A two-step rejection procedure for testing multiple hypotheses",
            "Journal of Statistical Planning and Inference",
            "138, 1521–1527",
        ),
        "lilliefors1967": article(
            "Lilliefors, H. W.",
            1967,
            "On the Kolmogorov–Smirnov test for normality with mean and variance unknown",
            "Journal of the American Statistical Association",
            "62, 399–402",
            doi="10.1080/01621459.1967.10482916",
        ),
        "mann1947": article(
            "Mann, H. B. and Whitney, D. R.",
            1947,
            "On a test of whether one of two random variables is stochastically larger than "
            "the other",
            "Annals of Mathematical Statistics",
            "18, 50–60",
            doi="10.1214/aoms/1177730491",
        ),
        "mcnemar1947": article(
            "McNemar, Q.",
            1947,
            "Note on the sampling error of the difference between correlated proportions or "
            "percentages",
            "Psychometrika",
            "12, 153–157",
            doi="10.1007/BF02295996",
        ),
        "miller2024": preprint(
            "Miller, E.",
            2024,
            "Adding error bars to evals: A statistical approach to language model evaluations",
            "2411.00640",
        ),
        "nadeau2003": article(
            "Nadeau, C. and Bengio, Y.",
            2003,
            "Inference for the generalization error",
            "Machine Learning",
            "52, 239–281",
            doi="10.1023/A:1024068626366",
        ),
        "nemenyi1963": thesis(
            "Nemenyi, P. B.", 1963, "Distribution-free Multiple Comparisons", "Princeton University"
        ),
        "ohagan2005": article(
            "O'Hagan, A., Stevens, J. W. and Campbell, M. J.",
            2005,
            "Assurance in clinical trial design",
            "Pharmaceutical Statistics",
            "4, 187–201",
            doi="10.1002/pst.175",
        ),
        "otero2010": paper(
            "Otero, J., Sánchez, L. and Couso, I.",
            2010,
            "Comparación estadística de algoritmos de aprendizaje estocásticos usando tests "
            "extendidos a datos intervalo-valorados y borrosos",
        ),
        "otero2013": article(
            "Otero, J., Sánchez, L., Couso, I. and Palacios, A.",
            2013,
            "Bootstrap analysis of multiple repetitions of experiments using an "
            "interval-valued multiple comparison procedure",
            "Journal of Computer and System Sciences",
            "",
            doi="10.1016/j.jcss.2013.03.009",
            issue="2014, 80 (1), 88–100",
        ),
        "page1963": article(
            "Page, E. B.",
            1963,
            "Ordered hypotheses for multiple treatments: a significance test for linear ranks",
            "Journal of the American Statistical Association",
            "58, 216–230",
            doi="10.1080/01621459.1963.10500843",
        ),
        "pesarin2010": book(
            "Pesarin, F. and Salmaso, L.",
            2010,
            "Permutation Tests for Complex Data",
            "Wiley",
        ),
        "piepho2004": article(
            "Piepho, H.-P.",
            2004,
            "An algorithm for a letter-based representation of all-pairwise comparisons",
            "Journal of Computational and Graphical Statistics",
            "13, 456–466",
            doi="10.1198/1061860043515",
        ),
        "pratt1959": article(
            "Pratt, J. W.",
            1959,
            "Remarks on zeros and ties in the Wilcoxon signed rank procedures",
            "Journal of the American Statistical Association",
            "54, 655–667",
            doi="10.1080/01621459.1959.10501526",
        ),
        "quade1979": article(
            "Quade, D.",
            1979,
            "Using weighted rankings in the analysis of complete blocks with additive block "
            "effects",
            "Journal of the American Statistical Association",
            "74, 680–683",
            doi="10.1080/01621459.1979.10481670",
        ),
        "randles1980": article(
            "Randles, R. H., Fligner, M. A., Policello, G. E. and Wolfe, D. A.",
            1980,
            "An asymptotically distribution-free test for symmetry versus asymmetry",
            "Journal of the American Statistical Association",
            "75, 168–172",
            doi="10.1080/01621459.1980.10477448",
        ),
        "rhyne1965": article(
            "Rhyne, A. L. and Steel, R. G. D.",
            1965,
            "Tables for a treatments versus control multiple comparisons sign test",
            "Technometrics",
            "7, 293–306",
        ),
        "robertson1974": article(
            "Robertson, T. and Cryer, J. D.",
            1974,
            "An iterative procedure for estimating the mode",
            "Journal of the American Statistical Association",
            "69, 1012–1016",
        ),
        "rom1990": article(
            "Rom, D. M.",
            1990,
            "A sequentially rejective test procedure based on a modified Bonferroni inequality",
            "Biometrika",
            "77, 663–665",
            doi="10.1093/biomet/77.3.663",
        ),
        "rubin1981": article(
            "Rubin, D. B.",
            1981,
            "The Bayesian bootstrap",
            "The Annals of Statistics",
            "9, 130–134",
            doi="10.1214/aos/1176345338",
        ),
        "sanchez2006": paper(
            "Sánchez, L., Otero, J. and Alcalá, J.",
            2006,
            "Assessing the differences in accuracy between GFSs with bootstrap tests",
        ),
        "schuirmann1987": article(
            "Schuirmann, D. J.",
            1987,
            "A comparison of the two one-sided tests procedure and the power approach for "
            "assessing the equivalence of average bioavailability",
            "Journal of Pharmacokinetics and Biopharmaceutics",
            "15, 657–680",
            doi="10.1007/BF01068419",
        ),
        "shaffer1986": article(
            "Shaffer, J. P.",
            1986,
            "Modified sequentially rejective multiple test procedures",
            "Journal of the American Statistical Association",
            "81, 826–831",
            doi="10.1080/01621459.1986.10478341",
        ),
        "shapiro1965": article(
            "Shapiro, S. S. and Wilk, M. B.",
            1965,
            "An analysis of variance test for normality (complete samples)",
            "Biometrika",
            "52, 591–611",
            doi="10.1093/biomet/52.3-4.591",
        ),
        "sidak1967": article(
            "Šidák, Z.",
            1967,
            "Rectangular confidence regions for the means of multivariate normal distributions",
            "Journal of the American Statistical Association",
            "62, 626–633",
            doi="10.1080/01621459.1967.10482935",
        ),
        "skillings1981": article(
            "Skillings, J. H. and Mack, G. A.",
            1981,
            "On the use of a Friedman-type statistic in balanced and unbalanced block designs",
            "Technometrics",
            "23, 171–177",
            doi="10.1080/00401706.1981.10486261",
        ),
        "steel1959": article(
            "Steel, R. G. D.",
            1959,
            "A multiple comparison sign test: treatments versus control",
            "Journal of the American Statistical Association",
            "54, 767–775",
            doi="10.1080/01621459.1959.11683596",
        ),
        "stephens1974": article(
            "Stephens, M. A.",
            1974,
            "EDF statistics for goodness of fit and some comparisons",
            "Journal of the American Statistical Association",
            "69, 730–737",
            doi="10.1080/01621459.1974.10480196",
        ),
        "strassburger2008": article(
            "Strassburger, K. and Bretz, F.",
            2008,
            "Compatible simultaneous lower confidence bounds for the Holm procedure and other "
            "Bonferroni-based closed tests",
            "Statistics in Medicine",
            "27 (24), 4914–4927",
            doi="10.1002/sim.3338",
        ),
        "student1908": article(
            "Student",
            1908,
            "The probable error of a mean",
            "Biometrika",
            "6, 1–25",
            doi="10.1093/biomet/6.1.1",
        ),
        "tango1998": article(
            "Tango, T.",
            1998,
            "Equivalence test and confidence interval for the difference in proportions for the "
            "paired-sample design",
            "Statistics in Medicine",
            "17, 891–908",
        ),
        "vargha2000": article(
            "Vargha, A. and Delaney, H. D.",
            2000,
            "A critique and improvement of the CL common language effect size statistics of McGraw "
            "and Wong",
            "Journal of Educational and Behavioral Statistics",
            "25, 101–132",
            doi="10.3102/10769986025002101",
        ),
        "wang2022": article(
            "Wang, H., Vermetten, D., Ye, F., Doerr, C. and Bäck, T.",
            2022,
            "IOHanalyzer: detailed performance analyses for iterative optimization heuristics",
            "ACM Transactions on Evolutionary Learning and Optimization",
            "2 (1), 1–29",
            doi="10.1145/3510426",
        ),
        "wendt1972": article(
            "Wendt, H. W.",
            1972,
            "Dealing with a common problem in social science: a simplified rank-biserial "
            "coefficient of correlation based on the U statistic",
            "European Journal of Social Psychology",
            "2, 463–465",
            doi="10.1002/ejsp.2420020412",
        ),
        "wilcoxon1945": article(
            "Wilcoxon, F.",
            1945,
            "Individual comparisons by ranking methods",
            "Biometrics Bulletin",
            "1, 80–83",
            doi="10.2307/3001968",
        ),
    }
)
# what a list of references prints, by key
CITATIONS = MappingProxyType({key: each.text for key, each in LITERATURE.items()})
_KEYS = {text: key for key, text in CITATIONS.items()}
# Matches the surnames of a reference, such as "Skillings, J. H. and Mack, G. A. (1981)."
_SURNAME = re.compile(r"([^\W\d_][^,.&]*?), (?:[^\W\d_]\.[ -]?)+")


def cited(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the references with these keys, each once, sorted by author."""
    return tuple(CITATIONS[key] for key in sorted(set(keys)))


def short_citation(key: str) -> str:
    """Return the citation of a reference in a text, such as ``García and Herrera 2008``."""
    head, _, tail = CITATIONS[key].partition(" (")
    names = _SURNAME.findall(head.replace(" and ", ", ") + " ") or [head]
    names = [name.strip(" ,") for name in names]
    if len(names) > 2:
        names = [f"{names[0]} et al."]
    return f"{' and '.join(names)} {tail[:4]}"


def literature_of(texts: Iterable[str]) -> dict[str, Reference]:
    """Return the references that a list prints, by key, each once."""
    return {_KEYS[text]: LITERATURE[_KEYS[text]] for text in texts}
