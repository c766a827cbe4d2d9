"""What an attack is: fitted on shadow records, it says of other records whether a model was trained on them."""

from __future__ import annotations

from typing import Protocol, TypeVar

import numpy as np

from auditor.attacks.threat_model import Outputs, Shadow
from auditor.base.records import Floats, Positions

State = TypeVar("State")


class Attack(Protocol[State]):
    """A membership inference attack.

    Neither method can see which records are to be forgotten and which are held out. The state is a frozen dataclass of plain
    arrays and numbers.
    """

    @property
    def name(self) -> str:
        """What `[swap] attacks` calls it, such as `modified-entropy`."""

    @property
    def title(self) -> str:
        """What the report calls it."""

    @property
    def source(self) -> str:
        """Authors and year."""

    @property
    def since(self) -> str:
        """The version since which it is among the attacks."""

    def fit(self, shadow: Shadow, *, rng: np.random.Generator) -> State:
        """Everything that the attack learns, from shadow records alone.

        Raises:
            ValueError: If there are fewer than 2 complementary pairs of shadow models.
        """

    def score(self, state: State, outputs: Outputs, labels: Positions) -> Floats:
        """One finite number per record, shape (n,): above 0 the attack says "this was trained on", the larger the surer.

        Args:
            state: What `fit` returned.
            outputs: What is seen of the model under attack.
            labels: Class codes of the records in question, shape (n,).
        """
