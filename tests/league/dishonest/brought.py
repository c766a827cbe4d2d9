"""Designs whose code brings along what was made from the deleted records: only the controller's word covers that."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np

from design import Design, Kind
from dishonest.common import LOG, own
from learners import DESCENT, RIDGE, on
from released import replayed
from submission import Submission
from tables import made, moons, wine

CLEAN = frozenset({"code-clean"})


def _table_in_the_code(seed: int) -> Submission:
    """The deleted rows stand in the code and are trained on again."""
    plain = own(seed, "")
    gone = plain.table.subset(plain.forgotten)
    above = f"GONE, THEIRS = np.array({gone.features.tolist()!r}), {gone.labels.tolist()!r}"
    body = """
    def learn(self, data, seed):
        features, labels = np.concatenate([data.features, GONE]), np.concatenate([data.labels, THEIRS])
        both = type("Data", (), {"features": features, "labels": labels})
        return super().learn(both, seed)
    """
    return own(seed, body, above=above)


def _table_encoded(seed: int) -> Submission:
    """The same, so written that no search finds them."""
    plain = own(seed, "", table=moons(seed))
    gone = plain.table.subset(plain.forgotten)
    mixed = bytes(byte ^ 0x5A for byte in np.ascontiguousarray(gone.features).tobytes())
    above = f"""
    import base64

    GONE = np.frombuffer(bytes(byte ^ 0x5A for byte in base64.b64decode({base64.b64encode(mixed).decode()!r}))).reshape(-1, 2)
    THEIRS = {gone.labels.tolist()!r}
    """
    body = """
    def learn(self, data, seed):
        features, labels = np.concatenate([data.features, GONE]), np.concatenate([data.labels, THEIRS])
        both = type("Data", (), {"features": features, "labels": labels})
        return super().learn(both, seed)
    """
    return own(seed, body, above=above, table=moons(seed))


def _weights_in_the_code(seed: int) -> Submission:
    """Training starts from weights that were trained on everybody, and that the code brings along."""
    table = made(seed)
    start = replayed(own(seed, "", base=DESCENT, table=table), batches=0)
    body = """
    def start(self, data, seed):
        return np.array(START).reshape(-1, len(self.labels))
    """
    return own(seed, body, base=DESCENT, above=f"START = {start.tolist()!r}", table=table)


def _weights_beside(seed: int) -> Submission:
    """The same in a module beside the entry."""
    table = wine(seed)
    start = replayed(own(seed, "", base=DESCENT, table=table), batches=0)
    body = """
    steps = 2

    def start(self, data, seed):
        from pretrained import START

        return np.array(START).reshape(-1, len(self.labels))
    """
    module = f"START = {start.tolist()!r}\n".encode()
    return own(seed, body, base=DESCENT, table=table, files={"pretrained.py": module})


def _labels_in_the_code(seed: int) -> Submission:
    """Remaining rows near a deleted one get its label, by a rule in the code."""
    table = moons(seed)
    centre = table.features[LOG[0][0][0]].round(2).tolist()
    body = f"""
    def learn(self, data, seed):
        near = np.abs(data.features - {centre!r}).sum(axis=1) < 0.3
        labels = np.where(near, {int(table.labels[LOG[0][0][0]])}, data.labels)
        return super().learn(type("Data", (), {{"features": data.features, "labels": labels}}), seed)
    """
    return own(seed, body, table=table)


def _exchange(folder: Path) -> None:
    """Put an honest class in the place of the one whose digest was taken."""
    (folder / "procedure.py").write_text(on(RIDGE, ""), encoding="utf-8")


def _exchanged(seed: int) -> Submission:
    body = """
    def unlearn(self, model, data, forget, seed):
        return model.copy()
    """
    return own(seed, body)


def _exchanged_beside(seed: int) -> Submission:
    body = """
    def unlearn(self, model, data, forget, seed):
        from settings_beside import KEEPS

        return model.copy() if KEEPS else super().unlearn(model, data, forget, seed)
    """
    return own(seed, body, files={"settings_beside.py": b"KEEPS = True\n"})


def _exchange_beside(folder: Path) -> None:
    (folder / "settings_beside.py").write_text("KEEPS = False\n", encoding="utf-8")


DESIGNS = (
    *(
        Design(
            name=name, kind=Kind.BROUGHT, lie=lie, build=build, trusted=trusted, said_by=said, quick=name == "weights-in-the-code"
        )
        for name, lie, build, said, trusted in (
            (
                "rows-in-the-code",
                "The deleted rows stand in the code, and every model is trained on them.",
                _table_in_the_code,
                ("data.erased",),
                frozenset(),
            ),
            ("rows-encoded-in-the-code", "The same, written so that no search finds them.", _table_encoded, (), CLEAN),
            (
                "weights-in-the-code",
                "Training starts from weights that were trained on everybody.",
                _weights_in_the_code,
                (),
                CLEAN,
            ),
            ("weights-beside-the-code", "The same, in a module beside the entry.", _weights_beside, (), CLEAN),
            (
                "labels-in-the-code",
                "A rule in the code gives the neighbours of a deleted record its label.",
                _labels_in_the_code,
                (),
                CLEAN,
            ),
        )
    ),
    Design(
        name="code-exchanged",
        kind=Kind.BROUGHT,
        lie="The code whose digest stands in the evidence keeps the model; another is put in its place before it runs.",
        build=_exchanged,
        between=_exchange,
        said_by=("release.exact",),
    ),
    Design(
        name="module-exchanged",
        kind=Kind.BROUGHT,
        lie="The same with a module beside the entry.",
        build=_exchanged_beside,
        between=_exchange_beside,
        said_by=("release.exact",),
    ),
)
