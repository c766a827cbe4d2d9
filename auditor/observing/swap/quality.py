"""`swap.quality`, `swap.strong` and `swap.controls`: what the scores of a game mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from auditor.attacks import attacks as every_attack
from auditor.case import Case
from auditor.decisions import decide_exactly, decide_swap_quality, decide_swap_strong, looks_trained_on
from auditor.domain import Check, Interval, Status
from auditor.draws import generator
from auditor.observing.findings import TITLES
from auditor.observing.swap.confusion import Confusion
from auditor.observing.swap.drawing import Game, sizes
from auditor.observing.swap.scoring import Adversaries, Named, Scored
from auditor.settings.tables import SwapTable
from auditor.statistics import (
    PairedAdvantage,
    Quality,
    advantages,
    clopper_pearson,
    plug_in_quality,
    quality,
    sign_flip_p,
    smallest_advantage,
)

POWER = 0.8


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """A game's scores for the procedure and for its controls."""

    procedure: Scored
    do_nothing: Scored
    retrained: Scored
    """With equal seeds in s and s'."""
    fresh: Scored
    """Retraining with fresh seeds: the null."""
    named: Named
    named_do_nothing: Named
    named_fresh: Named
    confusion: Confusion | None


def decisions(game: Game) -> int:
    """K · 2|F|: how many records an attack decided on, each once as forgotten and once as unseen."""
    return len(game.pairs) * 2 * game.forgotten


def judge_quality(case: Case, game: Game, adversaries: Adversaries, results: Results, *, seed: int, quick: bool) -> Check:
    """`swap.quality`, with everything that the report shows of the test."""
    settings, threshold = case.settings.swap, case.settings.policy.min_quality
    confidence = settings.confidence
    found = {
        name: _advantages(scored, game, confidence)
        for name, scored in (
            ("procedure", results.procedure),
            ("do_nothing", results.do_nothing),
            ("fresh", results.fresh),
        )
    }
    own, nothing, null = (quality(each) for each in found.values())
    excess = _excess(results, game, confidence)
    status = decide_swap_quality(own.interval, threshold, nothing.interval, [each.interval for each in excess])
    names = list(adversaries.attacks)
    worst = max(range(len(names)), key=lambda at: abs(found["procedure"][at].mean))
    accepted = max(range(len(names)), key=lambda at: excess[at].interval.low)
    details: dict[str, Any] = {
        "pairs": len(game.pairs),
        "models": settings.models,
        "alpha": settings.alpha,
        "target_records": len(game.target),
        "retained": sizes(len(game.target), settings.alpha)[0],
        "forgotten": game.forgotten,
        "reference_models": len(game.references),
        "confidence": confidence,
        "correction": f"Bonferroni over {len(names)} attacks",
        "attack": names[worst],
        "attacks": _per_attack(adversaries, results, found, excess),
        "do_nothing": {"quality": nothing.value, "interval": _ends(nothing.interval)},
        "retrained": {"quality": _quality_of(results.retrained, game, confidence).value},
        "retrained_fresh": {"quality": null.value, "interval": _ends(null.interval)},
        "excess": {"attack": names[accepted], **_acceptance(excess[accepted])},
        "plug_in_quality": plug_in_quality(results.procedure.advantages),
        "mia_score": 1.0 - float(results.procedure.areas.max()),
        "ic_score": results.confusion.unlearned if results.confusion else None,
        "ic_score_retrained": results.confusion.retrained if results.confusion else None,
        "ic_why": None if results.confusion else "no two classes have enough records",
        "sign_flip_p": sign_flip_p(results.procedure.advantages, rng=generator(seed, "swap", "sign-flip")),
        "over_unlearned": found["procedure"][worst].interval.high < 0,
        "smallest_advantage": smallest_advantage(
            results.procedure.advantages, confidence=confidence, decisions=decisions(game), power=POWER
        ),
        "power": POWER,
        "weighted": case.train.sensitivity is not None,
        "pair_advantages": {
            name: dict(zip(names, scored.advantages.tolist(), strict=True))
            for name, scored in (("procedure", results.procedure), ("do_nothing", results.do_nothing))
        },
        "pair_acceptances": {
            name: dict(zip(names, scored.accepted.tolist(), strict=True))
            for name, scored in (("procedure", results.procedure), ("retrained", results.fresh))
        },
    }
    return Check(
        id="swap.quality",
        title=TITLES["swap.quality"],
        status=Status.INCONCLUSIVE if quick else status,
        value=own.value,
        interval=_ends(own.interval),
        threshold=threshold,
        basis=_basis(own, nothing, threshold, len(game.pairs), tuple(names), names[worst], confidence, status, quick=quick)
        + _trained_on(names[accepted], excess[accepted], threshold),
        details=details,
    )


def judge_controls(case: Case, game: Game, results: Results, *, quick: bool) -> Check:
    """`swap.controls`: retraining under common random numbers, which must come out at exactly 1."""
    value = _quality_of(results.retrained, game, case.settings.swap.confidence).value
    identical = results.retrained.identical
    status = decide_exactly(value, 1.0)
    basis = (
        f"Each of {len(game.pairs)} pairs was retrained on R twice with equal seeds. "
        f"The outputs were {'equal bit for bit' if identical else 'not equal'}."
    )
    if not identical:
        # Retraining looks at R and the seed alone. What differs here is the learner's own doing, and no mark of unlearning.
        status = Status.INCONCLUSIVE
        basis += " The learner is not deterministic given its seed, so this control cannot hold the test to account."
    return Check(
        id="swap.controls",
        title=TITLES["swap.controls"],
        status=Status.INCONCLUSIVE if quick else status,
        value=value,
        interval=None,
        threshold=1.0,
        basis=basis + (_QUICK if quick else ""),
        details={"identical": identical, "deterministic": identical, "pairs": len(game.pairs)},
    )


def judge_strong(case: Case, results: Results, *, quick: bool) -> Check:
    """`swap.strong`: the adversary that sums log-likelihood ratios over all of F and all of T."""
    confidence = case.settings.swap.confidence
    share, interval = _share(results.named, confidence)
    required = "swap.strong" in (case.settings.policy.required or ())
    status = decide_swap_strong(interval, _share(results.named_do_nothing, confidence)[1])
    if quick and required:
        status = Status.INCONCLUSIVE
    basis = (
        f"An adversary that sees both sets named the forgotten one for {results.named.right} of {results.named.models} models. "
        "The exact interval speaks of the splits that were drawn."
    )
    if not required:
        basis += " Informative: the policy does not require it."
    elif quick:
        basis += _QUICK
    elif status is Status.INCONCLUSIVE:
        basis += " So few models would not show even doing nothing for certain: the test cannot tell good from bad."
    return Check(
        id="swap.strong",
        title=TITLES["swap.strong"],
        status=status if required else Status.SKIPPED,
        value=share,
        interval=_ends(interval),
        threshold=0.5,
        basis=basis,
        details={
            "named": results.named.right,
            "models": results.named.models,
            "ties": results.named.ties,
            "advantage": 2 * share - 1,
            "confidence": confidence,
            "do_nothing": _share_details(results.named_do_nothing, confidence),
            "retrained": _share_details(results.named_fresh, confidence),
        },
    )


_QUICK = " A quick run draws too few pairs to decide anything: run without --quick."


def _basis(
    own: Quality,
    nothing: Quality,
    threshold: float,
    pairs: int,
    attacks: tuple[str, ...],
    attack: str,
    confidence: float,
    status: Status,
    *,
    quick: bool,
) -> str:
    words = (
        f"{pairs} swap pairs; the attack that found most was {attack}. "
        f"Intervals of {100 * confidence:g} % over pairs, Bonferroni over attacks. "
        f"Doing nothing has Q between {nothing.interval.low:.3f} and {nothing.interval.high:.3f}."
    )
    weakened = _weakened(attacks, confidence)
    if weakened:
        words += f" The case chose a weaker test than the default: {weakened}."
    if quick:
        return words + _QUICK
    if status is not Status.INCONCLUSIVE:
        return words
    if own.interval.low >= threshold:
        blind = " That is not wholly below the threshold: on this model the test cannot tell good from bad."
        return words + blind if nothing.interval.high >= threshold else words
    return words + " The procedure's own interval lies on both sides of the threshold: more pairs would narrow it."


def _trained_on(attack: str, excess: PairedAdvantage, threshold: float) -> str:
    """What is to be said where F and T both look trained on: then their likeness says nothing."""
    if not looks_trained_on(excess.interval, threshold):
        return ""
    low, mean, high = (100 * value for value in (excess.interval.low, excess.mean, excess.interval.high))
    return (
        f" After unlearning, {attack} takes forgotten and unseen records for trained-on ones more often than after retraining, "
        f"by {mean:.1f} points [{low:.1f}, {high:.1f}]. The two may look alike because the models know both."
    )


def _weakened(chosen: tuple[str, ...], confidence: float) -> str:
    """In what the audited party's own file asks for less than the default would."""
    left = [name for name in every_attack() if name not in chosen]
    said = [f"without {', '.join(left)}"] if left else []
    if confidence < SwapTable().confidence:
        said.append(f"with a confidence of {100 * confidence:g} %")
    return " and ".join(said)


def _per_attack(
    adversaries: Adversaries,
    results: Results,
    found: dict[str, tuple[PairedAdvantage, ...]],
    excess: tuple[PairedAdvantage, ...],
) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "title": attack.title,
            "source": attack.source,
            **_advantage(found["procedure"][at]),
            "auc": float(results.procedure.areas[at]),
            "do_nothing": _advantage(found["do_nothing"][at]),
            "retrained": _advantage(found["fresh"][at]),
            "excess": _acceptance(excess[at]),
        }
        for at, (name, attack) in enumerate(adversaries.attacks.items())
    ]


def _advantage(found: PairedAdvantage) -> dict[str, Any]:
    return {"advantage": found.mean, "interval": _ends(found.interval)}


def _acceptance(excess: PairedAdvantage) -> dict[str, Any]:
    return {"acceptance": excess.mean, "interval": _ends(excess.interval)}


def _advantages(scored: Scored, game: Game, confidence: float) -> tuple[PairedAdvantage, ...]:
    return advantages(scored.advantages, confidence=confidence, decisions=decisions(game), identical=scored.identical)


def _excess(results: Results, game: Game, confidence: float) -> tuple[PairedAdvantage, ...]:
    """For each attack, how much more of F and T it accepts after unlearning than after retraining with fresh seeds.

    A procedure that "unlearns" to a model of everything, T included, makes F and T alike, and would pass a test that looks at
    their difference alone. Retraining has seen neither, so what its models have accepted of them is the measure.
    """
    difference = results.procedure.accepted - results.fresh.accepted
    return advantages(difference, confidence=confidence, decisions=decisions(game), identical=False)


def _quality_of(scored: Scored, game: Game, confidence: float) -> Quality:
    return quality(_advantages(scored, game, confidence))


def _share(named: Named, confidence: float) -> tuple[float, Interval]:
    return named.right / named.models, clopper_pearson(named.right, named.models, confidence=confidence)


def _share_details(named: Named, confidence: float) -> dict[str, Any]:
    share, interval = _share(named, confidence)
    return {"share": share, "interval": _ends(interval)}


def _ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high
