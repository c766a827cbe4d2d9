"""Values of a script's expressions that need nothing run: constants, lists of columns, tables of names."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, Final

from auditor.case.scaffold.syntax import words

MOST: Final = 10_000
"""Elements of a list, characters of a text."""

Lookup = Callable[[ast.expr], Any]
"""Gives the value of a name, an attribute or a call that the caller knows; raises UnknownError."""


_MADE: Final[Mapping[str, Callable[[Any], Any]]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "sorted": sorted,
    "frozenset": frozenset,
    "len": len,
    "dict": dict,
}


class UnknownError(ValueError):
    """The value of an expression is not known without running it."""


def value(node: ast.expr, lookup: Lookup, own: Mapping[str, Any] | None = None) -> Any:  # noqa: C901, PLR0911, PLR0912 - a case each
    """The value of an expression.

    Args:
        node: The expression.
        lookup: Asked for what is no literal.
        own: Variables of comprehensions.

    Raises:
        UnknownError: If it is not known without running it, or is too large.
    """
    own = own or {}

    def inner(each: ast.expr, more: Mapping[str, Any] = own) -> Any:
        return value(each, lookup, more)

    match node:
        case ast.Constant():
            return node.value
        case ast.Name() if node.id in own:
            return own[node.id]
        case ast.Starred():
            raise UnknownError
        case ast.List() | ast.Tuple() | ast.Set():
            found: list[Any] = []
            for each in node.elts:
                found += inner(each.value) if isinstance(each, ast.Starred) else [inner(each)]
            return _small(found if isinstance(node, ast.List) else tuple(found) if isinstance(node, ast.Tuple) else _set(found))
        case ast.Dict():
            if any(each is None for each in node.keys):
                raise UnknownError
            return _dict([(inner(key), inner(each)) for key, each in zip(node.keys, node.values, strict=True) if key is not None])
        case ast.JoinedStr():
            if any(isinstance(each, ast.FormattedValue) and (each.conversion >= 0 or each.format_spec) for each in node.values):
                raise UnknownError
            return _small(
                "".join(str(inner(each.value) if isinstance(each, ast.FormattedValue) else inner(each)) for each in node.values)
            )
        case ast.BinOp(op=ast.Add()):
            one, other = inner(node.left), inner(node.right)
            return _small(_tried(lambda: one + other))
        case ast.BinOp(op=ast.Sub()):
            one, other = inner(node.left), inner(node.right)
            return _tried(lambda: one - other)
        case ast.UnaryOp(op=ast.USub()):
            operand = inner(node.operand)
            return _tried(lambda: -operand)
        case ast.UnaryOp(op=ast.Not()):
            return not inner(node.operand)
        case ast.BoolOp():
            return decided(node, inner)
        case ast.Compare() if len(node.ops) == 1:
            return _compared(node.ops[0], inner(node.left), inner(node.comparators[0]))
        case ast.IfExp():
            return inner(node.body if inner(node.test) else node.orelse)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() if len(node.generators) == 1:
            turned = _turned(node.generators[0], inner, own)
            results = [inner(node.elt, each) for each in turned]
            return _set(results) if isinstance(node, ast.SetComp) else results
        case ast.DictComp() if len(node.generators) == 1:
            return _dict([(inner(node.key, each), inner(node.value, each)) for each in _turned(node.generators[0], inner, own)])
        case ast.Call(func=ast.Name(id=named), args=[only], keywords=[]) if named in _MADE and _is_built_in(
            node.func, lookup, own
        ):
            given = inner(only)
            return _tried(lambda: _MADE[named](given))
        case ast.Call(func=ast.Name(id="range"), keywords=[]) if _is_built_in(node.func, lookup, own):
            ends = [inner(each) for each in node.args]
            found_range = _tried(lambda: range(*ends))
            return _small(list(found_range) if len(found_range) <= MOST else found_range)
        case ast.Call(func=ast.Attribute(value=held, attr=name), keywords=[]) if name in _METHODS:
            given, arguments = inner(held), [inner(each) for each in node.args]
            return _small(_method(given, name, arguments))
        case ast.Subscript(slice=ast.Slice() as cut):
            low, high, step = (None if each is None else inner(each) for each in (cut.lower, cut.upper, cut.step))
            given = inner(node.value)
            return _tried(lambda: given[low:high:step])
        case ast.Subscript():
            given, key = inner(node.value), inner(node.slice)
            return _tried(lambda: given[key])
        case _:
            return lookup(_with(node, own))


def decided(node: ast.BoolOp, inner: Callable[[ast.expr], Any]) -> Any:
    """What `and` and `or` give: the first of their values that decides, or the last."""
    found: Any = None
    for each in node.values:
        found = inner(each)
        if bool(found) is isinstance(node.op, ast.Or):
            break
    return found


def _is_built_in(function: ast.expr, lookup: Lookup, own: Mapping[str, Any]) -> bool:
    """Whether a name is Python's own, and stands for nothing else here."""
    name = function.id if isinstance(function, ast.Name) else ""
    return name not in own and getattr(lookup(function), "path", "") == f"builtins.{name}"


def _is_single(value: Any) -> bool:
    """Whether there is one of a value only."""
    return value is None or isinstance(value, bool)


_METHODS: Final = words(
    "tolist to_list difference union intersection copy drop startswith endswith lower upper strip replace keys values items index"
)


def _method(given: Any, name: str, arguments: list[Any]) -> Any:
    if name in {"tolist", "to_list", "copy"} and isinstance(given, list) and not arguments:
        return [*given]
    if isinstance(given, list) and name in {"difference", "union", "intersection", "drop"} and len(arguments) == 1:
        other = [arguments[0]] if isinstance(arguments[0], str) else [*arguments[0]]
        if name == "drop":
            return [each for each in given if each not in other]
        # pandas sorts what these give.
        joined = {"difference": set(given) - {*other}, "union": {*given, *other}, "intersection": set(given) & {*other}}[name]
        return _tried(lambda: sorted(joined))
    if isinstance(given, str) and name in {"startswith", "endswith", "lower", "upper", "strip", "replace"}:
        return _tried(lambda: getattr(given, name)(*arguments))
    if isinstance(given, dict) and name in {"keys", "values", "items"} and not arguments:
        return [*getattr(given, name)()]
    raise UnknownError


def _turned(generator: ast.comprehension, inner: Callable[..., Any], own: Mapping[str, Any]) -> list[dict[str, Any]]:
    over = inner(generator.iter)
    if not isinstance(over, list | tuple | set | frozenset | dict | range) or len(over) > MOST:
        raise UnknownError
    turns: list[dict[str, Any]] = []
    for each in over:
        turn = {**own}
        bind(generator.target, each, turn)
        if all(inner(test, turn) for test in generator.ifs):
            turns.append(turn)
    return turns


def bind(target: ast.expr, given: Any, into: dict[str, Any]) -> None:
    """Give the names of a target their values.

    Raises:
        UnknownError: If they do not fit.
    """
    if isinstance(target, ast.Name):
        into[target.id] = given
    elif isinstance(target, ast.Tuple) and isinstance(given, tuple | list) and len(given) == len(target.elts):
        for each, part in zip(target.elts, given, strict=True):
            bind(each, part, into)
    else:
        raise UnknownError


def _with(node: ast.expr, own: Mapping[str, Any]) -> ast.expr:
    """The expression with variables of comprehensions replaced by their values."""
    if not own:
        return node

    class Put(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return (
                ast.copy_location(ast.Constant(own[name.id]), name) if isinstance(own.get(name.id), str | int | float) else name
            )

    # Not in place: a comprehension goes through its body again.
    put: ast.expr = Put().visit(ast.parse(ast.unparse(node), mode="eval").body)
    return put


def _compared(kind: ast.cmpop, one: Any, other: Any) -> bool:
    match kind:
        case ast.In():
            return bool(_tried(lambda: one in other))
        case ast.NotIn():
            return bool(_tried(lambda: one not in other))
        case ast.Is() | ast.IsNot() if not _is_single(one) and not _is_single(other):
            raise UnknownError  # whether two equal things are one is the interpreter's to say
        case ast.Is():
            return one is other
        case ast.IsNot():
            return one is not other
        case ast.Eq():
            return bool(one == other)
        case ast.NotEq():
            return bool(one != other)
        case _:
            raise UnknownError


def _tried(make: Callable[[], Any]) -> Any:
    try:
        return make()
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError) as error:
        raise UnknownError from error


def _set(found: list[Any]) -> frozenset[Any]:
    made: frozenset[Any] = _tried(lambda: frozenset(found))
    return made


def _dict(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    made: dict[Any, Any] = _tried(lambda: dict(pairs))
    _small(made)
    return made


def _small(found: Any) -> Any:
    if isinstance(found, str | list | tuple | dict | set | frozenset) and len(found) > MOST:
        raise UnknownError
    if isinstance(found, int) and found.bit_length() > 256:
        raise UnknownError
    return found
