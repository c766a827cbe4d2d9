"""Data classes whose methods are written when they are first called.

A command imports hundreds of data classes and makes objects of a few. The standard library compiles six methods of each when
it is imported: four fifths of a millisecond a class, a fifth of a short command. `dataclass` here takes the same options and
makes data classes in every respect (`fields`, `replace`, `asdict`, patterns, pickling). It compiles `__init__` when the first
object is made, and shares every method that needs no code of its own.

What inherits from another class, writes one of these methods itself or is ordered is left to the standard library.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import MISSING, FrozenInstanceError, fields
from functools import partial
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol

__all__ = ["dataclass"]

_WRITTEN: Final = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__", "__getstate__", "__setstate__")
_PLAIN: Final = frozenset({object, Generic, Protocol})


def _dataclass(cls: type[Any] | None = None, /, **options: bool) -> Any:
    """Make a data class; the options are those of `dataclasses.dataclass`."""
    return partial(_made, options=options) if cls is None else _made(cls, options)


def _made(cls: type[Any], options: Mapping[str, bool]) -> type[Any]:
    eq, text, frozen = (options.get(name, usual) for name, usual in (("eq", True), ("repr", True), ("frozen", False)))
    layout = {name: value for name, value in options.items() if name in {"slots", "kw_only", "weakref_slot"}}
    if not options.keys() <= {"eq", "repr", "frozen", *layout} or not _is_plain(cls):
        made: type[Any] = dataclasses.dataclass(**options)(cls)
        return made
    made = dataclasses.dataclass(init=False, repr=False, eq=False, **layout)(cls)
    _refuse_disorder(made)
    stated = made.__dict__["__dataclass_params__"]
    stated.init, stated.repr, stated.eq, stated.frozen = True, text, eq, frozen
    methods: dict[str, Any] = {"__init__": _first_init(made)}
    if text:
        methods["__repr__"] = _repr
    if eq:
        methods |= {"__eq__": _eq_of(made), "__hash__": _hash_of(made) if frozen else None}
    if frozen:
        methods |= {"__setattr__": _refuse_to_assign, "__delattr__": _refuse_to_delete}
    if frozen and layout.get("slots"):
        methods |= {"__getstate__": _getstate, "__setstate__": _setstate}
    for name, method in methods.items():
        setattr(made, name, method)
    return made


def _is_plain(cls: type[Any]) -> bool:
    """Whether a class inherits no field and no method of those that are written for it, and writes none of them itself."""
    inherited = (each for base in cls.__mro__[1:] if base not in _PLAIN for each in vars(base))
    return not any(name in vars(cls) for name in _WRITTEN) and not any(name in _WRITTEN for name in inherited)


def _refuse_disorder(cls: type[Any]) -> None:
    usual = False
    for each in fields(cls):
        if each.init and not each.kw_only:
            has_usual = each.default is not MISSING or each.default_factory is not MISSING
            if usual and not has_usual:
                raise TypeError(f"non-default argument {each.name!r} follows default argument")
            usual = usual or has_usual


def _first_init(cls: type[Any]) -> Callable[..., None]:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        cls.__init__ = _init_of(cls)
        cls.__init__(self, *args, **kwargs)

    return __init__


def _init_of(cls: type[Any]) -> Callable[..., None]:
    """Write the `__init__` of a data class."""
    frozen = cls.__dict__["__dataclass_params__"].frozen
    known: dict[str, Any] = {"__set": object.__setattr__, "__made": object()}
    positional: list[str] = []
    keyword: list[str] = []
    body: list[str] = []
    for each in fields(cls):
        name, default, value = each.name, f"__default_{each.name}", each.name
        given = keyword if each.kw_only else positional
        if each.default_factory is not MISSING:
            known[default] = each.default_factory
            value = f"{default}() if {name} is __made else {name}" if each.init else f"{default}()"
            given += [f"{name}=__made"] if each.init else []
        elif each.default is not MISSING:
            known[default] = each.default
            value = name if each.init else default
            given += [f"{name}={default}"] if each.init else []
        elif each.init:
            given.append(name)
        else:
            continue
        body.append(f"__set(__self, {name!r}, {value})" if frozen else f"__self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("__self.__post_init__()")
    words = ", ".join(("__self", *positional, *(["*"] if keyword else []), *keyword))
    # The names of the class's own fields, in the code that the standard library would have written.
    exec(f"def __init__({words}):\n  " + "\n  ".join(body or ["pass"]), known)  # noqa: S102
    init: Callable[..., None] = known["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _values(cls: type[Any], *, hashed: bool = False) -> Callable[[Any], tuple[Any, ...]]:
    """Give what takes the values of an object that are compared, or hashed."""
    names = [each.name for each in fields(cls) if (each.hash if hashed and each.hash is not None else each.compare)]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda held: tuple(getattr(held, name) for name in names)


def _eq_of(cls: type[Any]) -> Callable[[Any, object], bool]:
    values: Callable[[Any], tuple[Any, ...]] | None = None

    def __eq__(self: Any, other: object) -> bool:  # noqa: N807
        nonlocal values
        if other.__class__ is not self.__class__:
            return NotImplemented
        values = values or _values(cls)
        return values(self) == values(other)

    return __eq__


def _hash_of(cls: type[Any]) -> Callable[[Any], int]:
    values: Callable[[Any], tuple[Any, ...]] | None = None

    def __hash__(self: Any) -> int:  # noqa: N807
        nonlocal values
        values = values or _values(cls, hashed=True)
        return hash(values(self))

    return __hash__


def _refuse_to_assign(_self: Any, name: str, _value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _dataclass
