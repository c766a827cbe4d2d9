"""What the SWAP test found, read from the details of `swap.quality`: attack by attack, together with both controls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from auditor.report import readings, tables
from auditor.report.readings import Estimate
from auditor.words.texts import say
from auditor.words.told import ToldCheck

SHOWN_ELSEWHERE: Final = (
    *("attack", "attacks", "do_nothing", "retrained", "retrained_fresh", "plug_in_quality", "mia_score"),
    *("ic_score", "ic_score_retrained", "ic_why", "sign_flip_p", "over_unlearned", "smallest_advantage", "power"),
    "pair_advantages",
    "pair_acceptances",
    "excess",
)
"""Details of `swap.quality` that have a place of their own in print."""


OF_ONE_RUN: Final = (
    *("canaries", "guesses", "share", "share_interval", "do_nothing", "retrained_fresh", "noticed", "over_unlearned"),
    *("one_run", "reference_models", "batches", "weighted"),
)
"""The same of a single run, which has nothing that only pairs have."""


def single(check: ToldCheck) -> bool:
    """Whether a single run was played, and no pairs."""
    return readings.count(check.details.get("guesses")) is not None


@dataclass(frozen=True, slots=True)
class AttackRow:
    """One attack: signed advantages (share of deleted records taken for training data minus that of the test set)."""

    name: str
    title: str
    source: str
    auc: float | None
    procedure: Estimate
    do_nothing: Estimate
    """Of the no-unlearning baseline: models that unlearned other records instead."""
    retrained: Estimate
    """Of retraining with fresh seeds: what chance alone gives."""

    @property
    def told_apart(self) -> bool:
        """Whether the interval of the procedure's advantage leaves 0 out."""
        return self.procedure.ends is not None and not self.procedure.ends[0] <= 0 <= self.procedure.ends[1]


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure that is printed next to Q."""

    name: str
    found: Estimate
    meaning: str


@dataclass(frozen=True, slots=True)
class Qualities:
    """Q = 1 − max over attacks of |mean advantage| of the procedure and of what it is compared with."""

    procedure: Estimate
    do_nothing: Estimate
    retrained_fresh: Estimate
    """Retraining with seeds of its own on either side of a pair."""
    retrained: Estimate
    """Retraining with the same seeds on both sides: 1 unless something is wrong."""


def quality_of(advantage: Estimate) -> Estimate:
    """Q of one attack: 1 − |advantage|; of [l, u], from 1 − max(|l|, |u|) to 1 − max(0, l, −u), never below 0."""
    value = None if advantage.value is None else max(0.0, 1 - abs(advantage.value))
    if advantage.ends is None:
        return Estimate(value, None)
    low, high = advantage.ends
    return Estimate(value, (max(0.0, 1 - max(abs(low), abs(high))), max(0.0, 1 - max(0.0, low, -high))))


def attacks(details: Mapping[str, Any]) -> tuple[AttackRow, ...]:
    """The attacks, the one with the lowest Q first; those without an advantage last."""
    rows = [
        AttackRow(
            name=readings.words(entry.get("name")),
            title=_title(entry),
            source=readings.words(entry.get("source")),
            auc=readings.finite(entry.get("auc")),
            procedure=readings.estimate(entry, "advantage"),
            do_nothing=readings.estimate(entry.get("do_nothing"), "advantage"),
            retrained=readings.estimate(entry.get("retrained"), "advantage"),
        )
        for entry in tables.records(details.get("attacks"))
    ]
    return tuple(sorted(rows, key=lambda row: 1.0 if row.procedure.value is None else -abs(row.procedure.value)))


def qualities(check: ToldCheck) -> Qualities:
    """Q over all attacks, of the procedure and its controls."""
    details = check.details
    return Qualities(
        procedure=Estimate(readings.finite(check.value), readings.ends(check.interval)),
        do_nothing=readings.estimate(details.get("do_nothing"), "quality"),
        retrained_fresh=readings.estimate(details.get("retrained_fresh"), "quality"),
        retrained=readings.estimate(details.get("retrained"), "quality"),
    )


def measures(check: ToldCheck) -> tuple[Measure, ...]:
    """Q, both controls, and the measures that other papers print, as far as the document holds them."""
    details, found = check.details, qualities(check)
    why = readings.words(details.get("ic_why"))
    rows = (
        Measure(say("swap-measure-q"), found.procedure, say("swap-measure-q-means")),
        Measure(
            say("swap-measure-baseline"),
            found.do_nothing,
            say("swap-measure-before-means" if single(check) else "swap-measure-baseline-means"),
        ),
        Measure(say("swap-measure-fresh"), found.retrained_fresh, say("swap-measure-fresh-means")),
        Measure(say("swap-measure-same"), found.retrained, say("swap-measure-same-means")),
        Measure(
            say("swap-measure-excess"),
            readings.estimate(details.get("excess"), "acceptance"),
            say("swap-measure-excess-means"),
        ),
        Measure(say("swap-measure-plug-in"), _bare(details, "plug_in_quality"), say("swap-measure-plug-in-means")),
        Measure(say("swap-measure-signs"), _bare(details, "sign_flip_p"), say("swap-measure-signs-means")),
        Measure(say("swap-measure-mia"), _bare(details, "mia_score"), say("swap-measure-mia-means")),
        Measure(say("swap-measure-ic"), _bare(details, "ic_score"), say("swap-measure-ic-means")),
        Measure(say("swap-measure-ic-retrained"), _bare(details, "ic_score_retrained"), say("swap-measure-ic-retrained-means")),
    )
    held = [row for row in rows if row.found.value is not None]
    if why and readings.finite(details.get("ic_score")) is None:
        held.append(Measure(say("swap-measure-ic"), readings.NOTHING, say("swap-measure-ic-none", why=why)))
    return tuple(held)


def named_sides(check: ToldCheck) -> tuple[tuple[str, Estimate], ...]:
    """Of `swap.strong`: the share named right, of the procedure and of both controls; empty where nothing was named."""
    if check.value is None:
        return ()
    found = (
        (say("swap-side-procedure"), Estimate(readings.finite(check.value), readings.ends(check.interval))),
        (
            say("swap-side-baseline"),
            readings.estimate(check.details.get("do_nothing"), "share"),
        ),
        (say("swap-side-retrained"), readings.estimate(check.details.get("retrained"), "share")),
    )
    return tuple((name, one) for name, one in found if one.value is not None)


def _title(entry: Mapping[str, Any]) -> str:
    title = readings.words(entry.get("title")) or readings.words(entry.get("name")) or say("swap-nameless-attack")
    return say("swap-blind-title", title=title) if entry.get("blind") is True else title


def _bare(details: Mapping[str, Any], key: str) -> Estimate:
    return Estimate(readings.finite(details.get(key)), None)
