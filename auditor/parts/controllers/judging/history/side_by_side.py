"""What Theorem 6.4 asks of two declared programs side by side, from plays of each by itself and of both together.

Everything here refutes or leaves open. What holds is known of the auditor's own code, by the way it is written; of code of a case
it is its owner's word, whatever was played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from auditor.base.domain import Fact, Message, Provenance
from auditor.document.context import ControllerFacts, ProgramPart
from auditor.parts.controllers.cards import APART, ASKER, CHANCE, FIRST, SECOND
from auditor.parts.controllers.judging.history.judging import LEAST_HISTORIES, counts
from auditor.parts.controllers.judging.history.observed import Parts, Together, Tried
from auditor.verdict.checks.context import Context
from auditor.verdict.guarantees import Pledge, fact

_SECOND_WORD: Final = "second-part-strongly-history-independent"
LEAST_COMPARED: Final = 20
"""Histories that have to be compared before anything that was not found counts as absent."""


def facts(context: Context, whole: ControllerFacts, seen: Parts | None, canonical: frozenset[str]) -> Iterator[Fact]:
    """The premises that are known of a pair, and those that plays refute or leave open; of the others words decide.

    Args:
        context: What was declared.
        whole: The pair as declared.
        seen: What was played; None where nothing was.
        canonical: Controllers of the auditor's own whose state is their contents written in one way.
    """
    if whole.first is None or whole.second is None:
        return
    if seen is None or seen.together.histories < LEAST_COMPARED:
        yield from (fact(name, Provenance.UNKNOWN, Message("fact.pair.few")) for name in (FIRST, CHANCE, APART))
        return
    yield from _exact(FIRST, whole.first, seen.first, canonical)
    if seen.second is not None:
        yield from _of_second(context, whole.second, seen.second, canonical)
    yield from _of_both(whole, seen.together, canonical)


def _exact(name: str, part: ProgramPart, tried: Tried, canonical: frozenset[str]) -> Iterator[Fact]:
    """(0, 0)-control of one part by Theorem 3.7; nothing of code of a case in which nothing was found."""
    found = [each for each in tried.counterexamples if counts(each, frozenset(part.commuting))]
    if found and tried.deterministic and tried.ignores_tape:
        yield fact(name, Provenance.REFUTED, Message("fact.pair.told-apart", {"cases": len(found)}))
    elif tried.counterexamples or not tried.deterministic or any(each.different for each in tried.played):
        yield fact(name, Provenance.UNKNOWN, Message("fact.pair.open"))
    elif sum(each.histories for each in tried.played) < LEAST_HISTORIES:
        yield fact(name, Provenance.UNKNOWN, Message("fact.pair.few"))
    elif part.use in canonical:
        yield fact(name, Provenance.COMPUTED, Message("fact.history.ours", {"use": part.use}))
    elif part.use is not None:
        yield fact(name, Provenance.UNKNOWN, Message("fact.pair.not-exact", {"use": part.use}))


def _of_second(context: Context, part: ProgramPart, tried: Tried, canonical: frozenset[str]) -> Iterator[Fact]:
    """The second part where it draws no noise: its owner's word is read here, as no other case has such a part."""
    known = tuple(_exact(SECOND, part, tried, canonical))
    claims = context.claims
    if known:
        yield from known
    elif context.attests(_SECOND_WORD):
        given = {"by": claims.attested_by, "at": str(claims.attested_at)}
        yield fact(SECOND, Provenance.ATTESTED, Message("fact.attested.by-controller", given))
    else:
        yield fact(SECOND, Provenance.UNKNOWN, Message("fact.not-attested", {"name": _SECOND_WORD}))


def _of_both(whole: ControllerFacts, seen: Together, canonical: frozenset[str]) -> Iterator[Fact]:
    """That the first part answers without chance (Definition 6.1), and that the two are apart (Definition 6.3)."""
    ours = Message("fact.pair.ours")
    chance = {"histories": seen.by_chance, "tapes": seen.tapes}
    if seen.by_chance:
        yield fact(CHANCE, Provenance.REFUTED, Message("fact.pair.by-chance", chance))
    elif not seen.repeats:
        yield fact(CHANCE, Provenance.UNKNOWN, Message("fact.pair.not-repeated"))
    elif whole.first is not None and whole.first.use in canonical:
        yield fact(CHANCE, Provenance.COMPUTED, Message("fact.history.ours", {"use": whole.first.use}))
    if seen.files and whole.foreign:
        yield fact(APART, Provenance.REFUTED, Message("fact.pair.files", {"files": seen.files}))
    elif seen.apart and seen.repeats:
        yield fact(APART, Provenance.REFUTED, Message("fact.pair.apart", {"histories": seen.apart}))
    elif seen.apart or not seen.repeats:
        yield fact(APART, Provenance.UNKNOWN, Message("fact.pair.not-repeated"))
    elif not whole.foreign:
        yield fact(APART, Provenance.COMPUTED, ours)
    if not whole.foreign:
        yield fact(ASKER, Provenance.COMPUTED, ours)


def pledged(found: Iterable[Fact]) -> Pledge | None:
    """The ε and δ of a second part that draws no noise, both 0; None where nothing is known of one.

    Args:
        found: What this check found.
    """
    holds = (Provenance.COMPUTED, Provenance.ATTESTED)
    return Pledge(0.0, 0.0) if any(each.name == SECOND and each.how in holds for each in found) else None


def told(seen: Parts) -> tuple[Message, ...]:
    """Say what was compared, for anyone who reads the check."""
    both = seen.together
    given = {"histories": both.histories, "apart": both.apart, "tapes": both.tapes, "chance": both.by_chance, "files": both.files}
    return (Message("state.history_independent.side-by-side", given),)
