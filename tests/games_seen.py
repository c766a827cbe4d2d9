"""Golden evidence with deletion games in it: what their pages, letters and remedies are tried on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from auditor.attacks.deletion import adversaries
from auditor.document.evidence import Evidence
from auditor.recheck.derivations import derive_again
from sample_cases import golden

GAMES = 200
LOG = {
    "records": 12,
    "decoys": 19,
    "first": 6,
    "tied": 0,
    "tied_won": 0,
    "expected": 0.6,
    "games": 9,
    "ahead": 8,
    "ties": 0,
    "ties_won": 0,
}
PRIVATE = {"epsilon": 1.0, "delta": 1e-5, "right": 900, "own_right": 1900, "records": 2000}


def tally(attack: str, variant: str = "two", view: str = "scores", *, wins: int = 100, ties: int = 0) -> dict[str, Any]:
    """One attack in one game."""
    return {
        "attack": attack,
        "variant": variant,
        "view": view,
        "games": GAMES,
        "wins": wins,
        "ties": ties,
        "ties_won": ties // 2,
    }


def observed(knowing: str = "example", *, right: int = 180, remedied: int = 100, varied: int = 150) -> dict[str, Any]:
    """Games of which the named attack wins so many, and every other one half; the same under each remedy but rounding."""
    names = [each.name for each in adversaries(knowing, classes=True)]
    tallies = [tally(name, wins=right if number == 0 else 100) for number, name in enumerate(names)]
    tallies += [tally(names[0], variant, wins=varied) for variant in ("one", "hidden", "chosen")]
    tallies += [tally(name, view="labels", wins=remedied) for name in names]
    tallies += [tally(name, view="rounded", wins=right) for name in names]
    tallies += [tally(name, variant, wins=remedied) for name in names for variant in ("several-20", "waiting", "private")]
    return {"games": GAMES, "trained": 108, "shadow_models": 16, "tallies": tallies, "private": PRIVATE}


def with_games(
    name: str = "digits-mlp-retrain",
    *,
    example: dict[str, Any] | None = None,
    instance: dict[str, Any] | None = None,
    label: dict[str, Any] | None = None,
    picked: tuple[str, ...] | None = None,
    required: bool = True,
    attested: tuple[str, ...] = (),
    **policy: Any,
) -> Evidence:
    """A sample whose games were played, as this version judges it.

    Args:
        name: Of the sample.
        example: What `inference.example` observed; `observed()` where left out.
        instance: The same of `inference.instance`.
        label: What `reconstruction.label` observed; no game where left out.
        picked: Requests that the attack on the log picked out; None where the log was not attacked.
        required: Whether both checks decide.
        attested: Further statements of the controller.
        policy: Further keys of [policy].
    """
    kept = golden(name)
    games = {"inference.example": example or observed(), "inference.instance": instance or observed("instance")}
    # Whoever sees both models may try to rebuild records as well.
    games |= {"reconstruction.label": label or {"unplayable": "few-records"}}
    if picked is not None:
        games["inference.example"] |= {"log": LOG | {"picked": {"request_ids": picked}, "not_tried": {}}}
    settings = {**kept.policy.settings, "before_and_after": True, **policy}
    listed = (*kept.policy.listed, *((each for each in games if each.startswith("inference")) if required else ()))
    said = tuple(replace(kept.policy.attested[0], name=each) for each in attested)
    rules = kept.policy.model_copy(update={"settings": settings, "listed": listed, "attested": (*kept.policy.attested, *said)})
    checks = tuple(replace(each, observed=games[each.id]) if each.id in games else each for each in kept.checks)
    sizes = kept.sizes.model_copy(update={"inference": kept.sizes.inference.model_copy(update={"games": GAMES})})
    return derive_again(kept.model_copy(update={"policy": rules, "checks": checks, "sizes": sizes}))


def check(evidence: Evidence, check_id: str = "inference.example") -> Any:
    """One check of it."""
    return next(each for each in evidence.checks if each.id == check_id)


def codes(evidence: Evidence, check_id: str = "inference.example") -> list[str]:
    """Why a check came out as it did."""
    return [each.code for each in check(evidence, check_id).reasons]
