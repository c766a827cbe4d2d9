"""A check that is known by its card until something else is asked of it: then the module that judges it is imported.

A document names what a few checks observed, and everything that lists checks reads cards alone. What a judge needs, models and
mathematics, is loaded for the checks that are judged.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, cast

from auditor.base.domain import Fact, Message
from auditor.settings.tables import CLAIMED
from auditor.verdict.checks.card import Card
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding
from auditor.verdict.guarantees import Pledges


def idle_never(_context: Context) -> Message | None:
    """For a check whose judge is to be asked in every case."""
    return None


@dataclass(frozen=True, slots=True)
class Late:
    """One check that is imported when it is asked; it stands for its `Definition`, and has all that one has."""

    card: Card
    home: str
    """The module that names the definition in `CHECK` or `CHECKS`."""
    idle: Callable[[Context], Message | None] = idle_never
    """Why the check is not for a case, where what is declared says so: then it does not apply, pledges nothing and examines
    no claim. It says only what `applies` of the definition says as well."""
    runs: bool = True
    """Whether anything has to run for it, as the definition has it."""
    promises: bool = False
    """Whether it gives numbers to guarantees or examines claims: whether the definition has `pledges` or `examined_claims`."""
    declares: bool = False
    """Whether declared data show anything of its subject by themselves: whether the definition has `declared_facts`."""
    later_reasons: Mapping[str, str] = field(default_factory=dict)
    """As the definition has them."""

    @property
    def since(self) -> str:
        """The version since which documents have it."""
        return self.card.since

    @property
    def whole(self) -> Definition[Any]:
        """The definition, imported."""
        return next(each for each in named_in(importlib.import_module(self.home)) if each.card is self.card)

    def applies(self, context: Context, earlier: Earlier) -> Message | None:
        """Say why it does not apply."""
        return self.idle(context) or self.whole.applies(context, earlier)

    def wanted(self, context: Context) -> bool:
        """Whether the case gives cause for it."""
        return self.idle(context) is None and self.whole.wanted(context)

    def pledges(self, context: Context, findings: Mapping[str, Finding]) -> Pledges:
        """Give the numbers that it gives to guarantees."""
        return Pledges() if self._is_silent(context) else self.whole.pledges(context, findings)

    def examined_claims(self, context: Context, findings: Mapping[str, Finding]) -> frozenset[str]:
        """Name the claims that it examined."""
        return frozenset() if self._is_silent(context) else self.whole.examined_claims(context, findings)

    def declared_facts(self, context: Context) -> tuple[Fact, ...]:
        """Give what the declared data show of its subject."""
        return self.whole.declared_facts(context) if self.declares else ()

    def _is_silent(self, context: Context) -> bool:
        """Whether nothing is promised or claimed that it speaks to: of places alone nothing is, unless somebody claims it."""
        unclaimed = not any(getattr(context.claims, name) for name in CLAIMED)
        return not self.promises or (context.places_alone and unclaimed) or self.idle(context) is not None

    def __getattr__(self, name: str) -> Any:
        """Give whatever else the definition has."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.whole, name)

    def as_definition(self) -> Definition[Any]:
        """Pass for a definition."""
        return cast("Definition[Any]", self)


def named_in(module: ModuleType) -> Iterator[Definition[Any]]:
    """Give the definitions that a module names."""
    if hasattr(module, "CHECK"):
        yield module.CHECK
    yield from getattr(module, "CHECKS", ())
