"""`epsilon.consistency`: every bound from below and from above in its certificate, and the gap between them.

What the attacks show is derived from the pair advantages and counts that `swap.quality` and `swap.strong` hold; which
statements had to be compared, from claims and procedure. A row that was left out could hide a refutation, so rows are counted
too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from auditor.certificates import derive
from auditor.certificates.dp_sgd import KIND
from auditor.decisions import decide_at_most
from auditor.domain import Certificate, Check, Status
from auditor.evidence import Evidence
from auditor.statistics import advantage_lower, named_sides_lower
from auditor.verify import comparisons, privacy
from auditor.verify.expectations import count, left_out, number, status_is, threshold_is
from auditor.verify.numbers import differs, same, shown
from auditor.verify.removal import USE
from auditor.verify.swap import Game, game

TESTS: Final = 3
"""How many tests share the error: attacks on single records, the adversary that sees whole sets, joint guesses."""
_SINGLE, _PRINTED, _WHOLE, _JOINT = "swap", "swap-paper", "whole-set", "one-run"
_MOST_GROUP_DELTA: Final = 0.5
_NAMES_ONE_SIDE: Final = 0.25


def consistency(evidence: Evidence, check: Check) -> Iterator[str]:
    """`epsilon.consistency`: the gaps of its comparisons, and each comparison from its certificates."""
    listed = check.details.get("comparisons", ())
    rows = list(listed) if isinstance(listed, list | tuple) else []
    played = game(evidence)
    yield from _complete(evidence, [row for row in rows if not comparisons.is_one(row)], played)
    yield from comparisons.complete(evidence, check, [row for row in rows if comparisons.is_one(row)], played)
    gaps = []
    for row in rows:
        if row.get("compared"):
            if comparisons.is_one(row):
                yield from comparisons.compared(evidence, check, row, _reached(evidence, check, played))
            else:
                yield from _compared(evidence, check, row)
            decisive = [number(lower.get("epsilon")) for lower in row["lower"] if lower.get("decides")]
            shown_lower, upper = [value for value in decisive if value is not None], number(row.get("epsilon"))
            if shown_lower and upper is not None:
                gaps.append(max(shown_lower) - upper)
                yield from differs(f'gap of "{row["against"]}"', row.get("gap"), gaps[-1], "its bounds give")
    if not gaps:
        yield from differs("value", check.value, None, "without a comparison it is")
        yield from status_is(check, Status.SKIPPED)
        return
    yield from differs("value", check.value, max(gaps), "the largest gap is")
    yield from threshold_is(check, 0.0, "the contract's")
    yield from status_is(check, Status.INCONCLUSIVE if evidence.audit.quick else decide_at_most(check.value, 0.0))


def _reached(evidence: Evidence, check: Check, played: Game | None) -> dict[str, float | None]:
    """The limits on the advantage of both adversaries of the game, against models of the procedure."""
    confidence = number(check.details.get("confidence"))
    if played is None or confidence is None or not 0 < confidence < 1:
        return {}
    alpha = (1 - confidence) / TESTS
    single = advantage_lower(played.pairs["procedure"], alpha=alpha, decisions=played.decisions)
    return {_SINGLE: single, _WHOLE: _whole_set(evidence, "procedure", alpha)}


def _complete(evidence: Evidence, rows: list[Any], played: Game | None) -> Iterator[str]:
    """Whether every statement about ε that the case makes has its row, compared where it has to be."""
    if played is None:
        # No game, no bound: nothing had to be compared.
        if rows and not left_out(evidence, "swap.quality"):
            yield "details.comparisons holds bounds, and there was no game to derive them from"
        return
    claims = evidence.policy.claims
    found = [row.get("claim") for row in rows if row.get("source") == "claim"]
    if sorted(map(str, found)) != sorted(claims):
        yield f"details.comparisons speaks of the claims {shown(found)}, the case makes {shown(sorted(claims))}"
    noise = [row for row in rows if row.get("source") == "certificate" and row.get("rule") == KIND]
    own = [row for row in rows if row.get("source") == "certificate" and row.get("rule") != KIND]
    yield from _own_trainings(evidence, noise, played)
    if len(own) != _bounds_own_removals(evidence):
        yield "details.comparisons does not hold the bounds of the game's own removals once"
    certified = number(own[0].get("epsilon")) if own else None
    if own and not _spent(evidence, own[0]):
        yield f'"{own[0].get("against")}": no certificate at the declared noise spends its ε'
    for row in rows:
        claim = row.get("claim")
        if row in noise:
            continue
        expected = _must_compare(evidence, str(claim), certified, played) if claim in claims else row.get("epsilon") is not None
        if bool(row.get("compared")) != expected:
            yield f'"{row.get("against")}": compared is {row.get("compared")}, claims and procedure make it {expected}'
        if claim in claims:
            yield from _stated(row, str(claim), claims[str(claim)], played)


def _bounds_own_removals(evidence: Evidence) -> bool:
    """Whether the game's removals are our own Newton steps, each with a certified bound on what it leaves."""
    declared, claim = evidence.procedure.settings, evidence.policy.claims.get("certified_removal")
    deltas = [claim.get("delta") if isinstance(claim, dict) else None, declared.get("delta")]
    newton = evidence.procedure.use == USE and evidence.procedure.unlearn == "newton"
    return newton and not declared.get("retrain_at_budget") and any(deltas)


def _spent(evidence: Evidence, row: dict[str, Any]) -> bool:
    """Whether the ε of the game's own removals is what a residual spends of a budget at the declared noise."""
    declared, delta = evidence.procedure.settings, row.get("delta")
    if number(declared.get("release_noise")):
        kind, inputs = "output-noise", {name: declared.get(name) for name in ("l2", "release_noise")}
        inputs |= {"residual": declared.get("residual_budget"), "delta": delta}
    elif _is_gaussian(evidence):
        kind, inputs = "removal-budget", {"sigma": declared.get("sigma"), "delta": delta}
    else:
        kind, inputs = "removal-budget-laplace", {"sigma": declared.get("sigma")}
    return _certified(evidence, kind, inputs, {"epsilon_spent": row.get("epsilon")})


def _must_compare(evidence: Evidence, claim: str, certified: float | None, played: Game) -> bool:
    match claim:
        case "certified_removal":
            newton = evidence.procedure.use == USE and evidence.procedure.unlearn == "newton"
            # The log's removals are fewer than the game's: where the bounds promise less for those, the claim says nothing.
            return not newton or (certified is not None and certified <= evidence.policy.claims[claim]["epsilon"])
        case "dp":
            stated = evidence.policy.claims[claim]
            training = _training(evidence, played)
            if privacy.declared(evidence) is not None and (
                training is None or training.epsilon is None or training.epsilon > stated["epsilon"]
            ):
                return False
            group = _group(stated, played)
            return group[0] is not None and group[1] is not None and group[1] < _MOST_GROUP_DELTA
        case _:
            return False


def _training(evidence: Evidence, played: Game) -> Certificate | None:
    """What the noise of the game's own trainings is worth, at the claimed δ."""
    noise, claim = privacy.declared(evidence), evidence.policy.claims.get("dp")
    if noise is None:
        return None
    claimed = number(claim.get("delta")) if isinstance(claim, dict) else None
    return privacy.certificate(evidence, played.trained, claimed or number(noise.get("delta")))


def _own_trainings(evidence: Evidence, rows: list[dict[str, Any]], played: Game) -> Iterator[str]:
    """Where training is private: one row for the game's own trainings, with the ε of its certificate for all at once."""
    if len(rows) != (privacy.declared(evidence) is not None):
        yield "details.comparisons does not hold the noise of the game's own trainings once"
        return
    for row in rows:
        where, training = f'"{row.get("against")}"', _training(evidence, played)
        if training is None:
            yield f"{where}: no certificate {KIND} has the game's trainings as inputs"
            continue
        epsilon, delta = (
            (None, None)
            if training.epsilon is None
            else _group({"epsilon": training.epsilon, "delta": training.inputs["delta"]}, played)
        )
        yield from differs(f"ε of {where}", row.get("epsilon"), epsilon, f"certificate {KIND} gives")
        yield from differs(f"δ of {where}", row.get("delta"), 1.0 if delta is None else delta, f"certificate {KIND} gives")
        expected = epsilon is not None and delta is not None and delta < _MOST_GROUP_DELTA
        if bool(row.get("compared")) != expected:
            yield f"{where}: compared is {row.get('compared')}, its certificate makes it {expected}"


def _of_training(row: dict[str, Any]) -> bool:
    """Whether a row speaks of the model before unlearning, of all that is forgotten through a group bound."""
    return row.get("claim") == "dp" or row.get("rule") == KIND


def _group(claim: Mapping[str, Any], played: Game) -> tuple[float | None, float | None]:
    """(ε, δ) of a claim for one person, for as many people as the game forgets."""
    given = {"epsilon": claim["epsilon"], "delta": claim["delta"], "size": played.forgotten}
    outputs = derive("group", given).outputs
    return outputs["epsilon"], outputs["delta"]


def _stated(row: dict[str, Any], claim: str, stated: dict[str, Any], played: Game) -> Iterator[str]:
    """ε and δ of a row against the claim."""
    epsilon, delta = number(stated.get("epsilon")), number(stated.get("delta"))
    if claim == "dp":
        epsilon, group_delta = _group(stated, played)
        delta = 1.0 if group_delta is None else group_delta
    elif claim == "data_deletion":
        delta = 0.0
    yield from differs(f'ε of "{row.get("against")}"', row.get("epsilon"), epsilon, "the claim has it as")
    yield from differs(f'δ of "{row.get("against")}"', row.get("delta"), delta, "the claim has it as")


def _compared(evidence: Evidence, check: Check, row: dict[str, Any]) -> Iterator[str]:
    """One comparison: its upper end in a certificate, and every lower end."""
    delta, where = number(row.get("delta")), f'"{row["against"]}"'
    played = game(evidence)
    confidence = number(check.details.get("confidence"))
    if delta is None or confidence is None or not 0 < confidence < 1:
        yield f"{where}: no δ or no confidence to derive its bounds at"
        return
    if played is not None:
        yield from differs("details.confidence", confidence, played.confidence, "swap.quality's is")
    alpha = (1 - confidence) / TESTS
    if not _certified(evidence, "swap", {"epsilon": row.get("epsilon"), "delta": delta}):
        yield f"{where}: no certificate swap has its ε and δ as inputs"
    # A group bound is none for all of F at once, so joint guesses say nothing against it.
    joint = not _of_training(row) and alpha > delta
    expected = [_SINGLE, _PRINTED, _WHOLE, *((_JOINT,) if joint else ())]
    lower = {str(each.get("method")): each for each in row["lower"]}
    if sorted(lower) != sorted(expected) or len(row["lower"]) != len(expected):
        yield f"{where}: lower bounds by {', '.join(sorted(lower)) or 'none'}, expected by {', '.join(expected)}"
        return
    for method, each in lower.items():
        yield from differs(f"{where}: {method} decides", each.get("decides"), method != _PRINTED, "the contract has it as")
        yield from differs(f"{where}: confidence of {method}", each.get("confidence"), 1 - alpha, "three tests share")
    yield from _from_qualities(evidence, row, lower, played, alpha)
    if joint:
        given = {"alpha": alpha, "delta": delta}
        if not _certified(evidence, _JOINT, given, {"epsilon_lower": lower[_JOINT].get("epsilon")}):
            yield f"{where}: no certificate one-run derives the lower bound {shown(lower[_JOINT].get('epsilon'))}"


def _from_qualities(
    evidence: Evidence, row: dict[str, Any], lower: dict[str, Any], played: Game | None, alpha: float
) -> Iterator[str]:
    """The bounds that come from a quality: derived again from the advantages, and held against their certificates."""
    where, delta = f'"{row["against"]}"', row["delta"]
    side = "do_nothing" if _of_training(row) else "procedure"
    # Equal outputs leave a limit of 0 either way, where every advantage is 0.
    single = None if played is None else advantage_lower(played.pairs[side], alpha=alpha, decisions=played.decisions)
    whole = _whole_set(evidence, side, alpha)
    sharp = "gaussian_epsilon_lower" if row.get("source") == "certificate" and _is_gaussian(evidence) else "epsilon_lower"
    for method, advantage, output, source in (
        (_SINGLE, single, sharp, "swap.quality"),
        (_PRINTED, single, "paper_epsilon_lower", "swap.quality"),
        (_WHOLE, whole, sharp, "swap.strong"),
    ):
        stated = lower[method].get("epsilon")
        if advantage is None and not left_out(evidence, source):
            yield f"{where}: {source} holds nothing to derive the lower bound by {method} from"
        quality = {} if advantage is None else {"quality": 1.0 - advantage}
        if not _certified(evidence, "swap", {**quality, "delta": delta}, {output: stated}):
            found = "" if advantage is None else f" from an advantage of {shown(advantage)}, which {source} gives"
            yield f"{where}: {method}: no certificate swap derives the lower bound {shown(stated)}{found}"


def _is_gaussian(evidence: Evidence) -> bool:
    """Whether the bound of the game's own removals speaks of a Gaussian shift."""
    declared = evidence.procedure.settings
    return declared.get("perturbation") == "gaussian" or bool(number(declared.get("release_noise")))


def _whole_set(evidence: Evidence, side: str, alpha: float) -> float | None:
    """The limit on the advantage of the adversary that sees whole sets."""
    check = next((each for each in evidence.checks if each.id == "swap.strong"), None)
    models = None if check is None else count(check.details.get("models"))
    if check is None or not models or not 0 < alpha <= _NAMES_ONE_SIDE:
        return None
    if side == "procedure":
        named = count(check.details.get("named"))
    else:
        share = number(check.details[side]["share"])
        named = None if share is None else round(share * models)
    return None if named is None or named > models else named_sides_lower(named, models, alpha=alpha)


def _certified(evidence: Evidence, kind: str, inputs: dict[str, Any], outputs: dict[str, Any] | None = None) -> bool:
    """Whether a certificate of that kind has these inputs and outputs, and no more than these inputs where it is a swap."""
    return any(
        all(same(certificate.inputs.get(name), value) for name, value in inputs.items())
        and all(same(certificate.outputs.get(name), value) for name, value in (outputs or {}).items())
        for certificate in evidence.certificates
        if certificate.kind == kind
    )
