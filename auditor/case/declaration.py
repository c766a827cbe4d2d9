"""From the bytes of audit.toml to Settings, or every problem with every key.

Each table is checked by itself, so that a wrong key in one never hides a wrong key in another, and so that the files
named by sound keys can still be read and checked alongside them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final, TypeAlias

from pydantic import BaseModel

from auditor.base import suggestions
from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.foreign_parts import in_force, names_installed
from auditor.base.validation import broken_toml
from auditor.case import parsing, procedures
from auditor.case.files import Source, read_source
from auditor.settings.attestations import NO_MODEL
from auditor.settings.builtin import Procedure
from auditor.settings.controller import NothingLearned
from auditor.settings.documents import MOST_PLACES, OutsidePlace
from auditor.settings.lineage import MOST_MADE, Descendant, faults
from auditor.settings.places import EMBED, MOST_SEARCHED, PeopleTable, PlaceKeys, PlacesAlone, PlaceTable
from auditor.settings.receipts import MOST_RECEIPTS, Receipt
from auditor.settings.tables import TABLES, AnswersOnly, DataTable, DeletionsTable, Settings
from auditor.settings.values import LONGEST_TEXT, show, text_fault, unknown

LIMIT: Final = 1024 * 1024
"""Bytes of audit.toml."""

_ORDER: Final = (
    "case",
    "data",
    "model",
    "procedure",
    "deletions",
    "claims",
    "policy",
    "sandbox",
    "swap",
    "inference",
    "release",
    "requester",
    "controller",
    "answers",
)
_ARRAYS: Final[Mapping[str, tuple[type[BaseModel], int, str]]] = {
    "outside": (OutsidePlace, MOST_PLACES, "place"),
    "lineage": (Descendant, MOST_MADE, "thing"),
    "receipts": (Receipt, MOST_RECEIPTS, "receipt"),
}
"""Arrays of tables: what each table is, how many there may be, and what they are called."""
_OPTIONAL: Final = ("claims", "policy", "sandbox", "swap", "inference", "release")
"""Tables that hold their defaults where they are left out. Of the others there is none without its table."""
_ADDED: Final = ("model", "requester", "controller", "answers")
"""Tables that need not be there."""
_LEARNING: Final = ("data", "procedure", "deletions")
"""Tables that a case of a controller alone leaves out, all of them."""
_OF_LEARNING: Final = ("model", "swap", "inference", "release", "requester", "lineage", "receipts")
"""Tables that say nothing without those."""

_PLACES: Final = "places"
"""The table of names with a path, or a table each."""
_OF_RUNS: Final = ("model", "procedure", "requester", "controller", "swap", "inference", "release", "sandbox")
"""Tables that say nothing where there are answers, or places, alone."""
_LINEAGE: Final = "lineage"
"""The array that says nothing where there are places alone: no model is known, nor when it was updated for whom."""

_NOTHING_LEARNED: Final[Mapping[str, BaseModel]] = {
    "data": DataTable.model_construct(train="", task="classification"),
    "procedure": NothingLearned(seed=0),
    "deletions": DeletionsTable.model_construct(log=""),
}
"""What stands for [data], [procedure] and [deletions] where a controller alone is audited: no record, no log."""


Entries: TypeAlias = tuple[BaseModel, ...]
"""The tables of an array; none where one of them is wrong, as their places count."""
_NO_DATA: Final = DataTable.model_construct(train="", task="classification")
"""What stands for [data] where places alone are searched."""
_FUNCTION: Final = re.compile(r"[^:]+\.py:[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Declaration:
    """What could be read of audit.toml, sound or not."""

    settings: Settings | None
    """None where anything is wrong."""
    tables: Mapping[str, BaseModel]
    """The tables that are sound."""
    raw: Mapping[str, Any]
    """The document as parsed, misspelt tables and keys under what was meant. It may hold the secret seed: never print it."""
    problems: tuple[Problem, ...] = field(repr=False)
    arrays: Mapping[str, Entries] = field(default_factory=dict)
    """Entries of arrays of tables, by the array's name."""
    places: tuple[PlaceTable, ...] = ()
    """Places that are searched, those that are sound."""

    @property
    def procedure(self) -> Procedure | None:
        """The table of the procedure, where it is sound."""
        found = self.tables.get("procedure")
        return found if isinstance(found, Procedure) else None

    def text(self, table: str, key: str) -> str | None:
        """The text under a key, even where other keys of its table are wrong; None where there is none that can be used.

        Args:
            table: Its name; of a table in another one both, with a dot between them.
            key: The key.
        """
        found: Any = self.raw
        for name in table.split("."):
            found = found.get(name) if isinstance(found, dict) else None
        value = found.get(key) if isinstance(found, dict) else None
        return value if isinstance(value, str) and len(value) <= LONGEST_TEXT and not text_fault(value) else None


def parts_named(file: Path) -> tuple[str, ...]:
    """Name the foreign parts that an audit.toml asks for, before anything else of it is read; none where it cannot be read.

    Args:
        file: audit.toml, or the folder that holds it.
    """
    path = file / "audit.toml" if file.is_dir() else file
    try:
        raw = _parse(read_source(path, path.name, limit=LIMIT))
    except InputError:
        return ()
    case = None if isinstance(raw, Problem) else raw.get("case")
    named = case.get("parts") if isinstance(case, dict) else None
    return tuple(each for each in named if isinstance(each, str)) if isinstance(named, list) else ()


def _in_force(file: str, content: dict[str, Any]) -> list[Problem]:
    """Foreign parts that the case names and nobody took: a case that is read without them is another case."""
    named = content.get("parts")
    taken = {part.name for part in in_force()}
    as_taken = "a part that is in force: auditor.api and the commands take those that a case names"
    known = names_installed() if isinstance(named, list) and named else ()
    installed = f"a part that is installed here: {', '.join(map(show, known)) if known else 'no package brings one'}"
    listed = enumerate(named if isinstance(named, list) else ())
    return [
        Problem(file, f"case.parts.{index}", as_taken if each in known else installed, show(each))
        for index, each in listed
        if isinstance(each, str) and each not in taken
    ]


def declare(source: Source) -> Declaration:
    """Read and check audit.toml, all of it."""
    file = source.name
    raw = _parse(source)
    if isinstance(raw, Problem):
        return Declaration(None, {}, {}, (raw,))
    problems = _tables_known(file, raw)
    # A misspelt table is reported once; what it holds is checked as that of the table that was meant.
    raw = _as_meant(raw)
    tables: dict[str, BaseModel] = {}
    alone = _alone(raw)
    searched = _PLACES in raw
    problems += (_of_learning(file, raw) if alone else []) + _of_runs(file, raw)
    for name in _ORDER:
        if name not in raw and name not in _OPTIONAL:
            if name not in _may_lack(raw):
                problems.append(Problem(file, name, f"a [{name}] table", "no such table"))
            continue
        content = raw.get(name, {})
        if not isinstance(content, dict):
            problems.append(Problem(file, name, f"a [{name}] table", _shown(name, content)))
            continue
        found = _read(file, name, content, searched=searched)
        if name != "procedure" and not isinstance(found, BaseModel):
            raw[name] = content = parsing.as_meant(_model_of(name, searched=searched), content)
        problems += _further(file, name, content, raw)
        if isinstance(found, BaseModel):
            tables[name] = found
        else:
            problems.extend(found)
    arrays, wrong_entries = _arrays(file, raw)
    problems += wrong_entries
    places = _places(file, raw[_PLACES]) if searched else ()
    problems += (each for each in places if isinstance(each, Problem))
    tables = {("people" if searched and name == "data" else name): each for name, each in tables.items()}
    settings = None
    if not problems:
        nothing = _stand_ins(raw)
        settings = Settings.model_validate({"model": None, **nothing, **tables, **arrays, _PLACES: places})
    sound = tuple(each for each in places if isinstance(each, PlaceTable))
    return Declaration(settings, tables, raw, tuple(problems), arrays, sound)


def _further(file: str, name: str, content: dict[str, Any], raw: Mapping[str, Any]) -> list[Problem]:
    """What is wrong with a table that its keys do not show by themselves."""
    match name:
        case "case":
            return _in_force(file, content)
        case "policy":
            return _checks_known(file, content)
        case "claims":
            return [*_said_by_somebody(file, content), *_of_no_model(file, content, raw)]
        case _:
            return []


def _may_lack(raw: Mapping[str, Any]) -> tuple[str, ...]:
    """Tables that a case need not have, by what else it has."""
    if _alone(raw):
        return (*_ADDED, *_LEARNING)
    if _PLACES in raw:
        return (*_ADDED, "procedure", "data")
    return (*_ADDED, "procedure") if "answers" in raw else _ADDED


def _read(file: str, name: str, content: dict[str, Any], *, searched: bool) -> BaseModel | list[Problem]:
    if name == "procedure":
        return procedures.table(file, content)
    return parsing.table(file, name, _model_of(name, searched=searched), content)


def _model_of(name: str, *, searched: bool) -> type[BaseModel]:
    return PeopleTable if searched and name == "data" else TABLES[name]


def _stand_ins(raw: Mapping[str, Any]) -> Mapping[str, BaseModel]:
    """What stands for tables that the case does without."""
    if _PLACES in raw:
        return {"data": _NO_DATA, "procedure": PlacesAlone(embed=raw[_PLACES].get(EMBED), seed=0)}
    return _NOTHING_LEARNED if _alone(raw) else {"procedure": AnswersOnly(seed=0)} if "answers" in raw else {}


def _alone(raw: Mapping[str, Any]) -> bool:
    """Whether the case is of a controller and of nothing that learns."""
    return "controller" in raw and not any(name in raw for name in _LEARNING)


def _of_learning(file: str, raw: Mapping[str, Any]) -> list[Problem]:
    """Tables that a case of a controller alone has no use for."""
    expected = "no such table: with [controller] alone nothing is learned ([data], [procedure] and [deletions] are left out)"
    return [Problem(file, name, expected, f"a [{name}] table") for name in _OF_LEARNING if name in raw]


def _of_runs(file: str, raw: Mapping[str, Any]) -> list[Problem]:
    """Tables that a case of answers, or of places, alone has no use for."""
    instead = next((each for each in (_PLACES, "answers") if each in raw), None)
    if instead is None:
        return []
    kept = "[data] store names what a case with a procedure keeps"
    way = kept if instead == _PLACES else "leave [answers] out where there is a procedure that can be"
    expected = f"no such table: with [{instead}] nothing is rerun; {way}"
    without: tuple[str, ...] = (*_OF_RUNS, "answers")
    if instead == _PLACES and isinstance(raw[_PLACES], dict) and EMBED in raw[_PLACES]:
        without = tuple(each for each in without if each != "sandbox")
    found = [Problem(file, name, expected, f"a [{name}] table") for name in without if name in raw and name != instead]
    if instead == _PLACES and _LINEAGE in raw:
        expected = (
            "none: no model is examined with [places], so nothing tells which deletions a thing made from it has missed; "
            "search its files under [places], or declare it under [[outside]]"
        )
        found.append(Problem(file, _LINEAGE, expected, "[[lineage]]"))
    return found


def _places(file: str, content: object) -> tuple[PlaceTable | Problem, ...]:
    """Read [places], a path or a table for each name, or name what is wrong with it."""
    if not isinstance(content, dict) or not content.keys() - {EMBED}:
        return (Problem(file, _PLACES, "names of places, each with its path", show(content) if content else "none"),)
    if len(content) > MOST_SEARCHED:
        return (Problem(file, _PLACES, f"at most {MOST_SEARCHED} places", f"{len(content)}"),)
    found: list[PlaceTable | Problem] = []
    for name, each in content.items():
        if name == EMBED:
            if not isinstance(each, str) or text_fault(each) is not None or not _FUNCTION.fullmatch(each):
                found.append(Problem(file, f"{_PLACES}.{EMBED}", "file.py:function, and no place of that name", show(each)))
            continue
        given = {"path": each} if isinstance(each, str) else each
        if text_fault(name) is not None or not isinstance(given, dict):
            found.append(Problem(file, _PLACES, "a name with a path, or a table with path, level, ids or note", show(each)))
            continue
        read = parsing.table(file, f"{_PLACES}.{name}", PlaceKeys, given)
        found += read if isinstance(read, list) else [PlaceTable(name=name, **read.model_dump())]
    return tuple(found)


_KNOWN: Final = (*_ORDER, *_ARRAYS, _PLACES)


def _tables_known(file: str, raw: dict[str, Any]) -> list[Problem]:
    return [
        Problem(file, name if name.isprintable() else "", *unknown("table", name, _KNOWN)) for name in raw if name not in _KNOWN
    ]


def _as_meant(raw: dict[str, Any]) -> dict[str, Any]:
    """Put each misspelt table in the place of the one that was meant, where that is not there and could be one."""
    found = dict(raw)
    for name in [name for name in raw if name not in _KNOWN]:
        near = suggestions.nearest(name, _KNOWN)
        if near is not None and near not in found and isinstance(raw[name], list if near in _ARRAYS else dict):
            found[near] = found.pop(name)
    return found


def _arrays(file: str, raw: Mapping[str, Any]) -> tuple[dict[str, Entries], list[Problem]]:
    """Read every array of tables."""
    found = {name: _array(file, name, raw.get(name, [])) for name in _ARRAYS}
    arrays = {name: entries for name, (entries, _) in found.items()}
    return arrays, [*(each for _, problems in found.values() for each in problems), *_of_entries(file, arrays)]


def _array(file: str, name: str, content: object) -> tuple[Entries, list[Problem]]:
    """Read each table of an array, or name what is wrong with it."""
    model, most, thing = _ARRAYS[name]
    if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
        return (), [Problem(file, name, f"[[{name}]] tables, one for each {thing}", show(content))]
    if len(content) > most:
        return (), [Problem(file, name, f"at most {most} {thing}s", show(content))]
    found = [parsing.table(file, f"{name}.{index}", model, each) for index, each in enumerate(content)]
    problems = [one for each in found if isinstance(each, list) for one in each]
    return () if problems else tuple(each for each in found if isinstance(each, BaseModel)), problems


def _of_entries(file: str, arrays: Mapping[str, Entries]) -> Iterator[Problem]:
    """What an entry cannot say in the company of the others, and what no day can that is still to come."""
    made = [each for each in arrays["lineage"] if isinstance(each, Descendant)]
    for fault in faults(made):
        yield Problem(file, f"lineage.{fault.index}.{fault.key}", fault.expected, fault.found)
    for name, key in (("lineage", "made_at"), ("receipts", "at")):
        for index, each in enumerate(arrays[name]):
            if _lies_ahead(day := getattr(each, key)):
                yield _not_yet(file, f"{name}.{index}.{key}", day)


def _lies_ahead(day: date | None) -> bool:
    """Whether a day has come nowhere on earth."""
    return day is not None and day > (datetime.now(tz=UTC) + timedelta(hours=14)).date()


def _not_yet(file: str, where: str, day: date | None) -> Problem:
    return Problem(file, where, "a day that has come", f"{day}, which has not")


def _checks_known(file: str, policy: dict[str, Any]) -> list[Problem]:
    """Ids under `required` that no check has. The table itself takes any: checks lie above the settings."""
    listed = policy.get("required")
    named = [(index, item) for index, item in enumerate(listed if isinstance(listed, list) else ()) if isinstance(item, str)]
    if not named:
        return []
    # Only a policy that lists checks loads them.
    from auditor.verdict.checks import definitions  # noqa: PLC0415

    known = tuple(definitions())
    return [
        Problem(file, f"policy.required.{index}", *unknown("check", item, known)) for index, item in named if item not in known
    ]


def _said_by_somebody(file: str, claims: dict[str, Any]) -> list[Problem]:
    """An attestation that nobody makes, or only will make, is not one."""
    problems = []
    if claims.get("attested"):
        keys = {
            "attested_by": "who attests it, by name or office",
            "attested_at": "the day on which they did, such as 2026-09-30",
        }
        problems = [
            Problem(file, f"claims.{key}", f"{what}: `attested` needs this key as well", "no such key")
            for key, what in keys.items()
            if key not in claims
        ]
    try:
        day = date.fromisoformat(str(claims.get("attested_at")))
    except ValueError:
        return problems
    if _lies_ahead(day):
        problems.append(_not_yet(file, "claims.attested_at", day))
    return problems


def _of_no_model(file: str, claims: dict[str, Any], raw: Mapping[str, Any]) -> list[Problem]:
    """Where something learns, a model is trained on the data: nobody can say that none was."""
    if _alone(raw) or _PLACES in raw:
        return []
    listed = claims.get("attested")
    said = isinstance(listed, list) and NO_MODEL in listed
    expected = "a case without [data], [procedure] and [deletions]: with them, a model is trained on these data"
    return [Problem(file, "claims.attested", expected, f'"{NO_MODEL}"')] if said else []


def _parse(source: Source) -> dict[str, Any] | Problem:
    try:
        return tomllib.loads(source.data.decode("utf-8-sig"))
    except RecursionError:
        return Problem(source.name, "", "TOML", "tables or arrays nested too deeply")
    except UnicodeDecodeError as error:
        return Problem(source.name, f"byte {error.start}", "TOML in UTF-8", "bytes that are not UTF-8")
    except ValueError as error:
        return Problem(source.name, "", *broken_toml(error, source.data.decode("utf-8-sig")))


def _shown(name: str, value: object) -> str:
    return "no table" if name == "procedure" else show(value)
