"""Finds the labels, and what each is to the loss."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Final

from auditor.case.scaffold import syntax
from auditor.case.scaffold.syntax import words
from auditor.case.scaffold.torch_loops import Loss
from auditor.case.scaffold.torch_scripts.inputs import Inputs
from auditor.case.scaffold.torch_scripts.names import BY_HAND, LOSSES

_AMOUNTS: Final = (
    "amounts as the table has them, since predictions are compared with those: leave the scaling out, or have forward of the "
    f"module return `outputs * SCALE + CENTRE`, round numbers at the top that are worked out from no record, {BY_HAND}"
)


_AS_THEY_ARE: Final = words(
    "astype to_numpy copy tensor as_tensor from_numpy Tensor FloatTensor LongTensor array asarray reshape view "
    "unsqueeze squeeze float double long to contiguous pop len int type ravel flatten device"
)
"""Those that leave labels what they are."""


_RECODES: Final = words("replace map applymap apply assign where mask transform eval update")
"""Methods of a table that may give labels other names."""


_ENCODES: Final = {"LabelEncoder", "fit_transform", "OrdinalEncoder"}


class Labels(Inputs):
    """Finds the labels, and what each is to the loss."""

    def _labels(self, loss: Loss) -> tuple[str | None, Mapping[str, int] | None]:
        """The column of labels, and what becomes of its values where the script says it."""
        name = self._label_name or self._label_of_loss()
        column: str | None = None
        encoded: Mapping[str, int] | None = None
        needed = set() if name is None else {name}
        for each in reversed(self.before):
            stored = set(syntax.stores(each)) & needed
            if column is not None:
                if (stored or syntax.changed_by(each) & needed) and (value := self._given_to(each, column)) is not None:
                    if encoded is not None or not isinstance(each, ast.Assign) or not self._is_of_column(each, value, column):
                        expected = f"labels that are encoded once, by .map({{…}}) of their column, {BY_HAND}"
                        self._problem(each, expected, ast.unparse(each).splitlines()[0])
                        break
                    encoded = self._encoding(value, loss)
                continue
            if not stored:
                continue
            parts = self._parts(each, stored)
            if parts is None:
                expected = f"labels worked out statement by statement at the top of the file, {BY_HAND}"
                self._problem(each, expected, ast.unparse(each).splitlines()[0])
                break
            for _, used, values in parts:
                for value in values:
                    column = column or next(iter(syntax.columns(value)), None)
                    encoded = encoded or self._encoding(value, loss)
                needed |= used & self._run_names()
        return column, encoded

    def _is_of_column(self, statement: ast.Assign, value: ast.expr, column: str) -> bool:
        """Whether a statement gives a whole column a value that is worked out from it."""
        (target, *_) = statement.targets
        rows = isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Constant)
        if rows or syntax.callee(value) == "assign":
            return False
        return isinstance(target, ast.Name) or column in syntax.columns(value)

    def _given_to(self, statement: ast.stmt, column: str) -> ast.expr | None:
        """What a statement makes of a column of the table before labels are taken from it; None where it leaves it as it is."""
        inner = statement.body if isinstance(statement, ast.For) else [statement]
        constants = self._columns_of_loop(statement) if isinstance(statement, ast.For) else []
        for each in inner:
            if not isinstance(each, ast.Assign | ast.AugAssign | ast.Expr):
                continue
            targets = each.targets if isinstance(each, ast.Assign) else [each.target] if isinstance(each, ast.AugAssign) else []
            if any(isinstance(one, ast.Subscript) and _may_be(one.slice, column, constants) for one in targets):
                return each.value
            whole = [one for one in syntax.calls_in(each.value) if syntax.callee(one) in _RECODES]
            other = any(isinstance(one, ast.Subscript) for one in targets)
            if not other and any(_recodes(one, column) for one in whole):
                return each.value
        return None

    def _label_of_loss(self) -> str | None:
        """The label that the loop takes rows of."""
        names = {name for each in [*self.head, *self.before] if self._makes_loss(each) for name in syntax.stores(each)}
        where = [self.loop, *(self.definitions[name] for name in self._reached([self.loop]))]
        for call in (call for each in where for call in syntax.calls_in(each)):
            found = [name for arg in call.args[1:] for name in sorted(syntax.loads(arg)) if self._is_target(name)]
            if found and (syntax.callee(call) in names | LOSSES.keys() or syntax.callee(call) in self.definitions):
                return found[-1]
        return None

    def _makes_loss(self, statement: ast.stmt) -> bool:
        return isinstance(statement, ast.Assign) and any(syntax.callee(call) in LOSSES for call in syntax.calls_in(statement))

    def _is_target(self, name: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a name is worked out from one column of the table, or is rows of such a one."""
        if name in seen or name not in self._of_table():
            return False
        for each in self._assigned(name):
            if any(True for _ in syntax.columns(each)):
                return True
            for _, used, values in self._parts(each, {name}) or ():
                as_they_are = all(
                    syntax.callee(call) in _AS_THEY_ARE - {"len"} for one in values for call in syntax.calls_in(one)
                )
                if as_they_are and any(self._is_target(one, seen | {name}) for one in used):
                    return True
        return False

    def _encoding(self, value: ast.expr, loss: Loss) -> Mapping[str, int] | None:
        as_table = "labels as the table has them, by .map({…}), == or LabelEncoder: predictions are compared with those"
        if loss == "amount":
            as_table = _AMOUNTS
        for call in syntax.calls_in(value):
            if syntax.callee(call) == "map" and call.args and isinstance(call.args[0], ast.Dict):
                return syntax.mapping(call.args[0])
        changed = [call for call in syntax.calls_in(value) if syntax.callee(call) not in _AS_THEY_ARE | _ENCODES]
        if changed or any(isinstance(node, ast.BinOp) for node in ast.walk(value)):
            self._problem(value, as_table, ast.unparse(value))
        for node in ast.walk(value):
            if isinstance(node, ast.Compare) and isinstance(node.comparators[0], ast.Constant):
                if isinstance(node.ops[0], ast.Eq) and loss != "amount":
                    return {str(node.comparators[0].value): 1}
                self._problem(value, as_table, ast.unparse(value))
        return None


def _may_be(index: ast.expr, column: str, constants: Sequence[str]) -> bool:
    """Whether an index may name a column, where a loop goes over constants."""
    if isinstance(index, ast.Tuple) and index.elts:
        index = index.elts[-1]  # .loc[rows, column]
    if isinstance(index, ast.Constant):
        return index.value == column
    if isinstance(index, ast.Name):
        return not constants or column in constants
    if isinstance(index, ast.BinOp) and isinstance(index.left, ast.Constant):
        return column.startswith(str(index.left.value))
    if isinstance(index, ast.JoinedStr) and index.values and isinstance(index.values[0], ast.Constant):
        return column.startswith(str(index.values[0].value))
    return not isinstance(index, ast.List) or any(_may_be(each, column, constants) for each in index.elts)


def _recodes(call: ast.Call, column: str) -> bool:
    """Whether a call of a whole table, or of the column, may give its values other names."""
    on = [*syntax.columns(call.func)]
    if on:
        return column in on
    if syntax.callee(call) == "assign":
        return any(each.arg is None or each.arg == column for each in call.keywords)
    if syntax.callee(call) != "replace" or not call.args:
        return True
    (first, *rest) = call.args
    if isinstance(first, ast.Dict):
        by_column = all(isinstance(each, ast.Dict) for each in first.values)
        return not by_column or any(isinstance(each, ast.Constant) and each.value == column for each in first.keys)
    return bool(rest) and isinstance(rest[0], ast.Constant | ast.List | ast.UnaryOp)
