"""The tables on data deletion: bounds and orders, what was declared, what the sandbox counted, what it cost, what is compared.

A number that is not there is a dash in a table, with the reason in a sentence next to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from auditor.pages import tables, wording, words
from auditor.pages.tables import Entry
from auditor.pages.words import guesses, numbers
from auditor.pages.words.guarantees import STATEMENTS
from auditor.pages.words.texts import Named, say
from auditor.parts.data_deletion.judging.adaptive import Derived as Adaptive
from auditor.parts.data_deletion.judging.adaptive import Played
from auditor.parts.data_deletion.judging.bounds import TRADEOFFS
from auditor.parts.data_deletion.judging.derived import AtOrder, Conversion, Derived, OfBatch, Premise
from auditor.parts.swap.judging.epsilon_consistency.contributors import Game

MOST_ORDERS: Final = 8
"""Orders of the grid that are printed, the declared one and the best among them; the attached evidence has all of them."""
THEOREMS: Final = Named("deletion-theorem-")
"""What the number rests on, by the name that the check gives."""
SOURCES: Final = Named("deletion-source-")
"""Where the number of models seen comes from."""
_SETTINGS: Final = Named(
    "deletion-setting-",
    "loss",
    "clip",
    "loss_cap",
    "lipschitz",
    "smoothness",
    "l2",
    "sigma2",
    "rate",
    "learn_steps",
    "unlearn_steps",
    "rows",
    "parameters",
    "largest_batch",
    "steps_with_record",
)
_UTILITY: Final = Named(
    "deletion-utility-",
    "excess_risk_learned",
    "excess_risk_updated",
    "excess_risk_limit",
    "excess_risk_zero",
    "printed_order",
    "learn_steps_utility",
    "unlearn_steps_utility",
    "unlearn_steps_deletion",
    "gradients_saved",
    "share_saved",
    "kappa",
)
_GAME: Final = Named(
    "deletion-game-",
    "requester",
    "own_guess",
    "seen",
    "rounds",
    "largest_request",
    "replaces",
    "games",
    "fitted",
    "advantage",
    "advantage_lower",
    "confidence",
    "epsilon_lower",
    "epsilon_by_advantage",
)


def theorem(found: Derived) -> str:
    """What the number rests on, in words."""
    return say("deletion-no-theorem") if found.theorem is None else THEOREMS[found.theorem]


def statement(premise: Premise) -> str:
    """A premise as a sentence where the catalogue of facts has one."""
    return STATEMENTS.get(premise.name, premise.name)


def premises(found: Sequence[Premise]) -> tuple[Premise, ...]:
    """The premises: the false ones first, then those that nobody could tell, then the others in the order of the document."""
    return tuple(sorted(found, key=lambda each: {False: 0, None: 1, True: 2}[each.holds]))


def is_void(found: Derived) -> bool:
    """Whether a premise was found false: then no theorem covers what ran, and no number is printed for it."""
    return any(each.holds is False for each in found.premises)


def heading(found: Derived) -> str:
    """The heading of the numbers."""
    if is_void(found) or found.theorem is None:
        return say("deletion-heading-checked")
    shown = say("deletion-heading-runs") if found.theorem == "twins" else say("deletion-heading-theorem")
    return say("deletion-heading-if", shown=shown)


def bounds(found: Derived) -> tuple[Entry, ...]:
    """What the numbers rest on, ε_dd and ε_dp at the declared order, and the best order; of numbers none where they are void."""
    if is_void(found):
        return (Entry(say("deletion-rests-on"), say("deletion-theorem-void", theorem=theorem(found)), is_number=False),)
    stated = say("deletion-at-order", order=wording.number(found.order))
    rows = [Entry(say("deletion-rests-on"), theorem(found), is_number=False)]
    if found.theorem is None:
        # Without a theorem a number of one of its parts has nobody to vouch for it.
        return tuple(rows)
    if found.epsilon_dd is not None:
        rows.append(Entry(say("deletion-epsilon-dd"), f"{numbers.at_most(found.epsilon_dd)}{stated}", is_number=False))
    if found.epsilon_dp is not None:
        rows.append(Entry(say("deletion-epsilon-dp"), f"{numbers.at_most(found.epsilon_dp)}{stated}", is_number=False))
    if (there := best(found)) is not None:
        order, bound = there
        at = next((row.epsilon_dd for row in found.orders if row.order == order), None)
        beside = "" if at is None else say("deletion-where-epsilon", epsilon=wording.number(at))
        rows.append(Entry(say("deletion-best-order"), f"q = {wording.number(order)}{beside}", is_number=False))
        rows.append(Entry(say("deletion-guesses-there"), _guesses(bound), is_number=False))
    return tuple(rows)


def fixing(found: Derived) -> str:
    """That there is no ε, and how to fix that; empty where there is one. Why there is none, the sentence above it says."""
    if found.epsilon_dd is not None and not is_void(found):
        return ""
    if found.mend is None:
        return say("deletion-none")
    return say("deletion-none-fix", fix=words.sentence(found.mend).removesuffix("."))


def best(found: Derived) -> tuple[float, float] | None:
    """The order of the grid with the smallest bound on the membership advantage, and that bound (Theorem 4.1)."""
    if found.membership is None or is_void(found):
        return None
    return found.membership.order, min(1.0, max(0.0, found.membership.bound))


def printed_orders(found: Derived) -> tuple[AtOrder, ...]:
    """At most `MOST_ORDERS` of the grid, ascending and spread over it, the declared and the best order always among them."""
    if is_void(found):
        return ()
    rows, there = sorted(found.orders, key=lambda row: row.order), best(found)
    named = [row for row in rows if row.order == found.order or (there is not None and row.order == there[0])]
    room = MOST_ORDERS - len(named)
    others = [row for row in rows if row not in named]
    if len(others) > room:
        others = [others[round(k * (len(others) - 1) / (room - 1))] for k in range(room)]
    return tuple(sorted({*named, *others}, key=lambda row: row.order))


def conversions(found: Derived) -> tuple[Conversion, ...]:
    """The (ε, δ) forms."""
    return () if is_void(found) else found.conversions


def batches(found: Derived) -> tuple[OfBatch, ...]:
    """What is promised to those who left in one batch, one by one and all together, in the order of the log."""
    return () if is_void(found) else found.batches


def settings(found: Derived) -> tuple[Entry, ...]:
    """The constants that the number comes from; those that the case leaves open are not listed."""
    return _named(dict(found.settings), _SETTINGS)


def noise(found: Derived) -> str:
    """What the noise test found and how small a deviation it would have found; a sentence too where it did not run."""
    held = found.noise
    if held is None:
        return say("deletion-noise-none")
    drawn = say("deletion-noise-draws", draws=wording.plural(held.count, "draw"))
    span = say("deletion-noise-span", low=wording.number(held.low), high=wording.number(held.high))
    said = say(
        "deletion-noise-found", measured=wording.number(held.measured), drawn=drawn, declared=wording.number(held.declared)
    )
    said += say("deletion-noise-lies", inside=held.low <= held.measured <= held.high, span=span)
    return said + say("deletion-noise-power", deviation=wording.percent(held.detects))


def steps(found: Derived) -> str:
    """The steps that were declared and those that were counted, of learning first and then of each update."""
    if found.steps is None:
        return say("deletion-steps-none")
    learning, unlearning = found.steps.declared
    said = say("deletion-steps-declared", learning=wording.number(learning), updating=wording.number(unlearning))
    counted = [each for each in found.steps.counted if each is not None]
    if not counted or len(counted) < len(found.steps.counted):
        return say("deletion-steps-unknown", said=said)
    updates = sorted(set(counted[1:]))
    if not updates:
        return say("deletion-steps-learning", said=said, steps=wording.number(counted[0]))
    ends = (
        wording.number(updates[0])
        if len(updates) == 1
        else say("deletion-steps-span", least=wording.number(updates[0]), most=wording.number(updates[-1]))
    )
    each = wording.plural(len(counted) - 1, "update")
    return say("deletion-steps-counted", said=said, learning=wording.number(counted[0]), ends=ends, each=each)


def gaussian(found: Derived) -> tuple[Entry, ...]:
    """The Gaussian trade-off; empty where it was not derived."""
    held = found.gaussian
    if held is None or is_void(found):
        return ()
    rows = [Entry(say("deletion-gaussian-mu"), wording.number(held.mu), is_number=True)]
    if held.epsilon is not None:
        rows.append(Entry(say("deletion-gaussian-epsilon"), wording.number(held.epsilon), is_number=True))
    rows.append(Entry(say("deletion-gaussian-guesses"), _guesses(held.advantage), is_number=False))
    return tuple(rows)


def gaussian_role(found: Derived) -> str:
    """Whether the trade-off decides or is given for comparison only."""
    return say("deletion-gaussian-decides" if found.theorem in TRADEOFFS else "deletion-gaussian-compares")


def cost(found: Derived) -> tuple[Entry, ...]:
    """What unlearning saved, compared with retraining from scratch, as counted and as timed."""
    held = found.cost
    rows = [
        Entry(name, wording.number(value), is_number=True)
        for name, value in (
            (say("deletion-cost-retraining"), held.gradients_learning),
            (say("deletion-cost-update"), held.gradients_unlearning),
        )
        if value is not None
    ]
    if (share := held.saved_share) is not None:
        saved = (
            say("deletion-cost-gradients", share=wording.percent(share))
            if share >= 0
            else say("deletion-cost-more-gradients", share=wording.percent(-share))
        )
        rows.append(Entry(say("deletion-cost-counted"), saved, is_number=False))
    retraining, update = held.seconds_retraining, held.seconds_unlearning
    if retraining > 0 and update:
        saved = (
            say("deletion-cost-time", share=wording.percent(1 - update / retraining))
            if update <= retraining
            else say("deletion-cost-no-time")
        )
        took = say("deletion-cost-seconds", update=wording.number(update), retraining=wording.number(retraining))
        rows.append(Entry(say("deletion-cost-timed"), f"{saved} ({took})", is_number=False))
    else:
        rows.append(Entry(say("deletion-cost-timed"), say("deletion-cost-not-timed"), is_number=False))
    return tuple(rows)


def utility(found: Derived) -> tuple[Entry, ...]:
    """The terms of Theorem 5.1 (3) on the excess risk; empty where they were not derived."""
    return () if is_void(found) or found.utility is None else _named(found.utility, _UTILITY)


def seen(found: Adaptive) -> str:
    """How many published models the worst request may depend on, and where that number is from."""
    return say("deletion-models-from", found=f"p = {wording.number(found.seen)}", source=SOURCES[found.source_of_seen])


def adaptive_bounds(found: Adaptive | Played) -> tuple[Entry, ...]:
    """What ε(p) is made of: the models seen, ε_dd, and ε_dp or the steps behind the models seen."""
    without = Entry("ε(p)", say("deletion-epsilon-p-none"), is_number=False)
    if isinstance(found, Played):
        return (Entry(say("deletion-models-worst"), say("common-not-known"), is_number=False), without)
    stated = say("deletion-at-order", order=wording.number(found.order))
    rows = [Entry(say("deletion-models-worst"), seen(found), is_number=False)]
    for name, value in (
        (say("deletion-steps-seen"), found.steps_seen),
        ("ε_dd", found.epsilon_dd),
        (say("deletion-epsilon-dp-seen"), found.epsilon_dp),
    ):
        if value is not None:
            rows.append(Entry(name, wording.number(value), is_number=True))
    if found.epsilon is None:
        return (*rows, without)
    rows.append(Entry(say("deletion-epsilon-p"), f"{numbers.at_most(found.epsilon)}{stated}", is_number=False))
    if found.records_per_person > 1:
        person = found.epsilon_person
        said = say("deletion-epsilon-p-unproved") if person is None else f"{numbers.at_most(person)}{stated}"
        records = wording.number(found.records_per_person)
        rows.append(Entry(say("deletion-epsilon-p-person", records=records), said, is_number=False))
    return tuple(rows)


def game(held: Game | None) -> tuple[Entry, ...]:
    """What the adaptive requester of the game reached; empty where no game was played."""
    if held is None:
        return ()
    rows = list(_named(dict(held), _GAME))
    for name, hits, trials in (
        (say("deletion-game-said-rightly"), held.hits, held.trials),
        (say("deletion-game-said-wrongly"), held.other_hits, held.other_trials),
    ):
        said = say("deletion-game-of-games", found=wording.number(hits), games=wording.number(trials))
        rows.append(Entry(name, said, is_number=False))
    return tuple(rows)


def _guesses(advantage: float) -> str:
    return say("deletion-guesses-at-most", most=guesses.at_most(guesses.of_advantage(advantage)))


def _named(held: Mapping[str, object], names: Mapping[str, str]) -> tuple[Entry, ...]:
    return tables.entries({name: held[key] for key, name in names.items() if held.get(key) is not None})
