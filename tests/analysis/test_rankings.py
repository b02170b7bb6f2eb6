"""compare() with aligned ranks and with Quade's: figures, words, notes, references."""

import pytest

from nbcompare import compare, datasets
from nbcompare.stats import rankings

TABLES = ("demsar2006", "demsar2006_printed_ranks", "otero2013_t1", "otero2013_t6_auc40")
OTHERS = ("aligned", "quade")


def close(value):
    return pytest.approx(value, rel=1e-9, abs=0)


def codes(result):
    return [note.code for note in result.notes]


@pytest.mark.parametrize("ranking", OTHERS)
@pytest.mark.parametrize("name", TABLES)
def test_every_figure(name, ranking, reference):
    of_table = reference("rankings")["tables"][name]
    table, data = of_table[ranking], datasets.load(of_table["bundled_as"])
    aligned = ranking == "aligned"
    ranks = table["avg_ranks" if aligned else "T"]
    for formulas, statistic in (
        ("printed", "T" if aligned else "F_notie"),
        ("corrected", "T_tie" if aligned else "F"),
    ):
        options = {"formulas": formulas, "method": "normal"}
        result = compare(data, ranking=ranking, control="best", **options)
        assert list(result.average_ranks.values()) == close(ranks)
        assert list(result.omnibus) == [ranking]
        test = result.omnibus[ranking]
        df = (of_table["df"],) if aligned else (of_table["df"], of_table["df2"])
        assert test.df == df
        assert (test.statistic, test.pvalue) == close((table[statistic], table[f"p_{statistic}"]))
        assert result.control == table["control"]
        assert ("printed-z" in codes(result)) == (formulas == "printed")
    printed = compare(data, ranking=ranking, control="best", formulas="printed")
    assert printed.standard_error == close(table["se"])
    tests = printed.hypotheses
    places = {name: row for row, name in enumerate(tests.second)}
    for algorithm, z, p in table["one_vs_all"]:
        row = places[algorithm]
        # there z is the algorithm less the control, here positive where the control is better
        assert (tests.statistic[row], tests.pvalue[row]) == close((z, p))


@pytest.mark.parametrize("ranking", OTHERS)
def test_critical_difference_is_on_the_scale_of_the_average_ranks(ranking):
    result = compare(datasets.load("otero2013_simulated"), ranking=ranking, adjust="nemenyi")
    ranks, tests = result.average_ranks, result.hypotheses
    assert result.critical_difference == pytest.approx(2.7278 * result.standard_error, rel=1e-4)
    for first, second, rejected in zip(tests.first, tests.second, tests.rejected, strict=True):
        assert rejected == (abs(ranks[first] - ranks[second]) > result.critical_difference)


def test_wins_and_effects_are_those_within_data_sets():
    data = datasets.load("demsar2006")
    friedman = compare(data).to_frame().set_index(["first", "second"])
    for ranking in OTHERS:
        frame = compare(data, ranking=ranking).to_frame().set_index(["first", "second"])
        columns = ["effect_size", "wins", "ties", "losses"]
        assert frame[columns].equals(friedman.loc[frame.index, columns])


@pytest.mark.parametrize("ranking", OTHERS)
def test_small_tables(experiment, ranking):
    result = compare(experiment([[1, 2], [1, 5]]), ranking=ranking, adjust=["nemenyi", "holm"])
    ranked = rankings.rank([[1, 2], [1, 5]], ranking)
    assert list(result.average_ranks.values()) == ranked.average_ranks.tolist()
    assert result.hypotheses.adjusted["nemenyi"] == pytest.approx(result.hypotheses.pvalue)
    assert len(compare(experiment([[1, 2], [1, 5]]), ranking=ranking, control="A2").hypotheses) == 1
