"""Texts of deleted people are found in chunks, quotations and logs, and chance accuses nobody more often than its level."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any

import pytest

from auditor.api import check
from auditor.base.domain import Status, Verdict
from auditor.pages.letters import extract
from auditor.parts.places.judging.quoted import LEVEL, Quoted
from auditor.parts.places.observing.quotations import Quotations, Texts
from auditor.parts.places.observing.texts import Text
from letter_cases import said
from sample_cases import golden
from tests.parts.places.test_places import write

GONE = frozenset({"C-0001", "C-0002", "C-0003", "C-0004"})
IDS = [f"C-{at:04}" for at in range(380)]
COMMON = ("the", "of", "and", "to", "in", "is", "was", "for", "with", "on", "that", "by", "from", "at", "as", "it", "this")


def written(random_: random.Random, words: int = 40, pool: int = 3000) -> str:
    """A text of words of its own, among stop words that everybody uses."""
    return " ".join(random_.choice(COMMON) if random_.random() < 0.4 else f"word{random_.randrange(pool)}" for _ in range(words))


TEXTS = {each: written(random.Random(at)) for at, each in enumerate(IDS)}


def seen(place: str, texts: dict[str, str] = TEXTS, gone: frozenset[str] = GONE) -> tuple[Quoted, set[str]]:
    prepared = Texts.of([(text, record) for record, text in texts.items()], gone)
    together = Quotations()
    together.add(json.loads(json.dumps(prepared.quotations_in([Text(place, there=True)]).told())))
    counted, found, _ = together.seen(prepared, 1)
    assert counted is not None
    return counted, found


def rows(records: list[str]) -> str:
    return "".join(json.dumps({"id": each, "note": TEXTS[each]}) + "\n" for each in records)


KEPT = [each for each in IDS if each not in GONE]
HONEST = rows(KEPT)
ONE, TWO = TEXTS["C-0001"].split(), TEXTS["C-0002"].split()


def line(words: list[str], **more: str) -> str:
    return json.dumps({**more, "chunk": " ".join(words)}) + "\n"


COPIES: dict[str, str] = {
    "a chunk": line(ONE),
    "two chunks": line(ONE[:20]) + line(ONE[20:]),
    "chunks that overlap": line(ONE[:18]) + line(ONE[12:30]) + line(ONE[24:]),
    "capitals and other white space": json.dumps({"chunk": "\u00a0 ".join(ONE).upper()}) + "\n",
    "escaped twice": json.dumps({"prompt": json.dumps({"text": " ".join(ONE) + "ü"})}) + "\n",
    "percent-encoded": f"GET /?q={'%20'.join(ONE)}\n",
    "in somebody else's row": line(ONE, id="C-0100"),
    "wrapped": "\n\n" + "\n".join(" ".join(ONE[at : at + 6]) for at in range(0, 40, 6)) + "\n\n",
    "within a longer answer": json.dumps({"answer": f"{written(random.Random(-1), 150)} {' '.join(ONE)} and so on"}) + "\n",
}


@pytest.mark.attempt("texts of deleted people")
@pytest.mark.parametrize("hidden", COPIES.values(), ids=COPIES)
def test_a_copied_text_is_found_however_it_is_cut(hidden: str) -> None:
    counted, found = seen(HONEST + hidden)
    assert found == {"C-0001"}
    assert (counted.copied, counted.quoted) == (1, 0)


def test_an_honest_place_quotes_nobody() -> None:
    for place in (HONEST, "\n\n".join(TEXTS[each] for each in KEPT), "\n".join(TEXTS[each] for each in KEPT)):
        counted, found = seen(place)
        assert (counted.quoted, counted.copied, found) == (0, 0, set())
        assert counted.others == len(KEPT)


def summary(words: list[str], at: int, **more: str) -> str:
    return json.dumps({**more, "summary": f"{written(random.Random(1000 + at), 12)} {' '.join(words)} {at}"}) + "\n"


@pytest.mark.attempt("texts of deleted people")
def test_half_sentences_are_found_where_people_who_stay_are_not_quoted_by_chance() -> None:
    counted, found = seen(HONEST + summary(ONE[5:14], 1) + summary(TWO[5:14], 2))
    assert found == {"C-0001", "C-0002"}
    assert counted.shown(1)
    assert not counted.shown(1000)


@pytest.mark.attempt("texts of deleted people")
def test_one_quotation_among_too_few_people_is_not_examined_and_never_dismissed() -> None:
    few = {each: TEXTS[each] for each in IDS[:60]}
    counted, found = seen(rows([each for each in KEPT if each in few]) + summary(ONE[5:14], 1), few)
    assert found == set()
    assert (counted.quoted, counted.untested(1), counted.by_chance(1)) == (1, True, False)


@pytest.mark.attempt("texts of deleted people")
def test_where_everybody_is_quoted_in_what_names_nobody_it_stays_open() -> None:
    place = "".join(summary(TEXTS[each].split()[5:14], at) for at, each in enumerate(IDS))
    counted, found = seen(place)
    assert found == set()
    assert (counted.quoted, counted.others_quoted) == (len(GONE), len(KEPT))
    assert not counted.by_chance(1)


def test_what_rows_of_others_quote_of_retained_people_as_often_counts_for_nothing() -> None:
    quotes = "".join(
        summary(TEXTS[each].split()[5:14], at, id=KEPT[(at + 150) % len(KEPT)]) for at, each in enumerate([*GONE, *KEPT])
    )
    counted, found = seen(HONEST + quotes)
    assert (counted.quoted, counted.others_in_rows, found) == (len(GONE), len(KEPT), set())
    assert counted.by_chance(1)


FORM = "this message and any attachment are confidential and meant for the person named above alone please delete it"


@pytest.mark.attempt("texts of deleted people")
@pytest.mark.parametrize(
    "shared",
    [{"C-0001": FORM, "C-0200": FORM}, dict.fromkeys(IDS, FORM), {"C-0001": TEXTS["C-0200"]}],
    ids=["by one who stays", "by everybody", "a whole text"],
)
def test_what_somebody_who_stays_has_too_says_nothing(shared: dict[str, str]) -> None:
    texts = {each: f"{TEXTS[each]} {shared[each]}" if each in shared else TEXTS[each] for each in IDS}
    place = "".join(json.dumps({"id": each, "note": texts[each]}) + "\n" for each in KEPT) + FORM + "\n"
    counted, found = seen(place, texts)
    assert (counted.quoted, counted.copied, found) == (0, 0, set())


def test_a_form_that_rows_of_several_people_have_and_the_table_has_not_accuses_nobody() -> None:
    texts = {**TEXTS, "C-0001": f"{TEXTS['C-0001']} {FORM}"}
    place = "".join(line([*TEXTS[each].split()[:2], *FORM.split()], id=each) for each in KEPT)
    counted, found = seen(place, texts)
    assert (counted.shared, counted.copied, found) == (1, 0, set())


def untold(place: str, texts: dict[str, str], doubtful: dict[str, str] | None = None) -> tuple[set[str], set[str]]:
    """Who is found, and whose text may be there and cannot be told from others'."""
    prepared, further = (
        [(text, record) for record, text in some.items()] for some in (texts, {} if doubtful is None else doubtful)
    )
    known = Texts.of(prepared, GONE, further)
    quotations = Quotations()
    quotations.add(json.loads(json.dumps(known.quotations_in([Text(place, there=True)]).told())))
    _, found, _ = quotations.seen(known, 1)
    return found, quotations.untold(known) - found - quotations.quoted(known)


@pytest.mark.attempt("texts of deleted people")
def test_a_text_with_hardly_a_run_of_its_own_is_not_told_from_others() -> None:
    texts = {**TEXTS, "C-0001": f"{TEXTS['C-0200']} bluebell"}
    for place in (line(texts["C-0001"].split()), line(texts["C-0001"].split()[20:])):
        assert untold(HONEST + place, texts) == (set(), {"C-0001"})
    assert untold(rows([each for each in KEPT if each != "C-0200"]), texts) == (set(), set())


@pytest.mark.attempt("texts of deleted people")
def test_a_little_of_a_text_is_too_little_to_tell_and_nothing_of_it_is_nothing() -> None:
    assert untold(HONEST + line([*ONE[4:10], "something", "else"]), TEXTS) == (set(), set())
    shared = {**TEXTS, "C-0001": " ".join([*TEXTS["C-0200"].split()[:12], *ONE])}
    cut = line(shared["C-0001"].split()[5:13])
    assert untold(HONEST + cut, shared) == (set(), {"C-0001"})
    assert untold(HONEST, shared) == (set(), set())


@pytest.mark.attempt("texts of deleted people")
def test_sentences_that_others_have_are_one_persons_where_nobody_else_has_them_in_a_row() -> None:
    sentences = [written(random.Random(at), 9, 60) for at in range(2000, 2006)]
    texts = {each: f"{TEXTS[each]} {sentences[at % 6]} {sentences[(at + 1) % 6]}" for at, each in enumerate(IDS)}
    first, second, third = (each.split() for each in sentences[:3])
    mine = [*TEXTS["C-0300"].split()[-4:], *first, *second, *third]
    texts["C-0001"] = " ".join([*first, *second, *third, *ONE])
    honest = "".join(json.dumps({"id": each, "note": texts[each]}) + "\n" for each in KEPT)
    assert untold(honest, texts) == (set(), set())
    assert untold(honest + line([*first, *second]), texts) == (set(), set())
    assert untold(honest + line(mine), texts) == (set(), {"C-0001"})


@pytest.mark.attempt("texts of deleted people")
def test_texts_of_a_column_that_explains_nothing_are_looked_for() -> None:
    """What rows of others have there hides no text of another column, and accuses nobody of having their own."""
    notes = {each: TEXTS[each] for each in IDS}
    assert untold(HONEST + line(ONE), {}, notes)[0] == {"C-0001"}
    assert untold(HONEST + line(ONE), notes, {"C-0200": TEXTS["C-0001"]})[0] == {"C-0001"}
    shared = {**notes, "C-0200": TEXTS["C-0001"]}
    assert untold(HONEST + line(ONE), {}, shared) == (set(), {"C-0001"})


def test_stop_words_are_no_quotation() -> None:
    counted, found = seen(HONEST + " ".join(COMMON * 40))
    assert (counted.quoted, found) == (0, set())


@pytest.mark.parametrize("pool", [5, 8])
def test_on_data_of_nobody_the_test_keeps_its_level(pool: int) -> None:
    """Texts of few words, so that runs meet by chance: no deleted person is in the place."""
    wrong = 0
    runs = 60
    for seed in range(runs):
        chance = random.Random(seed)
        words = [f"w{at}" for at in range(pool)]
        texts = {f"P-{at:04}": " ".join(chance.choices(words, k=40)) for at in range(120)}
        gone = frozenset(list(texts)[:6])
        stay = [each for each in texts if each not in gone]
        place = "".join(json.dumps({"id": each, "note": texts[each]}) + "\n" for each in stay)
        place += "".join(json.dumps({"log": " ".join(chance.choices(words, k=30))}) + "\n" for _ in range(60))
        counted, _ = seen(place, texts, gone)
        wrong += counted.shown(1)
    # More would have a chance below one in a thousand at the level.
    assert wrong <= 4


@pytest.mark.parametrize(("quoted", "others_quoted"), [(1, 0), (3, 0), (2, 5), (6, 60)])
def test_the_tail_is_exact(quoted: int, others_quoted: int) -> None:
    deleted, others = 6, 100
    together = quoted + others_quoted
    exact = sum(comb(together, each) * comb(106 - together, 6 - each) for each in range(quoted, 7)) / comb(106, 6)
    seen_ = Quoted(deleted=deleted, quoted=quoted, others=others, others_quoted=others_quoted)
    assert seen_.p == pytest.approx(exact, rel=1e-12)
    assert Quoted(deleted=6, quoted=0, others=100, others_quoted=5).p == 1.0
    assert seen_.least <= seen_.p
    assert LEVEL == 0.01


CASE = """\
[case]
name = "texts"
controller = "Example"
contact = "privacy@places.example"
authority = "An authority"

[places]
here = "here"

[data]
table = "people.csv"

[deletions]
log = "deletions.jsonl"

[policy]
required = ["places.erased"]
"""


@pytest.fixture
def case(tmp_path: Path) -> Path:
    write(tmp_path / "people.csv", [(each, TEXTS[each]) for each in IDS], ("id", "note"))
    log = [
        {"request_id": f"R-{each}", "record_ids": [each], "received_at": "2026-10-01T09:00:00+00:00",
         "executed_at": "2026-10-05T09:00:00+00:00"}
        for each in sorted(GONE)
    ]  # fmt: skip
    (tmp_path / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    (tmp_path / "here").mkdir()
    write(tmp_path / "here" / "now.csv", [(each, TEXTS[each]) for each in KEPT], ("id", "note"))
    (tmp_path / "audit.toml").write_text(CASE, encoding="utf-8")
    return tmp_path


def _quoted(audit: Any) -> dict[str, Any]:
    return dict((audit.evidence.check("places.erased").observed or {})["places"][0])


def test_an_honest_place_of_texts_passes(case: Path) -> None:
    found = check(case)
    assert found.verdict is Verdict.PASS
    assert _quoted(found)["quoted"]["others"] == len(KEPT)


@pytest.mark.attempt("texts of deleted people")
@pytest.mark.parametrize(
    ("hide", "verdict"),
    [
        (lambda: line(ONE[:20]) + line(ONE[20:]), Verdict.FAIL),
        (lambda: summary(ONE[5:14], 1) + summary(TWO[5:14], 2), Verdict.FAIL),
        (lambda: summary(ONE[5:14], 1), Verdict.INCONCLUSIVE),
    ],
    ids=["two chunks", "quotations", "one quotation"],
)
def test_a_place_with_their_texts_does_not_pass(case: Path, hide: Callable[[], str], verdict: Verdict) -> None:
    (case / "here" / "chunks.jsonl").write_text(hide(), encoding="utf-8")
    found = check(case)
    assert found.verdict is verdict
    if verdict is Verdict.FAIL:
        assert _quoted(found)["in_rows"] == _quoted(found)["found"] > 0


def test_who_may_be_quoted_is_named_alongside_whom_is_copied() -> None:
    place = HONEST + line(ONE) + line(TWO[:10])
    prepared = Texts.of([(text, record) for record, text in TEXTS.items()], GONE)
    quotations = prepared.quotations_in([Text(place, there=True)])
    assert quotations.of_deleted(prepared) == {"C-0001", "C-0002"}
    (last,) = [each for each in place.splitlines() if "C-0002" in prepared.quoted_in(each)]
    assert last == place.splitlines()[-1]
    assert quotations.quoted(prepared) == {"C-0002"}


@pytest.mark.parametrize(
    ("open_as", "of", "says", "says_not"),
    [
        ((), "nobody", "found no copy", "may quote it"),
        (
            ("quoted",),
            "REQ",
            "texts that we keep and that may quote it",
            "found no copy",
        ),
        (("quoted", "store"), "another", "found no copy", "may quote it"),
        (("terms",), "nobody", "could not be searched for every name", "read in full"),
    ],
)
def test_a_letter_says_no_copy_to_nobody_whose_text_may_be_quoted(
    open_as: tuple[str, ...], of: str, says: str, says_not: str
) -> None:
    evidence = golden("places-only")
    request = next(each for each in evidence.requests if each.status == "executed")
    names = {"REQ": [request.request_id], "another": ["REQ-OF-ANOTHER"]}.get(of, [])
    change = {"open_places": 1, "open_as": list(open_as), "quoted_ids": names}
    checks = tuple(
        each
        if each.id != "places.erased"
        else replace(each, status=Status.INCONCLUSIVE, derived={**(each.derived or {}), **change, "by_word": []})
        for each in evidence.checks
    )
    found = said(extract(evidence.model_copy(update={"checks": checks}), request.request_id))
    assert says in found
    assert says_not not in found
