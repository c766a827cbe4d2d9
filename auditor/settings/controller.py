"""The [controller] table: a whole program that keeps people's data, and the procedure that a case of nothing else has.

A controller is asked in operations of channels (deletion-as-control.md, Section 2.1). The auditor knows of their meaning only
what is said here: which there are, what they may be asked with, and whose order across channels makes no logical difference.
`delete` is always there, and always means the same: as if that channel had never spoken (Definition 3.5).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, GetCoreSchemaHandler, JsonValue, ValidationError, model_validator
from pydantic_core import CoreSchema, InitErrorDetails

from auditor.base.histories import ANY_WORD, DELETE, Vocabulary, divided, side_by_side
from auditor.base.parts import modules
from auditor.base.validation import expected_of
from auditor.settings.builtin import Procedure, by_use, one_of
from auditor.settings.values import Inside, Seed, Table, Text, json_fault, show, wrong

# The table of an adaptive requester: who plays against the procedure, how much is shown, and how many games are played.
REQUESTERS: Final = ("group-by-sign", "repeat-first-model")
"""Requesters that the auditor brings."""
_ENTRY: Final = re.compile(r"[^:]+\.py:(?P<name>[^:]+)")


def _entry(value: object) -> object:
    if isinstance(value, str):
        match = _ENTRY.fullmatch(value)
        if match is None or not match["name"].isidentifier():
            raise wrong('"file.py:ClassName"', show(value))
    return value


class RequesterTable(Table):
    """An adaptive requester (Chourasia and Shah 2023, Definition 2.6), and the game that it plays."""

    use: Annotated[str, one_of("use", REQUESTERS)] | None = None
    """A built-in one by name."""
    entry: Annotated[Text, BeforeValidator(_entry)] | None = None
    """`file.py:ClassName` of the case's own, the file inside the case folder."""
    seen: Annotated[int, Field(ge=0, le=1000)] = 1
    """p: how many released models it is shown."""
    rounds: Annotated[int, Field(ge=1, le=1000)] = 2
    """The round in which the target is deleted; it asks for something in each round before."""
    games: Annotated[int, Field(ge=40, le=100_000)] = 200
    """Games in all: half of them in either world, and of those half to fit a rule and half to count."""
    confidence: Inside = 0.95
    """Without effect: what refutes a claim and what leaves it open have levels of their own."""

    @property
    def foreign(self) -> bool:
        """Whether it is code from the case."""
        return self.entry is not None

    @model_validator(mode="after")
    def _keys_fit(self) -> RequesterTable:
        if (self.use is None) == (self.entry is None):
            names = ", ".join(REQUESTERS)
            raise wrong(f"either use ({names}) or entry (file.py:ClassName)", "neither" if self.use is None else "both")
        if self.seen > self.rounds:
            raise wrong(f"seen at most rounds ({self.rounds}), as later models are released too late", f"seen = {self.seen}")
        return self


GAMES: Final = 120
"""Pairs of histories that each adversary plays by default."""
_MOST_OPERATIONS: Final = 100
_MOST_ARGUMENTS: Final = 100
_WORD: Final = (ANY_WORD,)
MOST_TAPE_BITS: Final = 12


@dataclass(frozen=True, slots=True)
class ControllerEntry:
    """One controller that `[controller] use` can name."""

    use: str
    """Its name."""
    build: str
    """Its class, by a dotted name: a module, a colon, and a name in it. Loaded where it is played."""
    vocabulary: Vocabulary
    """What it may be asked in addition to `delete`."""
    params: type[Table] | None = None
    """What its class takes as keyword arguments; None for nothing."""
    hides: bool = False
    """Whether its random start hides by construction what identical tapes show (Cohen et al. 2023, Example 2.4)."""
    fades: bool = False
    """Whether fresh noise hides what came before, up to the epsilon and delta among its params (Definition 3.4)."""
    wipes: str | None = None
    """The parameter that has it overwrite what it deletes; None for none."""
    bits: str | None = None
    """The parameter that says how many bits of the seed `initialize` reads, where every seed may be played; None for none."""

    @property
    def noisy(self) -> bool:
        """Whether it hides people by noise, up to an epsilon among its params."""
        return self.params is not None and "epsilon" in self.params.model_fields


@cache
def controllers() -> Mapping[str, ControllerEntry]:
    """List the controllers that parts bring by the name that `use` gives them, sorted; none of their code is loaded."""
    return by_use([(module.__name__, each) for module in modules("controllers") for each in module.CONTROLLERS])


class _Known:
    """For the key `use`: one of the listed names."""

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Read the listing when the first table is."""
        return handler.generate_schema(Annotated[str, one_of("controller", tuple(controllers()))])


class _Plain(Table):
    """A controller without parameters."""


def _operations(value: object) -> object:
    """A list of names, or a table of example arguments by name."""
    if isinstance(value, list):
        if repeated := {show(each) for each in value if isinstance(each, str) and value.count(each) > 1}:
            raise wrong("each name once", f"{min(repeated)} more than once")
        if not all(isinstance(each, str) for each in value):
            raise wrong("names of operations", next(show(each) for each in value if not isinstance(each, str)))
        return {each: list(_WORD) for each in value}
    if isinstance(value, dict):
        return value
    raise wrong("an array of names, or a table of arguments by name", show(value))


def _few(value: object) -> object:
    if isinstance(value, dict) and not 1 <= len(value.keys() - {DELETE}) <= _MOST_OPERATIONS:
        raise wrong(f"1 to {_MOST_OPERATIONS} operations in addition to delete", f"{len(value.keys() - {DELETE})}")
    return value


def _json(value: object) -> object:
    if isinstance(value, dict):
        for key, item in value.items():
            if fault := json_fault(item):
                raise wrong("values that JSON can hold", f"{show(key)}: {fault}")
    return value


_Arguments = Annotated[tuple[Text, ...], Field(max_length=_MOST_ARGUMENTS, strict=False)]
"""Of one operation: examples, `*` among them for any word; none where it takes no argument."""


class _Program(Table):
    """What is said of a program, whole or a part of one."""

    use: Annotated[str, _Known()] | None = None
    """A built-in one by name."""
    entry: Annotated[Text, BeforeValidator(_entry)] | None = None
    """`file.py:ClassName` of the case's own, the file inside the case folder."""
    params: Annotated[dict[str, JsonValue], BeforeValidator(_json)] = Field(default_factory=dict)
    """Keyword arguments of the class."""
    operations: Annotated[dict[Text, _Arguments], BeforeValidator(_few), BeforeValidator(_operations)] | None = None
    """What a channel may ask in addition to `delete`: examples of the argument of each, `*` for any word, an empty list for none;
    None for a built-in one, which brings its own."""
    commuting: Annotated[tuple[Text, ...], Field(strict=False)] | None = None
    """Operations whose order across channels makes no logical difference; None for a built-in one."""
    environment: Annotated[tuple[Text, ...], Field(strict=False)] | None = None
    """Operations that no data subject may ask for, such as the tick of a clock; None for a built-in one."""

    @property
    def vocabulary(self) -> Vocabulary:
        """What it may be asked."""
        if self.use is not None:
            return controllers()[self.use].vocabulary
        asked = {name: given for name, given in (self.operations or {}).items() if name != DELETE}
        return Vocabulary(asked, frozenset(self.commuting or ()) - {DELETE}, frozenset(self.environment or ()))

    @property
    def named(self) -> str:
        """The name that `use` or `entry` gives it."""
        return self.use or self.entry or ""

    @property
    def noisy(self) -> bool:
        """Whether it is a built-in one that hides people by noise."""
        return self.use is not None and controllers()[self.use].noisy

    def _check(self, *brought: str) -> None:
        """Refuse keys that do not fit each other.

        Args:
            brought: Keys that a built-in one brings itself.
        """
        if (self.use is None) == (self.entry is None):
            names = ", ".join(controllers())
            raise wrong(f"either use ({names}) or entry (file.py:ClassName)", "neither" if self.use is None else "both")
        if self.use is not None:
            _refuse_parameters(self.use, self.params)
            for key in brought:
                if getattr(self, key) is not None:
                    raise wrong(f"no {key} with use: a controller of ours brings its own", f"the key {key}")
        elif self.operations is None:
            raise wrong("operations with entry: what a channel may ask", "no such key")
        if unknown := sorted(set(self.commuting or ()) - {DELETE, *(self.operations or {})}):
            raise wrong("commuting to name operations", f"{show(unknown[0])}, which is no operation")
        if unknown := sorted(set(self.environment or ()) - set(self.operations or {})):
            raise wrong("environment to name operations", f"{show(unknown[0])}, which is no operation")
        if DELETE in (self.environment or ()):
            raise wrong("environment without delete: everybody may ask for that", "delete in it")


_NAMED: Final = 8
"""Operations of a part that a message lists."""
_BROUGHT: Final = ("operations", "commuting", "environment")
"""Keys of which a built-in controller brings its own."""


class PartTable(_Program):
    """One of two programs that run side by side."""

    hears: dict[Text, Text] | None = None
    """What it makes of the pair's operations, by its own names: `{ get = "add" }`; any that is not there does not reach it, and
    `delete` always does. Left out where the pair's operations are its own."""

    @property
    def heard(self) -> Mapping[str, str]:
        """Its own operations by those of the pair that reach it as such."""
        return {name: name for name in self.vocabulary.arguments} if self.hears is None else self.hears

    @model_validator(mode="after")
    def _keys_fit(self) -> PartTable:
        self._check(*_BROUGHT)
        if DELETE in (self.hears or {}):
            raise wrong("hears without delete, which always reaches both parts", "delete in it")
        if unknown := sorted(set(self.heard.values()) - self.vocabulary.arguments.keys()):
            own = ", ".join(sorted(self.vocabulary.arguments)[:_NAMED])
            expected = f'hears as {{ name in the pair = "name in the part" }}, on the right operations of the part ({own})'
            raise wrong(expected, f"{show(unknown[0])} on the right, which it does not have")
        if not self.heard:
            raise wrong("at least one operation in hears", "none")
        return self


class ControllerTable(_Program):
    """A whole controller."""

    tape: Annotated[int, Field(ge=1, le=MOST_TAPE_BITS)] | None = None
    """Bits of the seed that `initialize` reads, where they are so few that every seed can be played; None for more."""
    games: Annotated[int, Field(ge=20, le=100_000)] = GAMES
    """Pairs of histories that each adversary plays."""
    first: PartTable | None = None
    """Of two programs side by side, in the place of `use` or `entry`: the one whose answers owe nothing to chance."""
    second: PartTable | None = None
    """The other one, which may hide people by noise."""

    @property
    def parts(self) -> tuple[PartTable, ...]:
        """The two programs of a pair, none of any other."""
        return () if self.first is None or self.second is None else (self.first, self.second)

    @property
    def foreign(self) -> bool:
        """Whether it is code from the case."""
        return self.entry is not None or any(each.entry is not None for each in self.parts)

    @property
    def vocabulary(self) -> Vocabulary:
        """What it may be asked; of a pair, what reaches either part."""
        if not self.parts:
            return super().vocabulary
        return side_by_side((each.heard, each.vocabulary) for each in self.parts)

    @property
    def tape_bits(self) -> int | None:
        """Bits of a seed, where all of them can be played."""
        named = None if self.use is None else controllers()[self.use].bits
        bits = self.tape if named is None else self.params.get(named)
        return bits if isinstance(bits, int) else None

    @property
    def named(self) -> str:
        """The name that `use` or `entry` gives it, or those of its parts."""
        return " + ".join(each.named for each in self.parts) or super().named

    @model_validator(mode="after")
    def _keys_fit(self) -> ControllerTable:
        if self.first is None and self.second is None:
            self._check(*_BROUGHT, "tape")
            return self
        if len(self.parts) != 2:
            raise wrong("first and second", "one of them alone")
        for key in ("use", "entry", *_BROUGHT, "tape"):
            if getattr(self, key) is not None:
                raise wrong(f"no {key} with first and second: each part has its own", f"the key {key}")
        if self.params:
            raise wrong("no params with first and second: each part has its own", "the key params")
        for name, number in divided((each.heard, each.vocabulary) for each in self.parts):
            raise _moved_by_people(name, number, self.parts)
        return self


def _moved_by_people(name: str, number: int, parts: tuple[PartTable, ...]) -> ValidationError:
    """Refuse an operation of the environment that anybody sets off who asks the other part: no game would let a person do so.

    Args:
        name: The pair's operation.
        number: The part to which it is the environment's.
        parts: Both.
    """
    place, other = ("first", "second")[number], ("second", "first")[number]
    hears, asked = parts[number].heard, parts[1 - number]
    own = show(asked.heard[name])
    declared = f", or environment of controller.{other} to name {own} if nobody else asks for it" if asked.use is None else ""
    fault = wrong(
        f"{show(name)} to reach an operation that people may ask for, as {own} of the {other} part is one{declared}",
        f"{show(hears[name])}, which only the environment may ask for",
    )
    at: InitErrorDetails = {"type": fault, "loc": (place, "hears"), "input": dict(hears)}
    return ValidationError.from_exception_data(ControllerTable.__name__, [at])


def _refuse_parameters(use: str, params: Mapping[str, JsonValue]) -> None:
    model = controllers()[use].params or _Plain
    try:
        model.model_validate(dict(params))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            raise wrong(f"params of {use}: {', '.join(model.model_fields) or 'none'}", f"the key {key}") from error
        raise wrong(f"params of {use}: {key}: {expected_of(first)}", show(first["input"])) from error


class NothingLearned(Procedure):
    """The procedure of a case of a controller alone: nothing is learned, and no check of learning applies."""

    use: Literal["none"] = "none"
    seed: Seed

    @property
    def learns(self) -> bool:
        """Nothing."""
        return False
