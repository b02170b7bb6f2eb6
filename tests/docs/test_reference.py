"""The reference has every public name, and what is generated says what the code does."""

import importlib
import inspect
import json
import pkgutil
import re
from pathlib import Path

import jsonschema
import pytest
from kinds import MADE, NAMES, experiment

import nbcompare as nbc
from nbcompare import results, stats
from nbcompare._commands import ANALYSES
from nbcompare._options import OPTIONS
from nbcompare.cli._run import command_parser
from nbcompare.words import LITERATURE

INDEX = (Path(__file__).parents[2] / "docs" / "reference" / "api" / "index.md").read_text(
    encoding="utf-8"
)
# Modules whose names have pages of their own, or are no functions: words and numbers that the
# pages of studies explain.
NO_PAGES = {"__version__", "datasets", "plots", "stats", "study"}

DATASETS = ("load", "load_experiment", "load_histories", "names")


def grouped():
    """The names that the index of the reference lists, in order."""
    return re.findall(r"^   ([\w.]+)$", INDEX, re.MULTILINE)


def public_names():
    yield from (name for name in nbc.__all__ if name not in NO_PAGES)
    yield from (f"plots.{name}" for name in nbc.plots.__all__)
    yield from (f"datasets.{name}" for name in DATASETS)
    for name in nbc.study.__all__:
        found = getattr(nbc.study, name)
        is_code = inspect.isclass(found) or inspect.isfunction(found)
        if is_code and getattr(nbc, name, None) is not found:
            yield f"study.{name}"
    for module in pkgutil.iter_modules(stats.__path__):
        if not module.name.startswith("_"):
            yield f"stats.{module.name}"


def test_every_public_name_is_in_one_group():
    names = grouped()
    assert len(names) == len(set(names))
    assert set(public_names()) <= set(names)


def test_every_other_name_of_studies_is_in_the_table(extension):
    text = extension("reference_pages").study_names()
    for name in nbc.study.__all__:
        found = getattr(nbc.study, name)
        if not (inspect.isclass(found) or inspect.isfunction(found)):
            assert f"| `study.{name}` |" in text


def test_every_name_in_a_group_exists():
    for name in grouped():
        place, _, last = f"nbcompare.{name}".rpartition(".")
        module = importlib.import_module(place)
        assert hasattr(module, last) or importlib.import_module(f"{place}.{last}")


def test_every_part_of_a_result_has_a_page(extension):
    schema = extension("result_schema").schema()
    parts = {name for name, part in schema["$defs"].items() if "properties" in part}
    names = set(grouped())
    assert {name for name in parts if hasattr(results, name)} <= {
        name.removeprefix("results.") for name in names
    }


def test_every_page_has_a_docstring_with_its_parameters():
    for name in grouped():
        place, _, last = f"nbcompare.{name}".rpartition(".")
        if name.startswith("stats."):
            continue
        found = getattr(importlib.import_module(place), last)
        text = inspect.getdoc(found)
        assert text, name
        for parameter in inspect.signature(found).parameters if inspect.isfunction(found) else ():
            assert re.search(rf"(^|\b){parameter}\b", text), f"{name} does not explain {parameter}"


# ------------------------------------------------------------------ commands and magics


@pytest.fixture(scope="module")
def lines(extension):
    return extension("lines")


def test_every_command_and_its_options_are_on_the_page(lines):
    text = lines.command_page()
    parser = command_parser(())
    listed = re.findall(r"^    ([a-z][a-z-]+)", parser.format_help(), re.MULTILINE)
    assert set(listed) == set(lines.commands())
    for name, line in lines.commands().items():
        assert f"(command-{name})=" in text
        for option in line.parser.options:
            assert re.search(rf"`[^`]*{option}\b", text) or option == "--help", (name, option)


def test_every_magic_and_its_options_are_on_the_page(lines, ipython):
    text = lines.magic_page()
    magics = ipython.magics_manager.registry["ComparisonMagics"].magics
    assert set(lines.magic_lines()) == set(magics["line"])
    for name, line in lines.magic_lines().items():
        assert f"(magic-{name.replace('_', '-')})=" in text
        for option in line.parser.options:
            assert f"`{option}" in text, (name, option)


def test_the_words_of_options_are_on_the_pages(lines):
    text = lines.command_page()
    for word in OPTIONS["adjust"].choices:
        assert word in text


# ------------------------------------------------------------------------------ builders


def test_every_setting_of_a_builder_is_on_the_page(extension):
    pages = extension("reference_pages")
    text = pages.builders()
    assert len(pages.builder_names()) == 7
    for name in pages.builder_names():
        for setting, trait in pages.settings_of(getattr(nbc, name)).items():
            assert f"| `{setting}` |" in text
            assert trait.help, (name, setting)


# -------------------------------------------------------------------------------- schema


@pytest.fixture(scope="module")
def validator(extension):
    schema = extension("result_schema").schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def several_procedures():
    return nbc.compare(experiment(), control=NAMES[0], margin=0.1, adjust=["holm", "li"])


@pytest.mark.parametrize("make", [*MADE.values(), several_procedures], ids=[*MADE, "several"])
def test_results_as_json_follow_the_schema(validator, make):
    validator.validate(json.loads(make().to_json()))


def test_the_schema_refuses_what_from_json_refuses(validator):
    document = json.loads(nbc.compare(nbc.datasets.load("demsar2006")).to_json())
    for change in (
        {"schema": 2},
        {"class": "Nothing"},
        {"fields": document["fields"] | {"more": 1}},
        {"fields": {**document["fields"], "alpha": "small"}},
    ):
        changed = {**document, **change}
        assert not validator.is_valid(changed)
        with pytest.raises(ValueError, match="`text` must"):
            results.from_json(json.dumps(changed))


def test_every_class_of_results_is_in_the_schema(extension):
    names = {kind.__name__ for kind in extension("result_schema").result_classes()}
    assert names >= {what.result for what in ANALYSES}


# ----------------------------------------------------------------- literature, templates


def test_the_literature_is_all_there_once(extension):
    text = extension("bibliography").page()
    for key, reference in LITERATURE.items():
        assert text.count(f"(ref-{key})=") == 1
        if doi := reference.fields.get("doi"):
            assert f"<https://doi.org/{doi}>" in text


def test_every_block_of_a_template_is_on_the_page(extension):
    pages = extension("reference_pages")
    text = pages.templates()
    assert set(pages.exporters()) == {"nbcompare", "nbcompare-pdf", "nbcompare-latex"}
    for name, folder in pages.template_folders().items():
        assert f"(template-{name})=" in text
        for file in folder.glob("index.*"):
            for block in re.findall(r"{%-? block (\w+)", file.read_text(encoding="utf-8")):
                assert f"`{block}`" in text


def test_exit_codes_are_those_of_the_readme(lines):
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", lines.exit_codes(), re.MULTILINE)
    assert [int(number) for number, _ in rows] == [0, 1, 2, 130, 141]
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (\d+) \| (.*) \|$", readme.replace("`", ""), re.MULTILINE) == rows
