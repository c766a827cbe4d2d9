"""What was made from the model, as audit.toml declares it: each thing, what it was made from, and what became of it since."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from auditor.settings.values import Day, Sha256, Table, Text, show, unknown

Made: TypeAlias = Literal["distilled", "fine-tuned", "synthetic-data", "embeddings", "other"]
MODEL: Final = "model"
"""What `made_from` calls the model of the case; no entry may be called so."""
MOST_MADE: Final = 100
"""Entries of [[lineage]]."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What will become of a thing on a day that has not come: it counts for nothing until then."""

    on: date
    retired: bool
    """Whether it will be retired, and not made again."""


class Descendant(Table):
    """Something that was made from the model, as declared: no check examines what it learned."""

    name: Text
    """What it is called: each entry has a name of its own, and none is called `model`."""
    kind: Made
    """`distilled`: a model that learned from the answers of this one; `fine-tuned`: one that began with its weights;
    `synthetic-data`: records that it generated; `embeddings`: vectors that it computed; `other`."""
    made_from: Text = MODEL
    """`model`, the model of this case, or the name of another entry."""
    from_release: Text | None = None
    """The release of the model that it was last made from, as `[case] release` has it; only with `made_from = "model"`."""
    made_at: Day | None = None
    """The day on which it was first made; without it nobody knows from which model."""
    remade_at: Day | None = None
    """The day on which it was last made again from scratch; a day ahead is a plan, and counts for nothing until then."""
    retired_at: Day | None = None
    """The day since which it is neither used nor kept; the same of a day ahead."""
    path: Text | None = None
    """A file or folder of it, which is searched for copies of deleted records."""
    sha256: Sha256 | None = None
    """SHA-256 of that file, or of the canonical list of the folder's files; of a thing that lies elsewhere, as declared."""
    declared_by: Text
    """Who says so, by name or by office."""

    def made_by(self, today: date) -> date | None:
        """Give the last day up to today on which it was made; None where none is declared."""
        return max((day for day in (self.made_at, self.remade_at) if day is not None and day <= today), default=None)

    def planned(self, today: date) -> Plan | None:
        """Give the next of its days that lie ahead; None where none does."""
        ahead = [(day, retired) for day, retired in ((self.remade_at, False), (self.retired_at, True)) if day and day > today]
        return Plan(*min(ahead)) if ahead else None


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an entry."""

    index: int
    """Its place among the entries, from 0."""
    key: str
    expected: str
    found: str


def faults(made: Sequence[Descendant]) -> Iterator[Fault]:
    """List what no entry can say in the company of the others: names and sources, and days out of order."""
    looks: dict[str, int] = {}
    for index, each in enumerate(made):
        if (look := _look(each.name)) == MODEL:
            yield Fault(index, "name", f'another name than "{MODEL}", which is the model of the case', show(each.name))
        elif (first := looks.setdefault(look, index)) != index:
            yield Fault(index, "name", f"a name that does not look like that of lineage.{first}", show(each.name))
        yield from _of_one(index, each)
    sources = {each.name: each.made_from for each in reversed(made)}
    for index, each in enumerate(made):
        if each.made_from != MODEL and each.made_from not in sources:
            yield Fault(index, "made_from", *unknown("thing", each.made_from, (MODEL, *sources)))
        elif circle := _circle(each.name, sources):
            yield Fault(index, "made_from", f'a source that leads back to "{MODEL}"', f"a circle: {' from '.join(circle)}")


def _look(name: str) -> str:
    """A name without what the eye does not tell apart: two things that look alike on a page would be taken for one."""
    seen = "".join(each for each in unicodedata.normalize("NFKC", name) if unicodedata.category(each) != "Cf")
    return " ".join(seen.casefold().split())


def _of_one(index: int, each: Descendant) -> Iterator[Fault]:
    days = [(key, day) for key in ("made_at", "remade_at", "retired_at") if (day := getattr(each, key)) is not None]
    for (first, before), (then, after) in pairwise(days):
        if after < before:
            yield Fault(index, then, f"no day before {first}, {before.isoformat()}", after.isoformat())
    if each.from_release is not None and each.made_from != MODEL:
        yield Fault(index, "from_release", f'only with made_from = "{MODEL}"', f"made_from = {show(each.made_from)}")


_MOST_SHOWN: Final = 4


def _circle(name: str, sources: dict[str, str]) -> list[str]:
    """Name the things from one back to itself, the first few; none where it is in no circle."""
    way, at = [show(name)], sources.get(name)
    for _ in sources:
        if at is None or at == MODEL:
            return []
        if at == name:
            return [*way[:_MOST_SHOWN], *(["…"] if len(way) > _MOST_SHOWN else []), show(name)]
        way.append(show(at))
        at = sources.get(at)
    return []
