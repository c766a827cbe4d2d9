"""Exact retrainers on tables in which retained rows were made with the help of deleted ones, or belong to the same people."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from design import Kind
from dishonest.common import designs
from learners import BUILT, PIPELINE
from logs import Batches, drawn, together
from submission import Bundle, Submission, framed
from tables import Table, customers, digits, iris, names, wine

Rows = np.ndarray[Any, Any]
LOGISTIC = {
    "use": "sklearn",
    "estimator": "sklearn.linear_model.LogisticRegression",
    "params": {"max_iter": 500},
    "unlearn": "retrain",
}
UNCLEAN = "preprocessing-clean"
COPIES = "copies-are-others"


def _retrained(table: Table, deleted: Batches, **more: Any) -> Submission:
    return Submission(table=table, deleted=deleted, procedure=LOGISTIC, **more)


def _grown(table: Table, features: Rows, labels: Rows, mark: str) -> Table:
    """Put rows under new ids behind those of a table, and shuffle nothing."""
    return Table(
        np.concatenate([table.features, features]),
        np.concatenate([table.labels, labels]),
        np.concatenate([table.ids.astype("<U20"), names(len(features), mark).astype("<U20")]),
    )


def _other_orders(seed: int) -> Bundle:
    """Each row is an order; a request names one of the person's orders, and their others stay, under the same customer number."""
    rng = np.random.default_rng([seed, 31])
    frame = customers(seed, n=140)
    number = np.sort(rng.choice(900_000, 70, replace=False)) + 100_000
    frame["customer_no"] = np.repeat(number, 2).astype(str)
    frame["customer_no"] = "K-" + frame["customer_no"]
    for column in ("age", "name", "city"):
        frame[column] = np.repeat(frame[column].to_numpy()[::2], 2)
    deleted = together(*(int(2 * each) for each in rng.choice(70, 6, replace=False)))
    params = {**BUILT, "params": {"words": ["city", "plan"], "numbers": ["age", "income"]}}
    return framed(frame, deleted, procedure=params, code=PIPELINE, data={"inputs": ["city", "plan", "age", "income"]})


def _smote(seed: int) -> Submission:
    """The rare class was filled up with points between its records, most of them between a deleted one and a neighbour."""
    table, rng = wine(seed), np.random.default_rng([seed, 32])
    rare = np.flatnonzero(table.labels == 2)
    gone = rng.choice(rare, 5, replace=False)
    found = []
    for place in gone:
        distance = np.square(table.features[rare] - table.features[place]).sum(axis=1)
        near = rare[np.argsort(distance)[1:5]]
        found += [
            (1 - share) * table.features[place] + share * table.features[other]
            for other, share in zip(near, rng.uniform(0.05, 0.45, 4), strict=True)
        ]
    grown = _grown(table, np.array(found), np.full(len(found), 2), "bottle-s")
    return _retrained(grown, together(*gone.tolist()))


def _noise(seed: int) -> Submission:
    """Every row of three deleted people was written five times more, each value moved by a twentieth of its deviation."""
    table, rng = iris(seed), np.random.default_rng([seed, 33])
    gone = rng.choice(len(table), 3, replace=False)
    again = np.repeat(table.features[gone], 5, axis=0)
    again = again + 0.05 * table.features.std(axis=0) * rng.normal(size=again.shape)
    return _retrained(_grown(table, again, np.repeat(table.labels[gone], 5), "flower-a"), together(*gone.tolist()))


def _mirrored(seed: int) -> Submission:
    """Pictures were mirrored to have more of them; the mirrored ones of deleted people stay under ids of their own."""
    table, rng = digits(seed, n=140), np.random.default_rng([seed, 34])
    gone = rng.choice(len(table), 4, replace=False)
    others = rng.choice(np.setdiff1d(np.arange(len(table)), gone), 10, replace=False)
    chosen = np.concatenate([gone, others])
    mirrored = table.features[chosen].reshape(-1, 8, 8)[:, :, ::-1].reshape(-1, 64)
    return _retrained(_grown(table, mirrored, table.labels[chosen], "scan-m"), together(*gone.tolist()))


def _smoothed_means(seed: int) -> Bundle:
    """A column holds each city's share of people who left, drawn towards that of everybody, deleted people among them."""
    frame = customers(seed)
    left = (frame["label"] == "left").astype(float)
    groups = left.groupby(frame["city"])
    frame["city_risk"] = ((groups.transform("sum") + 10 * left.mean()) / (groups.transform("count") + 10)).round(5)
    params = {**BUILT, "params": {"words": ["plan"], "numbers": ["city_risk", "age", "income"]}}
    return framed(frame, drawn(len(frame), [[2], [1, 2]], seed), procedure=params, code=PIPELINE)


def _neighbourhood(seed: int) -> Bundle:
    """A column holds the mean income of the six customers who are nearest in age, deleted ones among them."""
    frame = customers(seed)
    age, income = frame["age"].to_numpy(), frame["income"].to_numpy()
    apart = np.abs(age[:, None] - age[None]) + 1e-6 * np.arange(len(age))[None]
    np.fill_diagonal(apart, np.inf)
    frame["peers_income"] = income[np.argsort(apart, axis=1)[:, :6]].mean(axis=1).round(2)
    params = {**BUILT, "params": {"words": ["plan", "city"], "numbers": ["peers_income", "age"]}}
    return framed(frame, drawn(len(frame), [[3], [2]], seed), procedure=params, code=PIPELINE)


def _pseudo_labels(seed: int) -> Submission:
    """Half of the labels are those that an earlier model gave, and deleted people had taught it."""
    table, rng = digits(seed, n=140), np.random.default_rng([seed, 35])
    gone = rng.choice(60, 6, replace=False)
    labels = table.labels.copy()
    labels[gone] = (labels[gone] + 1) % 3  # what they taught, nobody else would have
    teacher = LogisticRegression(C=50.0, max_iter=2000).fit(table.features[:60], labels[:60])
    labels[60:] = teacher.predict(table.features[60:])
    return _retrained(replace(table, labels=labels), together(*gone.tolist()))


def _in_the_holdout(seed: int) -> Submission:
    """The deleted rows were moved to the holdout, where they get ids of their own."""
    train, holdout = wine(seed).cut(30)
    gone = np.random.default_rng([seed, 36]).choice(len(train), 5, replace=False)
    return _retrained(train, together(*gone.tolist()), holdout=_grown(holdout, train.features[gone], train.labels[gone], "check"))


DESIGNS = designs(
    Kind.TABLES,
    (
        "other-orders-stay",
        "A person's other orders stay, under their customer number.",
        _other_orders,
        "subjects-complete",
    ),
    ("points-between", "Points between deleted records and their neighbours stay.", _smote, UNCLEAN),
    ("rows-with-noise", "Deleted rows stay five times each with noise of five hundredths.", _noise, COPIES),
    ("pictures-mirrored", "Mirrored pictures of deleted people stay.", _mirrored, UNCLEAN),
    ("smoothed-means-of-labels", "A city's column holds the mean of its labels, deleted ones too.", _smoothed_means, UNCLEAN),
    ("means-of-neighbours", "A column holds means over neighbours who were deleted.", _neighbourhood, UNCLEAN),
    ("labels-of-an-old-model", "Labels come from a model that deleted people taught.", _pseudo_labels, UNCLEAN),
    ("moved-to-the-holdout", "The holdout keeps the deleted rows, under ids of its own.", _in_the_holdout),
)
