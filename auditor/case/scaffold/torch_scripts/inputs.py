"""Follows the way from a row of the table to the network."""

from __future__ import annotations

import ast
import re
from functools import partial
from typing import Final

from auditor.case.scaffold import syntax
from auditor.case.scaffold.syntax import words
from auditor.case.scaffold.torch_loops import GIVEN
from auditor.case.scaffold.torch_scripts.names import BY_HAND
from auditor.case.scaffold.torch_scripts.training import Training

_RANDOM: Final = re.compile(
    r"rand\w*|normal_?|uniform_?|bernoulli_?|multinomial|choice|choices|sample|gauss|permutation|shuffle|random|Random\w+"
    r"|(?:Color)?Jitter|AutoAugment|RandAugment|TrivialAugmentWide|AugMix|Gaussian(?:Blur|Noise)|MixUp|CutMix|beta|dropout\w*"
)


_ROW_WISE: Final = words(
    "drop astype to_numpy copy tensor as_tensor from_numpy Tensor FloatTensor LongTensor array asarray reshape view "
    "unsqueeze squeeze permute transpose float double long to contiguous div mul add sub clip clamp log log1p exp "
    "sqrt abs len int list ascontiguousarray float32 float64 int64 uint8 flatten rename pop fillna replace type "
    "device"
)
"""Functions of a table or tensor whose result for a row depends on that row alone."""


_SAME: Final = {"to", "float", "contiguous", "requires_grad_", "type", "cpu"}


class Inputs(Training):
    """Follows the way from a row of the table to the network."""

    def _inputs(self, root: str, label: str | None) -> list[str]:
        """The statements that make the tensor that the training takes of a table."""
        self._examine_batches()
        return self._way_back(root, label)

    def _examine_batches(self) -> None:
        """Refuse what a batch goes through on its way to the network, but for what is drawn at random."""
        names = {name for call in self._training_calls() for arg in call.args for name in syntax.loads(arg)}
        for call in self._training_calls():
            for arg in call.args:
                self._examine_batch(arg)
        where = [self.loop, *(each for each in self.definitions.values() if self._calls(each, {"backward"}))]
        for each in where:
            for node in ast.walk(each):
                if isinstance(node, ast.Assign | ast.AugAssign) and set(syntax.stores(node)) & names:
                    evaluated = [one for one in syntax.calls_in(node) if self._is_evaluation(each, one)]
                    if not evaluated:
                        self._examine_batch(node.value, augmented=isinstance(node, ast.AugAssign))

    def _examine_batch(self, value: ast.expr, *, augmented: bool = False) -> None:
        calls = [one for one in syntax.calls_in(value) if syntax.callee(one) not in _SAME]
        if any(self._is_random(one) for one in calls) and syntax.is_drawn_around(value):
            self.drawn.add(value.lineno)
            return
        arithmetic = augmented or any(
            isinstance(node, ast.BinOp) for node in ast.walk(value) if not syntax.within_subscript(value, node)
        )
        if calls or arithmetic:
            expected = "a batch that goes into the network as it is: move this before the loop, or into forward of the module"
            self._problem(value, expected, ast.unparse(value))

    def _is_random(self, call: ast.Call) -> bool:
        if _RANDOM.fullmatch(syntax.callee(call)):
            return True
        waiting, seen = [syntax.first(call), syntax.callee(call)], set[str]()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            where = [self.definitions[name]] if name in self.definitions else self._statements_of(name)
            for each in where:
                if any(_RANDOM.fullmatch(syntax.callee(one)) for one in syntax.calls_in(each)):
                    return True
                waiting += [*syntax.loads(each)]
        return False

    def _way_back(self, root: str, label: str | None) -> list[str]:
        """The statements that make a name of the table, in order; each row has to be treated on its own."""
        needed, kept, of_table = {root}, list[str](), self._of_table()
        own = f"the inputs of a row worked out from that row alone: keep numbers of all rows in the module, {BY_HAND}"
        for each in reversed(self.before):
            stored = set(syntax.stores(each)) & needed
            if not stored and not syntax.changed_by(each) & needed and not syntax.hands_over(each, needed):
                continue
            if label is not None and isinstance(each, ast.Assign) and all(map(partial(_is_item, label), each.targets)):
                continue  # rows that are predicted have no label
            parts = self._parts(each, stored)
            if parts is None:
                expected = f"the inputs worked out statement by statement at the top of the file or in main(), {BY_HAND}"
                self._problem(each, expected, ast.unparse(each).splitlines()[0])
                return []
            for text, used, values in reversed(parts):
                for call in (call for value in values for call in syntax.calls_in(value)):
                    constant = not used & of_table and not self._is_random(call)
                    if syntax.callee(call) not in _ROW_WISE and not constant:
                        self._problem(call, own, ast.unparse(call))
                kept.append(text)
                needed |= used & (self._run_names() | {GIVEN})
        return kept[::-1]

    def _of_table(self) -> set[str]:
        """Names that are worked out from the table."""
        found = {GIVEN}
        for each in self.before:
            if syntax.loads(each) & found:
                found |= {*syntax.stores(each), *syntax.changed_by(each)}
        return found

    def _parts(self, statement: ast.stmt, stored: set[str]) -> list[tuple[str, set[str], list[ast.expr]]] | None:
        """Text, names used and expressions to examine of a statement on the way; None where it cannot be followed.

        Rows that a split or an index takes are all rows: of which they are says nothing about what becomes of one.
        """
        if isinstance(statement, ast.AugAssign) or (isinstance(statement, ast.Expr) and syntax.changed_by(statement)):
            return [(self._source(statement), syntax.loads(statement), [statement.value])]
        if isinstance(statement, ast.For):
            return self._parts_of_loop(statement)
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        (target,), value = statement.targets, statement.value
        if not isinstance(target, ast.Tuple):
            taken = self._all_rows(value)
            source = self._source(statement) if taken is value else f"{ast.unparse(target)} = {ast.unparse(taken)}"
            return [(source, syntax.loads(taken) | syntax.changed_by(statement), [taken])]
        found = []
        for at, each in enumerate(target.elts):
            if isinstance(each, ast.Name) and each.id in stored:
                one = syntax.part_of(value, at, len(target.elts))
                if one is None:
                    return None
                taken = self._all_rows(one)
                found.append((f"{each.id} = {ast.unparse(taken)}", syntax.loads(taken), [taken]))
        return found

    def _parts_of_loop(self, loop: ast.For) -> list[tuple[str, set[str], list[ast.expr]]] | None:
        """Those of a loop over constants that makes column after column; None for any other."""
        whole = syntax.loads(loop.iter) & self._of_table()
        if loop.orelse or whole or any(self._is_random(one) for one in syntax.calls_in(loop.iter)):
            return None
        by_column = {syntax.name_of(loop.target)} if self._columns_of_loop(loop) else set()
        values = list[ast.expr]()
        for each in loop.body:
            if not isinstance(each, ast.Assign | ast.AugAssign):
                return None
            for node in ast.walk(each.value):
                # Rows that are chosen in a loop cannot be taken back one statement after the other.
                by_rows = isinstance(node, ast.Subscript) and self._all_rows(node) is not node
                if by_rows and isinstance(node, ast.Subscript) and syntax.name_of(node.slice) not in by_column - {None}:
                    return None
            values.append(each.value)
        return [(self._source(loop), syntax.loads(loop), values)]

    def _columns_of_loop(self, loop: ast.For) -> list[str]:
        """The texts that a loop goes over one by one; empty where it goes over anything else."""
        over = self._constant(loop.iter)
        cells = over.elts if isinstance(over, ast.List | ast.Tuple) else []
        found = [each.value for each in cells if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        return found if len(found) == len(cells) else []

    def _all_rows(self, value: ast.expr) -> ast.expr:
        """The whole of what a name takes rows of."""
        if isinstance(value, ast.Subscript) and not isinstance(value.slice, ast.Constant | ast.List | ast.Tuple):
            by_rows = isinstance(value.slice, ast.Slice) or syntax.loads(value.slice) & self._run_names()
            if by_rows:
                base = value.value
                return self._all_rows(base.value if isinstance(base, ast.Attribute) and base.attr in {"iloc", "loc"} else base)
        return value


def _is_item(column: str, target: ast.expr) -> bool:
    """Whether a target is one column of a table."""
    return isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant) and target.slice.value == column
