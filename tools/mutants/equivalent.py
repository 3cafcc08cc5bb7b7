"""What each mutant changes, and which changes cannot matter."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_STRICT = re.compile(r",\s*strict=\w+|strict=\w+,\s*")
_CAST = re.compile(r"\bcast\([^,()]*(?:\[[^]]*\])?[^,()]*,\s*")
_NAME = re.compile(r"__mutmut_\w+")


@dataclass(frozen=True)
class Change:
    """The lines that a mutant changes, before and after, and the statement that they are in."""

    before: str
    after: str
    is_message: bool


def find_changes(folder: Path) -> dict[str, Change]:
    """Return what each mutant in the folder changes, by its name."""
    names = json.loads((folder / "names.json").read_text())
    by_file: dict[str, list[str]] = {}
    for name, path in names.items():
        by_file.setdefault(path, []).append(name)
    found = {}
    for path, mutants in by_file.items():
        text = (folder / "mutants" / path).read_text()
        lines = text.splitlines()
        functions = {
            node.name: node
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.FunctionDef) and "__mutmut_" in node.name
        }
        for mutant in mutants:
            name = mutant.rpartition(".")[2]
            original = functions[name.rpartition("__mutmut_")[0] + "__mutmut_orig"]
            found[mutant] = _compare(lines, original, functions[name])
    return found


def _compare(lines: list[str], original: ast.FunctionDef, mutant: ast.FunctionDef) -> Change:
    old, new = (
        [_NAME.sub("", line) for line in lines[node.lineno - 1 : node.end_lineno]]
        for node in (original, mutant)
    )
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    changed = range(original.lineno + first, original.lineno + len(old) - last)
    before, after = (
        " ".join(line.strip() for line in part[first : len(part) - last]) for part in (old, new)
    )
    return Change(before, after, _is_message(original, changed))


def _is_message(function: ast.FunctionDef, changed: range) -> bool:
    """Whether the lines are those that make an error's message."""
    if not changed:
        return False
    inside = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.stmt)
        and node.lineno <= changed[0]
        and (node.end_lineno or 0) >= changed[-1]
    ]
    smallest = max(inside, key=lambda node: node.lineno)
    if isinstance(smallest, ast.Raise):
        return True
    targets = smallest.targets if isinstance(smallest, ast.Assign) else []
    return any(isinstance(target, ast.Name) and target.id == "msg" for target in targets)


def why_equivalent(name: str, change: Change) -> str:
    """Return why no test could or should notice a change; nothing where one should."""
    del name
    if change.is_message:
        return "the words of an error's message"
    if _STRICT.sub("", change.before) == _STRICT.sub("", change.after):
        return "zip's strict: a check of ourselves that never fails"
    if _CAST.sub("", change.before) == _CAST.sub("", change.after):
        return "a cast: for the type checker alone"
    if change.before.replace("utf-8", "UTF-8") == change.after:
        return "the name of an encoding in capitals"
    if change.before.replace('"stable"', '"STABLE"') == change.after:
        return "the name of a way to sort in capitals, which numpy takes for the same"
    return ""
