"""What the statement of a guarantee names in addition to ε and δ, and how a JSON object is read as the one form that it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

from auditor.base.promises import Promise

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, TypeAdapter
    from pydantic_core import CoreSchema

# Strict: a document that writes 1 for true, or a number in quotation marks, is another document.
_EXACT: Final = {"extra": "forbid", "allow_inf_nan": False, "strict": True}


@dataclass(frozen=True, slots=True)
class NoTerms:
    """The statement of a guarantee names nothing but ε, δ, an order and what it promises."""

    promise: Promise | None = None
    """What its theorem promises each person, by parameters; None where no more is known than ε, δ and an order."""

    __pydantic_config__ = _EXACT


@dataclass(frozen=True, slots=True)
class DeletionTerms:
    """What the statement of data deletion names as well, whether it holds or not."""

    order: float
    """q."""
    epsilon: float | None
    """For all records of the unit; None where there is none."""
    source: str | None
    """What it was derived from."""
    seen: int
    """p, the models that requesters had seen."""
    advantage: float | None
    """How much better than guessing anybody tells whether those records were there; None where no bound is known."""
    records: int
    """The most that one unit has."""
    of: Literal["request", "person"]
    """Whose records it covers together."""
    promise: Promise | None = None
    """For all records of the unit; None where no more is known."""

    __pydantic_config__ = _EXACT


@dataclass(frozen=True, slots=True)
class ControlTerms:
    """What the statement of deletion as control names as well."""

    by_noise: bool
    """Whether its numbers are those of noise."""
    promise: Promise | None = None
    """What its theorem promises each person; None where no more is known than ε and δ."""

    __pydantic_config__ = _EXACT


@dataclass(frozen=True, slots=True)
class ReportedControlTerms(ControlTerms):
    """The same where that is the noise in a program's reports, and in no training."""

    reported: Literal[True] = True

    __pydantic_config__ = _EXACT


@dataclass(frozen=True, slots=True)
class UnlearningTerms:
    """What the statement of adaptive machine unlearning follows from: the adaptive history independence of the learner."""

    epsilon: float
    delta: float
    promise: Promise | None = None
    """Of that independence; None where no more is known than its ε and δ."""

    __pydantic_config__ = _EXACT


_FORMS: Final = {
    "reported": ReportedControlTerms,
    "by_noise": ControlTerms,
    "order": DeletionTerms,
    "delta": UnlearningTerms,
}
"""By the first of these keys that it has, what a JSON object is read as; one that has none of them names nothing."""


class _ToldApart:
    """Reads a JSON object as the one form that it is: of a union every form would report what the object lacks to be that one."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Give pydantic the union, read form by form."""
        # Whatever runs foreign code imports this module, and has no use for a library that reads documents.
        from pydantic_core.core_schema import (  # noqa: PLC0415
            no_info_wrap_validator_function,
            wrap_serializer_function_ser_schema,
        )

        written = wrap_serializer_function_ser_schema(_written)
        return no_info_wrap_validator_function(_told_apart, handler(source), serialization=written)


def _written(value: Any, write: Callable[[Any], Any]) -> Any:
    """Leave out a promise that says nothing."""
    found = write(value)
    return {name: each for name, each in found.items() if name != "promise" or each is not None}


def _told_apart(value: Any, checked: Callable[[Any], Any]) -> Any:
    if isinstance(value, NoTerms | DeletionTerms | ControlTerms | UnlearningTerms):
        return checked(value)
    keys = value if isinstance(value, Mapping) else ()
    form = next((form for key, form in _FORMS.items() if key in keys), NoTerms)
    return _reader(form).validate_json(json.dumps(value))


@cache
def _reader(form: type[Any]) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter  # noqa: PLC0415

    return TypeAdapter(form)


Terms: TypeAlias = Annotated[NoTerms | DeletionTerms | ReportedControlTerms | ControlTerms | UnlearningTerms, _ToldApart()]
