"""What guarantees mean for one person, in plain words, with ε and δ as odds that anybody can picture.

A number after `at most` is rounded up: no sentence promises more than was shown.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from auditor.domain import How, Standing
from auditor.guarantees import CERTIFIED_REMOVAL, CONFIDENTIALITY, CONTROL, DATA_DELETION
from auditor.letters import Extract, GuaranteePart, PremisePart
from auditor.report import wording
from auditor.theorems.data_deletion import OF_A_PERSON

WEAK: Final = 0.9
"""Right guesses of one, from which on a promise is called weak."""
LARGEST_EPSILON: Final = 20.0
"""Above this, e^ε is no longer printed."""

ATTESTED: Final[Mapping[str, str]] = {
    "release-reproduced": "the model in use is the one that the declared erasure gives",
    "log-complete": "the list of erasure requests is complete",
    "residual-independent": "a technical assumption about the random numbers in the training, which no test can check",
    "seed-secret": "the secret number behind that randomness was drawn at random, and is known to nobody else",
    "settings-fixed": "the noise and the limits were chosen without looking at the data",
    "requests-fixed": "nobody chose what to have erased by looking at a published model",
    "dp-per-subject": "nobody else knows the secret number behind the noise in the training, and no more records of yours were "
    "in it than the log names for one person",
    "dictionary-before": "before the training, the place where the data lay kept no trace of what was removed from it",
    "nothing-before-training": "nothing was given out before the model was trained, and it was trained once",
    "training-data-destroyed": "the training data, and everything made from them but the model, are destroyed",
    "extractor-private": "the step that prepares the data was trained with enough noise to hide every erased record",
    "every-extractor": "the limit would have been kept whatever that noise had been",
    "preprocessing-clean": "no earlier step of preparing the data keeps a trace of erased records",
    "code-clean": "nothing in the program itself was made from erased data",
    "noise-secret": "the secret number behind the noise in the training is known to nobody else",
    "subjects-complete": "no more of your data were in the training than the list of erasure requests names",
    "own-request-fixed": "you did not make your own request depend on a published model",
    "seen-releases": "people who made requests had seen no more versions of the model than the controller says",
    **dict.fromkeys(
        ("loss-convex", "loss-bounded", "loss-constants"),
        "the model keeps the mathematical limits that the controller names for it",
    ),
    **dict.fromkeys(
        ("full-batch-descent", "start-gaussian", "steps-counted", "noise-measured"),
        "the training took the steps and added the noise that the controller names",
    ),
}
"""Premises that the controller attests, by their name in the catalogue, in the plainest words."""

TITLES: Final[Mapping[str, str]] = {
    CERTIFIED_REMOVAL: "The model",
    DATA_DELETION: "The model, from the erasure on",
    CONTROL: "The controller as a whole",
    CONFIDENTIALITY: "What others saw before",
}

UNDER_NOISE: Final = (
    ATTESTED["requests-fixed"],
    ATTESTED["preprocessing-clean"],
)
"""The conditions of the theorem on noise at release that its statement names, and no premise of it does."""

FOR_EVER: Final = "This holds for ever, for every later model and for all of them together."
"""What makes data deletion more than a promise about one release (Forget Unlearning, Theorem 4.1)."""

_OF_THE_MODEL: Final = frozenset({CERTIFIED_REMOVAL, DATA_DELETION})


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one guarantee means for the person, and what it rests on."""

    title: str
    standing: Standing
    sentences: tuple[str, ...]


def meanings(letter: Extract) -> tuple[Meaning, ...]:
    """What each guarantee means for the person, where something was carried out for them; those not shown share one entry."""
    if letter.request.status != "executed":
        return ()
    told = [_meaning(item, letter) for item in letter.guarantees if _told_alone(item, letter)]
    wider = [item for item in letter.guarantees if item.id not in _OF_THE_MODEL and not _told_alone(item, letter)]
    if wider:
        told.append(
            Meaning(
                "Wider guarantees",
                Standing.NOT_SHOWN,
                (
                    (
                        f"The audit also looked for {wording.plural(len(wider), 'wider guarantee')}: about everything that the "
                        "controller keeps, not the model alone, and about what others may have seen before the erasure. "
                        "Nothing led to such a guarantee. This does not say that the contrary is true."
                    ),
                ),
            )
        )
    return tuple(told)


def factor(epsilon: float) -> str:
    """e^ε rounded up to three digits."""
    if epsilon > LARGEST_EPSILON:
        return f"more than {wording.power_of_ten(8)}"
    value = math.exp(epsilon)
    unit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return wording.number(math.ceil(value / unit - 1e-9) * unit if value > 1 else 1.0)


def margin(delta: float) -> str:
    """δ as `1 in N`, N rounded down to two digits."""
    if delta >= 0.5:
        return "more than 1 in 2"
    count = math.floor(1 / delta * (1 + 1e-12))
    unit = 10 ** max(0, len(str(count)) - 2)
    return f"1 in {wording.number(count // unit * unit)}" if count < 10**15 else f"less than 1 in {wording.power_of_ten(15)}"


def right_guesses(epsilon: float, delta: float) -> float:
    """The largest share of right guesses of anyone who has to tell the two models apart at even odds: (e^ε + δ)/(e^ε + 1).

    Source: no event's probability differs by more than e^ε and δ, in both directions, so that the total variation is at most
    (e^ε − 1 + 2δ)/(e^ε + 1) (Kairouz, Oh and Viswanath 2015, Theorem 2.1), and a guess is right with (1 + it)/2.
    """
    shrink = math.exp(-epsilon)
    return min(1.0, (1 + delta * shrink) / (1 + shrink))


def _told_alone(item: GuaranteePart, letter: Extract) -> bool:
    """One guarantee about the model is always reported; another, and a wider one, where it covers the request or was refuted."""
    always = DATA_DELETION if any(each.id == DATA_DELETION for each in letter.guarantees) else CERTIFIED_REMOVAL
    return item.id == always or item.id in letter.request.guarantees or item.status is Standing.REFUTED


def _meaning(item: GuaranteePart, letter: Extract) -> Meaning:
    title = TITLES[item.id]
    if item.status is Standing.REFUTED:
        said = (
            (
                "A promise in numbers was made about how little the model keeps of erased data. An attack of this audit found "
                "more than that promise allows. The promise does not hold."
            ),
        )
        return Meaning(title, item.status, said)
    if item.id not in letter.request.guarantees:
        said = (
            (
                "It could not be shown that the model is close to one trained without the erased data. This does not say that "
                "the model still remembers yours."
            ),
        )
        return Meaning(title, Standing.NOT_SHOWN, said)
    if item.id == DATA_DELETION:
        return Meaning(title, item.status, (*_deleted(item), *_trusted(item), *_excluded(item)))
    return Meaning(title, item.status, (*_statement(item), *_numbers(item), *_trusted(item), *_excluded(item)))


def _statement(item: GuaranteePart) -> tuple[str, ...]:
    match item.id:
        case guarantee if guarantee == CERTIFIED_REMOVAL:
            if item.epsilon == 0 and not item.delta:
                return (
                    (
                        "The model was retrained from scratch without the erased data. Nothing in it can come from that data: "
                        "this is a promise with ε = 0."
                    ),
                )
            return (
                (
                    "A bound says how far the model after the erasure can be told apart at all from one that was trained from "
                    "scratch without the erased data."
                ),
            )
        case guarantee if guarantee == CONTROL and item.epsilon:
            return (
                (
                    "The model was trained with so much noise that no single person counts for much, and it is not changed by an "
                    "erasure. A bound says how far all that the controller keeps can be told apart at all from what it would "
                    "keep if you had never given your data."
                ),
            )
        case guarantee if guarantee == CONTROL:
            return (
                (
                    "After the erasure, all that the controller keeps says no more about you than others had already learned "
                    "while your data was there."
                ),
            )
        case _:
            return ("Beyond that, nothing that others saw before the erasure says anything about you either.",)


def _numbers(item: GuaranteePart) -> tuple[str, ...]:
    """ε and δ in words; nothing where there are none, or where they are 0."""
    epsilon, delta = item.epsilon, item.delta or 0.0
    if epsilon is None or epsilon < 0 or not 0 <= delta <= 1 or (epsilon == 0 and delta == 0):
        return ()
    apart = f", apart from a margin of {margin(delta)} (δ = {wording.number(delta)})" if delta else ""
    said = (
        "In numbers: the chance of reading anything whatever out of the one differs from that of reading it out of the other "
        f"by a factor of at most {factor(epsilon)} (ε = {wording.number(epsilon)}){apart}."
    )
    if item.id != CERTIFIED_REMOVAL:
        return (said,)
    share = right_guesses(epsilon, delta)
    weak = " That is a weak promise." if share >= WEAK else ""
    return (
        said,
        (
            f"As a game: shown one of the two, drawn by the toss of a coin, nobody can name it rightly more than "
            f"{wording.at_most_points(share)} times in 100 on average. Guessing is right 50 times.{weak}"
        ),
    )


def _trusted(item: GuaranteePart) -> tuple[str, ...]:
    """What the guarantee takes on trust, by the routes that carry it."""
    premises = _carrying_premises(item)
    named = _attested(dict.fromkeys(premise.fact for premise in premises if premise.how is How.ATTESTED))
    noise = any(premise.fact == "release-noise" for premise in premises)
    assumed = [words for words in UNDER_NOISE if words not in named] if noise else []
    said = []
    if named:
        said.append(f"It holds only if this is true, which the controller says and nobody examined: {'; '.join(named)}.")
    if assumed:
        said.append(f"It assumes what nobody examined: {'; '.join(assumed)}.")
    return tuple(said)


def _carrying_premises(item: GuaranteePart) -> list[PremisePart]:
    """The premises of the routes that carry a guarantee: those without a premise that is refuted or unknown."""
    carrying = [
        derivation
        for derivation in item.derivation
        if not {How.REFUTED, How.UNKNOWN}.intersection(premise.how for premise in derivation.premises)
    ]
    return [premise for derivation in carrying for premise in derivation.premises]


def _attested(facts: Collection[str]) -> list[str]:
    """What the controller attests, in words; facts that have none are counted."""
    named = list(dict.fromkeys(ATTESTED[fact] for fact in facts if fact in ATTESTED))
    more = sum(fact not in ATTESTED for fact in facts)
    if more:
        named.append(f"{wording.plural(more, 'further assumption')} that the full report names")
    return named


def _deleted(item: GuaranteePart) -> tuple[str, ...]:
    """What data deletion says to the person: the bound on what anybody can tell, for how long, and under which requests."""
    premises = {premise.fact for derivation in item.derivation for premise in derivation.premises}
    if "release-independent" in premises:
        first = (
            "The audit ran the training and the erasure again with other data in place of the erased data. The models from the "
            "erasure on came out exactly the same each time, so these runs took nothing into them from the erased data that they "
            "were given. What the program itself brings along is the same in every run."
        )
        return (first,)
    first = (
        "From the erasure on, the model was trained further without your data and with random noise. What your data had left in "
        "it fades, and the noise hides the rest. A bound says how much of it can be recognised at all."
    )
    others = "It holds even where other people chose what to have erased after looking at published models."
    adaptive = (others,) if "own-request-fixed" in premises else ()
    return first, *_told_apart(item), FOR_EVER, *adaptive


def _told_apart(item: GuaranteePart) -> tuple[str, ...]:
    """The bound on anybody's advantage as a game, as the guarantee's own statement has it."""
    order, epsilon, bound = item.order, item.epsilon, item.advantage
    if order is None or order <= 1 or epsilon is None or epsilon < 0 or bound is None or bound < 0:
        return ()
    stated = f"(ε = {wording.number(epsilon)} at order {wording.number(order)})"
    if bound >= 1:
        return (f"Here that bound {stated} is too wide to say how well anybody could tell. That is a weak promise.",)
    share = (1 + bound) / 2
    weak = " That is a weak promise." if share >= WEAK else ""
    game = (
        f"As a game: the toss of a coin decides whether {_whose(item)} had been there or not. Anyone who sees every model from "
        f"the erasure on and has to say which it was is right no more than {wording.at_most_points(share)} times in 100 on "
        f"average {stated}. Guessing is right 50 times.{weak}"
    )
    return (game,)


def _of_a_person(item: GuaranteePart) -> bool:
    """Whether it covers all data of the person: that they have no more than the log names is one of its premises then."""
    return any(premise.fact == OF_A_PERSON for derivation in item.derivation for premise in derivation.premises)


def _whose(item: GuaranteePart) -> str:
    return "your data" if _of_a_person(item) else "the data of this request"


def _excluded(item: GuaranteePart) -> tuple[str, ...]:
    if item.id == DATA_DELETION:
        others = "" if _of_a_person(item) else "It covers the data of this request, and no other data of yours. "
        return (
            (
                f"{others}It does not mean that nothing can be said about you. It gives no protection against anyone who kept a "
                "version of the model from before the erasure. It does not cover copies that others have. And what the model "
                "has learned from other data about people in general stays in it."
            ),
        )
    if item.id != CERTIFIED_REMOVAL:
        return ()
    return (
        (
            "It does not mean that nothing can be said about you. It covers one version of the model: anyone who also has an "
            "earlier version can compare the two. It does not cover copies that others have. And what the model has learned "
            "from other data about people in general stays in it."
        ),
    )
