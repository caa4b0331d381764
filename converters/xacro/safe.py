"""What an expression of a xacro may say. xacro evaluates it as Python; this is what is left of Python.

No name or attribute that begins with an underscore, none that leads to frames or code, no formatting by attribute, no
lambda, no f-string: whatever an expression can reach is then a value or one of the functions that xacro offers.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

LONGEST = 20_000
"""Characters of an expression: the compiler of Python is recursive."""
LARGEST = 1 << 16
"""Bits of a whole number that a power or a shift makes: of 9**9**9 alone the last step takes minutes."""
ALLOWED = (
    ast.Expression,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.Call,
    ast.keyword,
    ast.Starred,
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Slice,
    ast.Constant,
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.comprehension,
)
REFUSED = ("_", "gi_", "cr_", "ag_", "f_", "tb_", "co_")
FORMATTING = ("format", "format_map", "mro")


class RefusedError(Exception):
    """The sentence that the user gets."""


def checked(expression: str) -> Any:
    """The code of an expression. Raises RefusedError for what it must not say, SyntaxError for what is none."""
    text = expression.strip()
    if len(text) > LONGEST:
        raise RefusedError(f"an expression is longer than {LONGEST} characters")
    tree = ast.parse(text, "<expression>", "eval")
    for node in ast.walk(tree):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if not isinstance(node, ALLOWED):
            raise RefusedError(f"an expression must not hold a Python {type(node).__name__}: {shown(text)}")
        if name.startswith("_") or (
            isinstance(node, ast.Attribute) and (name.startswith(REFUSED) or name in FORMATTING)
        ):
            raise RefusedError(f"an expression must not use the name {name!r}: {shown(text)}")
    return compile(ast.fix_missing_locations(_Bounded().visit(tree)), "<expression>", "eval")


class _Bounded(ast.NodeTransformer):
    """Powers and shifts to the left become calls of functions that have bounds."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        name = {ast.Pow: "_power", ast.LShift: "_shift"}.get(type(node.op))
        if name is None:
            return node
        return ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=[node.left, node.right], keywords=[])


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1:
        _fits(base.bit_length() * max(exponent, 0))
    return base**exponent


def _shift(base: Any, by: Any) -> Any:
    if isinstance(base, int) and isinstance(by, int):
        _fits(base.bit_length() + by)
    return base << by


def _fits(bits: int) -> None:
    if bits > LARGEST:
        raise RefusedError(f"a power or a shift makes a number of more than {LARGEST} bits")


BOUNDED: Mapping[str, Any] = MappingProxyType({"_power": _power, "_shift": _shift})
"""What checked code calls; no expression can name them."""


def shown(text: str, most: int = 120) -> str:
    """An expression as messages show it."""
    return text if len(text) <= most else f"{text[:most]} …"


def evaluate(expression: str, symbols: Any, local: Mapping[str, Any] | None = None) -> Any:
    """In place of xacro.safe_eval."""
    code = checked(expression)
    symbols.update(__builtins__=dict(BOUNDED))
    return eval(code, symbols, local)


def kind(value: object) -> type:
    """type with one argument: with three it makes classes, whose special methods are escapes."""
    return type(value)
