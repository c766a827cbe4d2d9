"""Read a table of Lance, which LanceDB keeps: a folder of data files, and a manifest for each version that is still there.

Rows that are deleted stay in their data file, and a deletion file marks them; compaction writes the others again, and clean-up
removes what only former versions have. Every version that is there is read, and every data file, whether a version has it or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Message
from auditor.parts.store.judging.accounting import SPARE_EACH
from auditor.parts.store.observing.spare_bits import bits_of
from auditor.parts.store.readers.contents import Contents, Lies, Rows, UnknownFormError
from auditor.parts.store.readers.fields import no_numbers
from auditor.parts.store.readers.lance_deletions import marked
from auditor.parts.store.readers.lance_file import MOST_ROWS, DataFile
from auditor.parts.store.readers.lance_kinds import Cells, Field
from auditor.parts.store.readers.lance_manifest import Fragment, Manifest, Said, transact

_FORM: Final = "Lance"
_VERSIONS, _TRANSACTIONS, _DATA, _DELETIONS = "_versions", "_transactions", "data", "_deletions"
_HINT: Final = "latest_version_hint.json"
_NAME: Final = re.compile(r"(\d{1,20})\.manifest", re.ASCII)
_BACKWARDS: Final = 20
"""Digits of a version's name that counts from the largest number down."""
_LAST: Final = (1 << 64) - 1
_ENDINGS: Final = {_VERSIONS: (".manifest",), _TRANSACTIONS: (".txn",), _DATA: (".lance",), _DELETIONS: (".arrow", ".bin")}
_FEW_DRAWN: Final = 8
"""Names and times that a table may have, two of each version and one of each data file: more could be chosen to say something."""
_DRAWN: Final = 16
"""Bytes of one."""
_NUMBER: Final = 8
"""Bytes of a number that is not what files say."""
_VECTORS: Final = frozenset({"vector", "vectors", "embedding", "embeddings", "emb"})


class LanceFolder:
    """Reads one table."""

    form = _FORM

    def claims(self, heads: Mapping[str, bytes]) -> tuple[tuple[str, ...], ...]:
        """Claim each folder with manifests: what lies in it where a table's files lie."""
        roots = {PurePosixPath(each).parent.parent for each in heads if _is_manifest(each)}
        found = []
        for root in sorted(roots):
            own = [each for each in heads if PurePosixPath(each).parent.parent == root and _is_of_table(each)]
            found.append((*sorted(own, key=lambda each: (not _is_manifest(each), each)),))
        return tuple(each for each in found if len(each) > 1)

    def read(self, files: Mapping[str, bytes]) -> Contents:
        """Take a table apart.

        Raises:
            UnknownFormError: If it is of another version, or damaged.
        """
        kept: dict[str, dict[str, bytes]] = {each: {} for each in _ENDINGS}
        for path, content in files.items():
            place = PurePosixPath(path)
            kept[place.parent.name][place.name] = content
        root = PurePosixPath(next(iter(files))).parent.parent
        table = _Table(f"{root.name}: " if root.name else "", kept)
        try:
            return table.read(tuple(files), sum(map(len, files.values())))
        except (ValueError, IndexError, OverflowError) as error:
            raise UnknownFormError from error


def _is_manifest(path: str) -> bool:
    place = PurePosixPath(path)
    return place.parent.name == _VERSIONS and _NAME.fullmatch(place.name) is not None


def _is_of_table(path: str) -> bool:
    place = PurePosixPath(path)
    folder = place.parent.name
    if folder == _VERSIONS:
        return place.name == _HINT or _is_manifest(path)
    return place.suffix in _ENDINGS.get(folder, ())


@dataclass(slots=True)
class _Table:
    where: str
    """What the names of its parts begin with."""
    kept: Mapping[str, Mapping[str, bytes]]
    data: dict[str, DataFile] = field(default_factory=dict)
    versions: dict[int, Manifest] = field(default_factory=dict)
    rows: list[Rows] = field(default_factory=list)
    said: Said = field(default_factory=Said)
    names: set[str] = field(default_factory=set)
    """Names of columns that rows are given with."""

    def read(self, files: tuple[str, ...], size: int) -> Contents:
        self.data = {name: DataFile.read(content) for name, content in self.kept[_DATA].items()}
        if sum(each.rows for each in self.data.values()) > MOST_ROWS:
            raise UnknownFormError
        self._read_versions()
        latest = max(self.versions)
        for fragment in self.versions[latest].fragments:
            self._of_fragment(latest, fragment)
        live = {each.path for fragment in self.versions[latest].fragments for each in fragment.files}
        for name, file in self.data.items():
            if name not in live:
                which = np.ones(file.rows, dtype=bool)
                columns = [(each, cells) for each, cells in zip(file.fields, file.columns, strict=True) if cells is not None]
                self._add(f"{name}, {self._versions_with(name)}", Lies.REMNANT, columns, which)
        for name, file in self.data.items():
            for each, cells in zip(file.fields, file.columns, strict=True):
                self._left(name, each, cells)
        self._transactions()
        return Contents(
            form=_FORM,
            rows=tuple(self.rows),
            bytes=size,
            unexplained=min(size, self._unexplained()),
            unread=self._unread(),
            files=files,
        )

    def _read_versions(self) -> None:
        manifests = dict(self.kept[_VERSIONS])
        hint = manifests.pop(_HINT, None)
        for name, content in manifests.items():
            found = _NAME.fullmatch(name)
            if found is None:
                raise UnknownFormError
            stated = int(found[1])
            read = Manifest.read(content)
            if read.version != (_LAST - stated if len(found[1]) == _BACKWARDS else stated) or read.version in self.versions:
                raise UnknownFormError
            self.versions[read.version] = read
        if hint is not None and hint != b'{"version":%d}' % max(self.versions):
            self.said.text(hint)

    def _of_fragment(self, version: int, fragment: Fragment) -> None:
        """Give the rows of a fragment of the latest version: those that are there, and those that are marked as deleted."""
        fields = {each.number: each for each in self.versions[version].fields}
        columns: dict[int, tuple[Field, Cells]] = {}
        other: list[tuple[Field, Cells]] = []
        for file in fragment.files:
            data = self.data.get(file.path)
            if data is None or data.rows != fragment.rows:
                raise UnknownFormError
            own = {place: number for number, place in file.columns}
            if len(own) != len(file.columns) or any(place >= len(data.fields) for place in own):
                raise UnknownFormError
            for place, (each, cells) in enumerate(zip(data.fields, data.columns, strict=True)):
                if cells is None:
                    continue
                field_of = fields.get(own.get(place, -1))
                if field_of is None or field_of.number in columns or field_of.kind != each.kind:
                    other.append((each, cells))
                else:
                    columns[field_of.number] = field_of, cells
        gone = np.zeros(fragment.rows, dtype=bool)
        if (deletions := fragment.deletions) is not None:
            content = self.kept[_DELETIONS].get(deletions.name(fragment.number))
            if content is None:
                raise UnknownFormError
            gone = marked(content, arrow=deletions.arrow, rows=fragment.rows)
            if int(gone.sum()) != deletions.count:
                raise UnknownFormError
        name = f"fragment {fragment.number}"
        taken = [columns[number] for number in fields if number in columns]
        self._add(name, Lies.LIVE, taken, ~gone)
        self._add(f"{name}, deleted by version {version}", Lies.MARKED, taken, gone)
        self._add(f"{name}, columns of no version", Lies.REMNANT, other, np.ones(fragment.rows, dtype=bool))

    def _versions_with(self, name: str) -> str:
        having = [
            version
            for version, each in sorted(self.versions.items())
            if any(file.path == name for fragment in each.fragments for file in fragment.files)
        ]
        return "in no version" if not having else "in version " + ", ".join(map(str, having))

    def _add(self, where: str, lies: Lies, columns: Sequence[tuple[Field, Cells]], which: npt.NDArray[np.bool_]) -> None:
        """Give the chosen rows of these columns; those of each column of vectors at once."""
        count = int(which.sum())
        if not count or not columns:
            return
        words = {each.name: cells.words(which) for each, cells in columns if not cells.kind.items}
        vectors = [cells.vectors(which) for _, cells in columns if cells.kind.items]
        if len(words) + len(vectors) < len(columns):
            # Two columns of one name.
            raise UnknownFormError
        self.names |= words.keys()
        held = [
            {name: value for name, value in zip(words, row, strict=True) if value is not None}
            for row in zip(*words.values(), strict=True)
        ]
        given: list[npt.NDArray[np.float32] | None] = [*vectors] or [None]
        for each in given:
            self.rows.append(Rows(f"{self.where}{where}", lies, count, vectors=each, fields=tuple(held) if words else None))

    def _left(self, name: str, column: Field, cells: Cells | None) -> None:
        """Give values that are there and that no row has."""
        if cells is not None and cells.left:
            fields = tuple({column.name: each} for each in cells.left)
            self.rows.append(Rows(f"{self.where}{name}, values of no row", Lies.REMNANT, len(fields), fields=fields))

    def _transactions(self) -> None:
        """Read what made each version, from files and from the copies in manifests."""
        made_by = {each.transaction: version for version, each in self.versions.items()}
        seen: set[bytes] = set()
        for name, content in self.kept[_TRANSACTIONS].items():
            seen.add(content)
            if transact(content, self.said, made_by.get(name, 1) - 1) != name:
                self.said.text(name.encode())
        for version, each in self.versions.items():
            named = each.transaction
            for content in each.said.transactions:
                known = content in seen
                own = transact(content, Said() if known else self.said, version - 1)
                if own != named:
                    self.said.text(named.encode())
            if not each.said.transactions and named not in self.kept[_TRANSACTIONS]:
                self.said.text(named.encode())

    def _schemas(self) -> int:
        """Bytes of columns that no row is given with, and of those that a file or a former version lists in another way."""
        latest = self.versions[max(self.versions)].fields
        listed = [each.fields for each in self.versions.values()] + self.said.listed
        listed += [each.fields for each in self.data.values()]
        everyone = {each for fields in listed for each in fields}
        found = sum(_NUMBER + len(each.name.encode()) for each in everyone - {*latest})
        found += sum(len(name.encode()) for name in {each.name for each in latest} - self.names - _VECTORS)
        found += sum(_NUMBER for at, each in enumerate(latest) if each.number != at)
        return found + sum(each.unexplained for fields in self.said.listed for each in fields)

    def _unexplained(self) -> int:
        """Bytes that neither rows nor the form account for."""
        all_said = [self.said, *(each.said for each in self.versions.values())]
        drawn = set[object]().union(*(each.drawn for each in all_said), self.data)
        bits = sum(each.bits for each in all_said) + sum(each.bits for each in self.data.values())
        found = sum(each.unexplained for each in all_said) + sum(each.unexplained for each in self.data.values())
        found += self._schemas() + sum(map(len, self.kept[_DELETIONS].values()))
        found += _DRAWN * max(0, len(drawn) - _FEW_DRAWN)
        found += sum(no_numbers(cells.numbers[cells.valid]) for cells in self._vectors() if cells.numbers is not None)
        fragments = [each for version in self.versions.values() for each in version.fragments]
        for each in dict.fromkeys([*fragments, *self.said.mentioned]):
            beyond, more = self._of_mention(each)
            found, bits = found + beyond, bits + more
        named = {file.path for each in fragments for file in each.files}
        found += sum(len(name) for name in self.data if name not in named)
        return found + ((bits + 7) // 8 if bits > SPARE_EACH else 0)

    def _vectors(self) -> Iterator[Cells]:
        return (cells for each in self.data.values() for cells in each.columns if cells is not None and cells.kind.items)

    def _of_mention(self, fragment: Fragment) -> tuple[int, int]:
        """Bytes of what is said of a fragment that its data files do not say, and bits of its numbers."""
        found, bits = 0, bits_of(fragment.number)
        for file in fragment.files:
            data = self.data.get(file.path)
            if data is None:
                # Nothing tells whether there ever was such a file.
                found += _DRAWN
                bits += bits_of(file.size) + bits_of(fragment.rows)
                continue
            columns = tuple((each.number, place) for place, each in enumerate(data.fields))
            found += _NUMBER * (file.columns != columns) + _NUMBER * (file.size != len(self.kept[_DATA][file.path]))
            found += _NUMBER * (fragment.rows != data.rows)
        if (deletions := fragment.deletions) is not None:
            found += _NUMBER
            bits += bits_of(deletions.version) + bits_of(deletions.count)
        return found, bits

    def _unread(self) -> tuple[Message, ...]:
        found: list[Message] = []
        for each in self.data.values():
            found += [why for why in each.unread if why not in found]
        return tuple(found)
