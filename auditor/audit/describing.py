"""The parts of the evidence that describe: the case, its procedure, the policy, the log, and where it ran.

Nothing is judged here. Secrets stay out: a procedure's seed is given as a salted digest, and of the controller's own settings
whatever is called a seed or a secret is blotted out.
"""

from __future__ import annotations

import hashlib
import os
import platform
import posixpath
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from auditor.audit.devices import Place
from auditor.audit.row_marks import row_marks
from auditor.audit.told_log import ToldLog
from auditor.base import mixed_columns
from auditor.base.deletion_log import deletions
from auditor.base.domain import Code
from auditor.base.foreign_parts import Installed, in_force
from auditor.base.mixed_columns import complete
from auditor.base.records import Floats, Positions
from auditor.case import Case, artifacts
from auditor.document.conclusions import TakenPart
from auditor.document.context import (
    Attested,
    Audit,
    BaseFolder,
    CaseFacts,
    ControllerFacts,
    DeclaredPlace,
    DeletionLogFacts,
    Environment,
    FittedColumns,
    Imported,
    KnownRows,
    PolicyFacts,
    ProcedureFacts,
    ProgramPart,
    SaidOfModel,
    SizeFacts,
    Wall,
)
from auditor.document.evidence import digest, digest_of
from auditor.maths.statistics.columns import are_whole
from auditor.maths.statistics.preprocessing import Kind, fitted_columns
from auditor.maths.statistics.target_encoding import target_encoded, targets_of
from auditor.sandbox import Level, examined
from auditor.sandbox.examination import probe as probe_level
from auditor.settings.controller import ControllerTable, PartTable, controllers
from auditor.settings.tables import Claims
from auditor.verdict.assembly import seed_salt
from auditor.verdict.checks.context import SECRET_BITS
from auditor.verdict.sections import Sections

_SECRET_NAME = re.compile(r"seed|secret|passw|token|credential|private|api_?key", re.IGNORECASE)
PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "torch", "opacus", "pydantic", "jinja2", "weasyprint")
"""Packages whose versions the evidence names."""
COLUMNS_NAMED = 20
"""Columns of one kind that the evidence names; it counts the others."""


def case_facts(case: Case) -> CaseFacts:
    """What was audited."""
    settings = case.settings
    located = {record for request in case.requests if request.executed_at for record in request.record_ids}
    left, known = sum(record not in located for record in case.known_ids), len(case.known_ids)
    return CaseFacts(
        name=settings.case.name,
        release=settings.case.release,
        controller=settings.case.controller,
        contact=settings.case.contact,
        digest="",
        inputs=case.inputs,
        model=settings.model.path if settings.model else None,
        store=settings.data.store,
        training_records=known,
        records_left=left,
        features=case.train.features.shape[1],
        classes=len(np.unique(case.train.labels)) if settings.data.task == "classification" else 0,
        holdout_records=None if case.holdout is None else len(case.holdout),
        known_rows=_known_rows(case),
        parameters=None if case.shipped is None or not case.shipped.size else int(case.shipped.size),
        task=settings.data.task,
        preprocessing=fitted(case),
        grid=settings.model.grid if settings.model else None,
        base=_base(case),
        said_of_model=_said(case),
        purpose=settings.case.purpose,
        dpo=settings.case.dpo,
        authority=settings.case.authority,
        ropa=settings.case.ropa,
        dpia=settings.case.dpia,
        run_by=settings.case.run_by,
        model_part=settings.model.part if settings.model else None,
        in_use_since=settings.case.in_use_since,
        keep_until=settings.case.keep_until,
        places=tuple(DeclaredPlace.model_validate(each.model_dump(exclude={"ids"})) for each in settings.places),
        table=None if settings.people is None else settings.people.table,
    )


def _known_rows(case: Case) -> KnownRows | None:
    """The rows of the holdout that are left out because they equal training records; None where none do."""
    known, whole = case.known, case.whole_holdout
    if whole is None or not known.holdout.size:
        return None
    rows = tuple(int(each) + 1 for each in known.holdout[:COLUMNS_NAMED])
    return KnownRows(count=len(known.holdout), of=len(whole), rows=rows)


def _base(case: Case) -> tuple[BaseFolder, ...]:
    """The folders that the procedure was given."""
    entry = case.settings.procedure.brought
    files = () if case.code is None or entry is None else case.code.inputs
    at = PurePosixPath((entry or "").rpartition(":")[0]).parent
    found = []
    for folder in case.settings.data.folders:
        path = PurePosixPath(posixpath.normpath(folder))
        inside = [len(each.content) for each in files if (at / each.name).is_relative_to(path)]
        found.append(BaseFolder(path=f"{path}/", files=len(inside), bytes=sum(inside)))
    return tuple(found)


def _said(case: Case) -> tuple[SaidOfModel, ...]:
    """What folders of models say of them: those that the procedure was given, and that of the model file."""
    files = dict(case.model_notes)
    entry = case.settings.procedure.brought
    if case.code is not None and entry is not None:
        at = PurePosixPath(entry.rpartition(":")[0]).parent
        files |= {(at / each.name).as_posix(): each.content for each in case.code.inputs}
    folders: dict[PurePosixPath, dict[str, bytes]] = {}
    for name, content in files.items():
        path = PurePosixPath(name)
        folders.setdefault(path.parent, {})[path.name] = content
    found = {f"{path}/": artifacts.said(held) for path, held in sorted(folders.items())}
    return tuple(SaidOfModel(path=path, words=words) for path, words in found.items() if words)


def fitted(case: Case) -> tuple[FittedColumns, ...]:
    """The features that were fitted on deleted records, by kind."""
    if not case.settings.procedure.learns or not case.settings.procedure.reruns:
        return ()
    place = {record: position for position, record in enumerate(case.train.ids.tolist())}
    batches = deletions.replayable(case.requests, place.keys())
    deleted = np.array(sorted(place[record] for batch in batches for record in batch.record_ids), dtype=np.int64)
    places = _fitted_places(case)
    if not places.size:
        return ()
    others = None if case.whole_holdout is None else case.whole_holdout.features[:, places]
    features = case.train.features if places.size == case.train.features.shape[1] else case.train.features[:, places]
    found = fitted_columns(features, deleted, others)
    # Columns are counted from 1.
    columns: dict[Kind, tuple[int, ...]] = {
        kind: tuple(int(places[each.column - 1]) + 1 for each in found if each.kind == kind) for kind in get_args(Kind)
    }
    columns["target-mean"] = tuple(int(places[at]) + 1 for at in _target_encoded(case, features, deleted))
    return tuple(
        FittedColumns(kind=kind, columns=those[:COLUMNS_NAMED], count=len(those)) for kind, those in columns.items() if those
    )


def _target_encoded(case: Case, features: Floats, deleted: Positions) -> tuple[int, ...]:
    """Of some columns of the training data those that hold the labels of categories, those of deleted records among them."""
    whole = case.searched or case.train
    if whole.table is None:
        categories = [column for column in whole.features.T if are_whole(column)]
    else:
        kinds = {mixed_columns.Kind.TEXT, mixed_columns.Kind.INTEGER, mixed_columns.Kind.BOOLEAN}
        categories = [whole.features[:, at] for at, each in enumerate(whole.table) if each.kind in kinds]
    classes = case.settings.data.task == "classification"
    targets = targets_of(case.train.labels, classes=classes)
    found = set(target_encoded(features, deleted, targets, categories))
    if case.whole_holdout is not None:
        # The fit may have covered the holdout as well.
        alongside = case.whole_holdout.features[:, _fitted_places(case)]
        labels = np.concatenate([case.train.labels, case.whole_holdout.labels])
        found |= set(target_encoded(features, deleted, targets_of(labels, classes=classes), alongside=alongside))
    return tuple(sorted(found))


def _fitted_places(case: Case) -> npt.NDArray[np.int64]:
    """The columns that may be what preprocessing made: of a table of mixed columns the fractions that are never missing."""
    train = case.train
    if train.table is None:
        return np.arange(train.features.shape[1])
    return np.flatnonzero(complete(train.table, train.features))


def procedure_facts(case: Case, audit_seed: str) -> ProcedureFacts:
    """The procedure as declared, its seed as a salted digest at most."""
    procedure = case.settings.procedure
    declared: dict[str, Any] = _without_secrets(procedure.model_dump(mode="json", exclude={"seed", "use", "entry", "unlearn"}))
    salt, bits = seed_salt(case.inputs, audit_seed), procedure.seed.bit_length()
    guessable = bits < SECRET_BITS
    return ProcedureFacts(
        use=procedure.built_in,
        entry=procedure.brought,
        unlearn=procedure.unlearns_by,
        settings=declared,
        seed_bits=bits,
        seed_digest=None if guessable else hashlib.sha256(f"{salt}:{procedure.seed}".encode()).hexdigest(),
        seed_salt=None if guessable else salt,
    )


def controller_facts(case: Case) -> ControllerFacts | None:
    """The whole controller as declared; None where none is audited."""
    table = case.settings.controller
    if table is None:
        return None
    said = table.vocabulary
    first, second = table.parts or (None, None)
    return ControllerFacts(
        use=table.use,
        entry=table.entry,
        params=_without_secrets(table.params),
        operations=dict(said.arguments),
        commuting=tuple(sorted(said.commuting)),
        environment=tuple(sorted(said.environment)),
        tape=table.tape_bits,
        games=table.games,
        digest=digest_of_controller(table, case.controller_code, case.controller_parts),
        first=None if first is None else _part(first),
        second=None if second is None else _part(second),
    )


def _part(table: PartTable) -> ProgramPart:
    """One of two programs as declared."""
    said = table.vocabulary
    return ProgramPart(
        use=table.use,
        entry=table.entry,
        params=_without_secrets(table.params),
        operations=dict(said.arguments),
        commuting=tuple(sorted(said.commuting)),
        environment=tuple(sorted(said.environment)),
        hears=dict(table.heard),
    )


def _without_secrets(value: Any) -> Any:
    """A controller's own settings with whatever is called a seed or a secret blotted out, at any depth."""
    match value:
        case dict():
            return {key: "not shown" if _SECRET_NAME.search(key) else _without_secrets(item) for key, item in value.items()}
        case list():
            return [_without_secrets(item) for item in value]
        case _:
            return value


def policy_facts(case: Case) -> PolicyFacts:
    """What had to hold as declared; what follows from it is left to the assembly."""
    policy, claims = case.settings.policy, case.settings.claims
    return PolicyFacts(
        required=(),
        listed=policy.required,
        required_by_default=policy.required is None,
        settings=policy.model_dump(mode="json", exclude={"required", "rationale"}, exclude_none=True),
        claims=claims.model_dump(mode="json", exclude={"attested", "attested_by", "attested_at"}, exclude_defaults=True),
        claims_not_examined=(),
        attested=_attested(claims),
        rationale=policy.rationale,
        digest="",
    )


def _attested(claims: Claims) -> tuple[Attested, ...]:
    """What the controller attests, each with who says so and since when.

    Raises:
        ValueError: If nobody says so.
    """
    by, at = claims.attested_by, claims.attested_at
    if claims.attested and (by is None or at is None):
        raise ValueError("an attestation has to name who attests and since when")
    return () if by is None or at is None else tuple(Attested(name=name, by=by, at=at) for name in claims.attested)


def sections(
    case: Case,
    *,
    audit: Audit,
    environment: Environment,
    log: ToldLog,
) -> Sections:
    """Everything that a document says in addition to what its run observed and what follows from the two."""
    return Sections(
        audit=audit,
        case=case_facts(case),
        procedure=procedure_facts(case, audit.seed),
        policy=policy_facts(case),
        sizes=size_facts(case),
        environment=environment,
        deletion_log=log_facts(case, log),
        requests=log.outcomes,
        outside=case.settings.outside,
        controller=controller_facts(case),
        parts=tuple(_taken(each.installed) for each in in_force()),
        lineage=case.lineage,
        receipts=case.receipts,
    )


def _taken(part: Installed) -> TakenPart:
    return TakenPart(name=part.name, distribution=part.distribution, version=part.version, sha256=part.sha256)


def size_facts(case: Case) -> SizeFacts:
    """The declared sizes of the tests that draw samples."""
    settings = case.settings
    return SizeFacts(swap=settings.swap, inference=settings.inference, release=settings.release, requester=settings.requester)


def environment(level: Level, place: Place | None) -> Environment:
    """Where it ran; the barriers are those that the procedure ran behind."""
    # A procedure that was let out of the strongest level by hand ran behind other barriers, which are tried for themselves;
    # so are barriers that let a GPU through.
    probes = place.probes if place is not None else None
    if probes is None:
        probes = examined().probes if level is examined().level else probe_level(level)
    found: dict[str, str] = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return Environment(
        device="none" if place is None else place.device,
        device_name="no device was asserted" if place is None else place.name,
        isolation=level.value,
        walls=tuple(Wall(name=probe.name, held=probe.held, found=probe.found) for probe in probes),
        capped=False,
        python=platform.python_version(),
        packages=found,
    )


def having_imported(where: Environment, imported: tuple[tuple[Imported, ...], tuple[str, ...]]) -> Environment:
    """The same with the distributions whose code ran, and the places of code that belongs to none."""
    return where.model_copy(update={"imported": imported[0], "imported_elsewhere": imported[1]})


def log_facts(case: Case, log: ToldLog) -> DeletionLogFacts:
    """The deletion log, summed up, without the marks of its rows."""
    return DeletionLogFacts(
        requests=len(case.requests),
        records=len({record for request in case.requests for record in request.record_ids}),
        batches=len(deletions.replayable(case.requests, case.known_ids)),
        overdue=tuple(outcome.request_id for outcome in log.outcomes if outcome.overdue),
        problems=log.problems,
        max_seen_releases=deletions.most_seen(case.requests, case.known_ids),
        columns_not_read=tuple(case.columns_not_read),
        chain_head=deletions.chain_head(case.log_rows),
        timezone=case.settings.deletions.timezone,
        holidays=case.settings.deletions.holidays,
        canaries=len(case.canaries),
    )


def with_row_marks(declared: Sections, case: Case) -> Sections:
    """The same with what lets a later audit of the user's say which rows of the log changed."""
    return replace(declared, deletion_log=declared.deletion_log.model_copy(update={"marks": row_marks(case.requests)}))


def stamp() -> datetime:
    """The time as the evidence states it: the clock's, or the one that SOURCE_DATE_EPOCH fixes for reproducible bytes.

    Deadlines are always judged by the clock.
    """
    fixed = os.environ.get("SOURCE_DATE_EPOCH")
    if fixed is not None and fixed.isdigit():
        return datetime.fromtimestamp(int(fixed), tz=UTC)
    return datetime.now(tz=UTC).replace(microsecond=0)


def digest_of_controller(table: ControllerTable, code: Code | None, parts: Sequence[Code | None] = ()) -> str:
    """SHA-256 over name, parameters and code of a controller: of a built-in one the code is that of this version.

    Args:
        table: As declared.
        code: The case's own; None for a built-in one and for a pair.
        parts: Of a pair, the same of each part.
    """
    if table.parts:
        each = [[*_digested(part, own), dict(part.heard)] for part, own in zip(table.parts, parts, strict=True)]
        return digest_of([table.named, *each])
    return digest_of(_digested(table, code))


def _digested(table: ControllerTable | PartTable, code: Code | None) -> list[Any]:
    listed = _built_in(table.named) if code is None else [[each.name, each.sha256] for each in code.files]
    return [table.named, dict(table.params), listed]


def _built_in(use: str) -> list[list[str]]:
    """Names and digests of the files that lie where a controller of ours does."""
    home = import_module(controllers()[use].build.partition(":")[0].rpartition(".")[0])
    folder = Path(str(home.__file__)).parent
    return [[path.name, digest(path.read_bytes())] for path in sorted(folder.glob("*.py"))]
