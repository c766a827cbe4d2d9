"""The tables of the procedures that belong to no part, and their entries: estimators, n-grams, the controller's own class."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import Field, JsonValue

from auditor.base.domain import Message
from auditor.settings.builtin import USE, Carried, Entry, Procedure, one_of
from auditor.settings.values import Positive, Seed, Text


class Sklearn(Procedure):
    """The built-in procedure `sklearn`: one estimator of scikit-learn, trained from scratch at every batch or left as it is."""

    use: Annotated[Literal["sklearn"], USE] = "sklearn"
    """The name of the procedure."""
    estimator: Text
    """The dotted name of a classifier or regressor that scikit-learn's `all_estimators()` lists, such as
    sklearn.tree.DecisionTreeClassifier; nothing else is imported, so that none can be named that needs other estimators, such as
    VotingClassifier."""
    params: dict[str, JsonValue] = Field(default_factory=dict)
    """Its constructor's keyword arguments. The seed takes the place of random_state."""
    unlearn: Literal["retrain", "none"] = "retrain"
    """Whether a batch is answered by training from scratch on what remains, or not at all."""
    seed: Seed
    """Sets random_state, reduced to 32 bits; learn gets seed, the k-th batch seed + k."""

    @property
    def sandbox_settings(self) -> dict[str, object]:
        """The estimator by its name, its arguments, and the way of unlearning."""
        return {"estimator": self.estimator, "params": dict(self.params), "unlearn_by": self.unlearn}

    @property
    def trains_again(self) -> bool:
        """Unless a batch changes nothing."""
        return self.unlearn == "retrain"

    @property
    def carried(self) -> Carried:
        """The fitted estimator is released as it is."""
        return Carried(Message("carried.estimator") if self.hands_model_on else Message("carried.retrained"))

    @property
    def fitted(self) -> tuple[str, Mapping[str, JsonValue]]:
        """The estimator and its arguments."""
        return self.estimator, self.params

    def saves(self, path: str) -> bool:
        """Skops alone."""
        return path.lower().endswith(".skops")


class Wrapped(Procedure):
    """The procedure `estimator`: what the function of the controller builds, trained from scratch at every batch or left alone.

    The function and what it builds are the controller's own code: all of it runs in the sandbox, and none of it is believed.
    """

    use: Annotated[Literal["estimator"], USE] = "estimator"
    """The name of the procedure."""
    entry: Text
    """`file.py:function`: `function(seed, **params)` gives an unfitted estimator with `fit`, and `predict_proba` or `predict`."""
    prepare: Text | None = Field(default=None, exclude_if=lambda value: value is None)
    """A Python file alongside the entry that prepares each training's rows: `prepare`, `split`, `fit`, `CLASSES`."""
    params: dict[str, JsonValue] = Field(default_factory=dict)
    """Keyword arguments of the function."""
    unlearn: Literal["retrain", "none"] = "retrain"
    """Whether a batch is answered by training from scratch on what remains, or not at all."""
    seed: Seed
    """What the function gets, reduced to 31 bits; learn gets seed, the k-th batch seed + k."""

    @property
    def sandbox_settings(self) -> dict[str, object]:
        """The arguments of the function, the way of unlearning, and the file that prepares, relative to that of the entry."""
        settings: dict[str, object] = {"params": dict(self.params), "unlearn_by": self.unlearn}
        return settings if self.preparation is None else settings | {"prepare": self.preparation}

    @property
    def preparation(self) -> str | None:
        """`prepare`, from the folder of the entry."""
        if self.prepare is None:
            return None
        return posixpath.relpath(self.prepare, posixpath.dirname(self.entry.rpartition(":")[0]) or ".")

    @property
    def foreign(self) -> bool:
        """What it builds is."""
        return True

    @property
    def by_name(self) -> bool:
        """Pipelines choose their columns by name."""
        return True

    @property
    def may_use_gpu(self) -> bool:
        """Nobody knows."""
        return True

    def saves(self, path: str) -> bool:  # noqa: ARG002 - its code may save whatever it likes
        """Any."""
        return True

    @property
    def takes_tables(self) -> bool:
        """The controller's code may."""
        return True

    @property
    def saves_steps(self) -> bool:
        """Of a pipeline it may."""
        return True


class Ngram(Procedure):
    """The built-in procedure `ngram`: it counts runs of up to `order` words in the sentences of `[data] text`."""

    use: Annotated[Literal["ngram"], USE] = "ngram"
    """The name of the procedure."""
    order: Annotated[int, Field(ge=1, le=3)] = 3
    """Words that a probability is taken over: 1 for unigrams, 2 for bigrams, 3 for trigrams."""
    smoothing: Positive = 0.01
    """What is added to the count of every word after every other, so that no sentence is impossible."""
    unlearn: Annotated[Literal["retrain", "subtract"], one_of("way of unlearning", ("retrain", "subtract"))] = "retrain"
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
        return Carried(Message("carried.retrained") if self.trains_again else Message("carried.counts"))

    @property
    def learns_text(self) -> bool:
        """Nothing else."""
        return True


class Foreign(Procedure):
    """The controller's own learning procedure."""

    entry: Text
    """`file.py:ClassName`, the file inside the case folder."""
    params: dict[str, JsonValue] = Field(default_factory=dict)
    """Every other key of the table, JSON values as they stand."""
    seed: Seed
    """Given to learn; the k-th batch gets seed + k."""

    @property
    def sandbox_settings(self) -> dict[str, object]:
        """The keyword arguments of the class."""
        return dict(self.params)

    @property
    def foreign(self) -> bool:
        """It is nothing else."""
        return True

    @property
    def may_be_loop(self) -> bool:
        """Its code tells."""
        return True

    @property
    def may_use_gpu(self) -> bool:
        """Nobody knows."""
        return True

    @property
    def file(self) -> str:
        """The file that holds the class, relative to the case."""
        return self.entry.rpartition(":")[0]

    def saves(self, path: str) -> bool:  # noqa: ARG002 - its code may save whatever it likes
        """Any."""
        return True

    @property
    def takes_tables(self) -> bool:
        """The controller's code may."""
        return True

    @property
    def shapes_rows(self) -> bool:
        """Its code may."""
        return True


PROCEDURES: Final = (
    Entry(
        Sklearn,
        build="auditor.learning.estimators:make",
        read="auditor.case.estimators:read",
        fits="auditor.case.estimators:fits",
        of_data="auditor.case.estimators:of_data",
    ),
    Entry(
        Wrapped,
        build="auditor.learning.wrapped:Wrapped",
        read="auditor.case.estimators:read_wrapped",
        fits="auditor.case.estimators:fits_wrapped",
        of_data="auditor.case.estimators:of_wrapped",
    ),
    Entry(Ngram, build="auditor.learning.ngram:Ngram", of_data="auditor.case.estimators:of_words"),
)
