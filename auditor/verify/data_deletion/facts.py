"""What a document leaves of the facts that the guarantee of data deletion rests on, and what that guarantee speaks of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, get_args

from auditor.data_deletion import STATEMENTS, Deletion, Source
from auditor.domain import LEFT_OUT, Check, Guarantee, How, Premise, Status
from auditor.evidence import Evidence
from auditor.verify import stateless
from auditor.verify.data_deletion import descent
from auditor.verify.data_deletion.premises import listed
from auditor.verify.data_deletion.renyi import RENYI, applies
from auditor.verify.expectations import count, number

ADAPTIVE: Final = "deletion.adaptive"
_STRENGTH: Final = (How.REFUTED, How.UNKNOWN, How.ATTESTED, How.MEASURED, How.COMPUTED)
_NAMES: Final = {statement: name for name, statement in STATEMENTS.items()}
_SPEAKING: Final = frozenset({Status.PASS, Status.FAIL, Status.INCONCLUSIVE})


def deletion_of(evidence: Evidence) -> Deletion | None:
    """What the guarantee promises, from the details of the checks; None where the case gives no cause for one."""
    if not applies(evidence):
        return None
    own, adaptive = _details(evidence, RENYI), _details(evidence, ADAPTIVE)
    source, order, epsilon = own.get("theorem"), descent.goal(evidence)[0], number(adaptive.get("epsilon_person"))
    return Deletion(
        # What no order is and no ε has no words either; the checks name it.
        order=order if order > 1 else 2.0,
        epsilon=epsilon if epsilon is None or epsilon >= 0 else None,
        source=source if source in get_args(Source) else None,
        seen=count(adaptive.get("seen")) or 0,
        known_loss=evidence.procedure.use == descent.USE and evidence.procedure.settings.get("loss") is not None,
    )


def allowed(name: str) -> Callable[[Evidence], How | None]:
    """What a document leaves of a fact; None where --only left out what would tell."""

    def source(evidence: Evidence) -> How | None:
        if name == "noise-secret":
            return _secret(evidence)
        if name == "deletion-bound-met":
            return _met(evidence)
        if name == "deletion-unrefuted":
            return _unrefuted(evidence)
        if name == "code-clean":
            # What a theorem on the auditor's own descent does not ask for, nobody says.
            return How.UNKNOWN if evidence.procedure.use == descent.USE else How.ATTESTED
        check_id = ADAPTIVE if name in {"own-request-fixed", "seen-releases"} else RENYI
        if _left_out(evidence, check_id):
            return None
        premise = _premise(evidence, check_id, name)
        return _weaker(premise, stateless.known(evidence)) if name == "stateless" else premise or How.UNKNOWN

    return source


def messages(evidence: Evidence, guarantee: Guarantee) -> Iterator[str]:
    """Premises that give another reason than the check that they name, and a refutation that no premise tells of."""
    premises = [premise for derivation in guarantee.derivation for premise in derivation.premises]
    for premise in premises:
        yield from _reason(evidence, premise)
    named = {_NAMES.get(premise.fact) for premise in premises}
    if _unrefuted(evidence) is How.REFUTED and "deletion-unrefuted" not in named:
        yield "no premise says that an attack of this run refutes it, and one does"


def _reason(evidence: Evidence, premise: Premise) -> Iterator[str]:
    name = _NAMES.get(premise.fact, "")
    if name == "deletion-bound-met":
        missing = [words for words in _bounds_told(evidence) if words not in premise.evidence]
        if missing and premise.how is not How.UNKNOWN:
            yield f"“{premise.fact}” does not say “{missing[0]}”: “{premise.evidence}”"
        return
    for check_id in (RENYI, ADAPTIVE):
        check = _check(evidence, check_id)
        stated = None if check is None else listed(check).get(name)
        if premise.evidence.startswith(f"{check_id}: ") and stated is not None:
            expected = f"{check_id}: {stated.get('found')}"
            if premise.evidence != expected:
                yield f"“{premise.fact}” says “{premise.evidence}”, the check says “{expected}”"


def _bounds_told(evidence: Evidence) -> Iterator[str]:
    """What both checks came to, in the digits of the premise."""
    for check_id in (RENYI, ADAPTIVE):
        check = _check(evidence, check_id)
        if check is not None and check.value:
            yield f"{check_id}: ε = {check.value:.4g}" + ("" if check.threshold is None else f" of {check.threshold:g}")


def _check(evidence: Evidence, check_id: str) -> Check | None:
    return next((check for check in evidence.checks if check.id == check_id), None)


def _details(evidence: Evidence, check_id: str) -> dict[str, Any]:
    check = _check(evidence, check_id)
    return {} if check is None else dict(check.details)


def _left_out(evidence: Evidence, check_id: str) -> bool:
    check = _check(evidence, check_id)
    return check is not None and check.basis == LEFT_OUT


def _premise(evidence: Evidence, check_id: str, name: str) -> How | None:
    check = _check(evidence, check_id)
    stated = None if check is None or check.status not in _SPEAKING else listed(check).get(name)
    if stated is None or stated.get("holds") is None:
        return None
    word = str(stated.get("how"))
    return How(word) if word in set(How) else None


def _weaker(one: How | None, other: How | None) -> How:
    """Of what two checks leave of one fact the weaker; unknown where neither says anything."""
    found = [each for each in (one, other) if each is not None]
    return min(found, key=_STRENGTH.index, default=How.UNKNOWN)


def _met(evidence: Evidence) -> How | None:
    checks = [_check(evidence, check_id) for check_id in (RENYI, ADAPTIVE)]
    if any(_left_out(evidence, check_id) for check_id in (RENYI, ADAPTIVE)):
        return None
    statuses = [None if check is None else check.status for check in checks]
    if Status.FAIL in statuses:
        return How.REFUTED
    if statuses != [Status.PASS, Status.PASS]:
        return How.UNKNOWN
    return How.COMPUTED if evidence.procedure.use == descent.USE else How.MEASURED


def _secret(evidence: Evidence) -> How:
    """The word of the controller at best: a seed without a digest can be guessed."""
    if evidence.procedure.use != descent.USE:
        return How.UNKNOWN
    return How.REFUTED if evidence.procedure.seed_digest is None else How.ATTESTED


def _unrefuted(evidence: Evidence) -> How | None:
    """Whether a comparison of a full run, or a requester's game, lies beyond what is claimed or certified of data deletion."""
    played = _details(evidence, ADAPTIVE).get("game")
    if isinstance(played, dict) and played.get("refuted"):
        return How.REFUTED
    if evidence.audit.quick:
        return How.UNKNOWN
    rows = _details(evidence, "epsilon.consistency").get("comparisons")
    speaking = [row for row in rows if isinstance(row, dict) and row.get("compared")] if isinstance(rows, list | tuple) else []
    of_deletion = [row for row in speaking if row.get("claim") == "data_deletion" or row.get("order") is not None]
    return How.REFUTED if any((number(row.get("gap")) or 0.0) > 0 for row in of_deletion) else How.UNKNOWN
