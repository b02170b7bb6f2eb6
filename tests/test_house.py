"""Rules of the house that no other tool checks."""

import ast
import re
from pathlib import Path

import pytest

import nbcompare

ROOT = Path(nbcompare.__file__).parent
MODULES = sorted(path for path in ROOT.rglob("*.py") if "_templates" not in path.parts)
# A first line must make sense without the name of what it describes.
FRAGMENT = re.compile(
    "(?:Of|By|In|With|As|From|For|To|On|At|Over|Without|Through|Between|After|Before|Among|About|"
    r"Around|Against|Per|Within|Upon|Up to|Beside)\b"
)
DESCRIBED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def name_of(path):
    return str(path.relative_to(ROOT))


def package_of(parts):
    """Return the package of a module of nbcompare; None for the modules at its top."""
    return parts[0] if len(parts) > 1 or (ROOT / parts[0]).is_dir() else None


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_private_name_of_another_package_is_imported(path):
    own = package_of(path.relative_to(ROOT).with_suffix("").parts)
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("nbcompare."):
            continue
        parts = node.module.split(".")[1:]
        package = package_of(tuple(parts))
        if package == own:
            continue
        inside = parts[1:] if package else []
        private = [name for name in inside if name.startswith("_")]
        private += [alias.name for alias in node.names if package and alias.name.startswith("_")]
        private = [name for name in private if not name.startswith("__")]
        assert not private, f"line {node.lineno} imports {private} of {package}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_docstring_begins_with_a_preposition(path):
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        text = ast.get_docstring(node) if isinstance(node, DESCRIBED) else None
        if text and FRAGMENT.match(text):
            found.append(f"{getattr(node, 'name', 'module')}: {text.splitlines()[0]}")
    assert not found
