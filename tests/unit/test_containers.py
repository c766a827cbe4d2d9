"""The container of a model file: one form an array determines, and every place in which a file can hold more."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from safetensors.numpy import load, save

from auditor.base.errors import InputError
from auditor.case.artifacts import model, model_in
from auditor.case.containers import Suffix, beyond, canonical, states_format
from auditor.case.files import Source
from auditor.pages.words import sentence
from hostile_files import IN_NPZ, IN_SAFETENSORS, Hide, with_member, with_repeated_metadata

VALUES = np.array([0.5, -1.25, 3e-9, 0.0, 7.0])
SECRET = np.array([5.1, 3.5, 1.4, 0.2]).tobytes()
FLOATS = [np.dtype(kind) for kind in ("f8", "f4", "f2")]


def file(suffix: Suffix, content: bytes) -> Source:
    return Source(f"model{suffix}", content)


@pytest.mark.parametrize("kind", FLOATS)
@given(data=st.data())
def test_the_canonical_form_is_what_the_formats_own_libraries_read_and_write(kind: np.dtype, data: st.DataObject) -> None:
    any_bits = data.draw(arrays.arrays(np.dtype(f"u{kind.itemsize}"), st.integers(1, 200))).view(kind)
    values = np.where(np.isfinite(any_bits), any_bits, kind.type(0))
    plain = canonical(values, ".safetensors")
    assert plain == save({"parameters": values})
    assert load(plain)["parameters"].tobytes() == values.tobytes()
    named = canonical(values, ".safetensors", metadata=True)
    assert named == save({"parameters": values}, metadata={"format": "pt"})
    assert (states_format(plain), states_format(named)) == (False, True)
    stored, numpys = canonical(values, ".npz"), io.BytesIO()
    np.savez(numpys, parameters=values)
    with np.load(io.BytesIO(stored), allow_pickle=False) as members:
        assert members.files == ["parameters"]
        assert members["parameters"].tobytes() == values.tobytes()
    for content in (plain, named, stored, numpys.getvalue()):
        found = model_in(content)
        assert found.beyond == ()
        assert found.values.tobytes() == values.tobytes()


@pytest.mark.parametrize("hide", IN_SAFETENSORS.values(), ids=IN_SAFETENSORS)
def test_what_a_safetensors_file_holds_beyond_its_array_is_named(hide: Hide) -> None:
    found = model(file(".safetensors", hide(VALUES, SECRET)))
    assert found.values.tobytes() == VALUES.tobytes(), "the array is the same"
    assert found.beyond
    assert all(sentence(each) for each in found.beyond)


@pytest.mark.parametrize("hide", IN_NPZ.values(), ids=IN_NPZ)
def test_what_an_npz_file_holds_beyond_its_array_is_named(hide: Hide) -> None:
    found = model(file(".npz", hide(VALUES, SECRET)))
    assert found.parameters.tobytes() == VALUES.tobytes(), "the array is the same"
    assert found.beyond
    assert all(sentence(each) for each in found.beyond)


@pytest.mark.parametrize(
    ("suffix", "hide", "code"),
    [
        (".safetensors", IN_SAFETENSORS["metadata"], "metadata"),
        (".safetensors", IN_SAFETENSORS["a repeated tensor"], "repeated"),
        (".safetensors", IN_SAFETENSORS["spaces"], "header"),
        (".safetensors", IN_SAFETENSORS["an unknown key"], "header"),
        (".safetensors", IN_SAFETENSORS["padding"], "padding"),
        (".npz", IN_NPZ["a comment"], "comment"),
        (".npz", IN_NPZ["a member's comment"], "comment"),
        (".npz", IN_NPZ["an extra field"], "extra"),
        (".npz", IN_NPZ["an extra field before the data alone"], "extra"),
        (".npz", IN_NPZ["a date"], "date"),
        (".npz", IN_NPZ["bytes before"], "gap"),
        (".npz", IN_NPZ["bytes between"], "gap"),
        (".npz", IN_NPZ["deflate"], "compressed"),
        (".npz", IN_NPZ["another version of the header"], "npy"),
        (".npz", IN_NPZ["padding of the header"], "npy"),
        (".npz", IN_NPZ["attributes"], "other"),
    ],
)
def test_each_place_has_its_own_name(suffix: Suffix, hide: Hide, code: str) -> None:
    assert f"model.container.{code}" in {each.code for each in model(file(suffix, hide(VALUES, SECRET))).beyond}


def test_numbers_of_bytes_are_told() -> None:
    found = model(file(".npz", IN_NPZ["bytes between"](VALUES, SECRET))).beyond
    assert [dict(each.parameters) for each in found] == [{"bytes": len(SECRET)}]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(canonical(VALUES, ".safetensors") + SECRET, id="bytes behind the tensor"),
        pytest.param(save({"parameters": VALUES, "beside": np.frombuffer(SECRET)}), id="a second tensor"),
        pytest.param(with_repeated_metadata(VALUES, SECRET), id="metadata twice"),
        pytest.param(with_member(VALUES, SECRET), id="a second member"),
        pytest.param(canonical(VALUES, ".npz") + SECRET, id="bytes behind the archive"),
        pytest.param(canonical(VALUES.reshape(1, -1), ".npz"), id="a further dimension"),
        pytest.param(canonical(np.where(VALUES == 0, np.nan, VALUES), ".npz"), id="NaN, which has 51 free bits"),
    ],
)
def test_what_is_no_model_file_at_all_is_refused(content: bytes) -> None:
    try:
        found = model_in(content)
    except InputError:
        return
    assert found.beyond, "what is read must not pass for canonical"


@given(at=st.integers(0, 10**6), bit=st.integers(0, 7), suffix=st.sampled_from([".safetensors", ".npz"]))
def test_a_canonical_file_with_one_bit_turned_is_another_array_or_not_canonical(at: int, bit: int, suffix: Suffix) -> None:
    content = bytearray(canonical(VALUES, suffix))
    content[at % len(content)] ^= 1 << bit
    try:
        found = model(file(suffix, bytes(content)))
    except InputError:
        return
    assert found.beyond or found.values.tobytes() != VALUES.tobytes() or found.values.dtype != VALUES.dtype


def test_reading_needs_no_more_than_the_bytes(tmp_path: Path) -> None:
    # What cannot be taken apart is not canonical all the same.
    assert [each.code for each in beyond(b"", VALUES, ".npz")] == ["model.container.other"]
    assert [each.code for each in beyond(b"\xff" * 40, VALUES, ".safetensors")] == ["model.container.other"]
    assert beyond((10**6).to_bytes(8, "little") + b"[" * 10**6, VALUES, ".safetensors")
