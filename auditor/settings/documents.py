"""What audit.toml says for the documents alone: who is who, why the policy is what it is, and the places beyond the store.

Nothing here is judged. All of it is the controller's word, and printed as such.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from auditor.settings.values import Day, Table, Text

Relation: TypeAlias = Literal["self", "internal", "third-party"]

MOST_PLACES: Final = 100
"""Entries of [[outside]]."""


class RunBy(Table):
    """Who ran the audit, and how they stand to the controller."""

    name: Text
    """Who."""
    role: Text | None = None
    """Their role."""
    organisation: Text | None = None
    """Where they work."""
    relation: Relation
    """`self`: those whose work is audited; `internal`: others in the same organisation; `third-party`: another organisation."""


class CaseTable(Table):
    """Who is audited, and for what."""

    name: Text
    """The name of the model, as it reads on the report."""
    release: Text | None = None
    """The release that is about to go out."""
    controller: Text | None = None
    """Who decides about the data."""
    contact: Text | None = None
    """Where a person can write to the controller."""
    purpose: Text | None = None
    """What the model is for, in a sentence."""
    dpo: Text | None = None
    """Name and address of the data protection officer."""
    authority: Text | None = None
    """Name and address of the supervisory authority; letters about requests under `eu` need it, other laws name theirs."""
    ropa: Text | None = None
    """Where the record of processing activities has this processing."""
    dpia: Text | None = None
    """Where its data protection impact assessment is found."""
    run_by: RunBy | None = None
    """Who ran the audit."""
    in_use_since: Day | None = None
    """The day from which the released model is in use: it may lie ahead, and not before the last erasure that it reflects."""
    keep_until: Day | None = None
    """The day up to which records and kept runs of this case are kept; left out, one year after the audit."""
    parts: Annotated[tuple[Text, ...], Field(strict=False)] = ()
    """Parts of third parties that take part, by the names of their entry points in the group auditor.parts."""


class OutsidePlace(Table):
    """A place beyond the data store where the records may be, as declared: no check looks into it."""

    name: Text
    """What kind of place: backups, caches, feature stores, embeddings, recipients, derived models, or any other."""
    what: Text
    """What lies there, and what becomes of it."""
    until: Day | None = None
    """The day by which nothing of the deleted records is left there; backups without one are declared to exist, and no more."""
    declared_by: Text
    """Who says so, by name or by office."""
