"""Guarantees: their premises held against the checks, and the theorems applied to them again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from auditor.certificates.dp_sgd import KIND
from auditor.data_deletion import STATEMENTS as OF_DELETION
from auditor.data_deletion import Deletion
from auditor.domain import ATTESTABLE, LEFT_OUT, Check, Derivation, Fact, Guarantee, How, Premise, Status
from auditor.evidence import Evidence
from auditor.guarantees import CERTIFIED_REMOVAL, DATA_DELETION, STATEMENTS, Pledge, derive_guarantees
from auditor.verify import extractor, inference, output_noise, privacy
from auditor.verify.data_deletion import facts as of_deletion
from auditor.verify.expectations import number
from auditor.verify.numbers import shown
from auditor.verify.outcome import Part, part
from auditor.verify.removal import USE, chain, target

_NAMES: Final = {statement: name for name, statement in STATEMENTS.items()}
_DERIVED: Final = "model-guarantee"
"""A premise that another guarantee gives: it comes out of the derivation."""
_STRENGTH: Final = (How.REFUTED, How.UNKNOWN, How.ATTESTED, How.MEASURED, How.COMPUTED)
_LOSSES: Final = frozenset({"logistic", "least-squares"})
_FIELDS: Final = ("title", "statement", "status", "epsilon", "delta", "order")


def recheck_guarantees(evidence: Evidence) -> Part:
    """Apply every theorem again to the premises that the derivations name, and hold these against the checks."""
    derived = {guarantee.id: guarantee for guarantee in _derived(evidence)}
    found = [guarantee.id for guarantee in evidence.guarantees]
    judged: list[tuple[str, Iterable[str]]] = [("guarantees", _complete(found, list(derived)))]
    judged += [
        (f"guarantees[{index}] {guarantee.id}", _messages(evidence, guarantee, derived.get(guarantee.id)))
        for index, guarantee in enumerate(evidence.guarantees)
    ]
    return part("guarantees", judged)


def _complete(found: list[str], derived: list[str]) -> Iterator[str]:
    if found != derived:
        yield f"lists {', '.join(found) or 'none'}; the theorems speak of {', '.join(derived)}"


def derived_again(
    guarantees: Iterable[Guarantee],
    *,
    epsilon: float | None,
    delta: float | None,
    private: Pledge | None,
    extractor: Pledge | None = None,
    deletion: Deletion | None = None,
) -> tuple[Guarantee, ...]:
    """Every guarantee from the premises that the given ones name, whatever their conclusions say.

    Args:
        guarantees: With their derivations.
        epsilon: The ε that the removal criterion was held against; None where there was none.
        delta: Its δ.
        private: What private training gives each person; None where it gives nothing.
        extractor: What a private extractor costs for all removed records together; None where there is none.
        deletion: What was found of data deletion; None where the case gives no cause for it.
    """
    premises = [premise for each in guarantees for derivation in each.derivation for premise in derivation.premises]
    facts = [
        Fact(name, premise.fact, premise.how, premise.evidence)
        for premise in premises
        if (name := _NAMES.get(premise.fact)) is not None and name != _DERIVED and premise.how is not How.UNKNOWN
    ]
    return derive_guarantees(facts, epsilon=epsilon, delta=delta, private=private, extractor=extractor, deletion=deletion)


def _derived(evidence: Evidence) -> tuple[Guarantee, ...]:
    goal = target(evidence)
    epsilon, delta = (goal.epsilon, goal.delta) if goal is not None else (None, None)
    private, below = privacy.pledge(evidence), extractor.pledge(evidence)
    deletion = of_deletion.deletion_of(evidence)
    return derived_again(evidence.guarantees, epsilon=epsilon, delta=delta, private=private, extractor=below, deletion=deletion)


def _messages(evidence: Evidence, found: Guarantee, derived: Guarantee | None) -> Iterator[str]:
    for name in _FIELDS if derived is not None else ():
        stated, expected = getattr(found, name), getattr(derived, name)
        if stated != expected:
            yield f"{name} is {shown(stated)}, its premises give {shown(expected)}"
    if derived is not None and found.derivation != derived.derivation:
        yield from _derivations(found.derivation, derived.derivation)
    for derivation in found.derivation:
        for premise in derivation.premises:
            yield from _premise(evidence, premise)
    if found.id == DATA_DELETION:
        yield from of_deletion.messages(evidence, found)
    if found.id == CERTIFIED_REMOVAL and _unrefuted(evidence) is How.REFUTED:
        named = {premise.fact for derivation in found.derivation for premise in derivation.premises}
        if STATEMENTS["unrefuted"] not in named:
            yield "no premise says that an attack of this run refutes it, and epsilon.consistency does"


def _derivations(found: tuple[Derivation, ...], derived: tuple[Derivation, ...]) -> Iterator[str]:
    """Where derivations differ: in their theorems, or in single premises."""
    if [each.rule for each in found] != [each.rule for each in derived]:
        yield "derivation names other theorems than its premises call for"
        return
    for index, (one, other) in enumerate(zip(found, derived, strict=True)):
        if [premise.fact for premise in one.premises] != [premise.fact for premise in other.premises]:
            yield f"derivation[{index}] does not name the premises of its theorem"
            continue
        for premise, expected in zip(one.premises, other.premises, strict=True):
            if premise != expected:
                given, wanted = (f"{each.how} by {shown(each.evidence)}" for each in (premise, expected))
                yield f"derivation[{index}]: “{premise.fact}” is {given}, it should be {wanted}"


def _premise(evidence: Evidence, premise: Premise) -> Iterator[str]:
    """A premise against what the checks leave of it. Weaker than they allow is no finding, unless they refute it."""
    name = _NAMES.get(premise.fact)
    if name is None:
        yield f"“{premise.fact}” is no premise of any theorem"
        return
    if name == _DERIVED:
        return
    source = _SOURCES.get(name)
    allowed = How.UNKNOWN if source is None else source(evidence)
    if allowed is None:
        return
    stronger = _STRENGTH.index(premise.how) > _STRENGTH.index(allowed)
    if stronger or (allowed is How.REFUTED and premise.how is not How.REFUTED):
        yield f"“{premise.fact}” is {premise.how}, what this evidence holds makes it {allowed}"


def _check(evidence: Evidence, check_id: str) -> Check | None:
    return next((check for check in evidence.checks if check.id == check_id), None)


def _by_status(check_id: str, known: How) -> Callable[[Evidence], How | None]:
    """What a check leaves of a fact: known where it passes, refuted where it fails, unknown otherwise.

    None where the check was left out by --only: it may have run for others, and its result is not in the evidence.
    """

    def allowed(evidence: Evidence) -> How | None:
        check = _check(evidence, check_id)
        status = None if check is None else check.status
        return {Status.PASS: known, Status.FAIL: How.REFUTED}.get(status, How.UNKNOWN) if status is not None else How.UNKNOWN

    return allowed


def _log_consistent(evidence: Evidence) -> How:
    return How.REFUTED if evidence.deletion_log.problems else How.MEASURED


def _reproduced(evidence: Evidence) -> How | None:
    return How.ATTESTED if evidence.case.model is None else _by_status("model.reproduced", How.MEASURED)(evidence)


def _store_erased(evidence: Evidence) -> How | None:
    return How.UNKNOWN if evidence.case.store is None else _by_status("data.erased", How.MEASURED)(evidence)


def _built_in(evidence: Evidence) -> How:
    """What our own procedure does by construction, where its removals were walked along."""
    return How.COMPUTED if evidence.procedure.use == USE and chain(evidence) is not None else How.UNKNOWN


def _convex(evidence: Evidence) -> How:
    declared = evidence.procedure.settings
    strength = number(declared.get("l2")) or 0.0
    return _built_in(evidence) if declared.get("loss") in _LOSSES and strength > 0 else How.UNKNOWN


def _gaussian(evidence: Evidence) -> How:
    return _built_in(evidence) if evidence.procedure.settings.get("perturbation") == "gaussian" else How.UNKNOWN


def _laplace(evidence: Evidence) -> How:
    return _built_in(evidence) if evidence.procedure.settings.get("perturbation") == "laplace" else How.UNKNOWN


def _noised(evidence: Evidence) -> How:
    if not number(evidence.procedure.settings.get("release_noise")):
        return How.UNKNOWN
    built_in = _built_in(evidence)
    # Where earlier releases were seen, that requests did not depend on them is the controller's word.
    return How.ATTESTED if built_in is How.COMPUTED and inference.releases_seen(evidence) else built_in


def _enforced(evidence: Evidence) -> How:
    """Whether what was measured stays within the declared budget, up to what rounding may add."""
    budget, steps = number(evidence.procedure.settings.get("residual_budget")), chain(evidence)
    if budget is None or steps is None:
        return How.UNKNOWN
    return _built_in(evidence) if output_noise.kept(steps, budget) else How.REFUTED


def _unguessable(evidence: Evidence) -> How:
    """A seed without a digest is one that can be guessed."""
    return _built_in(evidence) if evidence.procedure.seed_digest is not None else How.REFUTED


def _secret(evidence: Evidence) -> How:
    """A seed without a digest is one that can be guessed. Only our own perturbation rests on it."""
    if _built_in(evidence) is How.UNKNOWN:
        return How.UNKNOWN
    return How.REFUTED if evidence.procedure.seed_digest is None else How.ATTESTED


def _retrained(evidence: Evidence) -> How:
    if evidence.procedure.unlearn != "retrain" or not evidence.deletion_log.batches:
        return How.UNKNOWN
    if evidence.procedure.use == USE:
        steps = chain(evidence)
        flags: Any = () if steps is None else steps.inputs.get("retrained", ())
        return How.COMPUTED if flags and all(flags) else How.UNKNOWN
    # A network of the controller's own could remember what its code was shown, however often it is trained anew.
    ours = evidence.procedure.use in {"sklearn", "torch"} and evidence.procedure.entry is None
    return How.COMPUTED if ours else How.UNKNOWN


def _unrefuted(evidence: Evidence) -> How | None:
    """Whether certified removal stands against this run's attacks, as their comparisons say."""
    speaking = [row for row in _compared(evidence) if _of_removal(row)]
    if not speaking:
        return How.UNKNOWN
    if any((number(row.get("gap")) or 0.0) > 0 for row in speaking):
        return How.REFUTED
    return How.UNKNOWN if all(map(_beyond_reach, speaking)) else How.MEASURED


def _beyond_reach(row: Mapping[str, Any]) -> bool:
    """Whether no outcome of the run could have refuted the ε of a row."""
    epsilon, reach = number(row.get("epsilon")), number(row.get("refutable"))
    return epsilon is not None and reach is not None and epsilon >= reach


def _of_removal(row: Mapping[str, Any]) -> bool:
    # A row with a test of its own speaks of data deletion.
    certified = row.get("source") == "certificate" and row.get("rule") != KIND and row.get("test") is None
    return certified or row.get("claim") == "certified_removal"


def _compared(evidence: Evidence) -> list[Mapping[str, Any]]:
    """What `epsilon.consistency` held the attacks of a full run against."""
    check = _check(evidence, "epsilon.consistency")
    if check is None or check.basis == LEFT_OUT or evidence.audit.quick:
        return []
    listed = check.details.get("comparisons")
    return [row for row in listed if isinstance(row, dict) and row.get("compared")] if isinstance(listed, list | tuple) else []


def _private(evidence: Evidence) -> How:
    """The word of the controller at best: a seed without a digest can be guessed, and attacks may show more than noise allows."""
    procedure = evidence.procedure
    own = [row for row in _compared(evidence) if row.get("rule") == KIND]
    if any((number(row.get("gap")) or 0.0) > 0 for row in own):
        return How.REFUTED
    given = privacy.declared(evidence) is not None and privacy.pledge(evidence) is not None
    if not given or procedure.unlearn != "none" or procedure.entry is not None:
        return How.UNKNOWN
    return How.REFUTED if procedure.seed_digest is None else How.ATTESTED


def _attested(name: str) -> Callable[[Evidence], How]:
    """The controller's word, where the case gives it and what it handed in does not contradict it."""

    def allowed(evidence: Evidence) -> How:
        if name not in evidence.policy.attested:
            return How.UNKNOWN
        check = _check(evidence, "data.erased") if name == "training-data-destroyed" else None
        if check is None:
            return How.ATTESTED
        kept = evidence.case.store is not None or check.status is Status.FAIL
        return How.REFUTED if kept else How.ATTESTED

    return allowed


def _word(_: Evidence) -> How:
    """The controller's word, as handing in a case gives it."""
    return How.ATTESTED


_SOURCES: Final[Mapping[str, Callable[[Evidence], How | None]]] = {
    "objective-strongly-convex": _convex,
    "perturbation-gaussian": _gaussian,
    "perturbation-laplace": _laplace,
    "release-noise": _noised,
    "residual-enforced": _enforced,
    "noise-criterion-met": _by_status("removal.output-noise", How.COMPUTED),
    "seed-unguessable": _unguessable,
    "criterion-met": _by_status("removal.budget", How.COMPUTED),
    "retrained": _retrained,
    "release-reproduced": _reproduced,
    "log-consistent": _log_consistent,
    "log-complete": _word,
    "residual-independent": _word,
    "seed-secret": _secret,
    "requests-fixed": _word,
    "preprocessing-clean": _word,
    "extractor-private": extractor.private,
    "every-extractor": extractor.every,
    "unrefuted": _unrefuted,
    "store-erased": _store_erased,
    "dp-per-subject": _private,
    **{name: _attested(name) for name in ATTESTABLE},
    **{name: of_deletion.allowed(name) for name in OF_DELETION},
}
"""What the evidence leaves of each fact that this version can establish; any other is unknown."""
