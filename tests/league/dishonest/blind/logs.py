"""Logs that say of people what is not so: nobody held, nobody asked, others meant, asked later or together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from design import Kind
from dishonest.common import designs
from learners import BUILT, PIPELINE
from logs import Row, imported, row, together, written
from submission import NARROW, Bundle, Submission, framed
from tables import Table, customers, iris, made, moons, wine

TREE = {"use": "sklearn", "estimator": "sklearn.tree.DecisionTreeClassifier", "params": {"max_depth": 4}, "unlearn": "retrain"}
COMPLETE = "log-complete"
START = datetime(2026, 2, 2, 10, 0, tzinfo=UTC)


def _nobody_held(ids: Sequence[str], asked: Callable[[str], str], *, count: int = 1) -> Callable[[int], Submission]:
    """Build a retrainer that answers requests with "nothing held", for ids that are written in another way.

    Args:
        ids: Ids of the table, as many as records.
        asked: How the request writes an id.
        count: Requests that are turned away so.
    """

    def build(seed: int) -> Submission:
        table = replace(moons(seed, n=len(ids)), ids=np.array(ids, dtype="<U40"))
        places = np.random.default_rng([seed, 41]).choice(len(ids), 12 + count, replace=False).tolist()
        deleted = together(*places[count:])
        away = [row(100 + place, [asked(str(table.ids[place]))], START, status="no_match") for place in places[:count]]
        return Submission(table=table, deleted=deleted, rows=(*written(table.ids, deleted), *away), procedure=TREE)

    return build


def _digest(text: str) -> str:
    import hashlib  # noqa: PLC0415

    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _sparse(seed: int, *, count: int = 120, low: int = 10_000_000, high: int = 99_999_999) -> list[str]:
    return [str(each) for each in np.sort(np.random.default_rng([seed, 42]).choice(high - low, count, replace=False)) + low]


def _rounded_by_a_sheet(text: str) -> str:
    """What a spreadsheet shows of a long number."""
    return f"{float(text):.7E}".replace("E+0", "E+")


DATED = [f"2024-{1 + place % 12:02d}-{1 + place % 28:02d}-{place:03d}" for place in range(120)]


def _other_date(text: str) -> str:
    year, month, day, number = text.split("-")
    return f"{day}.{month}.{year}/{number}"


def _left_out_as_other(seed: int) -> Bundle:
    """Of an export of tickets, those of type "Account closure" are left out as no erasures, though each asks to be erased."""
    frame = customers(seed)
    places = np.random.default_rng([seed, 43]).choice(len(frame), 10, replace=False).tolist()
    kinds = ["Erasure"] * 6 + ["Account closure"] * 4
    lines = [
        f"T-{number},{frame['id'][place]},2026-02-{2 + number:02d} 09:00,2026-02-{4 + number:02d} 17:00,closed,{kind}"
        for number, (place, kind) in enumerate(zip(places, kinds, strict=True))
    ]
    rows = imported(
        "\n".join(["Ticket,Customer,Opened,Closed,State,Request type", *lines]) + "\n",
        "--map",
        "Ticket=request_id,Customer=record_ids,Opened=received_at,Closed=executed_at,State=status",
        "--erasures",
        "Request type=Erasure",
        "--timezone",
        "Europe/Berlin",
    )
    # The four people who closed their accounts are no rows of the log.
    return framed(frame, together(*places[:6]), procedure=dict(BUILT), code=PIPELINE, rows=rows)


def _somebody_else(seed: int) -> Submission:
    """The rows of people who bought least are deleted in the place of those who asked."""
    table = made(seed, n=110)
    value = np.argsort(table.features[:, 0])
    asked, instead = value[-6:], value[:6]
    rows = [
        row(number, [str(table.ids[place])], START, note="asked: " + str(table.ids[who]))
        for number, (place, who) in enumerate(zip(instead, asked, strict=True))
    ]
    return Submission(table=table, deleted=tuple(((int(place),),) for place in instead), rows=tuple(rows), procedure=TREE)


def _withdrawn(seed: int) -> Submission:
    """Of thirty people two are said to have withdrawn, who never did: too few to be looked at."""
    table, rng = wine(seed), np.random.default_rng([seed, 44])
    places = rng.choice(len(table), 30, replace=False).tolist()
    deleted = together(*places[2:])
    away = [row(200 + place, [str(table.ids[place])], START, status="revoked") for place in places[:2]]
    for each in away:
        del each["executed_at"]
    return Submission(table=table, deleted=deleted, rows=(*written(table.ids, deleted), *away), procedure=TREE)


def _form_letter(seed: int) -> Submission:
    """Eight of fourteen people are refused by the same two sentences."""
    table = iris(seed)
    places = np.random.default_rng([seed, 45]).choice(len(table), 14, replace=False).tolist()
    deleted = together(*places[8:])
    said = {"status": "denied", "reason": "We need the record.", "exception": "GDPR Article 17(3)(e), legal claims"}
    answered = (START + timedelta(days=9)).isoformat()
    away: list[Row] = []
    for place in places[:8]:
        each = row(300 + place, [str(table.ids[place])], START, **said, answered_at=answered)
        del each["executed_at"]
        away.append(each)
    rest = [{**each, "answered_at": each["executed_at"]} for each in written(table.ids, deleted)]
    return Submission(table=table, deleted=deleted, rows=(*rest, *away), procedure=TREE)


NOISY: dict[str, Any] = {
    "use": "noisy-gd",
    "loss": "logistic",
    "l2": 0.05,
    "sigma2": 0.01,
    "order": 2.0,
    "learn_steps": 400,
    "unlearn_steps": 100,
    "rate": "theorem",
}
DELETION = (*NARROW, "deletion.renyi", "deletion.adaptive", "state.stateless")


def _one_person_as_many(seed: int) -> Submission:
    """One person's nine records are asked for under nine pseudonyms, so that none has more than one."""
    table = made(seed, n=400, d=6)
    first = table.features[0]
    own = 0.9 * first + 0.02 * np.random.default_rng([seed, 46]).normal(size=(9, 6))
    features = table.features.copy()
    features[:9] = own / np.maximum(1.0, np.linalg.norm(own, axis=1))[:, None]
    table = Table(features, np.where(np.arange(400) < 9, table.labels[0], table.labels), table.ids)
    deleted = tuple(((place,),) for place in range(9))
    return Submission(
        table=table, deleted=deleted, procedure=NOISY, claims={"data_deletion": {"q": 2.0, "epsilon": 0.01}}, required=DELETION
    )


DESIGNS = designs(
    Kind.LOGS,
    (
        "number-from-a-sheet",
        "A person is not found, as a spreadsheet wrote the number in exponents.",
        lambda seed: _nobody_held(_sparse(seed), _rounded_by_a_sheet)(seed),
    ),
    ("another-date-format", "A person is not found, as the id's date is written otherwise.", _nobody_held(DATED, _other_date)),
    (
        "searched-by-digest",
        "A person is not found, as a digest of the id was searched.",
        _nobody_held([f"u-{place:05d}" for place in range(120)], _digest),
        COMPLETE,
    ),
    (
        "closure-is-no-erasure",
        "Tickets that ask for erasure in other words are left out of the import.",
        _left_out_as_other,
        COMPLETE,
    ),
    ("somebody-else-deleted", "Others are deleted than those who asked.", _somebody_else, COMPLETE),
    ("two-withdrawn", "Two of thirty people are said to have withdrawn.", _withdrawn, COMPLETE),
    ("form-letter", "Eight of fourteen are refused by one form letter.", _form_letter),
    (
        "nine-pseudonyms",
        "One person's nine records are asked for under nine pseudonyms.",
        _one_person_as_many,
        "subjects-complete",
    ),
)
