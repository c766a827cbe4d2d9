"""From what was declared and observed to the whole document, in passes of one direction.

| pass | decides | reads |
|---|---|---|
| `dated` | what follows from the dates of each request | what was declared |
| `judgement.judged` | a finding for each check | that, and what was observed |
| `promises.promised` | facts, the numbers that checks pledge, and guarantees | findings |
| `ruling.ruled` | what is required, cap, claims, exit code and verdict | findings and guarantees |
| `ruling.ruled_by_default` | the same under the default policy | what was declared and observed |
| `ruling.relied_on` | which attestations carry the verdict, and where a policy asks for less | findings and both rulings |
| `premises.resting` | what a pass of this case rests on, said or unsaid | what was declared and observed, findings, the ruling |
| `covered` | which guarantees cover each request | requests and guarantees |
| `levels_of` | how often chance alone accuses or leaves open | findings, and what was observed |
| `digests.digested` | digests | what was declared and the ruling |

Each is a function of values that it cannot change, and none reads what a later one gives.

Pure, and the same for `audit`, which observed, and for `verify`, which reads what was observed: whatever an evidence document
says in addition to its declared context and its observations comes from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from auditor.base.deletion_log.deadlines import answers_recorded, declared_days, records_answer
from auditor.base.deletion_log.deadlines import dated as dated_request
from auditor.base.deletion_log.requests import RequestOutcome
from auditor.base.domain import Certificate, Check, Effect, Fact, Guarantee, Status
from auditor.document.conclusions import Levels, StatedLevel, TakenPart
from auditor.document.editions import FIRST, in_force, older_modules
from auditor.document.evidence import Evidence
from auditor.verdict import lineage, premises, reliance
from auditor.verdict.checks import brought_by, definitions, listed_in
from auditor.verdict.checks.finding import Finding, Values
from auditor.verdict.checks.levels import together
from auditor.verdict.digests import digested, seed_salt
from auditor.verdict.guarantees import UNLEARNING, conclude_foreign, rests_on_foreign
from auditor.verdict.judgement import Judged, judged
from auditor.verdict.promises import consistency_last, promised
from auditor.verdict.required import deciding
from auditor.verdict.ruling import relied_on, ruled, ruled_by_default, strength_of
from auditor.verdict.sections import Conclusion, Sections

__all__ = ["CONCLUSION", "conclude", "covered", "dated", "deciding", "listed", "seed_salt"]


def conclude(declared: Sections, observed: Mapping[str, Values]) -> Evidence:
    """Judge, derive and decide, as the version did that ran.

    Args:
        declared: What was declared, and where and when it ran.
        observed: What the run observed, by check id.

    Raises:
        LookupError: If something was observed for no check, or nothing for one that ran.
        pydantic.ValidationError: If a section states a table that this version cannot have read.
    """
    older = (module.CONCLUSION for module in older_modules() if hasattr(module, "CONCLUSION"))
    editions: tuple[Conclusion, ...] = (CONCLUSION, *older)
    (edition,) = in_force(editions, declared.audit.auditor_version, key=lambda _: "conclusion").values()
    return edition.conclude(declared, observed)


def _conclude(declared: Sections, observed: Mapping[str, Values]) -> Evidence:
    declared = dated(declared)
    ran_in = declared.environment
    found = judged(declared.context, observed)
    promises = promised(found)
    ruling = ruled(found, promises, ran_in)
    usual = ruled_by_default(found.context, observed, ran_in)
    rests_on = relied_on(found, observed, ruling, usual, ran_in)
    rested = premises.resting(found, observed, promises, ruling, ran_in, declared.outside)
    requests = covered(declared.requests, promises.guarantees)
    digests = digested(declared, ruling)
    return Evidence(
        verdict=ruling.verdict,
        default_policy_verdict=usual.verdict,
        strength=strength_of(ruling, found.context, unsaid=bool(premises.unsaid(rested))),
        examined=ruling.examined,
        reliance=rests_on,
        audit=digests.audit,
        case=digests.case,
        procedure=digests.procedure,
        policy=digests.policy,
        sizes=declared.sizes,
        environment=ruling.environment,
        deletion_log=declared.deletion_log,
        checks=_checks(found, observed),
        certificates=_certificates(found),
        guarantees=promises.guarantees,
        requests=requests,
        controller=declared.controller,
        outside=declared.outside,
        parts=_parts(declared.parts, promises.facts, found.context.version),
        levels=levels_of(found, observed),
        premises=rested,
        lineage=lineage.stated(found.context),
        receipts=declared.receipts,
    )


CONCLUSION: Final = Conclusion(_conclude, since=FIRST)
"""How this version concludes."""


def dated(declared: Sections) -> Sections:
    """Give every request what its own dates give; of one that waits the day of the run has a say too."""
    days = declared_days(declared.policy.settings)
    closing, holidays = declared.audit.started_at.date(), frozenset(declared.deletion_log.holidays)
    recorded = answers_recorded(declared.requests)

    def of(request: RequestOutcome) -> RequestOutcome:
        informs = records_answer(request, recorded)
        return dated_request(request, deadline_days=days, closing=closing, informs=informs, holidays=holidays)

    requests = tuple(replace(of(each), guarantees=()) for each in declared.requests)
    overdue = tuple(each.request_id for each in requests if each.overdue)
    log = declared.deletion_log.model_copy(update={"requests": len(requests), "overdue": overdue})
    return replace(declared, requests=requests, deletion_log=log)


def covered(requests: Iterable[RequestOutcome], guarantees: Iterable[Guarantee]) -> tuple[RequestOutcome, ...]:
    """Note under each request that was carried out the guarantees that cover it: those that hold, and without foreign parts."""
    carrying = (item for item in guarantees if item.id != UNLEARNING and not rests_on_foreign(item))
    standing = tuple(item.id for item in carrying if item.status in reliance.HOLDING)
    return tuple(
        replace(request, guarantees=standing) if request.status == "executed" and request.records else request
        for request in requests
    )


def _parts(taken: Iterable[TakenPart], facts: tuple[Fact, ...], version: str) -> tuple[TakenPart, ...]:
    """The foreign parts with what they bring and conclude."""
    brought = {check_id: part.name for check_id in definitions(version) if (part := brought_by(check_id)) is not None}
    return tuple(
        each.model_copy(
            update={
                "checks": tuple(check_id for check_id, owner in brought.items() if owner == each.name),
                "conclusions": conclude_foreign(facts, each.name, version),
            }
        )
        for each in taken
    )


def levels_of(found: Judged, observed: Mapping[str, Values]) -> Levels:
    """Add up what the tests spent of every check of the auditor's own that was judged by what a run observed."""
    known = definitions(found.context.version)
    spent = [
        (check_id, level)
        for check_id, finding in found.findings.items()
        if check_id in observed and brought_by(check_id) is None and finding.status not in (Status.SKIPPED, Status.ERROR)
        for level in known[check_id].levels(found.context, observed[check_id], finding)
    ]
    every = [level for _, level in spent]
    return Levels(
        accuses=together(every, Effect.ACCUSES),
        leaves_open=together(every, Effect.LEAVES_OPEN),
        tests=tuple(
            StatedLevel(check=check_id, test=each.test, effect=each.effect, level=each.level, apart=each.apart)
            for check_id, each in spent
        ),
    )


def _checks(found: Judged, observed: Mapping[str, Values]) -> tuple[Check, ...]:
    return tuple(
        listed(check_id, found.findings[check_id], observed.get(check_id))
        for check_id in listed_in(
            reruns=found.context.procedure.reruns, places=found.context.places_alone, version=found.context.version
        )
    )


def listed(check_id: str, finding: Finding, observed: Values | None) -> Check:
    """A finding as evidence lists it."""
    return Check(
        id=check_id,
        status=finding.status,
        value=finding.value,
        interval=None if finding.interval is None else (finding.interval.low, finding.interval.high),
        threshold=finding.threshold,
        observed=None if observed is None else observed.model_dump(mode="json"),
        derived=None if finding.derived is None else finding.derived.model_dump(mode="json"),
        reasons=finding.reasons,
    )


def _certificates(found: Judged) -> tuple[Certificate, ...]:
    """Every certificate, those of the log before those of games."""
    ordered = consistency_last(found.findings, found.context.version)
    return tuple(certificate for check_id in ordered for certificate in found.findings[check_id].certificates)
