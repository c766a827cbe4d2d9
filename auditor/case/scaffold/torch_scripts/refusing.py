"""Refuses what would change what is learned, or cannot be told."""

from __future__ import annotations

import ast
from typing import Final

from auditor.base.domain import Problem
from auditor.case.scaffold import syntax
from auditor.case.scaffold.syntax import words
from auditor.case.scaffold.torch_scripts.arranging import Arranging
from auditor.case.scaffold.torch_scripts.names import BY_HAND, IN_PLACE, MUTATES

_ASKS: Final = words(
    "state_dict eval train parameters named_parameters buffers named_buffers modules named_modules children named_children "
    "numel item items keys values to cpu size dim argmax softmax detach numpy sum mean tolist norm forward shape max round"
)
"""What a network may be asked after its training."""


_TAKES: Final = words(
    "print save dump export len list sum max min next iter isinstance type str repr sorted enumerate zip softmax argmax numel "
    "item eq accuracy_score f1_score roc_auc_score log_loss mean_squared_error format log info debug round float int deepcopy "
    "range tuple"
)
"""Functions that a network, or what it says, may be given after its training."""


class Refusing(Arranging):
    """Refuses what would change what is learned, or cannot be told."""

    def _refuse(self) -> None:
        for each in [*self.head, *self.run]:
            for call in syntax.calls_in(each):
                self._refuse_call(call)
                self._refuse_fixed_lengths(call)
            for node in ast.walk(each):
                if isinstance(node, ast.Global):
                    self._problem(node, "functions that are given what they use", "global")
                elif isinstance(node, ast.ClassDef) and self._is_dataset(node):
                    expected = (
                        "a TensorDataset of two names, such as inputs = torch.tensor(X); labels = torch.tensor(y); "
                        f"TensorDataset(inputs, labels), with augmentation applied to a batch in the loop, {BY_HAND}"
                    )
                    self._problem(node, expected, f"a Dataset of its own, {node.name}")
        self._refuse_unseen()
        for each in self.run:
            long = [node for node in ast.walk(each) if isinstance(node, ast.Constant) and node.end_lineno != node.lineno]
            if long and not isinstance(each, ast.FunctionDef | ast.ClassDef):
                self._problem(long[0], "a text of one line, or a constant at the top", "one of several")
        if found := self._frameworks():
            self.problems.append(Problem(self.path.name, "--from", f"a loop in plain PyTorch, {BY_HAND}", found))

    def _is_dataset(self, defined: ast.ClassDef) -> bool:
        return any(syntax.last(base) == "Dataset" for base in defined.bases)

    def _refuse_unseen(self) -> None:
        """Refuse what changes network or rows where nothing is followed: after the loop, by another name, while it is shown."""
        tree, modules = ast.parse(self.text), self._modules()
        aliases = {
            target.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for call in (each for each in ast.walk(tree) if isinstance(each, ast.Call)):
            name = syntax.callee(call)
            if any(each.arg == "collate_fn" for each in call.keywords):
                self._problem(call, f"rows as the tensors have them, changed before the loop or in it, {BY_HAND}", "collate_fn")
            elif IN_PLACE.fullmatch(name) and syntax.loads(call.func) & aliases:
                self._problem(
                    call, "a change of the tensor by the name that it is used by", f"{syntax.dotted(call)}, by another name"
                )
            elif syntax.dotted(call) in {"os.environ.get", "environ.get"}:
                self._problem(call, "settings as constants at the top of the file: those that trained your model", "os.environ")
        for each in (one for one in tree.body if one.lineno > (self.loop.end_lineno or self.loop.lineno)):
            if not _is_unused(each, tree) and (why := self._changes_afterwards(each, set(modules))) is not None:
                self._problem(each, f"a network that stays what the loop made of it, {BY_HAND}", why)

    def _changes_afterwards(self, statement: ast.stmt, modules: set[str]) -> str | None:
        """What a statement after the loop may do to the network; None where it only asks it."""
        for node in ast.walk(statement):
            if isinstance(node, ast.For) and syntax.loads(node.iter) & modules:
                modules = modules | {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
            if isinstance(node, ast.Assign | ast.AugAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(each, ast.Attribute | ast.Subscript) and syntax.loads(each) & modules for each in targets):
                    return ast.unparse(targets[0])
            if not isinstance(node, ast.Call) or MUTATES.fullmatch(syntax.callee(node)):
                continue
            asked = syntax.loads(node.func) & modules if isinstance(node.func, ast.Attribute) else set()
            given = any(syntax.loads(each) & modules for each in (*node.args, *(one.value for one in node.keywords)))
            name = syntax.callee(node)
            if (asked and name not in _ASKS) or ((asked or given) and IN_PLACE.fullmatch(name)):
                return name
            if given and not asked and name not in _TAKES and name not in modules and not self._only_asks(name):
                return name
        return None

    def _only_asks(self, name: str) -> bool:
        """Whether a function of the script's own changes nothing of a network that it is given."""
        defined = self.definitions.get(name)
        if not isinstance(defined, ast.FunctionDef):
            return False
        for node in ast.walk(defined):
            if isinstance(node, ast.Call) and (
                IN_PLACE.fullmatch(syntax.callee(node)) or syntax.callee(node) in {"step", "backward"}
            ):
                return False
            if isinstance(node, ast.Assign | ast.AugAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(each, ast.Attribute) for each in targets):
                    return False
        return True

    def _refuse_fixed_lengths(self, call: ast.Call) -> None:
        """Refuse a split whose lengths add up to the rows of the table as it is: the audit trains on fewer."""
        lengths = [*call.args[1:2], *(each.value for each in call.keywords if each.arg == "lengths")]
        if syntax.callee(call) != "random_split" or not lengths or syntax.loads(lengths[0]) & self._run_names():
            return
        parts = [self._constant(each) for each in getattr(lengths[0], "elts", lengths)]
        if not all(isinstance(each, ast.Constant) and isinstance(each.value, float) for each in parts):
            expected = (
                "lengths as fractions, such as [0.8, 0.2], or worked out from len() of the dataset: the audit trains without the "
                "deleted records, and fixed lengths no longer add up to the rows that are left. Train your model so as well"
            )
            self._problem(call, expected, ast.unparse(lengths[0]))


def _is_unused(statement: ast.stmt, tree: ast.Module) -> bool:
    """Whether a statement only defines a function that the script mentions nowhere else, so that it never runs."""
    if not isinstance(statement, ast.FunctionDef) or statement.decorator_list:
        return False
    others = (node for each in tree.body if each is not statement for node in ast.walk(each))
    return not any(statement.name in {getattr(node, "id", None), getattr(node, "value", None)} for node in others)
