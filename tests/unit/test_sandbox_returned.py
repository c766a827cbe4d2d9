"""Arrays from a procedure: whatever the bytes, the answer is a checked array or a ProcedureError."""

import io
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from auditor.base.errors import ProcedureError
from auditor.sandbox import returned


def npy(array, version=None):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=version)
    return file.getvalue()


@pytest.fixture
def folder(tmp_path):
    descriptor = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    yield tmp_path, descriptor
    os.close(descriptor)


@given(
    hnp.arrays(
        st.sampled_from([np.dtype("<f4"), np.dtype("<f8")]),
        hnp.array_shapes(min_dims=0, max_dims=4, min_side=0),
        elements=st.floats(-1e6, 1e6, width=32),
    ),
    st.sampled_from([(1, 0), (2, 0)]),
    st.booleans(),
)
def test_finite_arrays_come_back_as_they_are(array, version, by_column):
    array = np.asfortranarray(array) if by_column and array.ndim else array
    found = returned.array_from(npy(array, version), "here")
    assert found.dtype == np.float64
    assert found.shape == array.shape
    np.testing.assert_array_equal(found, array.astype(np.float64))


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes(content, with_magic):
    content = b"\x93NUMPY\x01\x00" + content if with_magic else content
    try:
        returned.array_from(content, "here")
    except ProcedureError as error:
        assert str(error).startswith("here: expected ")  # noqa: PT017 - any other exception is the failure


@given(st.integers(0, 200), st.binary(min_size=1, max_size=4))
def test_a_good_file_with_bytes_changed(at, put):
    content = npy(np.ones((3, 4)))
    try:
        found = returned.array_from(content[:at] + put + content[at + len(put) :], "here")
    except ProcedureError:
        return
    assert found.size == 12
    assert np.isfinite(found).all()


@given(st.text(alphabet="0123456789, ", max_size=40), st.sampled_from(["<f8", "<f4", "|O", "<i8"]))
def test_any_shape_in_the_header(shape, descr):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}\n".encode()
    content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"\x00" * 16
    try:
        found = returned.array_from(content, "here")
    except ProcedureError:
        return
    assert found.nbytes in {16, 32}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "in the .npy format, found something else"),
        (npy(np.ones(3))[:7], "found something else"),
        (npy(np.ones(3))[:40], "cut short"),
        (npy(np.ones(3))[:-1], "23 bytes, which is not its size"),
        (npy(np.ones(3)) + b"\x00", "25 bytes, which is not its size"),
        (b"\x93NUMPY\x02\x00" + b"\xff\xff\xff\xff" + b" " * 5000, "cut short or unknown"),
        (npy(np.ones(3)).replace(b"(3,)", b"(10000000000000000,)"), "cut short or unknown"),
        (npy(np.ones(3, dtype=">f8")), "found dtype >f8"),
        (npy(np.ones(3, dtype=np.float16)), "found dtype <f2"),
        (npy(np.ones(3, dtype=bool)), "found dtype |b1"),
        (npy(np.array([1.0, np.nan, -np.inf])), "found 2 of 3 not finite"),
    ],
)
def test_files_that_are_refused(content, words):
    with pytest.raises(ProcedureError) as caught:
        returned.array_from(content, "here")
    assert words in str(caught.value)


@given(
    hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2), elements=st.floats(allow_nan=False, allow_infinity=False))
)
def test_accepted_predictions_are_probabilities(array):
    try:
        found = returned.predictions_from(npy(array), "here", rows=array.shape[0], columns=array.shape[1])
    except ProcedureError:
        return
    assert (found >= 0).all()
    assert np.abs(found.sum(axis=1) - 1).max() <= 1e-6


@given(st.integers(1, 5), st.integers(1, 12), st.randoms(use_true_random=False), st.sampled_from([np.float32, np.float64]))
def test_probabilities_are_accepted(rows, columns, random, dtype):
    array = np.array([[random.random() + 0.01 for _ in range(columns)] for _ in range(rows)])
    array = (array / array.sum(axis=1, keepdims=True)).astype(dtype)
    found = returned.predictions_from(npy(array), "here", rows=rows, columns=columns)
    np.testing.assert_array_equal(found, array)


def test_a_file_is_read_once_and_removed(folder):
    path, descriptor = folder
    (path / "file").write_bytes(b"content")
    assert returned.read_file(descriptor, "file", limit=7, where="here") == b"content"
    with pytest.raises(ProcedureError, match="here: expected a regular file in its scratch folder, found no such file"):
        returned.read_file(descriptor, "file", limit=7, where="here")


def test_a_file_beyond_the_limit(folder):
    path, descriptor = folder
    (path / "file").write_bytes(b"content")
    with pytest.raises(ProcedureError, match="a file of at most 6 bytes, found 7 bytes"):
        returned.read_file(descriptor, "file", limit=6, where="here")


def test_only_one_file_is_read(folder):
    path, descriptor = folder
    (path / "model.npz").write_bytes(b"content")
    assert returned.read_only_file(descriptor, limit=10, where="here") == b"content"
    for name in ("one", "two", "three"):
        (path / name).touch()
    with pytest.raises(ProcedureError, match="found several"):
        returned.read_only_file(descriptor, limit=10, where="here")
