"""The second pass of a conclusion: from findings to facts, numbers and the guarantees that theorems derive of them.

It reads findings and what was declared, and nothing of what they decide: no policy makes a guarantee stronger or weaker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from auditor.base.domain import Fact, Guarantee, Provenance
from auditor.verdict.checks import attested, brought_by, definitions, foreign, the, with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import Pledges, Spent, derive_guarantees
from auditor.verdict.judgement import Judged


@dataclass(frozen=True, slots=True)
class Promised:
    """What can be promised, and of what it is derived."""

    facts: tuple[Fact, ...]
    """Everything that a theorem may need: what checks and data show, and where neither speaks the controller's attestations."""
    pledges: Pledges
    guarantees: tuple[Guarantee, ...]


def promised(judged: Judged) -> Promised:
    """Collect facts and numbers, and derive every guarantee of the catalogue."""
    facts = _facts(judged.context, judged.findings)
    pledges = _pledges(judged.context, judged.findings)
    return Promised(facts, pledges, _guarantees(judged.context, facts, pledges))


def _facts(context: Context, findings: Mapping[str, Finding]) -> tuple[Fact, ...]:
    """Everything that a theorem may need: what checks and data show, and where neither speaks the controller's words."""
    # Of a fact that several refute the first counts, and what compares every ε says least of it.
    counting = consistency_last(_counting(context, findings), context.version)
    found = [(brought_by(check_id), fact) for check_id in counting for fact in findings[check_id].facts]
    listed = definitions(context.version)
    found += [(brought_by(check_id), fact) for check_id, each in listed.items() for fact in each.declared_facts(context)]
    erased = findings[the(Role.SEARCHES, context.version)]
    # A word fills in what no check covers: it makes nothing weaker or stronger that one found.
    together = foreign.facts(
        (fact for part, fact in found if part is None),
        attested.facts(context, erased),
        ((part.name, fact) for part, fact in found if part is not None),
    )
    # What is still to run may refute whatever seems to hold after a first stage; what is refuted then stays so.
    return tuple(each for each in together if each.how is Provenance.REFUTED) if context.first_stage else together


def _pledges(context: Context, findings: Mapping[str, Finding]) -> Pledges:
    """The numbers that checks give to guarantees."""
    return Pledges.together(each.pledges(context, findings) for each in definitions(context.version).values())


def _guarantees(context: Context, facts: Iterable[Fact], pledges: Pledges) -> tuple[Guarantee, ...]:
    return derive_guarantees(
        facts,
        epsilon=pledges.epsilon,
        delta=pledges.delta,
        private=pledges.private,
        continual=pledges.continual,
        fresh=pledges.fresh,
        parts=pledges.parts,
        extractor=pledges.extractor,
        deletion=pledges.deletion,
        version=context.version,
        spent=Spent(by_loss=pledges.by_loss, by_noise=pledges.by_noise),
    )


def _counting(context: Context, findings: Iterable[str]) -> Iterable[str]:
    """The checks whose facts may support a guarantee: not those that `--only` left out, though a run observed something."""
    only, known = context.audit.only, definitions(context.version)
    return [check_id for check_id in findings if only is None or check_id in only or not known[check_id].runs]


def consistency_last(check_ids: Iterable[str], version: str) -> list[str]:
    """Checks in their order, what compares every ε after all others."""
    last = with_role(Role.CONSISTENCY, version)
    return sorted(check_ids, key=lambda check_id: check_id in last)
