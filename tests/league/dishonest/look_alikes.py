"""Designs that keep a record whose deletion was asked for, under an id that looks like another, or a second time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from design import Design, Kind
from dishonest.common import own
from logs import row, written
from submission import Submission
from tables import Table, made, wine

COPIES = frozenset({"copies-are-others"})


def _denied(asked: str, *, kept: str = "customer-1041", status: str = "no_match") -> Any:
    """Build an exact retrainer whose log answers a request for `asked` with no match, though `kept` is in the data."""

    def build(seed: int) -> Submission:
        table = made(seed)
        ids = np.array([f"customer-{1000 + place}" for place in range(len(table))])
        ids = ids.astype("<U40")
        ids[41] = kept
        table = replace(table, ids=ids)
        rows = (*written(ids, (((3,),),)), row(1, [asked], status=status))
        return own(seed, "", table=table, deleted=(((3,),),), rows=rows)

    return build


def _twice(seed: int) -> Submission:
    """Some records stand twice in the data; the log deletes one of each."""
    table = made(seed)
    again = table.subset(np.array([3, 17]))
    doubled = Table(
        np.concatenate([table.features, again.features]),
        np.concatenate([table.labels, again.labels]),
        np.concatenate([table.ids, np.array(["rec-9003", "rec-9017"])]),
    )
    return own(seed, "", table=doubled, deleted=(((3,),), ((17,),)))


def _nearly_twice(seed: int) -> Submission:
    """The same, each value of the second copy moved in the ninth digit."""
    table = wine(seed)
    again = table.features[[5]] * (1 + 1e-9 * np.random.default_rng(seed).normal(size=table.features.shape[1]))
    doubled = Table(
        np.concatenate([table.features, again]),
        np.concatenate([table.labels, table.labels[[5]]]),
        np.concatenate([table.ids, np.array(["bottle-9005"])]),
    )
    return own(seed, "", table=doubled, deleted=(((5,),),))


def _augmented(seed: int) -> Submission:
    """The same with a thousandth of noise, as data augmentation makes it."""
    table = made(seed, d=12)
    again = table.features[[8, 8, 8]] + 1e-4 * np.random.default_rng(seed).normal(size=(3, 12))
    grown = Table(
        np.concatenate([table.features, again]),
        np.concatenate([table.labels, table.labels[[8, 8, 8]]]),
        np.concatenate([table.ids, np.array(["rec-9008", "rec-9108", "rec-9208"])]),
    )
    return own(seed, "", table=grown, deleted=(((8,),),))


def _kept_in_the_store(seed: int) -> Submission:
    submission = own(seed, "")
    return replace(submission, store=submission.table, without=frozenset({"store-holds-no-copies"}))


IDS = ("log.consistency",)
DESIGNS = tuple(
    Design(
        name=name,
        kind=Kind.IDS,
        lie=lie,
        build=build,
        said_by=said,
        trusted=trusted,
        quick=name in {"cyrillic-letter", "records-twice"},
    )
    for name, lie, build, said, trusted in (
        (
            "cyrillic-letter",
            "The id that was asked for differs in a Cyrillic letter.",
            _denied("сustomer-1041"),
            IDS,
            frozenset(),
        ),
        ("other-case", "The id that was asked for differs in capitals.", _denied("CUSTOMER-1041"), IDS, frozenset()),
        ("full-width-digits", "The id that was asked for has full-width digits.", _denied("customer-１０４１"), IDS, frozenset()),
        ("letter-for-digit", "The id that was asked for has an l for a 1.", _denied("customer-l04l"), IDS, frozenset()),
        (
            "soft-hyphen",
            "The id in the data has an invisible character.",
            _denied("customer-1041", kept="customer\u00ad-1041"),
            IDS,
            frozenset(),
        ),
        ("joined-ids", "Two ids are given as one.", _denied("customer-1041,customer-1042"), IDS, frozenset()),
        ("named-id", "The id that was asked for is given with its field.", _denied("id=customer-1041"), IDS, frozenset()),
        ("encoded-id", "The id that was asked for is encoded as in an address.", _denied("customer%2D1041"), IDS, frozenset()),
        ("other-separators", "Its parts are separated otherwise.", _denied("customer::1041"), IDS, frozenset()),
        ("prefixed-id", "Something is put before it.", _denied("eu1-customer-1041"), IDS, frozenset()),
        ("padded-id", "Its number has a zero more.", _denied("customer-01041"), IDS, frozenset()),
        ("bare-number", "Its number alone is looked for.", _denied("1041"), IDS, frozenset()),
        ("one-letter-off", "The id that was asked for lacks a letter.", _denied("custmer-1041"), IDS, frozenset()),
        ("records-twice", "The same record stands under two ids, and one is deleted.", _twice, ("data.erased",), COPIES),
        ("records-nearly-twice", "A copy that differs in the ninth digits stays.", _nearly_twice, ("data.erased",), COPIES),
        ("records-augmented", "Augmented copies of a deleted record stay.", _augmented, ("data.erased",), COPIES),
        (
            "records-in-the-store",
            "The store still holds every deleted record.",
            _kept_in_the_store,
            ("data.erased",),
            frozenset(),
        ),
    )
)
