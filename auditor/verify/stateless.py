"""`state.stateless`: its status from the cases that tell one update from another, and what is known without trying."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.decisions import decide_at_most
from auditor.domain import Check, How, Status
from auditor.evidence import Evidence
from auditor.verify.data_deletion import descent
from auditor.verify.expectations import count, not_run, status_is, threshold_is
from auditor.verify.numbers import differs

ID: Final = "state.stateless"
_NEEDS_NO_TRIAL: Final = frozenset({"noisy-gd", "sklearn", "torch", "certified-removal"})
_CAME: Final = frozenset({"the same", "otherwise", "not told apart", "refused"})


def counts(evidence: Evidence) -> bool:
    """Whether the check counts: data deletion is certified or claimed, or the policy lists it."""
    own = evidence.procedure.use == descent.USE or "data_deletion" in evidence.policy.claims
    return own or (not evidence.policy.required_by_default and ID in evidence.policy.required)


def stateless(evidence: Evidence, check: Check) -> Iterator[str]:
    """`state.stateless`: as many distinguishing cases as it lists, none of them where it passes."""
    details = check.details
    if check.status is Status.SKIPPED:
        yield from not_run(check, excused=not counts(evidence), reason="data deletion is claimed or certified")
        if check.value is None and not details:
            return
    cases, carried = details.get("cases"), details.get("carried")
    if not isinstance(cases, list | tuple) or not isinstance(carried, list | tuple):
        yield "details.cases and details.carried are no lists"
        return
    yield from threshold_is(check, 0.0, "the contract's")
    if check.value is not None:
        yield from differs("value", check.value, len(cases), "the cases that it lists are")
    elif cases:
        yield f"value is nothing, and {len(cases)} cases are listed"
    yield from _known_or_tried(evidence, check)
    if check.status is not Status.SKIPPED:
        yield from status_is(check, decide_at_most(check.value, 0.0))


def _known_or_tried(evidence: Evidence, check: Check) -> Iterator[str]:
    """That only what runs no code of the controller's is known by construction, and that anything else was tried."""
    tried = count(check.details.get("updates"))
    if check.details.get("by_construction") is True:
        if evidence.procedure.entry is not None or not _built_in(evidence):
            yield "by_construction is True, and the procedure runs the controller's code"
        if tried != 0:
            yield f"details.updates is {check.details.get('updates')}, and what is known by construction was not tried"
        return
    if check.value is not None and not tried:
        yield "it has a value, and no update was tried"
    yield from _came_out(check)


def _came_out(check: Check) -> Iterator[str]:
    """That what was tried came out as the value says: a resumed update that gives others is a case, and only the same is none."""
    resumed = check.details.get("resumed")
    came = [each.get("came_out") for each in resumed if isinstance(each, dict)] if isinstance(resumed, list | tuple) else []
    found = ", ".join(map(str, came)) or "none"
    if came and not set(came) <= _CAME:
        yield f"details.resumed came out {found}: expected {', '.join(sorted(_CAME))}"
    same = came in [["the same", "the same"], ["the same", "refused"]]
    if check.value == 0 and not (same and check.details.get("deterministic") is True):
        yield f"value is 0, and details.resumed came out {found}"
    if check.value is None and same:
        yield f"value is nothing, and details.resumed came out {found}"
    if check.value and "otherwise" not in came:
        yield f"value is {check.value:g}, and details.resumed came out {found}"


def _built_in(evidence: Evidence) -> bool:
    return evidence.procedure.use in _NEEDS_NO_TRIAL


def known(evidence: Evidence) -> How | None:
    """What the check leaves of the fact that nothing but the model is carried on; None where it says nothing."""
    check = next((each for each in evidence.checks if each.id == ID), None)
    if check is None or check.value is None:
        return None
    if check.value > 0:
        return How.REFUTED
    return How.COMPUTED if check.details.get("by_construction") is True else How.ATTESTED
