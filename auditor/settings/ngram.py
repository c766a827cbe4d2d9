"""The table of the built-in procedure `ngram`: a language model that counts runs of words."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from auditor.base.domain import Reason
from auditor.settings.builtin import USE, Carried, Procedure, one_of
from auditor.settings.values import Positive, Seed

UNLEARN: Final = ("retrain", "subtract")


class Ngram(Procedure):
    """The built-in procedure `ngram`: it counts runs of up to `order` words in the sentences of `[data] text`."""

    use: Annotated[Literal["ngram"], USE] = "ngram"
    """The name of the procedure."""
    order: Annotated[int, Field(ge=1, le=3)] = 3
    """Words that a probability is taken over: 1 for unigrams, 2 for bigrams, 3 for trigrams."""
    smoothing: Positive = 0.01
    """What is added to the count of every word after every other, so that no sentence is impossible."""
    unlearn: Annotated[Literal["retrain", "subtract"], one_of("way of unlearning", UNLEARN)] = "retrain"
    """Whether a batch is answered by counting what remains, or by taking the counts of the batch away."""
    seed: Seed
    """Draws nothing; learn gets seed, the k-th batch seed + k."""

    @property
    def sandbox_settings(self) -> dict[str, object]:
        """Order, smoothing and the way of unlearning."""
        return {"order": self.order, "smoothing": self.smoothing, "unlearn_by": self.unlearn}

    @property
    def trains_again(self) -> bool:
        """Unless counts are taken away."""
        return self.unlearn == "retrain"

    @property
    def learns_labels(self) -> bool:
        """Sentences have none."""
        return False

    @property
    def carried(self) -> Carried:
        """The counts are the model, and are released whole."""
        return Carried(Reason("carried.retrained") if self.trains_again else Reason("carried.counts"))
