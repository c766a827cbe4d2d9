"""The tables of audit.toml as typed, frozen records, with the defaults that hold where a key is left out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, BeforeValidator, Discriminator, Field, GetCoreSchemaHandler, Tag
from pydantic_core import CoreSchema

from auditor.base.deletion_log import working_days
from auditor.settings.attestations import ATTESTABLE
from auditor.settings.builtin import Procedure, entries, entry_of, one_of
from auditor.settings.controller import ControllerTable, NothingLearned, RequesterTable
from auditor.settings.documents import CaseTable, OutsidePlace
from auditor.settings.learning import Foreign
from auditor.settings.lineage import Descendant
from auditor.settings.places import PeopleTable, PlacesAlone, PlaceTable
from auditor.settings.receipts import Receipt
from auditor.settings.values import (
    BelowOne,
    Count,
    Day,
    Deletions,
    Fraction,
    Inside,
    NonNegative,
    Positive,
    PowerOfTwo,
    Seed,
    Share,
    Table,
    Text,
    show,
    unknown,
    wrong,
)


# The table [answers], for models that nobody can train again: what they answered, as the controller wrote it down.
class AnswersTable(Table):
    """Tables of what models answered, a row for each record."""

    after: Text
    """By the model after the deletions, about deleted, retained and holdout records."""
    before: Text | None = None
    """By the model before the deletions, about the same records."""
    retrained: Text | None = None
    """By a model that was trained without the deleted records, about the same records."""


class AnswersOnly(Procedure):
    """What stands for [procedure] where there are answers alone: nothing can be run, so that no check runs anything."""

    use: Literal["answers"] = "answers"
    seed: Seed

    @property
    def reruns(self) -> bool:
        """Nothing."""
        return False


Task: TypeAlias = Literal["classification", "regression"]


def _attestable(value: object) -> object:
    if isinstance(value, str) and value not in ATTESTABLE:
        raise wrong(*unknown("attestation", value, ATTESTABLE))
    return value


def _each_once(value: object) -> object:
    words = [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
    if repeated := sorted({word for word in words if words.count(word) > 1}):
        raise wrong("each name once", f"{show(repeated[0])} more than once")
    return value


def _no_repeats(value: object) -> object:
    if isinstance(value, list):
        if not value:
            raise wrong("at least one check id (leave the key out to require every check that applies)", "an empty array")
        words = [item for item in value if isinstance(item, str)]
        if repeated := sorted({word for word in words if words.count(word) > 1}):
            raise wrong("each check id once", f"{show(repeated[0])} more than once")
    return value


class DataTable(Table):
    """Where the records lie."""

    train: Text
    """What the model was first trained on, deleted records included."""
    store: Text | None = None
    """What the controller keeps now: a file or a folder."""
    holdout: Text | None = None
    """Records that the model never saw, for measuring accuracy; they are searched for deleted records as the store is."""
    task: Task
    """What the labels are: classes, or numbers."""
    id: Text = "id"
    """Name of the column of record ids; CSV and Parquet only."""
    label: Text = "label"
    """Name of the column of labels; CSV and Parquet only."""
    sensitivity: Text | None = None
    """Name of the column of sensitivity weights; CSV and Parquet only. Without it every further column is a feature."""
    text: Text | None = None
    """Name of the column of sentences, from which a language model learns, in a table that holds them and the ids and nothing
    else; words are split at white space; CSV and Parquet only."""
    person: Text | None = None
    """Name of the column that says whose a record is, where people have several; CSV and Parquet only; no procedure gets it. A
    request for one of a person's records, or for the person, is for all of them but those that another row of the log names."""
    weight: Text | None = None
    """Name of the column of weights, at least 0, that a procedure is given as `data.weights`, and an `estimator` as
    `sample_weight`; CSV and Parquet only."""
    derived_from: Text | None = None
    """Name of the column that holds the id of the record that a row was made from, as by noise, interpolation or mirroring, or
    several with `;` between them; empty for others; CSV and Parquet only; no procedure gets it. Rows made from deleted records
    have to be deleted as well."""
    inputs: Annotated[tuple[Text, ...] | None, Field(strict=False), BeforeValidator(_each_once)] = None
    """Names of the columns that a procedure gets, in this order; None for all that have no role. Ids are among them only if they
    are named here; CSV and Parquet only. A name that ends with a slash is a folder of files, such as base weights, that the
    case's own code may read."""
    shape: Annotated[tuple[Count, ...] | None, Field(strict=False, min_length=1, max_length=7)] = None
    """What a network takes the features of a record as, such as [1, 28, 28] for a picture or [32] for 32 words; None for flat."""
    dtype: Literal["float", "integer"] = "float"
    """Whether features are numbers, or integers such as the words of a text, which a network takes as int64."""
    store_columns: Annotated[tuple[Text, ...], Field(strict=False), BeforeValidator(_each_once)] = ()
    """Names of columns that the store has alongside those of `train`."""

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The names in `inputs` that are columns; None where none is."""
        named = tuple(each for each in self.inputs or () if not each.endswith("/"))
        return None if self.inputs is None or (not named and self.folders) else named

    @property
    def folders(self) -> tuple[str, ...]:
        """The names in `inputs` that are folders."""
        return tuple(each for each in self.inputs or () if each.endswith("/"))

    @property
    def says_more(self) -> bool:
        """Whether columns have roles that only tables know: whose a record is, what it weighs, which are handed over."""
        return any(each is not None for each in (self.person, self.weight, self.derived_from, self.columns))


GRID_OVER_LARGEST: Final = 2.0**-40
"""A grid is at least this times the largest absolute parameter."""


class ModelTable(Table):
    """The artifact about to be released."""

    path: Text
    """The file inside the case folder: .safetensors or .npz with the array `parameters`; of a network also the `state_dict` of
    its module as .safetensors or .pt; or a library's own format: LightGBM's .txt or .json, XGBoost's .json or .ubj, .skops,
    .onnx. Or `models:/NAME/VERSION`: such a file of a model in your MLflow registry."""
    part: Text | None = None
    """The step of a pipeline that the file holds, where it does not hold all of it; the audit covers no other step's file. With
    `use = "estimator"` and a library's own format alone; with `prepare` also `"estimator"`, what `build` gives."""
    grid: PowerOfTwo | None = None
    """The power of two that every parameter of it is a multiple of; None where it is compared with the rerun bit for bit."""


def _zone(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        ZoneInfo(value)
    except (OSError, ValueError, ZoneInfoNotFoundError) as error:
        raise wrong('the name of a time zone, such as "Europe/Berlin"', show(value)) from error
    return value


def _holidays(value: tuple[date, ...]) -> tuple[date, ...]:
    if (wrongly := working_days.fault(value)) is not None:
        most = (
            f"at most {working_days.MOST_IN_A_YEAR} a year, and {working_days.MOST_IN_A_ROW} days in a row without a working day"
        )
        raise wrong(f"the public holidays of one place, each once: {most}", wrongly)
    return tuple(sorted(value))


class DeletionsTable(Table):
    """Where the deletion log lies."""

    log: Text
    """The file inside the case folder: .jsonl, .csv or .parquet."""
    timezone: Annotated[Text | None, BeforeValidator(_zone)] = None
    """The zone in whose calendar deadlines are counted; None for the offset of each receipt."""
    holidays: Annotated[tuple[Day, ...], Field(strict=False), AfterValidator(_holidays)] = ()
    """Public holidays where you have to answer, as dates: in the EU and the UK a deadline that falls on one, or on a weekend,
    ends with the next working day. Without any, weekends alone count."""

    @property
    def zone(self) -> ZoneInfo | None:
        """The zone itself."""
        return None if self.timezone is None else ZoneInfo(self.timezone)


class PrivacyClaim(Table):
    """A claimed (epsilon, delta)."""

    epsilon: NonNegative
    """The claimed epsilon."""
    delta: BelowOne
    """The claimed delta."""


class DataDeletionClaim(Table):
    """A claimed (q, epsilon)-data-deletion."""

    q: Annotated[float, Field(gt=1)]
    """The Renyi order."""
    epsilon: NonNegative
    """The claimed epsilon, a Renyi divergence at that order."""
    adaptive: Annotated[int, Field(ge=0, le=1_000_000_000)] | None = None
    """Models that an adaptive requester may have seen."""


class Claims(Table):
    """What the controller says."""

    retraining: bool = False
    """That every batch is answered by training from scratch on the records that remain."""
    history_independent: bool = False
    """That a model is a function of the records that are there, whatever was added and deleted before, and in whatever order."""
    certified_removal: PrivacyClaim | None = None
    """That a release is as if the deleted records had never been learned, within epsilon and delta."""
    data_deletion: DataDeletionClaim | None = None
    """That a later model says no more than this of what was deleted."""
    dp: PrivacyClaim | None = None
    """That training was differentially private."""
    attested: Annotated[
        tuple[Annotated[str, BeforeValidator(_attestable)], ...], Field(strict=False), BeforeValidator(_each_once)
    ] = ()
    """Names of what the controller alone can know, and puts its name to."""
    attested_by: Text | None = None
    """Who says so: a person, by name or by office."""
    attested_at: Day | None = None
    """The day on which they said so."""


CLAIMED: Final = ("certified_removal", "data_deletion", "dp", "history_independent", "retraining")
"""Keys of [claims] that are claims, which bind the verdict; the others are what the controller attests, and who does."""


def _with_a_threshold(value: object) -> object:
    known = sorted({*Policy.model_fields} - {"rationale"}) + [
        f"{name}.{key}" for name in _SIZES for key in TABLES[name].model_fields
    ]
    if isinstance(value, str) and value not in known:
        raise wrong(*unknown("key", value, known))
    return value


class Policy(Table):
    """What must hold to pass."""

    required: Annotated[tuple[str, ...], Field(strict=False), BeforeValidator(_no_repeats)] | None = None
    """Ids of the checks that decide; None where every check that applies does."""
    min_quality: Fraction = 0.95
    """The least quality of unlearning in the SWAP test; 1 is that of training from scratch."""
    max_epsilon: NonNegative | None = None
    """The largest epsilon that any certificate may have, in its own units."""
    max_delta: BelowOne | None = None
    """The largest delta that any certificate may have."""
    deadline_days: Annotated[int, Field(ge=0, le=36_500)] | None = None
    """Days from receipt to the answer; None for what the law of the request gives, in the EU one calendar month."""
    max_accuracy_drop: Fraction | None = None
    """The largest loss of accuracy against the retrained model."""
    min_speedup: Positive | None = None
    """How many times faster than retraining an unlearning has to be."""
    max_inference: Share | None = None
    """The share of games of deletion inference that an adversary may win; guessing wins one half."""
    max_reconstruction: Fraction | None = None
    """The share of games of reconstruction that an adversary may win."""
    max_compliance_epsilon: Fraction | None = None
    """The same as max_inference as an advantage: e is read as (1 + e)/2."""
    before_and_after: bool = False
    """Whether somebody may see the model before a deletion as well as after it, which asks for the deletion games."""
    show_reconstructions: bool = False
    """Whether the report may print what was rebuilt of a deleted record."""
    use_gaussian_tradeoff: bool = False
    """Whether a bound on the whole trade-off may be used, which is tighter than the Renyi divergence."""
    lineage_settled: bool = Field(default=False, exclude_if=lambda value: not value)
    """Whether nothing passes while anything under [[lineage]] may still depend on deleted records, or nobody attests
    lineage-complete."""
    rationale: dict[Annotated[str, BeforeValidator(_with_a_threshold)], Text] = Field(default_factory=dict)
    """Why a value is what it is, by its key: one of [policy], or one of [swap], [inference] or [release] with the table's name,
    such as swap.pairs. No digest of the policy covers it."""


class SandboxTable(Table):
    """The barriers around the procedure."""

    timeout_s: Annotated[float, Field(gt=0, le=31_536_000)] = 600.0
    """Seconds for one call."""
    memory_mb: Count | None = None
    """Mebibytes of one job; None where jobs share half of what is free."""
    isolation: Literal["auto", "strict", "none"] = "auto"
    """`auto`: the strongest barriers there are; `strict`: confined or better, or no audit; `none`: by hand, and then no pass."""


class SwapTable(Table):
    """Sizes of the SWAP test."""

    pairs: Count = 20
    """Pairs of training sets that are played."""
    models: Count = 1
    """Models trained on each side of a pair."""
    alpha: Inside = 0.1
    """The share of a training set that is forgotten."""
    attacks: Annotated[tuple[Text, ...], Field(strict=False)] | None = None
    """Names of the attacks to play; None for all."""
    confidence: Inside = 0.95
    """With which the intervals hold jointly."""
    mode: Annotated[Literal["pairs", "one-run"], one_of("mode", ("pairs", "one-run"))] = Field(
        default="pairs", exclude_if=lambda mode: mode == "pairs"
    )
    """Swap pairs, or guesses at the members of one model: three trainings, which can refute and never passes."""


def _not_yet(value: object) -> object:
    if value is not None:
        raise wrong("no influence: this version does not compare the influence of the deleted records yet", show(value))
    return value


class ReleaseTable(Table):
    """How closely the release itself is examined."""

    models: Count = 39
    """Retrained models that it is compared with."""
    influence: Annotated[Count | None, BeforeValidator(_not_yet)] = None
    """Random sets that the influence of the deleted records is compared with; None for no comparison."""


class InferenceTable(Table):
    """Sizes of the deletion inference games."""

    games: Count = 1000
    """Games of each check."""
    confidence: Inside = 0.95
    """With which the intervals hold."""
    deletions: Deletions = Field(default=1, exclude_if=lambda value: value == 1)
    """Up to how many deletions somebody sees, all but one of them of their own choice: from 2 on the games of `inference.example`
    and `inference.instance` are also played with those, before and after the deletion in question, and decide with the others."""


STAND_INS: Final[Mapping[str, type[Procedure]]] = {
    "answers": AnswersOnly,
    "none": NothingLearned,
    "places": PlacesAlone,
}
"""What stands for [procedure] in cases that run none, by the name that a result gives it."""
_ENTRY: Final = "entry"
"""Tags the table of the controller's own procedure, which has no `use`."""


class AnyProcedure:
    """Validates as the table of any procedure: the union is made of the entries when the first one is read."""

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Make the union, told apart by `use`."""
        tables = {_ENTRY: Foreign, **STAND_INS, **{use: entry.table for use, entry in entries().items()}}
        tagged = tuple(Annotated[table, Tag(use)] for use, table in tables.items())
        return handler.generate_schema(Annotated[reduce(or_, tagged), Discriminator(_used)])


def _used(value: Any) -> str:
    used = value.get("use") if isinstance(value, dict) else getattr(value, "use", None)
    return used if isinstance(used, str) else _ENTRY


def declared_procedure(use: str | None, entry: str | None, unlearn: str | None, settings: Mapping[str, Any]) -> Procedure:
    """Read a procedure's table as a result states it; its seed, which no result holds, is left at 0.

    Raises:
        KeyError: If no procedure of this installation has that name.
        pydantic.ValidationError: If no table of this version could have been stated so.
    """
    table: type[Procedure] = Foreign
    if use is not None and use in STAND_INS:
        table = STAND_INS[use]
    elif use is not None:
        if (found := entry_of(use)) is None:
            raise KeyError(use)
        table = found.table
    named = {"use": use, "entry": entry, "unlearn": unlearn}
    return table.model_validate({**settings, **{key: value for key, value in named.items() if value is not None}})


class Settings(Table):
    """All of audit.toml."""

    case: CaseTable
    data: DataTable
    model: ModelTable | None
    """None where the audit covers the procedure alone."""
    procedure: Annotated[Procedure, AnyProcedure()]
    deletions: DeletionsTable
    claims: Claims
    policy: Policy
    sandbox: SandboxTable
    swap: SwapTable
    inference: InferenceTable
    release: ReleaseTable
    requester: RequesterTable | None = None
    """None where no adaptive requester plays."""
    controller: ControllerTable | None = None
    """None where no whole controller is audited."""
    answers: AnswersTable | None = None
    """None where a procedure is rerun; otherwise all that there is."""
    outside: tuple[OutsidePlace, ...] = ()
    """Places beyond the store, as declared."""
    lineage: tuple[Descendant, ...] = ()
    """What was made from the model, as declared."""
    receipts: tuple[Receipt, ...] = ()
    """Receipts of processors, as declared."""
    places: tuple[PlaceTable, ...] = ()
    """Places that are searched; none but where there are places alone."""
    people: PeopleTable | None = None
    """Who was in them; None where nobody says it, and where something learns."""


TABLES: Final[dict[str, type[BaseModel]]] = {
    "answers": AnswersTable,
    "case": CaseTable,
    "data": DataTable,
    "model": ModelTable,
    "deletions": DeletionsTable,
    "claims": Claims,
    "policy": Policy,
    "sandbox": SandboxTable,
    "swap": SwapTable,
    "inference": InferenceTable,
    "release": ReleaseTable,
    "requester": RequesterTable,
    "controller": ControllerTable,
}
"""Every table with fixed keys. The procedure's keys depend on what it uses."""
_SIZES: Final = ("swap", "inference", "release")
"""Tables whose sizes decide alongside [policy] what a run can show."""
