"""Lines as IPython's users write them: values in braces, a semicolon at the end, ``--help``."""

import pandas as pd
import pytest
from IPython.core.error import UsageError

from nbcompare.results import Comparison


@pytest.fixture
def out(shell, displayed, experiment, capsys):
    """Run a cell as a person does, and return what is printed, results among it."""

    def run(cell):
        shell.run_cell(cell, store_history=True).raise_error()
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize("line", ["%compare exp {}", "%compare --alpha much {}", "%compare {}"])
@pytest.mark.parametrize("option", ["--help", "-h", "--help;"])
def test_help_is_asked_for_as_in_a_shell(out, displayed, line, option):
    shown = out(line.format(option))
    assert "usage: %compare NAME [options]" in shown
    assert "%compare experiment --control C4.5 --adjust holm,finner" in shown
    assert displayed == []


@pytest.mark.parametrize("line", ["%nbreport --help", "%%compare --help\na"])
def test_every_magic_has_help(out, line):
    name = line.split()[0].replace("%%", "%")
    assert f"usage: {name} " in out(line)


def test_behind_two_dashes_it_is_a_name(shell, experiment):
    with pytest.raises(UsageError, match="--help"):
        shell.run_line_magic("compare_pair", "exp -- --help good")


@pytest.mark.slow
@pytest.mark.parametrize("word", ["{exp}", "$exp"])
def test_data_in_braces_are_data(shell, out, displayed, word):
    out(f"kept = %compare {word} --alpha {{0.1 + 0.1}}")
    assert shell.user_ns["kept"].alpha == 0.2
    assert len(displayed) == 1
    shell.user_ns["frame"] = pd.DataFrame({"a": [1.0, 2, 3], "b": [2.0, 3, 5]}, index=list("xyz"))
    out("kept = %compare {frame} --direction minimize")
    assert set(shell.user_ns["kept"].ordered) == {"a", "b"}
    out("%cd_diagram {kept}")
    assert len(displayed) == 2


def test_values_of_a_function_are_seen(shell, out):
    out(
        "def all_of(data, level):\n"
        "    kept = %compare {data} --alpha {level}\n"
        "    return kept\n"
        "kept = all_of(exp, 0.2)"
    )
    assert shell.user_ns["kept"].alpha == 0.2


def test_data_without_a_name_need_one(shell, experiment):
    with pytest.raises(UsageError) as caught:
        shell.run_line_magic("compare", "{exp.select(algorithms=['good', 'bad'])}")
    assert str(caught.value) == (
        "%compare: a line takes data by name, and what stands in braces has none. Write "
        "data = ... first, and then %compare data."
    )
    with pytest.raises(UsageError, match=r"'\{nothing\}"):
        shell.run_line_magic("compare", "{nothing}.csv")


@pytest.mark.parametrize("end", [";", " ;", ";  \n\n", " --alpha 0.1;", ' --pairs "wilcoxon";;'])
def test_a_semicolon_displays_nothing(shell, out, displayed, end):
    assert out(f"%compare exp --as kept{end}") == ""
    assert displayed == []
    assert isinstance(shell.user_ns["kept"], Comparison)


def test_a_semicolon_behind_other_lines(shell, out, displayed):
    assert out("kept = %compare exp;") == ""
    assert isinstance(shell.user_ns["kept"], Comparison)
    assert out("%%compare --direction maximize;\nname,a,b\nx,1,2\ny,3,4") == ""
    assert out("%compare --help;") != ""  # what is printed is no output
    assert displayed == []
    assert "Average ranks" in out("x = 1;\n%compare exp")
    assert len(displayed) == 1


def test_an_option_is_given_once(shell, displayed, experiment):
    for line, option in [
        ("exp --alpha 0.1 --alpha 0.05", "--alpha"),
        ("exp --alpha=0.1 --adjust holm --alpha=0.1", "--alpha"),
        ("exp --adjust holm --adjust none", "--adjust"),
        ("exp --as a --as b", "--as"),
        ("exp --builder --builder", "--builder"),
    ]:
        with pytest.raises(UsageError) as caught:
            shell.run_line_magic("compare", line)
        said = f"%compare: {option} must be given once; leave out all but one."
        assert str(caught.value) == said
    kept = shell.run_line_magic("compare", "exp --algorithms good --algorithms bad")
    assert set(kept.ordered) == {"good", "bad"}
