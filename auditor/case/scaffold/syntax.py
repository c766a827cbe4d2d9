"""What a syntax tree says: names that a statement uses, stores and changes, the calls in it, and the columns of a table."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence


def words(text: str) -> frozenset[str]:
    """Take words apart."""
    return frozenset(text.split())


def imported(tree: ast.AST) -> Iterator[str]:
    """Name the modules that a file imports anywhere in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def calls_in(node: ast.AST) -> Iterator[ast.Call]:
    """Find every call in a node."""
    return (each for each in ast.walk(node) if isinstance(each, ast.Call))


def callee(node: ast.AST) -> str:
    """Name what is called, without what it is an attribute of; empty where the node is no call."""
    return last(node.func) if isinstance(node, ast.Call) else ""


def last_word(node: ast.AST) -> str:
    """Name the last word of what is called, or of the node where it is no call; empty where it has none."""
    return last(node.func if isinstance(node, ast.Call) else node)


def last(node: ast.AST) -> str:
    """Give the last part of a dotted name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def dotted(call: ast.Call) -> str:
    """Give all of what is called, as written."""
    return ast.unparse(call.func)


def first(call: ast.Call) -> str:
    """The name that a call begins with."""
    return root(call.func)


def root(node: ast.AST) -> str:
    """The name that an expression of attributes, items and calls begins with; empty where it begins with none."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript | ast.Starred):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def is_main(statement: ast.stmt) -> bool:
    """Whether a statement is the block under `if __name__ == "__main__":`."""
    return isinstance(statement, ast.If) and "__name__" in loads(statement.test)


def loads(node: ast.AST) -> set[str]:
    """Collect the names in a node, stored ones among them."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def stores(node: ast.AST) -> list[str]:
    """List the names that a statement gives a value, of definitions too."""
    found = [each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    return [*found, *([node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else [])]


def targets(statement: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    """List what an assignment gives a value."""
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def is_names(target: ast.expr) -> bool:
    """Whether a target is a name, or several."""
    return isinstance(target, ast.Name) or (
        isinstance(target, ast.Tuple) and all(isinstance(each, ast.Name) for each in target.elts)
    )


def changed_by(statement: ast.stmt) -> set[str]:
    """Names of what a statement changes in place."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        inplace = any(each.arg == "inplace" for each in statement.value.keywords) or callee(statement.value).endswith("_")
        return {first(statement.value)} if inplace or callee(statement.value) in {"pop", "insert"} else set()
    if isinstance(statement, ast.For | ast.While | ast.If | ast.With | ast.Try):
        inner = (each for each in ast.walk(statement) if isinstance(each, ast.Expr | ast.Assign | ast.AugAssign))
        return {name for each in inner for name in changed_by(each)}
    if isinstance(statement, ast.Assign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return {name for each in targets if isinstance(each, ast.Subscript | ast.Attribute) for name in loads(each)}
    return set()


def hands_over(statement: ast.stmt, names: set[str]) -> bool:
    """Whether a statement gives something to a function that may change it in place."""
    if not isinstance(statement, ast.Expr):
        return False
    calls = [
        each for each in calls_in(statement) if callee(each) not in {"print", "len", "info", "head", "describe", "manual_seed"}
    ]
    return any(loads(arg) & names for each in calls for arg in (*each.args, *(one.value for one in each.keywords)))


def is_drawn_around(value: ast.expr) -> bool:
    """Whether a batch is given to something random, or something is added to it: the batch by itself is what is predicted."""
    if isinstance(value, ast.Call):
        return any(isinstance(each, ast.Name) for each in value.args) or isinstance(value.func, ast.Attribute)
    added = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add | ast.Sub)
    return added and isinstance(value, ast.BinOp) and isinstance(value.left, ast.Name | ast.Subscript)


def free(definition: ast.FunctionDef | ast.ClassDef) -> set[str]:
    """Names that a definition takes from around it."""
    own = {each.arg for each in ast.walk(definition) if isinstance(each, ast.arg)}
    return loads(definition) - own - set(stores(definition))


def part_of(value: ast.expr, at: int, count: int) -> ast.expr | None:
    """What one of several targets gets, where a split takes rows of each argument; None where nobody can say."""
    if isinstance(value, ast.Tuple) and len(value.elts) == count:
        return value.elts[at]
    if isinstance(value, ast.Call) and callee(value) == "train_test_split" and 2 * len(value.args) == count:
        return value.args[at // 2]
    return None


def mapping(table: ast.Dict) -> Mapping[str, int]:
    """A table of constants; empty for any other."""
    pairs = list(zip(table.keys, table.values, strict=True))
    if not all(isinstance(k, ast.Constant) and isinstance(v, ast.Constant) and isinstance(v.value, int) for k, v in pairs):
        return {}
    return {str(k.value): int(str(v.value)) for k, v in pairs if isinstance(k, ast.Constant) and isinstance(v, ast.Constant)}


def called_alone(statement: ast.stmt) -> str | None:
    """The name of the function that a statement calls without arguments, where that is all of it."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    alone = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and not value.args and not value.keywords
    return value.func.id if alone and isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else None


def name_of(node: ast.expr) -> str | None:
    """Give the name that an expression is; None for any other."""
    return node.id if isinstance(node, ast.Name) else None


def texts(node: ast.AST) -> Iterator[str]:
    """Find constant texts."""
    return (each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str))


def columns(value: ast.AST) -> Iterator[str]:
    """Columns that an expression takes from a table."""
    for node in ast.walk(value):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            yield node.slice.value
        elif isinstance(node, ast.Call) and callee(node) == "pop":
            yield from list(texts(node))[:1]


def within_subscript(value: ast.expr, node: ast.AST) -> bool:
    """Whether a node is part of an index."""
    return any(
        isinstance(each, ast.Subscript) and any(inner is node for inner in ast.walk(each.slice)) for each in ast.walk(value)
    )


def ranges(statements: Sequence[ast.stmt]) -> str:
    """Line numbers, neighbours drawn together."""
    lines = sorted({line for each in statements for line in range(each.lineno, (each.end_lineno or each.lineno) + 1)})
    found: list[list[int]] = []
    for line in lines:
        if found and line == found[-1][1] + 1:
            found[-1][1] = line
        else:
            found.append([line, line])
    return ", ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in found)
