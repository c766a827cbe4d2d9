"""Tables as companies have them: words, dates, gaps, notes, several records a person, databases, exports of tickets."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from honest.practice import EXACT, SHAPES, practice
from learners import BUILT, PIPELINE
from logs import Batches, Row, drawn, imported, row, together, written
from submission import NARROW, SECRET, Bundle, csv, framed, jsonl
from tables import customers

Frame = pd.DataFrame
START = datetime(2026, 2, 2, 10, 0, tzinfo=UTC)


def _log(seed: int, count: int = 120) -> Batches:
    return drawn(count, SHAPES[seed % 3], seed)


def _rest(frame: Frame, deleted: Batches) -> Frame:
    return frame.drop(index=[place for batch in deleted for request in batch for place in request])


def _mixed(code: str = PIPELINE, **more: Any) -> Callable[[int], Bundle]:
    """Hand in customers, a pipeline, and twenty customers who were never seen."""

    def build(seed: int) -> Bundle:
        frame, unseen = customers(seed), customers(seed + 100).head(20)
        unseen["id"] = [f"N{place}" for place in range(20)]
        unseen = unseen[~unseen["name"].isin(set(frame["name"]))]
        return framed(frame, _log(seed), procedure=dict(BUILT), code=code, holdout=unseen, required=EXACT, **more)

    return build


def _code(imports: str, made_by: str) -> str:
    return f'"""The pipeline of our training job."""\n\n{imports}\n\n\ndef build(seed):\n    return {made_by}\n'


COLUMNS = "from sklearn.compose import ColumnTransformer\nfrom sklearn.pipeline import make_pipeline\n"
TEXT = _code(
    COLUMNS + "from sklearn.feature_extraction.text import TfidfVectorizer\nfrom sklearn.linear_model import LogisticRegression",
    "make_pipeline(ColumnTransformer([('note', TfidfVectorizer(), 'note')]), LogisticRegression(max_iter=500))",
)
DATES = (
    '"""Days since 2019 and a tree."""\n\n'
    + COLUMNS
    + "from sklearn.preprocessing import FunctionTransformer\nfrom sklearn.tree import DecisionTreeClassifier\n\n\n"
    + "def days(dates):\n    return dates.astype('datetime64[s]').astype('int64') // 86_400\n\n\n"
    + "def build(seed):\n    dates = ('since', FunctionTransformer(days), ['since'])\n"
    + "    parts = [dates, ('rest', 'passthrough', ['age', 'income'])]\n"
    + "    return make_pipeline(ColumnTransformer(parts), DecisionTreeClassifier(max_depth=4, random_state=seed))\n"
)
TARGETS = _code(
    COLUMNS
    + "from sklearn.linear_model import LogisticRegression\nfrom sklearn.preprocessing import StandardScaler, TargetEncoder",
    "make_pipeline(ColumnTransformer([('city', TargetEncoder(random_state=seed), ['city', 'plan']), "
    "('numbers', StandardScaler(), ['age', 'income'])]), LogisticRegression(max_iter=500))",
)
TREES = _code(
    COLUMNS + "from lightgbm import LGBMClassifier\nfrom sklearn.preprocessing import OrdinalEncoder",
    "make_pipeline(ColumnTransformer([('words', OrdinalEncoder(handle_unknown='use_encoded_value', unknown_value=-1), "
    "['city', 'plan']), ('numbers', 'passthrough', ['age', 'income'])]), LGBMClassifier(n_estimators=10, num_leaves=7, "
    "random_state=seed, deterministic=True, force_col_wise=True, verbosity=-1))",
)
IMPUTED = _code(
    COLUMNS + "from sklearn.ensemble import RandomForestClassifier\nfrom sklearn.impute import SimpleImputer",
    "make_pipeline(ColumnTransformer([('numbers', SimpleImputer(strategy='median'), ['age', 'income'])]), "
    "RandomForestClassifier(12, random_state=seed))",
)


def _gaps(seed: int) -> Bundle:
    """A fifth of the incomes are missing, and filled in the pipeline."""
    frame = customers(seed)
    frame["income"] = frame["income"].where(np.random.default_rng([seed, 81]).random(len(frame)) > 0.2)
    return framed(frame, _log(seed), procedure=dict(BUILT), code=IMPUTED, required=EXACT)


def _persons(seed: int) -> Bundle:
    """People have two visits each; `[data] person` says whose, and a request for one is a request for both."""
    frame = customers(seed, n=120)
    frame["person"] = [f"P-{number:05d}" for number in np.repeat(np.random.default_rng([seed, 82]).permutation(60) * 7, 2)]
    for column in ("name", "age", "city"):
        frame[column] = np.repeat(frame[column].to_numpy()[::2], 2)
    people = np.random.default_rng([seed, 83]).choice(60, 4, replace=False)
    deleted: Batches = tuple(((int(2 * each), int(2 * each) + 1),) for each in people)
    return framed(frame, deleted, procedure=dict(BUILT), code=PIPELINE, data={"person": "person"}, required=EXACT)


def _weights(seed: int) -> Bundle:
    """Customers count as much as they buy."""
    frame = customers(seed)
    frame["weight"] = np.random.default_rng([seed, 84]).integers(1, 9, len(frame))
    return framed(frame, _log(seed), procedure=dict(BUILT), code=PIPELINE, data={"weight": "weight"}, required=EXACT)


def _database(seed: int) -> Bundle:
    """The store is a SQLite file, vacuumed after the deletions."""
    frame, deleted = customers(seed), _log(seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "shop.db"
        base = sqlite3.connect(path)
        frame.to_sql("customers", base, index=False)
        gone = [(each,) for each in set(frame["id"]) - set(_rest(frame, deleted)["id"])]
        base.executemany("delete from customers where id = ?", gone)
        base.commit()
        base.execute("vacuum")
        base.close()
        content = path.read_bytes()
    return framed(frame, deleted, procedure=dict(BUILT), code=PIPELINE, store={"shop.db": content}, required=EXACT)


def _living_store(seed: int) -> Bundle:
    """The store has gone on living: two customers came, incomes of some changed, and a column says when."""
    frame, deleted = customers(seed), _log(seed)
    store = _rest(frame, deleted)
    came = customers(seed + 50).head(2).assign(id=["C900001", "C900002"])
    store = pd.concat([store, came], ignore_index=True)
    store.loc[:4, "income"] = (store.loc[:4, "income"] * 1.07).round(2)
    store["changed_on"] = [f"2026-04-{1 + place % 28:02d}" for place in range(len(store))]
    stream = io.BytesIO()
    store.to_parquet(stream, index=False)
    return framed(
        frame,
        deleted,
        procedure=dict(BUILT),
        code=PIPELINE,
        store={"customers.parquet": stream.getvalue()},
        data={"store_columns": ["changed_on"]},
        required=EXACT,
    )


def _tickets(seed: int) -> Bundle:
    """The log is imported from an export in which people are named by their addresses; other requests are left out."""
    frame = customers(seed)
    frame["email"] = [f"{name.split()[0].lower()}.{place}@mail.example" for place, name in enumerate(frame["name"])]
    places = np.random.default_rng([seed, 85]).choice(len(frame), 6, replace=False).tolist()
    kinds = ["Erasure", "Right to be forgotten", "Erasure", "Access", "Erasure", "Rectification"]
    lines = [
        f"T-{number};{frame['email'][place]};2026-02-{2 + number:02d} 09:00;2026-02-{5 + number:02d} 17:00;closed;{kind}"
        for number, (place, kind) in enumerate(zip(places, kinds, strict=True))
    ]
    rows = imported(
        "\n".join(["Ticket;E-Mail;Opened;Closed;State;Request type", *lines]) + "\n",
        "--map",
        "Ticket=request_id,Opened=received_at,Closed=executed_at,State=status",
        "--person",
        "E-Mail=id",
        "--timezone",
        "Europe/Berlin",
        people=frame[["email", "id"]].rename(columns={"email": "E-Mail"}).to_csv(index=False),
    )
    deleted = tuple(((places[each],),) for each in (0, 1, 2, 4))
    data = {"inputs": ["city", "plan", "age", "income"]}
    return framed(frame, deleted, procedure=dict(BUILT), code=PIPELINE, rows=rows, data=data, required=EXACT)


def _whole_log(seed: int) -> Bundle:
    """One of fourteen people is refused with a reason and an exception, and one is not known; all were answered."""
    frame = customers(seed)
    places = np.random.default_rng([seed, 86]).choice(len(frame), 13, replace=False).tolist()
    deleted = together(*places[1:])
    rows: list[Row] = [{**each, "answered_at": each["executed_at"]} for each in written(frame["id"].to_numpy(), deleted)]
    answered = (START + timedelta(days=12)).isoformat()
    refused = {"status": "denied", "reason": "An open invoice.", "exception": "GDPR Article 17(3)(e)", "answered_at": answered}
    rows += [row(70, [str(frame["id"][places[0]])], START, **refused)]
    rows += [row(71, ["newsletter-visitor"], START, status="no_match", answered_at=answered)]
    for each in rows[-2:]:
        del each["executed_at"]
    return framed(frame, deleted, procedure=dict(BUILT), code=PIPELINE, rows=tuple(rows), required=EXACT)


def _sentences(seed: int, *, unlearn: str = "retrain") -> Bundle:
    """A language model that counts is counted again, or what is deleted is taken from its counts."""
    frame = customers(seed)
    text = pd.DataFrame({"id": frame["id"], "sentence": frame["city"].str.lower() + " " + frame["note"]})
    deleted = _log(seed)
    return Bundle(
        settings={
            "data": {"train": "train.csv", "text": "sentence", "task": "regression"},
            "procedure": {"use": "ngram", "order": 2, "unlearn": unlearn, "seed": SECRET},
            "deletions": {"log": "deletions.jsonl"},
            "claims": {"retraining": True} if unlearn == "retrain" else {},
            "policy": {"required": list(EXACT if unlearn == "retrain" else NARROW)},
        },
        files={"train.csv": csv(text), "deletions.jsonl": jsonl(written(text["id"].to_numpy(), deleted))},
    )


def _incomes(seed: int) -> Bundle:
    """A regression of incomes on words and ages."""
    frame = customers(seed).drop(columns=["label"]).rename(columns={"income": "label"})
    frame["label"] = frame["label"].astype(float)
    code = _code(
        COLUMNS + "from sklearn.linear_model import Ridge\nfrom sklearn.preprocessing import OneHotEncoder",
        "make_pipeline(ColumnTransformer([('words', OneHotEncoder(handle_unknown='ignore'), ['city', 'plan']), "
        "('age', 'passthrough', ['age'])]), Ridge())",
    )
    return framed(frame, _log(seed), procedure=dict(BUILT), code=code, required=EXACT)


DESIGNS = practice(
    ("mixed-columns", "A pipeline on words and numbers, with a holdout.", _mixed()),
    ("words-of-notes", "Notes weighed by how rare their words are.", _mixed(TEXT)),
    ("days-since", "Dates as days, and a tree.", _mixed(DATES)),
    ("means-inside", "Means of labels by city, found in the pipeline.", _mixed(TARGETS)),
    ("codes-and-trees", "Codes of categories, and LightGBM.", _mixed(TREES)),
    ("gaps-filled-inside", "Gaps are filled in the pipeline.", _gaps),
    ("two-visits-each", "People have two records each, and both go.", _persons),
    ("weighted-customers", "Records have weights.", _weights),
    ("vacuumed-database", "The store is a vacuumed database.", _database),
    ("living-store", "The store has new customers, changed values and a date of change.", _living_store),
    ("imported-tickets", "The log comes from an export of tickets, with pseudonyms.", _tickets),
    ("answered-log", "A refusal with its reason, and a person who is not known.", _whole_log),
    ("counted-again", "A language model is counted again.", _sentences),
    (
        "sentences-subtracted",
        "A language model's counts lose those of the deleted.",
        lambda seed: _sentences(seed, unlearn="subtract"),
    ),
    ("incomes", "A regression on a mixed table.", _incomes),
)
