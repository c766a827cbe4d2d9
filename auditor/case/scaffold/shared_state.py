"""What makes a call depend on those before: values that calls share, and that they change."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from typing import Final

import numpy as np

from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.script_names import CHANGES, FUNCTION, HIDDEN, Names, is_self, names_of
from auditor.case.scaffold.syntax import callee, root, words

_MAKES_NEW: Final = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
_INTO: Final = words("copyto place putmask fill_diagonal put_along_axis at")
"""Functions of NumPy that change what they are given."""
_INTO_ITS_ARGUMENT: Final = words("iadd isub imul itruediv ifloordiv imod ipow iand ior ixor iconcat ilshift irshift imatmul")
_MAGIC: Final = frozenset({"matplotlib", "config", "load_ext", "reload_ext", "autoreload", "time", "timeit"})
_SETS_ITSELF: Final = words("__init__ __post_init__ __setstate__ set_params fit fit_transform fit_resample partial_fit")
"""Methods that may set what their object holds."""
_DEFAULT: Final = Fault(
    "has a default that its calls may change, so that each call depends on those before",
    "None as the default, and a new list or dictionary within the function",
)
_LEARNED: Final = Fault(
    "changes what a model has learned, or has it learn again, where the script does not show it",
    "do it in the script itself, or leave it out",
)
_INTO_METHODS: Final = {
    "clip": 3, "round": 2, "cumsum": 3, "cumprod": 3, "sum": 3, "prod": 3, "mean": 3, "std": 3, "var": 3, "argmax": 2,
    "argmin": 2, "dot": 2, "take": 3, "compress": 3,
}  # fmt: skip
"""Methods of arrays that may be given where to write their result, and as which argument."""
_WHERE_DEFINED: Final = Fault(
    "calls a function of the script's own where another is defined, which is not followed",
    "assign what it gives to a name before",
)
_OF_CLASS: Final = Fault("changes a value that all objects of a class share", "set it in __init__: self.name = …")
_STATE: Final = Fault(
    "changes its object with each call, so that what it gives depends on the calls before",
    "a function that returns the value; or set it in __init__ or fit",
)
_UNSEEN: Final = Fault("changes a value in place in a way that is not followed", "assign the changed value to a name of its own")
_OUTSIDE: Final = Fault(
    "changes from within a function or class what stands outside it, so that each call depends on those before",
    "return the value, and assign it where the function is called",
)


class SharedState(Names):
    """What functions and objects of one file keep between calls."""

    def found(self) -> Iterator[tuple[int, Fault]]:
        """Name what changes a value that outlasts a call, by line."""
        yield from self._defaults()
        yield from self._shared()
        yield from self._states()
        yield from self._unseen()
        yield from self._outside()

    def learned(self) -> Iterator[tuple[int, Fault]]:
        """Functions that change what a model which they are given has learned, or have it learn again."""
        for function in (each for each in self.nodes if isinstance(each, ast.FunctionDef)):
            held = self._within(function, {each.arg for each in function.args.args} - {"self"})
            for node in ast.walk(function):
                stored = isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load)
                called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                if not (stored or called) or not isinstance(node, ast.expr) or root(node) not in held:
                    continue
                fitted = any(
                    isinstance(each, ast.Attribute) and each.attr.strip("_") + "_" == each.attr for each in ast.walk(node)
                )
                again = called and callee(node) in {"fit", "partial_fit", "set_params"}
                if again or (fitted and (stored or callee(node) in CHANGES)):
                    yield node.lineno, _LEARNED

    def operators(self) -> Iterator[tuple[int, Fault]]:
        """Operators of classes of the script's own that change what they are given."""
        for method in (each for each in self.nodes if isinstance(each, ast.FunctionDef)):
            if not (method.name.startswith("__") and method.name.endswith("__")) or method.name in _SETS_ITSELF:
                continue
            given = {each.arg for each in method.args.args}
            held = self._within(method, given)
            for node in ast.walk(method):
                target = node.target if isinstance(node, ast.AugAssign) else node
                stored = isinstance(target, ast.Attribute | ast.Subscript) and isinstance(target.ctx, ast.Store | ast.Del)
                again = isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
                called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES
                if (stored or again or called) and root(target) in held:
                    yield method.lineno, _STATE

    def _defaults(self) -> Iterator[tuple[int, Fault]]:
        for function in (each for each in self.nodes if isinstance(each, FUNCTION)):
            given = [*function.args.posonlyargs, *function.args.args]
            pairs = [*zip(given[len(given) - len(function.args.defaults) :], function.args.defaults, strict=True)]
            pairs += [(arg, each) for arg, each in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True) if each]
            names = {arg.arg for arg, each in pairs if isinstance(each, _MAKES_NEW | ast.Call | ast.Name | ast.Attribute)}
            if names and self._keeps(function, names):
                yield function.lineno, _DEFAULT
            made = [*function.args.defaults, *(each for each in function.args.kw_defaults if each)]
            made += [] if isinstance(function, ast.Lambda) else function.decorator_list
            if any(self._own_call(each) for part in made for each in ast.walk(part) if isinstance(each, ast.Call) and each.args):
                yield function.lineno, _WHERE_DEFINED

    def _keeps(self, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, names: set[str]) -> bool:
        """Whether a function changes one of its arguments, or gives it to someone who may."""
        inner = [*ast.walk(function)]
        held = self._within(function, names)
        for node in inner:
            match node:
                case ast.Attribute() | ast.Subscript() if isinstance(node.ctx, ast.Store | ast.Del) and root(node) in held:
                    return True
                case ast.AugAssign(target=ast.Name(id=name)) if name in held:
                    return True
                case ast.Call(func=ast.Attribute(attr=name)) if name in CHANGES and root(node.func) in held:
                    return True
                case ast.Call(func=ast.Name(id=name)) if name in self.defined or name in names:
                    if any(self._stands_for(each, held) for each in (*node.args, *(one.value for one in node.keywords))):
                        return True
                case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
                    if self._stands_for(value, held):
                        return True
        return False

    def _unseen(self) -> Iterator[tuple[int, Fault]]:
        """Changes by a function, or by a method that is called by another name."""
        called = {id(each.func) for each in self.nodes if isinstance(each, ast.Call)}
        for node in self.nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                by_name = node.attr in CHANGES and id(node) not in called and self.whence.get(root(node), "") != "operator"
                if by_name or (node.attr.startswith("__i") and node.attr.strip("_") in _INTO_ITS_ARGUMENT):
                    yield node.lineno, _UNSEEN
            elif isinstance(node, ast.Call):
                of_numpy = self.whence.get(root(node.func), "").startswith("numpy")
                of_array = isinstance(node.func, ast.Attribute) and root(node.func) not in self.whence
                into = of_array and len(node.args) >= _INTO_METHODS.get(callee(node), sys.maxsize)
                if into or (of_numpy and (callee(node) in _INTO or _writes_into(node))) or callee(node) in _INTO_ITS_ARGUMENT:
                    yield node.lineno, _UNSEEN
                elif root(node.func) == "get_ipython" and node.args:
                    magic = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
                    if callee(node) != "run_line_magic" or magic not in _MAGIC:
                        yield node.lineno, HIDDEN

    def _outside(self) -> Iterator[tuple[int, Fault]]:
        """Changes within a function of what is neither an argument of it nor assigned in it."""
        for definition in self.nodes:
            if isinstance(definition, ast.ClassDef):
                yield from ((each.lineno, _OUTSIDE) for each in definition.body if isinstance(each, ast.Global | ast.Nonlocal))
            if not isinstance(definition, FUNCTION):
                continue
            inner = [*ast.walk(definition)]
            own = {each.arg for each in inner if isinstance(each, ast.arg)}
            own |= {each.id for each in inner if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
            for node in inner:
                if isinstance(node, ast.Nonlocal):
                    yield node.lineno, _OUTSIDE
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
                    held = node.func.value
                    if isinstance(held, ast.Name | ast.Subscript) and root(held) not in {*own, *self.whence, ""}:
                        yield node.lineno, _OUTSIDE
                elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                    yield from [(node.lineno, _OUTSIDE)] if root(node) not in {*own, *self.whence, ""} else []

    def _shared(self) -> Iterator[tuple[int, Fault]]:
        """Changes through self of what the body of a class sets."""
        held = {
            name
            for each in self.nodes
            if isinstance(each, ast.ClassDef)
            for part in each.body
            if isinstance(part, ast.Assign | ast.AnnAssign) and isinstance(part.value, _MAKES_NEW | ast.Call | ast.Name)
            for name in names_of(part.targets[0] if isinstance(part, ast.Assign) else part.target)
        }
        set_anew = {
            each.attr
            for each in self.nodes
            if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and is_self(each.value)
        }
        for node in self.nodes:
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
                changed: ast.expr = node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
                changed = node.func.value
            else:
                continue
            if isinstance(changed, ast.Attribute) and changed.attr in held - set_anew:
                yield node.lineno, _OF_CLASS

    def _states(self) -> Iterator[tuple[int, Fault]]:
        """Methods that change what their object holds, other than those that are there for it."""
        for definition in (each for each in self.nodes if isinstance(each, ast.ClassDef)):
            for method in definition.body:
                if not isinstance(method, ast.FunctionDef) or method.name in _SETS_ITSELF or not method.args.args:
                    continue
                own = method.args.args[0].arg
                held = self._within(method, {own})
                for node in ast.walk(method):
                    stored = isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del)
                    changed = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES
                    if not isinstance(node, ast.expr) or root(node) not in held:
                        continue
                    if stored or (changed and isinstance(node, ast.Call) and not _is_bare(node, own)):
                        yield node.lineno, _STATE


def _writes_into(call: ast.Call) -> bool:
    """Whether a function of NumPy is given by place where to write its result."""
    function = getattr(np, callee(call), None)
    if isinstance(function, np.ufunc):
        return len(call.args) > function.nin
    try:
        names = [*inspect.signature(function).parameters] if callable(function) else []
    except (TypeError, ValueError):
        return False
    return "out" in names and len(call.args) > names.index("out")


def _is_bare(call: ast.Call, name: str) -> bool:
    """Whether it calls a method of that name's own: `self.update(…)`."""
    return isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id == name
