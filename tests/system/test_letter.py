"""The letter as it is printed: nothing of any other request in text, metadata or attachment; the command that writes it."""

from __future__ import annotations

import dataclasses
import functools
import io
import json
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from pypdf.generic import IndirectObject, StreamObject

import report_examples as examples
from auditor.base.deletion_log.deadlines import due
from auditor.base.deletion_log.requests import KeptData, LogFinding, Recipient, RequestOutcome
from auditor.base.domain import ClaimStatus, Status
from auditor.base.terms import DeletionTerms
from auditor.cli import run
from auditor.pages import letter, wording
from auditor.pages.letters import extract
from auditor.parts.store.judging import data_erased
from auditor.settings.documents import OutsidePlace
from cases import SAMPLES
from letter_cases import letter_of, sample
from sample_cases import NAMES

EXAMPLES = {"passing": examples.passing, "failing": examples.failing, "broken_off": examples.broken_off}
LATE = "REQ-2026-0060"
"""An overdue request of the failing example, named in the details of its checks."""


@functools.cache
def printed(name, request_id, signed_by=None):
    return letter.pdf(extract(EXAMPLES[name]().evidence, request_id, draft=name == "broken_off"), signed_by=signed_by)


def read(pdf):
    return PdfReader(io.BytesIO(pdf))


@functools.lru_cache(maxsize=64)
def words(pdf):
    return " ".join(" ".join(page.extract_text() for page in read(pdf).pages).split())


@functools.lru_cache(maxsize=64)
def everything(pdf):
    """All that is in a PDF: its text, metadata, attachments, and every object and stream, decompressed."""
    reader = read(pdf)
    parts = [words(pdf), str(reader.metadata)]
    for number in range(1, reader.trailer["/Size"]):
        found = IndirectObject(number, 0, reader).get_object()
        parts.append(str(found))
        if isinstance(found, StreamObject) and "/Length1" not in found:  # fonts apart
            parts.append(found.get_data().decode("latin-1"))
    parts += [content.decode() for contents in reader.attachments.values() for content in contents]
    return "\n".join(parts)


def test_numbers_and_marks_of_lists_stand_before_their_text_where_it_is_copied():
    copied = words(letter.pdf(letter_of(sample(), subject="p-1")))
    first = re.search(r"1\. (.{20}).*? 2\. ", copied)
    assert first is not None
    assert first[1].startswith("Our list of erasure")
    assert re.search(r"• backups: overwritten", copied)


def names(text, name):
    """Whether the text names this id as a word of its own: R1 is not named by R10."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def dates(outcome):
    executed = () if outcome.days is None else (outcome.received_on + timedelta(days=outcome.days),)
    deleted = () if outcome.deleted_at is None else (outcome.deleted_at.date(),)
    parts = (getattr(outcome, name) for name in ("data_erased_at", "model_erased_at", "answered_at"))
    return {outcome.received_on, outcome.due_on, *executed, *deleted, *(each.date() for each in parts if each is not None)}


def leaks(evidence, request_id, pdf, further=()):
    """What a letter says of other requests: their ids, their dates unless theirs coincide, and whatever else may not be there."""
    said = everything(pdf)
    theirs = next(outcome for outcome in evidence.requests if outcome.request_id == request_id)
    found = [name for outcome in evidence.requests if (name := outcome.request_id) != request_id and names(said, name)]
    # A letter works its own deadline out again; examples were written by hand.
    deadline = due(theirs, None)
    own = dates(theirs) | {evidence.audit.finished_at.date(), deadline.on, deadline.moved_from}
    own |= {each.at for each in evidence.policy.attested}
    own |= {each.at for each in evidence.receipts if each.covers(request_id, theirs.received_on)}
    for outcome in evidence.requests:
        for day in dates(outcome) - own:
            found += [text for text in (day.isoformat(), wording.day(day), wording.short_day(day)) if names(said, text)]
    return found + [name for name in further if names(said, name)]


@pytest.mark.parametrize(
    "name",
    [
        name if name == "digits-newton" else pytest.param(name, marks=pytest.mark.slow)
        for name in NAMES
        if (SAMPLES / name / "deletions.jsonl").exists()  # a whole controller has no request
    ],
)
def test_no_letter_of_a_sample_says_anything_of_another_request(name):
    evidence = sample(name)
    log = [json.loads(line) for line in (SAMPLES / name / "deletions.jsonl").read_text(encoding="utf-8").splitlines()]
    for request_id in {evidence.requests[0].request_id, evidence.requests[-1].request_id}:
        private = [
            word
            for row in log
            for word in (*row["record_ids"], row.get("batch"), row.get("note"), *_subject(row, request_id))
            if word
        ]
        pdf = letter.pdf(extract(evidence, request_id))
        assert names(everything(pdf), request_id)
        assert leaks(evidence, request_id, pdf, private) == []
        assert not re.search(r"\brow\b", words(pdf))
        assert len(read(pdf).pages) <= 2


def _subject(row, request_id):
    return () if row["request_id"] == request_id else (row.get("subject"),)


@pytest.mark.parametrize(
    ("name", "request_id"),
    [
        pytest.param("passing", "REQ-2026-0001", marks=pytest.mark.slow),
        pytest.param("passing", "REQ-2026-0020", marks=pytest.mark.slow),
        ("failing", LATE),
        pytest.param("failing", "REQ-2026-0058", marks=pytest.mark.slow),
        pytest.param("broken_off", "REQ-2026-0003", marks=pytest.mark.slow),
    ],
)
def test_no_letter_of_an_example_says_anything_of_another_request(name, request_id):
    evidence = EXAMPLES[name]().evidence
    assert leaks(evidence, request_id, printed(name, request_id), ["d-0999", "REQ-2026-0059, REQ-2026-0060"]) == []


@pytest.mark.slow
def test_the_search_for_leaks_finds_them_in_the_full_report():
    from auditor.pages import render  # noqa: PLC0415

    told = examples.failing()
    found = leaks(told.evidence, LATE, render.pdf(told), ["d-0999"])
    assert {"REQ-2026-0059", "2026-09-01", "d-0999"} <= set(found)


def test_ids_that_begin_one_another_are_told_apart():
    requests = tuple(
        dataclasses.replace(one, request_id=name, received_on=one.received_on + timedelta(days=3 * place))
        for place, (name, one) in enumerate(zip(("R1", "R10", "R100", "R01", "R1-0"), examples.requests(5), strict=True))
    )
    problems = tuple(LogFinding(row, "STATUS_CONTRADICTED", f"request R1{'0' * row} (row {row}): x") for row in (1, 2))
    base = examples.failing().evidence
    log = base.deletion_log.model_copy(update={"problems": problems, "overdue": ("R1", "R100")})
    evidence = base.model_copy(update={"requests": requests, "deletion_log": log})
    for outcome in requests:
        pdf = letter.pdf(extract(evidence, outcome.request_id))
        assert leaks(evidence, outcome.request_id, pdf) == []
    assert extract(evidence, "R1").request.findings == ()
    assert extract(evidence, "R10").request.findings == ("STATUS_CONTRADICTED",)


COMMON = ("model", "erased", "you", "pass", "2026", "page", "audit")


def found_again(ids):
    observed = examples.erased_observed(found=len(ids), deleted=max(20, len(ids)), request_ids=ids)
    derived = data_erased.Derived(open_places=0, copies=None)
    return {"observed": observed.model_dump(mode="json"), "derived": derived.model_dump(mode="json")}


def terms_that_say(text):
    return DeletionTerms(order=2.0, epsilon=None, source=text, seen=0, advantage=None, records=1, of="request")


def _naming(derived, ids, batch):
    """What a check derived, with other requests under each key that names some: a document with further keys is refused."""
    own = {"overdue": ids, "request_ids": ids, "series": [{"batch": batch, "request_ids": ids}]}
    return None if derived is None else {name: own.get(name, value) for name, value in derived.items()}


def with_others(others, theirs, batch="B", text="x"):
    """The failing example with one request that stays and others as given; every text that may name requests names them all."""
    base = examples.failing().evidence
    ids = [one.request_id for one in others]
    checks = tuple(
        dataclasses.replace(
            check,
            reasons=(examples.by_hand(f"{text}: {', '.join(ids)}"),),
            derived=_naming(check.derived, ids, batch),
        )
        if check.id != "data.erased"
        else dataclasses.replace(
            check,
            status=Status.FAIL,
            value=1.0,
            reasons=(examples.by_hand(text),),
            **found_again(ids),
        )
        for check in base.checks
    )
    items = tuple(
        dataclasses.replace(
            item,
            terms=terms_that_say(f"{text} {ids}"),
            derivation=tuple(
                dataclasses.replace(
                    one,
                    rule=f"{text} {ids}",
                    premises=tuple(
                        dataclasses.replace(p, fact=f"{text} {ids}", evidence=examples.by_hand(f"{text} {ids}"))
                        for p in one.premises
                    ),
                )
                for one in item.derivation
            ),
        )
        for item in map(examples.derived, examples.guarantees(ClaimStatus.SUPPORTED))
    )
    problems = tuple(LogFinding(row, "NOT_LOCATED", f"request {name} (row {row}): gone") for row, name in enumerate(ids, start=1))
    log = base.deletion_log.model_copy(
        update={
            "requests": len(ids) + 1,
            "records": 3 * len(ids),
            "batches": len(ids),
            "overdue": tuple(ids),
            "problems": problems,
        }
    )
    return base.model_copy(
        update={
            "checks": checks,
            "guarantees": items,
            "deletion_log": log,
            "requests": (theirs, *others),
            "certificates": (),
        }
    )


DAYS = st.dates(date(1990, 1, 1), date(2060, 1, 1))
OTHERS = st.lists(
    st.builds(
        RequestOutcome,
        request_id=st.text(min_size=1, max_size=12).filter(lambda name: name != "mine") | st.sampled_from(COMMON),
        status=st.sampled_from(["executed", "open", "denied", "revoked", "no-match", "not-located"]),
        received_on=DAYS,
        due_on=DAYS,
        deleted_at=st.none() | st.datetimes(datetime(1990, 1, 1), datetime(2060, 1, 1), timezones=st.just(UTC)),
        days=st.none() | st.integers(-100, 1000),
        overdue=st.booleans(),
        records=st.integers(0, 9),
        guarantees=st.just(()),
        subject=st.none() | st.sampled_from(["p", "q"]),
        reason=st.none() | st.text(max_size=5),
        answered_at=st.none() | st.datetimes(datetime(1990, 1, 1), datetime(2060, 1, 1), timezones=st.just(UTC)),
    ),
    max_size=5,
    unique_by=lambda one: one.request_id,
)


@settings(max_examples=25)
@given(OTHERS, OTHERS, st.text(max_size=20), st.text(max_size=20))
def test_whatever_the_others_are_the_letter_is_the_same_but_for_the_digest(some, others, text, batch):
    """The letter is made from the extract alone: where the extract does not move with the others, it can tell nothing of them."""
    theirs = dataclasses.replace(examples.requests(1)[0], request_id="mine")
    one = extract(with_others(some, theirs), "mine", evidence_sha256="0" * 64)
    other = extract(with_others(others, theirs, batch, text), "mine", evidence_sha256="0" * 64)
    assert one == other
    assert one.to_bytes() == other.to_bytes()


def test_ids_that_are_common_words_leave_no_trace():
    others = [dataclasses.replace(one, request_id=name) for name, one in zip(COMMON, examples.requests(len(COMMON)), strict=True)]
    theirs = dataclasses.replace(examples.requests(1)[0], request_id="mine")
    with_them, alone = (letter.pdf(extract(with_others(some, theirs), "mine", evidence_sha256="0" * 64)) for some in (others, []))
    assert with_them == alone


# The PDF


def test_the_extract_is_attached_as_data_and_is_all_that_is_attached():
    found = extract(examples.passing().evidence, "REQ-2026-0001")
    reader = read(printed("passing", "REQ-2026-0001"))
    assert dict(reader.attachments) == {"letter.json": [found.to_bytes()]}
    (file,) = reader.trailer["/Root"]["/AF"]
    assert file.get_object()["/AFRelationship"] == "/Data"


def test_every_page_is_numbered_and_says_unsigned_or_by_which_key():
    for signed_by, foot in ((None, "UNSIGNED · evidence"), ("9f2c11aa", "signed: key 9f2c11aa · evidence")):
        reader = read(printed("passing", "REQ-2026-0001", signed_by))
        for number, page in enumerate(reader.pages, start=1):
            text = page.extract_text()
            assert foot in text
            assert f"page {number} of {len(reader.pages)}" in text
            assert ("UNSIGNED" in text) is (signed_by is None)


def test_it_is_tagged_dated_by_the_audit_and_equal_byte_for_byte(monkeypatch):
    pdf = printed("failing", LATE)
    reader = read(pdf)
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert reader.trailer["/Root"]["/Lang"] == "en"
    assert reader.metadata.title == f"Letter about erasure request {LATE}"
    assert reader.metadata.creation_date == datetime(2026, 11, 21, 8, 30, 21, tzinfo=UTC)
    assert letter.pdf(extract(examples.failing().evidence, LATE)) == pdf
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    moved = read(letter.pdf(extract(examples.failing().evidence, LATE)))
    assert moved.metadata.creation_date == datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)


def test_only_bundled_fonts_are_embedded():
    reader = read(printed("passing", "REQ-2026-0001"))
    fonts = {str(font.get_object()["/BaseFont"]) for page in reader.pages for font in page["/Resources"]["/Font"].values()}
    assert fonts
    assert all("Report-" in font for font in fonts)


@pytest.mark.parametrize("status", ["executed", "open", "denied", "revoked", "no-match", "not-located", "unheard-of"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_letter_takes_one_or_two_pages_and_says_how_to_complain(name, status):
    base = EXAMPLES[name]().evidence
    one = dataclasses.replace(base.requests[0], status=status, overdue=True)
    found = extract(base.model_copy(update={"requests": (one,)}), one.request_id, draft=name == "broken_off")
    pdf = letter.pdf(found)
    assert 1 <= len(read(pdf).pages) <= 2
    text = words(pdf)
    for sentence in ("supervisory authority", "Articles 77 and 79", "not legal advice", "auditor verify"):
        assert sentence in text
    for word in ("compliant", "anonymous", "proves", "guaranteed", "None", "Undefined"):
        assert word not in text
    assert found.evidence_sha256 in text.replace(" ", "")


# The command


@pytest.fixture(scope="module")
def evidence(tmp_path_factory):
    path = tmp_path_factory.mktemp("letters") / "evidence.json"
    path.write_bytes(examples.passing().evidence.to_bytes())
    return path


def test_a_letter_is_written_beside_the_evidence(evidence, capfd):
    assert run(["certificate", str(evidence), "--request", "REQ-2026-0001"]) == 0
    path = evidence.with_name(letter.file_name("REQ-2026-0001"))
    assert path.read_bytes() == printed("passing", "REQ-2026-0001")
    assert capfd.readouterr().out == f"Written: {path}\n"


def test_it_goes_where_it_is_told_to(evidence, tmp_path, capfdbinary):
    assert run(["certificate", str(evidence), "--request", "REQ-2026-0001", "-o", "-"]) == 0
    assert capfdbinary.readouterr().out == printed("passing", "REQ-2026-0001")
    target = tmp_path / "deep" / "letter.pdf"
    target.parent.mkdir()
    assert run(["certificate", str(evidence), "--request", "REQ-2026-0002", "-o", str(target), "--json"]) == 0
    answer = json.loads(capfdbinary.readouterr().out)
    assert answer == {"request_id": "REQ-2026-0002", "path": str(target), "bytes": target.stat().st_size, "written": True}


def test_what_is_missing_is_named_at_once_and_a_draft_is_written_with_blanks(tmp_path, capfd):
    base = examples.passing().evidence
    bare = base.model_copy(update={"case": base.case.model_copy(update={"authority": None, "contact": None})})
    path = tmp_path / "evidence.json"
    path.write_bytes(bare.to_bytes())
    for arguments in (["--request", "REQ-2026-0001"], ["--all", str(tmp_path / "letters")]):
        assert run(["certificate", str(path), *arguments]) == 2
        _, err = capfd.readouterr()
        assert "case.contact" in err
        assert "case.authority" in err
        assert [file.name for file in tmp_path.iterdir()] == ["evidence.json"]
    assert run(["certificate", str(path), "--request", "REQ-2026-0001", "--draft", "-q"]) == 0
    (draft,) = tmp_path.glob("letter-*.pdf")
    text = words(draft.read_bytes())
    assert "DRAFT" in text
    assert "[name and address of the supervisory authority: missing]" in text
    capfd.readouterr()
    assert run(["verify", str(draft)]) == 0
    assert re.search("comparisons of pages +3 of 3", capfd.readouterr().out), "how many are compared is no count of pages"


def test_a_ticket_of_two_people_is_two_letters_that_verify(tmp_path, capfd):
    base = examples.passing().evidence
    one, two = (dataclasses.replace(base.requests[0], subject=who) for who in ("p-1", "p-2"))
    path = tmp_path / "evidence.json"
    path.write_bytes(base.model_copy(update={"requests": (one, two)}).to_bytes())
    assert run(["certificate", str(path), "--request", one.request_id]) == 2
    assert "2 subjects" in (said := capfd.readouterr().err)
    assert "p-1" not in said
    assert run(["certificate", str(path), "--request", one.request_id, "--subject", "p-2", "-q"]) == 0
    (file,) = tmp_path.glob("letter-*.pdf")
    assert file.name == letter.file_name(one.request_id, "p-2")
    assert "p-1" not in everything(file.read_bytes())
    assert run(["certificate", str(path), "--all", str(tmp_path), "-q"]) == 0
    assert len(list(tmp_path.glob("letter-*.pdf"))) == 2


def test_a_failing_audit_gets_its_letters_as_well(tmp_path):
    path = tmp_path / "evidence.json"
    path.write_bytes(examples.failing().evidence.to_bytes())
    assert run(["certificate", str(path), "--request", LATE, "-q"]) == 0


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--request", "REQ-2026-001"], "no request REQ-2026-001; it holds "),
        (["--request", "req 2026 0001"], "did you mean REQ-2026-0001?"),
        (["--request", "REQ\x1b[31m\u202e"], "no request REQ[31m"),
        ([], "--request ID or --all DIR"),
        (["--request", "REQ-2026-0001", "--subject", "p-1"], "none of the subject p-1"),
        (["--all", "x", "--subject", "p-1"], "needs --request"),
        (["--request", "REQ-2026-0001", "--lang", "xx"], "expected en, found 'xx'"),
        (["--request", "REQ-2026-0001", "--lang", "de"], "German texts are not there yet"),
        (["--request", "REQ-2026-0001", "--all", "x"], "--request ID or --all DIR"),
        (["--all", "x", "-o", "y"], "leave out -o"),
    ],
)
def test_bad_usage_writes_nothing(evidence, arguments, word, capfd, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert run(["certificate", str(evidence), *arguments]) == 2
    out, err = capfd.readouterr()
    assert word in err
    assert out == ""
    assert list(tmp_path.iterdir()) == []


def test_all_writes_a_letter_for_each_and_names_ids_that_stand_twice(tmp_path, capfd):
    first, second, third = examples.requests(3)
    odd = dataclasses.replace(second, request_id="../../etc/passwd")
    base = examples.passing().evidence.model_copy(
        update={"requests": (first, odd, third, dataclasses.replace(third, overdue=True))}
    )
    path = tmp_path / "evidence.json"
    path.write_bytes(base.to_bytes())
    assert run(["certificate", str(path), "--all", str(tmp_path / "letters"), "--json"]) == 2
    out, err = capfd.readouterr()
    files = sorted((tmp_path / "letters").iterdir())
    assert [str(file) for file in files] == sorted(one["path"] for one in json.loads(out)["letters"])
    assert {file.name for file in files} == {letter.file_name(first.request_id), letter.file_name(odd.request_id)}
    assert third.request_id in err
    for file, outcome in ((letter.file_name(one.request_id), one) for one in (first, odd)):
        assert (tmp_path / "letters" / file).read_bytes() == letter.pdf(extract(base, outcome.request_id))


def test_a_letter_with_much_to_say_is_set_closer_and_still_takes_two_pages():
    base = EXAMPLES["passing"]().evidence
    place = OutsidePlace(name="an archive of another kind", what="w " * 59, declared_by="Sam Example, head of operations")
    kept = KeptData("what is kept " * 6, "why it is kept " * 6, None, date(2031, 1, 1))
    told = Recipient("A recipient with a long name Ltd", True, datetime(2026, 3, 1, tzinfo=UTC))
    one = dataclasses.replace(base.requests[0], kept=(kept,) * 4, recipients_notified=(told,) * 5)
    crowded = base.model_copy(update={"requests": (one,), "outside": (place,) * 4})
    pages = read(letter.pdf(extract(crowded, one.request_id))).pages
    assert len(pages) == 2
    assert "not legal advice" in " ".join(pages[1].extract_text().split())
