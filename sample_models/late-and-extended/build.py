"""Makes this case: python sample_models/late-and-extended/build.py."""

import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from auditor.parts.removal.learning.certified_removal import CertifiedRemoval  # noqa: E402
from digits import digits, in_order, ship, with_reply, write  # noqa: E402  (it lies next to the samples' folders)

WAITED = "a proof of identity"
MANY = "the data lay in four systems, two of them at processors"


def at(month: int, day: int, hour: int = 10) -> str:
    """A time of 2026 in Brussels; summer time begins on 29 March."""
    summer = (month, day) >= (3, 29)
    return f"2026-{month:02d}-{day:02d}T{hour:02d}:00:00+0{2 if summer else 1}:00"


def done(erased: tuple[int, int], model: tuple[int, int], answered: tuple[int, int] | None) -> dict[str, Any]:
    """The three dates of a request that was carried out."""
    dates = {"status": "executed", "executed_at": at(*model), "data_erased_at": at(*erased), "model_erased_at": at(*model)}
    told = {} if answered is None else {"answered_at": at(*answered)}
    return dates | told | {"storage_state": "physical", "seen_releases": 0}


INVOICES = [
    {
        "what": "The invoice of December 2025",
        "why": "tax law has us keep invoices for seven years",
        "exception": "b",
        "until": "2032-12-31",
    }
]
REFUSED = {
    "status": "denied",
    "reason": "the record is evidence in a claim before a court",
    "exception": "GDPR Art. 17(3)(e)",
}
# One row for each way in which a deadline is kept, moved or missed.
ROWS: list[tuple[str, str, tuple[int, int], dict[str, Any]]] = [
    ("in-time", "anna", (1, 8), done((1, 15), (1, 17), (1, 20)) | {"kept": INVOICES}),
    (
        "extended",
        "ben",
        (1, 9),
        {"extension": {"notified_at": at(1, 22), "reason": MANY, "until": "2026-04-08"}} | done((3, 18), (3, 20), (3, 24)),
    ),
    ("answered-late", "cara", (1, 12), done((1, 21), (1, 23), (5, 12))),
    (
        "extended-too-late",
        "dov",
        (1, 13),
        {"extension": {"notified_at": at(2, 20), "reason": MANY, "until": "2026-04-13"}} | done((3, 3), (3, 6), (3, 10)),
    ),
    (
        "paused",
        "eve",
        (1, 14),
        {
            "regime": "uk",
            "clock_pauses": [{"paused_at": at(1, 16), "resumed_at": at(1, 30), "reason": WAITED, "awaits": "identity"}],
        }
        | done((2, 18), (2, 20), (2, 24)),
    ),
    ("in-45-days", "finn", (1, 15), {"regime": "ccpa", "confirmed_at": at(1, 19)} | done((2, 16), (2, 23), (2, 27))),
    (
        "in-90-days",
        "gil",
        (1, 16),
        {"regime": "ccpa", "extension": {"notified_at": at(2, 25), "reason": MANY}} | done((3, 25), (4, 1), (4, 8)),
    ),
    (
        "still-paused",
        "hana",
        (1, 19),
        {
            "regime": "uk",
            "status": "in_progress",
            "clock_pauses": [{"paused_at": at(1, 26), "reason": WAITED, "awaits": "identity"}],
        },
    ),
    ("refused", "ivo", (1, 20), REFUSED | {"answered_at": at(2, 3)}),
    ("refused-without-reason", "jo", (1, 21), {"status": "denied", "answered_at": at(2, 4)}),
    ("not-informed", "kay", (1, 22), done((2, 2), (2, 5), None)),
    ("two-people", "lea", (1, 26), done((2, 6), (2, 10), (2, 12)) | {"batch": "two-people"}),
    ("two-people", "mo", (1, 26), done((2, 6), (2, 10), (2, 13)) | {"batch": "two-people"}),
    ("model-later", "nia", (1, 27), done((2, 9), (3, 13), (2, 16))),
    (
        "open-late",
        "oz",
        (1, 28),
        {"status": "open", "undertaking": {"what": "erase the record, and update the model", "by": "2027-01-31"}},
    ),
    # The month ends on Saturday, 28 February.
    ("on-monday", "quin", (1, 31), REFUSED | {"answered_at": at(3, 2)}),
    (
        "in-doubt",
        "rae",
        (2, 2),
        {"clock_pauses": [{"paused_at": at(2, 4), "resumed_at": at(2, 13), "reason": WAITED, "awaits": "identity"}]}
        | REFUSED
        | {"answered_at": at(3, 9)},
    ),
    # Article 12A of the UK GDPR: until the proof has come the month has not begun, and a notice of more time fixes no day.
    (
        "not-begun",
        "sol",
        (2, 10),
        {
            "regime": "uk",
            "status": "in_progress",
            "extension": {"notified_at": at(2, 24), "reason": MANY, "until": "2026-05-08"},
            "clock_pauses": [{"paused_at": at(2, 16), "reason": WAITED, "awaits": "identity"}],
        },
    ),
]

UNCHECKED = {"REQ-still-paused", "REQ-not-begun", "REQ-refused-without-reason"}

train, holdout = digits()
chosen = np.random.default_rng(20260115).permutation(len(train))[: len(ROWS)]
rows = [
    {
        "request_id": f"REQ-{name}",
        "subject": f"person-{who}",
        "record_ids": [str(train.ids[place])],
        "received_at": at(*received),
        **said,
    }
    for place, (name, who, received, said) in zip(chosen, ROWS, strict=True)
]
rows.append(
    {
        "request_id": "REQ-not-found",
        "subject": "person-pia",
        "record_ids": ["digit-9999"],
        "received_at": at(1, 29),
        "status": "no_match",
        "answered_at": at(2, 9),
        "note": "no record of this person was found",
    }
)
# Of these nobody knows yet who they are, or nothing was recorded.
rows = [row if row["request_id"] in UNCHECKED else with_reply(row, kept=[]) for row in rows]
declared = tomllib.loads((HERE / "audit.toml").read_text(encoding="utf-8"))["procedure"]
procedure = CertifiedRemoval(**{name: declared[name] for name in ("l2", "sigma", "tolerance")})
seed = int(declared["seed"])
model, left = procedure.learn(train, seed), train
for number, named in enumerate(in_order(rows), start=1):
    forget = np.flatnonzero(np.isin(left.ids, named)).astype(np.int64)
    model = procedure.unlearn(model, left, forget, seed + number)
    left = left.subset(np.delete(np.arange(len(left)), forget))
write(HERE, train, holdout, left, rows)
ship(HERE, procedure.parameters(model))
# What a model that was distilled from this one generated: scans of nobody, of the same size and range.
drawn = np.random.default_rng(20251204).integers(0, 17, (12, train.features.shape[1]))
lines = [",".join(map(str, row)) for row in drawn.tolist()]
(HERE / "practice-scans.csv").write_text("\n".join([",".join(f"pixel-{n}" for n in range(drawn.shape[1])), *lines, ""]))
