"""The built-in procedures by name, and what is asked of the table of any procedure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BeforeValidator

from auditor.base.domain import Reason
from auditor.settings.problems import show, unknown
from auditor.settings.values import Table, wrong

AUDITED_PROCEDURES: Final = ("certified-removal", "estimator", "ngram", "noisy-gd", "sklearn", "torch")
"""Built-in procedures that this version audits."""


def one_of(name: str, values: tuple[str, ...]) -> BeforeValidator:
    """For a key that takes one of a few words: the one that was meant is offered for another."""

    def check(value: object) -> object:
        if value in values:
            return value
        if isinstance(value, str):
            raise wrong(*unknown(name, value, values))
        raise wrong(" or ".join(f'"{each}"' for each in values), show(value))

    return BeforeValidator(check, json_schema_input_type=Literal[values])


def _use(value: object) -> object:
    if value in AUDITED_PROCEDURES:
        return value
    raise wrong(*unknown_use(value))


def unknown_use(value: object) -> tuple[str, str]:
    """Say what `use` could be, and what it is where no procedure has that name."""
    if isinstance(value, str):
        return unknown("procedure", value, AUDITED_PROCEDURES)
    return "the name of a built-in procedure", show(value)


USE: Final = BeforeValidator(_use)
"""For the key `use`: a name that no procedure has is kept apart from a wrong type."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What parameters of two honest runs may differ by, and by which argument."""

    largest: float
    """Largest absolute difference of a parameter."""
    origin: str
    """A message id."""


@dataclass(frozen=True, slots=True)
class Noise:
    """What a private training adds to its gradients, and how often."""

    multiplier: float
    """Standard deviation on a sum of gradients, in units of the norm that each is clipped to."""
    sample_rate: float
    steps: int
    delta: float
    """The declared δ."""

    def inputs(self, delta: float) -> dict[str, float]:
        """Give the inputs of the rule `dp-sgd`, which says what it costs at a δ."""
        return {"noise_multiplier": self.multiplier, "sample_rate": self.sample_rate, "steps": self.steps, "delta": delta}


@dataclass(frozen=True, slots=True)
class Carried:
    """What an update reads of an earlier one: read off the code of a built-in procedure, not measured."""

    reads: Reason
    """What is carried, as a sentence."""
    beyond: tuple[Reason, ...] = ()
    """What it reads beyond the released model, by name; it stays secret, and depends on the data."""
    in_part: Reason | None = None
    """What it reads of the model that a release may show no more than a part of, by name; None where there is no such thing."""


class Procedure(Table):
    """The table of any procedure."""

    def tolerance_of_rerun(self, rows_left: int) -> Tolerance | None:  # noqa: ARG002 - what a procedure admits may depend on them
        """What the optimiser or the rounding of the steps admits; None where nothing but two runs can tell.

        Args:
            rows_left: The records that are left after the last batch.
        """
        return None

    @property
    def built_in(self) -> str | None:
        """The name that `use` gives it; None for the controller's own procedure."""
        return getattr(self, "use", None)

    @property
    def brought(self) -> str | None:
        """The entry of the case whose code runs; None where none of the controller's own does."""
        return getattr(self, "entry", None)

    @property
    def sandbox_settings(self) -> dict[str, object]:
        """The settings that it is built with in the sandbox, as far as the table has them."""
        return {}

    @property
    def learns(self) -> bool:
        """Whether there is anything that learns; not where a case is of a controller alone."""
        return True

    @property
    def reruns(self) -> bool:
        """Whether there is anything to run; not where a case has nothing but answers that models gave."""
        return True

    @property
    def refuses_long_rows(self) -> bool:
        """Whether it takes no training records whose features have a norm above 1."""
        return getattr(self, "row_norms", None) == "refuse"

    @property
    def timed_repeats(self) -> int:
        """How often it is retrained for its time; once, as it may take hours."""
        return 1

    @property
    def trains_again(self) -> bool:
        """Whether code of the auditor's own answers every batch by training from scratch on what is left."""
        return False

    @property
    def learns_labels(self) -> bool:
        """Whether there are labels that a model could react to."""
        return True

    @property
    def foreign(self) -> bool:
        """Whether code of the controller's own runs, which must be walled in and is not believed."""
        return False

    @property
    def extra(self) -> str | None:
        """The extra of the package without which it cannot run; None where every installation has what it needs."""
        return None

    @property
    def by_name(self) -> bool:
        """Whether it gets every table as one of named columns, though it holds nothing but numbers."""
        return False

    @property
    def may_use_gpu(self) -> bool:
        """Whether it can compute on a CUDA device."""
        return False

    @property
    def unlearns_by(self) -> str | None:
        """The way of unlearning that the table names; None where it names none."""
        return getattr(self, "unlearn", None)

    def noise_of_training(self, records: int) -> Noise | None:  # noqa: ARG002 - how much noise there is may depend on them
        """What a training on so many records adds; None where training is not differentially private."""
        return None

    @property
    def carried(self) -> Carried | None:
        """What an update reads of an earlier one, by construction; None where the controller's code runs, which has to be tried.

        Released is what `parameters` gives, or, of an estimator, the fitted estimator. An update of ours is a function of the
        model that it is given, the records and the seed; the procedure object keeps hyperparameters alone. What is to be said is
        therefore which parts of the model an update reads beyond what is released.
        """
        return None

    @property
    def hands_model_on(self) -> bool:
        """Whether it is declared to answer a deletion with the old model."""
        return self.unlearns_by == "none"

    @property
    def renyi_order(self) -> float | None:
        """The Rényi order that it is to be certified at; None where its table names none."""
        return None

    @property
    def trains_together(self) -> bool:
        """Whether one process may train and unlearn many of its models at a time, as code of ours alone may."""
        return False

    @property
    def solved_together(self) -> bool:
        """Whether many of its models are the solutions of one batched problem, which needs no process of its own."""
        return False
