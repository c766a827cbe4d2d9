"""An audit as a run of MLflow: what it says of itself there, and how it gets there.

The run holds the verdict and everything with a number as tags and metrics, and the files of the audit as artifacts, to the byte:
`auditor verify` agrees with what is downloaded again. Nothing is logged that does not agree with its own evidence.
"""

from __future__ import annotations

import hashlib
import math
import posixpath
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from auditor.base import model_registry
from auditor.base.domain import Problem
from auditor.base.errors import InputError, StorageError
from auditor.pages.words.verdict import sentence_of
from auditor.recheck.files import EVIDENCE, PAGE, REPORT

if TYPE_CHECKING:
    from auditor.document.evidence import Evidence

ARTIFACTS: Final = "audit"
"""The folder of the artifacts in the run."""
_SIGNED: Final = ("statement.dsse.json", "test-result.dsse.json")
_DOCUMENTS: Final = (EVIDENCE, REPORT, PAGE)
_FILES: Final = (*_DOCUMENTS, *_SIGNED, "report.junit.xml", "report.sarif", "report.md")
"""What is logged of a folder. Letters are not: each is for one person."""
_AT_ONCE: Final = 90
"""Tags or metrics of one call; MLflow takes a hundred tags."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run says."""

    name: str
    tags: Mapping[str, str]
    metrics: Mapping[str, float]
    started_ms: int
    """Milliseconds since 1970."""
    finished_ms: int


@dataclass(frozen=True, slots=True)
class Logged:
    """A run as it was logged."""

    run_id: str
    experiment_id: str
    tracking_uri: str
    artifacts: tuple[str, ...]
    run: Run


def described(evidence: Evidence, content: bytes, bound: model_registry.Version | None = None) -> Run:
    """Say of an audit what its run holds.

    Args:
        evidence: Of the audit.
        content: The bytes of evidence.json.
        bound: The registered model whose bytes were audited, where `[model] path` does not name one itself.
    """
    case, audit = evidence.case, evidence.audit
    tags = {
        "auditor.verdict": evidence.verdict.value,
        "auditor.exit_code": str(audit.exit_code),
        "auditor.sentence": sentence_of(evidence),
        "auditor.version": audit.auditor_version,
        "auditor.case": case.name,
        "auditor.case.sha256": case.digest,
        "auditor.evidence.sha256": hashlib.sha256(content).hexdigest(),
        "auditor.quick": str(audit.quick).lower(),
        **{f"auditor.check.{check.id}": check.status.value for check in evidence.checks},
        **{f"auditor.guarantee.{each.id}": each.status.value for each in evidence.guarantees},
    }
    if evidence.strength is not None:
        tags["auditor.grade"] = str(evidence.strength)
    if case.release is not None:
        tags["auditor.release"] = case.release
    tags |= _of_model(evidence, bound)
    return Run(
        f"audit of {case.name}",
        tags,
        dict(_metrics(evidence)),
        _milliseconds(audit.started_at),
        _milliseconds(audit.finished_at),
    )


def audited(evidence: Evidence) -> str | None:
    """Give the SHA-256 of the model file that was audited; None where the audit was of a procedure alone."""
    if evidence.case.model is None:
        return None
    path = posixpath.normpath(evidence.case.model)
    return next((each.sha256 for each in evidence.case.inputs if each.path == path), None)


def _of_model(evidence: Evidence, bound: model_registry.Version | None) -> Iterator[tuple[str, str]]:
    model, sha256 = evidence.case.model, audited(evidence)
    if model is None or sha256 is None:
        return
    yield "auditor.model.sha256", sha256
    version = bound
    if model_registry.is_named(model):
        version = model_registry.named(model, EVIDENCE, "case.model")
    else:
        yield "auditor.model.path", model
    if version is not None:
        yield "auditor.model.uri", version.uri
        yield "auditor.model.name", version.name
        yield "auditor.model.version", version.version


def _metrics(evidence: Evidence) -> Iterator[tuple[str, float]]:
    """Each finite number: of checks with interval and threshold, and what guarantees promise."""
    for check in evidence.checks:
        low, high = check.interval or (None, None)
        given = {"": check.value, ".low": low, ".high": high, ".threshold": check.threshold}
        yield from _finite(check.id, given)
    for guarantee in evidence.guarantees:
        yield from _finite(guarantee.id, {".epsilon": guarantee.epsilon, ".delta": guarantee.delta})
    yield "exit_code", float(evidence.audit.exit_code)


def _finite(name: str, given: Mapping[str, float | None]) -> Iterator[tuple[str, float]]:
    """Those that are finite numbers, as MLflow has them."""
    return ((f"{name}{part}", float(value)) for part, value in given.items() if value is not None and math.isfinite(value))


def _milliseconds(moment: datetime | str) -> int:
    at = moment if isinstance(moment, datetime) else datetime.fromisoformat(moment)
    return round(at.timestamp() * 1000)


def bind(uri: str, evidence: Evidence) -> model_registry.Version:
    """See that a version of a registered model holds the bytes that were audited.

    Raises:
        InputError: If it names no version, or the file there is another one, or none was audited.
        MissingExtraError: If MLflow is not installed.
    """
    version = model_registry.named(uri, "--model", "")
    sha256 = audited(evidence)
    if sha256 is None:
        raise InputError([Problem("--model", "", "an audit with a model file", "one of a procedure alone")])
    found = model_registry.download(version, "--model", "", limit=4 * 1024**3)
    other = hashlib.sha256(found.content).hexdigest()
    if other != sha256:
        raise InputError(
            [Problem("--model", "", f"the file that was audited, SHA-256 {sha256}", f"{found.file} of {uri}, {other}")]
        )
    return version


def gathered(folder: Path, rechecked: Mapping[str, str]) -> dict[str, bytes]:
    """Read what is logged of an audit.

    Args:
        folder: The audit's folder.
        rechecked: The SHA-256 of each document of it that was rechecked, by its name.

    Returns:
        The bytes of each file by its name.

    Raises:
        InputError: If a document is not what was rechecked.
        StorageError: If a file cannot be read.
    """
    try:
        held = {name: path.read_bytes() for name in _FILES if (path := folder / name).is_file()}
    except OSError as error:
        raise StorageError(f"{error.filename}: cannot be read: {error.strerror}") from error
    found = {name: hashlib.sha256(content).hexdigest() for name, content in held.items()}
    problems = [
        Problem(str(folder / name), "", f"the file that was rechecked, SHA-256 {sha256}", found.get(name, "no file"))
        for name in _DOCUMENTS
        if (sha256 := rechecked.get(name)) and found.get(name) != sha256
    ]
    new = (name for name in _DOCUMENTS if name in held and name not in rechecked)
    problems += [Problem(str(folder / name), "", "a document that was rechecked", "one that was not") for name in new]
    if problems:
        raise InputError(problems)
    return held


def log(
    files: Mapping[str, bytes],
    evidence: Evidence,
    run: Run,
    *,
    experiment: str,
    tag_version: bool,
    on_step: Callable[[str], None] | None = None,
) -> Logged:
    """Log an audit as a run, with the tracking server that MLflow is set up with.

    Args:
        files: What is logged, by name, as `gathered` gives it.
        evidence: What is among them.
        run: What the run says.
        experiment: Name of the experiment, which is made where it is missing.
        tag_version: Whether the model's version gets the verdict and the run as tags as well.
        on_step: Takes the name of each file before it is sent.

    Raises:
        MissingExtraError: If MLflow is not installed.
        StorageError: If the server refuses something; a run that was begun is then marked as failed.
    """
    mlflow = model_registry.client_library()
    tell = on_step or (lambda _name: None)
    try:
        client = mlflow.MlflowClient()
        found = client.get_experiment_by_name(experiment)
        place = client.create_experiment(experiment) if found is None else found.experiment_id
        made = client.create_run(place, start_time=run.started_ms, run_name=run.name)
        begun = made.info.run_id
        try:
            _say(mlflow, client, begun, run)
            with tempfile.TemporaryDirectory() as folder:
                for name, content in files.items():
                    tell(name)
                    path = Path(folder) / name
                    path.write_bytes(content)
                    client.log_artifact(begun, str(path), ARTIFACTS)
            if tag_version and "auditor.model.uri" in run.tags:
                about = (run.tags["auditor.model.name"], run.tags["auditor.model.version"])
                for key in ("auditor.verdict", "auditor.evidence.sha256", "auditor.model.sha256"):
                    client.set_model_version_tag(*about, key, run.tags[key])
                client.set_model_version_tag(*about, "auditor.run", begun)
        except BaseException:
            client.set_terminated(begun, "FAILED")
            raise
        client.set_terminated(begun, "FINISHED", end_time=run.finished_ms)
        where = str(mlflow.get_tracking_uri())
    except (mlflow.MlflowException, OSError) as error:
        raise StorageError(
            f"MLflow did not take the run of {evidence.case.name}: {' '.join(str(error).split())[:400]}"
        ) from error
    return Logged(begun, str(place), where, tuple(f"{ARTIFACTS}/{name}" for name in files), run)


def _say(mlflow: Any, client: Any, run_id: str, run: Run) -> None:
    """Send tags and metrics in portions."""
    tags = [mlflow.entities.RunTag(*each) for each in run.tags.items()]
    metrics = [mlflow.entities.Metric(key, value, run.finished_ms, 0) for key, value in run.metrics.items()]
    for first in range(0, max(len(tags), len(metrics)), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        client.log_batch(run_id, metrics=metrics[part], tags=tags[part])
