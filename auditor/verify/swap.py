"""`swap.quality`, `swap.strong` and `swap.controls`: intervals from the pair advantages and counts that the evidence holds."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from auditor.decisions import decide_exactly, decide_swap_quality, decide_swap_strong
from auditor.domain import Check, Floats, Interval, Status
from auditor.draws import generator
from auditor.evidence import Evidence
from auditor.statistics import (
    PairedAdvantage,
    Quality,
    advantages,
    clopper_pearson,
    plug_in_quality,
    sign_flip_p,
    smallest_advantage,
)
from auditor.statistics import quality as quality_of
from auditor.verify.expectations import count, interval_of, not_run, number, setting, status_is, threshold_is
from auditor.verify.numbers import differs, same, shown

_DEVIATIONS: Final = 6
"""A p-value from drawn sign patterns may differ by so many standard errors where another generator draws them."""
_ROOT: Final = 1e-6
_FLIPS: Final = 20_000
_EXACT_UP_TO: Final = 14
_SIDES: Final = ("procedure", "do_nothing")


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """What the details of `swap.quality` hold of the game."""

    names: tuple[str, ...]
    """The attacks."""
    pairs: dict[str, Floats]
    """Signed pair advantages, shape (attacks, K), of the procedure and of doing nothing."""
    decisions: int
    """How many records an attack decided on."""
    forgotten: int
    trained: int
    """How many records each model was trained on before it unlearned; 0 where that is not told."""
    confidence: float
    models: int
    """How many models of each kind were played: two a pair, or a multiple of it."""

    def advantages(self, side: str, *, confidence: float, identical: bool) -> tuple[PairedAdvantage, ...]:
        """The advantage of each attack on one kind of model."""
        return advantages(self.pairs[side], confidence=confidence, decisions=self.decisions, identical=identical)


def game(evidence: Evidence) -> Game | None:
    """The game in the evidence; None where its pair advantages are missing or no such numbers."""
    check = next((each for each in evidence.checks if each.id == "swap.quality"), None)
    given = check.details.get("pair_advantages") if check is not None else None
    if check is None or not isinstance(given, dict):
        return None
    details = check.details
    size, models, forgotten = (count(details.get(name)) for name in ("pairs", "models", "forgotten"))
    confidence = number(details.get("confidence"))
    try:
        names = tuple(given["procedure"])
        pairs = {side: np.array([given[side][name] for name in names], dtype=np.float64) for side in _SIDES}
    except (KeyError, TypeError, ValueError):
        return None
    if not size or not models or not forgotten or confidence is None or not 0 < confidence < 1 or not names:
        return None
    shape = (len(names), size)
    if any(tuple(given[side]) != names or each.shape != shape or not (np.abs(each) <= 1).all() for side, each in pairs.items()):
        return None
    trained = (count(details.get("target_records")) or forgotten) - forgotten
    return Game(names, pairs, size * 2 * forgotten, forgotten, trained, confidence, 2 * size * models)


def quality(evidence: Evidence, check: Check) -> Iterator[str]:
    """`swap.quality`: its interval, the do-nothing control's and every attack's from the pair advantages."""
    if check.value is None:
        yield from _unplayed(evidence, check)
        return
    played = game(evidence)
    if played is None:
        yield "details.pair_advantages holds no advantages that an interval could be derived from"
        return
    yield from _sizes(evidence, check, played)
    yield from _attacks(check, played)
    yield from _retrained(check)
    yield from _beside(evidence, check, played)
    own, nothing = (_matching(check, played, side) for side in _SIDES)
    yield from differs("value", check.value, own.value, "its pair advantages give")
    yield from differs("interval", check.interval, (own.interval.low, own.interval.high), "its pair advantages give")
    idle = check.details.get("do_nothing")
    given = idle if isinstance(idle, dict) else {}
    yield from differs("details.do_nothing.quality", given.get("quality"), nothing.value, "its pair advantages give")
    ends = (nothing.interval.low, nothing.interval.high)
    yield from differs("details.do_nothing.interval", given.get("interval"), ends, "its pair advantages give")
    least = setting(evidence, "min_quality")
    yield from threshold_is(check, least, "the policy's min_quality")
    excess = yield from _excess(check, played)
    derived = decide_swap_quality(interval_of(check.interval), least, interval_of(given.get("interval")), excess)
    yield from status_is(check, Status.INCONCLUSIVE if evidence.audit.quick else derived)


def _excess(check: Check, played: Game) -> Generator[str, None, list[Interval] | None]:
    """For each attack, how much more it accepts after unlearning than after retraining; None where the pairs are missing."""
    given = check.details.get("pair_acceptances")
    own, retrained = (_shares(_part_of(given, kind), played) for kind in ("procedure", "retrained"))
    if own is None or retrained is None:
        yield "details.pair_acceptances holds no shares that an excess could be derived from"
        return None
    found = advantages(own - retrained, confidence=played.confidence, decisions=played.decisions, identical=False)
    for row, derived in zip(check.details.get("attacks", ()), found, strict=False):
        stated = _part_of(row, "excess")
        where = f"details.attacks.{row.get('name')}.excess"
        yield from differs(f"{where}.acceptance", stated.get("acceptance"), derived.mean, "the pair acceptances give")
        ends = (derived.interval.low, derived.interval.high)
        yield from differs(f"{where}.interval", stated.get("interval"), ends, "the pair acceptances give")
    most = max(range(len(found)), key=lambda at: found[at].interval.low)
    shown_of = _part_of(check.details, "excess")
    yield from differs("details.excess.attack", shown_of.get("attack"), played.names[most], "the largest lower limit is that of")
    yield from differs("details.excess.acceptance", shown_of.get("acceptance"), found[most].mean, "the pair acceptances give")
    return [each.interval for each in found]


def _shares(given: dict[str, Any], played: Game) -> Floats | None:
    """Shares in [0, 1], shape (attacks, K), in the order of the attacks."""
    try:
        found = np.array([given[name] for name in played.names], dtype=np.float64)
    except (KeyError, TypeError, ValueError):
        return None
    fits = set(given) == set(played.names) and found.shape == played.pairs["procedure"].shape
    return found if fits and bool(((found >= 0) & (found <= 1)).all()) else None


def _unplayed(evidence: Evidence, check: Check) -> Iterator[str]:
    if check.status is Status.SKIPPED:
        yield from not_run(check, excused=not evidence.case.classes, reason="the case is a classification")
    else:
        yield from status_is(check, Status.INCONCLUSIVE)


def _matching(check: Check, played: Game, side: str) -> Quality:
    """The quality of one side. Where no attack found anything, outputs that were equal bit for bit make it certain.

    Whether they were is not in the evidence, so in that case alone the certain interval is believed where it is stated.
    """
    stated = check.interval if side == "procedure" else (check.details.get("do_nothing") or {}).get("interval")
    silent = not played.pairs[side].any()
    certain = silent and same(stated, (1.0, 1.0))
    return quality_of(played.advantages(side, confidence=played.confidence, identical=certain))


def _sizes(evidence: Evidence, check: Check, played: Game) -> Iterator[str]:
    """The sizes of a split: half of the records are played with, and the policy's α of those that are learned is forgotten."""
    details, target = check.details, evidence.case.training_records // 2
    yield from differs("details.target_records", details.get("target_records"), target, "half of the training records are")
    alpha = number(details.get("alpha"))
    if alpha is None or not 0 < alpha < 1:
        yield f"details.alpha is {shown(alpha)}, which is no share"
        return
    forgotten = round(alpha * target / (1 + alpha))
    yield from differs("details.forgotten", played.forgotten, forgotten, "alpha and the target records give")
    yield from differs("details.retained", details.get("retained"), target - 2 * forgotten, "alpha and the target records give")


def _retrained(check: Check) -> Iterator[str]:
    """The quality of retraining with fresh seeds from its advantages, which are stated without their pairs."""
    found = []
    for row in check.details.get("attacks", ()):
        given = _part(row, "retrained")
        mean, ends = number(given.get("advantage")), interval_of(given.get("interval"))
        if mean is None or ends is None or not ends.low <= mean <= ends.high:
            yield f"details.attacks.{row.get('name')}.retrained holds no advantage inside an interval"
            return
        found.append(PairedAdvantage(mean, ends, 0.0))
    fresh, stated = quality_of(found), check.details.get("retrained_fresh") or {}
    yield from differs("details.retrained_fresh.quality", stated.get("quality"), fresh.value, "its attacks give")
    both = (fresh.interval.low, fresh.interval.high)
    yield from differs("details.retrained_fresh.interval", stated.get("interval"), both, "its attacks give")


def _attacks(check: Check, played: Game) -> Iterator[str]:
    """Each attack's advantage and interval, on the procedure and on doing nothing."""
    rows = check.details.get("attacks")
    if not isinstance(rows, list) or [row.get("name") for row in rows] != list(played.names):
        yield "details.attacks does not list the attacks of details.pair_advantages"
        return
    for side in _SIDES:
        certain = not played.pairs[side].any() and all(same(_part(row, side).get("interval"), (0.0, 0.0)) for row in rows)
        found = played.advantages(side, confidence=played.confidence, identical=certain)
        for row, derived in zip(rows, found, strict=True):
            given = _part(row, side)
            where = f"details.attacks.{row['name']}" + ("" if side == "procedure" else ".do_nothing")
            yield from differs(f"{where}.advantage", given.get("advantage"), derived.mean, "its pair advantages give")
            ends = (derived.interval.low, derived.interval.high)
            yield from differs(f"{where}.interval", given.get("interval"), ends, "its pair advantages give")


def _part(row: dict[str, Any], side: str) -> dict[str, Any]:
    return row if side == "procedure" else _part_of(row, side)


def _part_of(row: Any, name: str) -> dict[str, Any]:
    found = row.get(name) if isinstance(row, dict) else None
    return found if isinstance(found, dict) else {}


def _beside(evidence: Evidence, check: Check, played: Game) -> Iterator[str]:
    """What the report shows beside the quality: the attack that found most, plug-in, power and the exact test's p-value."""
    details, own = check.details, played.pairs["procedure"]
    found = played.advantages("procedure", confidence=played.confidence, identical=False)
    worst = max(range(len(found)), key=lambda at: abs(found[at].mean))
    yield from differs("details.attack", details.get("attack"), played.names[worst], "the largest advantage is that of")
    over = found[worst].interval.high < 0
    yield from differs("details.over_unlearned", details.get("over_unlearned"), over, "the largest advantage gives")
    areas = [number(row.get("auc")) for row in details.get("attacks", ())]
    largest = max((area for area in areas if area is not None), default=0.0)
    yield from differs("details.mia_score", details.get("mia_score"), 1.0 - largest, "the attacks' areas give")
    plug_in = plug_in_quality(own)
    yield from differs("details.plug_in_quality", details.get("plug_in_quality"), plug_in, "its pair advantages give")
    power = number(details.get("power"))
    if power is not None and 0 < power < 1:
        least = smallest_advantage(own, confidence=played.confidence, decisions=played.decisions, power=power)
        given = number(details.get("smallest_advantage"))
        # The root of an equation: found to more digits than these on every machine.
        near = given is not None and least is not None and math.isclose(given, least, rel_tol=_ROOT)
        if not near and (given, least) != (None, None):
            yield f"details.smallest_advantage is {shown(given)}, its pair advantages give {shown(least)}"
    seed = int(evidence.audit.seed) if evidence.audit.seed.isdecimal() else 0
    derived, stated = sign_flip_p(own, rng=generator(seed, "swap", "sign-flip")), number(details.get("sign_flip_p"))
    exact = own.shape[1] <= _EXACT_UP_TO
    spread = 0.0 if exact else _DEVIATIONS * math.sqrt(max(derived * (1 - derived), 1 / _FLIPS) / _FLIPS)
    if stated is None or abs(stated - derived) > spread + 1e-9:
        yield f"details.sign_flip_p is {shown(stated)}, its pair advantages give {shown(derived)}"


def strong(evidence: Evidence, check: Check) -> Iterator[str]:
    """`swap.strong`: the exact interval of a count, which decides only where the policy requires it."""
    if check.value is None:
        yield from not_run(check, excused=True, reason="")
        return
    named, models = count(check.details.get("named")), count(check.details.get("models"))
    confidence = number(check.details.get("confidence"))
    if named is None or not models or named > models or confidence is None or not 0 < confidence < 1:
        yield "details holds no count of models named right to derive it from"
        return
    played = game(evidence)
    if played is not None:
        yield from differs("details.models", models, played.models, "the pairs of swap.quality make")
        yield from differs("details.confidence", confidence, played.confidence, "swap.quality's is")
    yield from differs("value", check.value, named / models, "the count of models named right gives")
    yield from differs("details.advantage", check.details.get("advantage"), 2 * named / models - 1, "the count gives")
    exact = clopper_pearson(named, models, confidence=confidence)
    yield from differs("interval", check.interval, (exact.low, exact.high), "the count of models named right gives")
    for control in ("do_nothing", "retrained"):
        yield from _share(check, control, models, confidence)
    yield from threshold_is(check, 0.5, "chance")
    if "swap.strong" not in evidence.policy.required:
        yield from status_is(check, Status.SKIPPED)
    elif evidence.audit.quick:
        yield from status_is(check, Status.INCONCLUSIVE)
    else:
        idle = interval_of(_part_of(check.details, "do_nothing").get("interval"))
        yield from status_is(check, decide_swap_strong(interval_of(check.interval), idle))


def _share(check: Check, control: str, models: int, confidence: float) -> Iterator[str]:
    """A control's share, which must be a count over the models, and its interval."""
    given = check.details.get(control)
    share = number(given.get("share")) if isinstance(given, dict) else None
    named = None if share is None else count(round(share * models))
    if not isinstance(given, dict) or named is None or named > models or not same(share, named / models):
        yield f"details.{control}.share is no count over {models} models"
        return
    exact: Interval = clopper_pearson(named, models, confidence=confidence)
    yield from differs(f"details.{control}.interval", given.get("interval"), (exact.low, exact.high), "its share gives")


def controls(evidence: Evidence, check: Check) -> Iterator[str]:
    """`swap.controls`: exactly 1 where the outputs were equal; a learner whose outputs differ cannot be held to it."""
    if check.value is None:
        yield from _unplayed(evidence, check)
        return
    identical = check.details.get("identical")
    yield from differs("details.deterministic", check.details.get("deterministic"), identical, "details.identical is")
    test = next((each for each in evidence.checks if each.id == "swap.quality"), None)
    if test is not None and test.value is not None:
        beside = test.details.get("retrained")
        stated = beside.get("quality") if isinstance(beside, dict) else None
        yield from differs("value", check.value, stated, "swap.quality's details.retrained has it as")
        yield from differs("details.pairs", check.details.get("pairs"), test.details.get("pairs"), "swap.quality has")
    yield from threshold_is(check, 1.0, "the contract's")
    decided = identical is True and not evidence.audit.quick
    yield from status_is(check, decide_exactly(check.value, 1.0) if decided else Status.INCONCLUSIVE)
