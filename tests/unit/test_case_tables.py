from __future__ import annotations

import io
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from safetensors.numpy import save

from auditor.base.errors import InputError
from auditor.case.artifacts import read_model
from auditor.case.tables import read_dataset
from auditor.settings.tables import DataTable
from case_examples import npz, records

TABLE = DataTable(train="t", task="classification")


def dataset(tmp_path, name: str, data: bytes, task="classification", table: DataTable = TABLE):
    (tmp_path / name).write_bytes(data)
    return read_dataset(tmp_path / name, table, task=task)


def problems(tmp_path, name: str, data: bytes, task="classification", table: DataTable = TABLE):
    with pytest.raises(InputError) as caught:
        dataset(tmp_path, name, data, task, table)
    return caught.value.problems


def model_problems(tmp_path, name: str, data: bytes):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_model(tmp_path / name)
    return caught.value.problems


def parquet(table: dict) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(table), sink)
    return sink.getvalue()


def archive(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        for name, data in members.items():
            packed.writestr(f"{name}.npy", data)
    return stream.getvalue()


def repacked(data: bytes, packing: int) -> bytes:
    """The same archive with its members stored or deflated."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(stream, "w", packing) as packed:
        for name in given.namelist():
            packed.writestr(name, given.read(name))
    return stream.getvalue()


def npy(header: str, body: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    text = header.encode()
    return b"\x93NUMPY" + version + len(text).to_bytes(2, "little") + text + body


class TestNpz:
    @pytest.mark.parametrize("kind", ["f8", "f4", "f2", ">f8", "i4", "u1", "?"])
    @pytest.mark.parametrize("order", ["C", "F"])
    def test_numbers_of_any_width_become_float64(self, tmp_path, kind, order):
        features = np.array([[0, 1, 0], [1, 1, 0]], dtype=kind, order=order)
        found = dataset(tmp_path, "t.npz", records(2, 3, features=features))
        assert found.features.dtype == np.float64
        assert found.features.tolist() == [[0, 1, 0], [1, 1, 0]]
        assert found.ids.tolist() == ["r0", "r1"]

    @pytest.mark.parametrize(
        ("labels", "kind"),
        [(np.array([3, 8], dtype=np.uint8), "i"), (np.array([3.0, 8.0]), "i"), (np.array(["no", "yes"]), "U")],
    )
    def test_labels_of_a_classification(self, tmp_path, labels, kind):
        found = dataset(tmp_path, "t.npz", records(2, labels=labels))
        assert found.labels.dtype.kind == kind
        assert found.labels.tolist() == labels.tolist()

    def test_labels_of_a_regression_are_floats(self, tmp_path):
        assert dataset(tmp_path, "t.npz", records(2, labels=np.array([1, 2])), "regression").labels.dtype == np.float64

    @pytest.mark.parametrize(
        ("arrays", "where"),
        [
            ({"features": np.zeros(12)}, {"features"}),
            ({"features": np.zeros((12, 0))}, {"features"}),
            ({"features": np.zeros((12, 2), dtype=complex)}, {"features"}),
            ({"features": np.full((12, 1), 2**60)}, {f"features, row {at}, column 1" for at in range(1, 13)}),
            ({"features": np.array([["a"]] * 12)}, {"features"}),
            ({"features": np.where(np.arange(24).reshape(12, 2) == 5, np.nan, 0)}, {"features, row 3, column 2"}),
            ({"labels": np.zeros(11)}, {"labels"}),
            ({"labels": np.where(np.arange(12) == 4, 0.5, 1)}, {"labels, row 5"}),
            ({"labels": np.where(np.arange(12) == 4, np.inf, 1)}, {"labels, row 5"}),
            ({"labels": np.array([True, False] * 6)}, {"labels"}),
            ({"labels": np.array(["a", ""] * 6)}, {f"labels, row {at}" for at in range(2, 13, 2)}),
            ({"labels": np.full(12, 2**63, dtype=np.uint64)}, {f"labels, row {at}" for at in range(1, 13)}),
            ({"ids": np.arange(12)}, {"ids"}),
            ({"ids": np.array([b"r"] * 12)}, {"ids"}),
            ({"ids": np.array(["r"] * 12)}, {f"ids, row {at}" for at in range(2, 13)}),
            ({"ids": np.array([f"r{at}" for at in range(11)] + [""])}, {"ids, row 12"}),
            ({"ids": np.array([f"r{at}" for at in range(11)] + ["a\x1b[1m"])}, {"ids, row 12"}),
            ({"ids": np.array([f"r{at}" for at in range(11)] + ["a\x00b"])}, {"ids, row 12"}),
            ({"sensitivity": np.where(np.arange(12) == 4, -1, 1)}, {"row 5, sensitivity"}),
            ({"sensitivity": np.ones(3)}, {"sensitivity"}),
            ({"sensitivity": np.zeros(12)}, {"sensitivity"}),
            ({"weights": np.ones(12)}, {""}),
        ],
    )
    def test_every_fault_has_its_place(self, tmp_path, arrays, where):
        found = problems(tmp_path, "t.npz", records(**arrays))
        assert {problem.where for problem in found} == where

    def test_ids_may_be_any_text(self, tmp_path):
        ids = np.array(["007", "é", "日本", "a b"])
        assert dataset(tmp_path, "t.npz", records(4, ids=ids)).ids.tolist() == ids.tolist()

    def test_ids_that_are_no_characters(self, tmp_path):
        ids = np.frombuffer(np.array([0x41, 0xFFFFFFFF, 0xD800], dtype="<u4").tobytes(), dtype="<U1")
        found = problems(tmp_path, "t.npz", records(3, ids=ids))
        assert {problem.where for problem in found} == {"ids, row 2", "ids, row 3"}

    def test_every_problem_at_once(self, tmp_path):
        found = problems(tmp_path, "t.npz", npz(features=np.zeros((2, 2)), lables=np.zeros(2), ids=np.zeros(2)))
        assert {problem.where for problem in found} == {"", "labels"}
        assert "did you mean labels?" in str(found[0])

    def test_twenty_cells_by_name_and_the_others_by_number(self, tmp_path):
        found = problems(tmp_path, "t.npz", records(50, 2, features=np.full((50, 2), np.nan)))
        assert len(found) == 21
        assert found[-1].found == "and 80 more"

    def test_objects_are_never_unpickled(self, tmp_path):
        class Trap:
            def __reduce__(self):
                return (pytest.fail, ("unpickled",))

        (found,) = problems(tmp_path, "t.npz", records(labels=np.array([Trap()] * 12, dtype=object)))
        assert "unpickling" in found.found

    @pytest.mark.parametrize(
        "member",
        [
            b"",
            b"no array",
            npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 3), }\n"),
            npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 3), }\n"),
            npy("{'descr': '<f8', 'fortran_order': False, 'shape': (True,), }\n", bytes(8)),
            npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n", bytes(24)),
            npy("{'descr': '<U0', 'fortran_order': False, 'shape': (99999999999,), }\n"),
            npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }\n", bytes(8)),
            npy("{'descr': '<M8[s]', 'fortran_order': False, 'shape': (1,), }\n", bytes(8)),
            npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1L,), }\n", bytes(8)),
            npy("(" * 3000),
            npy("{}", version=b"\x03\x00"),
            npy("{}", version=b"\x09\x00"),
        ],
    )
    def test_hostile_members(self, tmp_path, member):
        found = problems(tmp_path, "t.npz", archive(features=member, labels=b"", ids=b""))
        assert {problem.where for problem in found} == {"features", "labels", "ids"}

    @pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    @pytest.mark.parametrize("block", [7, 1 << 24])
    def test_numbers_that_changed_on_the_way_are_refused(self, tmp_path, monkeypatch, packing, block):
        monkeypatch.setattr("auditor.case.npz._BLOCK", block)
        whole = repacked(records(50, 3), packing)
        assert dataset(tmp_path, "t.npz", whole).features.shape == (50, 3)
        with zipfile.ZipFile(io.BytesIO(whole)) as packed:
            (member,) = [each for each in packed.infolist() if each.filename == "features.npy"]
        crc = member.CRC.to_bytes(4, "little")
        assert whole.count(crc) == 2
        (found,) = problems(tmp_path, "t.npz", whole.replace(crc, bytes(4)))
        assert (found.where, "CRC" in found.found) == ("features", True)

    @pytest.mark.parametrize(("announced", "words"), [(10**9, "more than deflate can hold"), (5_000, "bytes where")])
    def test_a_member_that_announces_more_than_it_holds_gets_no_array(self, tmp_path, announced, words):
        count = (announced - 128) // 8
        header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({count},), }}".ljust(117) + "\n"
        member = npy(header, bytes(80))
        whole = repacked(archive(features=member, labels=b"", ids=b""), zipfile.ZIP_DEFLATED)
        size = 128 + 8 * count
        lie = whole.replace(len(member).to_bytes(4, "little"), size.to_bytes(4, "little"))
        assert lie != whole
        found = {problem.where: problem.found for problem in problems(tmp_path, "t.npz", lie)}
        assert words in found["features"]

    def test_a_bomb_is_refused_before_it_is_unpacked(self, tmp_path, monkeypatch):
        monkeypatch.setattr("auditor.case.npz.BINARY_LIMIT", 1000)
        (found,) = problems(tmp_path, "t.npz", records(50))
        assert "at most 1000 bytes in total" in found.expected

    def test_one_array_twice(self, tmp_path):
        stream = io.BytesIO(records())
        with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(stream, "a") as packed:
            packed.writestr("ids.npy", b"")
        assert any(
            problem.where == "ids" and "once" in problem.expected for problem in problems(tmp_path, "t.npz", stream.getvalue())
        )


class TestCsv:
    def test_columns_keep_their_order_and_ids_their_zeros(self, tmp_path):
        found = dataset(tmp_path, "t.csv", b"\xef\xbb\xbfb,id,a,label\r\n1,007,2,x\r\n\r\n3e0,7,-4,y\r\n")
        assert found.features.tolist() == [[1, 2], [3, -4]]
        assert found.ids.tolist() == ["007", "7"]
        assert found.labels.tolist() == ["x", "y"]

    def test_named_columns(self, tmp_path):
        table = DataTable(train="t", task="classification", id="who", label="what", sensitivity="weight")
        found = dataset(tmp_path, "t.csv", b"who,what,weight,id\nr1,0,0.5,7\nr2,1,2,8\n", table=table)
        assert found.features.tolist() == [[7], [8]]
        assert found.labels.tolist() == [0, 1]
        assert found.sensitivity.tolist() == [0.5, 2]
        assert found.subset(np.array([1])).sensitivity.tolist() == [2]

    @pytest.mark.parametrize(
        ("texts", "labels"),
        [(("1", "2"), [1, 2]), (("1.0", "2"), [1, 2]), (("1", "x"), ["1", "x"]), (("none", "some"), ["none", "some"])],
    )
    def test_labels(self, tmp_path, texts, labels):
        data = "id,label,x\n" + "".join(f"r{at},{text},0\n" for at, text in enumerate(texts))
        assert dataset(tmp_path, "t.csv", data.encode()).labels.tolist() == labels

    @pytest.mark.parametrize(
        ("data", "where"),
        [
            ("", {""}),
            ("id,label,x\n", {""}),
            ("id;label;x\nr1;0;1\n", {"row 1"}),
            ("id,label,x,x\nr1,0,1,2\n", {"row 1"}),
            ("ids,label,x\nr1,0,1\n", {"columns"}),
            ("id,label\nr1,0\n", {"columns"}),
            ("id,label,x\nr1,0\n", {"row 2"}),
            ("id,label,x\nr1,0,1,2\n", {"row 2"}),
            ("id,label,x\nr1,0,a\n", {"row 2, column x"}),
            ("id,label,x\n\n\nr1,0,\n", {"row 4, column x"}),
            ("id,label,x\nr1,0,nan\nr2,0,inf\nr3,0,1_0\n", {f"row {at}, column x" for at in (2, 3, 4)}),
            ("id,label,x\nr1,,1\nr2,NaN,1\n", {"row 2, column label", "row 3, column label"}),
            ("id,label,x\nr1,0.5,1\nr2,1,1\n", {"row 2, column label"}),
            ("id,label,x\nr1,9007199254740993,1\nr2,1,1\n", {"row 2, column label"}),
            ("id,label,x\nr1,0,1\nr1,0,1\n", {"row 3, column id"}),
            ("id,label,x\n,0,1\n", {"row 2, column id"}),
            ("id,label,x\nr1\0,0,1\n", {"row 2, column id"}),
            ('id,label,x\nr1,0,"1\n', {"row 2"}),
            ("id,label,x\nr1,0,a\nr1,,1\n", {"row 2, column x", "row 3, column id", "row 3, column label"}),
        ],
    )
    def test_every_fault_has_its_place(self, tmp_path, data, where):
        assert {problem.where for problem in problems(tmp_path, "t.csv", data.encode())} == where

    def test_a_column_that_is_not_there_is_named_with_those_that_are(self, tmp_path):
        table = DataTable(train="t.csv", task="classification", id="id", label="churned")
        (found,) = problems(tmp_path, "t.csv", b"id,churn,age\nr1,0,1\n", table=table)
        assert found.expected == 'a column "churned" of the labels (did you mean churn?)'
        assert found.found == "no such column among id, churn, age"
        many = ",".join(f"c{at}" for at in range(40))
        (found,) = problems(tmp_path, "t.csv", f"id,{many}\n".encode(), table=table)
        assert found.found.endswith("c9, c10 and 29 more")

    def test_a_label_among_the_inputs_may_be_the_wrong_label(self, tmp_path):
        table = DataTable(train="t.csv", task="classification", id="id", label="age", inputs=["age", "visits"])
        (found,) = problems(tmp_path, "t.csv", b"id,churn,age,visits\nr1,0,1,2\n", table=table)
        assert found.expected == "different columns for label and inputs: correct label, or take its column out of inputs"
        assert found.found == '"age" in both'

    def test_regression_needs_numbers(self, tmp_path):
        (found,) = problems(tmp_path, "t.csv", b"id,label,x\nr1,a,1\nr2,2,1\n", "regression")
        assert found.where == "row 2, column label"

    def test_bytes_that_are_not_utf8_are_found_by_line(self, tmp_path):
        (found,) = problems(tmp_path, "t.csv", b"id,label,x\nr1,0,1\nr\xff,0,1\n")
        assert found.where == "row 3"

    def test_a_size_limit(self, tmp_path, monkeypatch):
        monkeypatch.setattr("auditor.case.tables.TEXT_LIMIT", 10)
        (found,) = problems(tmp_path, "t.csv", b"id,label,x\nr1,0,1\n")
        assert found.expected == "at most 10 bytes"


class TestParquet:
    def test_columns(self, tmp_path):
        data = parquet({"b": [1, 2], "id": ["007", "7"], "a": [0.5, 1.5], "label": ["x", "y"]})
        found = dataset(tmp_path, "t.parquet", data)
        assert found.features.tolist() == [[1, 0.5], [2, 1.5]]
        assert found.ids.tolist() == ["007", "7"]
        assert found.labels.tolist() == ["x", "y"]

    @pytest.mark.parametrize(
        ("change", "where"),
        [
            ({"id": [1, 2]}, {"column id"}),
            ({"id": ["a", None]}, {"row 2, column id"}),
            ({"id": ["a", "a"]}, {"row 2, column id"}),
            ({"label": [1, None]}, {"row 2, column label"}),
            ({"label": [1.5, 2]}, {"row 1, column label"}),
            ({"x": [1.0, None]}, {"row 2, column x"}),
            ({"x": [1.0, float("nan")]}, {"row 2, column x"}),
            ({"x": ["a", "b"]}, {"column x"}),
            ({"x": ["a", "b"], "label": ["", "a"]}, {"column x", "row 1, column label"}),
        ],
    )
    def test_every_fault_has_its_place(self, tmp_path, change, where):
        data = parquet({"id": ["a", "b"], "label": [0, 1], "x": [1.0, 2.0], **change})
        assert {problem.where for problem in problems(tmp_path, "t.parquet", data)} == where

    @pytest.mark.parametrize("data", [b"", b"PAR1", b"PAR1" + bytes(50) + b"PAR1"])
    def test_what_is_no_parquet(self, tmp_path, data):
        assert len(problems(tmp_path, "t.parquet", data)) == 1

    def test_no_rows(self, tmp_path):
        assert problems(tmp_path, "t.parquet", parquet({"id": pa.array([], pa.string())}))[0].found == "none"


def test_other_tables_are_refused(tmp_path):
    assert ".npz, .csv or .parquet" in problems(tmp_path, "t.pkl", b"")[0].expected


class TestModel:
    @pytest.mark.parametrize("kind", ["f8", "f4", "f2"])
    def test_both_formats(self, tmp_path, kind):
        values = np.array([0.5, -2.0], dtype=kind)
        (tmp_path / "m.safetensors").write_bytes(save({"parameters": values}))
        (tmp_path / "m.npz").write_bytes(npz(parameters=values))
        for name in ("m.safetensors", "m.npz"):
            found = read_model(tmp_path / name)
            assert found.dtype == np.float64
            assert found.tolist() == [0.5, -2.0]

    @pytest.mark.parametrize("name", ["m.pkl", "m.joblib", "m.pt", "m.bin", "m.PKL"])
    def test_formats_that_are_unpickled_are_refused_for_that_reason(self, tmp_path, name):
        (found,) = model_problems(tmp_path, name, b"\x80\x04.")
        assert "unpickled" in found.found

    @pytest.mark.parametrize(
        ("tensors", "where"),
        [
            ({"weights": np.zeros(2)}, "parameters"),
            ({"parameters": np.zeros(2), "old": np.zeros(2)}, "parameters"),
            ({"parameters": np.zeros((2, 2))}, "parameters"),
            ({"parameters": np.zeros(0)}, "parameters"),
            ({"parameters": np.zeros(2, dtype=np.int64)}, "parameters"),
            ({"parameters": np.array([0, np.nan])}, "parameters, element 2"),
        ],
    )
    def test_anything_but_one_finite_vector_is_refused(self, tmp_path, tensors, where):
        (found,) = model_problems(tmp_path, "m.safetensors", save(tensors))
        assert found.where == where
        assert (
            where in {problem.where for problem in model_problems(tmp_path, "m.npz", npz(**tensors))} | {""} or "old" in tensors
        )

    @pytest.mark.parametrize(
        "data", [b"", b"\xff" * 64, (2**40).to_bytes(8, "little") + b"{}", save({"parameters": np.zeros(9)})[:-3]]
    )
    def test_broken_files(self, tmp_path, data):
        assert len(model_problems(tmp_path, "m.safetensors", data)) == 1
        assert len(model_problems(tmp_path, "m.npz", data)) == 1
