"""Cases of a whole controller: what audit.toml may say, and what stands for the learning procedure that there is none of."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor import case as cases
from auditor.audit.rehearsal.warnings import warn
from auditor.audit.told_log import told_today
from auditor.base.domain import Provenance, Status
from auditor.base.errors import InputError
from auditor.base.histories import ANY_WORD
from auditor.pages.words.texts import say
from auditor.parts.store.judging import accounting
from auditor.parts.store.judging.accounting import ControllerKept
from auditor.verdict import reliance
from controller_cases import written
from played_controllers import VOCABULARIES

PAIR_WORDS = (
    "controller-is-implementation",
    "logical-deletion",
    "seed-secret",
    "first-part-strongly-history-independent",
    "first-part-answers-without-chance",
    "second-part-strongly-history-independent",
    "parts-share-nothing",
    "parts-answer-the-asker",
)


def problems(folder: Path, controller: str, rest: str = "") -> str:
    with pytest.raises(InputError) as caught:
        cases.read(written(folder, controller, rest))
    return "\n".join(str(each) for each in caught.value.problems)


def test_a_case_of_a_controller_alone_holds_no_records_and_no_procedure(tmp_path: Path) -> None:
    case = cases.read(written(tmp_path / "case", 'entry = "store.py:Store"\noperations = {set = ["a", "*"], get = []}'))
    table = case.settings.controller
    assert table is not None
    assert table.vocabulary.arguments == {"set": ("a", "*"), "get": ()}
    assert len(case.train) == len(case.requests) == 0
    assert not case.settings.procedure.learns
    assert [each.path for each in case.inputs] == ["audit.toml", "store.py"]
    assert case.controller_code is not None


def test_a_list_of_operations_takes_any_word(tmp_path: Path) -> None:
    case = cases.read(written(tmp_path / "case", 'entry = "store.py:Store"\noperations = ["set", "delete"]\ncommuting = ["set"]'))
    assert case.settings.controller is not None
    said = case.settings.controller.vocabulary
    assert (said.arguments, said.commuting) == ({"set": (ANY_WORD,)}, frozenset({"set"}))


def test_a_controller_of_ours_brings_its_operations(tmp_path: Path) -> None:
    case = cases.read(written(tmp_path / "case", 'use = "dictionary"'))
    assert case.settings.controller is not None
    assert case.settings.controller.vocabulary is VOCABULARIES["dictionary"]


@pytest.mark.parametrize(
    ("controller", "said"),
    [
        ("games = 50", "either use"),
        ('use = "dictionary"\nentry = "store.py:Store"', "both"),
        ('use = "dictionry"', "did you mean dictionary"),
        ('use = "dictionary"\noperations = ["set"]', "brings its own"),
        ('entry = "store.py:Store"', "operations with entry"),
        ('entry = "store.py"\noperations = ["set"]', '"file.py:ClassName"'),
        ('entry = "gone.py:Store"\noperations = ["set"]', "gone.py"),
        ('entry = "store.py:Store"\noperations = ["set", "set"]', "each name once"),
        ('entry = "store.py:Store"\noperations = ["delete"]', "in addition to delete"),
        ('entry = "store.py:Store"\noperations = "set"', "an array of names"),
        ('entry = "store.py:Store"\noperations = [1]', "names of operations"),
        ('entry = "store.py:Store"\noperations = ["set"]\ncommuting = ["get"]', "which is no operation"),
        ('entry = "store.py:Store"\noperations = ["set"]\ngames = 3', "controller.games"),
        ('entry = "store.py:Store"\noperations = ["set"]\nseed = 3', "controller.seed"),
    ],
)
def test_each_wrong_key_of_a_controller_is_named(tmp_path: Path, controller: str, said: str) -> None:
    assert said in problems(tmp_path / "case", controller)


@pytest.mark.parametrize(
    "table", ['[model]\npath = "m.npz"', "[swap]\npairs = 5", "[inference]\n", "[release]\n", "[requester]\n"]
)
def test_tables_of_learning_are_refused_beside_a_controller_alone(tmp_path: Path, table: str) -> None:
    assert "nothing is learned" in problems(tmp_path / "case", 'use = "dictionary"', table)


def test_data_without_a_procedure_asks_for_both_others(tmp_path: Path) -> None:
    found = problems(tmp_path / "case", 'use = "dictionary"', '[data]\ntrain = "t.csv"\ntask = "regression"')
    assert "[procedure]" in found
    assert "[deletions]" in found


def test_code_of_a_case_passes_only_with_both_checks_and_both_words() -> None:
    passed = {"state.history_independent": Status.PASS, "data.erased": Status.PASS}
    words = ("controller-is-implementation", "procedure-honest")

    def holds(statuses: dict[str, Status], attested: tuple[str, ...], *, foreign: bool = True) -> bool:
        found = reliance.cap(
            foreign=False, statuses=statuses, attested=attested, claimed=(), independent=False, foreign_controller=foreign
        )
        return found.holds

    assert not holds(passed, words)
    assert not holds(passed, (), foreign=False)
    assert holds(passed, words[:1])
    assert holds(passed, words[1:])
    assert holds({**passed, "data.erased": Status.INCONCLUSIVE}, words)
    assert holds({**passed, "state.history_independent": Status.SKIPPED}, words)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, Status.PASS),
        ({"found": 1}, Status.FAIL),
        ({"cut": True}, Status.INCONCLUSIVE),
        ({"same_beyond": False}, Status.INCONCLUSIVE),
        ({"recognised": False}, Status.PASS),
        ({"recognised": False, "same_state": False, "same_beyond": False}, Status.INCONCLUSIVE),
        ({"same_state": False, "same_beyond": False}, Status.PASS),
    ],
)
def test_none_found_counts_only_where_the_search_sees_what_lies_there(change: dict[str, object], status: Status) -> None:
    kept = ControllerKept(words=36, found=0, places=(), recognised=True, cut=False, same_state=True, same_beyond=True)
    assert accounting.judged(kept.model_copy(update=change)).status is status


@pytest.mark.attempt("a program that keeps more than it shows")
@pytest.mark.parametrize(
    ("change", "how"),
    [
        ({}, None),
        ({"same_state": False, "same_beyond": False}, None),
        ({"found": 1}, Provenance.REFUTED),
        ({"found": 1, "cut": True}, Provenance.REFUTED),
        ({"same_beyond": False}, Provenance.REFUTED),
        ({"same_beyond": False, "cut": True}, Provenance.UNKNOWN),
    ],
)
def test_what_is_kept_outside_the_state_refutes_that_the_program_is_all_there_is(
    change: dict[str, object], how: Provenance | None
) -> None:
    kept = ControllerKept(words=36, found=0, places=(), recognised=True, cut=False, same_state=True, same_beyond=True)
    facts = {each.name: each.how for each in accounting.judged(kept.model_copy(update=change)).facts}
    assert facts == ({} if how is None else dict.fromkeys(accounting.REFUTED, how))


def warned(folder: Path, controller: str, *words: str, dp: bool = False) -> list[tuple[str, str]]:
    attested = f'attested = {list(words)}\nattested_by = "K. E."\nattested_at = 2026-01-01\n' if words else ""
    claims = f"[claims]\n{attested}{'dp = { epsilon = 1.0, delta = 1e-6 }' if dp else ''}\n"
    case = cases.read(written(folder, controller, claims))
    found = [(each.code, str(next(iter(each.given.values()))), each.given) for each in warn(case, told_today(case))]
    assert all(given in say(f"cli-warning-{code}", **every) for code, given, every in found)
    return [(code, given) for code, given, _ in found]


def pair_of(first: str, second: str) -> str:
    return f"games = 20\n[controller.first]\n{first}\n[controller.second]\n{second}\n"


OWN, COUNTER, BUILT_IN = 'entry = "store.py:Store"\noperations = ["set"]', 'use = "tree-counter"', 'use = "dictionary"'


def test_a_pair_of_which_everything_is_said_is_warned_of_nothing(tmp_path: Path) -> None:
    assert warned(tmp_path, pair_of(OWN, OWN), *PAIR_WORDS) == []
    assert warned(tmp_path, pair_of(OWN, COUNTER), *PAIR_WORDS, dp=True) == []
    assert warned(tmp_path, pair_of(BUILT_IN, BUILT_IN), *PAIR_WORDS[:3]) == []


def test_what_keeps_control_of_a_pair_from_following_is_said_before_an_audit(tmp_path: Path) -> None:
    assert warned(tmp_path, pair_of(COUNTER, OWN), *PAIR_WORDS) == [("pair-noise-first", "tree-counter")]
    fading = warned(tmp_path, pair_of(OWN, 'use = "noisy-descent-model"'), *PAIR_WORDS)
    assert fading == [("pair-fading-second", "noisy-descent-model")]
    for word in PAIR_WORDS:
        said = [each for each in PAIR_WORDS if each != word]
        assert warned(tmp_path, pair_of(OWN, OWN), *said) == [("pair-words", word)]
    of_one = warned(tmp_path, pair_of(OWN, OWN), *PAIR_WORDS, "strongly-history-independent")
    assert of_one == [("pair-words-of-one", "strongly-history-independent")]


def test_a_claim_of_privacy_without_noise_is_said_to_be_examined_by_nothing(tmp_path: Path) -> None:
    assert warned(tmp_path, pair_of(OWN, OWN), *PAIR_WORDS, dp=True) == [
        ("program-without-noise", "store.py:Store + store.py:Store")
    ]
    assert warned(tmp_path, BUILT_IN, dp=True) == [("program-without-noise", "dictionary")]
    assert warned(tmp_path, COUNTER, dp=True) == []
    assert warned(tmp_path, OWN, dp=True) == [], "what a program of one's own claims is played"
