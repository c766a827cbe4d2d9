"""Places that are searched for deleted people where nothing that learns is audited, and the table of who was in them."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from auditor.settings.builtin import Procedure, one_of
from auditor.settings.values import Seed, Table, Text

Level: TypeAlias = Literal["answers", "disk"]
"""How a place is searched: what queries are answered with, as the controller recorded it, or what its files hold."""
MOST_SEARCHED: Final = 100
"""Entries of [places]."""


class PlaceKeys(Table):
    """A place: a file, or a folder with everything below it. A path alone stands for a table with nothing but `path`."""

    path: Text
    """From the folder of audit.toml, or from the root of this machine."""
    level: Annotated[Level, one_of("level", ("answers", "disk"))] = "disk"
    """`disk`: files are read to the last byte; `answers`: recorded queries and answers, a JSON object a line."""
    ids: Text | None = None
    """The column, field or metadata key whose values are the log's `record_ids`; None to know it by its values."""
    note: Text | None = None
    """What the place is for, in the controller's words."""


class PlaceTable(PlaceKeys):
    """The same with its name."""

    name: Text


class PeopleTable(Table):
    """Who was in the places, where these are all that there is."""

    table: Text
    """CSV or Parquet with a row a record, or .npz with `features` and `ids`; those of deleted people included: their values are
    looked for, and what retained ones have explains what lies there. From the folder of audit.toml, or from the root of this
    machine."""
    id: Text = "id"
    """Name of the column of ids."""


class PlacesAlone(Procedure):
    """What stands for [procedure] where there are places alone: nothing learns, and nothing is run."""

    use: Literal["places"] = "places"
    seed: Seed

    @property
    def learns(self) -> bool:
        """Nothing."""
        return False
