"""`auditor canonical`: what it drops, rounds, says, writes and refuses."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save

from auditor.case.artifacts import model
from auditor.case.containers import canonical
from auditor.case.files import read_source
from auditor.cli import run
from hostile_files import IN_NPZ, IN_SAFETENSORS, with_member

Captured = pytest.CaptureFixture[str]
VALUES = np.array([0.5, -1.25, 3e-9, -0.0, 7.1])
SECRET = b"a row that was deleted, in 48 bytes of some file"


def given(folder: Path, content: bytes, name: str = "in.safetensors") -> str:
    (folder / name).write_bytes(content)
    return str(folder / name)


def test_what_the_file_held_is_dropped_and_named(tmp_path: Path, capfd: Captured) -> None:
    source, target = given(tmp_path, IN_SAFETENSORS["metadata"](VALUES, SECRET)), tmp_path / "out.safetensors"
    assert run(["canonical", source, "-o", str(target)]) == 0
    found = capfd.readouterr()
    assert "dropped: 108 bytes of metadata" in found.out
    assert hashlib.sha256(target.read_bytes()).hexdigest() in found.out
    assert hashlib.sha256(Path(source).read_bytes()).hexdigest() in found.out
    assert target.read_bytes() == canonical(VALUES, ".safetensors", metadata=True), "loaders of PyTorch's models want the format"


@pytest.mark.parametrize(
    ("name", "content"),
    [(".safetensors", hide(VALUES, SECRET)) for hide in IN_SAFETENSORS.values()]
    + [(".npz", hide(VALUES, SECRET)) for hide in (*IN_NPZ.values(), with_member)]
    + [(".safetensors", save({"parameters": VALUES, "beside": np.frombuffer(SECRET)}))],
)
def test_whatever_a_file_holds_what_is_written_is_canonical(tmp_path: Path, name: str, content: bytes) -> None:
    source, target = given(tmp_path, content, f"in{name}"), tmp_path / f"out{name}"
    assert run(["canonical", source, "-o", str(target), "--quiet"]) == 0
    found = model(read_source(target))
    assert found.beyond == ()
    assert found.parameters.tobytes() == VALUES.tobytes()
    assert SECRET not in target.read_bytes()
    assert SECRET.hex().encode() not in target.read_bytes()


@pytest.mark.parametrize("grid", ["2^-10", "2**-10", "0.0009765625", "9.765625e-04"])
def test_rounding_is_told_and_what_is_written_stays_as_it_is(tmp_path: Path, capfd: Captured, grid: str) -> None:
    source, target = given(tmp_path, canonical(VALUES, ".safetensors")), str(tmp_path / "out.safetensors")
    assert run(["canonical", source, "-o", target, "--grid", grid, "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    rounded = load_file(target)["parameters"]
    assert rounded.tolist() == [0.5, -1.25, 0.0, 0.0, 7.099609375]
    assert not np.signbit(rounded[3])
    assert (found["grid"], found["rounded"], found["dropped"], found["parameters"]) == (2.0**-10, 3, [], 5)
    assert found["largest_change"] == 7.1 - 7.099609375
    assert found["after"] == {
        "path": target,
        "sha256": hashlib.sha256(Path(target).read_bytes()).hexdigest(),
        "bytes": len(Path(target).read_bytes()),
    }
    assert run(["canonical", target, "-o", target, "--grid", grid]) == 0
    said = capfd.readouterr()
    assert "nothing changed: the file was canonical" in said.out
    assert '[model] grid = "2^-10"' in said.err


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_the_type_of_the_elements_stays(tmp_path: Path, kind: type) -> None:
    source, target = given(tmp_path, canonical(VALUES.astype(kind), ".npz"), "in.npz"), str(tmp_path / "out.npz")
    assert run(["canonical", source, "-o", target, "--grid", "2^-8"]) == 0
    with np.load(target) as file:
        assert file["parameters"].dtype == kind
        assert (file["parameters"].astype(np.float64) % 2.0**-8 == 0).all()


def test_the_other_format_can_be_written(tmp_path: Path) -> None:
    source, target = given(tmp_path, canonical(VALUES, ".safetensors")), tmp_path / "out.npz"
    assert run(["canonical", source, "-o", str(target)]) == 0
    assert target.read_bytes() == canonical(VALUES, ".npz")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--grid", "1e-9"], 'expected a power of two, such as "2^-30", found 1e-09'),
        (["--grid", "fine"], "expected a power of two"),
        (["--grid", "nan"], "expected a power of two"),
        (["--grid", "-2"], "expected a power of two"),
        (["--grid", "2^-60"], "expected at least 2^-40 of the largest parameter"),
        (["--grid", "2^3"], "and at most that parameter"),
    ],
)
def test_a_grid_that_does_not_fit_is_bad_usage(tmp_path: Path, capfd: Captured, arguments: list[str], words: str) -> None:
    source, target = given(tmp_path, canonical(VALUES, ".safetensors")), tmp_path / "out.safetensors"
    assert run(["canonical", source, "-o", str(target), *arguments]) == 2
    assert words in capfd.readouterr().err
    assert not target.exists()


@pytest.mark.parametrize(
    ("name", "content", "target", "words"),
    [
        ("in.pkl", b"\x80\x04N.", "out.npz", "a format that is unpickled"),
        ("in.npz", b"no archive", "out.npz", "an .npz file"),
        ("in.npz", canonical(VALUES, ".npz"), "out.bin", "a model in .safetensors or .npz"),
        ("in.safetensors", save({"weights": VALUES}), "out.npz", "a tensor `parameters`"),
        ("in.safetensors", canonical(np.array([np.nan, 1.0]), ".safetensors"), "out.npz", "a finite number"),
        ("in.safetensors", save({"parameters": VALUES.reshape(1, -1)}), "out.npz", "shape (p,)"),
    ],
)
def test_what_is_no_model_file_is_bad_input(
    tmp_path: Path, capfd: Captured, name: str, content: bytes, target: str, words: str
) -> None:
    assert run(["canonical", given(tmp_path, content, name), "-o", str(tmp_path / target)]) == 2
    assert words in capfd.readouterr().err
    assert not (tmp_path / target).exists()


def test_a_file_that_is_not_there_is_bad_input(tmp_path: Path, capfd: Captured) -> None:
    assert run(["canonical", str(tmp_path / "none.npz"), "-o", str(tmp_path / "out.npz")]) == 2
    assert "none.npz" in capfd.readouterr().err
