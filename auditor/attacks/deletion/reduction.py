"""From membership inference to deletion inference (Gao et al. 2022, Algorithm 3.5).

Of two records the one that is no member of the model after the deletion was deleted. The paper's second case is misprinted: with
b0 = 1 and b1 = 0 it is record 1. By how sure the attack is, it is the record that looks less like a member than before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

import numpy as np

from auditor.attacks.attack import Attack
from auditor.attacks.deletion.seen import Seen, ShadowModels, difference
from auditor.attacks.threat_model import Outputs, References
from auditor.base.records import Floats
from auditor.document.editions import FIRST

State = TypeVar("State")


class Members(Protocol[State]):
    """A membership inference attack on one of the two models."""

    def fit(self, shadow: ShadowModels, *, rng: np.random.Generator) -> State:
        """Everything that it learns, from shadow models alone."""

    def margins(self, state: State, seen: Seen, *, after: bool) -> Floats:
        """Above 0 the record is taken for a member, the larger the surer; shape (m,)."""


@dataclass(frozen=True, slots=True)
class Reduction(Generic[State]):
    """Algorithm 3.5 around one membership inference attack."""

    name: str
    title: str
    source: str
    members: Members[State]
    by: Literal["label", "confidence"]
    since: str = FIRST

    def fit(self, shadow: ShadowModels, *, rng: np.random.Generator) -> State:
        """What the membership inference attack learns."""
        return self.members.fit(shadow, rng=rng)

    def score(self, state: State, seen: Seen) -> Floats:
        """1 where the record is no member after the deletion, else 0; or how much less like a member it looks. Shape (m,)."""
        left = self.members.margins(state, seen, after=True)
        if self.by == "label":
            return (left <= 0).astype(np.float64)
        return difference(self.members.margins(state, seen, after=False), left)


@dataclass(frozen=True, slots=True, eq=False)
class Known(Generic[State]):
    """What an attack learned, and its shadow models' answers."""

    fitted: State
    references: References


@dataclass(frozen=True, slots=True)
class Referring:
    """An attack of the SWAP test that uses the record's own answers alone, those of shadow models included."""

    attack: Attack[Any]

    def fit(self, shadow: ShadowModels, *, rng: np.random.Generator) -> Known[Any]:
        """What the attack learns."""
        known = shadow.of_classes()
        return Known(self.attack.fit(known, rng=rng), known.references)

    def margins(self, state: Known[Any], seen: Seen, *, after: bool) -> Floats:
        """The attack's scores, shape (m,)."""
        references, labels = state.references, seen.labels.astype(np.int64)
        here = References(references.probabilities[:, seen.records], references.trained_on[:, seen.records])
        nobody = References(references.probabilities[:, :0], references.trained_on[:, :0])
        outputs = Outputs(
            probabilities=seen.after if after else seen.before,
            references=here,
            population_probabilities=seen.before[:0],
            population_labels=labels[:0],
            population_references=nobody,
        )
        return self.attack.score(state.fitted, outputs, labels)
