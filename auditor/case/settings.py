"""The tables of audit.toml as typed, frozen records, with the defaults that hold where a key is left out.

Numbers are finite and never booleans, unknown keys are errors, and the seed of a procedure, the secret on which a
perturbation's certificate rests, is kept out of every representation, dump and message.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue
from pydantic_core import PydanticCustomError

from auditor.case.problems import show, text_fault, unknown
from auditor.domain import CHECK_IDS

Task: TypeAlias = Literal["classification", "regression"]

LARGEST_INTEGER: Final = 2**53 - 1
"""The largest integer that every JSON reader keeps (RFC 8785, section 3.2.2.3)."""
AUDITED_PROCEDURES: Final = ("certified-removal", "sklearn")
"""Built-in procedures that this version audits."""
DOCUMENTED_PROCEDURES: Final = ("noisy-gd", "torch")
"""Built-in procedures that are named and that this version does not audit."""
LONGEST_TEXT: Final = 1000
"""Characters of a name or path."""
_SEED_DIGITS: Final = 1000


def wrong(expected: str, found: str) -> PydanticCustomError:
    """A validation error that carries both halves of a Problem."""
    return PydanticCustomError("wrong", "expected {expected}, found {found}", {"expected": expected, "found": found})


def _text(value: object) -> object:
    if isinstance(value, str) and (fault := text_fault(value)):
        raise wrong("text without control characters", fault)
    return value


def _seed(value: object) -> int:
    expected = f"an integer of at least 0, or its decimal digits in quotes, at most {_SEED_DIGITS} digits"
    if isinstance(value, str) and re.fullmatch(rf"[0-9]{{1,{_SEED_DIGITS}}}", value):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**_SEED_DIGITS:
        return value
    # The value is a secret, even a wrong one: say no more than that it is wrong.
    raise wrong(expected, "something else (a seed is not shown)")


def _audited(name: str, audited: str, documented: tuple[str, ...], misspelt: tuple[str, ...]) -> BeforeValidator:
    def check(value: object) -> object:
        if value == audited:
            return value
        if value in documented:
            raise wrong(
                f'"{audited}", the only {name} that this version audits', f"{show(value)}, documented but not audited yet"
            )
        if isinstance(value, str):
            raise wrong(*unknown(name, value, misspelt))
        raise wrong(f'"{audited}"', show(value))

    return BeforeValidator(check)


def _use(value: object) -> object:
    if value in AUDITED_PROCEDURES:
        return value
    if value in DOCUMENTED_PROCEDURES:
        audited = " or ".join(f'"{name}"' for name in AUDITED_PROCEDURES)
        raise wrong(
            f"{audited}, the built-in procedures that this version audits", f"{show(value)}, documented but not audited yet"
        )
    if isinstance(value, str):
        raise wrong(*unknown("procedure", value, (*AUDITED_PROCEDURES, *DOCUMENTED_PROCEDURES)))
    raise wrong("the name of a built-in procedure", show(value))


def _no_release_noise(value: object) -> object:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0:
        raise wrong("0: this version audits releases without output noise only", show(value))
    return value


def _check_id(value: object) -> object:
    if isinstance(value, str) and value not in CHECK_IDS:
        raise wrong(*unknown("check", value, CHECK_IDS))
    return value


def _no_repeats(value: object) -> object:
    if isinstance(value, list):
        if not value:
            raise wrong("at least one check id (leave the key out to require every check that applies)", "an empty array")
        words = [item for item in value if isinstance(item, str)]
        if repeated := sorted({word for word in words if words.count(word) > 1}):
            raise wrong("each check id once", f"{show(repeated[0])} more than once")
    return value


Text: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT), BeforeValidator(_text)]
NonNegative: TypeAlias = Annotated[float, Field(ge=0)]
Positive: TypeAlias = Annotated[float, Field(gt=0)]
Inside: TypeAlias = Annotated[float, Field(gt=0, lt=1)]
Fraction: TypeAlias = Annotated[float, Field(ge=0, le=1)]
BelowOne: TypeAlias = Annotated[float, Field(ge=0, lt=1)]
Count: TypeAlias = Annotated[int, Field(ge=1, le=1_000_000_000)]
Seed: TypeAlias = Annotated[int, BeforeValidator(_seed), Field(default=0, repr=False, exclude=True)]


class _Table(BaseModel):
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
        use_attribute_docstrings=True,
    )


class CaseTable(_Table):
    """Who is audited, and for what."""

    name: Text
    release: Text | None = None
    controller: Text | None = None
    contact: Text | None = None


class DataTable(_Table):
    """Where the records lie."""

    train: Text
    """What the model was first trained on, deleted records included."""
    store: Text | None = None
    """What the controller keeps now: a file or a folder."""
    holdout: Text | None = None
    """Records for measuring accuracy only."""
    task: Task
    id: Text = "id"
    """Name of the column of record ids; CSV and Parquet only."""
    label: Text = "label"
    """Name of the column of labels; CSV and Parquet only."""
    sensitivity: Text | None = None
    """Name of the column of sensitivity weights; CSV and Parquet only. Without it every further column is a feature."""


class ModelTable(_Table):
    """The artifact about to be released."""

    path: Text


class DeletionsTable(_Table):
    """Where the deletion log lies."""

    log: Text


class CertifiedRemoval(_Table):
    """The built-in procedure `certified-removal`: loss perturbation and Newton removal (Guo et al. 2020)."""

    use: Annotated[Literal["certified-removal"], BeforeValidator(_use)] = "certified-removal"
    loss: Annotated[Literal["logistic"], _audited("loss", "logistic", ("least-squares",), ("logistic", "least-squares"))] = (
        "logistic"
    )
    l2: Positive
    """The L2 coefficient lambda; the objective adds (l2 n / 2) times the squared norm."""
    sigma: Positive
    """Standard deviation of each component of the random linear term b."""
    perturbation: Annotated[Literal["gaussian"], _audited("perturbation", "gaussian", ("laplace",), ("gaussian", "laplace"))] = (
        "gaussian"
    )
    epsilon: NonNegative | None = None
    delta: Inside | None = None
    tolerance: Positive = 1e-8
    """Largest gradient norm, of the sum objective, at which the optimiser stops."""
    unlearn: Literal["newton", "retrain"] = "newton"
    release_noise: Annotated[float, BeforeValidator(_no_release_noise), Field(ge=0, le=0)] = 0.0
    retrain_at_budget: bool = False
    """Whether the procedure retrains at a batch that would overrun the removal budget."""
    seed: Seed
    """A secret; learn gets seed, the k-th batch seed + k."""


class Sklearn(_Table):
    """The built-in procedure `sklearn`: one estimator of scikit-learn, trained anew at every batch or left as it is."""

    use: Annotated[Literal["sklearn"], BeforeValidator(_use)] = "sklearn"
    estimator: Text
    """The dotted name of a classifier or regressor that scikit-learn lists, such as sklearn.tree.DecisionTreeClassifier."""
    params: dict[str, JsonValue] = Field(default_factory=dict)
    """Its constructor's keyword arguments. The seed takes the place of random_state."""
    unlearn: Literal["retrain", "none"] = "retrain"
    """Whether a batch is answered by training anew on what remains, or not at all."""
    seed: Seed


class Foreign(_Table):
    """The controller's own learning procedure."""

    entry: Text
    """`file.py:ClassName`, the file inside the case folder."""
    params: dict[str, JsonValue] = Field(default_factory=dict)
    """Every other key of the table, JSON values as they stand."""
    seed: Seed

    @property
    def file(self) -> str:
        """The file that holds the class, relative to the case."""
        return self.entry.rpartition(":")[0]

    @property
    def class_name(self) -> str:
        """The name of the class in it."""
        return self.entry.rpartition(":")[2]


class PrivacyClaim(_Table):
    """A claimed (epsilon, delta)."""

    epsilon: NonNegative
    delta: BelowOne


class DataDeletionClaim(_Table):
    """A claimed (q, epsilon)-data-deletion."""

    q: Annotated[float, Field(gt=1)]
    """The Renyi order."""
    epsilon: NonNegative
    adaptive: Annotated[int, Field(ge=0, le=1_000_000_000)] | None = None
    """Models that an adaptive requester may have seen."""


class Claims(_Table):
    """What the controller says."""

    certified_removal: PrivacyClaim | None = None
    data_deletion: DataDeletionClaim | None = None
    dp: PrivacyClaim | None = None


class Policy(_Table):
    """What must hold to pass."""

    required: (
        Annotated[tuple[Annotated[str, BeforeValidator(_check_id)], ...], Field(strict=False), BeforeValidator(_no_repeats)]
        | None
    ) = None
    """Ids of the checks that decide; None where every check that applies does."""
    min_quality: Fraction = 0.95
    max_epsilon: NonNegative | None = None
    max_delta: BelowOne | None = None
    deadline_days: Annotated[int, Field(ge=0, le=36_500)] | None = None
    """Days from receipt to deletion; None means one calendar month."""
    max_accuracy_drop: Fraction | None = None
    min_speedup: Positive | None = None
    max_compliance_epsilon: NonNegative | None = None
    before_and_after: bool = False
    show_reconstructions: bool = False
    use_gaussian_tradeoff: bool = False


class SandboxTable(_Table):
    """The walls around the procedure."""

    timeout_s: Annotated[float, Field(gt=0, le=31_536_000)] = 600.0
    """Seconds for one call."""
    memory_mb: Count | None = None
    isolation: Literal["auto", "strict", "none"] = "auto"


class SwapTable(_Table):
    """Sizes of the SWAP test."""

    pairs: Count = 20
    models: Count = 1
    alpha: Inside = 0.1
    attacks: Annotated[tuple[Text, ...], Field(strict=False)] | None = None
    confidence: Inside = 0.95


class InferenceTable(_Table):
    """Sizes of the deletion inference games."""

    games: Count = 1000
    confidence: Inside = 0.95


class Settings(_Table):
    """All of audit.toml."""

    case: CaseTable
    data: DataTable
    model: ModelTable | None
    """None where the audit speaks of the procedure alone."""
    procedure: CertifiedRemoval | Sklearn | Foreign
    deletions: DeletionsTable
    claims: Claims
    policy: Policy
    sandbox: SandboxTable
    swap: SwapTable
    inference: InferenceTable


TABLES: Final[dict[str, type[BaseModel]]] = {
    "case": CaseTable,
    "data": DataTable,
    "model": ModelTable,
    "deletions": DeletionsTable,
    "claims": Claims,
    "policy": Policy,
    "sandbox": SandboxTable,
    "swap": SwapTable,
    "inference": InferenceTable,
}
"""Every table with fixed keys. The procedure's keys depend on what it uses."""


def json_fault(value: Any, depth: int = 0) -> str | None:  # noqa: PLR0911 - one line a kind
    """Why a value of a free key is no JSON value that every reader keeps, or None where it is one."""
    match value:
        case bool() | None:
            return None
        case str():
            return None if value.isprintable() else "text with control characters"
        case int():
            return None if abs(value) <= LARGEST_INTEGER else f"an integer beyond {LARGEST_INTEGER} (put its digits in quotes)"
        case float():
            return None if value - value == 0 else show(value)
        case list() | dict() if depth >= 16:
            return "more than 16 levels of nesting"
        case list():
            return next((fault for item in value if (fault := json_fault(item, depth + 1))), None)
        case dict():
            return next((fault for item in value.values() if (fault := json_fault(item, depth + 1))), None)
        case _:
            return show(value)
