"""From what the experiment showed, or what is known by construction, to the check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from auditor.case import Case
from auditor.decisions import decide_at_most
from auditor.domain import Check, Fact, How, Status
from auditor.guarantees import fact
from auditor.observing.findings import TITLES, Findings
from auditor.observing.stateless.built_in import Carried
from auditor.observing.stateless.comparing import Otherwise
from auditor.observing.stateless.drawing import UPDATES
from auditor.observing.stateless.experiment import Came, Tried
from auditor.settings.noisy_gd import NoisyGd

ID: Final = "state.stateless"
_MOST_NAMES: Final = 100
_INFORMATIVE: Final = (
    " Informative: data deletion is neither claimed nor certified here, and the policy does not list this check."
)
_FILE: Final = {"name": "what the file of save() holds beyond the parameters", "kind": "model file"}


def counts(case: Case) -> bool:
    """Whether the check counts: where data deletion is certified or claimed, or where the policy lists it."""
    claimed = case.settings.claims.data_deletion is not None
    return isinstance(case.settings.procedure, NoisyGd) or claimed or ID in (case.settings.policy.required or ())


def by_construction(case: Case, carried: Carried) -> Findings:
    """The check of a built-in procedure: what its code reads of an earlier update is known."""
    cases = [Otherwise(1, None, f"by construction: the next update reads {what}") for what in carried.beyond]
    named = carried.beyond if carried.in_part is None else (*carried.beyond, carried.in_part)
    kept = [{"name": what, "kind": "attribute"} for what in named]
    details = _details(cases, kept, updates=0, deterministic=True, by_construction=True)
    words = f"Built-in procedure, by construction: its object keeps hyperparameters alone. {carried.words}"
    if carried.in_part is not None:
        return _findings(case, None, words, details, None)
    known = How.REFUTED if cases else How.COMPUTED
    reason = f"built-in procedure {getattr(case.settings.procedure, 'use', '')}: {carried.words}"
    return _findings(case, len(cases), words, details, fact("stateless", known, reason))


def untried(case: Case, reason: str) -> Findings:
    """The check where the experiment could not be made."""
    details = _details((), (), updates=0, deterministic=None, by_construction=False)
    return _findings(case, None, f"Not shown: {reason}.", details, None)


def judged(case: Case, tried: Tried) -> Findings:
    """The check of a procedure that was tried."""
    cases = (*tried.released.cases, *tried.saved.cases)
    routes = (tried.released.came, tried.saved.came)
    kept = [{"name": name, "kind": kind} for kind, name in tried.survivors]
    details = _details((), kept, updates=UPDATES, deterministic=tried.deterministic, by_construction=False) | {
        "resumed": [tried.released.listed(), tried.saved.listed()],
        **({"p_values": tried.p_values} if tried.p_values else {}),
    }
    begin = f"{UPDATES} records were deleted one after another, and fresh processes made each update from the model before it."
    match routes:
        case (Came.SAME, Came.SAME | Came.REFUSED):
            words = f"{begin} From the released parameters alone they gave the same models, bit for bit.{_survived(kept)}"
            attested = "state.stateless: not refuted; that no other update reads a hidden state is the controller's word"
            return _findings(case, 0, words, details, fact("stateless", How.ATTESTED, attested))
        case (Came.SAME, Came.OTHERWISE):
            words = (
                f"{begin} From the released parameters alone they gave the same models, from the file of save() others: the file "
                "does not hold the model that is carried on."
            )
            return _findings(case, None, words, details, None)
        case (Came.OTHERWISE, Came.SAME):
            words = (
                f"{begin} From the file of save() they gave the same models, from the released parameters alone others: what the "
                "file holds beyond the parameters is carried on in secret."
            )
            kept = [_FILE]
        case _ if cases:
            words = f"{begin} They gave other models than the process that ran every update. {_named(kept)}"
        case _:
            return _findings(case, None, f"{begin} Not shown: {_open(tried)}.", details, None)
    details |= {"cases": [each.listed() for each in cases], "carried": _bounded(kept)}
    reason = (
        "state.stateless: " + ", ".join(each["name"] for each in kept[:3])
        if kept
        else "state.stateless: by nothing that could be named"
    )
    return _findings(case, len(cases), words, details, fact("stateless", How.REFUTED, reason))


def _open(tried: Tried) -> str:
    """Why nothing was shown either way."""
    if tried.slow:
        return "two runs of the same differ, and the procedure is too slow for its laws to be compared"
    if not tried.deterministic:
        return "two runs of the same differ; as laws, the updates were not told apart, which shows nothing"
    reasons = [f"from {each.source}: {each.reason}" for each in (tried.released, tried.saved) if each.came is Came.REFUSED]
    if tried.saved.came is Came.SAME:
        reasons.append("from the file of save() they gave the same models, but what it holds beyond the parameters may be state")
    return "; ".join(reasons)


def _survived(kept: Sequence[dict[str, str]]) -> str:
    return f" What else outlived an update made no difference to them: {_listed(kept)}." if kept else ""


def _named(kept: Sequence[dict[str, str]]) -> str:
    if not kept:
        return "What it is that they lack lies where nobody looked: nothing that could be named outlived an update."
    return f"What outlived an update there: {_listed(kept)}."


def _listed(kept: Sequence[dict[str, str]]) -> str:
    words = ", ".join(f"{each['name']} ({each['kind']})" for each in kept[:3])
    return words + (f" and {len(kept) - 3} more" if len(kept) > 3 else "")


def _bounded(kept: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    return list(kept[:_MOST_NAMES])


def _details(
    cases: Sequence[Otherwise],
    kept: Sequence[dict[str, str]],
    *,
    updates: int,
    deterministic: bool | None,
    by_construction: bool,
) -> dict[str, Any]:
    return {
        "by_construction": by_construction,
        "carried": _bounded(kept),
        "cases": [each.listed() for each in cases],
        "updates": updates,
        "deterministic": deterministic,
    }


def _findings(case: Case, value: int | None, words: str, details: dict[str, Any], known: Fact | None) -> Findings:
    """The check; of one that does not count the value stands, and the status is skipped."""
    counted = counts(case)
    check = Check(
        id=ID,
        title=TITLES[ID],
        status=decide_at_most(value, 0.0) if counted else Status.SKIPPED,
        value=None if value is None else float(value),
        interval=None,
        threshold=0.0,
        basis=words if counted else words + _INFORMATIVE,
        details=details,
    )
    return Findings((check,), facts=() if known is None else (known,))
