"""The next audit of a case: which requests are new, which stand, which are missing, and what has expired."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import small_cases
from auditor.cli import run
from auditor.cli.history import before, comparable, said_since
from auditor.document.context import Attested, Superseded
from auditor.document.evidence import Evidence
from auditor.document.evidence_files import read as read_evidence
from auditor.pages import render
from auditor.pages.words import premises
from auditor.recheck import ledger
from auditor.recheck.comparison.since import Expired, Lapse, since, with_superseded
from auditor.settings.documents import OutsidePlace
from sample_cases import GOLDEN


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(scope="module")
def old() -> Evidence:
    return read_evidence(GOLDEN / "digits-newton.json")


def later(evidence: Evidence, days: int, **case: Any) -> Evidence:
    audit = evidence.audit.model_copy(update={"finished_at": evidence.audit.finished_at + timedelta(days=days), "id": "another"})
    return evidence.model_copy(update={"audit": audit, "case": evidence.case.model_copy(update=case)})


def test_the_same_again_has_nothing_new(old: Evidence) -> None:
    found = since(old, later(old, 30))
    assert (found.new, found.missing, found.changed, found.expired) == ((), (), (), ())
    assert found.stand == tuple(each.request_id for each in old.requests)
    assert found.earlier == old.audit.finished_at.date()


def test_requests_that_came_went_and_hold_otherwise(old: Evidence) -> None:
    first, second, *rest = old.requests
    new = later(old, 30).model_copy(
        update={"requests": (*rest, replace(second, status="open", deleted_at=None), replace(first, request_id="NEW"))}
    )
    found = since(old, new)
    assert found.new == ("NEW",)
    assert found.missing == (first.request_id,)
    assert found.changed == (second.request_id,)
    assert set(found.stand) == {each.request_id for each in rest}


def test_a_request_of_a_second_person_under_a_known_id_is_new(old: Evidence) -> None:
    first, *rest = old.requests
    new = later(old, 30).model_copy(update={"requests": (first, replace(first, subject="another"), *rest)})
    assert since(old, new).new == (first.request_id,)


def test_rows_that_cannot_be_told_apart_do_not_stand(old: Evidence) -> None:
    first, *rest = old.requests
    twice = old.model_copy(update={"requests": (first, first, *rest)})
    found = since(twice, later(twice, 30))
    assert first.request_id not in found.stand
    assert since(old, later(twice, 30)).new == (first.request_id,)
    assert since(twice, later(old, 30)).missing == (first.request_id,)


def replace(request: Any, **changes: Any) -> Any:

    return dataclasses.replace(request, **changes)


def test_what_has_expired_and_what_has_not_yet(old: Evidence) -> None:
    then = old.audit.finished_at.date()
    first, *rest = old.requests

    def day(number: int) -> date:
        return then + timedelta(days=number)

    def with_open(evidence: Evidence, due: date) -> Evidence:
        waiting = replace(first, request_id="WAITS", status="open", deleted_at=None, due_on=due, answered_at=None)
        return evidence.model_copy(update={"requests": (waiting, *rest)})

    def declared(until: date) -> tuple[OutsidePlace, ...]:
        return (OutsidePlace(name="backups", what="nightly", until=until, declared_by="X"),)

    def names(was: Evidence, now: Evidence) -> list[Lapse]:
        return [each.what for each in since(was, now).expired]

    new = later(old, 30)
    assert names(with_open(old, day(10)), with_open(new, day(10))) == [Lapse.DEADLINE]
    assert names(with_open(old, day(30)), with_open(new, day(30))) == [], "its last day is not over"
    assert names(with_open(old, day(-1)), with_open(new, day(-1))) == [], "it had expired before"
    assert names(old, new.model_copy(update={"outside": declared(day(29))})) == [Lapse.OUTSIDE]
    assert names(old, new.model_copy(update={"outside": declared(day(30))})) == []
    assert names(old, later(old, 364)) == []
    assert names(old, later(old, 367)) == [Lapse.RECORDS]
    kept = later(old, 0, keep_until=day(5))
    assert since(kept, new).expired == (Expired(Lapse.RECORDS, "", day(5)),)


def stated(evidence: Evidence, at: date | None) -> Evidence:
    said = () if at is None else tuple(Attested(name=name, by="X", at=at) for name in ("code-clean", "log-complete"))
    return evidence.model_copy(update={"policy": evidence.policy.model_copy(update={"attested": said})})


def test_a_statement_about_an_earlier_release_has_expired(old: Evidence) -> None:
    then = old.audit.finished_at.date()
    next_one = later(old, 30, release="next")

    def names(was: Evidence, now: Evidence) -> list[str]:
        return [each.name for each in since(was, now).expired if each.what is Lapse.ATTESTATION]

    both = ["code-clean", "log-complete"]
    assert names(old, stated(next_one, then - timedelta(days=1))) == both
    assert names(stated(old, then), stated(next_one, then)) == both
    assert names(stated(old, then - timedelta(days=9)), stated(next_one, then)) == [], "it may have been said after that audit"
    assert names(old, stated(next_one, then + timedelta(days=1))) == []
    assert names(old, stated(later(old, 30), then)) == [], "it is the same release"


def test_what_has_expired_stays_so_until_it_is_attested_again_or_withdrawn(old: Evidence) -> None:
    said = old.audit.finished_at.date() - timedelta(days=3)
    first = stated(old, said)
    second = with_superseded(first, stated(later(old, 30, release="next"), said))
    third = with_superseded(second, stated(later(old, 31, release="next"), said))
    fourth = with_superseded(third, stated(later(old, 32, release="next"), said))
    for each in (second, third, fourth):
        assert each.audit.attested_before == Superseded(release=old.case.release, audited=old.audit.finished_at.date())
        assert "and not again since" in " ".join(premises.speakers(each))
        assert Evidence.model_validate_json(each.to_bytes()) == each
    assert [each.what for each in since(second, third).expired] == [Lapse.ATTESTATION] * 2
    again = with_superseded(third, stated(later(old, 32, release="next"), said + timedelta(days=33)))
    assert again.audit.attested_before is None
    assert with_superseded(again, stated(later(old, 33, release="next"), said + timedelta(days=33))).audit.attested_before is None
    assert with_superseded(third, stated(later(old, 32, release="next"), None)).audit.attested_before is None
    assert with_superseded(second, stated(later(old, 31, release=old.case.release), said)).audit.attested_before != (
        second.audit.attested_before
    ), "it was made for that release"
    assert with_superseded(None, first) is first
    assert "and not again since" not in " ".join(premises.speakers(first))


def test_what_is_written_of_it_verifies_and_cannot_be_made_up(
    old: Evidence, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    at = old.policy.attested[0].at
    earlier = later(old, (at - old.audit.finished_at.date()).days + 1, release="before")
    found = with_superseded(earlier, old)
    assert found.audit.attested_before == Superseded(release="before", audited=at + timedelta(days=1))
    path = tmp_path / "evidence.json"
    path.write_bytes(found.to_bytes())
    assert run(["verify", str(path)]) == 0
    made_up = Superseded(release="before", audited=at - timedelta(days=1))
    path.write_bytes(found.model_copy(update={"audit": found.audit.model_copy(update={"attested_before": made_up})}).to_bytes())
    capfd.readouterr()
    assert run(["verify", str(path)]) == 1
    assert "attested before" in "".join(capfd.readouterr())


def test_only_evidence_that_the_history_knows_is_compared_with(old: Evidence, tmp_path: Path) -> None:
    file, path = ledger.ledger_file(), tmp_path / "evidence.json"
    assert file is not None

    def found() -> Evidence | None:
        return before(old, tmp_path, tmp_path).evidence

    assert found() is None
    path.write_bytes(old.to_bytes())
    assert found() is None, "it came with the case"
    ledger.record(file, old, path)
    assert found() == old
    changed = later(old, 1)
    path.write_bytes(changed.to_bytes())
    assert found() is None, "another lies there now"
    ledger.record(file, changed, path)
    assert found() == changed
    path.unlink()
    assert found() is None


def test_a_case_is_known_by_its_place_or_its_log_and_by_no_name(old: Evidence, tmp_path: Path) -> None:
    file, changed = ledger.ledger_file(), later(old, 1)
    assert file is not None
    for name, evidence in (("one/audit", old), ("two/audit", changed)):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "evidence.json").write_bytes(evidence.to_bytes())
        ledger.record(file, evidence, tmp_path / name / "evidence.json")
    new = later(old, 2)
    assert before(new, tmp_path / "one" / "audit", tmp_path / "one").evidence == old
    assert before(new, tmp_path / "two" / "audit", tmp_path / "two").evidence == changed
    assert before(new, tmp_path / "one" / "next", tmp_path / "one").evidence == old, "it lies in the folder of the case"
    moved = before(new, tmp_path / "new" / "audit", tmp_path / "new")
    assert moved.evidence == changed, "the newest with this log"
    first, *rest = old.requests
    others = tuple(replace(each, request_id=f"OTHER-{at}") for at, each in enumerate(rest))
    strange = before(new.model_copy(update={"requests": (first, *others)}), tmp_path / "new" / "audit", tmp_path / "new")
    assert strange.evidence is None, "a copy of a sample has a request of it, and a log of its own"
    assert strange.other is not None
    assert Path(strange.other.evidence_path) == tmp_path / "two" / "audit" / "evidence.json"


def test_audits_of_other_cases_with_its_name_never_hide_its_own(old: Evidence, tmp_path: Path) -> None:
    file, mine = ledger.ledger_file(), tmp_path / "mine" / "evidence.json"
    assert file is not None
    mine.parent.mkdir()
    mine.write_bytes(old.to_bytes())
    ledger.record(file, old, mine)
    for day in range(1, 25):
        ledger.record(file, later(old, day), tmp_path / "other" / f"{day}.json")
    assert before(later(old, 30), mine.parent, mine.parent).evidence == old


def test_another_controllers_case_of_that_name_and_first_stages_are_not_compared(old: Evidence) -> None:
    assert comparable(None, old) is None
    assert comparable(old, later(old, 30, controller="Somebody Else Ltd")) is None
    first = old.model_copy(update={"audit": old.audit.model_copy(update={"stage": "first"})})
    assert comparable(old, first) is None
    assert comparable(old, later(old, 30)) == old


def test_everything_is_said_and_long_lists_are_counted(old: Evidence) -> None:
    first = old.requests[0]
    many = tuple(replace(first, request_id=f"N-{number}") for number in range(9))
    places = tuple(
        OutsidePlace(name=f"place {number}", what="x", until=old.audit.finished_at.date(), declared_by="X") for number in range(7)
    )
    found = since(old, later(old, 400).model_copy(update={"requests": (*old.requests[1:], *many), "outside": places}))
    lines = list(said_since(found, None, Path("evidence.json")))
    assert "9 new requests" in lines[0]
    assert "1 missing from the log" in lines[0]
    assert lines[1] == "New: N-0, N-1, N-2, N-3, N-4 and 4 more."
    assert lines[-1] == "Expired: 3 more; --json lists them."


def test_statements_that_expired_together_are_one_line(old: Evidence) -> None:
    on = date(2026, 1, 5)
    names = ("log-complete", "code-clean")
    expired = tuple(Expired(Lapse.ATTESTATION, name, on) for name in names)
    found = replace(since(old, later(old, 400)), expired=(Expired(Lapse.RECORDS, "", on), *expired))
    *_, records, last = said_since(found, None, Path("evidence.json"))
    assert records.startswith("Expired: records of the earlier audit")
    assert last == (
        "Expired: log-complete and code-clean were attested on 5 January 2026, before the audit of another release; "
        "attest them for this one."
    )


def test_the_command_that_compares_can_be_copied_where_both_lie_and_is_not_printed_where_one_was_replaced(
    old: Evidence, tmp_path: Path
) -> None:
    first, *rest = old.requests
    found = since(old, later(old, 30).model_copy(update={"requests": (replace(first, status="open", deleted_at=None), *rest)}))
    earlier, now = tmp_path / "my case" / "evidence.json", tmp_path / "now" / "evidence.json"
    kept = list(said_since(found, earlier, now))
    assert f" in '{earlier}': 0 new requests" in kept[0]
    assert f"Outcome changed: {first.request_id}. To see how: auditor diff '{earlier}' {now}" in kept
    replaced = "\n".join(said_since(found, now, now))
    assert "auditor diff" not in replaced
    assert str(now) not in replaced
    assert "replaced the evidence of the earlier one" in replaced


def test_check_says_it_from_the_second_audit_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(render, "pdf", lambda *_, **__: b"%PDF-")
    (tmp_path / "case").mkdir()
    case = small_cases.write(tmp_path / "case", *small_cases.problem())
    code = run(["check", str(case), "--json"])
    assert "since" not in json.loads(capfd.readouterr().out)
    small_cases.write_log(case, [["rec-0000"], ["rec-0001", "rec-0002"], ["rec-0003"]])
    assert run(["check", str(case)]) == code
    err = " ".join(capfd.readouterr().err.split())
    assert "1 new request, 2 unchanged, 0 changed." in err
    assert "New: R-2." in err
    assert run(["check", str(case), "--json", "--only", "log.consistency"]) in {0, 3}
    said = json.loads(capfd.readouterr().out)["since"]
    assert said["new"] == []
    assert said["earlier"] == datetime.now(tz=UTC).date().isoformat()
    assert run(["history", "--case", "small"]) == 0
    out = " ".join(capfd.readouterr().out.split())
    assert ": no check changed." in out
    assert "data.erased" in out.partition("no check changed.")[2], "the third ran one check alone"
