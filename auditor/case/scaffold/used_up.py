"""What gives each item once, so that what is next depends on who asked before: iterators that are kept, and `next`."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Final

from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.script_names import FUNCTION, Names, names_of
from auditor.case.scaffold.syntax import callee, root, words

_ONCE: Final = words(
    "iter map filter zip enumerate reversed open reader DictReader islice chain cycle count repeat starmap takewhile dropwhile "
    "accumulate product permutations combinations groupby tee iterrows itertuples items_iter iterdir glob rglob scandir"
)
"""Calls whose result gives each item once."""
_TAKES: Final = words("popleft heappop readline get_nowait send")
"""Calls that take the next item away."""
_ITERATOR: Final = Fault(
    "gives each item once, so that what is next depends on who asked before",
    "make it a list, and take items by their place: list(…)[0]",
)


class UsedUp(Names):
    """The iterators of one file."""

    def found(self) -> Iterator[tuple[int, Fault]]:
        """Name those that are asked more than once, by line."""
        loads = Counter(each.id for each in self.nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))
        repeated = {
            name.id
            for each in self.nodes
            if isinstance(each, FUNCTION | ast.For | ast.While)
            for name in ast.walk(each)
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load)
        }
        at_once = {id(each.args[0]) for each in self.nodes if isinstance(each, ast.Call) and callee(each) == "next" and each.args}
        for node in self.nodes:
            if isinstance(node, ast.Call) and callee(node) in _TAKES:
                yield node.lineno, _ITERATOR
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"next", "anext"}:
                # Of what is made between the brackets, the first item is always the same.
                if not node.args or not isinstance(node.args[0], ast.Call | ast.GeneratorExp) or self._own_call(node.args[0]):
                    yield node.lineno, _ITERATOR
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "iter":
                if id(node) not in at_once:
                    yield node.lineno, _ITERATOR
            elif isinstance(node, ast.Name) and node.id in {"iter", "next"} and not self._is_called(node):
                yield node.lineno, _ITERATOR
            elif isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                into = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = {name for each in into for name in names_of(each)}
                alone = all(isinstance(each, ast.Name) for each in into)
                again = not alone or any(loads[name] > 1 or name in repeated for name in names)
                if again and self._gives_once(
                    node.value, spread=not alone and all(isinstance(each, ast.Tuple | ast.List) for each in into)
                ):
                    yield node.lineno, _ITERATOR

    def _is_called(self, name: ast.Name) -> bool:
        return any(isinstance(each, ast.Call) and each.func is name for each in self.nodes)

    def _gives_once(self, node: ast.expr, *, spread: bool) -> bool:
        """Whether a value is used up by those who read it, or holds such a one.

        Args:
            node: The value.
            spread: Whether its items are given to several names, which reads all of it at once.
        """
        if isinstance(node, ast.List | ast.Tuple | ast.Dict | ast.IfExp | ast.BoolOp):
            return any(self._gives_once(each, spread=False) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr))
        if spread:
            return False
        if isinstance(node, ast.GeneratorExp):
            return True
        if not isinstance(node, ast.Call):
            return False
        function = self.defined.get(callee(node)) if isinstance(node.func, ast.Name) else None
        if isinstance(function, ast.FunctionDef):
            inner = [*ast.walk(function)]
            return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in inner) or any(
                isinstance(each, ast.Return) and each.value is not None and self._gives_built_in(each.value) for each in inner
            )
        return self._gives_built_in(node)

    def _gives_built_in(self, node: ast.expr) -> bool:
        if isinstance(node, ast.GeneratorExp):
            return True
        if not isinstance(node, ast.Call) or callee(node) not in _ONCE:
            return False
        # A column has a method map as well, which gives all of it.
        return isinstance(node.func, ast.Name) or self.whence.get(root(node.func), "") in {"itertools", "csv", "builtins"}
