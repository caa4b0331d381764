"""A numbered list of requirements, checked against the tests named for them."""

from __future__ import annotations

import ast
from collections.abc import Container
from pathlib import Path

TESTS = Path(__file__).parents[1]


def asserted(place: str, asserting: Container[str] = ()) -> bool:
    """Whether the test at a place, MODULE:NAME (module without test_), asserts something or calls a function that
    does."""
    file, _, name = place.partition(":")
    (path,) = TESTS.rglob(f"test_{file}.py")
    functions = {item.name: item for item in ast.parse(path.read_text()).body if isinstance(item, ast.FunctionDef)}
    inside = list(ast.walk(functions[name]))
    called = (item.func.id for item in inside if isinstance(item, ast.Call) and isinstance(item.func, ast.Name))
    return any(isinstance(item, ast.Assert) for item in inside) or any(each in asserting for each in called)
