"""The smaller tables on data deletion: what was declared, what the sandbox counted, what it cost, what is compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.report import deletion_readings, readings, tables, wording
from auditor.report.tables import Entry
from auditor.words import guesses

_SETTINGS: Final[Mapping[str, str]] = {
    "loss": "loss",
    "clip": "gradients clipped to",
    "loss_cap": "loss capped at",
    "lipschitz": "Lipschitz constant L",
    "smoothness": "smoothness β",
    "l2": "regularisation λ",
    "sigma2": "noise variance σ²",
    "rate": "step size η",
    "learn_steps": "learning steps",
    "unlearn_steps": "unlearning steps K",
    "rows": "records n, the fewest while a deleted one was there",
    "parameters": "parameters d",
    "largest_batch": "largest batch r",
    "steps_with_record": "most steps that a deleted record took part in",
}
_UTILITY: Final[Mapping[str, str]] = {
    "excess_risk_learned": "excess risk of the learned model, at most",
    "excess_risk_updated": "excess risk after any number of updates, at most",
    "excess_risk_limit": "excess risk in the limit of many steps, at most",
    "excess_risk_zero": "excess risk of a model of zeros, at most",
    "printed_order": "qd/(ε_dp n²) in the units of the loss, the order that (3) prints",
    "learn_steps_utility": "learning steps that (17) asks for",
    "unlearn_steps_utility": "unlearning steps that (17) asks for",
    "unlearn_steps_deletion": "unlearning steps that (16) asks for",
    "gradients_saved": "gradients saved by each update, n(K_A − K_U)",
    "share_saved": "share of the gradients saved, at least",
    "kappa": "κ = (λ + β)/λ",
}


_GAME: Final[Mapping[str, str]] = {
    "requester": "requester",
    "own_guess": "its own guess is what counts",
    "seen": "models that it saw",
    "rounds": "rounds of a game",
    "largest_request": "most records in one request",
    "replaces": "requests may replace records",
    "games": "games played",
    "fitted": "of these, the rule was fitted on",
    "advantage": "advantage measured",
    "advantage_lower": "advantage, lower confidence limit",
    "confidence": "confidence",
    "epsilon_lower": "Rényi ε that the counts show, at least",
    "epsilon_by_advantage": "Rényi ε by its advantage, at least",
}


def settings(details: Mapping[str, Any]) -> tuple[Entry, ...]:
    """The constants that the number comes from; those that the case leaves open are not listed."""
    return _named(details.get("settings"), _SETTINGS)


def noise(details: Mapping[str, Any]) -> str:
    """What the noise test found and how small a deviation it would have found; a sentence too where it did not run."""
    held = details.get("noise")
    measured = readings.finite(held.get("measured")) if isinstance(held, Mapping) else None
    if not isinstance(held, Mapping) or measured is None:
        return "The variance of the noise was not measured."
    declared, count = readings.finite(held.get("declared")), readings.count(held.get("count"))
    low, high, detects = (readings.finite(held.get(key)) for key in ("low", "high", "detects"))
    drawn = "" if count is None else f" over {wording.plural(count, 'draw')}"
    said = f"Variance of the noise in the steps that ran: {wording.number(measured)}{drawn}; declared {wording.number(declared)}."
    if low is not None and high is not None:
        verdict = "inside" if low <= measured <= high else "outside"
        span = f"{wording.number(low)} to {wording.number(high)}"
        said += f" It lies {verdict} {span}, where it would lie in all but one of a million honest runs."
    if detects is not None:
        said += f" The test would have found a deviation of {wording.percent(detects)} or more with 99\u00a0% probability."
    return said


def steps(details: Mapping[str, Any]) -> str:
    """The steps that were declared and those that were counted, of learning first and then of each update."""
    held = details.get("steps")
    declared = held.get("declared") if isinstance(held, Mapping) else None
    counted = held.get("counted") if isinstance(held, Mapping) else None
    if not (isinstance(declared, list | tuple) and len(declared) == 2 and isinstance(counted, list | tuple)):
        return "The steps were not counted."
    learning, unlearning = (readings.count(value) for value in declared)
    said = f"Declared are {wording.number(learning)} learning steps and {wording.number(unlearning)} for each update."
    found = [readings.count(value) for value in counted]
    if not found or None in found:
        return f"{said} How many ran is not known."
    updates = sorted({value for value in found[1:] if value is not None})
    if not updates:
        return f"{said} Counted were {wording.number(found[0])} for learning."
    ends = wording.number(updates[0]) if len(updates) == 1 else f"{wording.number(updates[0])} to {wording.number(updates[-1])}"
    each = wording.plural(len(found) - 1, "update")
    return f"{said} Counted were {wording.number(found[0])} for learning and {ends} in {each}."


def gaussian(details: Mapping[str, Any]) -> tuple[Entry, ...]:
    """The Gaussian trade-off; empty where it was not derived."""
    held = details.get("gaussian")
    if not isinstance(held, Mapping) or deletion_readings.is_void(details):
        return ()
    mu, epsilon, advantage = (readings.finite(held.get(key)) for key in ("mu", "epsilon", "advantage"))
    rows = []
    if mu is not None:
        rows.append(Entry("μ, standard deviations apart", wording.number(mu), is_number=True))
    if epsilon is not None:
        rows.append(Entry("qμ²/2, Rényi ε at the declared order", wording.number(epsilon), is_number=True))
    if advantage is not None:
        rows.append(
            Entry(
                "right guesses, by 2Φ(μ/2)\u00a0−\u00a01",
                f"at most {guesses.at_most(guesses.of_advantage(advantage))} of 100",
                is_number=False,
            )
        )
    return tuple(rows)


def gaussian_role(details: Mapping[str, Any]) -> str:
    """Whether the trade-off decides or is given for comparison only."""
    if readings.words(details.get("theorem")) == "gaussian":
        return (
            "The policy says use_gaussian_tradeoff = true, and the case leaves the published theorem aside: here the trade-off "
            "decides. Its proof is in the auditor's documentation and its simulation in the auditor's tests."
        )
    return (
        "The trade-off is given for comparison with the published theorem and does not decide. Its proof is in the auditor's "
        "documentation."
    )


def cost(details: Mapping[str, Any]) -> tuple[Entry, ...]:
    """What unlearning saved, compared with retraining from scratch, as counted and as timed; empty where neither is known."""
    held = details.get("cost")
    if not isinstance(held, Mapping):
        return ()
    rows = [
        Entry(name, wording.number(value), is_number=True)
        for name, key in (
            ("gradients of records, one retraining from scratch", "gradients_learning"),
            ("gradients of records, one update", "gradients_unlearning"),
        )
        if (value := readings.count(held.get(key))) is not None
    ]
    share = readings.finite(held.get("saved_share"))
    if share is not None:
        words = f"{wording.percent(share)} of the gradients" if share >= 0 else f"none: {wording.percent(-share)} more gradients"
        rows.append(Entry("saved, as counted", words, is_number=False))
    retraining, update = (readings.positive(held.get(key)) for key in ("seconds_retraining", "seconds_unlearning"))
    if retraining is not None and update is not None:
        words = (
            f"{wording.percent(1 - update / retraining)} of the time" if update <= retraining else "none: the update took longer"
        )
        took = f"{wording.number(update)} s against {wording.number(retraining)} s"
        rows.append(Entry("saved, as timed", f"{words} ({took})", is_number=False))
    else:
        rows.append(Entry("saved, as timed", "not timed in this run", is_number=False))
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
        ("said “it was there”, where it was", "hits", "trials"),
        ("said “it was there”, where it was not", "other_hits", "other_trials"),
    ):
        found, of = readings.count(held.get(hits)), readings.count(held.get(trials))
        if found is not None and of is not None:
            rows.append(Entry(name, f"{wording.number(found)} of {wording.number(of)} games", is_number=False))
    return tuple(rows)


def chains(details: Mapping[str, Any]) -> str:
    """What was simulated to contradict an ε of data deletion, or why nothing was; empty where the document does not say."""
    held = details.get("chains")
    if not isinstance(held, Mapping):
        return ""
    reason, count = readings.words(held.get("reason")), readings.count(held.get("count"))
    if reason or not count:
        return f"Chains on worst-case neighbours were {reason or 'not run'}."
    fitted, confidence = readings.count(held.get("fitted")), readings.positive(held.get("confidence"))
    half = (
        "" if fitted is None else f"; on {wording.number(fitted)} of them the events were fixed, on the others they were counted"
    )
    trust = "" if confidence is None else f" All of them together have {wording.percent(confidence)} confidence."
    return (
        f"{wording.plural(count, 'chain')} of the declared settings ran in each world, on two data sets that differ in a record "
        f"chosen to be hard to forget{half}.{trust} They follow the declaration, not the code that ran."
    )


def _named(held: Any, names: Mapping[str, str]) -> tuple[Entry, ...]:
    if not isinstance(held, Mapping):
        return ()
    known = {name: held[key] for key, name in names.items() if held.get(key) is not None}
    return tables.entries(known)
