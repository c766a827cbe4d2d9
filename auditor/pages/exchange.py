"""What JUnit, SARIF and Markdown have in common: properties of the run, the sentence of a check, a remedy in plain lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from auditor.base.domain import Status, Verdict
from auditor.document import evidence as documents
from auditor.document.evidence import Evidence
from auditor.pages import wording
from auditor.pages.remedies import Proof, Remedy
from auditor.pages.words import conclusion as words
from auditor.pages.words import premises
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import text
from auditor.verdict import conclusion

BROKE_OFF: Final = 4
"""The exit code of an audit that could not be completed."""
_FEWEST_ALIKE: Final = 2
"""Checks of which the same is expected that are named together."""


def properties(evidence: Told) -> dict[str, str]:
    """What a program wants to know of the whole audit, as strings."""
    strength = evidence.evidence.strength
    return {
        "verdict": evidence.verdict.value,
        "exit_code": str(evidence.audit.exit_code),
        "required": " ".join(wording.shown(name) for name in evidence.policy.required),
        "evidence_sha256": documents.digest(evidence.content),
        "release": wording.shown(evidence.case.release or ""),
        "default_policy_verdict": evidence.evidence.default_policy_verdict.value,
        "strength": "" if strength is None else strength.value,
        **_conclusion(evidence.evidence),
        "examined": " ".join(name for name, yes in verdicts.reached(evidence.evidence).items() if yes),
        "sentence": wording.shown(evidence.sentence),
        **_premises(evidence),
    }


def _conclusion(evidence: Evidence) -> dict[str, str]:
    found = conclusion.of(evidence)
    return {
        "conclusion": found.kind.value,
        "conclusion_because": " ".join(each.reason.value for each in found.basis),
        "not_examined": " ".join(each.area.value for each in found.not_examined),
        "run_by": wording.shown("" if found.run_by is None else found.run_by.name),
    }


def _premises(evidence: Told) -> dict[str, str]:
    """What a pass rests on, by standing: names first, for programs, and all of it in words."""
    found = premises.standings(evidence.evidence)
    if not found:
        return {}
    named = {kind: " ".join(name for each in found if each.kind == kind for name in each.names) for kind in _STANDINGS}
    return {
        **{f"premises_{kind}": wording.shown(names) for kind, names in named.items()},
        "premises": wording.shown(" ".join(each.line for each in found)),
    }


_STANDINGS: Final = ("unsaid", "said", "examined", "refuted")


def policy(evidence: Told) -> str:
    """Whether the policy is met, not met, or open."""
    return text("pipeline-policy", verdict=evidence.verdict.value)


def concluded(evidence: Told) -> str:
    """The conclusion, what it rests on, and whose terms it borrows."""
    return text(
        "pipeline-conclusion",
        heading=words.heading(evidence.evidence),
        basis=words.basis(evidence.evidence),
        terms=text("conclusion-terms"),
    )


def examined(evidence: Told) -> str:
    """What was examined of each thing that a deletion has to reach: yes, in part, no, or not yet in a first stage."""
    waiting = _TO_COME if evidence.audit.stage is not None else frozenset()
    return ", ".join(
        f"{said} {text('pipeline-not-yet') if name in waiting and not yes else extent}"
        for (name, yes), (said, extent) in zip(
            verdicts.reached(evidence.evidence).items(), verdicts.examined(evidence.evidence), strict=True
        )
    )


_TO_COME: Final = frozenset({"procedure", "program"})
"""What is examined after the first stage, if at all."""


def strength(evidence: Told) -> str:
    """What a pass is worth; that there is nothing to be worth anything where the verdict is not one."""
    grade = evidence.evidence.strength
    if evidence.evidence.places_alone:
        return text("pipeline-places-alone")
    return text("pipeline-no-strength") if grade is None else f"{grade.value}: {verdicts.worth(evidence.evidence)}"


def required_and_unmet(evidence: Told, check: ToldCheck) -> bool:
    """Whether a check keeps the verdict from pass."""
    return check.id in evidence.policy.required and check.status is not Status.PASS


def kind(status: Status) -> str:
    """What a required check that did not pass is called: what was not run decides as little as what stayed open."""
    return (Status.INCONCLUSIVE if status is Status.SKIPPED else status).value


def kind_of_verdict(evidence: Told) -> str:
    """The same of the whole audit."""
    return "error" if evidence.audit.exit_code == BROKE_OFF else evidence.verdict.value


def message(check: ToldCheck) -> str:
    """The status of a check, its whole reason, value and threshold."""
    measured = ""
    if check.value is not None:
        measured = " " + text("pipeline-measured", value=wording.number(check.value), threshold=wording.threshold(check))
    return wording.shown(f"{wording.check_word(check)}: {check.basis}{measured}")


def found_line(found: str) -> str:
    """Say what was found that asks for a step."""
    return text("pipeline-found", found=wording.shown(found))


def remedy_lines(each: Remedy) -> Iterator[str]:
    """One remedy as lines of text."""
    yield found_line(each.found)
    yield text("pipeline-do", action=each.action)
    if each.command:
        yield text("pipeline-command", command=each.command)
    yield text("pipeline-owner", owner=each.owner, when=each.by_when)
    if each.requests:
        yield text("pipeline-requests", count=len(each.requests), names=wording.listed(each.requests))
        yield each.tell
    yield text("pipeline-proof", proofs="; ".join(_proofs(each.proof)))
    yield each.meanwhile


def _proofs(proof: Sequence[Proof]) -> Iterator[str]:
    """What shows that a step worked; checks of which the same is expected are named together."""
    passes = text("remedy-proof-pass")
    alike = [each.check for each in proof if "." in each.check and each.expected == passes]
    if len(alike) < _FEWEST_ALIKE:
        yield from (each.said for each in proof)
        return
    yield text("remedy-proof-all-pass", checks=wording.listed(alike))
    yield from (each.said for each in proof if each.check not in alike)


def step_lines(each: Remedy) -> list[str]:
    """One remedy as lines of text below its action."""
    return [line for line in remedy_lines(each) if line != text("pipeline-do", action=each.action)]


def remedy_text(found: Iterable[Remedy]) -> str:
    """Several remedies, a blank line between them."""
    return wording.multiline("\n\n".join("\n".join(remedy_lines(each)) for each in found))


def is_pass(evidence: Told) -> bool:
    """Whether the verdict is pass."""
    return evidence.verdict is Verdict.PASS
