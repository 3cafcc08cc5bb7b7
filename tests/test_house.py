"""The shape of the house: who may import whom, and one name for one thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "docbats"
OUTER = ("readers", "render", "cli", "serve", "mcp", "corpus", "integrations", "chunks", "fitting")
"""Packages that the engine knows nothing of."""


@cache
def modules() -> dict[str, ast.Module]:
    """Return the syntax tree of each module by its name."""
    trees = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        trees[name] = ast.parse(path.read_text(encoding="utf-8"))
    return trees


@cache
def imports(module: str) -> frozenset[str]:
    """Return the modules of ours that a module imports when it is loaded itself."""
    names = set()
    for node in modules()[module].body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("docbats"):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                names.add(inner if inner in modules() else str(node.module))
    return frozenset(names - {module})


def room(module: str) -> str:
    """Return the package of a module, or the module itself where it is in none."""
    return ".".join(module.split(".")[:2])


def find_cycle(graph: dict[str, set[str]]) -> list[str]:
    """Return nodes of which each leads to the next and the last to the first; none if acyclic."""
    done: set[str] = set()

    def walk(node: str, path: list[str]) -> list[str]:
        if node in path:
            return path[path.index(node) :]
        if node not in done:
            for following in sorted(graph[node]):
                if found := walk(following, [*path, node]):
                    return found
            done.add(node)
        return []

    for node in sorted(graph):
        if found := walk(node, []):
            return found
    return []


def test_a_cycle_is_found() -> None:
    assert find_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]
    assert find_cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    assert find_cycle({name: set(imports(name)) for name in modules()}) == []


def test_packages_do_not_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = defaultdict(set)
    for name in modules():
        if name != "docbats":
            graph[room(name)] |= {room(used) for used in imports(name)} - {room(name), "docbats"}
    assert find_cycle(dict(graph)) == []


def test_the_engine_knows_nothing_of_files_terminals_and_http() -> None:
    engine = [name for name in modules() if name.count(".") and name.split(".")[1] not in OUTER]
    engine = [name for name in engine if name != "docbats.__main__"]
    assert len(engine) > 30
    known = {
        (name, used) for name in engine for used in imports(name) if used.split(".")[1] in OUTER
    }
    assert known == set()


def test_no_two_classes_have_the_same_name() -> None:
    homes = defaultdict(list)
    for name, tree in modules().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(name)
    assert {name: rooms for name, rooms in homes.items() if len(rooms) > 1} == {}
