"""`epsilon.consistency`: lower bounds on ε that the attacks of this run imply, against every ε that is claimed or certified.

A claim promises that the unlearned model is close to one that never saw F, all of F at once, so it limits how well any adversary
can tell F from T (Tu, Hu and Ma, Theorem 3.6, and the sharp and Gaussian ceilings that the rule `swap` derives). An adversary
that does better than the limit, by more than chance explains, refutes the claim.

Three tests may refute, each fixed beforehand and each with a third of the error: the attacks on single records, the adversary
that sees whole sets, and the joint guesses at one model's members.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from auditor.attacks import WHOLE_SET
from auditor.case import Case
from auditor.certificates import derive
from auditor.certificates.dp_sgd import KIND
from auditor.decisions import decide_at_most
from auditor.domain import Certificate, Check, Fact, How, Status
from auditor.guarantees import fact
from auditor.observing.comparing import Further
from auditor.observing.findings import TITLES, Findings, finite, skipped
from auditor.observing.swap import stated
from auditor.observing.swap.drawing import Game
from auditor.observing.swap.quality import decisions
from auditor.observing.swap.scoring import Attacked
from auditor.observing.swap.tradeoff import Reached, compare
from auditor.statistics import advantage_lower, named_sides_lower

TESTS = 3
_ROUNDING = 1e-12


def judge(
    case: Case, game: Game, *, unlearned: Attacked, learned: Attacked, null: Attacked, residual_bound: float | None, quick: bool
) -> Findings:
    """Hold every lower bound against every upper one.

    Args:
        case: The case, with its claims.
        game: What was drawn.
        unlearned: Attacks on the procedure's models.
        learned: Attacks on the models before unlearning, of which a claim of differential privacy speaks.
        null: Attacks on models retrained with fresh seeds, shown beside every bound.
        residual_bound: The largest certified bound on the residual over the game's removals, where there is one.
        quick: Whether the run was too small to decide.
    """
    alpha = (1 - case.settings.swap.confidence) / TESTS
    spent = stated.removal_certificate(case, game, residual_bound)
    training = stated.training_certificate(case, game)
    uppers = tuple(stated.uppers(case, game, unlearned, learned, spent, training))
    comparisons: list[dict[str, Any]] = []
    certificates = [each for each in (spent, training) if each is not None]
    gaps = []
    for upper in uppers:
        compared = upper.why_not is None and upper.epsilon is not None
        lower: list[dict[str, Any]] = []
        if compared and upper.epsilon is not None:
            certificates.append(derive("swap", {"epsilon": upper.epsilon, "delta": upper.delta}))
            for row, certificate in _lower(upper, game, null, alpha):
                lower.append(row)
                certificates.append(certificate)
            gaps.append(max(row["epsilon"] for row in lower if row["decides"]) - upper.epsilon)
        comparisons.append(
            {
                "against": upper.against,
                "source": upper.source,
                "claim": upper.claim,
                **({} if upper.rule is None else {"rule": upper.rule}),
                "epsilon": finite(upper.epsilon),
                "delta": upper.delta,
                "compared": compared,
                "why": upper.why_not,
                "refutable": _reach(upper, game, alpha) if compared else None,
                "lower": lower,
                "gap": gaps[-1] if compared else None,
            }
        )
    ceiling = compare(case, game, _reached(unlearned, game, alpha), confidence=1 - alpha)
    comparisons += ceiling.rows
    certificates += ceiling.certificates
    gaps += [row["gap"] for row in ceiling.rows if row["compared"]]
    details = {
        "confidence": case.settings.swap.confidence,
        "correction": f"Bonferroni over {TESTS} tests, each with an error of {alpha:.4g}",
        "comparisons": comparisons,
    }
    if not gaps:
        reason = "; ".join(f"{row['against']}: {row['why']}" for row in comparisons) or "no ε is claimed or certified"
        left = skipped("epsilon.consistency", f"There is no ε to hold the attacks' lower bounds against: {reason}.")
        return Findings((replace(left, details=details if comparisons else {}),), tuple(certificates))
    value = max(gaps)
    status = decide_at_most(value, 0.0)
    check = Check(
        id="epsilon.consistency",
        title=TITLES["epsilon.consistency"],
        status=Status.INCONCLUSIVE if quick else status,
        value=value,
        interval=None,
        threshold=0.0,
        basis=_basis(status, comparisons, quick=quick),
        details=details,
    )
    facts = () if quick else _facts(comparisons)
    return Findings((check,), tuple(certificates), facts)


def join(check: Check, further: Iterable[Further], *, quick: bool) -> Findings:
    """Judge the check by comparisons beyond those of the SWAP test too, and by them alone where that was not played.

    Args:
        check: As the SWAP test leaves it.
        further: Other lower bounds on ε, each against its statements.
        quick: Whether the run was too small to decide.

    Returns:
        The check in its place, with the certificates of what was joined, and whether data deletion was refuted; nothing where
        there was nothing to join.
    """
    found = tuple(further)
    joined = [row for each in found for row in each.rows]
    if not joined:
        return Findings(())
    comparisons = [*check.details.get("comparisons", ()), *joined]
    details = {**check.details, "comparisons": comparisons}
    for each in found:
        details |= each.details
    certificates = tuple(certificate for each in found for certificate in each.certificates)
    gaps = [row["gap"] for row in comparisons if row["compared"]]
    if not gaps:
        reason = "; ".join(f"{row['against']}: {row['why']}" for row in joined)
        return Findings(
            (replace(check, basis=f"{check.basis} {reason[:1].upper()}{reason[1:]}.", details=details),), certificates
        )
    value = max(gaps)
    status = decide_at_most(value, 0.0)
    judged = Check(
        id=check.id,
        title=check.title,
        status=Status.INCONCLUSIVE if quick else status,
        value=value,
        interval=None,
        threshold=0.0,
        basis=_basis(status, comparisons, quick=quick),
        details=details,
    )
    return Findings((judged,), certificates, () if quick else _deletion_facts(joined))


def _reached(attacked: Attacked, game: Game, alpha: float) -> Iterator[Reached]:
    """The limits on the advantage of both adversaries, each with the largest that this game could show."""
    single = advantage_lower(
        attacked.scored.advantages, alpha=alpha, decisions=decisions(game), identical=attacked.scored.identical
    )
    models = attacked.named.models
    most = named_sides_lower(models, models, alpha=alpha)
    yield Reached("swap", single, most)
    yield Reached("whole-set", named_sides_lower(attacked.named.right, models, alpha=alpha), most)


def _lower(upper: stated.Upper, game: Game, null: Attacked, alpha: float) -> Iterator[tuple[dict[str, Any], Certificate]]:
    """Each lower bound as a row of the report, with the certificate that derives it."""
    confidence = 1 - alpha
    single, single_null = (
        advantage_lower(each.scored.advantages, alpha=alpha, decisions=decisions(game), identical=each.scored.identical)
        for each in (upper.attacked, null)
    )
    whole, whole_null = (named_sides_lower(each.named.right, each.named.models, alpha=alpha) for each in (upper.attacked, null))
    for method, title, found, found_null in (
        ("swap", "the best attack on single records", single, single_null),
        ("whole-set", f"the adversary that sees whole sets ({WHOLE_SET.title})", whole, whole_null),
    ):
        certificate, beside = (_from_advantage(value, upper.delta) for value in (found, found_null))
        sharp = "gaussian_epsilon_lower" if upper.gaussian else "epsilon_lower"
        yield _row(method, title, certificate.outputs[sharp], beside.outputs[sharp], confidence), certificate
        if method == "swap":
            printed, printed_null = (each.outputs["paper_epsilon_lower"] for each in (certificate, beside))
            words = "the best attack on single records, by the paper's own ceiling"
            yield _row("swap-paper", words, printed, printed_null, confidence, decides=False), certificate
    if upper.joint and alpha > upper.delta:
        # Where no couple was told apart, one guess that was wrong: a bound of 0.
        certificate, beside = (
            derive("one-run", {"guesses": max(1, each.guesses), "correct": each.right, "alpha": alpha, "delta": upper.delta})
            for each in (upper.attacked.guessed, null.guessed)
        )
        words = "a joint guess at the members of one model"
        yield (
            _row("one-run", words, certificate.outputs["epsilon_lower"], beside.outputs["epsilon_lower"], confidence),
            certificate,
        )


def _reach(upper: stated.Upper, game: Game, alpha: float) -> float:
    """The largest ε that this run could have refuted: with every model's side named and every member guessed right."""
    models = upper.attacked.named.models
    named = _from_advantage(named_sides_lower(models, models, alpha=alpha), upper.delta)
    reached = [named.outputs["gaussian_epsilon_lower" if upper.gaussian else "epsilon_lower"]]
    if upper.joint and alpha > upper.delta:
        given = {"guesses": game.forgotten, "correct": game.forgotten, "alpha": alpha, "delta": upper.delta}
        reached.append(derive("one-run", given).outputs["epsilon_lower"])
    return max(float(value) for value in reached if value is not None)


def _from_advantage(advantage: float, delta: float) -> Certificate:
    # Up by a rounding error, and never 0: a quality that is too high makes the bound on ε too low, which refutes nothing by
    # mistake, while no finite bound can be read off a quality of 0.
    return derive("swap", {"quality": min(1.0, max(_ROUNDING, (1.0 - advantage) * (1 + _ROUNDING))), "delta": delta})


def _row(
    method: str, title: str, found: float | None, found_null: float | None, confidence: float, *, decides: bool = True
) -> dict[str, Any]:
    return {
        "method": method,
        "title": title,
        "epsilon": found,
        "confidence": confidence,
        "null": found_null,
        "decides": decides,
    }


def _basis(status: Status, comparisons: list[dict[str, Any]], *, quick: bool) -> str:
    rows = [row for row in comparisons if row["compared"]]
    words = f"Lower bounds on ε from this run's attacks against {_count(len(rows))}; the largest of lower minus upper."
    if quick:
        return words + " A quick run draws too few pairs to decide anything: run without --quick."
    if status is Status.FAIL:
        return words + " A lower bound lies above: what was claimed or certified is refuted."
    words += " None lies above."
    beyond = [row for row in rows if row["epsilon"] >= row["refutable"]]
    for row in beyond:
        words += (
            f" That says little of ε = {row['epsilon']:.4g}: no outcome of this run could have refuted more than "
            f"ε = {row['refutable']:.4g}."
        )
    return words


def _count(compared: int) -> str:
    return "one claimed or certified ε" if compared == 1 else f"{compared} claimed or certified values of ε"


def _facts(comparisons: list[dict[str, Any]]) -> tuple[Fact, ...]:
    """Whether certified removal, the noise of private training and data deletion stand against this run's attacks."""
    return (*_removal_facts(comparisons), *_training_facts(comparisons), *_deletion_facts(comparisons))


def _deletion_facts(comparisons: list[dict[str, Any]]) -> tuple[Fact, ...]:
    """Whether a lower bound contradicts what is claimed or certified of data deletion: all rows of further tests speak of it."""
    if any(row.get("test") is not None and row["gap"] is not None and row["gap"] > 0 for row in comparisons):
        evidence = "epsilon.consistency: a lower bound on the Rényi ε lies above"
        return (fact("deletion-unrefuted", How.REFUTED, evidence),)
    return ()


def _training_facts(comparisons: list[dict[str, Any]]) -> tuple[Fact, ...]:
    if any(row["compared"] and row.get("rule") == KIND and row["gap"] > 0 for row in comparisons):
        return (fact("dp-per-subject", How.REFUTED, "epsilon.consistency: a lower bound on ε lies above that of the noise"),)
    return ()


def _removal_facts(comparisons: list[dict[str, Any]]) -> tuple[Fact, ...]:
    speaking = [row for row in comparisons if row["compared"] and "certified removal" in row["against"]]
    if not speaking:
        return ()
    refuted = any(row["gap"] > 0 for row in speaking)
    if refuted:
        return (fact("unrefuted", How.REFUTED, "epsilon.consistency: a lower bound on ε lies above"),)
    if all(row["epsilon"] >= row["refutable"] for row in speaking):
        return ()  # nothing could have come out otherwise, so nothing was learned
    return (fact("unrefuted", How.MEASURED, "epsilon.consistency"),)
