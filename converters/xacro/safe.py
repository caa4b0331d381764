"""What an expression of a xacro may contain. xacro evaluates it as Python; this module restricts it.

No name or attribute that begins with an underscore, none that leads to frames or code, no formatting by attribute, no
lambda, no f-string: an expression can then only reach values and the functions that xacro offers.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

LONGEST = 20_000
"""Characters of an expression: Python's compiler is recursive."""
LARGEST = 1 << 16
"""Maximum bits of an integer from a power or a shift: the last step of 9**9**9 alone takes minutes."""
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
    """Its message is shown to the user."""


def checked(expression: str) -> Any:
    """Return the code of an expression. Raises RefusedError for forbidden content, SyntaxError for invalid Python."""
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
    """Replaces powers and left shifts by calls of functions with limits."""

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
"""Functions that checked code calls; no expression can name them."""


def shown(text: str, most: int = 120) -> str:
    """Return an expression shortened for messages."""
    return text if len(text) <= most else f"{text[:most]} …"


def evaluate(expression: str, symbols: Any, local: Mapping[str, Any] | None = None) -> Any:
    """Replaces xacro.safe_eval."""
    code = checked(expression)
    symbols.update(__builtins__=dict(BOUNDED))
    return eval(code, symbols, local)


def kind(value: object) -> type:
    """Replaces type, with one argument only: with three it creates classes, whose special methods are escapes."""
    return type(value)
