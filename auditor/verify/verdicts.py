"""The verdict and everything that leads to it: what was required, exit code, digests, the cap of weak walls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.decisions import decide_exit_code, decide_verdict
from auditor.domain import CHECK_IDS, LEFT_OUT, Status, Verdict
from auditor.evidence import Evidence, digest_of, policy_digest
from auditor.verify import privacy, stateless
from auditor.verify.data_deletion import renyi
from auditor.verify.expectations import number
from auditor.verify.numbers import differs, shown
from auditor.verify.outcome import Part, part
from auditor.verify.removal import USE

_ALWAYS: Final = ("log.consistency", "epsilon.consistency", "model.reproduced")
"""Required whenever they ran, whatever a policy lists."""
_BY_DEFAULT: Final = frozenset({"swap.quality", "swap.controls"})
"""Required by a policy that lists nothing, whether they ran or not."""
_OF_DELETION: Final = frozenset({"deletion.renyi", "deletion.adaptive"})
_STRONG_WALLS: Final = frozenset({"confined", "namespaced"})
_RAN: Final = frozenset({Status.PASS, Status.FAIL, Status.INCONCLUSIVE})
_WORDS: Final = {Verdict.PASS: "Pass: ", Verdict.FAIL: "Fail: ", Verdict.INCONCLUSIVE: "Inconclusive: "}


def recheck_verdict(evidence: Evidence) -> Part:
    """Decide again from the statuses, and digest again what the evidence says it digests."""
    return part(
        "verdicts and digests",
        (
            ("verdict", _verdict(evidence)),
            ("sentence", _sentence(evidence)),
            ("audit.exit_code", _exit_code(evidence)),
            ("audit.id", _identity(evidence)),
            ("policy.required", _required(evidence)),
            ("policy.digest", _policy(evidence)),
            ("policy.claims_not_examined", _claims(evidence)),
            ("case.digest", _case(evidence)),
            ("procedure.seed_salt", _salt(evidence)),
            ("environment.capped", _capped(evidence)),
        ),
    )


def _decided(evidence: Evidence) -> int:
    statuses = {check.id: check.status for check in evidence.checks}
    failed = Status.ERROR in statuses.values()
    return decide_exit_code(statuses, evidence.policy.required, capped=evidence.environment.capped, failed=failed)


def _exit_code(evidence: Evidence) -> Iterator[str]:
    yield from differs("it", evidence.audit.exit_code, _decided(evidence), "the required statuses give")


def _verdict(evidence: Evidence) -> Iterator[str]:
    derived = decide_verdict(_decided(evidence))
    if evidence.verdict is not derived:
        yield f"it is {evidence.verdict}, the required statuses give {derived}"


def _sentence(evidence: Evidence) -> Iterator[str]:
    """The sentence that people quote: its verdict, its case, and the required checks that did not pass."""
    if not evidence.sentence.startswith(_WORDS[evidence.verdict]):
        yield f"it does not begin with the verdict, {evidence.verdict}"
    if f"“{evidence.case.name}”" not in evidence.sentence:
        yield "it does not name the case"
    statuses = {check.id: check.status for check in evidence.checks}
    unmet = [check_id for check_id in evidence.policy.required if statuses.get(check_id) is not Status.PASS]
    if evidence.verdict is Verdict.FAIL:
        unmet = [check_id for check_id in unmet if statuses.get(check_id) is Status.FAIL]
    missing = [check_id for check_id in unmet if check_id not in evidence.sentence]
    if missing:
        yield f"it does not name {', '.join(missing)}"
    required = len(evidence.policy.required)
    counts = {Verdict.PASS: f"all {required} required", Verdict.FAIL: f"{len(unmet)} of {required} required"}
    if evidence.verdict in counts and counts[evidence.verdict] not in evidence.sentence:
        yield f"it does not count {counts[evidence.verdict]} checks"


def _identity(evidence: Evidence) -> Iterator[str]:
    """The id is a digest over case, seed, version and the checks that were chosen, which their reasons tell."""
    audit = evidence.audit
    chosen = sorted(check.id for check in evidence.checks if check.basis != LEFT_OUT)
    selections = [chosen] if len(chosen) < len(evidence.checks) else [[], chosen]
    ids = [digest_of([evidence.case.digest, audit.seed, audit.quick, only, audit.auditor_version])[:16] for only in selections]
    if audit.id not in ids:
        yield f"it is {shown(audit.id)}, case, seed, choice of checks and version give {shown(ids[0])}"


def _required(evidence: Evidence) -> Iterator[str]:
    required, ran = evidence.policy.required, {check.id for check in evidence.checks if check.status in _RAN}
    known = [check_id for check_id in CHECK_IDS if check_id in required]
    if list(required) != known:
        yield "it names a check twice, an unknown one, or not in the order of the contract"
    needed = ran & set(_ALWAYS)
    if evidence.policy.required_by_default:
        errors = {check.id for check in evidence.checks if check.status is Status.ERROR}
        needed = ran | errors | _BY_DEFAULT | _left_out(evidence)
    missing = [check_id for check_id in CHECK_IDS if check_id in needed and check_id not in required]
    if missing:
        yield f"it lacks {', '.join(missing)}"
    if evidence.policy.required_by_default:
        added = [check_id for check_id in required if check_id not in needed]
        if added:
            yield f"it holds {', '.join(added)}, which nothing made required"


def _left_out(evidence: Evidence) -> frozenset[str]:
    """Checks that --only left out and that apply to the case: to run less must not make an audit pass."""
    settings = evidence.policy.settings
    applying = {"log.consistency", "log.deadlines", "data.erased"} | _BY_DEFAULT
    applying |= _removal_checks(evidence)
    applying |= _OF_DELETION if renyi.applies(evidence) else set()
    applying |= {stateless.ID} if stateless.counts(evidence) else set()
    applying |= {privacy.ID} if privacy.declared(evidence) is not None else set()
    applying |= {"model.reproduced"} if evidence.case.model is not None else set()
    applying |= {"utility.accuracy"} if settings.get("max_accuracy_drop") is not None else set()
    applying |= {"cost.speedup"} if settings.get("min_speedup") is not None else set()
    return frozenset(check.id for check in evidence.checks if check.basis == LEFT_OUT and check.id in applying)


def _removal_checks(evidence: Evidence) -> set[str]:
    declared = evidence.procedure.settings
    if evidence.procedure.use != USE:
        return set()
    terms = {"removal.budget": "sigma", "removal.output-noise": "release_noise"}
    return {"removal.residual", *(check_id for check_id, name in terms.items() if number(declared.get(name)))}


def _policy(evidence: Evidence) -> Iterator[str]:
    policy = evidence.policy
    derived = policy_digest(policy.required, policy.settings, policy.claims, policy.attested)
    yield from differs("it", policy.digest, derived, "required, settings, claims and what is attested give")


def _claims(evidence: Evidence) -> Iterator[str]:
    """Claims that no check of the run speaks to."""
    examined = {"certified_removal"} if evidence.procedure.use == USE else set()
    decided = {check.id: check.status for check in evidence.checks if check.id in _OF_DELETION}
    # deletion.adaptive speaks of requests as they were made, at p = 0 too.
    spoken = decided.get("deletion.renyi") is Status.FAIL or decided.get("deletion.adaptive") in {Status.PASS, Status.FAIL}
    examined |= {"data_deletion"} if spoken else set()
    examined |= {"dp"} if any(check.id == privacy.ID and check.value is not None for check in evidence.checks) else set()
    for check in evidence.checks:
        listed = check.details.get("comparisons") if check.id == "epsilon.consistency" else None
        for row in listed if isinstance(listed, list | tuple) else ():
            if isinstance(row, dict) and row.get("compared"):
                examined.add(str(row.get("claim")))
    expected = tuple(sorted(evidence.policy.claims.keys() - examined))
    yield from differs("it", evidence.policy.claims_not_examined, expected, "claims and comparisons give")


def _case(evidence: Evidence) -> Iterator[str]:
    derived = digest_of([[item.path, item.sha256] for item in evidence.case.inputs])
    yield from differs("it", evidence.case.digest, derived, "the digests of the inputs give")


def _salt(evidence: Evidence) -> Iterator[str]:
    if (evidence.procedure.seed_digest is None) != (evidence.procedure.seed_salt is None):
        yield "a digest of the seed and its salt go together"
    if evidence.procedure.seed_salt is not None:
        derived = digest_of(["seed", evidence.case.digest, evidence.audit.seed])[:32]
        yield from differs("it", evidence.procedure.seed_salt, derived, "case and seed give")


def _capped(evidence: Evidence) -> Iterator[str]:
    """Foreign code behind weak walls could reach the inputs of its own audit, so its answers decide nothing."""
    environment, foreign = evidence.environment, evidence.procedure.entry is not None
    weak = environment.isolation not in _STRONG_WALLS
    log_only = {"log.consistency", "log.deadlines"}
    ran = any(check.status in _RAN or check.value is not None for check in evidence.checks if check.id not in log_only)
    if foreign and weak and ran and not environment.capped:
        yield f"it is False, and foreign code ran at level {environment.isolation}"
    if environment.capped and not (foreign and weak):
        yield "it is True, and no foreign code ran behind weak walls"
