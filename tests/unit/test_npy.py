"""Arrays in the .npy format: what NumPy writes comes back, and any other bytes are refused in words."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from auditor.base.npy import NotNpyError, read_array, read_header

KINDS = ["|b1", "|u1", "<i4", ">i8", "<f2", ">f4", "<f8", "<c16", "<U3", "|S5", "<M8[ns]", "|V3"]
TABLE = np.array([("a", 1.5, (1, 2)), ("b", 2.5, (3, 4))], dtype=[("who", "<U4"), ("x", "<f4"), ("pair", "<i2", (2,))])


def written(array: np.ndarray, version: tuple[int, int] | None = None) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=version)
    return file.getvalue()


def headed(header: str, body: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    text = header.encode()
    return b"\x93NUMPY" + version + len(text).to_bytes(2 if version[0] == 1 else 4, "little") + text + body


@given(
    st.sampled_from(KINDS),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
    st.booleans(),
    st.sampled_from([(1, 0), (2, 0)]),
)
def test_what_numpy_writes_comes_back(kind, shape, by_column, version):
    array = np.zeros(shape, dtype=kind, order="F" if by_column else "C")
    found = read_array(written(array, version))
    assert (found.dtype, found.shape) == (array.dtype, array.shape)
    assert found.tobytes() == array.tobytes()


def test_order_and_numbers_are_kept():
    array = np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(read_array(written(np.asfortranarray(array))), array)


@given(st.binary(max_size=300), st.booleans(), st.booleans())
def test_any_bytes(content, with_magic, fields):
    try:
        found = read_array((b"\x93NUMPY\x01\x00" if with_magic else b"") + content, fields=fields)
    except NotNpyError as error:
        assert str(error)  # noqa: PT017 - any other exception is the failure
        return
    assert found.nbytes <= len(content)


@given(st.text(alphabet="[]()',<|f8iOaU0123456789\\ ", max_size=60))
def test_any_list_of_fields(text):
    try:
        found = read_array(headed(f"{{'descr': [({text})], 'fortran_order': False, 'shape': (2,), }}\n", bytes(16)), fields=True)
    except NotNpyError:
        return
    assert found.nbytes == 16


def test_rows_with_fields_only_where_they_are_asked_for():
    found = read_array(written(TABLE), fields=True)
    assert found.dtype == TABLE.dtype
    assert found.tobytes() == TABLE.tobytes()
    with pytest.raises(NotNpyError, match="cut short or unknown"):
        read_array(written(TABLE))


def test_names_of_fields_in_any_script():
    table = np.zeros(2, dtype=[("\u540d\u524d", "<f8")])
    with pytest.warns(UserWarning, match="format 3.0"):
        content = written(table)
    assert read_array(content, fields=True).dtype.names == ("\u540d\u524d",)


@pytest.mark.parametrize("fields", [False, True])
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "something else"),
        (written(np.ones(3))[:20], "cut short"),
        (written(np.ones(3))[:-1], "23 bytes, which is not its size"),
        (written(np.ones(3)) + written(np.ones(3)), "which is not its size"),
        (headed("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n", bytes(8)), "unpickling"),
        (headed("{'descr': 'f8', 'fortran_order': False, 'shape': (1,), }\n", bytes(8)), "cut short or unknown"),
        (headed("{'fortran_order': False, 'descr': '<f8', 'shape': (1,), }\n", bytes(8)), "cut short or unknown"),
        (headed("{'descr': '<f8', 'fortran_order': False, 'shape': (1L,), }\n", bytes(8)), "cut short or unknown"),
        (headed("{'descr': '<f3', 'fortran_order': False, 'shape': (1,), }\n", bytes(3)), "unknown type"),
        (headed("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }" + 10_000 * " " + "\n", bytes(8)), "cut short"),
        (headed("{'descr': '<U0', 'fortran_order': False, 'shape': (99999999999,), }\n"), "0 bytes, which is not its size"),
        (headed(f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({'1, ' * 99}1), }}\n", bytes(8)), "100 dimensions"),
    ],
)
def test_what_is_refused_and_why(content, words, fields):
    with pytest.raises(NotNpyError, match=words):
        read_array(content, fields=fields)


def test_objects_within_fields_are_refused():
    content = headed("{'descr': [('a', '|O')], 'fortran_order': False, 'shape': (1,), }\n", bytes(8))
    with pytest.raises(NotNpyError, match="unpickling"):
        read_array(content, fields=True)


def test_a_header_is_read_and_not_a_byte_more():
    stream = io.BytesIO(written(np.ones((2, 3), dtype="<f4", order="F")))
    header = read_header(stream)
    assert (header.descr, header.shape, header.by_column, header.count) == ("<f4", (2, 3), True, 6)
    assert stream.tell() == header.start
