"""Whole audits of networks whose model file is the `state_dict` of a module, as safetensors or as `torch.save` writes it.

What keeps such a file from pass is in tests/unit/test_state_dicts.py, without a sandbox.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save
from typer.testing import CliRunner

from auditor.base.domain import Status
from auditor.base.errors import InputError
from auditor.cli import app
from cases import audited, check_of
from state_dicts import THIEF, case_of, changed, data, of_torch, trained, without

pytestmark = pytest.mark.slow
BOTH = ("model.reproduced", "data.erased")


def test_the_head_of_a_network_is_reproduced_by_its_tensors_and_loaded_as_it_is(tmp_path: Path) -> None:
    evidence = audited(case_of(tmp_path, save(without(trained(), "base.weight", "base.bias"))), only=BOTH)
    assert check_of(evidence, "model.reproduced").status is Status.PASS
    assert evidence.case.parameters == 8


def test_a_record_in_a_frozen_weight_fails(tmp_path: Path) -> None:
    evidence = audited(case_of(tmp_path, save(changed(trained(), "base.weight"))), only=BOTH)
    assert check_of(evidence, "model.reproduced").status is Status.FAIL


def test_a_head_that_copies_a_record_into_an_unused_buffer_fails(tmp_path: Path) -> None:
    record = torch.tensor(data().features[1], dtype=torch.float32)
    shipped = save(without(trained()) | {"scale": record})
    evidence = audited(case_of(tmp_path, shipped, code=THIEF), only=(*BOTH, "release.exact"))
    assert check_of(evidence, "model.reproduced").status is Status.FAIL
    assert check_of(evidence, "data.erased").status is Status.FAIL
    assert check_of(evidence, "release.exact").status is not Status.PASS


def test_further_members_of_a_file_of_torch_are_searched_and_never_a_pass(tmp_path: Path) -> None:
    stream = io.BytesIO(of_torch(trained()))
    with zipfile.ZipFile(stream, "a") as archive:
        archive.writestr("archive/notes", b"rec-0001")
    evidence = audited(case_of(tmp_path, stream.getvalue(), "model.pt"), only=BOTH)
    assert check_of(evidence, "model.reproduced").status is Status.INCONCLUSIVE
    assert check_of(evidence, "data.erased").status is Status.FAIL


class _Runs:
    def __reduce__(self) -> Any:
        return (print, ("this was run",))


def _running() -> bytes:
    stream = io.BytesIO()
    torch.save({"head.weight": _Runs()}, stream)
    return stream.getvalue()


@pytest.mark.parametrize("content", [_running(), b"", b"PK\3\4", b"{" * 100], ids=["code", "empty", "zip", "text"])
def test_a_file_that_weights_only_loading_refuses_ends_the_audit(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], content: bytes
) -> None:
    with pytest.raises(InputError, match=r"model\.pt.*state_dict"):
        audited(case_of(tmp_path, content, "model.pt"), only=BOTH)
    assert "this was run" not in capfd.readouterr().out


def test_canonical_writes_the_tensors_of_a_file_of_torch(tmp_path: Path) -> None:
    (tmp_path / "model.pt").write_bytes(of_torch(trained()))
    done = CliRunner().invoke(app, ["canonical", str(tmp_path / "model.pt"), "-o", str(tmp_path / "model.safetensors")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "model.safetensors").read_bytes() == save(without(trained()))
