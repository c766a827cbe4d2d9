"""What is asked of the table of any procedure, and the listing of those that `[procedure] use` can name: one entry each.

An entry is next to its table, in `settings` of a part, or in `auditor.settings.learning` where it belongs to none. A table is
read without loading what learns.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeVar

from pydantic import BeforeValidator, JsonValue

from auditor.base.domain import Message
from auditor.base.parts import first_of, modules, names
from auditor.maths.certificates.prefix_sums import Factorisation
from auditor.settings.facets import NoisyDescent, Removal
from auditor.settings.values import Table, show, unknown, wrong

_OF_THE_CORE: Final = "auditor.settings.learning"
"""The module with the entries that belong to no part."""


@cache
def entries() -> Mapping[str, Entry]:
    """List every procedure by the name that `use` gives it, sorted; nothing that learns is loaded."""
    brought = (importlib.import_module(_OF_THE_CORE), *modules("procedures"))
    return by_use([(module.__name__, each) for module in brought for each in module.PROCEDURES])


@lru_cache(maxsize=256)
def entry_of(use: str) -> Entry | None:
    """Give the entry of one procedure; None where there is none of that name. Modules are imported until one has it.

    First those of parts that the procedure is called after: a document names one, and the tables of all others take long.
    """
    homes = sorted((_OF_THE_CORE, *names("procedures")), key=lambda home: home.split(".")[2].replace("_", "-") not in use)
    found: Entry | None = first_of(homes, "PROCEDURES", lambda each: each.use == use)
    return found


def audited() -> tuple[str, ...]:
    """Name the procedures that this installation audits, sorted."""
    return tuple(entries())


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
    if isinstance(value, str) and entry_of(value) is not None:
        return value
    raise wrong(*unknown_use(value))


def unknown_use(value: object) -> tuple[str, str]:
    """Say what `use` could be, and what it is where no procedure has that name."""
    if isinstance(value, str):
        return unknown("procedure", value, audited())
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

    @property
    def rule(self) -> str:
        """The rule that says what it costs."""
        return "dp-sgd"

    def inputs(self, delta: float) -> dict[str, float]:
        """Give the inputs of that rule at a δ."""
        return {"noise_multiplier": self.multiplier, "sample_rate": self.sample_rate, "steps": self.steps, "delta": delta}

    @property
    def reported(self) -> dict[str, float]:
        """What a run of it reports, by the names of its facts."""
        numbers = {"noise_multiplier": self.multiplier, "sample_rate": self.sample_rate, "steps": self.steps, "delta": self.delta}
        return {f"dp_{name}": number for name, number in numbers.items()}


@dataclass(frozen=True, slots=True)
class NoiseOfSums(Noise):
    """Noise in sums over all steps of a stream: it costs what one step with all records and `multiplier` would."""

    kept: float
    """Standard deviation in each number of each sum, in units of the norm that each gradient is clipped to."""
    horizon: int
    """How many steps there may be."""
    factorisation: Factorisation
    """Of the matrix of prefix sums."""

    @property
    def rule(self) -> str:
        """The rule of the factorisation."""
        return f"ftrl-{self.factorisation}"

    def inputs(self, delta: float) -> dict[str, float]:
        """Give the inputs of that rule at a δ."""
        return {"noise_multiplier": self.kept, "horizon": self.horizon, "delta": delta}

    @property
    def reported(self) -> dict[str, float]:
        """What a run of it reports: every record is learned once."""
        return {"dp_noise_multiplier": self.kept, "dp_sample_rate": 1.0, "dp_steps": self.horizon, "dp_delta": self.delta}


@dataclass(frozen=True, slots=True)
class Carried:
    """What an update reads of an earlier one: read off the code of a built-in procedure, not measured."""

    reads: Message
    """What is carried, as a sentence."""
    beyond: tuple[Message, ...] = ()
    """What it reads beyond the released model, by name; it stays secret, and depends on the data."""
    in_part: Message | None = None
    """What it reads of the model that a release may show no more than a part of, by name; None where there is no such thing."""


class Named(Protocol):
    """An entry by the name that `use` gives it."""

    @property
    def use(self) -> str:
        """The name."""


_Entry = TypeVar("_Entry", bound=Named)


def by_use(brought: Sequence[tuple[str, _Entry]]) -> dict[str, _Entry]:
    """Sort entries by name; each comes with the module that brings it.

    Raises:
        ValueError: If two modules bring the same name: whose table and theorems are meant must not depend on an order.
    """
    found: dict[str, tuple[str, _Entry]] = {}
    for module, entry in sorted(brought, key=lambda each: each[1].use):
        if entry.use in found:
            raise ValueError(f'use = "{entry.use}" is brought twice, by {found[entry.use][0]} and {module}')
        found[entry.use] = (module, entry)
    return {use: entry for use, (_, entry) in found.items()}


class Procedure(Table):
    """The table of any procedure: a frozen record whose properties say what the audit has to know of it."""

    if TYPE_CHECKING:  # each table has it as its last key
        seed: int
        """A secret; learn gets seed, the k-th batch seed + k."""

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

    @property
    def removal(self) -> Removal | None:
        """What it declares of certified removal, for the theorems that cover it; None for other procedures."""
        return None

    @property
    def descent(self) -> NoisyDescent | None:
        """What it declares of noisy gradient descent, for the theorems that cover it; None for other procedures."""
        return None

    @property
    def fitted(self) -> tuple[str, Mapping[str, JsonValue]] | None:
        """The dotted name and the arguments of the estimator of scikit-learn that it fits; None where it fits another model."""
        return None

    @property
    def keeps_labels(self) -> bool:
        """Whether a classification of it needs records of every label to the end."""
        return False

    @property
    def learns_text(self) -> bool:
        """Whether it learns from sentences, and from nothing else."""
        return False

    @property
    def takes_tables(self) -> bool:
        """Whether it takes tables of mixed columns, and weights of records."""
        return False

    @property
    def shapes_rows(self) -> bool:
        """Whether it takes rows of a shape or type that [data] declares."""
        return False

    @property
    def pictured(self) -> object:
        """Channels, height and width of the pictures that it takes rows as, in a list; anything else where it takes none."""
        return None

    def saves(self, path: str) -> bool:  # noqa: ARG002 - what it saves may depend on it
        """Whether it saves model files of a library's own format.

        Args:
            path: The name of the file about to be released.
        """
        return False

    @property
    def saves_steps(self) -> bool:
        """Whether a file may hold one step of its model."""
        return False

    @property
    def preparation(self) -> str | None:
        """The file of the case that prepares the rows of each training, from the folder of its entry; None without one."""
        return None

    @property
    def may_be_loop(self) -> bool:
        """Whether it is a class of the case, which may be a `TrainingLoop`."""
        return False

    @property
    def saves_state_dict(self) -> bool:
        """Whether its model is one module of PyTorch, whose state_dict can be released."""
        return False

    def linear_models(self, labels: int, *, classifies: bool) -> int:  # noqa: ARG002 - how many there are may depend on them
        """Count the vectors of weights, one weight a feature, that the released model has; 0 where it is no linear model of ours.

        Args:
            labels: How many distinct ones there are.
            classifies: Whether classes are learned.
        """
        return 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One procedure that `[procedure] use` can name. Hooks are dotted names, loaded when they are asked for."""

    table: type[Procedure]
    """Its keys; the default of `use` is its name. What its properties say is all that judges know of it."""
    build: str
    """What builds it in the sandbox: called with `sandbox_settings` and what `of_data` gives, as keyword arguments."""
    read: str | None = None
    """`(file, content) -> table | problems`: reads [procedure] where keys decide what others may be; None for the table alone."""
    fits: str | None = None
    """`(file, table, declaration) -> problems`: what of other tables does not fit it; None where everything does."""
    of_data: str | None = None
    """`(case, table) -> settings` that follow from the training data, or from what is installed; None where none do."""
    files: Mapping[str, str] = field(default_factory=dict)
    """What builds readers of its model files in the sandbox, by the names that the auditor gives them."""

    @property
    def use(self) -> str:
        """Its name."""
        return str(self.table.model_fields["use"].default)
