"""Makes stores as users of the libraries would, from the libraries' documentation alone, with people deleted well or badly.

`python tests/stores/corpus.py FOLDER [NAME ...]` writes, for each store, a folder with what the store is (STORE.md), its deletion
log, for half of them the table of everybody as it was before, and `place/`, which is what a scan gets to see; and index.json.
Every draw follows from the store's name. What a library draws for itself, such as Chroma's UUIDs, differs from run to run.
"""

from __future__ import annotations

import base64
import csv
import importlib
import importlib.util
import json
import multiprocessing
import shutil
import sqlite3
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import numpy as np

_FIRST = (
    *(
        "Anna",
        "Björn",
        "Chloé",
        "Dmitri",
        "Elif",
        "Fatima",
        "Gregor",
        "Heike",
        "Ivo",
        "Jörg",
        "Katja",
        "Lena",
        "Mehmet",
        "Noémie",
    ),
    *("Olga", "Paul", "Quirin", "Rosa", "Sören", "Tariq", "Ulrike", "Viktor", "Wanda", "Xenia", "Yusuf", "Zoë"),
)
_LAST = (
    *(
        "Abendroth",
        "Bäumler",
        "Castellano",
        "Dąbrowski",
        "Eichinger",
        "Fürstenberg",
        "Göktürk",
        "Hohenfels",
        "Ibrahimović",
        "Jankowski",
    ),
    *("Krämer-Voss", "Lindqvist", "Montgomery", "Nørgaard", "Oberhauser", "Pfeiffer", "Quandt", "Rosenkranz", "Schönbrunn"),
    *("Thalberg", "Uhlenbrock", "Vandenberghe", "Weißmüller", "Yıldırım", "Zeidler", "Hallström"),
)
_PLAIN = str.maketrans(dict(zip("ÄÖÜäöüßéëąćøıöç", "AOUaouseeacoioc", strict=True)))
_TOWNS = ("Kassel", "Leipzig", "Graz", "Utrecht", "Gent", "Basel", "Malmö", "Brno", "Porto", "Lyon", "Aarhus", "Bern")
_STREETS = ("Lindenweg", "Am Anger", "Hafenstraße", "Kirchgasse", "Mühlenpfad", "Rue du Lac", "Bergallee", "Nordring", "Via Roma")
_GOODS = (
    "espresso machine",
    "e-bike",
    "air purifier",
    "standing desk",
    "dishwasher",
    "violin case",
    "heat pump",
    "tent",
    "camera",
)
_FAULTS = ("leaks at the seal", "arrived with a cracked lid", "stops after ten minutes", "was billed twice", "hums all night")
_WISHES = (
    "a refund to the account at once",
    "a replacement before the holidays",
    "a technician on a Saturday",
    "a discount",
)


class Person(NamedTuple):
    """One of the people whose data a store holds."""

    id: str
    number: int
    name: str
    email: str
    phone: str
    text: str


@dataclass(frozen=True)
class People:
    """Everybody, with a vector each, and who asked to be erased."""

    everybody: list[Person]
    vectors: np.ndarray
    gone: list[int]
    draw: np.random.Generator

    @property
    def kept(self) -> list[int]:
        """Who did not ask, by position."""
        gone = set(self.gone)
        return [i for i in range(len(self.everybody)) if i not in gone]

    def of(self, positions: Iterable[int]) -> list[Person]:
        """The people at these positions."""
        return [self.everybody[i] for i in positions]

    @property
    def deleted(self) -> list[Person]:
        """Who asked to be erased."""
        return self.of(self.gone)

    @property
    def others(self) -> list[Person]:
        """Who did not ask."""
        return self.of(self.kept)

    def numbers(self, positions: Iterable[int]) -> np.ndarray:
        """Their numbers, as vector indexes take them."""
        return np.array([self.everybody[i].number for i in positions], dtype=np.int64)


@dataclass(frozen=True)
class Store:
    """One store: what it is, and what it is to be taken for."""

    name: str
    library: str
    how: str
    deletion: str
    honest: bool
    expect: Literal["found", "clean", "not examined is acceptable"]
    table: Literal["", "vectors.npz", "vectors.csv", "texts.csv", "all.csv"]
    key: Literal["id", "number", "email"]
    size: int
    width: int
    apart: bool
    embeds: bool
    """Whether the function that computed its vectors is handed in: embedding.py."""
    build: Callable[[Path, People], None]

    @property
    def packages(self) -> list[str]:
        """The distributions that it takes to make it, beyond those that the auditor needs itself."""
        return [each for each in self.library.split("+") if each not in _OWN]

    @property
    def lacks(self) -> str | None:
        """The first of them that is not installed."""
        return next((each for each in self.packages if importlib.util.find_spec(each.split("-")[0]) is None), None)


_OWN: Final = ("sqlite3", "pyarrow", "numpy", "pandas", "python", "scikit-learn")
STORES: Final[dict[str, Store]] = {}


def store(
    libraries: str,
    deletion: str,
    *,
    honest: bool,
    expect: Any = None,
    table: Any = "",
    key: Any = "id",
    size: int = 400,
    width: int = 32,
    apart: bool = False,
    embeds: bool = False,
) -> Callable[[Callable[[Path, People], None]], Callable[[Path, People], None]]:
    """List a function that makes a store: its name is the store's, its docstring how the store is made.

    One that is made apart is made in a process that never held anybody deleted: some libraries write memory that was
    never filled.
    """

    def listed(build: Callable[[Path, People], None]) -> Callable[[Path, People], None]:
        name = build.__name__.replace("_", "-")
        assert name not in STORES, name
        told = expect or ("clean" if honest else "found")
        how = " ".join((build.__doc__ or "").split())
        STORES[name] = Store(name, libraries, how, deletion, honest, told, table, key, size, width, apart, embeds, build)
        return build

    return listed


def library(name: str) -> Any:
    """Import what is not in every installation, when a store is made."""
    return importlib.import_module(name)


def people(name: str, size: int, width: int) -> People:
    """Draw everybody of the store of this name; three in a hundred ask to be erased, and five at least."""
    draw = np.random.default_rng(zlib.crc32(name.encode()))
    pairs = draw.choice(len(_FIRST) * len(_LAST), size=min(size, len(_FIRST) * len(_LAST)), replace=False)
    numbers = draw.choice(np.arange(100_000, 1_000_000), size=size, replace=False)
    everybody = [_person(draw, i, int(pairs[i % len(pairs)]), i // len(pairs), int(numbers[i])) for i in range(size)]
    centres = draw.normal(size=(8, width))
    vectors = (centres[draw.integers(8, size=size)] + draw.normal(scale=0.6, size=(size, width))).astype(np.float32)
    gone = sorted(int(i) for i in draw.choice(size, size=max(5, size * 3 // 100), replace=False))
    return People(everybody, vectors, gone, draw)


def _person(draw: np.random.Generator, i: int, pair: int, again: int, number: int) -> Person:
    first, last = _FIRST[pair % len(_FIRST)], _LAST[pair // len(_FIRST)]
    # Nobody's name or address is part of another's.
    name = f"{first} {'JMR'[again - 1]}. {last}" if again else f"{first} {last}"
    plain = name.translate(_PLAIN).lower().replace(".", "").replace(" ", ".")
    phone = f"+49 {draw.integers(150, 180)} {draw.integers(1_000_000, 9_999_999)}"

    def one(words: tuple[str, ...]) -> str:
        return words[int(draw.integers(len(words)))]

    day = datetime(2026, 1, 5, tzinfo=UTC) + timedelta(days=int(draw.integers(200)))
    text = (
        f"{name} wrote on {day:%d %B} from {one(_STREETS)} {draw.integers(1, 180)} in {one(_TOWNS)}. "
        f"The {one(_GOODS)} with serial number {draw.integers(10**8, 10**9)} {one(_FAULTS)}. "
        f"The customer would like {one(_WISHES)} and can be reached under {phone} after {draw.integers(8, 19)} o'clock."
    )
    return Person(f"cust-{draw.integers(16**6):06x}{i:04d}", number, name, f"{plain}@example.org", phone, text)


def make(name: str, folder: Path) -> dict[str, Any]:
    """Make one store in a folder of its name, and say what it is."""
    entry = STORES[name]
    home = folder / name
    shutil.rmtree(home, ignore_errors=True)
    place = home / "place"
    place.mkdir(parents=True)
    everybody = people(name, entry.size, entry.width)
    if entry.apart:
        _build_apart(name, place, everybody)
    else:
        entry.build(place, everybody)
    _write_log(home / "deletions.csv", everybody, entry.key)
    if entry.table:
        _write_table(home / f"data.{entry.table.split('.')[1]}", everybody, entry)
    if entry.embeds:
        shutil.copyfile(Path(__file__).with_name("embedding.py"), home / "embedding.py")
    remains = list(traces(place, everybody))
    if entry.honest and remains:
        raise AssertionError(f"{name} is said to be honest, and holds {remains[:3]}")
    told = {
        "name": name,
        "library": ", ".join(f"{each} {_version(each)}" for each in entry.library.split("+")),
        "how": entry.how,
        "deleted": [_key(each, entry.key) for each in everybody.deleted],
        "deletion": entry.deletion,
        "honest": entry.honest,
        "expect": entry.expect,
        "data": f"data.{entry.table.split('.')[1]}" if entry.table else None,
        "bytes_that_remain": sorted({kind for _, kind in remains}),
    }
    lines = [f"# {name}", "", *(f"- {key}: {value}" for key, value in told.items() if key != "name"), ""]
    (home / "STORE.md").write_text("\n".join(lines), encoding="utf-8")
    return told


def _build_apart(name: str, place: Path, everybody: People) -> None:
    kept = People(everybody.others, everybody.vectors[everybody.kept], [], everybody.draw)
    child = multiprocessing.get_context("spawn").Process(target=_build, args=(name, place, kept))
    child.start()
    child.join(180)
    if child.exitcode != 0:
        raise RuntimeError(f"the process that makes {name} ended with {child.exitcode}")


def _build(name: str, place: Path, everybody: People) -> None:
    load()[name].build(place, everybody)


def _version(name: str) -> str:
    if name in {"sqlite3", "python"}:
        return sqlite3.sqlite_version if name == "sqlite3" else sys.version.split()[0]
    return version(name)


def _key(person: Person, key: str) -> str:
    return str(getattr(person, key))


def _write_log(path: Path, everybody: People, key: str) -> None:
    """One request a person, with their name and number for a search of texts."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["request_id", "record_ids", "received_at", "executed_at", "status", "terms"])
        for i, person in enumerate(everybody.deleted):
            day = datetime(2026, 9, 1, 9, 30, tzinfo=UTC) + timedelta(days=i)
            terms = f"{person.name};{person.email};{person.phone}"
            executed = day + timedelta(days=12)
            rows.writerow([f"REQ-2026-{i:04d}", _key(person, key), day.isoformat(), executed.isoformat(), "executed", terms])


def _write_table(path: Path, everybody: People, entry: Store) -> None:
    """Everybody as they were before the erasures: vectors, or names and texts, or all of it."""
    ids = [_key(person, entry.key) for person in everybody.everybody]
    if entry.table == "vectors.npz":
        np.savez(path, ids=np.array(ids), features=everybody.vectors, labels=np.zeros(len(ids), dtype=np.int64))
        return
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        if entry.table == "vectors.csv":
            rows.writerow(["id", *(f"v{i}" for i in range(everybody.vectors.shape[1]))])
            rows.writerows([each, *vector] for each, vector in zip(ids, everybody.vectors.tolist(), strict=True))
        else:
            vectors = everybody.vectors if entry.table == "all.csv" else everybody.vectors[:, :0]
            rows.writerow(["id", "number", "name", "email", "phone", "note", *(f"v{i}" for i in range(vectors.shape[1]))])
            told = zip(ids, everybody.everybody, vectors.tolist(), strict=True)
            rows.writerows([each, p.number, p.name, p.email, p.phone, p.text, *vector] for each, p, vector in told)


def traces(place: Path, everybody: People) -> Iterator[tuple[str, str]]:
    """Where the plain bytes of somebody deleted lie: the file and what they are.

    This keeps the corpus right, and shares no code with the auditor: an honest store that holds such bytes is a mistake here.
    """
    needles = [(kind, needle) for i in everybody.gone for kind, needle in _needles(everybody.everybody[i], everybody.vectors[i])]
    for path in sorted(each for each in place.rglob("*") if each.is_file()):
        content, told = path.read_bytes(), str(path.relative_to(place))
        yield from ((told, kind) for kind, needle in needles if needle in content)
        yield from ((told, "name of a file") for person in everybody.deleted if person.id in told or person.email in told)


def _needles(person: Person, vector: np.ndarray) -> Iterator[tuple[str, bytes]]:
    for kind in ("id", "name", "email", "phone"):
        text: str = getattr(person, kind)
        yield from ((f"{kind} in {encoding}", text.encode(encoding)) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))
        yield f"{kind} in base64", base64.b64encode(text.encode())[:-4]
    yield "number as int64", person.number.to_bytes(8, "little")
    unit = vector / np.linalg.norm(vector)
    for kind, values in (("vector", vector), ("normalised vector", unit)):
        for dtype in ("<f4", "<f8", "<f2", ">f4"):
            yield f"{kind} as {dtype}", values[4:10].astype(dtype).tobytes()


def main(folder: Path, names: list[str]) -> int:
    """Make the named stores, or all of them, and write what they are to index.json."""
    folder.mkdir(parents=True, exist_ok=True)
    index = folder / "index.json"
    known = {each["name"]: each for each in json.loads(index.read_text("utf-8"))} if index.exists() else {}
    failed = 0
    for name in names or list(STORES):
        if (lacks := STORES[name].lacks) is not None:
            print(f"{name}: not made, {lacks} is not installed")
            continue
        try:
            known[name] = make(name, folder)
        except Exception as error:  # noqa: BLE001 - the others are made all the same
            failed += 1
            print(f"{name}: {type(error).__name__}: {error}")
            continue
        remains = known[name]["bytes_that_remain"] or "nothing"
        print(f"{name}: {'honest' if STORES[name].honest else 'not honest'}; remains: {remains}")
    told = [known[name] for name in STORES if name in known]
    index.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(told)} stores in {folder}, {sum(each['honest'] for each in told)} of them honest")
    return 1 if failed else 0


def load() -> dict[str, Store]:
    """Every store, once the modules that make them have listed theirs."""
    here = str(Path(__file__).parent)
    if here not in sys.path:
        sys.path.insert(0, here)
    for path in sorted((Path(__file__).parent / "made").glob("with_*.py")):
        importlib.import_module(f"made.{path.stem}")
    return STORES


if __name__ == "__main__":
    # The modules import this one by its name: what they list must be in the same dictionary.
    sys.path.insert(0, str(Path(__file__).parent))
    corpus = importlib.import_module("corpus")
    corpus.load()
    sys.exit(corpus.main(Path(sys.argv[1]), sys.argv[2:]))
