"""`deletion.adaptive`: the ε that is left where requests may depend on published models (forget-unlearning.md, Theorem 4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from auditor.case import Case
from auditor.certificates import derive
from auditor.certificates.rounding import finite
from auditor.checks.deletion.bounds import all_steps
from auditor.domain import Certificate, Check, How, Status
from auditor.observing.deletion import meaning
from auditor.observing.deletion.people import Share, largest_share
from auditor.observing.deletion.premises import Premise
from auditor.observing.deletion.renyi import NO_THRESHOLD, Judged
from auditor.observing.deletion.seen import Origin, Seen, seen
from auditor.observing.findings import TITLES
from auditor.observing.replay import Replay

ID = "deletion.adaptive"
Game = Mapping[str, Any]
"""The game of an adaptive requester, as the evidence holds it; `refuted` says in a sentence what it refutes, if anything."""


def judge(case: Case, replay: Replay, judged: Judged, *, game: Game | None = None) -> tuple[Check, tuple[Certificate, ...]]:
    """The check, at p = 0 too, and its certificate.

    Args:
        case: With the log and the claim.
        replay: What the rerun observed, with a batch at least.
        judged: What `deletion.renyi` rests on.
        game: What a requester of the auditor's or of the user's reached, where one played.
    """
    log, claim = seen(case, replay), case.settings.claims.data_deletion
    claimed = None if claim is None else claim.adaptive
    models = max(log.most, claimed or 0)
    origin: Origin = "claim" if models > log.most else "all published before" if log.left_out else "log"
    each, steps = _of_one_model(judged, models)
    own = judged.bounds.epsilon_dd if judged.stands else None
    certificate = _certificate(own, each, models, together=steps is not None)
    value = None if certificate is None else certificate.epsilon
    share = largest_share(case, replay)
    status = _status(judged, value, log, claimed, game)
    check = Check(
        id=ID,
        title=TITLES[ID],
        status=status,
        value=value,
        interval=None,
        threshold=judged.goal.threshold,
        basis=_words(judged, value, log, models, claimed, game, status),
        details={
            "seen": models,
            "source_of_seen": origin,
            "epsilon_dd": own,
            "epsilon_dp": None if own is None else each,
            "epsilon": value,
            "order": judged.setting.order,
            "records_per_person": share.records,
            "epsilon_person": of_a_person(judged, value, share),
            "per_request": _per_request(judged, replay, log, len(case.train)),
            "steps_seen": steps,
            "game": None if game is None else dict(game),
            "premises": [premise.details() for premise in attested(log, models, origin)],
        },
    )
    return check, () if certificate is None else (certificate,)


def of_a_person(judged: Judged, value: float | None, share: Share) -> float | None:
    """What holds for a person with several deleted records; None where nothing does.

    The shift of a gradient grows with the records, and each ε with its square: k records that leave one after another shift it no
    more than if all had stayed until the last. Theorem 5.2 speaks of the records of one request together, and of no others.
    """
    if share.records == 1 or value is None:
        return value
    if judged.bounds.source != "5.2":
        return meaning.together_epsilon(value, share.records)
    return None if share.batches > 1 else meaning.together_epsilon(value, share.records)


def _of_one_model(judged: Judged, models: int) -> tuple[float | None, int | None]:
    """ε_dp of each model that was seen; or, where the loss is not convex, of all steps up to the last one, and their number."""
    if judged.bounds.source != "5.2":
        return judged.bounds.epsilon_dp, None
    return (all_steps(judged.setting), judged.setting.steps_with) if models else (judged.bounds.epsilon_dp, None)


def _certificate(own: float | None, each: float | None, models: int, *, together: bool) -> Certificate | None:
    if own is None or (each is None and models):
        return None
    # All steps together stand for every model among them.
    count = min(models, 1) if together else models
    return derive("adaptive", {"epsilon_dd": own, "epsilon_dp": each or 0.0, "seen": count})


def _status(judged: Judged, value: float | None, log: Seen, claimed: int | None, game: Game | None) -> Status:
    if judged.false or (game is not None and game.get("refuted")):
        return Status.FAIL
    if claimed is not None and log.by_word > claimed:
        return Status.FAIL
    status = judged.status(value)
    beyond = claimed is not None and log.most > claimed
    return Status.INCONCLUSIVE if status is Status.PASS and beyond else status


def _per_request(judged: Judged, replay: Replay, log: Seen, rows: int) -> list[dict[str, Any]]:
    """Of each executed request, the models that count for the people it deletes, and the ε that these leave."""
    epsilons = []
    for number, gone in enumerate(replay.forgotten):
        epsilons.append(_of_batch(judged, number, rows, len(gone), log.before[number]) if judged.stands else None)
        rows -= len(gone)
    return [
        {"request_id": request, "batch": number + 1, "stated": stated, "seen": log.before[number], "epsilon": epsilons[number]}
        for (request, number), stated in zip(log.requests, log.stated, strict=True)
    ]


def _of_batch(judged: Judged, number: int, rows: int, removed: int, models: int) -> float | None:
    own = meaning.of_batch(judged.setting, judged.bounds, number, rows=rows, removed=removed)
    setting = replace(judged.setting, rows=rows, updates=number)
    each, steps = _of_one_model(replace(judged, setting=setting), models)
    certificate = _certificate(own, each, models, together=steps is not None)
    return None if certificate is None or certificate.epsilon is None else finite(certificate.epsilon)


def attested(log: Seen, models: int, origin: Origin) -> tuple[Premise, ...]:
    """What nobody but the controller can know of the requests."""
    if not models:
        return (
            Premise("requests-fixed", True, "no request depends on a released model; the controller's word", How.ATTESTED),
            Premise("seen-releases", True, "the log says that nobody had seen a model", How.ATTESTED),
        )
    words = {
        "log": f"{models} models, those that the rows of the log name added up",
        "claim": f"{models} models, as the claim says; the log names {log.most}",
        "all published before": f"{models} models: rows that name none count for all models published before their request",
    }[origin]
    return (
        Premise("own-request-fixed", True, "a person's own request was fixed in advance; the controller's word", How.ATTESTED),
        Premise("seen-releases", True, f"{words}; the controller's word", How.ATTESTED),
    )


def _words(
    judged: Judged, value: float | None, log: Seen, models: int, claimed: int | None, game: Game | None, status: Status
) -> str:
    words = []
    if judged.false:
        names = ", ".join(premise.name for premise in judged.false)
        words.append(f"A premise is false, so no theorem speaks of what ran: {names} (see deletion.renyi).")
    elif value is None:
        words.append(
            "No ε: deletion.renyi gives none."
            if judged.bounds.epsilon_dd is None
            else "No ε: nothing bounds what each model that was seen says of a record."
        )
    elif not models:
        words.append(
            f"ε at order {judged.setting.order:g} at p = 0: nobody is said to have seen a model before a request, so it is that "
            "of deletion.renyi."
        )
    else:
        count = f"{models} models" if models > 1 else "one model"
        words.append(
            f"ε at order {judged.setting.order:g} where all requesters together had seen {count} from before a deletion "
            "(Theorem 4.3)."
        )
    if log.left_out and models:
        mend = "; name in the log what requesters had seen" if status is Status.FAIL and not judged.false else ""
        words.append(f"Rows without seen_releases count for every model published before their request{mend}.")
    if claimed is not None and log.most > claimed:
        words.append(f"The claim speaks of {claimed} models, and the log of {log.most}: the claim does not cover it.")
    if game is not None and game.get("refuted"):
        words.append(str(game["refuted"]))
    if status is Status.INCONCLUSIVE and (judged.open or judged.foreign) and value is not None:
        words.append("What deletion.renyi leaves open is open here too.")
    if judged.goal.threshold is None and value is not None:
        words.append(NO_THRESHOLD)
    return " ".join(words)
