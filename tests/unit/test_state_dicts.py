"""Model files that hold the `state_dict` of a network: what its module does not determine keeps them from pass."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save as save_arrays
from safetensors.torch import save

from auditor.audit.model_layout import settle
from auditor.base.domain import Status
from auditor.base.errors import InputError
from auditor.base.tensors import KINDS, Layout, Tensor, canonical
from auditor.case import read
from auditor.case.artifacts import state_dict
from auditor.case.files import Source
from auditor.case.rewriting import rewrite
from auditor.pages.words import sentence
from auditor.parts.networks.settings import Torch
from auditor.parts.release.judging.model_reproduced import judge
from auditor.parts.release.observing.rerun import _reproduced as reproduced
from auditor.sandbox import Level
from judging import case_facts, declared
from state_dicts import HONEST, OTHER, PROCEDURE, case_of, in_process, of_torch, parameters, trained, without

BUILT_IN = Torch(model="mlp", epochs=2, rate=0.1, unlearn="fine-tune")


def found(folder: Path, content: bytes, name: str = "model.safetensors", **written: str) -> tuple[Status, str]:
    """What `model.reproduced` says of a file, without a sandbox."""
    case = settle(read(case_of(folder, content, name, **written)), run=in_process(folder), level=Level.PROCESS)
    replay: Any = SimpleNamespace(trajectory=(parameters(),), self_check_difference=0.0)
    observed = reproduced(case, replay, None)
    facts = case_facts(model=name, grid=None if case.settings.model is None else case.settings.model.grid)
    finding = judge(declared(procedure=BUILT_IN, case=facts), observed, {})
    return finding.status, " ".join(sentence(each) for each in finding.reasons)


@pytest.mark.parametrize("written", HONEST.values(), ids=HONEST)
def test_the_state_dict_of_the_rerun_passes(tmp_path: Path, written: Any) -> None:
    status, words = found(tmp_path, written(trained()))
    assert status is Status.PASS, words


@pytest.mark.parametrize(("written", "expected", "part"), OTHER.values(), ids=OTHER)
def test_whatever_the_module_does_not_determine_keeps_it_from_pass(
    tmp_path: Path, written: Any, expected: Status, part: str
) -> None:
    status, words = found(tmp_path, written(trained()))
    assert status is expected, words
    assert part in words


def test_a_header_in_another_order_is_named(tmp_path: Path) -> None:
    content = save(without(trained()))
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    text = json.dumps(dict(reversed(header.items())), separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    status, _ = found(tmp_path, len(text).to_bytes(8, "little") + text + content[8 + length :])
    assert status is Status.INCONCLUSIVE


def test_rounding_to_a_grid_is_allowed_for_tensors_too(tmp_path: Path) -> None:
    tensors = without(trained())
    for name in ("head.weight", "head.bias", "again.weight"):
        tensors[name] = (tensors[name].double() * 2**12).round().div(2**12).float()
    grid = 'grid = "2^-12"\n'
    assert found(tmp_path, save(tensors), grid=grid)[0] is Status.PASS
    assert found(tmp_path, save(tensors))[0] is not Status.PASS
    tensors["base.weight"] = (tensors["base.weight"].double() * 2**12).round().div(2**12).float()
    assert found(tmp_path, save(tensors), grid=grid)[0] is Status.FAIL, "frozen weights are not rounded"


def test_tensors_of_a_file_of_torch_are_compared_and_its_container_never_counts(tmp_path: Path) -> None:
    status, words = found(tmp_path, of_torch(trained()), "model.pt")
    assert status is Status.INCONCLUSIVE
    assert "auditor canonical model.pt -o OUT" in words
    moved = without(trained())
    moved["head.bias"] += 1
    assert found(tmp_path, of_torch(moved), "model.pt")[0] is Status.FAIL


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_refused(tmp_path: Path, value: float) -> None:
    tensors = without(trained())
    tensors["head.bias"][0] = value
    with pytest.raises(InputError, match=r"head\.bias.*finite numbers"):
        read(case_of(tmp_path, save(tensors)))


def test_of_other_procedures_a_model_file_holds_one_array(tmp_path: Path) -> None:
    folder = case_of(tmp_path, save(without(trained())))
    text = (folder / "audit.toml").read_text(encoding="utf-8")
    other = 'use = "certified-removal"\nl2 = 0.1\nsigma = 1.0'
    (folder / "audit.toml").write_text(text.replace(PROCEDURE, other), encoding="utf-8")
    with pytest.raises(InputError, match="the tensor `parameters` and no other"):
        read(folder)


def test_tensors_are_written_as_their_library_writes_them() -> None:
    arrays = {f"z{kind}": np.ones(3, dtype=kind) for kind in KINDS.values() if kind is not None}
    arrays |= {'é\n"/x': np.zeros((), dtype="f4"), "e": np.zeros((0, 3), dtype="f4"), "y": np.ones((2, 2), dtype="f4")}
    for metadata in (None, {"format": "pt"}):
        content = save_arrays(arrays, metadata)
        file = state_dict(Source("model.safetensors", content))
        assert file.tensors is not None
        assert canonical(file.tensors, metadata=metadata is not None) == content
        assert file.beyond == ()


PLACE = {"name": "w", "kind": "F32", "shape": [2], "at": 0, "digest": None, "frozen": False}


@pytest.mark.parametrize(
    "content",
    [
        b"", b"[]", b"{}", b"\xff", b"[" * 100_000,
        *(
            json.dumps({"places": places, "size": size}).encode()
            for places, size in [
                ([PLACE, PLACE], 2), ([{**PLACE, "at": 1}], 2), ([PLACE], 3), ([{**PLACE, "at": -1}], 2),
                ([{**PLACE, "shape": [2**60]}], 2), ([{**PLACE, "kind": "X"}], 2), ([{**PLACE, "at": True}], 2),
                ([{**PLACE, "digest": "0"}], 2), ([{**PLACE, "name": ""}], 2), (7, 2),
            ]
        ),
    ],
)  # fmt: skip
def test_a_layout_that_is_none_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="expected"):
        Layout.read(content)


def test_low_digits_of_large_whole_numbers_are_no_hiding_place() -> None:
    counted = Layout.read(json.dumps({"places": [{**PLACE, "kind": "I64", "shape": [1]}], "size": 1}).encode())
    for number, fits in ((2**53, True), (2**53 + 1, False)):
        values, misfits = counted.vector({"w": Tensor("I64", (1,), number.to_bytes(8, "little"))})
        assert (values is not None and not misfits) == fits


def test_canonical_keeps_the_tensors_and_drops_what_lies_alongside(tmp_path: Path) -> None:
    tensors = without(trained())
    made = rewrite(Source("in.safetensors", save(tensors, {"who": "rec-0001"})), "out.safetensors", grid=None)
    assert made.content == save(tensors)
    assert [each.code for each in made.dropped] == ["model.container.metadata"]
    assert (made.parameters, made.rounded, made.kind) == (35, 0, "float32")
    head = {name: tensors[name] for name in ("head.weight", "head.bias", "again.weight")}
    on_grid = rewrite(Source("in.safetensors", save(head)), "out.safetensors", grid=2.0**-12)
    assert on_grid.rounded
    assert found(tmp_path, on_grid.content, grid='grid = "2^-12"\n')[0] is Status.PASS
    with pytest.raises(InputError, match=r"npz file holds one array"):
        rewrite(Source("in.safetensors", save(head)), "out.npz", grid=None)
