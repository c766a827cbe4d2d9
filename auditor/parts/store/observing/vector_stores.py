"""Take files of vector stores for `data.erased`: what is searched of them, and which rows are those of retained people.

Rows have numbers where files of tables have ids: the controller's own, or none but positions. They are taken for ids where the
rows say so: where the vectors of most rows that have a record's number are that record's values. Other rows are known by value
alone, to the last bit: as they are, divided by their length as stores of cosines keep them, or under the store's own code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Kind
from auditor.base.records import Floats
from auditor.base.row_blocks import row_digest
from auditor.parts.release.observing.file_formats import Parts
from auditor.parts.store.judging.accounting import Spare, SpareName
from auditor.parts.store.observing import spare_bits, spellings
from auditor.parts.store.observing.found_rows import own_rows
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.record_forms import CHANCE, tells
from auditor.parts.store.observing.row_indexes import of_gaps, positions
from auditor.parts.store.observing.store_tables import Rows, from_cells
from auditor.parts.store.observing.vector_forms import OneForm, forms
from auditor.parts.store.readers import VECTOR_STORES, read_files
from auditor.parts.store.readers.contents import Contents, Encoder, Lies
from auditor.parts.store.readers.contents import Rows as Held

_Vectors = npt.NDArray[np.float32]
_Encoders = tuple[Encoder, ...]
CLOSE: Final = 2e-6
"""How far off, as a share of the largest value, a vector may be that was divided by its length and multiplied by it again."""
_COARSE: Final = 0.02
"""The same of one that was decoded from a code."""


def contents(name: str, content: bytes) -> Contents | None:
    """Take one file apart by the readers of vector stores; None for any other, and for what they do not know."""
    (found,) = read_files({name: content}, VECTOR_STORES)
    return found if isinstance(found, Contents) else None


def parts(found: Contents, people: People | None) -> Parts:
    """Give what is searched: ids and texts as words, vectors as arrays."""
    words: list[str] = []
    arrays: list[_Vectors] = []
    for each in found.rows if people is None else [_by_digits(each, people, _encoders(found)) for each in found.rows]:
        named = people is not None and are_named(each, people, _encoders(found))
        words += [own for own in each.ids or () if own is not None and (named or tells(own))]
        words += [value for row in each.fields or () for value in row.values()]
        if each.vectors is not None:
            arrays.append(each.vectors)
    return Parts(words, list(arrays), sum(each.count for each in found.rows if each.lies is not Lies.LEARNED), [])


def rows(found: Contents, people: People) -> list[Rows]:
    """Give the rows of a store for its accounts, and one entry more for what belongs to none.

    Raises:
        NoTableError: If values of its rows are in columns that the training data have, twice.
    """
    taken: list[Rows] = []
    form = OneForm()
    for given in found.rows:
        each = _by_digits(_with_ids(given, people), people, _encoders(found))
        if each.lies is Lies.LEARNED:
            taken.append(_alongside(0 if _follows(each, people) else _bytes(each)))
            continue
        by_name = are_named(each, people, _encoders(found))
        known = np.array([by_name and own is not None for own in each.ids or [None] * each.count], dtype=bool)
        taken += [
            _taken(each, which, people, _encoders(found), form, by_name=named)
            for which, named in ((known, True), (~known, False))
            if which.any()
        ]
    rest = _alongside(found.unexplained)
    if found.settings:
        rest.spare = (Spare(name="settings", bits=sum(map(spare_bits.of_setting, found.settings))),)
    return [*taken, rest]


def _with_ids(held: Held, people: People) -> Held:
    """Take the ids of rows from their fields, where the form has none of its own: from the column that holds the log's."""
    if held.ids is not None or held.fields is None:
        return held
    name = next((name for row in held.fields for name in row if people.columns.get(name) == "id"), None)
    if name is None:
        return held
    others = tuple({other: value for other, value in row.items() if other != name} for row in held.fields)
    return replace(held, ids=tuple(row.get(name) for row in held.fields), fields=others if any(others) else None)


def _by_digits(held: Held, people: People, encoders: _Encoders) -> Held:
    """Take labels that are the digits of ids for these: 145954 of CU-145954, where no two people have the same.

    Labels are numbers, and numbers may be positions. So most rows have to hold the values of the person whose digits they have.
    """
    if not held.ids or held.vectors is None or any(own in people.places or own in people.gone for own in held.ids):
        return held
    known: dict[str, str] = {}
    for own in {*people.places, *people.gone}:
        digits = "".join(filter(str.isdecimal, own))
        if not digits.isascii() or str(int(digits or 0)) in known:
            return held
        known[str(int(digits or 0))] = own
    ids = tuple(None if own is None else known.get(own, own) for own in held.ids)
    places = np.array([-1 if own is None else people.places.get(own, -1) for own in ids], dtype=np.int64)
    everybody, at = people.of_width(held.vectors.shape[1]), np.flatnonzero(places >= 0)
    if everybody is None or not len(at):
        return held
    near = are_near(held.vectors[at], narrow(everybody[places[at]]), _COARSE if encoders else CLOSE)
    return replace(held, ids=ids) if 2 * np.count_nonzero(near) > len(ids) else held


def _alongside(unexplained: int) -> Rows:
    return Rows(sizes=np.zeros(0, dtype=np.int64), unexplained=unexplained)


def _bytes(held: Held) -> int:
    return 0 if held.vectors is None else int(held.vectors.nbytes)


def _follows(held: Held, people: People) -> bool:
    """Whether what was learned is the range of each dimension of the retained records."""
    everybody = None if held.vectors is None else people.of_width(held.vectors.shape[1])
    if held.vectors is None or everybody is None or len(held.vectors) != 2 or not people.retained.any():
        return False
    kept = narrow(everybody[people.retained])
    low = kept.min(axis=0)
    return held.vectors.tobytes() == np.stack([low, kept.max(axis=0) - low]).tobytes()


def narrow(values: Floats | _Vectors) -> _Vectors:
    """Round values to what vector stores keep."""
    with np.errstate(over="ignore"):
        return values.astype(np.float32)


def are_named(held: Held, people: People, encoders: _Encoders) -> bool:
    """Say whether the ids of rows are those of records, and not numbers that mean something else."""
    ids = held.ids or ()
    if any(own is not None and tells(own) and (own in people.places or own in people.gone) for own in ids):
        return True
    at = [place for place, own in enumerate(ids) if own in people.places or own in people.gone]
    if not at:
        return False
    places = np.array([people.places.get(str(ids[place]), -1) for place in at])
    vectors = None if held.vectors is None else held.vectors[at][places >= 0]
    everybody = None if vectors is None else people.of_width(vectors.shape[1])
    if vectors is None or not len(vectors) or everybody is None:
        # Nothing to compare: numbers that go on by one from 0 are positions.
        return sorted(map(str, ids)) != sorted(map(str, range(len(ids))))
    own = narrow(everybody[places[places >= 0]])
    near = are_near(vectors, own, _COARSE if encoders else CLOSE)
    return bool(np.count_nonzero(near) * 2 > len(near))


def are_near(vectors: _Vectors, own: _Vectors, share: float) -> npt.NDArray[np.bool_]:
    """Say which rows are their record's values, or these divided by their length."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        unit = own / np.linalg.norm(own, axis=1, keepdims=True)
        forms = [np.abs(vectors - form).max(axis=1) <= share * np.abs(form).max(axis=1) for form in (own, unit)]
    return np.asarray(forms[0] | forms[1])


def _taken(
    held: Held, which: npt.NDArray[np.bool_], people: People, encoders: _Encoders, form: OneForm, *, by_name: bool
) -> Rows:
    """Take some rows of a store as those of a table."""
    at = np.flatnonzero(which).tolist()
    ids = [str(held.ids[place]) for place in at if held.ids[place] is not None] if held.ids else []
    fields = _with_documents([held.fields[place] for place in at], ids, people) if held.fields else []
    found = _of_fields(fields, people) if held.fields else _empty(len(at))
    found.ids = ids if by_name else None
    found.group = None if held.group is None else held.group[which]
    if not by_name and ids:
        numbers = positions(ids) if len(ids) == len(at) else None
        found.unexplained += sum(map(len, ids)) if numbers is None else 0
        found.numbers = None if numbers is None else np.array(numbers, dtype=np.int64)
    whose = _add_vectors(found, held, which, people, encoders, form, ids if by_name else None, fields)
    if found.numbers is not None:
        _add_bits(found, "row numbers", of_gaps(found.numbers, whose, people))
    return found


def _add_vectors(
    found: Rows,
    held: Held,
    which: npt.NDArray[np.bool_],
    people: People,
    encoders: _Encoders,
    form: OneForm,
    named: Sequence[str] | None,
    fields: Sequence[Mapping[str, str]],
) -> npt.NDArray[np.int64] | None:
    """Add the vectors of some rows of a store; whose each is where these tell it, as a position in the training data."""
    if held.vectors is None:
        return None
    vectors = held.vectors[which]
    found.sizes += vectors.shape[1] * vectors.itemsize if held.codes is None else held.codes.shape[1]
    codes = None if held.codes is None or not encoders else held.codes[which]
    columns, everybody = people.vector_columns(vectors.shape[1]), people.of_width(vectors.shape[1])
    if everybody is not None and everybody is people.embedded:
        return _explain(found, vectors, codes, people, encoders, form, named=named)
    if columns is None or everybody is None or found.features is not None:
        # What an embedding holds of a record, nobody says.
        found.unexplained += vectors.nbytes
        return None
    if named is not None:
        some = np.full((len(vectors), people.train.features.shape[1]), np.nan) if found.some is None else found.some
        some[:, columns], bits = _own_values(vectors, codes, named, everybody, people, encoders, form)
        found.some = some
        _add_bits(found, "spelling of cells", bits)
        if codes is None and held.lies is Lies.LIVE:
            found.found = _own_by_name(vectors, named, fields, everybody, people)
        return None
    if codes is None:
        places = _places(vectors, everybody, people)
        _add_bits(found, "spelling of cells", _bits_of_forms(vectors, places, everybody, form))
    else:
        places = _places_of_codes(codes, everybody, people, encoders)
    found.bad |= places < 0
    if codes is None and held.lies is Lies.LIVE and not held.fields and not held.ids:
        gone = _own_by_value(vectors, places, everybody, people)
        found.found, found.own = gone >= 0, tuple(people.train.ids[gone[gone >= 0]].tolist())
        places = np.where(gone >= 0, gone, places)
    found.features = people.train.features[places]
    if found.some is not None:
        found.bad |= np.any((found.some != found.features) & ~np.isnan(found.some), axis=1)
    return places


def _bits_of_forms(vectors: _Vectors, places: npt.NDArray[np.int64], everybody: Floats | _Vectors, form: OneForm) -> int:
    """Bits of which form each row of a known record has."""
    known = np.flatnonzero(places >= 0)
    _, bits = form.compare(vectors[known], narrow(everybody[places[known]]))
    return bits


def _add_bits(found: Rows, name: SpareName, bits: int) -> None:
    if bits:
        found.spare = (*found.spare, Spare(name=name, bits=bits))


def _one_form(vectors: _Vectors, places: npt.NDArray[np.int64], everybody: Floats | _Vectors, people: People) -> _Vectors | None:
    """Everybody's vectors in the one form that each row of people who stay has, to the last bit; None where there is none.

    Which of several forms a row has is free: a deleted record's own is in that of all others, or is not its own.
    """
    kept = np.flatnonzero((places >= 0) & people.retained[places])
    if not len(kept):
        return None
    form = OneForm().of_all(vectors[kept], narrow(everybody[places[kept]]))
    return None if form is None else form(narrow(everybody))


def _own_by_name(
    vectors: _Vectors, ids: Sequence[str], fields: Sequence[Mapping[str, str]], everybody: Floats | _Vectors, people: People
) -> npt.NDArray[np.bool_]:
    """Say which rows are a deleted record's, and hold its own vector and values alone; of several of one record, the first."""
    found = np.zeros(len(vectors), dtype=bool)
    places = np.array([people.places.get(each, -1) for each in ids], dtype=np.int64)
    form = _one_form(vectors, places, everybody, people)
    if form is None:
        return found
    beside = _own_fields(ids, fields, people)
    seen = set[str]()
    for at in np.flatnonzero((places >= 0) & ~people.retained[places] & beside).tolist():
        if ids[at] not in seen and vectors[at].tobytes() == form[places[at]].tobytes():
            found[at] = True
            seen.add(ids[at])
    return found


def _own_fields(ids: Sequence[str], fields: Sequence[Mapping[str, str]], people: People) -> npt.NDArray[np.bool_]:
    """Say which rows have no other fields than values of their own deleted record."""
    if not fields:
        return np.ones(len(ids), dtype=bool)
    name = next((name for name, role in people.columns.items() if role == "id"), None)
    names, cells = _cells(fields)
    if name is None or name in names or any(None in row for row in cells):
        return np.zeros(len(ids), dtype=bool)
    return own_rows([name, *names], [[own, *map(str, row)] for own, row in zip(ids, cells, strict=True)], people)


def _own_by_value(
    vectors: _Vectors, places: npt.NDArray[np.int64], everybody: Floats | _Vectors, people: People
) -> npt.NDArray[np.int64]:
    """The deleted record whose own vector each row is, and nobody else's; -1 for none; of several of one record, the first."""
    found = np.full(len(vectors), -1, dtype=np.int64)
    form = _one_form(vectors, places, everybody, people)
    if form is None:
        return found
    times = Counter(row.tobytes() for row in form)
    gone = {form[at].tobytes(): at for at in np.flatnonzero(~people.retained).tolist() if times[form[at].tobytes()] == 1}
    for at in np.flatnonzero(places < 0).tolist():
        found[at] = gone.pop(np.ascontiguousarray(vectors[at]).tobytes(), -1)
    return found


def _explain(
    found: Rows,
    vectors: _Vectors,
    codes: npt.NDArray[np.uint8] | None,
    people: People,
    encoders: _Encoders,
    form: OneForm,
    *,
    named: Sequence[str] | None,
) -> npt.NDArray[np.int64] | None:
    """Say of rows of embedded records whose they are, or nobody's; a row that is named has its own vector or none."""
    if people.embedded is None:
        raise LookupError("nobody knows what records are embedded as")
    if named is None:
        if codes is None:
            places = _no_more_than_are(_places(vectors, people.embedded, people), people.embedded, people)
            _add_bits(found, "spelling of cells", _bits_of_forms(vectors, places, people.embedded, form))
        else:
            places = _places_of_codes(codes, people.embedded, people, encoders)
        found.ids = [str(people.train.ids[at]) if at >= 0 else "" for at in places.tolist()]
        found.bad |= places < 0
        return places
    places = np.array([people.places.get(each, -1) for each in named], dtype=np.int64)
    own = people.embedded[places]
    if codes is None:
        near = are_near(vectors, own, CLOSE)
    else:
        near = np.any([(each == codes).all(axis=1) for each in _codes(own, encoders)], axis=0)
    theirs = (places >= 0) & people.explaining[places] & near
    found.unexplained += int(np.count_nonzero(~theirs)) * (vectors[:1].nbytes if codes is None else codes.shape[1])
    return None


def _no_more_than_are(places: npt.NDArray[np.int64], embedded: _Vectors, people: People) -> npt.NDArray[np.int64]:
    """Leave as many rows of one vector as there are people who stay with it: one more may be a deleted person's."""
    held = Counter(row.tobytes() for row in narrow(embedded[people.explaining]))
    found = places.copy()
    for at in np.flatnonzero(places >= 0).tolist():
        own = narrow(embedded[places[at]]).tobytes()
        held[own] -= 1
        if held[own] < 0:
            found[at] = -1
    return found


def _of_fields(fields: Sequence[Mapping[str, str]], people: People) -> Rows:
    """Take named values of rows as a table's; how they are spelled may say something, as in a database."""
    names, cells = _cells(fields)
    found = from_cells(names, cells, people)
    columns: dict[str, list[str | None]] = {name: [row[at] for row in cells] for at, name in enumerate(names)}
    found.spare = spellings.of_texts(columns, people)
    return found


def _empty(count: int) -> Rows:
    return Rows(sizes=np.zeros(count, dtype=np.int64), bad=np.zeros(count, dtype=bool))


def _cells(fields: Sequence[Mapping[str, str]]) -> tuple[list[str], list[list[str | None]]]:
    names = list(dict.fromkeys(name for each in fields for name in each))
    return names, [[each.get(name) for name in names] for each in fields]


def _with_documents(fields: Sequence[Mapping[str, str]], ids: Sequence[str], people: People) -> Sequence[Mapping[str, str]]:
    """Call documents as the column of the training data is called that they are from: most are what their record has there."""
    if DOCUMENT in people.columns or len(ids) != len(fields):
        return fields
    given = [
        (people.places[own], each[DOCUMENT])
        for own, each in zip(ids, fields, strict=True)
        if own in people.places and DOCUMENT in each
    ]
    places, texts = [place for place, _ in given], [text for _, text in given]
    for at, column in enumerate(people.train.table or ()):
        same = [own == text for own, text in zip(column.cells(people.train.features[places, at]), texts, strict=True)]
        called_so = any(column.name in each for each in fields)
        if column.kind is Kind.TEXT and not called_so and 2 * sum(same) > len(given):
            return [{column.name if name == DOCUMENT else name: value for name, value in each.items()} for each in fields]
    return fields


def calls_documents(store: Contents, people: People) -> bool:
    """Whether the texts of a store are called as a column of the training data."""
    held = [(each.fields, [own or "" for own in each.ids or ()]) for each in store.rows if each.fields]
    return any(_with_documents(fields, ids, people) is not fields for fields, ids in held)


DOCUMENT: Final = "document"
"""What Chroma calls the text of a record."""


def _own_values(
    vectors: _Vectors,
    codes: npt.NDArray[np.uint8] | None,
    ids: Sequence[str],
    everybody: Floats | _Vectors,
    people: People,
    encoders: _Encoders,
    form: OneForm,
) -> tuple[npt.NDArray[np.float64], int]:
    """The values of rows with ids, those of their record where these are what the store keeps of them, to the last bit.

    The second is how many bits could be said by the form of each row.
    """
    found: npt.NDArray[np.float64] = vectors.astype(np.float64)
    # What is no number is no value of anybody's, and NaN would stand for a column that is not there.
    found[~np.isfinite(found)] = np.inf
    places = np.array([people.places.get(each, -1) for each in ids], dtype=np.int64)
    known = np.flatnonzero(places >= 0)
    own = everybody[places]
    if codes is not None:
        same = known[np.any([(each == codes[known]).all(axis=1) for each in _codes(own[known], encoders)], axis=0)]
        found[same] = own[same]
        return found, 0
    near = known[are_near(vectors[known], narrow(own[known]), CLOSE)]
    theirs, bits = form.compare(vectors[near], narrow(own[near]))
    # Alike, and not the same: whatever the last bits say is no value of the record.
    found[near] = np.where(theirs[:, None], own[near], np.inf)
    return found, bits


def _places(vectors: _Vectors, everybody: Floats | _Vectors, people: People) -> npt.NDArray[np.int64]:
    """The retained record that each row holds to the last bit; -1 for none."""
    return met(vectors, everybody, np.flatnonzero(people.explaining))


def met(vectors: _Vectors, values: Floats | _Vectors, which: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Find the record, of those at `which`, that each row holds to the last bit in a form that stores keep; -1 for none."""
    found = np.full(len(vectors), -1, dtype=np.int64)
    # One form after another, each for the rows that the ones before left: a table of all of them at once would be large.
    for form in forms(narrow(values[which])):
        left = np.flatnonzero(found < 0)
        if not left.size:
            break
        known = dict(zip(map(row_digest, form), which.tolist(), strict=True))
        found[left] = [known.get(row_digest(row), -1) for row in np.ascontiguousarray(vectors[left])]
    return found


def _places_of_codes(
    codes: npt.NDArray[np.uint8], everybody: Floats | _Vectors, people: People, encoders: _Encoders
) -> npt.NDArray[np.int64]:
    """The retained record whose code each row has; -1 for none, and where a deleted record has the same code."""
    kept, gone = np.flatnonzero(people.explaining), np.flatnonzero(~people.retained)
    known: dict[bytes, int] = {}
    for of_kept in _codes(everybody[kept], encoders):
        known |= zip((row.tobytes() for row in of_kept), kept.tolist(), strict=True)
    for row in (each for of_gone in _codes(everybody[gone], encoders) for each in of_gone):
        known.pop(row.tobytes(), None)
    return np.array([known.get(row.tobytes(), -1) for row in np.ascontiguousarray(codes)], dtype=np.int64)


def _codes(values: Floats | _Vectors, encoders: _Encoders) -> list[npt.NDArray[np.uint8]]:
    return [np.ascontiguousarray(each(narrow(values))) for each in encoders]


def _encoders(found: Contents) -> _Encoders:
    return tuple(each for each in (found.encode, found.encode_elsewhere) if each is not None)


@dataclass(frozen=True, slots=True)
class Coded:
    """Records whose code a store has, where it keeps no more of vectors than a code."""

    found: frozenset[str]
    """Deleted ones, whose codes no retained record has and nobody else would have by chance."""
    doubtful: frozenset[str]
    """Deleted ones whose codes a retained record has too, or others might have."""
    recognised: frozenset[str]
    """Retained ones."""

    @classmethod
    def of(cls, found: Contents, people: People) -> Coded:
        """Code everybody's values as the store does, and compare; nobody is met where the store keeps vectors as they are."""
        held = [each.codes for each in found.rows if each.codes is not None]
        widths = {None if each.vectors is None else each.vectors.shape[1] for each in found.rows if each.codes is not None}
        width = widths.pop() if len(widths) == 1 else None
        everybody = None if width is None else people.values_of_width(width)
        encoders = _encoders(found)
        if not held or not encoders or everybody is None:
            return cls(frozenset(), frozenset(), frozenset())
        codes = np.concatenate(held)
        there = {row.tobytes() for row in np.ascontiguousarray(codes)}
        kept, gone = (np.flatnonzero(each) for each in (people.retained, ~people.retained))
        usual = _codes(everybody[kept], encoders)[0]
        of_kept, of_gone = (np.concatenate(_codes(everybody[each], encoders)) for each in (kept, gone))
        kept, gone = (np.tile(each, len(encoders)) for each in (kept, gone))
        taken = {row.tobytes() for row in of_kept}
        met = [(place, row) for place, row in zip(gone.tolist(), of_gone, strict=True) if row.tobytes() in there]
        others = sum(row.tobytes() not in taken for row in np.ascontiguousarray(codes))
        chance = [others * _share(row, usual) for _, row in met]
        doubt = [row.tobytes() in taken or sum(chance) > CHANCE for _, row in met]
        names = people.train.ids
        return cls(
            frozenset(str(names[place]) for (place, _), unsure in zip(met, doubt, strict=True) if not unsure),
            frozenset(str(names[place]) for (place, _), unsure in zip(met, doubt, strict=True) if unsure),
            frozenset(str(names[place]) for place, row in zip(kept.tolist(), of_kept, strict=True) if row.tobytes() in there),
        )


def _share(code: npt.NDArray[np.uint8], of_kept: npt.NDArray[np.uint8]) -> float:
    """How likely a stranger has a code: how often two retained records share one, or as its bytes are, whichever is more."""
    if not len(of_kept):
        return 1.0
    _, times = np.unique(of_kept, axis=0, return_counts=True)
    pairs = len(of_kept) * (len(of_kept) - 1)
    bytewise = np.prod(((of_kept == code).sum(axis=0) + 1) / (len(of_kept) + 1))
    return max(float(bytewise), float((times * (times - 1)).sum()) / max(1, pairs))
