"""A guarantee as a tree: what it follows from, how each premise is known, the weakest, and the steps to a firmer one.

Everything is read off the derivations of the evidence; nothing is derived here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from auditor import __version__
from auditor.base.domain import ClaimStatus, Derivation, Guarantee, Premise, Provenance, Status
from auditor.base.foreign_parts import PerParts
from auditor.maths.tradeoff.reading import right_guesses
from auditor.pages import wording
from auditor.pages.words import guarantees, guesses, numbers
from auditor.pages.words.guarantees import STATEMENTS
from auditor.pages.words.lists import listed
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import either, text
from auditor.settings.attestations import name_for
from auditor.verdict import corollaries
from auditor.verdict.checks import definitions
from auditor.verdict.checks.card import Role
from auditor.verdict.guarantees import CERTIFIED_REMOVAL, CONFIDENTIALITY, CONTROL, DATA_DELETION, UNLEARNING, UNREFUTED
from auditor.verdict.theorems import Theorem, theorems


# Which check finds out which fact: what a premise of a theorem rests on, and where a controller reads how it came about.
@PerParts
def fed_by(version: str = __version__) -> Mapping[str, tuple[str, ...]]:
    """List by fact the checks that can find it out, the first the most likely; a fact that only a word can give has none.

    Args:
        version: The version whose checks are meant.
    """
    cards = [each.card for each in definitions(version).values()]
    pairs = [(fact, card.id) for card in cards for fact in card.finds]
    pairs += [(fact, card.id) for card in cards for fact in card.may_find]
    return {fact: tuple(check_id for name, check_id in pairs if name == fact) for fact in dict(pairs)}


WEAKEST_FIRST: Final = (Provenance.REFUTED, Provenance.UNKNOWN, Provenance.ATTESTED, Provenance.MEASURED, Provenance.COMPUTED)
_MODEL_GUARANTEE: Final = "model-guarantee"
LACKING: Final = frozenset({Provenance.REFUTED, Provenance.UNKNOWN})
MOST_STEPS: Final = 4
"""Steps that a page names; the first are those without which nothing follows."""
_BY_CONSTRUCTION: Final = "fact.history.ours"
"""What a premise rests on where no game may show it."""
_DERIVED: Final = "guarantee"
"""Parameter of a premise's evidence that names the guarantee which it is."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One premise, or what one is made of."""

    name: str
    """Of the fact."""
    said: str
    """In few words."""
    how: Provenance
    by: str
    """The check or the word that it comes from; empty where there is none."""
    weakest: bool
    """Whether no premise is known in a weaker way."""
    within: tuple[str, ...] = ()
    """What it follows from in turn, in few words."""


@dataclass(frozen=True, slots=True)
class Tree:
    """One guarantee by its best theorem, or by the one that comes nearest."""

    title: str
    status: ClaimStatus
    epsilon: float | None
    delta: float | None
    rule: str
    """The theorem in few words, with those that its proof passes through."""
    leaves: tuple[Leaf, ...]
    others: int
    """Further theorems that lead to the same."""
    concludes: bool
    """Whether the theorem leads to the guarantee where its premises are met; a placement does not."""

    @property
    def weakest(self) -> tuple[Leaf, ...]:
        """The premises that are known in the weakest way."""
        return tuple(each for each in self.leaves if each.weakest)


def of(told: Told, identity: str = CONTROL) -> Tree | None:
    """The tree of one guarantee; None where the evidence does not list it, or knows nothing of its premises."""
    found = next((each for each in told.evidence.guarantees if each.id == identity), None)
    if found is None or not found.derivation:
        return None
    derivation = shown(found)
    if all(premise.how is Provenance.UNKNOWN for premise in derivation.premises) and found.status is not ClaimStatus.REFUTED:
        return None
    rule = theorems()[derivation.rule]
    weakest = min((premise.how for premise in derivation.premises), key=WEAKEST_FIRST.index)
    return Tree(
        title=guarantees.title(found),
        status=found.status,
        epsilon=found.epsilon,
        delta=found.delta,
        rule=_rule(rule),
        leaves=tuple(_leaf(told, premise, weakest) for premise in derivation.premises),
        others=sum(theorems()[each.rule].concludes for each in found.derivation if each is not derivation),
        concludes=rule.concludes,
    )


def shown(guarantee: Guarantee) -> Derivation:
    """The derivation that a guarantee has its numbers from; where it does not hold, the one with the fewest premises missing.

    Of theorems of which nothing is known, none comes near; one that the case itself declares comes before any other.
    """
    rule = corollaries.by(guarantee)
    if rule is not None:
        return next(each for each in corollaries.carrying(guarantee) if each.rule == rule.id)
    touched = [each for each in guarantee.derivation if _touched(each)]
    declared = [each for each in touched if theorems()[each.rule].declared]
    concluding = [each for each in guarantee.derivation if theorems()[each.rule].concludes]
    return min(declared or touched or concluding, key=lambda each: len(missing(each)) / max(1, len(each.premises)))


def _touched(derivation: Derivation) -> bool:
    """Whether anything is known of its own premises, whatever games found of the guarantee."""
    return any(each.how is not Provenance.UNKNOWN for each in derivation.premises if each.fact not in UNREFUTED)


def missing(derivation: Derivation) -> tuple[Premise, ...]:
    """The premises that are unknown or refuted."""
    return tuple(each for each in derivation.premises if each.how in LACKING)


def steps(told: Told, identity: str = CONTROL) -> tuple[str, ...]:
    """What a controller can do for a firmer guarantee: for what is refuted first, then for what is unknown."""
    found = next((each for each in told.evidence.guarantees if each.id == identity), None)
    if found is None or not found.derivation:
        return ()
    premises = sorted(shown(found).premises, key=lambda each: WEAKEST_FIRST.index(each.how))
    # A procedure that retrains already is what the step would ask for.
    retrained = any(check.status is Status.PASS and Role.EXACT in check.card.roles for check in told.checks)
    lacking = (each.fact for each in premises if each.how in LACKING and not (retrained and each.fact == _MODEL_GUARANTEE))
    return tuple(dict.fromkeys(text(f"step-{fact}") for fact in lacking))


def confirmed(told: Told, identity: str = CONTROL) -> tuple[str, ...]:
    """The premises of a guarantee that no run shows, in few words: somebody else could confirm them."""
    found = next((each for each in told.evidence.guarantees if each.id == identity), None)
    if found is None or found.status not in corollaries.HOLDING:
        return ()
    return tuple(_short(each.fact) for each in shown(found).premises if each.how is Provenance.ATTESTED)


def person(told: Told) -> tuple[str, ...]:
    """What the derivations mean for a person who asked for deletion.

    Control is kept apart from confidentiality, and what holds of models alone has the place that Section 3.4 gives it.
    """
    return tuple(_person({each.id: each for each in told.evidence.guarantees}, told))


def titled(tree: Tree) -> str:
    """The guarantee with its standing and its numbers."""
    standing = wording.word(tree.status)
    if tree.epsilon is None or tree.delta is None:
        return text("tree-title", title=tree.title, standing=standing)
    given = {"epsilon": numbers.at_most(tree.epsilon), "delta": numbers.at_most(tree.delta)}
    return text("tree-numbers", title=tree.title, standing=standing, **given)


def premise_line(leaf: Leaf) -> str:
    """One premise with how it is known, whether it is the weakest, and what it follows from in turn."""
    how = f"{known(leaf)} ({text('tree-weakest')})" if leaf.weakest else known(leaf)
    within = f" ({'; '.join(leaf.within)})" if leaf.within else ""
    return text("tree-premise", said=f"{leaf.said}{within}", known=how)


def known(leaf: Leaf, longest: int = 80) -> str:
    """How a premise is known, and by which check or word."""
    how = wording.word(leaf.how)
    return text("tree-by", how=how, by=wording.short(leaf.by, longest)) if leaf.by else how


def _person(found: dict[str, Guarantee], told: Told) -> Iterator[str]:
    control, hidden = found.get(CONTROL), found.get(CONFIDENTIALITY)
    if control is not None and control.status in corollaries.HOLDING:
        yield text("person-control", within=_within(control))
        yield text("person-control-before")
        tree = of(told)
        if tree is not None and control.status is ClaimStatus.SUPPORTED:
            yield text("person-weakest", count=len(tree.weakest), named=tree.weakest[0].said)
        yield _of_groups(control)
    elif control is not None and control.status is ClaimStatus.REFUTED:
        yield text("person-control-refuted")
    elif hidden is None or hidden.status is ClaimStatus.NOT_SHOWN:
        yield text("person-neither")
        hidden = None
    else:
        yield text("person-control-open")
    if hidden is not None and hidden.status in corollaries.HOLDING:
        yield text("person-confidential", within=_within(hidden))
    elif hidden is not None:
        yield text("person-confidential-refuted" if hidden.status is ClaimStatus.REFUTED else "person-confidential-open")
    yield from _models(found)


def _of_groups(control: Guarantee) -> str:
    several = corollaries.group(control, guarantees.EXAMPLE)
    match corollaries.together(control):
        case "same":
            return text("person-groups-same")
        case "noise" if several is not None:
            given = {
                "epsilon": numbers.at_most(several.epsilon),
                "delta": numbers.at_most(several.delta),
                "most": guesses.at_most(right_guesses(corollaries.promise_by(several))),
            }
            return text("person-groups-noise", people=str(guarantees.EXAMPLE), **given)
        case _:
            return text("person-groups-none")


def _models(found: dict[str, Guarantee]) -> Iterator[str]:
    """Where Section 3.4 places what holds of models alone."""
    held = [
        guarantees.title(found[name])
        for name in (CERTIFIED_REMOVAL, DATA_DELETION, UNLEARNING)
        if name in found and found[name].status in corollaries.HOLDING
    ]
    if held:
        control = CONTROL in found and found[CONTROL].status in corollaries.HOLDING
        yield text("person-models-and-control" if control else "person-models", named="; ".join(held))


def _within(guarantee: Guarantee) -> str:
    if guarantee.epsilon is None or guarantee.delta is None:
        return text("person-within-open")
    if guarantee.epsilon == 0 and guarantee.delta == 0:
        return text("person-within-exactly")
    return text("person-within", epsilon=numbers.at_most(guarantee.epsilon), delta=numbers.at_most(guarantee.delta))


def _leaf(told: Told, premise: Premise, weakest: Provenance) -> Leaf:
    return Leaf(
        name=premise.fact,
        said=_short(premise.fact),
        how=premise.how,
        by=_by(told, premise),
        weakest=premise.how is weakest,
        within=tuple(_within_leaf(told, premise)),
    )


def _within_leaf(told: Told, premise: Premise) -> Iterator[str]:
    """The guarantee that a premise is, with its standing and its theorem."""
    name = premise.evidence.parameters.get(_DERIVED)
    for each in told.guarantees:
        if each.id == name:
            yield text("tree-guarantee", title=each.title, standing=wording.word(each.status))


def _by(told: Told, premise: Premise) -> str:
    """The check of this audit that the premise comes from, what the controller attested, or that code of ours is written so."""
    if premise.evidence.code == _BY_CONSTRUCTION:
        return text("tree-by-construction")
    attested = name_for(premise.fact)
    if premise.how is Provenance.ATTESTED and attested in {each.name for each in told.policy.attested}:
        return str(attested)
    feeding = [each for name in fed_by(told.evidence.version).get(premise.fact, ()) for each in told.checks if each.id == name]
    if premise.how is Provenance.REFUTED:
        feeding.sort(key=lambda each: each.status is not Status.FAIL)
    ran = [each.id for each in feeding if wording.has_run(each)]
    return ran[0] if ran else ""


def _short(fact: str) -> str:
    """A fact in few words; one that no theorem of a whole controller needs has its whole sentence."""
    return either(f"tree-fact-{fact}", STATEMENTS[fact].removesuffix("."))


def _rule(rule: Theorem) -> str:
    through = [_cited(theorems()[each]) for each in rule.through]
    return text("tree-rule", rule=_cited(rule), through=listed(through) if through else "none")


def _cited(rule: Theorem) -> str:
    return either(f"tree-rule-{rule.id}", rule.citation)
