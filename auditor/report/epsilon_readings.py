"""What `epsilon.consistency` compared: stated upper bounds on ε and the lower bounds that attacks showed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from auditor.checks.epsilon_consistency.power import tested
from auditor.report import readings, tables, wording
from auditor.words import numbers
from auditor.words.texts import Named, say

_LABELS: Final = Named("epsilon-label-")
"""Short titles of methods whose own are too long for a line of the figure."""


@dataclass(frozen=True, slots=True)
class Lower:
    """A lower bound on ε that an attack showed."""

    title: str
    label: str
    """The title where there is little room."""
    epsilon: float
    confidence: float | None
    null: float | None
    """The same bound, computed for retraining against retraining."""
    decides: bool
    """Whether this bound may refute the statement; the others are given for comparison."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One stated upper bound on ε and what it was compared with."""

    against: str
    source: str
    epsilon: float | None
    delta: float | None
    order: float | None
    """The Rényi order that every ε here is stated at; None for (ε, δ). Numbers of different orders are never compared."""
    is_renyi: bool
    """Whether the ε bounds a Rényi divergence, be its order known or not."""
    why: str
    """Why it was compared with nothing; empty where it was: then there are an upper bound and a lower bound."""
    noticed: float | None
    """The ε from which on it would have been refuted with a probability of four in five; None where none would have been."""
    lowers: tuple[Lower, ...]

    @property
    def compared(self) -> bool:
        """Whether a lower bound was compared with the stated upper bound."""
        return not self.why

    @property
    def tested(self) -> bool:
        """Whether an ε near the stated one would have been noticed."""
        return self.compared and tested(self.epsilon, self.noticed)

    @property
    def worst(self) -> Lower | None:
        """The largest lower bound among those that decide."""
        return max((lower for lower in self.lowers if lower.decides), key=lambda lower: lower.epsilon, default=None)

    @property
    def refuted(self) -> bool:
        """Whether a lower bound that decides lies above the stated upper bound."""
        return self.compared and self.worst is not None and self.epsilon is not None and self.worst.epsilon > self.epsilon

    @property
    def terms(self) -> str:
        """What is stated: `ε ≤ 1 at δ = 0.0001`, `Rényi ε ≤ 0.01 at order 2`."""
        if self.is_renyi:
            order = "" if self.order is None else say("epsilon-at-order", order=wording.number(self.order))
            return say("epsilon-renyi-at-most", epsilon=numbers.at_most(self.epsilon), order=order)
        delta = "" if self.delta is None else say("epsilon-at-delta", delta=wording.number(self.delta))
        return f"ε ≤ {numbers.at_most(self.epsilon)}{delta}"

    @property
    def stated(self) -> str:
        """The statement with its terms: `claimed certified removal: ε ≤ 1 at δ = 0.0001`."""
        return f"{self.against}: {self.terms}"


def comparisons(details: Mapping[str, Any]) -> tuple[Comparison, ...]:
    """The comparisons in the order of the document."""
    return tuple(_comparison(entry) for entry in tables.records(details.get("comparisons")))


def orders(details: Mapping[str, Any]) -> tuple[float | None, ...]:
    """The units of ε that something was compared in: None for (ε, δ), which comes first, and each Rényi order."""
    found = {comparison.order for comparison in comparisons(details) if comparison.compared}
    return tuple(sorted(found, key=lambda order: -1.0 if order is None else order))


def refutations(details: Mapping[str, Any]) -> tuple[str, ...]:
    """What measured lower bounds contradict, in sentences: statements that the same lower bound refutes share one."""
    fallen: dict[tuple[Lower, float | None], list[str]] = {}
    for comparison in comparisons(details):
        if comparison.refuted and comparison.worst is not None:
            fallen.setdefault((comparison.worst, comparison.order), []).append(comparison.stated)
    sentences = []
    for (lower, order), statements in fallen.items():
        trust = "" if lower.confidence is None else say("epsilon-with-confidence", confidence=wording.percent(lower.confidence))
        unit = "ε" if order is None else "Rényi ε"
        at = "" if order is None else say("epsilon-at-order", order=wording.number(order))
        title = lower.title[:1].upper() + lower.title[1:]
        shown = say("epsilon-shows", title=title, unit=unit, epsilon=numbers.at_least(lower.epsilon), at=at, trust=trust)
        sentences.append(say("epsilon-refuted-by", statements="; ".join(statements), shown=shown))
    return tuple(sentences)


def _comparison(entry: Mapping[str, Any]) -> Comparison:
    upper = readings.finite(entry.get("epsilon"))
    lowers = tuple(lower for held in tables.records(entry.get("lower")) if (lower := _lower(held)) is not None)
    whole = upper is not None and bool(lowers) and entry.get("compared") is not False
    order = readings.finite(entry.get("order"))
    why = "" if whole else readings.words(entry.get("why")) or say("epsilon-no-pair")
    return Comparison(
        against=readings.words(entry.get("against")) or say("epsilon-nameless-statement"),
        source=readings.words(entry.get("source")),
        epsilon=upper,
        delta=readings.finite(entry.get("delta")),
        order=order,
        is_renyi=order is not None or entry.get("claim") == "data_deletion",
        why=why,
        noticed=readings.finite(entry.get("noticed")),
        lowers=lowers,
    )


def _lower(held: Mapping[str, Any]) -> Lower | None:
    shown = readings.finite(held.get("epsilon"))
    if shown is None:
        return None
    method = readings.words(held.get("method"))
    title = readings.words(held.get("title")) or method or say("swap-nameless-attack")
    return Lower(
        title=title,
        label=_LABELS.get(method, title),
        epsilon=max(0.0, shown),
        confidence=readings.finite(held.get("confidence")),
        null=readings.finite(held.get("null")),
        decides=held.get("decides") is not False,
    )
