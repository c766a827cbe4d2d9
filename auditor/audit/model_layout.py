"""What the tensors of a model file are: a module says it, in a process that holds neither a record nor the file.

The names, types and shapes of a `state_dict`, and whatever training leaves alone in it, then follow from the case's code and
settings, and no file can say anything by choosing them. A file of PyTorch's is turned into tensors in another process behind the
same barriers, which holds no code of the case.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from auditor.audit.devices import NO_RECORDS
from auditor.audit.replay import limits_of, specification
from auditor.base.domain import Problem
from auditor.base.errors import InputError, ProcedureError
from auditor.base.tensors import Layout, Tensor
from auditor.case import Case
from auditor.case.artifacts import ModelFile, state_dict
from auditor.case.containers import NAME
from auditor.case.files import Source
from auditor.sandbox import Level, Limits, Load, ProcedureSpec, Save
from auditor.sandbox.jobs import Job, Run

_MODEL: Final = "model"
_ANY: Final = b"-"


def settle(case: Case, *, run: Run, level: Level) -> Case:
    """The case with its model file's numbers in the order of `parameters()`; the case itself where they are that already.

    Raises:
        InputError: If the file is one of PyTorch's that weights-only loading refuses.
        ProcedureError: If the module cannot be built, or gives no layout.
        SandboxError: If a sandbox could not be had.
    """
    file = case.model_file
    if file is None or not file.unsettled:
        return case
    spec = specification(case)
    asked = replace(spec, use="torch-layout")
    if spec.use is None:
        asked = replace(spec, use="loop-layout", settings={"settings": dict(spec.settings), "rows": dict(spec.rows or {})})
    tensors = file.tensors if file.tensors is not None else _unpickled(case, file, run=run, level=level)
    steps = (Load(_MODEL, _ANY), Save(_MODEL))
    ((_, saved),) = run([Job("layout of the module", asked, {"train": NO_RECORDS}, steps, limits_of(case), level)])
    if spec.use is None and not saved.content:
        expected = f"the array `{NAME}` of a class that does not derive from TrainingLoop: its tensors have no known order"
        raise InputError([Problem(_named(case), NAME, expected, "tensors by name")])
    try:
        layout = Layout.read(saved.content or b"")
    except ValueError as error:
        raise ProcedureError(f"the layout of the module: {error}") from error
    settled = _settled(file, layout, tensors)
    return replace(case, shipped=settled.parameters, model_file=settled)


def unpickled(content: bytes, name: str, *, run: Run, limits: Limits, level: Level) -> bytes:
    """Turn a file of PyTorch's into safetensors, in the sandbox, by weights-only loading.

    Raises:
        InputError: If that refuses it.
        SandboxError: If a sandbox could not be had.
    """
    spec = ProcedureSpec(use="torch-file", entry=None)
    job = Job("model file", spec, {"train": NO_RECORDS}, (Load(_MODEL, content), Save(_MODEL)), limits, level)
    expected = "the state_dict of a module and nothing else, as torch.save writes it; or the same as .safetensors"
    try:
        ((loaded, saved),) = run([job])
    except ProcedureError as error:
        raise InputError([Problem(name, "", expected, str(error))]) from error
    if saved.content is None:
        found = f"a file that PyTorch does not load with weights alone ({loaded.facts.get('refused')})"
        raise InputError([Problem(name, "", expected, found)])
    return saved.content


def _unpickled(case: Case, file: ModelFile, *, run: Run, level: Level) -> Mapping[str, Tensor]:
    name = _named(case)
    content = unpickled(file.content, name, run=run, limits=limits_of(case), level=level)
    return state_dict(Source(name, content)).tensors or {}


def _named(case: Case) -> str:
    return "the model file" if case.settings.model is None else case.settings.model.path


def _settled(file: ModelFile, layout: Layout, tensors: Mapping[str, Tensor]) -> ModelFile:
    values, misfits = layout.vector(tensors)
    # Where a tensor is missing there are no parameters to compare, and the file is another model's.
    found = np.zeros(0) if values is None else values
    return replace(file, values=found, beyond=(*file.beyond, *misfits), tensors=None, pickled=False)
