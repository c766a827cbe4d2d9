"""Remedies of what no single check decides: claims, attestations, the controller's own code, a weak sandbox."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from auditor.base.deletion_log import receipts
from auditor.base.deletion_log.requests import RequestOutcome
from auditor.base.domain import ClaimStatus, Status, Strength, Verdict
from auditor.document.conclusions import ClaimStanding
from auditor.pages import plain, wording
from auditor.pages.remedies.advice import Advice, Owner, Release, Tell, Urgency, executed, marked_only, named
from auditor.pages.words import attestations, guarantees, numbers, premises
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import has, text, variant
from auditor.settings.attestations import ATTESTABLE, CODE_CLEAN, HONEST, RELEASED, RESIDUAL, UNREAD
from auditor.verdict import examination
from auditor.verdict.checks import the
from auditor.verdict.checks.card import Role
from auditor.verdict.reliance import unmet
from auditor.verdict.request_status import is_marked

NAMES = {"certified_removal": "certified-removal", "data_deletion": "data-deletion"}
"""The guarantee that a claim is about."""


def missing(told: Told) -> Iterator[tuple[str, Advice]]:
    """Run the checks that the policy requires and this audit did not."""
    held = {check.id for check in told.checks}
    for name in told.policy.required:
        if name not in held:
            shown = wording.shown(name)
            yield shown, Advice(text("remedy-missing-found"), text("remedy-missing", check=shown), Owner.AUDIT)


def claims(told: Told, *, checks_ask: bool) -> Iterator[tuple[str, Advice]]:
    """Attest what only silence keeps from being supported; withdraw what nothing supports.

    Args:
        told: The evidence.
        checks_ask: Whether a check asks for something already: a claim that follows from it needs no step of its own.
    """
    unsaid = {each.id: attestations.unsaid(each) for each in told.evidence.guarantees}
    asked: set[str] = set()
    for each in unmet(told.evidence.reliance.claims):
        identity = NAMES.get(each.name, "")
        name = wording.shown(each.name)
        if names := unsaid.get(identity, ()):
            asked.add(identity)
            yield f"claims.{name}", _attest(told, identity, names)
        elif each.epsilon is not None:
            yield f"claims.{name}", _for_a_person(told, each)
        elif not checks_ask:
            yield (
                f"claims.{name}",
                Advice(
                    text("remedy-claim-found", claim=name, standing=wording.word(each.standing)),
                    text("remedy-claim", claim=name, lacking=_lacking(told, identity)),
                    Owner.CONTROLLER,
                    requests=executed(told),
                    tell=Tell.MODEL if each.standing is ClaimStatus.REFUTED else Tell.OPEN,
                ),
            )
    # A file that can be audited is given, and not vouched for.
    shown = {RELEASED} if plain.no_model("remedy-no-model", told) == "remedy-no-model" and told.case.model is None else set()
    for identity in attestations.needed(told.evidence):
        names = tuple(each for each in unsaid[identity] if each not in shown)
        if identity not in asked and names:
            yield identity, _attest(told, identity, names, urgency=Urgency.CONFIRM)


def _for_a_person(told: Told, claim: ClaimStanding) -> Advice:
    """Claim what a person with several records gets, where that is more than the claim says."""
    values = [("ε", claim.epsilon), *([("δ", claim.delta)] if claim.delta else [])]
    said = ", ".join(f"{name} = {numbers.at_most(value)}" for name, value in values)
    return Advice(
        text("remedy-person-found", claim=wording.shown(claim.name), values=said),
        text("remedy-person", values=said),
        Owner.CONTROLLER,
        requests=executed(told),
        tell=Tell.OPEN,
    )


def _attest(told: Told, identity: str, names: tuple[str, ...], urgency: Urgency | None = None) -> Advice:
    title = next((each.title for each in told.guarantees if each.id == identity), identity)
    return Advice(
        text("remedy-attest-found", guarantee=guarantees.brief(identity, title)),
        _declaring(names),
        Owner.CONTROLLER,
        requests=() if urgency is Urgency.CONFIRM else executed(told),
        tell=Tell.NOBODY if urgency is Urgency.CONFIRM else Tell.OPEN,
        release=Release.FREE if urgency is Urgency.CONFIRM else Release.HELD,
        urgency=urgency,
    )


def _lacking(told: Told, identity: str) -> str:
    """The premises of a guarantee that keep it from holding, in words."""
    for guarantee in told.guarantees:
        if guarantee.id == identity:
            lost = (
                premise.fact.rstrip(".")
                for derivation in guarantee.derivation
                for premise in derivation.premises
                if premise.how.value in {"unknown", "refuted"}
            )
            return wording.listed(dict.fromkeys(lost)) or text("common-not-known")
    return text("common-not-known")


def reliance(told: Told, *, checks_ask: bool) -> Iterator[tuple[str, Advice]]:
    """What a pass would rest on and does not."""
    relied = told.evidence.reliance
    requests, attested = executed(told), {each.name for each in told.policy.attested}
    for name in relied.contradicted:
        shown = wording.shown(name)
        yield (
            f"attested.{shown}",
            Advice(
                text("remedy-contradicted-found" if name in attested else "remedy-contradicted-unsaid", name=shown),
                text(_correcting(told, name), name=shown),
                Owner.CONTROLLER,
                requests=requests,
                tell=Tell.MODEL,
            ),
        )
    if relied.silent and told.verdict is not Verdict.FAIL:
        yield (
            "verdict",
            Advice(
                text("remedy-silent-found", names=wording.listed(relied.silent)),
                text("remedy-silent", names=", ".join(f'"{wording.shown(each)}"' for each in relied.silent)),
                Owner.CONTROLLER,
                requests=requests,
                tell=Tell.OPEN,
            ),
        )
    if relied.lineage and told.verdict is not Verdict.FAIL:
        names = wording.listed(relied.lineage)
        found, action = text("remedy-lineage-found", names=names), text("remedy-lineage", names=names)
        yield "verdict", Advice(found, action, Owner.MODEL, requests=requests, tell=Tell.OPEN)
    if relied.unexamined and not checks_ask:
        yield (
            "verdict",
            Advice(text("remedy-unexamined-found"), text("remedy-unexamined"), Owner.MODEL, requests=requests, tell=Tell.OPEN),
        )
    ways, ran = verdicts.missing(told.evidence), told.evidence.reruns
    if ways and told.verdict is not Verdict.FAIL:
        yield (
            "verdict",
            Advice(
                text("remedy-own-code-found" if ran else "remedy-answers-route-found"),
                _opening(told, ways),
                Owner.MODEL,
                requests=requests,
                tell=Tell.OPEN,
            ),
        )
    if told.environment.capped:
        yield (
            "verdict",
            Advice(
                text("remedy-isolation-found", level=wording.shown(told.environment.isolation)),
                text("remedy-isolation"),
                Owner.AUDIT,
                command="auditor doctor",
                requests=requests,
                tell=Tell.OPEN,
            ),
        )


def _correcting(told: Told, name: str) -> str:
    """Choose what is asked for where an attestation is found untrue: a program that learns nothing has nothing to train."""
    message = "remedy-contradicted"
    learned = variant(message, name) if told.evidence.learns else message
    return variant(message, "program") if learned == message and told.evidence.controller is not None else learned


def left_to_people(told: Told) -> Iterator[tuple[str, Advice]]:
    """What even a pass leaves open: places that were not examined, statements on trust, a promise that is worth little."""
    case = told.case
    steps: list[tuple[str, Advice]] = []
    learns = told.evidence.learns  # of a controller, or of places, alone neither model nor store can be named
    if learns and case.model is None and (told.procedure.use or told.procedure.entry):
        message = plain.no_model("remedy-no-model", told)
        steps.append((_seen_by(told, Role.COMPARES_FILE, message), _later(message, Owner.MODEL, Release.OPEN)))
    if case.model_part is not None:
        steps.append(("statements", _later("remedy-part", Owner.MODEL, Release.OPEN)))
    if learns and case.store is None:
        message = plain.not_given("remedy-no-store", told)
        steps.append((_seen_by(told, Role.SEARCHES, message), _later(message, Owner.DATA)))
    if learns and told.evidence.strength is Strength.E:
        steps.append(("strength", _later("remedy-weak-promise", Owner.MODEL, Release.OPEN)))
    if told.audit.quick:
        steps.append(("verdict", _later("remedy-quick", Owner.AUDIT)))
    steps += [("statements", each) for each in _by_the_log(told)]
    unsaid = premises.unsaid(told.evidence)
    asked = {*told.evidence.reliance.silent, *(name for each in attestations.needed(told.evidence).values() for name in each)}
    if told.verdict is Verdict.FAIL:
        asked |= _OF_WHAT_RAN  # while a check fails, nobody is asked to vouch for what it judges
    if silent := [each for each in unsaid if each not in asked]:
        found = text("remedy-unsaid-found", count=len(silent))
        steps.append(("statements", _confirmed(found, _declaring(silent))))
    # An assumption that no test can confirm is accepted or avoided: nobody is asked to confirm it.
    if said := [each for each in verdicts.unchecked(told.evidence) if each not in unsaid and each != RESIDUAL]:
        found, first = text("remedy-statements-found", count=len(said)), premises.brief(said[0])
        action = text("remedy-statements", first=first, more=len(said) - 1)
        steps.append(("statements", _confirmed(found, action)))
    yield from steps


def _by_the_log(told: Told) -> Iterator[Advice]:
    """What the log itself says is not done yet: data only marked as erased, recipients who were not told."""
    marked = [each.request_id for each in told.requests if is_marked(each.status, each.storage_state)]
    untold = [
        each.request_id
        for each in told.requests
        if each.deleted_at is not None and any(not one.notified for one in each.recipients_notified or ())
    ]
    if marked:
        yield marked_only(marked, release=Release.FREE, urgency=Urgency.CONFIRM)
    if untold:
        those = tuple(dict.fromkeys(untold))
        found, action = text("remedy-untold-found", count=len(those)), text("remedy-untold", names=named(those))
        if disputed := tuple(dict.fromkeys(each.request_id for each in told.requests if _is_disputed(told, each))):
            found = f"{found} {text('remedy-untold-receipt-found', names=named(disputed))}"
            action = f"{action} {text('remedy-untold-receipt')}"
        yield Advice(
            found,
            action,
            Owner.CONTROLLER,
            requests=those,
            tell=Tell.RECIPIENTS,
            release=Release.FREE,
            urgency=Urgency.CONFIRM,
        )


def _is_disputed(told: Told, request: RequestOutcome) -> bool:
    """Whether a recipient that was not told of a request, by the log, gave a receipt of it all the same."""
    covering = receipts.covering(told.evidence.receipts, request)
    return request.deleted_at is not None and bool(receipts.of_untold(covering, request.recipients_notified or ()))


def _confirmed(found: str, action: str) -> Advice:
    return Advice(found, action, Owner.CONTROLLER, release=Release.FREE, urgency=Urgency.CONFIRM)


_OF_WHAT_RAN: Final = frozenset({CODE_CLEAN, HONEST, RELEASED, UNREAD})
"""What is said of the procedure, of its code, of what it made and of what could not be read."""


def _declaring(names: Sequence[str]) -> str:
    """Ask that statements be made which nobody makes: the first in words, and all of them with their keys."""
    return text("remedy-attest", first=premises.brief(names[0]), more=len(names) - 1, means=_meanings(names))


def _meanings(names: Sequence[str]) -> str:
    """Say what each statement means, and under which key of audit.toml it is made."""
    by_key: dict[str | None, list[str]] = {}
    for each in names:
        by_key.setdefault(_where(each), []).append(text("remedy-means", name=wording.shown(each), means=premises.brief(each)))
    named = ((where, "; ".join(stated)) for where, stated in by_key.items())
    return ". ".join(stated if where is None else text("remedy-stated", where=where, names=stated) for where, stated in named)


def _where(name: str) -> str | None:
    """Name the key under which something is stated; None where it has none."""
    if has(message := f"remedy-where-{name}"):
        return text(message)
    return text("remedy-where") if name in ATTESTABLE else None


def _seen_by(told: Told, role: Role, message: str) -> str:
    """Give what shows that a step was taken: the check, or a note where no check could ever read the file that is missing."""
    return the(role, told.evidence.version) if message in {"remedy-no-model", "remedy-no-store"} else "statements"


def _later(message: str, owner: Owner, release: Release = Release.FREE) -> Advice:
    return Advice(text(f"{message}-found"), text(message), owner, release=release, urgency=Urgency.CONFIRM)


def _opening(told: Told, ways: Sequence[str]) -> str:
    """Say what would let own code or answers pass, by each way; of own code next to noise that nothing does.

    The history of a pair with noise differs under one seed. So its check passes for nobody, and no step asks for it.
    """
    whole, cap = told.evidence.controller, told.evidence.reliance.cap
    history = the(Role.HISTORY, told.evidence.version)
    told_apart = cap.controller is not None and history in cap.controller.checks
    noisy = examination.status_of(told.evidence, Role.REPORTING_NOISE) is Status.PASS
    if told_apart and noisy and whole is not None and whole.parts:
        return text("remedy-own-code-noise", check=history)
    message = "remedy-own-code" if told.evidence.reruns else "remedy-answers-route"
    return text(message, ways=", or ".join(map(wording.shown, ways)))
