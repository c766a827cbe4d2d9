"""The noise of the rerun, recovered from its iterates, against the variance that is declared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from auditor.domain import Interval
from auditor.statistics import accepted_variance, detectable_deviation

SIGNIFICANCE: Final = 1e-6
"""How often an honest rerun is refused, two-sided; for each update by itself it is divided among them."""
POWER: Final = 0.99

_SHARES = 256
"""Parts of the accepted interval that a measured variance is rounded to: the noise is a secret, and its size tells of it."""

_accepted = cache(accepted_variance)


@dataclass(frozen=True, slots=True)
class Update:
    """The noise of learning, of one batch, or of all updates together."""

    number: int
    """0 for learning and for all together, else that of the batch."""
    measured: float
    """The mean of the squares of the numbers that were added, rounded to a part of the accepted interval."""
    count: int
    accepted: Interval

    @property
    def holds(self) -> bool:
        """Whether the declared variance is not refused."""
        return self.accepted.low <= self.measured <= self.accepted.high


@dataclass(frozen=True, slots=True)
class Noise:
    """The noise of all updates together, and of each."""

    declared: float
    whole: Update
    detects: float
    """The smallest relative deviation of the variance that the test of all updates together finds with probability `POWER`."""
    updates: tuple[Update, ...]

    @property
    def holds(self) -> bool:
        """Whether neither the whole nor any update refuses the declared variance."""
        return self.whole.holds and all(each.holds for each in self.updates)

    @property
    def found(self) -> str:
        """What was measured, in words."""
        words = (
            f"mean square {self.whole.measured:.6g} of {self.whole.count} numbers, declared {self.declared:g}; a variance off by "
            f"{100 * self.detects:.2g} % would be found with probability {100 * POWER:g} %"
        )
        bad = [each.number for each in self.updates if not each.holds]
        if not bad:
            return words
        return f"{words}; refused for {'learning' if bad[0] == 0 else f'batch {bad[0]}'}" + (
            f" and {len(bad) - 1} other updates" if len(bad) > 1 else ""
        )

    def details(self) -> dict[str, Any]:
        """As the evidence holds it."""
        return {
            "declared": self.declared,
            **_details(self.whole),
            "detects": self.detects,
            "significance": SIGNIFICANCE,
            "power": POWER,
            "updates": [_details(each) for each in self.updates],
        }


def measured(told: Sequence[Mapping[str, Any]], declared: float) -> Noise | None:
    """The noise that the rerun tells of; None where it does not tell, or added none at all.

    Args:
        told: What the procedure says after learning and after each batch; updates of no step are left out.
        declared: σ².
    """
    counts, means = [], []
    for facts in told:
        count, mean = facts.get("noise_count"), facts.get("noise_variance")
        if not isinstance(count, int | float) or not isinstance(mean, int | float) or count != int(count) or count < 0:
            return None
        counts.append(int(count))
        means.append(float(mean))
    total = sum(counts)
    if not total:
        return None
    each = SIGNIFICANCE / len(counts)
    updates = tuple(
        _update(number, mean, count, declared, significance=each)
        for number, (count, mean) in enumerate(zip(counts, means, strict=True))
        if count
    )
    pooled = sum(count * mean for count, mean in zip(counts, means, strict=True)) / total
    whole = _update(0, pooled, total, declared, significance=SIGNIFICANCE)
    return Noise(declared, whole, detectable_deviation(total, significance=SIGNIFICANCE, power=POWER), updates)


def _update(number: int, mean: float, count: int, declared: float, *, significance: float) -> Update:
    accepted = _accepted(declared, count, significance=significance)
    share = (accepted.high - accepted.low) / _SHARES
    rounded = declared + share * round((mean - declared) / share) if share else mean
    return Update(number, rounded, count, accepted)


def _details(update: Update) -> dict[str, Any]:
    return {"measured": update.measured, "count": update.count, "low": update.accepted.low, "high": update.accepted.high}
