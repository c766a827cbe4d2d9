"""What `deletion.renyi`, `deletion.adaptive` and `state.stateless` found, as rows that can be printed.

A number that is not there is a dash in a table, with the reason in a sentence next to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from auditor.domain import How
from auditor.report import readings, tables, wording
from auditor.report.tables import Entry
from auditor.words import guesses
from auditor.words.facts import STATEMENTS
from auditor.words.texts import Named, say
from auditor.words.told import ToldCheck

MOST_ORDERS: Final = 8
"""Orders of the grid that are printed, the declared one and the best among them; the attached evidence has all of them."""
THEOREMS: Final = Named("deletion-theorem-")
"""What the number rests on, by the name that the check gives."""
SOURCES: Final = Named("deletion-source-")
"""Where the number of models seen comes from."""
_PROVENANCE: Final = {how.value: how for how in How}


@dataclass(frozen=True, slots=True)
class PremiseRow:
    """One premise of the theorem: whether it holds, what was found, how that is known, how to fix it."""

    name: str
    """As a sentence where the catalogue of facts has one."""
    holds: bool | None
    found: str
    how: How | None
    """None where the document names a provenance of another kind: then `known_by` has its words."""
    known_by: str
    mend: str


@dataclass(frozen=True, slots=True)
class OrderRow:
    """The bounds at one Rényi order."""

    order: float
    deletion: float | None
    private: float | None
    advantage: float | None
    declared: bool
    best: bool


@dataclass(frozen=True, slots=True)
class ConversionRow:
    """ε at one δ, from the order that gives the smallest."""

    delta: float
    order: float | None
    mironov: float | None
    tight: float | None


@dataclass(frozen=True, slots=True)
class BatchRow:
    """What is promised to those who left in one batch, one by one and all together."""

    name: str
    removed: int | None
    rows: int | None
    deletion: float | None
    together: float | None


@dataclass(frozen=True, slots=True)
class RequestRow:
    """ε(p) of one request."""

    request_id: str
    stated: int | None
    """What its own row of the log says; None where that says nothing."""
    seen: int | None
    """What counts for the people whom it deletes: the models that all requesters together may have seen."""
    epsilon: float | None


@dataclass(frozen=True, slots=True)
class CarriedRow:
    """Something in addition to the model that outlived an update."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class ResumedRow:
    """What updates were resumed from in a fresh process, and how they came out."""

    source: str
    came_out: str
    why: str


@dataclass(frozen=True, slots=True)
class CaseRow:
    """An update that came out otherwise once everything but the model had been wiped."""

    after: int | None
    difference: float | None
    how: str


def checks_of(checks: tuple[ToldCheck, ...]) -> tuple[ToldCheck, ...]:
    """The checks on data deletion that have run: those that the page on data deletion covers."""
    return tuple(check for check in checks if check.id.startswith("deletion.") and wording.has_run(check))


def theorem(details: Mapping[str, Any]) -> str:
    """What the number rests on, in words."""
    named = readings.words(details.get("theorem"))
    return THEOREMS.get(named, named) or say("deletion-no-theorem")


def premises(details: Mapping[str, Any]) -> tuple[PremiseRow, ...]:
    """The premises: the false ones first, then those that nobody could tell, then the others in the order of the document."""
    rows = tuple(_premise(entry) for entry in tables.records(details.get("premises")))
    return tuple(sorted(rows, key=lambda row: {False: 0, None: 1, True: 2}[row.holds]))


def is_void(details: Mapping[str, Any]) -> bool:
    """Whether a premise was found false: then no theorem covers what ran, and no number is printed for it."""
    return any(row.holds is False for row in premises(details))


def heading(details: Mapping[str, Any]) -> str:
    """The heading of the numbers."""
    if is_void(details):
        return say("deletion-heading-checked")
    shown = say("deletion-heading-runs") if details.get("theorem") == "twins" else say("deletion-heading-theorem")
    return say("deletion-heading-if", shown=shown)


def bounds(details: Mapping[str, Any]) -> tuple[Entry, ...]:
    """What the numbers rest on, ε_dd and ε_dp at the declared order, and the best order; of numbers none where they are void."""
    if is_void(details):
        return (Entry(say("deletion-rests-on"), say("deletion-theorem-void", theorem=theorem(details)), is_number=False),)
    order, deletion, private = (readings.finite(details.get(key)) for key in ("order", "epsilon_dd", "epsilon_dp"))
    stated = "" if order is None else say("deletion-at-order", order=wording.number(order))
    rows = [Entry(say("deletion-rests-on"), theorem(details), is_number=False)]
    if deletion is not None:
        rows.append(Entry(say("deletion-epsilon-dd"), f"{wording.number(deletion)}{stated}", is_number=False))
    if private is not None:
        rows.append(Entry(say("deletion-epsilon-dp"), f"{wording.number(private)}{stated}", is_number=False))
    found = best(details)
    if found is not None:
        order, bound = found
        at = next((row.deletion for row in orders(details) if row.order == order), None)
        beside = "" if at is None else say("deletion-where-epsilon", epsilon=wording.number(at))
        rows.append(Entry(say("deletion-best-order"), f"q = {wording.number(order)}{beside}", is_number=False))
        rows.append(
            Entry(
                say("deletion-guesses-there"),
                say("deletion-guesses-at-most", most=guesses.at_most(guesses.of_advantage(bound))),
                is_number=False,
            )
        )
    return tuple(rows)


def fixing(details: Mapping[str, Any]) -> str:
    """That there is no ε, and how to fix that; empty where there is one. Why there is none, the sentence above it says."""
    if readings.finite(details.get("epsilon_dd")) is not None and not is_void(details):
        return ""
    mend = readings.words(details.get("mend")).removesuffix(".")
    return say("deletion-none-fix", fix=mend) if mend else say("deletion-none")


def best(details: Mapping[str, Any]) -> tuple[float, float] | None:
    """The order of the grid with the smallest bound on the membership advantage, and that bound (Theorem 4.1)."""
    held = details.get("membership")
    if not isinstance(held, Mapping) or is_void(details):
        return None
    order, bound = readings.finite(held.get("order")), readings.finite(held.get("bound"))
    return None if order is None or bound is None else (order, min(1.0, max(0.0, bound)))


def orders(details: Mapping[str, Any]) -> tuple[OrderRow, ...]:
    """The bounds over the grid of orders, ascending."""
    if is_void(details):
        return ()
    declared, found = readings.finite(details.get("order")), best(details)
    rows = [
        OrderRow(
            order=order,
            deletion=readings.finite(entry.get("epsilon_dd")),
            private=readings.finite(entry.get("epsilon_dp")),
            advantage=readings.finite(entry.get("advantage")),
            declared=order == declared,
            best=found is not None and order == found[0],
        )
        for entry in tables.records(details.get("orders"))
        if (order := readings.finite(entry.get("order"))) is not None
    ]
    return tuple(sorted(rows, key=lambda row: row.order))


def printed_orders(details: Mapping[str, Any]) -> tuple[OrderRow, ...]:
    """At most `MOST_ORDERS` of the grid, spread over it, the declared and the best order always among them."""
    rows = orders(details)
    named = [row for row in rows if row.declared or row.best]
    room = MOST_ORDERS - len(named)
    others = [row for row in rows if row not in named]
    if len(others) > room:
        others = [others[round(k * (len(others) - 1) / (room - 1))] for k in range(room)]
    return tuple(sorted({*named, *others}, key=lambda row: row.order))


def conversions(details: Mapping[str, Any]) -> tuple[ConversionRow, ...]:
    """The (ε, δ) forms."""
    if is_void(details):
        return ()
    return tuple(
        ConversionRow(
            delta,
            readings.finite(entry.get("order")),
            readings.finite(entry.get("mironov")),
            readings.finite(entry.get("tight")),
        )
        for entry in tables.records(details.get("conversions"))
        if (delta := readings.finite(entry.get("delta"))) is not None
    )


def batches(details: Mapping[str, Any]) -> tuple[BatchRow, ...]:
    """The batches of the log, in its order."""
    if is_void(details):
        return ()
    return tuple(
        BatchRow(
            readings.words(entry.get("batch")) or say("deletion-nameless-batch"),
            readings.count(entry.get("removed")),
            readings.count(entry.get("rows")),
            readings.finite(entry.get("epsilon_dd")),
            readings.finite(entry.get("epsilon_together")),
        )
        for entry in tables.records(details.get("batches"))
    )


def requests(details: Mapping[str, Any]) -> tuple[RequestRow, ...]:
    """ε(p) request by request, in the order of the log."""
    return tuple(
        RequestRow(
            readings.words(entry.get("request_id")) or say("deletion-nameless-request"),
            readings.count(entry.get("stated")),
            readings.count(entry.get("seen")),
            readings.finite(entry.get("epsilon")),
        )
        for entry in tables.records(details.get("per_request"))
    )


def seen(details: Mapping[str, Any]) -> str:
    """How many published models the worst request may depend on, and where that number is from."""
    count = readings.count(details.get("seen"))
    source = readings.words(details.get("source_of_seen"))
    found = say("common-not-known") if count is None else f"p = {wording.number(count)}"
    return say("deletion-models-from", found=found, source=SOURCES.get(source, source)) if source else found


def adaptive_bounds(details: Mapping[str, Any]) -> tuple[Entry, ...]:
    """What ε(p) is made of: the models seen, ε_dd, and ε_dp or the steps behind the models seen."""
    deletion, private, whole, order = (
        readings.finite(details.get(key)) for key in ("epsilon_dd", "epsilon_dp", "epsilon", "order")
    )
    steps = readings.count(details.get("steps_seen"))
    stated = "" if order is None else say("deletion-at-order", order=wording.number(order))
    rows = [Entry(say("deletion-models-worst"), seen(details), is_number=False)]
    if steps is not None:
        rows.append(Entry(say("deletion-steps-seen"), wording.number(steps), is_number=True))
    if deletion is not None:
        rows.append(Entry("ε_dd", wording.number(deletion), is_number=True))
    if private is not None:
        rows.append(Entry(say("deletion-epsilon-dp-seen"), wording.number(private), is_number=True))
    if whole is None:
        rows.append(Entry("ε(p)", say("deletion-epsilon-p-none"), is_number=False))
        return tuple(rows)
    rows.append(Entry(say("deletion-epsilon-p"), f"{wording.number(whole)}{stated}", is_number=False))
    records = readings.count(details.get("records_per_person"))
    if records is not None and records > 1:
        person = readings.finite(details.get("epsilon_person"))
        said = say("deletion-epsilon-p-unproved") if person is None else f"{wording.number(person)}{stated}"
        rows.append(Entry(say("deletion-epsilon-p-person", records=wording.number(records)), said, is_number=False))
    return tuple(rows)


def carried(details: Mapping[str, Any]) -> tuple[CarriedRow, ...]:
    """What outlived an update in addition to the model, by name."""
    return tuple(
        CarriedRow(
            readings.words(entry.get("name")) or say("deletion-carried-nameless"),
            readings.words(entry.get("kind")) or say("deletion-carried-no-kind"),
        )
        for entry in tables.records(details.get("carried"))
    )


def resumed(details: Mapping[str, Any]) -> tuple[ResumedRow, ...]:
    """What updates were resumed from, and whether they came out as those that ran on."""
    return tuple(
        ResumedRow(
            readings.words(entry.get("from")) or say("common-not-named"),
            readings.words(entry.get("came_out")) or say("common-not-known"),
            readings.words(entry.get("reason")) or "–",
        )
        for entry in tables.records(details.get("resumed"))
    )


def cases(details: Mapping[str, Any]) -> tuple[CaseRow, ...]:
    """The updates that came out otherwise without what was carried."""
    return tuple(
        CaseRow(
            readings.count(entry.get("after")), readings.finite(entry.get("difference")), readings.words(entry.get("how")) or "–"
        )
        for entry in tables.records(details.get("cases"))
    )


def _premise(entry: Mapping[str, Any]) -> PremiseRow:
    holds, name = entry.get("holds"), readings.words(entry.get("name"))
    known_by = readings.words(entry.get("how"))
    return PremiseRow(
        name=STATEMENTS.get(name, name) or say("deletion-nameless-premise"),
        holds=holds if isinstance(holds, bool) else None,
        found=tables.in_words(entry.get("found")),
        how=_PROVENANCE.get(known_by),
        known_by=known_by or say("common-not-named"),
        mend=readings.words(entry.get("mend")),
    )
