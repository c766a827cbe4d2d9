"""Read an index that hnswlib (0.5 to 0.8) saved: header, lowest level, and the lists of higher levels, in one file."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from auditor.parts.store.readers.contents import Contents, UnknownFormError
from auditor.parts.store.readers.fields import Fields
from auditor.parts.store.readers.hnsw_graph import Graph, Header


class HnswlibFile:
    """Reads one index."""

    form = "hnswlib index"

    def claims(self, heads: Mapping[str, bytes]) -> tuple[tuple[str, ...], ...]:
        """Claim files that begin with a header whose sizes fit one another: there is no mark to know them by."""
        found = []
        for path, head in heads.items():
            with suppress(UnknownFormError):
                Header.read(Fields(head))
                found.append((path,))
        return tuple(found)

    def read(self, files: Mapping[str, bytes]) -> Contents:
        """Take an index apart.

        Raises:
            UnknownFormError: If it is damaged.
        """
        ((path, content),) = files.items()
        fields = Fields(content)
        graph = Graph.read(Header.read(fields), fields, fields)
        return Contents(
            form=self.form,
            rows=graph.rows(path),
            bytes=len(content),
            unexplained=min(len(content), graph.unexplained + fields.left),
            files=(path,),
            settings=graph.header.settings(),
            uncounted=graph.uncounted,
        )
