"""What a script makes of each label: followed value by value over the syntax tree, never computed by it."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

from auditor.case.scaffold.constants import decided

Encoding = Mapping[Any, Any]
"""What each value of a column becomes."""
MOST: Final = 200
"""Values of a column that are followed one by one."""

_COMPARED: Final[Mapping[type[ast.AST], Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
}
BY_METHOD: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "isin": lambda one, other: one in other,
}
_TYPES: Final[Mapping[object, Callable[[Any], Any]]] = {
    "int": int,
    "int64": int,
    "int32": int,
    "int8": int,
    "uint8": int,
    "i": int,
    "builtins.int": int,
    "numpy.int64": int,
    "numpy.int32": int,
    "numpy.int8": int,
    "numpy.uint8": int,
    "float": float,
    "float64": float,
    "float32": float,
    "builtins.float": float,
    "numpy.float64": float,
    "numpy.float32": float,
    "bool": bool,
    "builtins.bool": bool,
    "numpy.bool_": bool,
    "boolean": bool,
    "str": str,
    "builtins.str": str,
    "string": str,
    "category": lambda value: value,
}
_TEXT: Final[Mapping[str, Callable[[str], str]]] = {
    "lower": str.lower,
    "upper": str.upper,
    "strip": str.strip,
    "title": str.title,
    "casefold": str.casefold,
    "capitalize": str.capitalize,
}


def applied(encoding: Encoding | None, change: Callable[[Any], Any]) -> Encoding | None:
    """The encoding after a further change of each value; None where one cannot be changed so, or is missing then."""
    if encoding is None:
        return None
    try:
        found = {raw: change(value) for raw, value in encoding.items()}
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, ZeroDivisionError, OverflowError):
        return None
    return None if any(value is None for value in found.values()) else found


def compared(encoding: Encoding | None, kind: ast.AST, other: Any) -> Encoding | None:
    """The encoding after a comparison or sum with a constant."""
    change = _COMPARED.get(type(kind))
    return None if change is None else applied(encoding, lambda value: change(value, other))


def typed(encoding: Encoding | None, kind: object) -> Encoding | None:
    """The encoding after `astype`."""
    change = _TYPES.get(kind) if isinstance(kind, str) else None
    return None if change is None else applied(encoding, change)


def text_changed(encoding: Encoding | None, method: str) -> Encoding | None:
    """The encoding after `.str.lower()` and its like."""
    change = _TEXT.get(method)
    return None if change is None else applied(encoding, change)


def numbered(encoding: Encoding | None) -> Encoding | None:
    """What LabelEncoder makes of it: numbers in the order of the values."""
    if encoding is None:
        return None
    try:
        order = {value: at for at, value in enumerate(sorted(set(encoding.values())))}
    except TypeError:
        return None
    return applied(encoding, order.__getitem__)


def chosen(encoding: Encoding | None, then: Any, otherwise: Any) -> Encoding | None:
    """What np.where(encoding, then, otherwise) makes of it."""
    return applied(encoding, lambda value: then if value else otherwise)


def by_lambda(encoding: Encoding | None, function: ast.Lambda, constant: Callable[[ast.expr], Any]) -> Encoding | None:
    """What a lambda of one argument makes of each value, where it is made of comparisons and constants.

    Args:
        encoding: What goes in.
        function: The lambda.
        constant: Gives the value of an expression that needs no argument; raises ValueError where it has none.
    """
    names = [each.arg for each in function.args.args]
    if len(names) != 1:
        return None

    def value(node: ast.expr, given: Any) -> Any:  # noqa: PLR0911 - a case each
        match node:
            case ast.Name() if node.id == names[0]:
                return given
            case ast.IfExp():
                return value(node.body if value(node.test, given) else node.orelse, given)
            case ast.Compare() if len(node.ops) == 1 and type(node.ops[0]) in _COMPARED:
                return _COMPARED[type(node.ops[0])](value(node.left, given), value(node.comparators[0], given))
            case ast.BoolOp():
                return decided(node, lambda each: value(each, given))
            case ast.UnaryOp() if isinstance(node.op, ast.Not):
                return not value(node.operand, given)
            case ast.Subscript():
                return constant(node.value)[value(node.slice, given)]
            case ast.Call() if (
                isinstance(node.func, ast.Name) and node.func.id in {"int", "bool", "str", "float"} and len(node.args) == 1
            ):
                return _TYPES[node.func.id](value(node.args[0], given))
            case _:
                return constant(node)

    return applied(encoding, lambda given: value(function.body, given))
