"""The controllers that come with the auditor: right answers, and what their states give away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.base.domain import Status
from auditor.base.histories import ANY_WORD, DELETE, History, Operation, Vocabulary, normal_form
from auditor.parts.controllers.judging.history.judging import judged
from auditor.parts.controllers.judging.history.observed import Observed
from auditor.parts.controllers.learning.sqlite import Sqlite, SqliteRebuilt
from auditor.parts.controllers.observing.histories.experiment import Sizes, experiment
from benchmarks.in_process import rooms
from played_controllers import BROUGHT
from played_controllers import VOCABULARIES as DECLARED

SMALL = Sizes(ways=3, by_chance=5, searched=5, fresh=400)
KEYED = Vocabulary({"set": (ANY_WORD,), "get": ()}, frozenset({"set", "get"}))
VOCABULARIES = {
    "bulletin-board": Vocabulary({"post": (ANY_WORD,), "read": ()}, frozenset({"read"})),
    "cloud-storage": Vocabulary({"upload": (ANY_WORD,), "download": (ANY_WORD,)}, frozenset({"upload", "download"})),
    "dictionary": KEYED,
    "sqlite": KEYED,
    "sqlite-rebuilt": KEYED,
    "xor": Vocabulary({"add": (ANY_WORD,)}, frozenset({"add"})),
}
OPERATIONS = st.builds(Operation, st.sampled_from("abc"), st.sampled_from(["set", "get", DELETE]), st.sampled_from(["1", "two"]))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def played(make: Callable[[], Any], history: Sequence[Operation]) -> tuple[list[str | None], bytes]:
    controller = make()
    controller.initialize(7)
    return [controller.activate(*each) for each in history], controller.state()


@pytest.mark.parametrize("name", VOCABULARIES)
def test_each_comes_out_as_it_should(name: str) -> None:
    vocabulary = VOCABULARIES[name]
    sizes = SMALL._replace(ways=1) if name == "sqlite-rebuilt" else SMALL  # each change makes a file
    tried = experiment(vocabulary, rooms(BROUGHT[name]), seed=1, sizes=sizes)
    found = judged(Observed(tried=tried), vocabulary.commuting, hides=name == "xor")
    assert found.status is (Status.FAIL if name == "sqlite" else Status.PASS)


@pytest.mark.parametrize("name", ["batch-count", "public-directory", "square-root-counter", "tree-counter"])
def test_what_a_private_report_said_depends_on_who_has_left(name: str) -> None:
    """Differential privacy is no history independence (Proposition 5.1): under one tape the report is another one."""
    small = {} if name == "batch-count" else {"horizon": 7}
    sizes = Sizes(ways=3, by_chance=1, searched=1, fresh=10)
    tried = experiment(DECLARED[name], rooms(lambda: BROUGHT[name](**small)), seed=1, sizes=sizes)
    different = {each.adversary for each in tried.played if each.different}
    assert "left-after-a-report" in different
    if name == "batch-count":  # before its tick it is a dictionary in canonical form
        assert different == {"left-after-a-report"}


@pytest.mark.parametrize("make", [BROUGHT["dictionary"], Sqlite, SqliteRebuilt], ids=lambda each: each.__name__)
@given(history=st.lists(OPERATIONS, max_size=8).map(tuple))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_answers_are_those_of_a_plain_dictionary(make: Callable[[], Any], history: History) -> None:
    plain: dict[str, str | None] = {}
    wanted = []
    for channel, operation, argument in history:
        if operation == "set":
            plain[channel] = argument
        elif operation == DELETE:
            plain.pop(channel, None)
        wanted.append(plain.get(channel))
    assert played(make, history)[0] == wanted


@pytest.mark.parametrize("make", [BROUGHT["dictionary"], SqliteRebuilt], ids=lambda each: each.__name__)
@given(history=st.lists(OPERATIONS, max_size=8).map(tuple))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_canonical_form_is_that_of_the_normal_form(make: Callable[[], Any], history: History) -> None:
    assert played(make, history)[1] == played(make, normal_form(history, KEYED.commuting))[1]


SECRET = "quintessence"
LEFT = (Operation("somebody", "set", SECRET), Operation("another", "set", "plain"), Operation("somebody", DELETE))


@pytest.mark.parametrize("journal", ["delete", "wal"])
@pytest.mark.parametrize("secure", [True, False])
def test_what_sqlite_keeps_of_a_deleted_row(secure: bool, journal: str) -> None:
    """The bytes go with secure_delete and a rollback journal; a write-ahead log keeps what was written before."""
    _, state = played(lambda: Sqlite(secure_delete=secure, journal=journal), LEFT)  # type: ignore[arg-type]
    assert (SECRET.encode() in state) is (not secure or journal == "wal")
    _, without = played(lambda: Sqlite(secure_delete=secure, journal=journal), LEFT[1:2])  # type: ignore[arg-type]
    assert state != without, "and its change counter tells that something was there"


def test_a_file_that_is_made_again_keeps_nothing() -> None:
    _, state = played(SqliteRebuilt, LEFT)
    assert SECRET.encode() not in state
    assert state == played(SqliteRebuilt, LEFT[1:2])[1]


def test_a_journal_that_sqlite_has_not_is_refused() -> None:
    with pytest.raises(ValueError, match="journal"):
        Sqlite(journal="memory")  # type: ignore[arg-type]


def test_the_board_is_read_by_all_until_somebody_leaves() -> None:
    history = (Operation("a", "post", "hello"), Operation("b", "read"), Operation("a", DELETE), Operation("b", "read"))
    assert played(BROUGHT["bulletin-board"], history)[0] == [None, "a: hello", None, ""]


def test_files_are_private() -> None:
    history = (Operation("a", "upload", "f"), Operation("b", "download", "f"), Operation("a", "download", "f"))
    assert played(BROUGHT["cloud-storage"], history)[0] == [None, None, "f"]
