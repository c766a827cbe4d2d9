"""Data deletion of a procedure that no theorem speaks of: whether what is released depends on the deleted records at all.

Where models with other records in their place are the same, bit for bit, ε_dd is 0 in these runs. That is a measurement and no
proof: the guarantee that it feeds is *supported* at best. Where they differ nothing is shown, and nothing refuted by that alone.
"""

from __future__ import annotations

from typing import Any, Final

from auditor.case import Case
from auditor.checks.deletion.goals import Goal, goal
from auditor.checks.submission import submitted
from auditor.decisions import decide_at_most
from auditor.domain import Check, Fact, How, Status
from auditor.guarantees import fact
from auditor.observing.deletion import adaptive, renyi
from auditor.observing.deletion.adaptive import Game
from auditor.observing.deletion.people import largest_share
from auditor.observing.deletion.premises import Premise, labels_fixed
from auditor.observing.deletion.seen import Origin, seen
from auditor.observing.deletion.twins import Compared
from auditor.observing.findings import TITLES, Findings
from auditor.observing.replay import Replay

DEPENDS: Final = "no theorem is known for this procedure, and its released models depend on the deleted records"
_MEND: Final = (
    'use = "noisy-gd", which a theorem speaks of, or train anew without the records, with randomness that follows the seed'
)
_MEND_STATE: Final = "keep nothing between updates but the model that is released"


def judge(case: Case, replay: Replay, compared: Compared, *, stateless: Check | None, game: Game | None = None) -> Findings:
    """Judge both checks by the runs with other records.

    Args:
        case: Data deletion is claimed of it.
        replay: What the rerun observed, with a batch at least.
        compared: What the runs with other records showed.
        stateless: What the experiment on statelessness found, where it ran.
        game: What an adaptive requester reached, where one played.
    """
    aim = goal(case.settings.claims, case.settings.policy, case.settings.procedure)
    premises = (_independent(case, compared), labels_fixed(case, replay), _carried(stateless))
    epsilon = 0.0 if all(premise.holds is True for premise in premises) else None
    deleted = _renyi(case, replay, aim, compared, premises, epsilon)
    answered = _adaptive(case, replay, aim, compared, premises, epsilon, game)
    return Findings((deleted, answered), (), _facts(premises, deleted, answered))


def _independent(case: Case, compared: Compared) -> Premise:
    name = "release-independent"
    if getattr(case.settings.procedure, "unlearn", None) == "none":
        words = "the procedure is declared to hand the old model on, whatever was deleted, even if these runs do not tell it"
        return Premise(name, None, words, How.UNKNOWN, _MEND)
    if compared.reason is not None:
        return Premise(name, None, compared.reason, How.UNKNOWN, "a procedure whose runs can be compared bit for bit")
    if not compared.same:
        what = "the file of save() alone differs" if compared.by_file else "a model differs"
        return Premise(name, None, f"{what} after batch {compared.differs_after}: {DEPENDS}", How.UNKNOWN, _MEND)
    words = f"{compared.runs} runs of the log with others in their place: {', '.join(compared.replacements)}"
    return Premise(name, True, words, How.MEASURED)


def _carried(stateless: Check | None) -> Premise:
    """That nothing but the model is carried on: as the experiment found, which can refute it and never prove it."""
    name = "stateless"
    if stateless is not None and stateless.status is Status.FAIL:
        return Premise(name, False, "state.stateless found more than the model carried on", How.REFUTED, _MEND_STATE)
    if stateless is not None and stateless.status is Status.PASS:
        if stateless.details.get("by_construction") is True:
            return Premise(name, True, "a built-in procedure, by construction", How.COMPUTED)
        return Premise(name, True, "state.stateless found no case that tells; otherwise the controller's word", How.ATTESTED)
    return Premise(name, None, "state.stateless did not show it", How.UNKNOWN, "offer parameters(), save() and load()")


def _status(premises: tuple[Premise, ...], epsilon: float | None, aim: Goal) -> Status:
    if any(premise.holds is False for premise in premises):
        return Status.FAIL
    return decide_at_most(epsilon, aim.threshold)


def _renyi(
    case: Case, replay: Replay, aim: Goal, compared: Compared, premises: tuple[Premise, ...], epsilon: float | None
) -> Check:
    false = [premise for premise in premises if premise.holds is False]
    unmet = false or [premise for premise in premises if premise.holds is None]
    reason = "; ".join(f"{premise.name}: {premise.found}" for premise in unmet) or None
    removed = [len(gone) for gone in replay.forgotten]
    return Check(
        id=renyi.ID,
        title=TITLES[renyi.ID],
        status=_status(premises, epsilon, aim),
        value=epsilon,
        interval=None,
        threshold=aim.threshold,
        basis=_words(compared, premises, aim),
        details={
            "theorem": None if epsilon is None else "twins",
            "order": aim.order,
            "epsilon_dd": epsilon,
            "epsilon_dp": None,
            "reason": reason,
            "mend": "; ".join(dict.fromkeys(premise.mend for premise in unmet if premise.mend)) or None,
            "settings": {
                "rows": len(case.train) - sum(removed[:-1]),
                "parameters": None if replay.trajectory is None else int(replay.trajectory[0].size),
                "largest_batch": max(removed),
            },
            "premises": [premise.details() for premise in premises],
            "orders": [],
            "membership": None,
            "conversions": [],
            "gaussian": None,
            "curve": [],
            "noise": None,
            "steps": None,
            "batches": [],
            "cost": _cost(replay),
            "utility": None,
            "sources": list(aim.sources),
            "twins": compared.listed(),
        },
    )


def _cost(replay: Replay) -> dict[str, Any]:
    return {
        "gradients_learning": None,
        "gradients_unlearning": None,
        "saved_share": None,
        "seconds_retraining": replay.retrain_seconds,
        "seconds_unlearning": replay.unlearn_seconds,
    }


def _words(compared: Compared, premises: tuple[Premise, ...], aim: Goal) -> str:
    false = [premise for premise in premises if premise.holds is False]
    words = []
    if compared.same:
        words.append(
            f"In {compared.runs} runs of the log with other records in the place of the deleted ones every model after a "
            "deletion was the same, bit for bit."
        )
        if all(premise.holds is True for premise in premises):
            words.append(
                "So ε_dd = 0 as measured in these runs, which proves nothing of others. What the procedure's code and settings "
                "bring along is the same in every run, whatever it was made from: that it holds nothing of the deleted records "
                "is the controller's word."
            )
    if false:
        words.append("A premise is false: " + "; ".join(f"{each.name}: {each.found}" for each in false) + ".")
    unknown = [premise.found for premise in premises if premise.holds is None]
    if unknown:
        words.append("Not shown: " + "; ".join(unknown) + ".")
    if aim.threshold is None:
        words.append(renyi.NO_THRESHOLD)
    return " ".join(words)


def _adaptive(
    case: Case,
    replay: Replay,
    aim: Goal,
    compared: Compared,
    premises: tuple[Premise, ...],
    epsilon: float | None,
    game: Game | None,
) -> Check:
    """Whoever saw models from before the deletion learned nothing from them only where these were the same as well."""
    log, claim = seen(case, replay), case.settings.claims.data_deletion
    claimed = None if claim is None else claim.adaptive
    models = max(log.most, claimed or 0)
    origin: Origin = "claim" if models > log.most else "all published before" if log.left_out else "log"
    of_one = 0.0 if compared.before_too and epsilon is not None else None
    value = epsilon if not models or of_one is not None else None
    status, share = _status(premises, value, aim), largest_share(case, replay)
    refuted = None if game is None else game.get("refuted")
    uncovered = claimed is not None and log.most > claimed
    if refuted or (claimed is not None and log.by_word > claimed):
        status = Status.FAIL
    elif uncovered and status is Status.PASS:
        status = Status.INCONCLUSIVE
    listed = [
        {
            "request_id": request,
            "batch": number + 1,
            "stated": stated,
            "seen": log.before[number],
            "epsilon": epsilon if of_one is not None or not log.before[number] else None,
        }
        for (request, number), stated in zip(log.requests, log.stated, strict=True)
    ]
    words = "See deletion.renyi." if epsilon is None else _of_requests(models, value)
    if uncovered:
        words += f" The claim speaks of {claimed} models, and the log of {log.most}: the claim does not cover it."
    if refuted:
        words += f" {refuted}"
    return Check(
        id=adaptive.ID,
        title=TITLES[adaptive.ID],
        status=status,
        value=value,
        interval=None,
        threshold=aim.threshold,
        basis=words,
        details={
            "seen": models,
            "source_of_seen": origin,
            "epsilon_dd": epsilon,
            "epsilon_dp": of_one,
            "epsilon": value,
            "order": aim.order,
            "records_per_person": share.records,
            "epsilon_person": value,
            "per_request": listed,
            "steps_seen": None,
            "game": None if game is None else dict(game),
            "premises": [premise.details() for premise in adaptive.attested(log, models, origin)],
        },
    )


def _of_requests(models: int, value: float | None) -> str:
    if not models:
        return "ε = 0 at p = 0, as deletion.renyi measured it: nobody is said to have seen a model before a request."
    count = f"{models} models" if models > 1 else "one model"
    if value is None:
        return f"No ε: {count} from before a deletion had been seen, and no theorem bounds what they say of a record."
    return f"ε = 0 with {count} from before a deletion seen: these were the same as well, whatever stood in the records' place."


def _facts(premises: tuple[Premise, ...], deleted: Check, answered: Check) -> tuple[Fact, ...]:
    found = [fact(each.name, each.how, f"{renyi.ID}: {each.found}") for each in premises if each.holds is not None]
    both = (deleted, answered)
    words = "; ".join(f"{check.id}: {'no ε' if check.value is None else 'ε = 0'}" for check in both)
    if any(check.status is Status.FAIL for check in both):
        found.append(fact("deletion-bound-met", How.REFUTED, words))
    elif all(check.status is Status.PASS for check in both):
        found.append(fact("deletion-bound-met", How.MEASURED, words))
    game = answered.details["game"]
    if game is not None and game.get("refuted"):
        found.append(fact("deletion-unrefuted", How.REFUTED, f"{adaptive.ID}: {game['refuted']}"))
    found += [
        fact(each["name"], How.ATTESTED, f"{adaptive.ID}: {each['found']}")
        for each in answered.details["premises"]
        if each["name"] != "requests-fixed"
    ]
    clean = fact("code-clean", How.ATTESTED, "by the controller, in submitting this procedure")
    return (*found, clean, *submitted())
