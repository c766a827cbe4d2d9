"""Whether the files of a case fit together."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from pathlib import Path

import numpy as np

from auditor.base.deletion_log.deletions import replayable
from auditor.base.deletion_log.requests import Request
from auditor.base.domain import Problem
from auditor.base.model_formats import ENDINGS
from auditor.base.parts import named
from auditor.base.records import Dataset, Floats
from auditor.case.artifacts import PICKLED
from auditor.case.declaration import Declaration
from auditor.case.sentences import LEAST_SENTENCES
from auditor.settings.attestations import NO_MODEL
from auditor.settings.builtin import Procedure, entries
from auditor.settings.documents import CaseTable
from auditor.settings.tables import Claims, DataTable, DeletionsTable, Policy, SwapTable
from auditor.settings.values import SHOWN_PER_FILE, show
from auditor.verdict.checks.deleting import LEAST_RECORDS, games

_NORM_SLACK = 1 + 1e-9
"""Up to which a row's norm counts as 1."""


def fit(
    file: str,
    declared: Declaration,
    train: Dataset | None,
    holdout: Dataset | None,
    shipped: Floats | None,
    requests: Sequence[Request] | None = None,
) -> list[Problem]:
    """Every way in which the parts that could be read do not fit each other.

    Args:
        file: The name of audit.toml.
        declared: What it says.
        train: Records, or None where they could not be read.
        holdout: Records for accuracy, or None where there are none or they could not be read.
        shipped: Shape (p,), or None where there is no model or it could not be read.
        requests: The log, or None where it could not be read.
    """
    task = declared.text("data", "task")
    train_name = declared.text("data", "train") or "data.train"
    procedure = declared.procedure
    problems = [
        *_columns(file, declared),
        *_own_format(file, declared),
        *_folders(file, declared),
        *_fits(file, declared),
        *_text(file, declared),
        *_one_run(file, declared),
    ]
    if train is None:
        return problems
    if train.table is not None and "requester" in declared.tables:
        expected = f"no such table: a requester plays with arrays of numbers, and {train_name} is a table of mixed columns"
        problems.append(Problem(file, "requester", expected, "a [requester] table"))
    problems.extend(_in_use_before_update(file, declared, requests or (), train.ids.tolist()))
    problems.extend(_records(file, procedure, train_name, train))
    holdout_name = declared.text("data", "holdout") or "data.holdout"
    problems.extend(_rows(file, declared, [(train_name, train), (holdout_name, holdout)]))
    if declared.text("data", "text") is not None and len(train) < LEAST_SENTENCES:
        problems.append(Problem(train_name, "", f"at least {LEAST_SENTENCES} sentences to learn from", f"{len(train)}"))
    else:
        problems.extend(_games(declared, train_name, len(train)))
    labels = len(np.unique(train.labels))
    if shipped is not None and (task == "regression" or labels >= 2):
        model_name, models = declared.text("model", "path") or "model.path", 0
        if procedure is not None:
            models = procedure.linear_models(labels, classifies=task == "classification")
        problems.extend(_weights(model_name, train_name, train, shipped, models))
    if task == "classification" and labels < 2 and declared.text("data", "text") is None:
        problems.append(Problem(train_name, "labels", "at least two distinct labels", f"{labels}"))
    if holdout is not None:
        problems.extend(_holdout(declared.text("data", "holdout") or "data.holdout", train_name, train, holdout, task))
    return problems


def _in_use_before_update(file: str, declared: Declaration, requests: Sequence[Request], ids: Sequence[str]) -> list[Problem]:
    """A day since which the released model is in use, and on which it still held records that the log had erased later.

    Args:
        file: The name of audit.toml.
        declared: What it says.
        requests: The log.
        ids: Ids of the training records.
    """
    case, deletions = declared.tables.get("case"), declared.tables.get("deletions")
    if not isinstance(case, CaseTable) or case.in_use_since is None:
        return []
    zone = deletions.zone if isinstance(deletions, DeletionsTable) else None
    by_row = {each.row: each for each in requests}
    updates = [
        (request.model_erased_at or batch.executed_at).astimezone(zone or request.received_at.tzinfo).date()
        for batch in replayable(requests, ids)
        for request in map(by_row.__getitem__, batch.rows)
    ]
    last = max(updates, default=case.in_use_since)
    if last <= case.in_use_since:
        return []
    expected = f"no day before {last.isoformat()}: by the log, this model was last updated then"
    return [Problem(file, "case.in_use_since", expected, case.in_use_since.isoformat())]


def denied_models(file: str, declared: Declaration, requests: Sequence[Request]) -> list[Problem]:
    """A word that no model was trained, next to a log that dates the update of one.

    Args:
        file: The name of audit.toml.
        declared: What it says.
        requests: The log.
    """
    claims = declared.tables.get("claims")
    updated = [each.row for each in requests if each.model_erased_at is not None]
    if not updated or not isinstance(claims, Claims) or NO_MODEL not in claims.attested:
        return []
    expected = f"a log in which no model was updated: row {updated[0]} has a model_erased_at"
    return [Problem(file, "claims.attested", expected, f'"{NO_MODEL}"')]


def _own_format(file: str, declared: Declaration) -> list[Problem]:
    """A model file in a library's own format that the procedure does not save, or keys that do not go with the file."""
    path, procedure = declared.text("model", "path"), declared.procedure
    if path is None or procedure is None:
        return []
    own = Path(path).suffix.lower() in ENDINGS
    found = []
    if own and not procedure.saves(path):
        expected = (
            'a .safetensors or .npz file with the array `parameters`; other formats go with use = "estimator" or entry, '
            'and .skops with use = "sklearn" as well'
        )
        found.append(Problem(file, "model.path", expected, show(path)))
    if own and "grid" in (declared.raw.get("model") or {}):
        found.append(Problem(file, "model.grid", "no such key: a file in a library's own format is held to its bytes", "a grid"))
    # A file of another format is refused by itself where it is read: the key is wrong only if the format is meant.
    pickled = Path(path).suffix.lower() in PICKLED
    if declared.text("model", "part") is not None and not pickled and not (own and procedure.saves_steps):
        expected = 'no such key: it goes with use = "estimator" and a file in a library\'s own format'
        found.append(Problem(file, "model.part", expected, show(declared.text("model", "part"))))
    return found


def _one_run(file: str, declared: Declaration) -> list[Problem]:
    """A single run where many models cost next to nothing."""
    swap, procedure = declared.tables.get("swap"), declared.procedure
    if not (isinstance(swap, SwapTable) and swap.mode == "one-run"):
        return []
    if procedure is None or not procedure.solved_together:
        return []
    expected = f'"pairs": "{procedure.built_in}" trains a thousand models in a second, and a single run says less'
    return [Problem(file, "swap.mode", expected, '"one-run"')]


def _records(file: str, procedure: Procedure | None, train_name: str, train: Dataset) -> list[Problem]:
    """Records that the procedure does not take."""
    problems: list[Problem] = []
    if procedure is None:
        return problems
    problems.extend(_picture(file, procedure, train_name, train))
    if procedure.refuses_long_rows:
        problems.extend(_long_rows(train_name, train))
    if train.weights is not None and not procedure.takes_tables:
        expected = 'no such key: of the procedures that weigh records there are use = "estimator" and a class of your own'
        problems.append(Problem(file, "data.weight", expected, "a column"))
    labels = len(np.unique(train.labels))
    if procedure.descent is not None and procedure.descent.loss == "logistic" and labels > 2:
        expected = 'two distinct labels for the loss "logistic" (the loss "softmax" takes more)'
        problems.append(Problem(train_name, "labels", expected, f"{labels}"))
    return problems


def _rows(file: str, declared: Declaration, tables: Sequence[tuple[str, Dataset | None]]) -> list[Problem]:
    """A declared shape or type of rows that the records do not have, or that nothing takes them as."""
    data, procedure = declared.tables.get("data"), declared.procedure
    if not isinstance(data, DataTable) or (data.shape is None and data.dtype == "float"):
        return []
    problems = []
    if procedure is not None and not procedure.shapes_rows:
        expected = 'no such key: use = "torch" and a class of your own alone take rows of a shape or type'
        keys = (("shape", data.shape is not None), ("dtype", data.dtype != "float"))
        problems += [Problem(file, f"data.{key}", expected, "a value") for key, there in keys if there]
    for name, table in tables:
        if table is None:
            continue
        width = table.features.shape[1]
        if data.shape is not None and prod(data.shape) != width:
            problems.append(
                Problem(file, "data.shape", f"numbers with the product {width}, the features of {name}", f"{list(data.shape)}")
            )
        faulty = (
            np.argwhere(table.features != np.round(table.features)) if data.dtype == "integer" else np.zeros((0, 2), dtype=int)
        )
        if len(faulty):
            row, column = faulty[0].tolist()
            expected = 'integers, which [data] dtype = "integer" says that features are'
            problems.append(
                Problem(name, f"features, row {row + 1}, column {column + 1}", expected, f"{table.features[row, column]!r}")
            )
    return problems


def _weights(name: str, train_name: str, train: Dataset, shipped: Floats, models: int) -> list[Problem]:
    """A linear model has one weight a feature for each of its vectors of weights; nothing is known where they are not."""
    width = models * train.features.shape[1]
    if not models or shipped.size == width:
        return []
    each = "one for each feature" if models == 1 else "one for each label and feature"
    return [Problem(name, "parameters", f"{width} elements, {each} of {train_name}", f"{shipped.size}")]


def _fits(file: str, declared: Declaration) -> list[Problem]:
    """What the procedure's entry finds that does not fit it."""
    procedure = declared.procedure
    if procedure is None or procedure.built_in is None:
        return []
    hook = entries()[procedure.built_in].fits
    return [] if hook is None else list(named(hook)(file, procedure, declared))


def _text(file: str, declared: Declaration) -> list[Problem]:
    """A language model without sentences, sentences without one, and keys that a text case has no use for."""
    procedure, name = declared.procedure, declared.text("data", "text")
    if name is None:
        expected = 'text, the name of the column of sentences: use = "ngram" learns from text'
        learns = procedure is not None and procedure.learns_text
        return [Problem(file, "data.text", expected, "no such key")] if learns else []
    problems = []
    if (task := declared.text("data", "task")) == "classification":
        expected = '"regression" for sentences: a model is asked for the logarithm of their probability'
        problems.append(Problem(file, "data.task", expected, show(task)))
    if procedure is not None and not procedure.learns_text:
        found = show(procedure.built_in or procedure.brought)
        problems.append(Problem(file, "data.text", 'no such key without use = "ngram", which alone learns from text', found))
    for table, key, why in (
        ("data", "label", "sentences have no labels"),
        ("data", "sensitivity", "sentences have no weights"),
        ("data", "person", "this version takes each sentence for one person's"),
        ("data", "weight", "sentences have no weights"),
        ("data", "derived_from", "this version compares no sentences"),
        ("data", "store", "this version cannot search a store for sentences"),
        ("model", "path", "counts are no parameters that a file could be held against"),
    ):
        if (given := declared.text(table, key)) is not None:
            problems.append(Problem(file, f"{table}.{key}", f"no such key with data.text: {why}", show(given)))
    return problems


def _games(declared: Declaration, train_name: str, records: int) -> list[Problem]:
    """Too few records for deletion games that the policy limits or requires: it could never be met."""
    policy = declared.tables.get("policy")
    if not isinstance(policy, Policy) or records >= LEAST_RECORDS:
        return []
    limits = ("max_inference", "max_compliance_epsilon", "max_reconstruction")
    asked = [f"policy.{key}" for key in limits if getattr(policy, key) is not None]
    asked += [each for each in policy.required or () if each in games()]
    expected = f"at least {LEAST_RECORDS} records for the deletion games of {', '.join(asked)}"
    return [Problem(train_name, "", expected, f"{records}")] if asked else []


def _picture(file: str, procedure: Procedure, train_name: str, train: Dataset) -> list[Problem]:
    """A network for pictures needs rows that are pictures."""
    shape = procedure.pictured
    width = train.features.shape[1]
    if not isinstance(shape, list) or prod(each for each in shape if isinstance(each, int)) == width:
        return []
    expected = f"channels, height and width whose product is {width}, the number of features of {train_name}"
    return [Problem(file, "procedure.params.shape", expected, f"{shape}")]


def _long_rows(train_name: str, train: Dataset) -> list[Problem]:
    """Rows longer than 1, where the procedure refuses them."""
    with np.errstate(over="ignore"):
        norms = np.linalg.norm(train.features, axis=1)
    longer = np.flatnonzero(norms > _NORM_SLACK)
    expected = 'a norm of at most 1: procedure.row_norms is "refuse"'
    shown = longer[:SHOWN_PER_FILE].tolist()
    problems = [Problem(train_name, f"features, record {row + 1}", expected, f"{norms[row]:.12g}") for row in shown]
    if len(longer) > SHOWN_PER_FILE:
        problems.append(Problem(train_name, "features", expected, f"and {len(longer) - SHOWN_PER_FILE} more"))
    return problems


def _columns(file: str, declared: Declaration) -> list[Problem]:
    table = declared.tables.get("data")
    if not isinstance(table, DataTable):
        return []
    paths = [path for path in (table.train, table.holdout) if path is not None]
    if table.text is not None or any(Path(path).suffix.lower() != ".npz" for path in paths):
        return []
    named = ("id", "label", "sensitivity", "person", "weight", "derived_from", *(() if table.columns is None else ("inputs",)))
    given = [key for key in named if key in table.model_fields_set]
    expected = "no such key: the arrays of an .npz file have fixed names"
    return [Problem(file, f"data.{key}", expected, show(getattr(table, key))) for key in given]


def _folders(file: str, declared: Declaration) -> list[Problem]:
    """Folders that no code of the case reads."""
    data = declared.tables.get("data")
    if not isinstance(data, DataTable) or not data.folders or declared.text("procedure", "entry") is not None:
        return []
    expected = "no folder, for only a procedure of the case's own (entry) reads files"
    return [Problem(file, "data.inputs", expected, show(each)) for each in data.folders]


def _holdout(name: str, train_name: str, train: Dataset, holdout: Dataset, task: str | None) -> list[Problem]:
    problems = []
    width, found = train.features.shape[1], holdout.features.shape[1]
    if width != found:
        problems.append(Problem(name, "features", f"{width} features, as in {train_name}", f"{found}"))
    if task == "classification":
        known = set(train.labels.tolist())
        unseen = [label for label in dict.fromkeys(holdout.labels.tolist()) if label not in known]
        shown = ", ".join(show(label) for label in unseen[:5])
        if unseen:
            more = f" and {len(unseen) - 5} more" if len(unseen) > 5 else ""
            problems.append(Problem(name, "labels", f"labels that {train_name} has", f"{shown}{more}"))
    trained = set(train.ids.tolist())
    both = [(row, text) for row, text in enumerate(holdout.ids.tolist(), start=1) if text in trained]
    expected = f"a record that is not in {train_name}"
    problems.extend(
        Problem(name, f"ids, record {row}", expected, f"{show(text)}, which is") for row, text in both[:SHOWN_PER_FILE]
    )
    if len(both) > SHOWN_PER_FILE:
        problems.append(Problem(name, "ids", expected, f"and {len(both) - SHOWN_PER_FILE} more"))
    return problems
