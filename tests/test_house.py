"""Rules of the house that no other tool checks."""

import ast
import re
from pathlib import Path

import nbcompare

ROOT = Path(nbcompare.__file__).parent
TREES = {
    path.relative_to(ROOT): ast.parse(path.read_text())
    for path in sorted(ROOT.rglob("*.py"))
    if "_templates" not in path.parts
}
# A first line must make sense without the name of what it describes.
FRAGMENT = re.compile(
    "(?:Of|By|In|With|As|From|For|To|On|At|Over|Without|Through|Between|After|Before|Among|About|"
    r"Around|Against|Per|Within|Upon|Up to|Beside)\b"
)
DESCRIBED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def package_of(parts):
    """Return the package of a module of nbcompare; None for the modules at its top."""
    return parts[0] if len(parts) > 1 or (ROOT / parts[0]).is_dir() else None


def private_names(node):
    """Return the package that a statement imports from, and the private names that it takes."""
    parts = node.module.split(".")[1:]
    package = package_of(tuple(parts))
    names = [*(parts[1:] if package else []), *(alias.name for alias in node.names if package)]
    return package, [name for name in names if re.match("_(?!_)", name)]


def test_no_private_name_of_another_package_is_imported():
    found = []
    for path, tree in TREES.items():
        own = package_of(path.with_suffix("").parts)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nbcompare."):
                package, private = private_names(node)
                if private and package != own:
                    found.append(f"{path}:{node.lineno} imports {private} of {package}")
    assert not found


def test_no_docstring_begins_with_a_preposition():
    found = []
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            text = ast.get_docstring(node) if isinstance(node, DESCRIBED) else None
            if text and FRAGMENT.match(text):
                name = getattr(node, "name", "module")
                found.append(f"{path}, {name}: {text.splitlines()[0]}")
    assert not found
