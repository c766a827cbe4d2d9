"""What is looked for in places: deleted records by id, name, number and value, and who may be there."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.deletion_log.look_alikes import Likeness, look_alikes
from auditor.base.deletion_log.requests import Request
from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset, Floats, Positions
from auditor.base.row_blocks import row_blocks
from auditor.case import Case
from auditor.parts.places.judging.places_erased import LookedFor
from auditor.parts.places.observing import called_in_table, embedded_rows, hinted_in_table, referring
from auditor.parts.places.observing import pointing as pointing_columns
from auditor.parts.places.observing.computed import Computed
from auditor.parts.places.observing.name_columns import in_two_columns, initials
from auditor.parts.places.observing.normal_forms import WITH_UMLAUT, normal, transliterated
from auditor.parts.places.observing.other_spellings import Spellings, is_account, number_of
from auditor.parts.places.observing.pieces import Pieces
from auditor.parts.places.observing.pointing import Pointing
from auditor.parts.places.observing.quotations import Texts
from auditor.parts.places.observing.referring import Referred
from auditor.parts.store.observing.id_forms import shape, spellings
from auditor.parts.store.observing.known_digests import KnownDigests
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.record_forms import Wanted, tells
from auditor.parts.store.observing.store_keys import Numbers
from auditor.settings.attestations import COPIES

_MOST_SPELT: Final = 5000
"""Deleted records whose ids are looked for in other spellings: of more these would be in any large file by chance."""
_MOST_DIGESTED: Final = 100_000
"""Deleted records whose digests are looked for: of more these would take gigabytes."""
_MASK: Final = "\ue000{}\ue000"
"""Stands for an id that any text may hold, so that no text is taken for it."""
_MARKS: Final = (" ", "", ",", ";", "|", "\t")
"""What may separate the cells of a row that is taken for one text."""
_LONG_NUMBER: Final = re.compile(r"(?<![\d.,])\d{9,18}(?![\d.,]\d)")
"""A number within a text that is hardly in two."""
_MOST_WORDS: Final = 7
_WORDS_OF_A_NAME: Final = 5
"""Words of a text of a person who stays that may be what they are called."""
"""Words of a cell that may be a name: of more it is a text, and its parts are looked for."""
_NUMBER: Final = re.compile(r"[0-9@]")


@dataclass(frozen=True, slots=True, eq=False)
class Sought:
    """What the limited process is given."""

    wanted: Wanted
    """Records by what gives them away: ids, numbers and values."""
    names: Wanted
    """Names, which others may have too."""
    owners: Mapping[str, frozenset[str]]
    """Of ids, numbers and names as they are looked for, the records that they stand for."""
    gone: frozenset[str]
    """Ids of every deleted record."""
    told_apart: frozenset[str]
    """Of these, the ids of which the log says that they only look like another's."""
    others: frozenset[str]
    """Ids of people who stay, as far as log and table name them."""
    short: frozenset[str]
    """Ids that any text may hold."""
    shapes: frozenset[str]
    people: People
    """Who may be there; without a column of ids, which each place has by its own name."""
    numbers: Numbers
    spelt: Spellings
    """Ids, names and numbers, whatever their spelling."""
    texts: Texts
    pieces: Pieces
    """Parts of ids and addresses, which are met and never found."""
    id_column: str | None
    """The table's column of ids."""
    vectors: Wanted | None = None
    """Deleted people by their vectors, as the case's function computes them; None without one."""
    told: Mapping[str, frozenset[bytes]] = field(default_factory=dict)
    """Of each deleted record, the texts by which code may know it: its id, names, numbers, and its row."""
    terms: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Names and numbers of the log, each with its records, as they are written there."""
    pointing: Pointing = field(default_factory=Pointing)
    """Columns of the table that explain nothing."""
    copied: frozenset[str] = frozenset()
    """Ids of people who stay whose row of numbers in the table is a deleted person's: it explains nothing."""
    doubles: frozenset[str] = frozenset()
    """Deleted records that the table lacks, and has under an id that looks like theirs."""
    called: frozenset[str] = frozenset()
    """Deleted records whom rows of others in the table call by a name of the log."""
    referring: Referred = field(default_factory=dict)
    """Columns of the table whose numbers are other people's ids."""
    masked: npt.NDArray[np.str_] | None = None
    """Shape (n,): ids of the table's records as they are looked for."""

    def records(self, found: Iterable[str]) -> set[str]:
        """Give the records behind what was found."""
        return {record for each in found for record in self.owners.get(each, (each,))}


def deleted_ids(case: Case) -> frozenset[str]:
    """Give the ids of all records whose deletion was carried out, or that are not there; of planted ones too."""
    return frozenset(record for each in (*case.requests, *case.canaries) if closed(each) for record in each.record_ids)


def of_case(case: Case, computed: Computed | None = None) -> tuple[Sought, LookedFor]:
    """Collect what is looked for, and count it.

    Args:
        case: The case.
        computed: Everybody's vectors; None where no function of the case gives them.
    """
    asked = [each for each in case.requests if closed(each)]
    planted = [each for each in case.canaries if closed(each)]
    of_people, gone = frozenset(record for each in asked for record in each.record_ids), deleted_ids(case)
    table = case.in_places
    attested = COPIES in case.settings.claims.attested
    pointing = Pointing() if table is None else pointing_columns.of_table(table.records, gone, copies_are_others=attested)
    records = _nobody() if table is None else pointing_columns.without(table.records, pointing)
    named = () if table is None else tuple(each for each in table.names if each not in pointing.columns)
    ids = records.ids.tolist()
    others = case.known_ids - gone
    short = frozenset(each for each in case.known_ids | gone if not tells(each))
    owners: defaultdict[str, set[str]] = defaultdict(set)
    for record in short:
        owners[_MASK.format(record)].add(record)
    known = {record for record in gone if record not in short}
    everyone = gone | others
    shapes = frozenset(map(shape, everyone))
    for record in known if len(gone) <= _MOST_SPELT else ():
        for each in spellings(record):
            if each not in everyone and tells(each):
                owners[each].add(record)
    # Only the deletion's own row speaks for a person: another's term would accuse a stranger.
    names = defaultdict(set, {text: set(those) for text, those in hinted_in_table.of_table(records, gone).items()})
    shared = _texts(records, gone)
    for request in (*asked, *planted):
        for term in request.terms:
            number = bool(_NUMBER.search(term)) and term.casefold() not in shared
            for each in {term, term.lower(), term.upper(), " ".join(reversed(term.split()))}:
                (owners if number and tells(term) else names)[each].update(request.record_ids)
        for each in _taken_out(request):
            names[each].update(request.record_ids)
    spelt, spelt_owners = _spelt(
        records,
        gone,
        [*((each, [each]) for each in known), *((term, each.record_ids) for each in (*asked, *planted) for term in each.terms)],
    )
    deleted = np.array([at for at, each in enumerate(ids) if each in gone], dtype=np.int64)
    masked = _masked(records, short)
    unknown = frozenset({*owners, *known, *(_MASK.format(each) for each in gone & short)}) - {""}
    wanted = Wanted.of(masked, deleted, unknown)
    digested = set(spelt.digests.texts)
    alone = {each for each in digested if spelt.tells_alone(each)}
    terms = [term for each in asked for term in each.terms]
    looked = LookedFor(
        ids=len(of_people - short),
        short_ids=len(of_people & short),
        terms=len(set(terms)),
        without_terms=len({record for each in asked if not each.terms for record in each.record_ids}),
        values=sum(ids[at] in of_people for at in deleted.tolist()),
    )
    asked_for = {record for each in case.requests if waiting(each) for record in each.record_ids} - gone
    held = records if computed is not None else pointing_columns.without_copies(records, gone, copies_are_others=attested)
    people = _people(held, named, gone, everyone, shapes, asked_for)
    people = people if table is None else replace(people, missing=table.missing)
    if computed is not None:
        people = replace(people, embedded=computed.vectors, steady=computed.steady)
    sought = Sought(
        wanted=_with(wanted, spelt.digests.only(alone)),
        names=_with(
            Wanted.of(_nobody(), np.zeros(0, dtype=np.int64), frozenset(each for each in names if len(each) > 1)),
            spelt.digests.only(digested - alone),
        ),
        owners={each: frozenset(those) for each, those in {**spelt_owners, **names, **owners}.items()},
        gone=gone,
        told_apart=frozenset(record for each in case.requests if each.near_match for record in each.record_ids),
        others=frozenset(others),
        short=short,
        shapes=shapes,
        people=people,
        numbers=Numbers.of(records, deleted, names=named) if deleted.size else Numbers({}),
        spelt=spelt,
        texts=Texts.of(_cells(records), gone, () if table is None else _cells(pointing_columns.only(table.records, pointing))),
        pieces=_pieces(records, gone, others),
        id_column=None if case.settings.people is None else case.settings.people.id,
        vectors=embedded_rows.wanted(people, _masked(held, short).ids),
        told=_told((*asked, *planted), records, deleted, shared) if computed is not None else {},
        terms=_terms((*asked, *planted)),
        pointing=pointing,
        copied=frozenset(ids) - frozenset(held.ids.tolist()),
        doubles=_doubles(gone - set(ids), others & set(ids)),
        called=called_in_table.of_table(records, gone, _terms((*asked, *planted))),
        referring=referring.of_table(records, named, gone),
        masked=_masked(held, short).ids,
    )
    return sought, looked


def _masked(records: Dataset, short: frozenset[str]) -> Dataset:
    ids = records.ids.tolist()
    return replace(records, ids=np.array([_MASK.format(each) if each in short else each for each in ids], dtype=np.str_))


def _doubles(lacking: frozenset[str], known: frozenset[str]) -> frozenset[str]:
    """Give deleted ids that the table lacks, and that one of it looks like: their rows are there as somebody else's."""
    alike = {
        each for each, others in look_alikes(lacking, known).items() if {how for how, _ in others.values()} - {Likeness.CHANCE}
    }
    digits = Counter(map(_digits_of, known))
    # Where ids are told apart by their digits, the same digits are the same person's.
    if sum(count for count in digits.values() if count > 1) <= _SHARED * len(known):
        alike |= {each for each in lacking if len(own := _digits_of(each)) >= _TELLING and own in digits}
    return frozenset(alike)


_SHARED: Final = 0.05
"""Of the known ids: where more share their digits with another, the digits tell nobody."""
_TELLING: Final = 5
"""Digits of an id by which it is known, at least."""


def _digits_of(identifier: str) -> str:
    return "".join(filter(str.isdecimal, identifier))


def closed(request: Request) -> bool:
    """Whether nothing of it should be there any more."""
    return request.executed_at is not None or request.status == "no_match"


def waiting(request: Request) -> bool:
    """Whether an erasure is asked for that the log does not record: it may be carried out all the same."""
    return not closed(request) and request.status not in {"denied", "revoked"}


def _terms(requests: Iterable[Request]) -> dict[str, frozenset[str]]:
    found = defaultdict[str, set[str]](set)
    for request in requests:
        for term in (*request.terms, *(each for amended in request.amendments for each in amended.terms)):
            found[term].update(request.record_ids)
    return {term: frozenset(those) for term, those in found.items()}


def _taken_out(request: Request) -> set[str]:
    """What later rows of the log took out of the terms: a mistake, or else it hides the person. It is met, and never found."""
    terms = (term for each in request.amendments for term in each.terms if term not in request.terms)
    return {form for term in terms for form in (term, term.lower(), term.upper())}


def _told(closed: Iterable[Request], records: Dataset, deleted: Positions, shared: set[str]) -> dict[str, frozenset[bytes]]:
    """What of each deleted record code may keep a digest of: id, names, numbers, what its cells alone hold, and the whole row."""
    found: defaultdict[str, set[bytes]] = defaultdict(set)

    def tell(record: str, texts: Iterable[str]) -> None:
        found[record] |= {form.encode("utf-8", "surrogatepass") for each in texts for form in (each, each.lower())}

    for request in closed:
        for record in request.record_ids:
            tell(record, (record, *request.terms))
    cells = [each.cells(records.features[deleted, at]) for at, each in enumerate(records.table or ())]
    for at, row in zip(deleted.tolist() if cells else (), zip(*cells, strict=True), strict=True):
        known = [each for each in row if each is not None]
        own = [each for each in known if tells(each) and each.casefold() not in shared]
        tell(str(records.ids[at]), [*own, *(mark.join(known) for mark in _MARKS)])
    for at in deleted.tolist() if records.table is None else ():
        found[str(records.ids[at])] |= {records.features[at].astype(kind).tobytes() for kind in ("<f8", "<f4")}
    return {record: frozenset(texts) for record, texts in found.items()}


def _pieces(records: Dataset, gone: frozenset[str], others: frozenset[str]) -> Pieces:
    """Prepare the search for parts; of more people than are looked for in other spellings these would be in any large file."""
    if len(gone) > _MOST_SPELT:
        return Pieces({})
    cells = list(_cells(records))
    mine = [*((each, each) for each in gone), *((cell, record) for cell, record in cells if record in gone)]
    numbers = (str(int(each)) for each in np.unique(_kept_numbers(records, gone)).tolist() if each == int(each))
    return Pieces.of(mine, [*others, *(cell for cell, record in cells if record not in gone), *numbers])


def _kept_numbers(records: Dataset, gone: frozenset[str]) -> Floats:
    """Whole numbers of six digits or more that people who stay have, shape (m,)."""
    stays = np.array([each not in gone for each in records.ids.tolist()], dtype=bool)
    columns = [at for at, each in enumerate(records.table or ()) if each.kind is not Kind.TEXT]
    found = [np.zeros(0)]
    for some in row_blocks(records.features):
        rows = records.features[some][stays[some]]
        values = np.abs(rows[:, columns] if records.table is not None else rows).ravel()
        found.append(values[np.isfinite(values) & (values >= 1e5) & (values < 1e18)])
    return np.concatenate(found)


def _spelt(
    records: Dataset, gone: frozenset[str], given: Sequence[tuple[str, Iterable[str]]]
) -> tuple[Spellings, dict[str, set[str]]]:
    """Prepare the search in other spellings, with the records behind each: what the log gives, and cells of deleted people.

    What a retained person has in any spelling tells nobody, but for addresses and numbers: those that the log names are met
    even if others have them, too. So is what one or two who stay share with somebody deleted in a column in which hardly anyone
    shares anything: they may be one person who is there twice.
    """
    cells, kept, umlauts, taken = _divided(records, gone)
    sure, met = defaultdict[str, set[str]](set), _twice(records, gone)
    for written, those in given:
        theirs = normal(written) in kept
        if not theirs or _tells_alone(written):
            (sure if not theirs and _tells_alone(written) else met)[written].update(those)
    own = {column.words[code] for column, codes in _own_columns(records) for code in np.unique(codes[codes >= 0]).tolist()}
    for cell, record, numbers in cells:
        for number in (each for each, digits in numbers.items() if digits not in taken):
            sure[number].add(record)
        # One that few have who stay, as a household's or within a note, is met, in any spelling.
        if cell in own and 0 < taken[numbers.get(cell, "")] <= _FEW:
            met[cell].add(record)
        if cell not in numbers and len(cell.split()) <= _MOST_WORDS and normal(cell) not in kept:
            if _tells_alone(cell):
                sure[cell].add(record)
            elif len(cell.split()) > 1:
                met[cell].add(record)
    of_two = list(in_two_columns(records, gone, kept))
    straight = {name for name, _, turned in of_two if not turned} - met.keys()
    for name, record, _ in of_two:
        met[name].add(record)
    known = records.table is not None
    spelt = Spellings.of(
        sure,
        met,
        taken=frozenset(taken),
        lettered=[each for each in {*sure, *met} if each not in gone],
        digested={*sure, *met} if len(gone) <= _MOST_DIGESTED else (),
        straight=straight,
        in_two_letters=[each for each, _ in given if each in met],
        others_in_two_letters=_short(umlauts | kept) if known else None,
        others=_short(kept) if known else None,
        initials=initials(records, gone),
    )
    return spelt, {each: met.get(each, set()) | sure.get(each, set()) for each in {*met, *sure}}


def _with(wanted: Wanted, digests: KnownDigests) -> Wanted:
    return replace(wanted, deleted=replace(wanted.deleted, digests=digests))


def _short(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(each for each in texts if len(each.split()) <= _WORDS_OF_A_NAME)


def _divided(
    records: Dataset, gone: frozenset[str]
) -> tuple[list[tuple[str, str, dict[str, str]]], set[str], set[str], Counter[str]]:
    """Give deleted people's cells with the numbers in them, and what those who stay have.

    That is: texts, those in which there are umlauts with two letters for each, and numbers by their digits.
    """
    cells, kept, umlauts = list[tuple[str, str, dict[str, str]]](), set[str](), set[str]()
    taken = Counter[str]()
    for cell, record in _cells(records):
        numbers = {each: number for each in (cell, *_LONG_NUMBER.findall(cell)) if (number := number_of(each)) is not None}
        if record in gone:
            cells.append((cell, record, numbers))
        else:
            taken.update(set(numbers.values()))
            kept.add(normal(cell))
            if WITH_UMLAUT.search(cell):
                umlauts.add(normal(transliterated(cell)))
    return cells, kept, umlauts, taken


def _twice(records: Dataset, gone: frozenset[str]) -> defaultdict[str, set[str]]:
    """What few who stay have in common with a deleted person, in columns in which hardly two people have the same text."""
    found, ids = defaultdict[str, set[str]](set), records.ids.tolist()
    for column, codes in _own_columns(records):
        own, times = np.unique(codes[codes >= 0], return_counts=True)
        for code in own[(times > 1) & (times <= 1 + _FEW)].tolist():
            those = {ids[each] for each in np.flatnonzero(codes == code).tolist()}
            if those - gone and _tells_alone(column.words[code]):
                found[column.words[code]] |= those & gone
    return defaultdict(set, {each: those for each, those in found.items() if those})


def _own_columns(records: Dataset) -> Iterator[tuple[Column, Positions]]:
    """Give columns of text in which hardly two people have the same, each with its codes."""
    for at, column in enumerate(records.table or ()):
        codes = records.features[:, at].astype(np.int64) if column.kind is Kind.TEXT else np.zeros(0, dtype=np.int64)
        known = codes[codes >= 0]
        if len(known) and len(np.unique(known)) >= _OWN * len(known):
            yield column, codes


_OWN: Final = 0.9
"""Share of different texts from which on a column is of addresses or numbers that a person has alone."""
_FEW: Final = 2
"""People who stay with whom a deleted one may be the same person."""


def _tells_alone(written: str) -> bool:
    """Whether it is an id, an address or a number and no name."""
    if not _NUMBER.search(written) or not tells(written):
        return False
    return number_of(written) is not None or not any(map(str.isspace, written)) or is_account(written)


def _cells(records: Dataset) -> Iterator[tuple[str, str]]:
    """Give the texts of a table, each with its record."""
    ids = records.ids.tolist()
    for at, column in enumerate(records.table or ()):
        if column.kind is Kind.TEXT:
            for record, code in zip(ids, records.features[:, at].tolist(), strict=True):
                if 0 <= code < len(column.words):
                    yield column.words[int(code)], record


def _texts(records: Dataset, gone: frozenset[str]) -> set[str]:
    """What texts people who stay have, in lower case: what they share with a deleted person accuses nobody."""
    kept = np.array([each not in gone for each in records.ids.tolist()], dtype=bool)
    return {
        each.words[int(code)].casefold()
        for at, each in enumerate(records.table or ())
        if each.kind is Kind.TEXT
        for code in np.unique(records.features[kept, at]).tolist()
        if code >= 0
    }


def _nobody() -> Dataset:
    """The table of a case that has none."""
    return Dataset(np.zeros((0, 1)), np.zeros(0, dtype=np.int64), np.array([], dtype=np.str_))


def _people(
    records: Dataset,
    names: tuple[str, ...],
    gone: frozenset[str],
    everyone: frozenset[str],
    shapes: frozenset[str],
    asked_for: set[str],
) -> People:
    ids = records.ids.tolist()
    retained = np.array([each not in gone for each in ids], dtype=bool)
    return People(
        train=records,
        retained=retained,
        waiting=np.array([each in asked_for for each in ids], dtype=bool) if asked_for else None,
        gone=gone,
        columns=dict.fromkeys(names, "feature"),
        features=names,
        labels=None,
        places={record: at for at, record in enumerate(ids)},
        # Ids that count up get longer by a digit now and then.
        longest=1 + max(map(len, everyone), default=0),
        shapes=shapes,
        words={
            each.name: {each.words[int(code)]: code for code in np.unique(records.features[retained, at]).tolist() if code >= 0}
            for at, each in enumerate(records.table or ())
            if each.kind is Kind.TEXT
        },
    )
