"""The evidence document: the one result of an audit, which every report, letter and recheck only reads.

It is a JSON object, written as RFC 8785 canonical bytes: equal evidence means equal bytes and one digest. Identifiers and seeds
are strings; a number that could not be had is null, with the reason alongside it. The schema is published by `auditor schema`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

import rfc8785
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SerializationInfo,
    TypeAdapter,
    field_serializer,
    model_validator,
)

from auditor.base.domain import (
    Certificate,
    Check,
    ClaimStatus,
    Effect,
    Guarantee,
    InputFile,
    LogFinding,
    RequestOutcome,
    Strength,
    Verdict,
)
from auditor.document.editions import FIRST, known
from auditor.document.later_fields import later
from auditor.settings.controller import RequesterTable
from auditor.settings.documents import OutsidePlace, RunBy
from auditor.settings.lineage import Descendant
from auditor.settings.places import Level
from auditor.settings.receipts import Receipt
from auditor.settings.tables import InferenceTable, ReleaseTable, SwapTable

SCHEMA: Literal["auditor.evidence/2"] = "auditor.evidence/2"
LARGEST_INTEGER = 2**53 - 1
"""The largest integer that every JSON reader keeps (RFC 8785, section 3.2.2.3)."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)


def _undeclared(value: object) -> bool:
    """Whether a field that came after the first document of this schema says nothing: it is then left out of the document."""
    return value is None or value in ((), {})


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


class Resized(_Part):
    """A size that a budget made smaller than audit.toml has it."""

    key: Literal["inference.games", "release.models", "release.second-stage", "swap.pairs"]
    """A key of audit.toml, or `release.second-stage`: the retrained models of a second stage of the attack on the release."""
    declared: int
    used: int


class Budget(_Part):
    """What an audit was fitted into a time by; nothing that decides is ever left out."""

    seconds: float
    """The time that was given."""
    resized: tuple[Resized, ...]
    left_out: tuple[str, ...]
    """Ids of checks that did not run for it."""


class Superseded(_Part):
    """The audit of an earlier release that what is attested was made for, and not for this one."""

    release: str | None
    """The release that it was about."""
    audited: date
    """The day on which it ended."""


class Audit(_Part):
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
    budget: Budget | None = Field(default=None, exclude_if=_undeclared)
    """What was made smaller, or left out, to fit a time; null where no time was given."""
    stage: Literal["first"] | None = later("0.2.0")
    """`first` where it ended before everything was run: then nothing passes, and what fails stays so; null of a whole audit."""
    attested_before: Superseded | None = Field(default=None, exclude_if=_undeclared)
    """By the history of who ran it: what is attested was so before the audit of another release, and not again since."""
    failure: str | None
    """Why the procedure or its sandbox failed; null where neither did."""
    exit_code: int


class FittedColumns(_Part):
    """Features whose values show that what made them was fitted on deleted records."""

    kind: Literal["standardised", "min-max", "one-hot", "target-mean"]
    columns: tuple[int, ...]
    """Counted from 1: the first of them."""
    count: int
    """How many they are."""


class KnownRows(_Part):
    """Rows of the holdout that equal training records: they are not unseen, and left out."""

    count: int
    of: int
    """How many rows the holdout's file has."""
    rows: tuple[int, ...]
    """Counted from 1: the first of them."""


class BaseFolder(_Part):
    """A folder of files that the procedure was given: what they were made from is not examined."""

    path: str
    files: int
    bytes: int


About: TypeAlias = Literal[
    "adapter", "architecture", "base-model", "created", "framework", "kind", "licence", "mlflow", "model", "run", "task",
    "transformers",
]  # fmt: skip
"""What a word about a model is about: `model` and `run` are ids, `mlflow` and `transformers` versions."""


class SaidOfModel(_Part):
    """What the files of a folder say of the model in it: the party's own words, which nothing here examines."""

    path: str
    words: dict[About, str]
    """By what they are about, such as the base model, the framework or the run."""


class DeclaredPlace(_Part):
    """A place that was to be searched."""

    name: str
    path: str
    level: Level
    note: str | None = Field(default=None, exclude_if=_undeclared)
    """What it is for, in the controller's words."""


class CaseFacts(_Part):
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
    known_rows: KnownRows | None = Field(default=None, exclude_if=_undeclared)
    """The other rows of its file; null where there is none."""
    parameters: int | None
    """How many parameters the model has."""
    task: Literal["classification", "regression"]
    preprocessing: tuple[FittedColumns, ...] | None = None
    """What the training data show of a fit on deleted records; null where they were not examined for it."""
    grid: float | None = None
    """The power of two that the model file's parameters are declared to be multiples of; null where none is declared."""
    base: tuple[BaseFolder, ...] = Field(default=(), exclude_if=_undeclared)
    """Folders of files that the procedure was given, such as weights of a base model."""
    said_of_model: tuple[SaidOfModel, ...] = Field(default=(), exclude_if=_undeclared)
    """What MLflow's and Hugging Face's files say in those folders, and in the folder of the model file."""
    purpose: str | None = Field(default=None, exclude_if=_undeclared)
    """What the model is for."""
    dpo: str | None = Field(default=None, exclude_if=_undeclared)
    """Name and address of the data protection officer."""
    authority: str | None = Field(default=None, exclude_if=_undeclared)
    """Name and address of the supervisory authority."""
    ropa: str | None = Field(default=None, exclude_if=_undeclared)
    """Where the record of processing activities has this processing."""
    dpia: str | None = Field(default=None, exclude_if=_undeclared)
    """Where its data protection impact assessment is found."""
    run_by: RunBy | None = Field(default=None, exclude_if=_undeclared)
    """Who ran the audit, and how they stand to the controller."""
    model_part: str | None = Field(default=None, exclude_if=_undeclared)
    """The step of a pipeline that the model file holds, as declared; null where it holds all that predicts."""
    in_use_since: date | None = Field(default=None, exclude_if=_undeclared)
    """The day from which the released model is in use, as declared; it may lie ahead."""
    keep_until: date | None = Field(default=None, exclude_if=_undeclared)
    """The day up to which the auditor keeps records and runs of the case, as declared; null means one year after the audit."""
    places: tuple[DeclaredPlace, ...] = later("0.2.0", ())
    """Places that were to be searched, of a case that has nothing else; its records are those of the log, and of a table."""
    table: str | None = later("0.2.0")
    """Path of the table of who was in them; null where there is none."""

    @property
    def model_alone(self) -> bool:
        """Whether there is a model file and it is declared to hold all that predicts."""
        return self.model is not None and self.model_part is None


class ProcedureFacts(_Part):
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


class ProgramPart(_Part):
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
    environment: tuple[str, ...] = Field(default=(), exclude_if=_undeclared)
    """Those that no data subject may ask for."""
    hears: dict[str, str]
    """Its own operations by those of the pair that reach it as such."""


class ControllerFacts(_Part):
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
    environment: tuple[str, ...] = Field(default=(), exclude_if=_undeclared)
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


class Attested(_Part):
    """One thing that the controller alone can know, and puts its name to."""

    name: str
    """What: a name of `auditor.settings.attestations`."""
    by: str
    """Who says so."""
    at: date
    """The day on which they said so."""


class PolicyFacts(_Part):
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
    rationale: dict[str, str] = Field(default={}, exclude_if=_undeclared)
    """Why a value is what it is, by its key, as declared. It decides nothing, and the digest does not cover it."""
    digest: str
    """SHA-256 over required, settings, claims and what is attested."""

    @model_validator(mode="after")
    def _one_word(self) -> Self:
        if len({(each.by, each.at) for each in self.attested}) > 1:
            raise ValueError("one person and one day for everything that is attested")
        return self


class SizeFacts(_Part):
    """The declared sizes of the tests that draw samples."""

    swap: SwapTable
    inference: InferenceTable
    release: ReleaseTable = ReleaseTable()
    requester: RequesterTable | None
    """The game of an adaptive requester; null where none plays."""


class Wall(_Part):
    """One attempt to get out of the sandbox, made inside it before the procedure ran."""

    name: str
    held: bool
    found: str
    """What the attempt met."""


ImportSource: TypeAlias = Literal["memory", "process", "source"]
"""Where an imported distribution was seen: in a memory map, in a process's own report, or in an import statement of the case."""


class Imported(_Part):
    """A distribution whose code the processes of the audit loaded, or the case's code names."""

    name: str
    version: str
    seen_in: tuple[ImportSource, ...]


class Environment(_Part):
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


class RowMarks(_Part):
    """What evidence does not repeat of the log's rows, as marks that only the user who audited can make or compare."""

    key: str
    """Of the user's key: marks of two keys cannot be compared."""
    rows: tuple[Mapping[str, str], ...]
    """Marks by column, one table a request, in the order of `requests`; a column that a row does not fill has none."""


class DeletionLogFacts(_Part):
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
    chain_head: str | None = Field(default=None, exclude_if=_undeclared)
    """The last hash of the log's hash chain, where the whole chain holds."""
    timezone: str | None = None
    """The zone in whose calendar deadlines are counted; null where each request counts in the offset of its receipt."""
    holidays: tuple[date, ...] = Field(default=(), exclude_if=_undeclared)
    """Public holidays that the case declares: with weekends, the days on which no deadline of the EU or the UK ends."""
    canaries: int = later("0.2.0", 0)
    """Rows of planted records, which are nobody's and in no other count."""
    marks: RowMarks | None = later("0.2.0")


class Examined(_Part):
    """What the audit examined, of what a deletion has to reach."""

    model: bool
    """Whether the model file about to be released was held against what the procedure gives, and a decision came of it."""
    store: bool
    """Whether the data store was searched, and a decision came of it, or what is open lies in other places alone."""
    procedure: bool
    """Whether a check that judges the unlearning itself ran."""
    backups: bool
    """Whether backups were read: no check of this version reads any."""


class TakenPart(_Part):
    """A part of a third party that took part in the audit: those who installed it vouch for it."""

    name: str
    """Of its entry point."""
    distribution: str
    """The package that brings it."""
    version: str
    """Of that package."""
    sha256: str
    """Over every file of the part, by path and content."""
    checks: tuple[str, ...] = ()
    """Ids of the checks that it brings."""
    conclusions: tuple[Guarantee, ...] = ()
    """What its theorems conclude, *supported* at most; none of it is a guarantee of the auditor's own."""

    @property
    def named(self) -> tuple[str, str, str, str]:
        """Name, package, version and digest."""
        return self.name, self.distribution, self.version, self.sha256


RouteName: TypeAlias = Literal["exact", "counterfactual", "remembers", "controller", "answers"]


class Route(_Part):
    """One way in which the controller's own code may pass, and what it lacks here."""

    name: RouteName
    checks: tuple[str, ...]
    """Ids of checks that it needs and that did not pass."""
    words: tuple[str, ...]
    """Attestations that it needs and nobody made."""
    further: tuple[Literal["data-deletion-claim", "equal-counterfactual-runs"], ...]
    """What it needs as well."""

    @property
    def open(self) -> bool:
        """Whether it lacks nothing."""
        return not (self.checks or self.words or self.further)


class Cap(_Part):
    """Whether code that only the controller vouches for can have passed."""

    foreign: bool
    """Whether the controller's own code learns and unlearns; where it does not, nothing is capped."""
    route: RouteName | None
    """The strongest way that is open; null where none is, or none is needed."""
    routes: tuple[Route, ...]
    """Every way, the strongest first; none where none is needed."""
    controller: Route | None = Field(default=None, exclude_if=_undeclared)
    """The one way of a whole controller that is code of the case; null where none is audited, or it is one of ours."""

    @property
    def holds(self) -> bool:
        """Whether it keeps the verdict from pass."""
        return (self.foreign and self.route is None) or (self.controller is not None and not self.controller.open)


class ClaimStanding(_Part):
    """A claim of the controller, and what the audit can say of it."""

    name: str
    """Its key in [claims]."""
    standing: ClaimStatus
    epsilon: float | None = None
    """What one person with all of their records gets, where that is what keeps the claim from standing."""
    delta: float | None = None
    """The same."""


class Weakening(_Part):
    """A setting of the policy, or of the SWAP test, that asks for less than its default."""

    key: str
    declared: float | tuple[str, ...]
    default: float | None
    """Null where the default is no number: one calendar month, every attack."""


class StatedPremise(_Part):
    """A statement on which a pass of this case rests, whether or not anybody attested it, and what is known of it."""

    name: str
    """As `[claims] attested` takes it, where it takes it; else a fact, or what `auditor.verdict.premises` calls it."""
    standing: Literal["examined", "said", "unsaid", "refuted"]
    """Whether a check examined it and found nothing, somebody says it, nobody does, or the run contradicts it."""
    check: str | None = Field(default=None, exclude_if=_undeclared)
    """Id of the check that examined or refuted it."""
    by: str | None = Field(default=None, exclude_if=_undeclared)
    """Who says it."""
    at: date | None = Field(default=None, exclude_if=_undeclared)
    """The day on which they said so; null for a place declared under `[[outside]]`."""


class Descent(StrEnum):
    """Whether something that was made from the model still depends on records that were deleted, as its dates say."""

    NOTHING_DELETED = "nothing-deleted"
    AFTER = "after"
    """It was first made after the model was replaced, from what holds none of them."""
    REMADE = "remade"
    """The same of the last time."""
    RETIRED = "retired"
    """It is neither used nor kept."""
    EARLIER = "earlier"
    """It was made before the model was replaced, and neither again nor retired since."""
    SAME_DAY = "same-day"
    """It was made on the day on which its source was replaced: nobody can say from which."""
    UNDATED = "undated"
    """Nobody says when it was made."""
    OTHER_RELEASE = "other-release"
    """It was made from another release than this one, or the case does not name its release."""
    NOT_REPLACED = "not-replaced"
    """Nobody says from which release it was made, nor since when the model is replaced in use."""
    PLANNED = "planned"
    """It is to be made again, or retired, on a day that lies ahead."""
    SOURCE = "source"
    """What it was made from still depends on them itself."""

    @property
    def open(self) -> bool:
        """Whether it may still depend on deleted records."""
        return self not in {Descent.NOTHING_DELETED, Descent.AFTER, Descent.REMADE, Descent.RETIRED}


class StatedDescendant(Descendant):
    """Something that was made from the model, as declared, and whether it may still depend on deleted records."""

    descent: Annotated[Descent, Field(strict=False)]
    """What its dates come to."""


class Reliance(_Part):
    """What the verdict rests on, and what keeps it from pass though every required check passes."""

    cap: Cap
    claims: tuple[ClaimStanding, ...]
    """Every claim; one that is neither shown nor supported keeps the verdict from pass."""
    unexamined: bool
    """Whether records were deleted and nothing that passes examines the forgetting, which keeps the verdict from pass."""
    contradicted: tuple[str, ...]
    """Attestations that the run refutes, clean preprocessing even where it is not attested: any keeps the verdict from pass."""
    statements: tuple[str, ...]
    """Attestations of the controller without any one of which the verdict would not be a pass; empty where it is not a pass."""
    weakenings: tuple[Weakening, ...]
    left_out: tuple[str, ...]
    """Ids of the checks that decide by default and that the policy does not require."""
    silent: tuple[str, ...] = later("0.2.0", ())
    """Attestations that a pass asks for where records were deleted, and that nobody made: any keeps the verdict from pass."""
    lineage: tuple[str, ...] = later("0.2.0", ())
    """Where the policy asks for `lineage_settled`: things made from the model that may still depend on deleted records, by name;
    any keeps the verdict from pass."""


class StatedLevel(_Part):
    """A statistical test that this case was held to, and how often it rejects where what it tests holds, at most."""

    check: str
    """Id of the check that has it."""
    test: str
    """Its name."""
    effect: Effect
    """What its rejection does: accuses, leaves open, or lets pass."""
    level: float
    apart: bool = Field(default=False, exclude_if=_undeclared)
    """Whether it is left out of the sum and stated on a line of its own."""


class Levels(_Part):
    """How often an honest case like this one would be accused, or left open, by chance: levels of tests, added up."""

    accuses: float
    """The share of honest cases that fail by chance, at most; tests that stand apart are left out."""
    leaves_open: float
    """The share that stays inconclusive by chance at most; a case that is too small is so with certainty, and counts in none."""
    tests: tuple[StatedLevel, ...]
    """Every test; those that stand apart, and those that a pass needs, are in neither sum."""


_REQUESTS: Final = TypeAdapter(list[RequestOutcome], config=ConfigDict(defer_build=True))
_AT_ONCE: Final = 2000


def _as_logged(requests: tuple[RequestOutcome, ...], *, mode: Literal["json", "python"]) -> list[dict[str, Any]]:
    """What most logs leave out is left out here too: a key that is missing has the default of the schema."""
    values: list[dict[str, Any]] = _REQUESTS.dump_python(list(requests), mode=mode, exclude_defaults=True)
    return values


class Evidence(_Part):
    """Everything that one audit found."""

    schema_: Literal["auditor.evidence/2"] = SCHEMA
    verdict: Verdict
    default_policy_verdict: Verdict
    """The verdict over the same findings with [policy] empty and [swap] at its defaults."""
    strength: Strength | None
    """What the pass is worth; null where the verdict is no pass."""
    examined: Examined
    reliance: Reliance
    audit: Audit
    case: CaseFacts
    procedure: ProcedureFacts
    policy: PolicyFacts
    sizes: SizeFacts
    environment: Environment
    deletion_log: DeletionLogFacts
    checks: tuple[Check, ...]
    certificates: tuple[Certificate, ...]
    guarantees: tuple[Guarantee, ...]
    requests: tuple[RequestOutcome, ...]
    controller: ControllerFacts | None = Field(default=None, exclude_if=_undeclared)
    """The whole controller, where one was audited."""
    outside: tuple[OutsidePlace, ...] = Field(default=(), exclude_if=_undeclared)
    """Places beyond the store where the records may be, as declared; no check looks into them."""
    lineage: tuple[StatedDescendant, ...] = later("0.2.0", ())
    """What was made from the model, as declared; whether it still depends on deleted records follows from the dates."""
    receipts: tuple[Receipt, ...] = later("0.2.0", ())
    """Receipts of processors, as declared, each with the digest of its file; no check reads one."""
    parts: tuple[TakenPart, ...] = later("0.2.0", ())
    """Parts of third parties that took part, by name."""
    levels: Levels | None = later("0.2.0")
    """How often chance alone accuses an honest case like this one, or leaves it open; None in documents that do not say."""
    premises: tuple[StatedPremise, ...] = later("0.2.0", ())
    """What a pass of this case rests on, said or unsaid; empty in documents that do not say."""

    model_config = ConfigDict(
        alias_generator=lambda name: "schema" if name == "schema_" else name,
        populate_by_name=True,
    )

    @field_serializer("requests")
    def _requests(self, requests: tuple[RequestOutcome, ...], info: SerializationInfo) -> list[dict[str, Any]]:
        return _as_logged(requests, mode="json" if info.mode_is_json() else "python")

    @property
    def learns(self) -> bool:
        """Whether the case has a procedure that learns: not where it is of a whole controller, or of places, alone."""
        return self.procedure.use not in {"none", "places"}

    @property
    def places_alone(self) -> bool:
        """Whether the case is of places and a log, and of no model."""
        return self.procedure.use == "places"

    @property
    def version(self) -> str:
        """The version that wrote the document, and by whose judges it is judged."""
        return self.audit.auditor_version

    @property
    def reruns(self) -> bool:
        """Whether there was anything to run: not where the case has nothing but answers that models gave."""
        return self.procedure.use != "answers"

    def to_bytes(self) -> bytes:
        """RFC 8785 canonical bytes.

        Raises:
            ValueError: If something in it has no canonical form, such as a number that is not finite.
        """
        parts = self.model_dump(mode="json", by_alias=True, exclude={"requests"})
        written = {name: rfc8785.dumps(part) for name, part in parts.items()}
        # Some at a time: of 100,000 requests as values at once there would be a hundred megabytes.
        some = (_outcomes(self.requests[start : start + _AT_ONCE]) for start in range(0, len(self.requests), _AT_ONCE))
        written["requests"] = b"[%s]" % b",".join(some)
        return b"{%s}" % b",".join(b'"%s":%s' % (name.encode(), written[name]) for name in sorted(written))

    def check(self, check_id: str) -> Check:
        """The check of that id.

        Raises:
            KeyError: If the evidence holds no such check.
        """
        for check in self.checks:
            if check.id == check_id:
                return check
        raise KeyError(check_id)


def _outcomes(requests: tuple[RequestOutcome, ...]) -> bytes:
    """Some requests in RFC 8785 form, without brackets, by Python's own encoder: of 100,000 the general one would take a second.

    It differs from RFC 8785 in floats, large integers and the order of keys outside ASCII alone, and a request has none of them.
    """
    values = _as_logged(requests, mode="json")
    if any(abs(each.get(key) or 0) > LARGEST_INTEGER for each in values for key in ("days", "records", "paused_days")):
        return rfc8785.dumps(values)[1:-1]
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()[1:-1]


def digest(data: bytes) -> str:
    """SHA-256 in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def digest_of(value: Any) -> str:
    """SHA-256 of the RFC 8785 form of a JSON value."""
    return digest(rfc8785.dumps(value))


def case_digest(inputs: Iterable[InputFile]) -> str:
    """SHA-256 over the canonical list of a case's inputs."""
    return digest_of([[item.path, item.sha256] for item in inputs])


def policy_digest(
    required: Sequence[str], settings: Mapping[str, Any], claims: Mapping[str, Any], attested: Sequence[Attested]
) -> str:
    """The digest over everything that was fixed before the run."""
    words = [each.model_dump(mode="json") for each in attested]
    return digest_of([list(required), dict(settings), dict(claims), *([words] if words else [])])
