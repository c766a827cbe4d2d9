"""`epsilon.consistency`, the comparisons that speak of data deletion: in Rényi ε, each from counts that the document holds.

Three kinds by the key `test`: the games of an adaptive requester, whose counts stand in `deletion.adaptive`; chains of noisy
gradient descent on worst-case neighbours; and the SWAP test's attacks against the trade-off of all that the game forgets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from auditor.certificates import derive, gaussian_lower, noisy_gd_convex, noisy_gd_gaussian, noisy_gd_nonconvex, renyi_lower
from auditor.certificates.adaptive import refuted_epsilon
from auditor.certificates.orders import gaussian_epsilon
from auditor.domain import Certificate, Check
from auditor.evidence import Evidence
from auditor.verify.expectations import count, left_out, number
from auditor.verify.numbers import differs, same, shown
from auditor.verify.swap import Game

REQUESTER, CHAINS, SWAP = "requester", "chains", "swap"
CLAIM: Final = "data_deletion"
_METHODS: Final = {
    REQUESTER: {"requester", "requester-advantage"},
    SWAP: {"swap", "whole-set"},
}
_CHAIN_TESTS: Final = 4
"""Counted events of the chains that share the error; the two membership tests have one part of it together."""
_OUTPUTS: Final = {
    "requester": "radius_lower",
    "two-records": "radius_lower",
    "two-sample": "epsilon_lower",
    "reencoding": "radius_lower",
}
"""What a bound is in the certificate of its counts."""


def is_one(row: Any) -> bool:
    """Whether a comparison is one of these."""
    return isinstance(row, Mapping) and row.get("test") in {REQUESTER, CHAINS, SWAP}


def complete(evidence: Evidence, check: Check, rows: list[Any], played: Game | None) -> Iterator[str]:
    """Whether every statement that had to be held against these tests has its row, with its ε."""
    by_test = {test: [row for row in rows if row["test"] == test] for test in (REQUESTER, CHAINS, SWAP)}
    noisy = evidence.procedure.use == "noisy-gd"
    linear = noisy and evidence.procedure.settings.get("loss") is not None
    claimed = isinstance(evidence.policy.claims.get(CLAIM), dict)
    if (requester_game(evidence) is not None) and (claimed or noisy) and not by_test[REQUESTER]:
        yield "details.comparisons leaves out what the games of deletion.adaptive show"
    if linear and not by_test[CHAINS] and isinstance(check.details.get("chains"), Mapping):
        yield "details.comparisons leaves out what chains on worst-case neighbours show"
    if linear and not isinstance(check.details.get("chains"), Mapping):
        yield "details.chains is missing: chains on worst-case neighbours had to be run"
    # With swap.quality left out nothing here says whether the game was played.
    if len(by_test[SWAP]) != (linear and played is not None) and not left_out(evidence, "swap.quality"):
        yield "details.comparisons does not hold the trade-off of what the game forgets once"
    for test in (REQUESTER, CHAINS):
        stated = [row for row in by_test[test] if row.get("source") == "claim"]
        if by_test[test] and len(stated) != claimed:
            yield f"details.comparisons by {test} does not speak of the claim of data deletion once"
    for row in rows:
        yield from _upper(evidence, row, played)


def requester_game(evidence: Evidence) -> Mapping[str, Any] | None:
    """The game of an adaptive requester, as `deletion.adaptive` holds it."""
    check = next((each for each in evidence.checks if each.id == "deletion.adaptive"), None)
    found = None if check is None else check.details.get("game")
    return found if isinstance(found, Mapping) else None


def _upper(evidence: Evidence, row: Mapping[str, Any], played: Game | None) -> Iterator[str]:
    """The ε from above: the claim's, or that of a certificate of the declared settings."""
    where, order = f'"{row.get("against")}"', number(row.get("order"))
    if order is None:
        yield f"{where}: no order"
        return
    if row.get("source") == "claim":
        claim = evidence.policy.claims.get(CLAIM)
        if not isinstance(claim, Mapping):
            yield f"{where}: the case claims no data deletion"
            return
        yield from differs(f"ε of {where}", row.get("epsilon"), claim.get("epsilon"), "the claim has it as")
        yield from differs(f"order of {where}", order, claim.get("q"), "the claim has it as")
        yield from _covered(evidence, row, claim, where)
        return
    if row.get("epsilon") is None:
        if row.get("compared"):
            yield f"{where}: compared, and there is no ε"
        return
    if not any(_certifies(evidence, each, row, order, played) for each in evidence.certificates):
        yield f"{where}: no certificate {row.get('rule')} of the declared settings gives ε = {shown(row.get('epsilon'))}"


def _covered(evidence: Evidence, row: Mapping[str, Any], claim: Mapping[str, Any], where: str) -> Iterator[str]:
    """Whether a claim that speaks of fewer models than a requester saw was left uncompared, and one of as many was not."""
    game = requester_game(evidence)
    if row.get("test") != REQUESTER or game is None:
        return
    covers = (count(game.get("seen")) or 0) <= (count(claim.get("adaptive")) or 0)
    # For noisy gradient descent the log's numbers of records count too, which stand in no document.
    if row.get("compared") and not covers:
        yield f"{where}: compared, although the requester saw more models than the claim speaks of"
    if not row.get("compared") and covers and evidence.procedure.use != "noisy-gd":
        yield f"{where}: not compared, although the claim speaks of as many models as the requester saw"


def _certifies(evidence: Evidence, certificate: Certificate, row: Mapping[str, Any], order: float, played: Game | None) -> bool:
    """Whether a certificate is one of the declared settings with the row's ε."""
    if certificate.kind != row.get("rule"):
        return False
    given, declared, epsilon = certificate.inputs, evidence.procedure.settings, row.get("epsilon")
    match certificate.kind:
        case noisy_gd_gaussian.KIND:
            mu = certificate.outputs.get("mu")
            steps = {"l2": declared.get("l2"), "sigma2": declared.get("sigma2"), "steps": declared.get("unlearn_steps")}
            fits = all(same(given.get(name), value) for name, value in steps.items())
            if row.get("test") == SWAP:
                known = played is not None or left_out(evidence, "swap.quality")
                fits = fits and known and (played is None or _of_game(given, played))
                fits = fits and same(given.get("learn_steps"), declared.get("learn_steps"))
            return fits and mu is not None and same(gaussian_epsilon(order, mu), epsilon)
        case noisy_gd_convex.KIND:
            names = {"l2": "l2", "sigma2": "sigma2", "steps": "unlearn_steps"}
        case noisy_gd_nonconvex.KIND:
            names = {"l2": "l2", "sigma2": "sigma2", "learn_steps": "learn_steps", "unlearn_steps": "unlearn_steps"}
        case "adaptive":
            return same(certificate.epsilon, epsilon) and _seen(evidence, row) in {None, given.get("seen")}
        case _:
            return False
    fits = all(same(given.get(name), declared.get(key)) for name, key in names.items()) and same(given.get("q"), order)
    return fits and same(certificate.outputs.get("epsilon_dd"), epsilon)


def _of_game(given: Mapping[str, Any], played: Game) -> bool:
    return (given.get("n"), given.get("size")) == (played.trained, played.forgotten)


def _seen(evidence: Evidence, row: Mapping[str, Any]) -> int | None:
    if row.get("test") != REQUESTER:
        return 1
    game = requester_game(evidence)
    return None if game is None else count(game.get("seen"))


def compared(evidence: Evidence, check: Check, row: Mapping[str, Any], reached: Mapping[str, float | None]) -> Iterator[str]:
    """Every bound from below of one comparison, from its counts.

    Args:
        evidence: The document.
        check: `epsilon.consistency`.
        row: A comparison that was made.
        reached: The limits on the advantage of the SWAP test's adversaries, derived again; None where there is nothing to derive
            one from.
    """
    where, test, order = f'"{row["against"]}"', str(row["test"]), number(row.get("order"))
    lower = {str(each.get("method")): each for each in row["lower"]}
    expected = _METHODS.get(test) or _of_chains(evidence, row)
    if set(lower) != expected or len(row["lower"]) != len(expected):
        yield f"{where}: lower bounds by {', '.join(sorted(lower)) or 'none'}, expected by {', '.join(sorted(expected))}"
        return
    if order is None:
        return
    for method, each in lower.items():
        yield from differs(f"{where}: {method} decides", each.get("decides"), True, "the contract has it as")
        confidence, epsilon = number(each.get("confidence")), number(each.get("epsilon"))
        if confidence is None or epsilon is None:
            yield f"{where}: {method} has no confidence or no ε"
            continue
        yield from _lower(evidence, check, row, method, order, confidence, epsilon, reached)


def _of_chains(evidence: Evidence, row: Mapping[str, Any]) -> set[str]:
    """The bounds that a statement is held against."""
    methods = {"two-records"} | ({"two-sample"} if row.get("source") == "certificate" else set())
    claim = evidence.policy.claims.get(CLAIM)
    claimed = isinstance(claim, Mapping) and bool(claim.get("adaptive"))
    adaptive = row.get("rule") == "adaptive" if row.get("source") == "certificate" else claimed
    return methods | ({"reencoding", "membership-tests"} if adaptive else set())


def _lower(
    evidence: Evidence,
    check: Check,
    row: Mapping[str, Any],
    method: str,
    order: float,
    confidence: float,
    epsilon: float,
    reached: Mapping[str, float | None],
) -> Iterator[str]:
    where = f'"{row["against"]}": {method}'
    match row["test"]:
        case "requester":
            game = requester_game(evidence)
            given: dict[str, Any] = {"confidence": confidence}
            if game is not None or not left_out(evidence, "deletion.adaptive"):
                names = ("hits", "trials", "other_hits", "other_trials", "confidence")
                given = {name: (game or {}).get(name) for name in names}
                yield from differs(f"{where}: confidence", confidence, given["confidence"], "the games' is")
            yield from _of_counts(evidence, where, method, order, given, epsilon)
        case "swap":
            advantage = reached.get(method)
            if advantage is None and not left_out(evidence, "swap.quality" if method == "swap" else "swap.strong"):
                yield f"{where}: swap.quality and swap.strong hold nothing to derive it from"
                return
            told = {} if advantage is None else {"advantage": min(gaussian_lower.MOST, max(0.0, advantage))}
            inputs = {"q": order, **told}
            if not _certified(evidence, gaussian_lower.KIND, inputs, {"epsilon_lower": epsilon}):
                kind, found = gaussian_lower.KIND, shown(advantage)
                yield f"{where}: no certificate {kind} derives {shown(epsilon)} from an advantage of {found}"
        case _:
            yield from _by_chains(evidence, check, where, method, order, confidence, epsilon)


def _by_chains(
    evidence: Evidence, check: Check, where: str, method: str, order: float, confidence: float, epsilon: float
) -> Iterator[str]:
    chains = check.details.get("chains")
    total = number(chains.get("confidence")) if isinstance(chains, Mapping) else None
    ran = count(chains.get("count")) if isinstance(chains, Mapping) else None
    if total is None or not ran or not isinstance(chains, Mapping):
        yield f"{where}: details.chains tells of no chains"
        return
    share = (1 - total) / _CHAIN_TESTS
    yield from differs(f"{where}: confidence", confidence, 1 - share, f"{_CHAIN_TESTS} tests share")
    counting = ran - (count(chains.get("fitted")) or 0)
    given = {"trials": counting, "other_trials": counting, "confidence": 1 - share}
    if method != "membership-tests":
        yield from _of_counts(evidence, where, method, order, given, epsilon)
        return
    halved = given | {"q": order, "confidence": 1 - share / 2}
    advantages = [
        number(each.outputs.get("advantage"))
        for each in evidence.certificates
        if each.kind == renyi_lower.KIND and all(same(each.inputs.get(name), value) for name, value in halved.items())
    ]
    if len(advantages) != 2 or None in advantages:
        yield f"{where}: expected the certificates of two membership tests, found {len(advantages)}"
        return
    smaller = min(each for each in advantages if each is not None)
    if not _certified(evidence, "refutation", {"q": order, "advantage": smaller}, {"epsilon_lower": epsilon}):
        yield f"{where}: no certificate refutation derives {shown(epsilon)} from an advantage of {shown(smaller)}"


def _of_counts(
    evidence: Evidence, where: str, method: str, order: float, given: Mapping[str, Any], epsilon: float
) -> Iterator[str]:
    """A bound from the certificate of its counts, or, by Theorem 4.1, from the advantage in it."""
    inputs = {"q": order, **given}
    if method in _OUTPUTS:
        if not _certified(evidence, renyi_lower.KIND, inputs, {_OUTPUTS[method]: epsilon}):
            yield f"{where}: no certificate {renyi_lower.KIND} of its counts derives {shown(epsilon)}"
        return
    found = next((each for each in evidence.certificates if each.kind == renyi_lower.KIND and _has(each, inputs)), None)
    advantage = None if found is None else number(found.outputs.get("advantage"))
    if advantage is None or not same(epsilon, refuted_epsilon(order, math.sqrt(advantage))):
        yield f"{where}: Theorem 4.1 does not give {shown(epsilon)} for the advantage of its counts"
    if epsilon > 0 and advantage is not None:
        bound = derive("advantage", {"q": order, "epsilon": epsilon}).outputs["bound"]
        if bound > advantage:
            yield f"{where}: at ε = {shown(epsilon)} Theorem 4.1 allows an advantage of {shown(bound)}, above what was reached"


def _certified(evidence: Evidence, kind: str, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> bool:
    return any(
        each.kind == kind and _has(each, inputs) and all(same(each.outputs.get(name), value) for name, value in outputs.items())
        for each in evidence.certificates
    )


def _has(certificate: Certificate, inputs: Mapping[str, Any]) -> bool:
    return all(same(certificate.inputs.get(name), value) for name, value in inputs.items())
