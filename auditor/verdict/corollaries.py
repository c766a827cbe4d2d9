"""What follows from a guarantee without another premise, worked out where it is shown and kept nowhere.

The promise to one person, group statements (Deletion-as-control, Section 2.4), and control for people who are silent and delete
when told (Theorem 4.3).
"""

from __future__ import annotations

from typing import Final

from auditor.base.domain import ClaimStatus, Derivation, Guarantee
from auditor.base.promises import Approximate, Promise
from auditor.base.terms import ControlTerms, DeletionTerms
from auditor.maths.certificates.renyi import advantage
from auditor.maths.tradeoff import combining
from auditor.verdict.guarantees import CONFIDENTIALITY, CONTROL, Pledge, pledge_to_one, standing
from auditor.verdict.theorems import Theorem, Together, theorems

HOLDING: Final = frozenset({ClaimStatus.SHOWN, ClaimStatus.SUPPORTED})


def carrying(guarantee: Guarantee) -> tuple[Derivation, ...]:
    """The derivations that a guarantee has its standing from; none where it does not hold."""
    if guarantee.status not in HOLDING:
        return ()
    return tuple(each for each in guarantee.derivation if standing(each) is guarantee.status)


def promise_of(guarantee: Guarantee) -> Promise | None:
    """Give everything that a guarantee promises one person: what its terms carry, and the numbers that it states.

    All of it holds, so that of two routes the one with fewer right guesses counts (`several`). A stated Rényi ε bounds how far
    the worlds with and without the person's records are from a third law; what it says of the two is the advantage of Theorem
    4.1 of Chourasia and Shah 2023, which is a total variation, and so a δ at ε = 0.

    Returns:
        The promise; None where the guarantee does not hold, or has no number.
    """
    if guarantee.status not in HOLDING or guarantee.epsilon is None:
        return None
    carried, terms = guarantee.terms.promise, guarantee.terms
    routes: list[Promise] = [] if carried is None else [carried]
    if isinstance(terms, DeletionTerms) and terms.advantage is not None:
        routes.append(Approximate(epsilon=0.0, delta=terms.advantage))
    elif guarantee.order is not None:
        routes.append(Approximate(epsilon=0.0, delta=advantage(guarantee.order, guarantee.epsilon)))
    else:
        routes.append(Approximate(epsilon=guarantee.epsilon, delta=guarantee.delta or 0.0))
    return combining.several(routes)


def promise_by(pledge: Pledge) -> Promise:
    """Give everything that a pledge promises: its ε and δ, and what it says beyond them."""
    stated = Approximate(epsilon=pledge.epsilon, delta=pledge.delta)
    return combining.several([stated] if pledge.promise is None else [pledge.promise, stated])


def by(guarantee: Guarantee) -> Theorem | None:
    """The theorem that a guarantee of a whole controller has its numbers from; None where it does not hold.

    Of several that carry it, the one without noise where the numbers are those of history independence: they are the smallest.
    """
    rules = [theorems()[each.rule] for each in carrying(guarantee)]
    wanted = "noise" if by_noise(guarantee) else "same"
    return next((each for each in rules if each.together == wanted), rules[0] if rules else None)


def by_noise(guarantee: Guarantee) -> bool:
    """Whether the numbers of control are those of noise."""
    return isinstance(guarantee.terms, ControlTerms) and guarantee.terms.by_noise


def together(guarantee: Guarantee) -> Together:
    """How control of one person carries over to k of them (Section 2.4): by the rule, and in no other way."""
    rule = by(guarantee) if guarantee.id == CONTROL else None
    return "none" if rule is None else rule.together


def group(guarantee: Guarantee, people: int) -> Pledge | None:
    """The ε and δ of control for several people as a group; None where nothing is said of them together.

    Args:
        guarantee: Of one person.
        people: How many, k, at least 1.

    Returns:
        The same ε and δ by history independence; by noise what the promise says of the group, its ε read at the same δ, and
        without one kε and δ(e^{kε} − 1)/(e^ε − 1), rounded up (`pledge_to_one`); None by any other rule, and where nothing is
        promised.
    """
    if guarantee.epsilon is None or guarantee.delta is None:
        return None
    match together(guarantee):
        case "same":
            return Pledge(guarantee.epsilon, guarantee.delta, guarantee.terms.promise)
        case "noise":
            return pledge_to_one(guarantee.epsilon, guarantee.delta, records=people, promise=guarantee.terms.promise)
        case "none":
            return None


def when_told(guarantee: Guarantee) -> Pledge | None:
    """Control for people who say nothing to others and delete only when told, from confidentiality (Theorem 4.3).

    Beyond such people it is false (Theorems 4.4 and 4.5): it is no guarantee of control.
    """
    if guarantee.id != CONFIDENTIALITY or not carrying(guarantee) or guarantee.epsilon is None or guarantee.delta is None:
        return None
    return Pledge(guarantee.epsilon, guarantee.delta, guarantee.terms.promise)
