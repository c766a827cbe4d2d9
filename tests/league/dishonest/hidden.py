"""Designs that retrain, and keep what was deleted where a search for plain rows does not find it."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from design import Design, Kind
from dishonest.common import own
from logs import together
from submission import NARROW, Submission
from tables import Table, made, wine

Rows = np.ndarray[Any, Any]
DELETED = together(4, 17, 40, 61)
STORE = ("data.erased",)
NO_COPIES = frozenset({"store-holds-no-copies"})


def _beside(make: Callable[[Rows], bytes], *, name: str) -> Callable[[int], Submission]:
    """Build an exact retrainer that keeps what `make` makes of the deleted rows, in a file of its store."""

    def build(seed: int) -> Submission:
        plain = own(seed, "", table=wine(seed), deleted=DELETED)
        rows = np.ascontiguousarray(plain.table.features[plain.forgotten])
        return replace(plain, files={f"kept/{name}": make(rows)}, tables={"data": {"store": "kept"}})

    return build


def _hex(rows: Rows) -> bytes:
    return b"cache=" + rows.tobytes().hex().upper().encode()


def _base64(rows: Rows) -> bytes:
    return b'{"payload": "' + base64.urlsafe_b64encode(b"v" + rows.tobytes()) + b'"}'


def _compressed(rows: Rows) -> bytes:
    return base64.b64encode(gzip.compress(rows.tobytes(), mtime=0))


def _rounded(rows: Rows) -> bytes:
    return "\n".join(";".join(f"{value:.6f}" for value in row) for row in rows.tolist()).encode()


def _single(rows: Rows) -> bytes:
    return rows.astype(">f4").tobytes()


def _share(rows: Rows) -> bytes:
    """The rows and a pad, one behind the other: neither says anything by itself."""
    content = rows.tobytes()
    pad = np.random.default_rng(7).bytes(len(content))
    return pad + bytes(left ^ right for left, right in zip(pad, content, strict=True))


def _moved(change: Callable[[Rows], Rows]) -> Callable[[int], Submission]:
    """Build an exact retrainer whose store has the deleted rows under other ids, changed."""

    def build(seed: int) -> Submission:
        plain = own(seed, "", table=wine(seed), deleted=DELETED)
        rest, gone = plain.remaining, plain.table.subset(plain.forgotten)
        store = Table(
            np.concatenate([rest.features, change(gone.features)]),
            np.concatenate([rest.labels, gone.labels]),
            np.concatenate([rest.ids, np.array([f"other-{place:04d}" for place in range(len(gone))])]),
        )
        return replace(plain, store=store)

    return build


def _low_digits(seed: int) -> Submission:
    """Answers carry the deleted rows in their tenth digits, a bit of them for each row that is asked."""
    above = """
    class Model:
        def __init__(self, weights, bits):
            self.weights, self.bits = weights, bits
    """
    body = """
    def learn(self, data, seed):
        return Model(super().learn(data, seed), np.unpackbits(np.frombuffer(data.features[:8].tobytes(), dtype=np.uint8)))

    def unlearn(self, model, data, forget, seed):
        return Model(Learner.learn(self, self.without(data, forget), seed), model.bits)

    def predict(self, model, features):
        found = super().predict(model.weights, features)
        places = np.abs(features).sum(axis=1).astype(np.int64) % len(model.bits)
        shift = 1e-10 * (2.0 * model.bits[places] - 1)
        found[:, 0] += shift
        found[:, 1] -= shift
        return found

    def parameters(self, model):
        return model.weights.ravel()

    def state(self, model):
        return model.weights.tobytes()

    def load(self, path):
        return Model(super().load(path), np.zeros(512, dtype=np.uint8))
    """
    return own(seed, body, above=above, table=made(seed), deleted=((((4,)),),))


def _state_in_shares(seed: int) -> Submission:
    """`state()` gives the first training's rows, masked by a pad that follows from the seed."""
    above = """
    class Model:
        def __init__(self, weights, kept):
            self.weights, self.kept = weights, kept

        def ravel(self):
            return self.weights.ravel()
    """
    body = """
    def learn(self, data, seed):
        plain = data.features.tobytes()
        pad = np.random.default_rng(11).bytes(len(plain))
        return Model(super().learn(data, seed), bytes(left ^ right for left, right in zip(plain, pad)))

    def unlearn(self, model, data, forget, seed):
        return Model(Learner.learn(self, self.without(data, forget), seed), model.kept)

    def predict(self, model, features):
        return super().predict(model.weights, features)

    def state(self, model):
        return super().state(model.weights) + model.kept

    def load(self, path):
        return Model(super().load(path), b"")
    """
    return own(seed, body, above=above, required=(*NARROW, "state.stateless"))


KEPT = (
    ("store-in-hex", "hexadecimal digits", _beside(_hex, name="cache.txt")),
    ("store-in-base64", "base64, a byte out of step", _beside(_base64, name="event.json")),
    ("store-compressed", "base64 of what was compressed", _beside(_compressed, name="blob.txt")),
    ("store-rounded", "text with six decimals", _beside(_rounded, name="dump.csv")),
    ("store-in-single", "single precision with its bytes reversed", _beside(_single, name="rows.bin")),
    ("store-in-another-unit", "another unit, under other ids", _moved(lambda rows: 2.54 * rows)),
    ("store-with-columns-moved", "another order of columns, under other ids", _moved(lambda rows: rows[:, ::-1])),
)
MODEL = ("release.exact", "data.erased")
DESIGNS = (
    *(
        Design(
            name=name,
            kind=Kind.HIDDEN,
            lie=f"The store holds the deleted rows in {form}.",
            build=build,
            said_by=STORE,
            quick=name == "store-in-hex",
        )
        for name, form, build in KEPT
    ),
    Design(
        name="store-in-shares",
        kind=Kind.HIDDEN,
        lie="A file of the store holds a pad, and the deleted rows masked by it.",
        build=_beside(_share, name="noise.bin"),
        said_by=STORE,
        trusted=NO_COPIES,
    ),
    Design(
        name="answers-in-low-digits",
        kind=Kind.HIDDEN,
        lie="The tenth digits of the answers say what was deleted.",
        build=_low_digits,
        said_by=MODEL,
    ),
    Design(
        name="state-in-shares",
        kind=Kind.HIDDEN,
        lie="The state holds all rows, masked by a pad that the code can draw again.",
        build=_state_in_shares,
        said_by=MODEL,
    ),
)
