"""What an evidence document takes as stated: what was declared, what the log says, and where the audit ran."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from auditor.base.deletion_log.requests import LogFinding
from auditor.base.domain import InputFile
from auditor.document.editions import FIRST, known
from auditor.document.later_fields import later, undeclared
from auditor.settings.controller import RequesterTable
from auditor.settings.documents import RunBy
from auditor.settings.places import Level
from auditor.settings.tables import InferenceTable, ReleaseTable, SwapTable


class Fragment(BaseModel):
    """A piece of the document: frozen, and with no key that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)


def _writes_evidence(version: str) -> str:
    """See that a version is one that wrote documents of this schema: an earlier one would know no check that could fail.

    Raises:
        ValueError: If it did not, or is not a version.
    """
    try:
        written = known(FIRST, version)
    except ValueError:
        written = False
    if not written:
        raise ValueError(f"a version from {FIRST} on")
    return version


class Resized(Fragment):
    """A size that a budget made smaller than audit.toml has it."""

    key: Literal["inference.games", "release.models", "release.second-stage", "swap.pairs"]
    """A key of audit.toml, or `release.second-stage`: the retrained models of a second stage of the attack on the release."""
    declared: int
    used: int


class Budget(Fragment):
    """What an audit was fitted into a time by; nothing that decides is ever left out."""

    seconds: float
    """The time that was given."""
    resized: tuple[Resized, ...]
    left_out: tuple[str, ...]
    """Ids of checks that did not run for it."""


class Superseded(Fragment):
    """The audit of an earlier release that what is attested was made for, and not for this one."""

    release: str | None
    """The release that it was about."""
    audited: date
    """The day on which it ended."""


class Audit(Fragment):
    """The run itself."""

    id: str
    """A digest over case, seed and version: equal audits have equal ids."""
    started_at: datetime
    finished_at: datetime
    auditor_version: Annotated[str, AfterValidator(_writes_evidence)]
    """By whose judges everything in the document is judged, now and later."""
    seed: str
    """The auditor's own seed, a decimal string."""
    quick: bool
    only: tuple[str, ...] | None
    """Ids of the checks that alone were to run; null for all."""
    budget: Budget | None = Field(default=None, exclude_if=undeclared)
    """What was made smaller, or left out, to fit a time; null where no time was given."""
    stage: Literal["first"] | None = later("0.2.0")
    """`first` where it ended before everything was run: then nothing passes, and what fails stays so; null of a whole audit."""
    attested_before: Superseded | None = Field(default=None, exclude_if=undeclared)
    """By the history of who ran it: what is attested was so before the audit of another release, and not again since."""
    failure: str | None
    """Why the procedure or its sandbox failed; null where neither did."""
    exit_code: int


class FittedColumns(Fragment):
    """Features whose values show that what made them was fitted on deleted records."""

    kind: Literal["standardised", "min-max", "one-hot", "target-mean"]
    columns: tuple[int, ...]
    """Counted from 1: the first of them."""
    count: int
    """How many they are."""


class KnownRows(Fragment):
    """Rows of the holdout that equal training records: they are not unseen, and left out."""

    count: int
    of: int
    """How many rows the holdout's file has."""
    rows: tuple[int, ...]
    """Counted from 1: the first of them."""


class BaseFolder(Fragment):
    """A folder of files that the procedure was given: what they were made from is not examined."""

    path: str
    files: int
    bytes: int


About: TypeAlias = Literal[
    "adapter", "architecture", "base-model", "created", "framework", "kind", "licence", "mlflow", "model", "run", "task",
    "transformers",
]  # fmt: skip
"""What a word about a model is about: `model` and `run` are ids, `mlflow` and `transformers` versions."""


class SaidOfModel(Fragment):
    """What the files of a folder say of the model in it: the party's own words, which nothing here examines."""

    path: str
    words: dict[About, str]
    """By what they are about, such as the base model, the framework or the run."""


class DeclaredPlace(Fragment):
    """A place that was to be searched."""

    name: str
    path: str
    level: Level
    note: str | None = Field(default=None, exclude_if=undeclared)
    """What it is for, in the controller's words."""


class CaseFacts(Fragment):
    """What was audited."""

    name: str
    release: str | None
    controller: str | None
    contact: str | None
    digest: str
    """SHA-256 over the canonical list of inputs."""
    inputs: tuple[InputFile, ...]
    model: str | None
    """Path of the model file about to be released; null where the audit covers the procedure alone."""
    store: str | None
    """Path of the data store that was searched; null where none was given."""
    training_records: int
    records_left: int
    features: int
    classes: int
    holdout_records: int | None
    """Records of the holdout that equal no training record; null where there is none."""
    known_rows: KnownRows | None = Field(default=None, exclude_if=undeclared)
    """The other rows of its file; null where there is none."""
    parameters: int | None
    """How many parameters the model has."""
    task: Literal["classification", "regression"]
    preprocessing: tuple[FittedColumns, ...] | None = None
    """What the training data show of a fit on deleted records; null where they were not examined for it."""
    grid: float | None = None
    """The power of two that the model file's parameters are declared to be multiples of; null where none is declared."""
    base: tuple[BaseFolder, ...] = Field(default=(), exclude_if=undeclared)
    """Folders of files that the procedure was given, such as weights of a base model."""
    said_of_model: tuple[SaidOfModel, ...] = Field(default=(), exclude_if=undeclared)
    """What MLflow's and Hugging Face's files say in those folders, and in the folder of the model file."""
    purpose: str | None = Field(default=None, exclude_if=undeclared)
    """What the model is for."""
    dpo: str | None = Field(default=None, exclude_if=undeclared)
    """Name and address of the data protection officer."""
    authority: str | None = Field(default=None, exclude_if=undeclared)
    """Name and address of the supervisory authority."""
    ropa: str | None = Field(default=None, exclude_if=undeclared)
    """Where the record of processing activities has this processing."""
    dpia: str | None = Field(default=None, exclude_if=undeclared)
    """Where its data protection impact assessment is found."""
    run_by: RunBy | None = Field(default=None, exclude_if=undeclared)
    """Who ran the audit, and how they stand to the controller."""
    model_part: str | None = Field(default=None, exclude_if=undeclared)
    """The step of a pipeline that the model file holds, as declared; null where it holds all that predicts."""
    in_use_since: date | None = Field(default=None, exclude_if=undeclared)
    """The day from which the released model is in use, as declared; it may lie ahead."""
    keep_until: date | None = Field(default=None, exclude_if=undeclared)
    """The day up to which the auditor keeps records and runs of the case, as declared; null means one year after the audit."""
    places: tuple[DeclaredPlace, ...] = later("0.2.0", ())
    """Places that were to be searched, of a case that has nothing else; its records are those of the log, and of a table."""
    table: str | None = later("0.2.0")
    """Path of the table of who was in them; null where there is none."""

    @property
    def model_alone(self) -> bool:
        """Whether there is a model file and it is declared to hold all that predicts."""
        return self.model is not None and self.model_part is None


class ProcedureFacts(Fragment):
    """The learning and unlearning procedure, as declared."""

    use: str | None
    """The built-in procedure; null for the controller's own code."""
    entry: str | None
    """The controller's own class; null for a built-in procedure."""
    unlearn: str | None
    settings: dict[str, Any]
    """Declared hyperparameters. The seed is a secret and never among them."""
    seed_bits: int
    """The length of the seed, which tells nothing else of it."""
    seed_digest: str | None
    """Salted SHA-256 of the seed; null where the seed is so short that the digest would give it away."""
    seed_salt: str | None


class ProgramPart(Fragment):
    """One of two programs that run side by side, as declared."""

    use: str | None
    """The controller of ours; null for code of the case."""
    entry: str | None
    """The case's own class; null for one of ours."""
    params: dict[str, Any]
    operations: dict[str, tuple[str, ...]]
    """What it may be asked in addition to `delete`, by its own names."""
    commuting: tuple[str, ...]
    """Those whose order across channels makes no logical difference."""
    environment: tuple[str, ...] = Field(default=(), exclude_if=undeclared)
    """Those that no data subject may ask for."""
    hears: dict[str, str]
    """Its own operations by those of the pair that reach it as such."""


class ControllerFacts(Fragment):
    """The whole controller that was audited, as declared."""

    use: str | None
    """The controller of ours; null for code of the case, and for a pair."""
    entry: str | None
    """The controller's own class; null for one of ours, and for a pair."""
    params: dict[str, Any]
    operations: dict[str, tuple[str, ...]]
    """What a channel may ask in addition to `delete`, with example arguments: `*` stands for any word that the auditor draws."""
    commuting: tuple[str, ...]
    """Operations whose order across channels makes no logical difference, as declared."""
    environment: tuple[str, ...] = Field(default=(), exclude_if=undeclared)
    """Operations that no data subject may ask for, as declared."""
    tape: int | None = Field(default=None, exclude_if=lambda value: value is None)
    """Bits of a seed, where they are so few that every one can be played."""
    games: int
    """Pairs of histories that each adversary plays."""
    digest: str
    """SHA-256 over its name, its parameters and its code."""
    first: ProgramPart | None = Field(default=None, exclude_if=lambda value: value is None)
    """Of two programs side by side, the one whose answers owe nothing to chance; absent where there is one program."""
    second: ProgramPart | None = Field(default=None, exclude_if=lambda value: value is None)
    """The other one."""

    @property
    def parts(self) -> tuple[ProgramPart, ...]:
        """The two programs of a pair, none of any other."""
        return () if self.first is None or self.second is None else (self.first, self.second)

    @property
    def foreign(self) -> bool:
        """Whether code of the case runs in it."""
        return self.entry is not None or any(each.entry is not None for each in self.parts)

    @property
    def named(self) -> str:
        """The name that `use` or `entry` gives it, or those of its parts."""
        return " + ".join(each.use or each.entry or "" for each in self.parts) or self.use or self.entry or ""

    def alone(self, part: ProgramPart) -> ControllerFacts:
        """One of the parts as a controller that stands for itself."""
        declared = part.model_dump(exclude={"hears"})
        return ControllerFacts(**declared, games=self.games, digest=self.digest)


class Attested(Fragment):
    """One thing that the controller alone can know, and puts its name to."""

    name: str
    """What: a name of `auditor.settings.attestations`."""
    by: str
    """Who says so."""
    at: date
    """The day on which they said so."""


class PolicyFacts(Fragment):
    """What had to hold, fixed before the run."""

    required: tuple[str, ...]
    """Ids of the checks that decide the verdict."""
    listed: tuple[str, ...] | None
    """Ids that the policy lists; null where every check that applies is required."""
    required_by_default: bool
    """True where the policy does not list them and every check that applies is required."""
    settings: dict[str, Any]
    claims: dict[str, Any]
    claims_not_examined: tuple[str, ...]
    """Claims of the controller that no check of this run speaks to."""
    attested: tuple[Attested, ...] = ()
    """What the controller attests, each by its name, with who says so and since when."""
    rationale: dict[str, str] = Field(default={}, exclude_if=undeclared)
    """Why a value is what it is, by its key, as declared. It decides nothing, and the digest does not cover it."""
    digest: str
    """SHA-256 over required, settings, claims and what is attested."""

    @model_validator(mode="after")
    def _one_word(self) -> Self:
        if len({(each.by, each.at) for each in self.attested}) > 1:
            raise ValueError("one person and one day for everything that is attested")
        return self


class SizeFacts(Fragment):
    """The declared sizes of the tests that draw samples."""

    swap: SwapTable
    inference: InferenceTable
    release: ReleaseTable = ReleaseTable()
    requester: RequesterTable | None
    """The game of an adaptive requester; null where none plays."""


class Wall(Fragment):
    """One attempt to get out of the sandbox, made inside it before the procedure ran."""

    name: str
    held: bool
    found: str
    """What the attempt met."""


ImportSource: TypeAlias = Literal["memory", "process", "source"]
"""Where an imported distribution was seen: in a memory map, in a process's own report, or in an import statement of the case."""


class Imported(Fragment):
    """A distribution whose code the processes of the audit loaded, or the case's code names."""

    name: str
    version: str
    seen_in: tuple[ImportSource, ...]


class Environment(Fragment):
    """Where it ran."""

    device: str
    device_name: str
    isolation: str
    """The level of the sandbox that stood during the run."""
    walls: tuple[Wall, ...]
    """What probes found inside a sandbox of that level."""
    capped: bool
    """True where foreign code ran below the level that a verdict needs: the verdict is then at most inconclusive."""
    python: str
    packages: dict[str, str]
    imported: tuple[Imported, ...] | None = None
    """By name. A process can leave out of its report what is no compiled code; null where nothing ran."""
    imported_elsewhere: tuple[str, ...] | None = None
    """Places of loaded code that belongs to no distribution, to Python, the system, the auditor or the case; null where nothing
    ran."""


class RowMarks(Fragment):
    """What evidence does not repeat of the log's rows, as marks that only the user who audited can make or compare."""

    key: str
    """Of the user's key: marks of two keys cannot be compared."""
    rows: tuple[Mapping[str, str], ...]
    """Marks by column, one table a request, in the order of `requests`; a column that a row does not fill has none."""


class DeletionLogFacts(Fragment):
    """The deletion log, summed up."""

    requests: int
    records: int
    batches: int
    overdue: tuple[str, ...]
    problems: tuple[LogFinding, ...]
    max_seen_releases: int | None
    """The most released models that one request had seen; one that does not say counts for all that were published before it."""
    columns_not_read: tuple[str, ...]
    """Columns of the log that no check examines."""
    chain_head: str | None = Field(default=None, exclude_if=undeclared)
    """The last hash of the log's hash chain, where the whole chain holds."""
    timezone: str | None = None
    """The zone in whose calendar deadlines are counted; null where each request counts in the offset of its receipt."""
    holidays: tuple[date, ...] = Field(default=(), exclude_if=undeclared)
    """Public holidays that the case declares: with weekends, the days on which no deadline of the EU or the UK ends."""
    canaries: int = later("0.2.0", 0)
    """Rows of planted records, which are nobody's and in no other count."""
    marks: RowMarks | None = later("0.2.0")
