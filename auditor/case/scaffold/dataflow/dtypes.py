"""Types of columns, by pandas' names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from auditor.case.scaffold.constants import UnknownError


class Dtype(str):
    """The type of a column, which is compared with pandas' names of types."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        name = other.path.rpartition(".")[2] if isinstance(other, Named) else other
        kinds = KINDS.get(name) if isinstance(name, str) else None
        if kinds is None:
            raise UnknownError
        return str(self) in kinds

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return super().__hash__()


@dataclass(frozen=True, slots=True)
class Named:
    """Something imported, as a constant."""

    path: str


KINDS: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("number", "np.number"), frozenset({"integer", "number", "amount"})),
    **dict.fromkeys(("int64", "int", "int32", "integer"), frozenset({"integer"})),
    **dict.fromkeys(("float64", "float", "float32", "floating"), frozenset({"number"})),
    **dict.fromkeys(("object", "O", "str", "string", "object_"), frozenset({"text"})),
    **dict.fromkeys(("bool", "boolean", "bool_"), frozenset({"boolean"})),
    "category": frozenset({"category"}),
    **dict.fromkeys(("datetime", "datetime64", "datetime64[ns]"), frozenset({"time"})),
}
