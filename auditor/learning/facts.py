"""What a built-in procedure reports of a model: a frozen model, and a mapping as any procedure's facts are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, eq=False)
class Facts(Mapping[str, float | bool]):
    """Whether the last update trained from scratch; a procedure that knows more has a model of its own that adds to it.

    As a mapping it holds, by name, what is known: a value that is None is not reported.
    """

    retrained: bool | None = None
    """None where nothing was seen of the update, as of a model that was loaded."""

    def __getitem__(self, name: str) -> float | bool:
        """Give a value that is reported.

        Raises:
            KeyError: If none of that name is.
        """
        return self._reported()[name]

    def __iter__(self) -> Iterator[str]:
        """Name what is reported, in the order of the fields."""
        return iter(self._reported())

    def __len__(self) -> int:
        """Count what is reported."""
        return len(self._reported())

    def _reported(self) -> dict[str, float | bool]:
        stated = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {name: value for name, value in stated if value is not None}
