"""Data classes whose methods are written late are those of the standard library in everything that can be seen."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import MISSING, FrozenInstanceError, asdict, field, fields, replace
from typing import Any, Generic, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

from auditor.base.records import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Point:
    """A value."""

    x: int
    y: float = 0.5
    names: tuple[str, ...] = field(default_factory=tuple, repr=False)

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x is at least 0")


@dataclass(slots=True)
class Tally:
    """Something that changes."""

    counts: dict[str, int] = field(default_factory=dict)
    total: int = field(default=0, init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Generic[T]):
    """By keywords alone."""

    value: T
    note: str = field(default="", compare=False)


@dataclass(frozen=True)
class Open:
    """Without slots."""

    x: int
    twice: int = field(default=2, init=False)


@st.composite
def _shapes(draw: st.DrawFn) -> tuple[dict[str, bool], list[tuple[str, dict[str, Any], bool]]]:
    """Options of a class, and of each field its name, what `field` is told, and whether a value is handed over."""
    options = draw(st.fixed_dictionaries({name: st.booleans() for name in ("frozen", "slots", "eq", "repr", "kw_only")}))
    of_field = {"repr": st.booleans(), "compare": st.booleans(), "hash": st.sampled_from([None, True, False])}
    shape: list[tuple[str, dict[str, Any], bool]] = []
    for at in range(draw(st.integers(0, 4))):
        told: dict[str, Any] = draw(st.fixed_dictionaries({**of_field, "kw_only": st.sampled_from([MISSING, True, False])}))
        usual = draw(st.sampled_from(["none", "value", "made"]))
        told |= {"value": {"default": at}, "made": {"default_factory": list}}.get(usual, {})
        told["init"] = draw(st.booleans()) if usual != "none" else True
        shape.append((f"f{at}", told, told["init"] and (usual == "none" or draw(st.booleans()))))
    return options, shape


def _built(decorator: Any, options: dict[str, bool], shape: list[tuple[str, dict[str, Any], bool]]) -> Any:
    body = {name: field(**told) for name, told, _ in shape}
    annotations = {name: "object" for name, _, _ in shape}
    return decorator(**options)(type("Shape", (), {**body, "__annotations__": annotations, "__doc__": "A shape."}))


def _outcome(act: Any) -> object:
    try:
        return act()
    except Exception as error:  # noqa: BLE001 - the same error is the same behaviour
        return type(error), str(error)


@given(_shapes(), st.integers(0, 3))
def test_any_class_behaves_as_the_standard_librarys(shape: Any, value: int) -> None:
    """Objects made in the same way look alike, compare alike, hash alike, and refuse the same."""
    options, described = shape
    kinds = [_outcome(lambda kind=kind: _built(kind, options, described)) for kind in (dataclasses.dataclass, dataclass)]
    if not all(isinstance(kind, type) for kind in kinds):
        assert kinds[0] == kinds[1]
        return
    given_values = {name: value for name, _, passed in described if passed}
    seen = []
    for kind in kinds:
        one, same, other = kind(**given_values), kind(**given_values), kind(**dict.fromkeys(given_values, 7))
        seen.append(
            {
                "parameters": [
                    (each.name, each.kind, each.default is each.empty) for each in inspect.signature(kind).parameters.values()
                ],
                "text": _outcome(lambda one=one: repr(one)) if options["repr"] else None,
                "equal": (one == same, one == other, one == 1),
                "hash": _outcome(lambda one=one, same=same: hash(one) == hash(same)),
                "unhashable": kind.__hash__ is None,
                "values": {each.name: getattr(one, each.name) for each in fields(one)},
                "positions": kind.__match_args__,
                "slots": getattr(kind, "__slots__", None),
                "twice": _outcome(lambda one=one: asdict(replace(one))),
                "copied": asdict(copy.deepcopy(one)),
                "refused": _outcome(lambda kind=kind: kind(**given_values, more=1)),
                "lacking": _outcome(lambda kind=kind: asdict(kind())),
                "assigned": [_outcome(lambda one=one, name=name: setattr(one, name, 1)) for name, _, _ in described],
                "deleted": [_outcome(lambda one=one, name=name: delattr(one, name)) for name, _, _ in described],
                "params": repr(kind.__dataclass_params__),
            }
        )
    assert seen[0] == seen[1]


def test_nothing_is_compiled_before_the_first_object() -> None:
    """That is what makes importing cheap: the methods of a class that is never used are never written."""

    @dataclass(frozen=True, slots=True)
    class Unused:
        """Never made."""

        x: int

    before = Unused.__init__
    assert before.__code__.co_varnames[:2] == ("self", "args")
    assert Unused(3) == Unused(x=3)
    assert Unused.__init__ is not before
    assert list(inspect.signature(Unused).parameters) == ["x"]


def test_frozen_objects_stay_as_they_are_and_travel() -> None:
    """A frozen one refuses changes, pickles and copies; an invariant holds in `replace` too."""
    point = Point(1, names=("a",))
    for act in (lambda: setattr(point, "x", 2), lambda: delattr(point, "x"), lambda: setattr(point, "z", 2)):
        with pytest.raises(FrozenInstanceError):
            act()
    assert pickle.loads(pickle.dumps(point)) == point == copy.copy(point) == copy.deepcopy(point)
    assert {point: 1}[Point(1, names=("a",))] == 1
    assert repr(point) == "Point(x=1, y=0.5)"
    assert pickle.loads(pickle.dumps(Open(3))) == Open(3)
    with pytest.raises(ValueError, match="at least 0"):
        replace(point, x=-1)
    match point:
        case Point(1, y):
            assert y == 0.5
        case _:
            pytest.fail("positions of fields are those of the class")


def test_values_that_differ_from_themselves_compare_as_in_a_tuple() -> None:
    """Not a number is equal to itself in the same place, as the standard library has it."""
    nan = float("nan")
    assert Named(value=nan) == Named(value=nan)
    assert Named(value=1, note="a") == Named(value=1, note="b")
    assert Named(value=1) != Named(value=2)
    assert hash(Named(value=1, note="a")) == hash(Named(value=1, note="b"))


def test_two_objects_share_nothing_that_changes() -> None:
    """A default that is made is made for each."""
    one, other = Tally(), Tally()
    one.counts["a"], one.total = 1, 1
    assert other == Tally() != one
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_pydantic_reads_them() -> None:
    """They are read and written as fields of models, invariants included."""

    class Holds(BaseModel):
        at: Point

    held = Holds.model_validate_json('{"at": {"x": 1, "names": ["a"]}}')
    assert held.at == Point(1, names=("a",))
    assert held.model_dump() == {"at": {"x": 1, "y": 0.5, "names": ("a",)}}
    with pytest.raises(ValidationError):
        Holds.model_validate({"at": {"x": -1}})
    assert TypeAdapter(Open).validate_python({"x": 1}) == Open(1)


def test_what_inherits_is_the_standard_librarys() -> None:
    """A class over one of these, or with a method of its own, is made as ever, and its fields are those of both."""

    @dataclass(frozen=True, slots=True)
    class Farther(Point):
        """More."""

        z: int = 1

    @dataclass(frozen=True)
    class Spoken:
        """Says itself."""

        x: int

        def __repr__(self) -> str:
            return "spoken"

    assert Farther(1, z=4) == Farther(1, 0.5, (), 4)
    assert [each.name for each in fields(Farther)] == ["x", "y", "names", "z"]
    assert repr(Spoken(1)) == "spoken"
    assert Spoken(1) == Spoken(1)

    class Plain(Point):
        """Inherits without a field of its own."""

    assert Plain(1) == Plain(1)
    assert Plain(1) != Point(1)
