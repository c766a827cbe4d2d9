"""The smaller tables on data deletion: what was declared, what the sandbox counted, what it cost, what is compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.report import deletion_readings, readings, tables, wording
from auditor.report.tables import Entry
from auditor.words import guesses
from auditor.words.texts import Named, say, text

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


def settings(details: Mapping[str, Any]) -> tuple[Entry, ...]:
    """The constants that the number comes from; those that the case leaves open are not listed."""
    return _named(details.get("settings"), _SETTINGS)


def noise(details: Mapping[str, Any]) -> str:
    """What the noise test found and how small a deviation it would have found; a sentence too where it did not run."""
    held = details.get("noise")
    measured = readings.finite(held.get("measured")) if isinstance(held, Mapping) else None
    if not isinstance(held, Mapping) or measured is None:
        return say("deletion-noise-none")
    declared, count = readings.finite(held.get("declared")), readings.count(held.get("count"))
    low, high, detects = (readings.finite(held.get(key)) for key in ("low", "high", "detects"))
    drawn = "" if count is None else say("deletion-noise-draws", draws=wording.plural(count, "draw"))
    said = say("deletion-noise-found", measured=wording.number(measured), drawn=drawn, declared=wording.number(declared))
    if low is not None and high is not None:
        span = say("deletion-noise-span", low=wording.number(low), high=wording.number(high))
        said += say("deletion-noise-lies", inside=low <= measured <= high, span=span)
    if detects is not None:
        said += say("deletion-noise-power", deviation=wording.percent(detects))
    return said


def steps(details: Mapping[str, Any]) -> str:
    """The steps that were declared and those that were counted, of learning first and then of each update."""
    held = details.get("steps")
    declared = held.get("declared") if isinstance(held, Mapping) else None
    counted = held.get("counted") if isinstance(held, Mapping) else None
    if not (isinstance(declared, list | tuple) and len(declared) == 2 and isinstance(counted, list | tuple)):
        return say("deletion-steps-none")
    learning, unlearning = (readings.count(value) for value in declared)
    said = say("deletion-steps-declared", learning=wording.number(learning), updating=wording.number(unlearning))
    found = [readings.count(value) for value in counted]
    if not found or None in found:
        return say("deletion-steps-unknown", said=said)
    updates = sorted({value for value in found[1:] if value is not None})
    if not updates:
        return say("deletion-steps-learning", said=said, steps=wording.number(found[0]))
    ends = (
        wording.number(updates[0])
        if len(updates) == 1
        else say("deletion-steps-span", least=wording.number(updates[0]), most=wording.number(updates[-1]))
    )
    each = wording.plural(len(found) - 1, "update")
    return say("deletion-steps-counted", said=said, learning=wording.number(found[0]), ends=ends, each=each)


def gaussian(details: Mapping[str, Any]) -> tuple[Entry, ...]:
    """The Gaussian trade-off; empty where it was not derived."""
    held = details.get("gaussian")
    if not isinstance(held, Mapping) or deletion_readings.is_void(details):
        return ()
    mu, epsilon, advantage = (readings.finite(held.get(key)) for key in ("mu", "epsilon", "advantage"))
    rows = []
    if mu is not None:
        rows.append(Entry(say("deletion-gaussian-mu"), wording.number(mu), is_number=True))
    if epsilon is not None:
        rows.append(Entry(say("deletion-gaussian-epsilon"), wording.number(epsilon), is_number=True))
    if advantage is not None:
        rows.append(
            Entry(
                say("deletion-gaussian-guesses"),
                say("deletion-guesses-at-most", most=guesses.at_most(guesses.of_advantage(advantage))),
                is_number=False,
            )
        )
    return tuple(rows)


def gaussian_role(details: Mapping[str, Any]) -> str:
    """Whether the trade-off decides or is given for comparison only."""
    if readings.words(details.get("theorem")) == "gaussian":
        return say("deletion-gaussian-decides")
    return say("deletion-gaussian-compares")


def cost(details: Mapping[str, Any]) -> tuple[Entry, ...]:
    """What unlearning saved, compared with retraining from scratch, as counted and as timed; empty where neither is known."""
    held = details.get("cost")
    if not isinstance(held, Mapping):
        return ()
    rows = [
        Entry(name, wording.number(value), is_number=True)
        for name, key in (
            (say("deletion-cost-retraining"), "gradients_learning"),
            (say("deletion-cost-update"), "gradients_unlearning"),
        )
        if (value := readings.count(held.get(key))) is not None
    ]
    share = readings.finite(held.get("saved_share"))
    if share is not None:
        words = (
            say("deletion-cost-gradients", share=wording.percent(share))
            if share >= 0
            else say("deletion-cost-more-gradients", share=wording.percent(-share))
        )
        rows.append(Entry(say("deletion-cost-counted"), words, is_number=False))
    retraining, update = (readings.positive(held.get(key)) for key in ("seconds_retraining", "seconds_unlearning"))
    if retraining is not None and update is not None:
        words = (
            say("deletion-cost-time", share=wording.percent(1 - update / retraining))
            if update <= retraining
            else say("deletion-cost-no-time")
        )
        took = say("deletion-cost-seconds", update=wording.number(update), retraining=wording.number(retraining))
        rows.append(Entry(say("deletion-cost-timed"), f"{words} ({took})", is_number=False))
    else:
        rows.append(Entry(say("deletion-cost-timed"), say("deletion-cost-not-timed"), is_number=False))
    return tuple(rows)


def utility(details: Mapping[str, Any]) -> tuple[Entry, ...]:
    """The terms of Theorem 5.1 (3) on the excess risk; empty where they were not derived."""
    return () if deletion_readings.is_void(details) else _named(details.get("utility"), _UTILITY)


def game(details: Mapping[str, Any]) -> tuple[Entry, ...]:
    """What the adaptive requester of the game reached; empty where no game was played."""
    held = details.get("game")
    if not isinstance(held, Mapping):
        return ()
    rows = list(_named(held, _GAME))
    for name, hits, trials in (
        (say("deletion-game-said-rightly"), "hits", "trials"),
        (say("deletion-game-said-wrongly"), "other_hits", "other_trials"),
    ):
        found, of = readings.count(held.get(hits)), readings.count(held.get(trials))
        if found is not None and of is not None:
            rows.append(
                Entry(name, say("deletion-game-of-games", found=wording.number(found), games=wording.number(of)), is_number=False)
            )
    return tuple(rows)


def chains(details: Mapping[str, Any]) -> str:
    """What was simulated to contradict an ε of data deletion, or why nothing was; empty where the document does not say."""
    held = details.get("chains")
    if not isinstance(held, Mapping):
        return ""
    reason, count = readings.words(held.get("reason")), readings.count(held.get("count"))
    if reason or not count:
        return say("deletion-chains-none", reason=reason or text("common-not-run"))
    fitted, confidence = readings.count(held.get("fitted")), readings.positive(held.get("confidence"))
    half = "" if fitted is None else say("deletion-chains-fitted", fitted=wording.number(fitted))
    trust = "" if confidence is None else say("deletion-chains-confidence", confidence=wording.percent(confidence))
    return say("deletion-chains", chains=wording.plural(count, "chain"), half=half, trust=trust)


def _named(held: Any, names: Mapping[str, str]) -> tuple[Entry, ...]:
    if not isinstance(held, Mapping):
        return ()
    known = {name: held[key] for key, name in names.items() if held.get(key) is not None}
    return tables.entries(known)
