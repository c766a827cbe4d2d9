"""Finds the loss, the network and the table that its training takes."""

from __future__ import annotations

import ast

from auditor.case.scaffold import syntax
from auditor.case.scaffold.torch_loops import Loss
from auditor.case.scaffold.torch_scripts.names import BY_HAND, LOSSES
from auditor.case.scaffold.torch_scripts.refusing import Refusing


class Training(Refusing):
    """Finds the loss, the network and the table that its training takes."""

    def _loss(self) -> Loss:
        found = {
            LOSSES[syntax.callee(call)]
            for each in [*self.head, *self.run]
            for call in syntax.calls_in(each)
            if syntax.callee(call) in LOSSES
        }
        if len(found) != 1:
            expected = f"one of PyTorch's losses for classes or for amounts, {BY_HAND}"
            self._problem(self.loop, expected, f"{len(found)}: {', '.join(sorted(found))}" if found else "none of them")
            return "logits"
        return found.pop()

    def _model(self) -> tuple[str, str]:
        """The name of the network, and what makes it."""
        names = self._modules() & {name for each in self.before for name in syntax.stores(each)}
        made = [each for each in self.before if isinstance(each, ast.Assign) and len(set(syntax.stores(each)) & names) == 1]
        if len(names) != 1 or not made:
            found = f"{len(names)}: {', '.join(sorted(names))}" if names else "none"
            self._problem(self.loop, f"one network, assigned to a name at the top of the file or in main(), {BY_HAND}", found)
            return "", ""
        first = made[0]
        value: ast.expr = first.value
        while (
            isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in {"to", "train", "float"}
        ):
            value = value.func.value
        unknown = sorted(name for name in syntax.loads(value) if name in self._run_names() or name in self.nested)
        if unknown:
            expected = "a network that is made of constants alone: write the numbers, such as Net(64, 10)"
            self._problem(first, expected, f"{ast.unparse(value)}, with {', '.join(unknown)}")
        (name,) = names
        moved = {f"{name}.{method}" for method in ("to", "train", "eval", "float", "apply")}
        again = [
            each
            for each in self.before
            if each is not first
            and (name in syntax.stores(each) or name in syntax.changed_by(each))
            and not (isinstance(each, ast.Assign) and isinstance(each.value, ast.Call) and syntax.dotted(each.value) in moved)
        ]
        if again:
            expected = "a network that is whole once it is made: put what changes its layers into its class"
            self._problem(again[0], expected, ast.unparse(again[0]).splitlines()[0])
        return name, ast.unparse(value)

    def _root(self) -> str | None:
        """The name of that tensor; None where there is a problem with it."""
        own = {name for name, each in self.definitions.items() if isinstance(each, ast.ClassDef) and self._is_dataset(each)}
        calls = [call for each in [*self.before, self.loop] for call in syntax.calls_in(each) if call.args]
        # One of the script's own is refused where it is defined: here it says what else would be refused.
        datasets = [each for each in calls if syntax.callee(each) in {"TensorDataset", *own}]
        firsts = [call.args[0] for call in datasets]
        if firsts and isinstance(firsts[0], ast.Name):
            self._label_name = syntax.name_of(datasets[0].args[1]) if len(datasets[0].args) > 1 else None
            return firsts[0].id
        found = {
            name for call in self._training_calls() for arg in call.args[:1] for name in syntax.loads(arg) & self._run_names()
        }
        tensors = sorted(name for name in found if self._assigned(name))
        if not firsts and len(tensors) == 1:
            self._label_name = None
            return tensors[0]
        if datasets:
            expected = (
                "names in a TensorDataset, such as inputs = torch.tensor(X); labels = torch.tensor(y); "
                f"TensorDataset(inputs, labels), {BY_HAND}"
            )
            self._problem(datasets[0], expected, ast.unparse(datasets[0]))
            label = datasets[0].args[1] if len(datasets[0].args) > 1 else None
            self._label_name = None if label is None else next(iter(sorted(syntax.loads(label) & self._run_names())), None)
            return next(iter(sorted(syntax.loads(firsts[0]) & self._run_names())), None)
        if not own:
            expected = f"TensorDataset(inputs, labels) of two names, or one tensor that the loop takes rows of, {BY_HAND}"
            fed = f"{len(tensors)} that it may be: {', '.join(tensors)}" if tensors else self._fed()
            self._problem(self.loop, expected, fed)
        return None

    def _fed(self) -> str:
        """What the network is called with, where none of it is a tensor of the script's."""
        calls = [ast.unparse(each) for each in self._training_calls()]
        return f"{calls[0]}, of neither" if calls else "no call of the network in the loop"

    def _assigned(self, name: str) -> list[ast.stmt]:
        return [each for each in self.before if name in syntax.stores(each)]

    def _training_calls(self) -> list[ast.Call]:
        """Calls of the network in what calls backward."""
        names = self._modules()
        where = [self.loop, *(each for each in self.definitions.values() if self._calls(each, {"backward"}))]
        return [
            call
            for each in where
            for call in syntax.calls_in(each)
            if isinstance(call.func, ast.Name) and call.func.id in names and not self._is_evaluation(each, call)
        ]

    def _is_evaluation(self, around: ast.stmt, call: ast.Call) -> bool:
        without = {"no_grad", "inference_mode"}
        blocks = (node for node in ast.walk(around) if isinstance(node, ast.With))
        spared = (node for node in blocks if any(syntax.callee(each.context_expr) in without for each in node.items))
        return any(inner is call for node in spared for inner in ast.walk(node))
