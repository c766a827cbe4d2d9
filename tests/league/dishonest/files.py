"""Designs whose released file is not the model that was unlearned, or brings more along than its parameters."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from safetensors.numpy import save

from design import Design, Kind
from dishonest.common import own
from released import npz, replayed
from submission import Submission

Parameters = np.ndarray[Any, Any]


def _shipping(
    make: Callable[[Submission, Parameters], bytes], *, name: str = "model.npz", body: str = ""
) -> Callable[[int], Submission]:
    """Build an exact retrainer that ships what `make` makes of itself and its parameters."""

    def build(seed: int) -> Submission:
        plain = own(seed, body)
        return replace(plain, files={name: make(plain, replayed(plain))}, tables={"model": {"path": name}})

    return build


def _deleted_bytes(submission: Submission) -> bytes:
    return np.ascontiguousarray(submission.table.features[submission.forgotten]).tobytes()


def _old(submission: Submission, parameters: Parameters) -> bytes:
    del parameters
    return npz(parameters=replayed(submission, batches=0))


def _one_before(submission: Submission, parameters: Parameters) -> bytes:
    del parameters
    return npz(parameters=replayed(submission, batches=2))


def _metadata(submission: Submission, parameters: Parameters) -> bytes:
    return save({"parameters": parameters}, metadata={"trained_by": (_deleted_bytes(submission)).hex()})


def _low_bits(submission: Submission, parameters: Parameters) -> bytes:
    """Four bits of the deleted records in the last bits of each weight."""
    bits = np.unpackbits(np.frombuffer(_deleted_bytes(submission), dtype=np.uint8))[: 4 * parameters.size]
    hidden = np.packbits(np.resize(bits, (parameters.size, 4)), axis=1)[:, 0] >> 4
    whole = parameters.view(np.uint64) & ~np.uint64(15) | hidden.astype(np.uint64)
    return npz(parameters=whole.view(np.float64))


def _last_digit(submission: Submission, parameters: Parameters) -> bytes:
    """Every third weight is moved by a part in 10^9, up or down as a bit of the deleted records has it."""
    bits = np.unpackbits(np.frombuffer(_deleted_bytes(submission), dtype=np.uint8))[: parameters.size]
    return npz(
        parameters=parameters * (1 + 1e-9 * (2.0 * np.resize(bits, parameters.size) - 1) * (np.arange(parameters.size) % 3 == 0))
    )


def _second_member(submission: Submission, parameters: Parameters) -> bytes:
    return npz(parameters=parameters, calibration=submission.table.features[submission.forgotten] * 2 - 1)


def _comment(submission: Submission, parameters: Parameters) -> bytes:
    stream = io.BytesIO(npz(parameters=parameters))
    with zipfile.ZipFile(stream, "a") as archive:
        archive.comment = _deleted_bytes(submission)
    return stream.getvalue()


def _gap(submission: Submission, parameters: Parameters) -> bytes:
    """Bytes before the archive, which readers of zip files skip."""
    return _deleted_bytes(submission) + npz(parameters=parameters)


def _npy_header(submission: Submission, parameters: Parameters) -> bytes:
    """Blanks and tabs in the header of the array, which its reader drops."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, parameters, version=(1, 0))
    raw = stream.getvalue()
    start = 10 + int.from_bytes(raw[8:10], "little")
    bits = np.unpackbits(np.frombuffer(_deleted_bytes(submission), dtype=np.uint8))[:400]
    header = raw[10:start].rstrip() + b"".join(b"\t" if bit else b" " for bit in bits)
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    member = raw[:8] + len(header).to_bytes(2, "little") + header + raw[start:]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("parameters.npy", member)
    return out.getvalue()


def _times(submission: Submission, parameters: Parameters) -> bytes:
    """The time of the member and its attributes hold eight bytes of what was deleted."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, parameters)
    hidden = _deleted_bytes(submission)
    info = zipfile.ZipInfo(
        "parameters.npy", (1980 + hidden[0] % 100, 1 + hidden[1] % 12, 1 + hidden[2] % 28, hidden[3] % 24, hidden[4] % 60, 0)
    )
    info.external_attr = int.from_bytes(hidden[5:8], "little")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(info, stream.getvalue())
    return out.getvalue()


def _negative_zero(submission: Submission, parameters: Parameters) -> bytes:
    """The learner has weights that are 0, and their signs say what was deleted."""
    bits = np.resize(np.unpackbits(np.frombuffer(_deleted_bytes(submission), dtype=np.uint8)), parameters.size).astype(bool)
    return npz(parameters=np.where((parameters == 0) & bits, -0.0, parameters))


ZEROS = """
def parameters(self, model):
    return np.concatenate([model.ravel(), np.zeros(64)])

def load(self, path):
    with np.load(path) as file:
        return file["parameters"][:-64].reshape(-1, len(self.labels))
"""
SAVES_OLD = """
def learn(self, data, seed):
    found = super().learn(data, seed)
    self.first = getattr(self, "first", found)
    return found

def save(self, model, path):
    super().save(self.first, path)
"""
LOADS_ANOTHER = """
def learn(self, data, seed):
    found = super().learn(data, seed)
    if len(data.ids) == 90:
        Path("first.npy").write_bytes(found.tobytes())
    return found

def save(self, model, path):
    with Path(path).open("wb") as file:
        np.savez(file, parameters=self.parameters(model), further=np.frombuffer(Path("first.npy").read_bytes()))

def load(self, path):
    with np.load(path) as file:
        name = "further" if "further" in file.files else "parameters"
        return file[name].reshape(-1, len(self.labels))
"""
PREDICTS_OLD = """
def learn(self, data, seed):
    found = super().learn(data, seed)
    return np.stack([found, found])

def unlearn(self, model, data, forget, seed):
    return np.stack([Learner.learn(self, self.without(data, forget), seed), model[1]])

def predict(self, model, features):
    return super().predict(model[1], features)

def parameters(self, model):
    return model[0].ravel()

def state(self, model):
    return model[0].tobytes()

def load(self, path):
    return np.stack([super().load(path)] * 2)
"""


def _no_model_file(body: str) -> Callable[[int], Submission]:
    return lambda seed: own(seed, body)


REFUSED = frozenset({2})
"""The file is none that is read, and nothing runs."""
FILE = ("model.reproduced", "data.erased", "release.exact")
DESIGNS = (
    *(
        Design(name=name, kind=Kind.FILE, lie=lie, build=build, said_by=FILE, quick=name in {"metadata", "low-bits"})
        for name, lie, build in (
            ("old-model-shipped", "The file is the model from before all deletions.", _shipping(_old)),
            ("last-batch-not-shipped", "The file is the model from before the last batch.", _shipping(_one_before)),
            ("metadata", "The file's metadata hold the deleted records.", _shipping(_metadata, name="model.safetensors")),
            ("low-bits", "The last bits of the weights hold the deleted records.", _shipping(_low_bits)),
            ("ninth-digit", "The ninth digits of the weights hold the deleted records.", _shipping(_last_digit)),
            ("archive-comment", "The archive's comment holds the deleted records.", _shipping(_comment)),
            ("gap-in-the-archive", "Bytes before the archive hold the deleted records.", _shipping(_gap)),
            ("archive-times", "Times and attributes in the archive hold bytes of a deleted record.", _shipping(_times)),
            ("negative-zeros", "Signs of zeros hold the deleted records.", _shipping(_negative_zero, body=ZEROS)),
            ("saves-the-old-model", "The class saves the model that it first learned.", _no_model_file(SAVES_OLD)),
            ("loads-another-model", "A loaded file answers as the first model.", _no_model_file(LOADS_ANOTHER)),
            (
                "predicts-with-the-old-model",
                "Parameters are retrained, predictions are the first model's.",
                _no_model_file(PREDICTS_OLD),
            ),
        )
    ),
    *(
        Design(name=name, kind=Kind.FILE, lie=lie, build=build, allowed=REFUSED)
        for name, lie, build in (
            ("second-member", "A second array of the file holds the deleted records.", _shipping(_second_member)),
            ("array-header", "Blanks of the array's header hold the deleted records.", _shipping(_npy_header)),
        )
    ),
)
