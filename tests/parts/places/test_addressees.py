"""Mail that went to other people who stay as well is explained, and whom it went to says no more than its bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from auditor.api import check, checking
from auditor.base.domain import Verdict
from auditor.parts.places.observing.alone import Alone
from auditor.parts.places.observing.own_values import Owners
from auditor.parts.places.observing.sought import of_case
from auditor.parts.places.observing.text_accounts import Before, Explained, account
from auditor.parts.store.judging.accounting import SPARE_EACH
from tests.parts.places.test_text_accounts import BITS, GONE, STAY, Person, case, put

__all__ = ["case"]


def mail(person: Person, **headers: str) -> str:
    message = EmailMessage()
    message["From"] = person.email
    message["To"] = "support@bank.example"
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message["Subject"] = "Your request"
    message.set_content(person.note, cte="base64")
    return message.as_string()


def mails(headers: Iterable[dict[str, str]]) -> dict[str, str | bytes]:
    return {f"{each.id}.eml": mail(each, **own) for each, own in zip(STAY, headers, strict=True)}


def some(**headers: str) -> Iterator[dict[str, str]]:
    """These headers in the mail of two people, and none in others'."""
    return (headers if at in {20, 50} else {} for at in range(len(STAY)))


@pytest.fixture
def known(case: Path) -> tuple[Owners, Alone]:
    put(case / "here", {"ids.txt": "".join(f"{each.id}\n" for each in STAY)})
    sought, _ = of_case(checking.cases.read(case))
    (case / "here" / "ids.txt").unlink()
    return Owners.of(sought.people), Alone.of(sought.people)


def accounted(known: tuple[Owners, Alone], files: dict[str, str | bytes]) -> Explained:
    content = {name: each.encode() if isinstance(each, str) else each for name, each in files.items()}
    return account(content, known[0], [], Before.any_place(*known), {})


def is_explained(found: Explained) -> bool:
    return not sum(found.unexplained.values()) and found.bits <= SPARE_EACH


@pytest.mark.parametrize("name", ["Cc", "Bcc", "Reply_To", "Sender"])
def test_a_copy_to_somebody_who_stays_is_explained_in_bits(known: tuple[Owners, Alone], name: str) -> None:
    without = accounted(known, mails(some()))
    found = accounted(known, mails(some(**{name: STAY[3].email})))
    assert is_explained(found), (found.bits, found.left)
    # Which of 97 people, in which two of 97 messages, and which header.
    assert found.bits - without.bits >= 6 + 13 + 3


def test_an_empty_header_in_all_messages_passes(case: Path) -> None:
    put(case / "here", mails({"Cc": STAY[3].email if at == 20 else ""} for at in range(len(STAY))))
    assert check(case).verdict is Verdict.PASS


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize(
    "headers",
    [
        lambda: some(Cc=GONE[0].email),
        lambda: some(Cc=f"{STAY[3].email}, {GONE[0].email}"),
        lambda: some(Cc=f'"{GONE[0].name}" <{STAY[3].email}>'),
        lambda: some(Cc="anna.brown@example.org"),
        lambda: ({"Cc": STAY[3].email} if bit else {} for bit in BITS[: len(STAY)]),
        lambda: ({"Cc": STAY[3 + bit].email} for bit in BITS[: len(STAY)]),
        lambda: ({("Bcc", "Cc")[bit]: STAY[3].email} for bit in BITS[: len(STAY)]),
        lambda: ({"Cc": STAY[3].email if bit else ""} for bit in BITS[: len(STAY)]),
        lambda: ({"Cc": ", ".join(STAY[90 + each].email for each in range(1 + bit))} for bit in BITS[: len(STAY)]),
        lambda: ({"Cc": ", ".join(each.email for each in STAY[40:60])} if at == 20 else {} for at in range(len(STAY))),
    ],
    ids=["a deleted person", "one too", "their name", "a stranger", "who has one", "which address", "which header",
         "empty or not", "how many", "an order of many"],
)  # fmt: skip
def test_whom_mail_went_to_is_no_message(known: tuple[Owners, Alone], headers: object) -> None:
    assert callable(headers)
    assert not is_explained(accounted(known, mails(headers())))


@pytest.mark.attempt("deleted people in texts")
def test_an_address_that_a_deleted_person_has_too_is_explained_in_no_header(case: Path) -> None:
    people = case / "people.csv"
    people.write_text(people.read_text(encoding="utf-8").replace(STAY[3].email, GONE[0].email), encoding="utf-8")
    sought, _ = of_case(checking.cases.read(case))
    shared = Owners.of(sought.people), Alone.of(sought.people)
    assert not is_explained(accounted(shared, mails(some(Cc=GONE[0].email))))
