"""Rules of the house that no other tool checks."""

import ast
import re
from pathlib import Path

import pytest

import nbcompare

ROOT = Path(nbcompare.__file__).parent
# A first line must make sense without the name of what it describes.
FRAGMENT = re.compile(
    "(?:Of|By|In|With|As|From|For|To|On|At|Over|Without|Through|Between|After|Before|Among|About|"
    r"Around|Against|Per|Within|Upon|Up to|Beside)\b"
)
# What one kind of system lacks, by the modules that know what to do there
SYSTEM = {
    "_files.py": {"access", "chmod", "fsync", "hardlink_to", "replace", "/tmp"},
    "_tables/large_text.py": {"access"},
    "_tables/origin.py": {"resource", "/proc"},
    "_tables/frames.py": {"access"},
    "cli/_server.py": {"SIG_IGN", "SIGINT", "SIGTERM", "add_signal_handler"},
    "cli/_signals.py": {"SIG_IGN", "SIGINT", "SIGTERM"},
    "cli/_surroundings.py": {"dup2"},
    "widgets/_worker.py": {"SIGKILL", "killpg", "getpgrp", "start_new_session"} | {"dup", "dup2"},
}
OF_SYSTEMS = re.compile(
    "access|fsync|dup2?|f?chmod|chown|(hard|sym)link_to|link|symlink|rename|fork|kill(pg)?|nice|"
    "get(e?[ug]id|pg(id|rp)|loadavg)|setsid|mkfifo|umask|uname|sched_.*|SIG[A-Z_]+|start_new_session|"
    "preexec_fn|pass_fds|add_signal_handler"
)
MODULES = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "msvcrt", "winreg", "ctypes"}
DESCRIBED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@pytest.fixture(scope="module")
def trees():
    return {
        path.relative_to(ROOT): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(ROOT.rglob("*.py"))
        if "_templates" not in path.parts
    }


def package_of(parts):
    """Return the package of a module of nbcompare; None for the modules at its top."""
    return parts[0] if len(parts) > 1 or (ROOT / parts[0]).is_dir() else None


def private_names(node):
    """Return the package that a statement imports from, and the private names that it takes."""
    parts = node.module.split(".")[1:]
    package = package_of(tuple(parts))
    names = [*(parts[1:] if package else []), *(alias.name for alias in node.names if package)]
    return package, [name for name in names if re.match("_(?!_)", name)]


def test_no_private_name_of_another_package_is_imported(trees):
    found = []
    for path, tree in trees.items():
        own = package_of(path.with_suffix("").parts)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nbcompare."):
                package, private = private_names(node)
                if private and package != own:
                    found.append(f"{path}:{node.lineno} imports {private} of {package}")
    assert not found


def test_no_docstring_begins_with_a_preposition(trees):
    found = []
    for path, tree in trees.items():
        for node in ast.walk(tree):
            text = ast.get_docstring(node) if isinstance(node, DESCRIBED) else None
            if text and FRAGMENT.match(text):
                name = getattr(node, "name", "module")
                found.append(f"{path}, {name}: {text.splitlines()[0]}")
    assert not found


def asked_of_a_system(tree):
    """Yield the names and places that only some systems have, or treat in ways of their own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and OF_SYSTEMS.fullmatch(node.attr):
            own = getattr(node.value, "id", "") in ("os", "signal", "loop")
            if own or node.attr in ("chmod", "hardlink_to", "symlink_to"):
                yield node.attr
        elif isinstance(node, ast.keyword) and OF_SYSTEMS.fullmatch(node.arg or ""):
            yield node.arg
        elif isinstance(node, ast.Import) and MODULES & {alias.name for alias in node.names}:
            yield node.names[0].name
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            yield node.module
        elif isinstance(node, ast.Constant) and re.match("/(proc|dev|tmp)\\b", str(node.value)):
            yield re.match(r"/\w+", node.value)[0]
        # of a text, replace takes two arguments, and of a table, rename takes a mapping
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("replace", "rename"):
            is_of_path = len(node.args) == 1 and "model" not in ast.unparse(node.func)
            if is_of_path and not node.keywords and not isinstance(node.args[0], ast.Dict):
                yield node.func.attr


def test_what_systems_differ_in_is_asked_for_in_few_modules(trees):
    found = {path.as_posix(): {*asked_of_a_system(tree)} for path, tree in trees.items()}
    assert {path: names for path, names in found.items() if names} == SYSTEM


def test_text_has_an_encoding_and_ends_of_lines_of_its_own(trees):
    """The systems' own differ: cp1252 and two characters at the end of a line on Windows."""
    found = []
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            given = {keyword.arg for keyword in node.keywords}
            mode = [a.value for a in node.args if isinstance(a, ast.Constant)]
            wanted = {
                "read_text": {"encoding"},
                "write_text": {"encoding", "newline"},
                "TextIOWrapper": {"encoding"},
                "fdopen": set() if "wb" in mode else {"encoding"},
            }.get(name, set())
            if name in ("run", "Popen", "check_output") and "text" in given:
                wanted = {"encoding"}
            if name == "open" and mode and re.fullmatch("[rwax]t?[+]?", str(mode[0])):
                wanted = {"encoding", "newline"}
            if wanted - given:
                found.append(f"{path}:{node.lineno}: {name} without {wanted - given}")
    assert not found


@pytest.mark.parametrize("gate", ["run", "weekly"])
def test_gates_name_tests_that_exist(gate):
    root = ROOT.parent
    text = (root / ".ci" / gate).read_text("utf-8")
    named = set()
    for word in re.findall(r"tests/[\w./{},]+", text):
        names = [word]
        while any("{" in name for name in names):  # as bash expands braces, the innermost first
            names = [
                name.replace(f"{{{choices}}}", choice, 1)
                for name in names
                for choices in re.findall(r"\{([^{}]*)\}", name)[:1]
                for choice in choices.split(",")
            ]
        named.update(names)
    assert named
    assert not {name for name in named if not (root / name).exists()}
