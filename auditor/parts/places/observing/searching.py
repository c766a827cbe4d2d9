"""Search every place of a case, file by file, and account for every byte of it."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple

from auditor.base.deletion_log.deletions import people
from auditor.base.deletion_log.requests import Request
from auditor.base.domain import Message
from auditor.base.limited import NotReadError, Reader
from auditor.case import Case
from auditor.case.files import BINARY_LIMIT, reason_of
from auditor.case.places import Listed, Place
from auditor.parts.places.judging.embedding import Embedding, Vectors
from auditor.parts.places.judging.found_at import MOST as MOST_FOUND
from auditor.parts.places.judging.found_at import MOST_REQUESTS, FoundOf, FoundSpot
from auditor.parts.places.judging.places_erased import MostUnexplained, Observed, PlaceSeen
from auditor.parts.places.judging.unexplained import MOST, Form, Spot
from auditor.parts.places.observing.attributes import attributes, owners
from auditor.parts.places.observing.before_and_after import compare
from auditor.parts.places.observing.computed import Computed
from auditor.parts.places.observing.quotations import Quotations, Texts
from auditor.parts.places.observing.reading import CHANGED, IN, asked, reader
from auditor.parts.places.observing.sought import Sought, closed, of_case, waiting
from auditor.parts.places.observing.together import together
from auditor.parts.store.judging.accounting import Kept, Spare
from auditor.parts.store.judging.data_erased import NotSearched
from auditor.parts.store.observing.limited_reading import read_message, why_unread
from auditor.parts.store.observing.spare_bits import joined

_UNKNOWN: Final = "data.erased.open.unknown-form"
_CHANGED: Final = Message("places.erased.changed")
_MOST_OPEN: Final = 12
"""Reasons of one kind, and files that could not be read, that a place lists."""


_NO_OTHER: Final[Mapping[str, int]] = {}


def observe(case: Case, computed: Computed | None = None, *, on_step: Any = lambda _name, _done, _total: None) -> Observed:
    """Search the places of a case.

    Args:
        case: The case.
        computed: What its function that embeds gave; None where it failed, or the case has none.
        on_step: Called with a name, files done and files in all.
    """
    sought, looked_for = of_case(case, computed)
    planted = frozenset(record for each in case.canaries for record in each.record_ids)
    found: set[str] = set()
    seen = []
    since = None if case.baseline is None else compare(case, case.baseline)
    done, total = 0, sum(len(each.files) for each in case.places)
    with reader(sought) as process:
        for place in case.places:
            # Who is in the table under another id explains every place in which they are.
            search = _Search(place, process, sought.doubles - sought.told_apart, sought.called)
            search.names()
            search.attributes()
            for files in together(place):
                search.files(files)
                done += len(files)
                on_step("places", done, total)
            search.texts()
            for request in () if since is None else since.still.get(place.declared.name, ()):
                search.still(request.record_ids)
            short = sum(1 for each in sought.gone if each in sought.short)
            asked_for = [each for each in case.requests if closed(each)]
            seen.append(search.seen(short, sought.texts, len(case.places), planted, _waiting(case, sought), asked_for))
            found |= search.found
        embedding = _with_code(case, computed, process)
    left, found = found & planted, found - planted
    named = [each for each in case.requests if not found.isdisjoint(each.record_ids) and closed(each)]
    return Observed(
        deleted=len(sought.gone - planted),
        looked_for=looked_for,
        found=len(found),
        request_ids=tuple(each.request_id for each in named),
        subjects=people(named, case.requests),
        places=tuple(seen),
        planted=len(sought.gone & planted),
        planted_found=len(left),
        compared=None if since is None else since.compared,
        embedding=embedding,
    )


def _waiting(case: Case, sought: Sought) -> Mapping[str, set[str]]:
    """Give of each request that waits for its erasure the records that the table has; of several people's ticket, all of them."""
    found = defaultdict[str, set[str]](set)
    for each in case.requests:
        if waiting(each) and (known := {one for one in each.record_ids if one in sought.people.places}):
            found[each.request_id] |= known
    return found


def _with_code(case: Case, computed: Computed | None, process: Reader) -> Embedding | None:
    """What was seen of the function, with whom its own files name."""
    if case.code is None:
        return None
    if computed is None:
        return Embedding(failed=True)
    named, unread = set[str](), 0
    for file in case.code.everything:
        try:
            named |= set(map(str, process.ask({"do": "code"}, file.content)))
        except NotReadError:
            unread += 1
    return computed.seen.model_copy(update={"named": len(named), "unread": unread})


class Located:
    """Where records are in a place."""

    def __init__(self) -> None:
        self._at: dict[str, tuple[int, list[FoundSpot]]] = {}

    def add(self, told: Mapping[str, Any]) -> None:
        """Take in what further files say."""
        for record, (count, spots) in told.items():
            before, those = self._at.get(record, (0, []))
            self._at[record] = before + int(count), [*those, *(FoundSpot(**each) for each in spots)][:MOST_FOUND]

    def of(self, requests: Sequence[Request], records: Iterable[str]) -> tuple[FoundOf, ...]:
        """Say it of records, request by request."""
        known, found = set(records), dict[str, tuple[int, list[FoundSpot]]]()
        for each in requests:
            for record in each.record_ids:
                if record in known and record in self._at:
                    before, those = found.get(each.request_id, (0, []))
                    count, spots = self._at[record]
                    found[each.request_id] = before + count, [*those, *spots][:MOST_FOUND]
        return tuple(
            FoundOf(request_id=name, spots=tuple(spots), more=count - len(spots))
            for name, (count, spots) in list(found.items())[:MOST_REQUESTS]
        )


class _Lacking(NamedTuple):
    """Columns of a file that the table does not have, and which of its tables has the first of them."""

    columns: tuple[str, ...] = ()
    table: str = ""
    text_index: str = ""
    """A full-text index in it that its texts do not give."""


class _Search:
    """The search of one place."""

    def __init__(self, place: Place, process: Reader, doubles: frozenset[str], called: frozenset[str]) -> None:
        self._place, self._process = place, process
        self.found: set[str] = set()
        self._in_rows: set[str] = set()
        self._named: set[str] = set(called)
        self._alike: set[str] = set(doubles)
        self._recognised = False
        self._short = 0
        self._rows = self._uncounted = self._unexplained = self._spare = self._strangers = self._changed = 0
        self._left: list[tuple[Listed, Kept, _Lacking, Mapping[str, int]]] = []
        self._spare_in: Counter[str] = Counter()
        """Bits of some of what is counted in bits, by its name."""
        self._own: Counter[str] = Counter()
        """Of each deleted record, bytes of rows that hold its own values and nothing else."""
        self._folders: list[str] = []
        self._of_attributes = 0
        """Bytes of extended attributes, which are in no file."""
        self._unknown: dict[str, Message] = {}
        """Files of no known form, which may be text all the same."""
        self._most_spare = 0
        """What one file could carry at most."""
        self._alone: list[str] = []
        """Files that belong together with no others."""
        self._missing: set[str] = set()
        """Records that wait for their erasure, and seem to have been left out of something."""
        self._there: set[str] = set()
        """Those of them that something still has."""
        self._spots: list[Spot] = []
        self._forms: dict[Form, None] = {}
        self._most: MostUnexplained | None = None
        self._how: dict[str, Message] = {}
        self._open: dict[str, Message] = {}
        self._unread: list[NotSearched] = []
        self._vectors: dict[tuple[str, str], Vectors] = {}
        self._quotations = Quotations()
        self._at, self._named_at, self._quoted_at = Located(), Located(), Located()

    def names(self) -> None:
        """Look for people whom files and folders are named after, empty folders too."""
        path = self._place.path
        self._folders = [os.path.relpath(each, path) for each, _, _ in os.walk(path)][1:] if path.is_dir() else []
        names = {*(each.below for each in self._place.files), *self._folders, path.name}
        question = {"do": "names", "names": sorted(names), "numbers": []}
        try:
            answer = self._process.ask(question)
        except NotReadError as error:
            self._unread.append(
                NotSearched(place=Message("places.erased.place", {"name": self._place.declared.name}), why=why_unread(error))
            )
            return
        self.found |= set(answer["found"])
        self._in_rows |= set(answer["found"])
        self._named |= set(answer["named"])
        self._alike |= set(answer["alike"])
        self._at.add(answer["at"])
        self._named_at.add(answer["named_at"])

    def attributes(self) -> None:
        """Search the extended attributes of files and folders, which nothing explains, and the numbers of their owners."""
        place = self._place
        held: dict[Path, Listed | None] = {place.path: None, **{place.path / each: None for each in self._folders}}
        held |= {each.path: each for each in place.files}
        numbers = set[int]()
        for path, file in held.items():
            where = place.declared.path if file is None else file.input.path
            try:
                numbers.update(owners(path))
                for each in attributes(path):
                    numbers.update(each.numbers)
                    if not each.of_system:
                        self._of_attributes += len(each.content)
                        if place.declared.level == "disk":
                            self._note(file, len(each.content))
                    answer = self._process.ask({"do": "attribute"}, each.content)
                    self.found |= set(map(str, answer["found"]))
                    self._in_rows |= set(map(str, answer["found"]))
                    self._named |= set(map(str, answer["named"]))
                    noted = {"file": path.name if path == place.path else os.path.relpath(path, place.path), "named": True}
                    self._at.add({each: (1, [noted]) for each in answer["found"]})
                    self._named_at.add({each: (1, [noted]) for each in answer["named"]})
            except NotReadError as error:
                self._unread.append(NotSearched(place=Message("places.erased.file", {"path": where}), why=why_unread(error)))
            except OSError as error:
                why = Message("places.erased.unlisted", {"why": reason_of(error)})
                self._unread.append(NotSearched(place=Message("places.erased.file", {"path": where}), why=why))
        try:
            answer = self._process.ask({"do": "names", "names": [], "numbers": sorted(numbers)})
            self._named |= set(map(str, answer["named"]))
        except NotReadError as error:
            self._unread.append(
                NotSearched(place=Message("places.erased.place", {"name": place.declared.name}), why=why_unread(error))
            )

    def files(self, files: Sequence[Listed]) -> None:
        """Read files that belong together."""
        size, file = sum(each.input.bytes for each in files), files[0]
        self._alone += [file.below] if len(files) == 1 else []
        if size > BINARY_LIMIT:
            self._left_out(files, Message("data.erased.unreadable.too-large", {"bytes": BINARY_LIMIT}))
            return
        try:
            answer = self._process.ask(self._asked("look", files), size=size)
        except NotReadError as error:
            self._left_out(files, why_unread(error))
            return
        if answer == CHANGED:
            self._left_out(files, _CHANGED)
            return
        self.found |= set(map(str, answer["found"]))
        self._in_rows |= set(map(str, answer["in_rows"]))
        self._named |= set(map(str, answer["named"]))
        self._alike |= set(map(str, answer["alike"]))
        self._at.add(answer["at"])
        self._named_at.add(answer["named_at"])
        self._quotations.add(answer["quoted"])
        self._quoted_at.add(answer["quoted_at"])
        self._recognised |= bool(answer["recognised"])
        self._rows += int(answer["rows"])
        self._uncounted += int(answer["uncounted"])
        if size and answer["short"]:
            self._short = max(self._short, int(answer["short"]))
        if answer["how"] is not None:
            how = read_message(answer["how"])
            self._how.setdefault(how.code, how)
        for each in map(Vectors.model_validate, answer["vectors"]):
            before = self._vectors.get((each.form, each.by))
            self._vectors[each.form, each.by] = each if before is None else before.joined(each)
        self._left_open(files, answer)
        if self._place.declared.level == "disk":
            self._account(files)

    def _left_open(self, files: Sequence[Listed], answer: Mapping[str, Any]) -> None:
        """Keep what of files could not be searched, and why."""
        file = files[0]
        for why in map(read_message, answer["open"]):
            if why.code == _UNKNOWN and len(files) == 1 and self._place.declared.level == "disk":
                self._unknown[file.below] = why
            else:
                self._open.setdefault(why.code, why)
        for why in map(read_message, answer["not_searched"]):
            self._unread.append(NotSearched(place=_named(file), why=why))

    def _account(self, files: Sequence[Listed]) -> None:
        """Account for their bytes: for nothing of them where they cannot be taken apart within the limits."""
        size, file = sum(each.input.bytes for each in files), files[0]
        kept = Kept(kind="store", place=_named(file), bytes=size, unexplained=size)
        columns, own = _Lacking(), dict[str, int]()
        with suppress(NotReadError):
            answer = self._process.ask(self._asked("account", files), size=size)
            if answer != CHANGED:
                lacking = tuple(map(str, answer.pop("columns")))
                columns = _Lacking(lacking, str(answer.pop("table")), str(answer.pop("index")))
                form, own = answer.pop("form"), answer.pop("own")
                self._waits(answer.pop("missing"), answer.pop("there"))
                if form is not None and answer["unexplained"] > answer.get("found_bytes", 0):
                    self._forms[form] = None
                kept = Kept(kind="store", place=_named(file), **answer)
        if len(files) == 1 and (kept.unexplained or not size):
            # Text is accounted for when all of it is there; which of many files is empty may say something too.
            self._left.append((file, kept, columns, own))
        else:
            self._add(file if len(files) == 1 else None, kept, columns, own)

    def _add(
        self,
        file: Listed | None,
        kept: Kept,
        columns: _Lacking,
        own: Mapping[str, int],
        other: Mapping[str, int] = _NO_OTHER,
    ) -> None:
        """Add what one file came to, or what else it came to as text, and deleted records' own rows in it."""
        unexplained = min(kept.bytes, other.get("unexplained", kept.unexplained))
        rest = max(0, unexplained - sum(own.values()))
        self._unexplained += unexplained - rest
        self._own.update(own)
        self._note(file, rest, columns if rest else _Lacking())
        self._strangers += other.get("strangers", kept.strangers)
        self._changed += other.get("changed", kept.changed)
        self._add_spare(other.get("spare_bits", kept.spare_bits))
        of_kept = Counter({each.name: each.bits for each in joined(kept.spare)})
        self._spare_in += (
            Counter({key.removeprefix(IN): bits for key, bits in other.items() if key.startswith(IN)}) if other else of_kept
        )

    def _add_spare(self, bits: int) -> None:
        self._spare += bits
        self._most_spare = max(self._most_spare, bits)

    def _waits(self, missing: Iterable[str], there: Iterable[str]) -> None:
        self._missing.update(missing)
        self._there.update(there)

    def texts(self) -> None:
        """Account for files that are no tables of which every byte is explained, as text and together, and for all names."""
        answer: Any = None
        files, names = [each for each, *_ in self._left], self._names()
        size = sum(each.input.bytes for each in files)
        if size <= BINARY_LIMIT and self._place.declared.level == "disk":
            with suppress(NotReadError):
                asking = {**self._asked("texts", files), "names": names, "found": sorted(self.found)}
                answer = self._process.ask(asking, size=size)
        read = answer is not None and answer != CHANGED
        for file, kept, columns, own in self._left:
            other = answer["kept"][file.below] if read else _NO_OTHER
            found = answer["own"][file.below] if read else own
            self._add(file, kept, columns, found, other)
            if other and other["unexplained"] <= sum(found.values()):
                self._unknown.pop(file.below, None)
        if read:
            self._unexplained += answer["names"]
            self._add_spare(answer["bits"])
            self._recognised |= answer["recognised"]
            self._waits(answer["missing"], answer["there"])
            self._spots += [Spot(**each) for each in answer["left"]]
        elif names and self._place.declared.level == "disk":
            self._unexplained += sum(map(len, names))
        for why in self._unknown.values():
            self._open.setdefault(why.code, why)

    def _names(self) -> list[str]:
        """What files and folders are called, but for those of stores whose readers know it."""
        if not self._place.path.is_dir():
            return []
        folders = {str(above) for each in self._alone for above in PurePosixPath(each).parents} - {"."}
        return sorted({*self._alone, *folders, *(each for each in self._folders if not self._holds(each))})

    def _holds(self, folder: str) -> bool:
        return any(PurePosixPath(each.below).is_relative_to(folder) for each in self._place.files)

    def _note(self, file: Listed | None, unexplained: int, columns: _Lacking | None = None) -> None:
        """Add up what nothing explains, and keep where most of it lies."""
        self._unexplained += unexplained
        if unexplained > (0 if self._most is None else self._most.bytes):
            path = None if file is None else file.input.path
            self._most = MostUnexplained(file=path, bytes=unexplained, **(columns or _Lacking())._asdict())

    def _told_apart(self) -> MostUnexplained | None:
        """Where most of what nothing explains lies, if that says more than the place's name."""
        most = self._most
        if most is None or (len(self._place.files) == 1 and not (most.columns or most.text_index)):
            return None
        return most if most.columns or most.text_index or most.file is not None else None

    def still(self, records: Sequence[str]) -> None:
        """Count somebody as found of whom something is still there that was there before."""
        if self.found.isdisjoint(records):
            self.found.add(records[0])
        self._in_rows |= self.found.intersection(records)

    def seen(
        self,
        short: int,
        texts: Texts,
        tests: int,
        planted: frozenset[str],
        waits: Mapping[str, set[str]],
        requests: Sequence[Request],
    ) -> PlaceSeen:
        """What the place came to.

        Args:
            short: Deleted ids that any text may hold.
            texts: People's texts.
            tests: Places over which the level of tests is split.
            planted: Ids of planted records, which count apart.
            waits: Requests that wait for their erasure, with their records.
            requests: Those whose records are looked for.
        """
        for name, why in self._place.unlisted:
            self._unread.append(
                NotSearched(
                    place=Message("places.erased.file", {"path": name}), why=Message("places.erased.unlisted", {"why": why})
                )
            )
        if self._place.changed():
            self._unread.append(
                NotSearched(place=Message("places.erased.file", {"path": self._place.declared.path}), why=_CHANGED)
            )
        if self._short:
            self._open["places.erased.short"] = Message("places.erased.short", {"records": min(short, self._short)})
        size = self._of_attributes + sum(each.input.bytes for each in self._place.files)
        quoted, found, there = self._quotations.seen(texts, tests)
        self.found |= found
        self._in_rows |= there
        own = self.found - planted
        of_them = self._quotations.quoted(texts)
        if quoted is not None:
            quoted = quoted.model_copy(update={"otherwise": len((of_them & own) - found)})
        perhaps = (of_them | self._quotations.said_of_others(texts)) - self.found - planted
        untold = self._quotations.untold(texts) - perhaps - self.found - planted
        # Rows of records that the search did not name are nobody's.
        rows = {record: size for record, size in self._own.items() if record in self.found}
        return PlaceSeen(
            name=self._place.declared.name,
            level=self._place.declared.level,
            files=len(self._place.files),
            bytes=size,
            unexplained=min(size, self._unexplained),
            found_rows=len(rows),
            found_bytes=min(size, self._unexplained, sum(rows.values())),
            most_unexplained=self._told_apart(),
            spare_bits=self._spare,
            spare_in=tuple(Spare.model_validate({"name": name, "bits": bits}) for name, bits in sorted(self._spare_in.items())),
            most_spare=self._most_spare if self._most_spare < self._spare else None,
            uncounted=self._uncounted,
            rows=self._rows,
            strangers=self._strangers,
            changed=self._changed,
            found=len(own),
            found_at=self._at.of(requests, own),
            planted=len(self.found & planted),
            in_rows=len(self._in_rows & own),
            named=len(self._named - self.found - planted),
            named_at=self._named_at.of(requests, self._named - self.found - planted),
            alike=len(self._alike - self.found - planted),
            unrecorded=tuple(each for each, records in waits.items() if records <= self._missing - self._there),
            recognised=self._recognised,
            quoted=quoted,
            quoted_ids=tuple(each.request_id for each in requests if not perhaps.isdisjoint(each.record_ids)),
            quoted_at=self._quoted_at.of(requests, perhaps),
            untold_ids=tuple(each.request_id for each in requests if not untold.isdisjoint(each.record_ids)),
            forms=tuple(sorted(self._forms)),
            left=tuple(each for each in self._spots if self._unexplained or each.bits)[:MOST],
            how=tuple(self._how.values()),
            open=tuple(self._open.values()),
            unread=tuple(self._unread[:_MOST_OPEN]),
            vectors=tuple(self._vectors[each] for each in sorted(self._vectors)),
        )

    def _asked(self, do: str, files: Sequence[Listed]) -> dict[str, Any]:
        place = self._place.declared
        return asked(do, files, ids=place.ids, level=place.level, among=len(self._place.files))

    def _left_out(self, files: Sequence[Listed], why: Message) -> None:
        for file in files:
            self._unread.append(NotSearched(place=_named(file), why=why))
            self._note(file, file.input.bytes)


def _named(file: Listed) -> Message:
    return Message("places.erased.file", {"path": file.input.path})
