"""What accounts for everything that is kept: a run without the deleted records, parameters, known rows, or a word."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.base.domain import Message, Provenance, Status
from auditor.document.context import ControllerFacts, FittedColumns
from auditor.pages.words import basis
from auditor.parts.release.judging.release_exact.observed import CleanRoom
from auditor.parts.release.judging.release_exact.observed import Observed as Exact
from auditor.parts.store.judging import data_erased
from auditor.parts.store.judging.accounting import ControllerKept, Kept
from auditor.parts.store.observing.erasure import constants
from auditor.settings.learning import Foreign
from auditor.verdict.checks.differences import Compared, Difference
from auditor.verdict.checks.finding import Finding
from judging import attesting, case_facts, declared

EQUAL = Compared(differing=0)
WEIGHTS = Difference(name="parameters", kind="parameters", largest=0.5, bytes=80)
STATE = Difference(name="state", kind="state", largest=None, bytes=300)
FILE = Difference(name="saved file", kind="saved file", largest=None, bytes=400)
ATTRIBUTE = Difference(name="model.cache", kind="object", largest=None, bytes=8000)
COUNTER = Difference(name="model.calls", kind="scalar", largest=None, bytes=8, moves="by itself")
ALL = ("parameters", "predictions", "state", "saved file", "object")
OWN = Foreign(entry="procedure.py:Own", seed=1)


def apart(*differences: Difference) -> Compared:
    return Compared(differing=len(differences), differences=differences)


def room(nearest: Compared, **changes: Any) -> CleanRoom:
    values = {"batch": 2, "compared": ALL, "objects": 9, "cut_short": False, "seed_of_batch": nearest}
    return CleanRoom(**{**values, **changes})


def kept(kind: Any, unexplained: int = 300, **changes: Any) -> Kept:
    code = {"saved file": "saved"}.get(kind, kind)
    place = Message(f"data.erased.place.{code}", {"path": "a"} if kind in {"store", "code"} else {})
    return Kept(kind=kind, place=place, bytes=1000, unexplained=unexplained, **changes)


def found(
    *places: Kept,
    rooms: tuple[CleanRoom, ...] = (),
    words: tuple[str, ...] = ("code-clean",),
    controller: ControllerKept | None = None,
    left: int = 0,
    whole: ControllerFacts | None = None,
    **context: Any,
) -> Finding:
    searched = data_erased.Searched(
        place=Message("data.erased.place.state"), records_searched=None, found=0, how=Message("data.erased.how.bytes")
    )
    seen = data_erased.Observed(
        deleted=3, by_identifier_only=0, found=left, request_ids=("R-1",) * bool(left), searched=(searched,), not_searched=(),
        open_in_store=(), open_elsewhere=(), recognised_in_store=True, kept=places, controller=controller,
    )  # fmt: skip
    given = declared(
        **{"procedure": OWN, "claims": attesting(*words) if words else declared().claims, "controller": whole, **context}
    )
    exact = Finding(Status.SKIPPED, observed=Exact(batches=rooms)) if rooms else Finding(Status.SKIPPED)
    return data_erased.judge(given, seen, {"release.exact": exact})


def derived(finding: Finding) -> data_erased.Derived:
    assert isinstance(finding.derived, data_erased.Derived)
    return finding.derived


def test_what_a_clean_room_gives_as_well_is_accounted_for() -> None:
    finding = found(kept("state"), kept("saved file"), rooms=(room(EQUAL),))
    assert (finding.status, derived(finding).unexplained, derived(finding).kept_bytes) == (Status.PASS, (), 2000)


def test_so_is_what_runs_with_other_records_give_as_well() -> None:
    other = room(apart(WEIGHTS, STATE), other_records=EQUAL, other_runs=8)
    assert found(kept("state"), rooms=(other,)).status is Status.PASS


@pytest.mark.parametrize(("kind", "item"), [("state", STATE), ("saved file", FILE)])
@pytest.mark.parametrize("words", [("code-clean",), ("code-clean", "procedure-honest", "store-holds-no-copies")])
def test_a_state_or_file_that_depends_on_the_deleted_records_is_unexplained_whatever_is_attested(
    kind: Any, item: Difference, words: tuple[str, ...]
) -> None:
    finding = found(kept(kind), rooms=(room(apart(item), other_records=apart(item), other_runs=8),), words=words)
    assert finding.status is Status.INCONCLUSIVE
    assert [(each.bytes, each.word) for each in derived(finding).unexplained] == [(300, None)]
    assert "(300 bytes)" in basis(finding.reasons)


def test_an_attribute_that_depends_on_the_deleted_records_is_unexplained_and_a_counter_is_not() -> None:
    finding = found(rooms=(room(apart(ATTRIBUTE, COUNTER), other_records=apart(ATTRIBUTE), other_runs=8),))
    assert (finding.status, [each.bytes for each in derived(finding).unexplained]) == (Status.INCONCLUSIVE, [8000])
    assert "model.cache in the procedure's process" in basis(finding.reasons)
    assert found(rooms=(room(apart(COUNTER)),)).status is Status.PASS


def test_items_beyond_those_that_are_named_are_unexplained() -> None:
    cut = Compared(differing=120, differences=(COUNTER,))
    assert found(rooms=(room(cut),)).status is Status.INCONCLUSIVE


def test_an_item_that_one_comparison_does_not_name_among_all_that_differ_is_unexplained() -> None:
    """Of 120 items that differ with other records in their place one is named: the others may be any."""
    many = Compared(differing=120, differences=(COUNTER,))
    finding = found(rooms=(room(apart(ATTRIBUTE), other_records=many, other_runs=8),))
    assert finding.status is Status.INCONCLUSIVE
    assert {each.bytes for each in derived(finding).unexplained} == {8000}


def test_an_item_that_one_comparison_finds_equal_is_accounted_for() -> None:
    assert found(rooms=(room(apart(ATTRIBUTE), other_records=EQUAL, other_runs=8),)).status is Status.PASS


def test_what_differs_in_no_comparison_twice_is_accounted_for() -> None:
    """The one item is the same with other records in their place, the others are what a clean room gives."""
    logged = [ATTRIBUTE.model_copy(update={"name": f"model.log{number}"}) for number in range(2)]
    assert found(rooms=(room(apart(ATTRIBUTE), other_records=apart(*logged), other_runs=8),)).status is Status.PASS


@pytest.mark.parametrize(("columns", "status"), [((), Status.PASS), ((3,), Status.INCONCLUSIVE)])
def test_columns_that_were_fitted_on_deleted_records_leave_it_open(columns: tuple[int, ...], status: Status) -> None:
    fitted = tuple(FittedColumns(kind="min-max", columns=(each,), count=1) for each in columns)
    assert found(kept("store", 0), rooms=(room(EQUAL),), case=case_facts(preprocessing=fitted)).status is status


def test_a_single_number_that_moves_with_the_deleted_records_is_unexplained() -> None:
    kept_count = COUNTER.model_copy(update={"moves": None})
    finding = found(rooms=(room(apart(kept_count), other_records=apart(kept_count), other_runs=8),))
    assert (finding.status, [each.bytes for each in derived(finding).unexplained]) == (Status.INCONCLUSIVE, [8])


@pytest.mark.parametrize("kind", ["state", "saved file"])
def test_what_was_not_compared_is_equal_to_nothing(kind: Any) -> None:
    without = tuple(each for each in ALL if each != kind)
    finding = found(kept(kind), rooms=(room(EQUAL, compared=without),))
    assert (finding.status, [each.bytes for each in derived(finding).unexplained]) == (Status.INCONCLUSIVE, [300])


def test_where_predictions_were_not_compared_parameters_rest_on_the_word() -> None:
    blind = room(EQUAL, compared=("parameters", "state", "saved file", "object"))
    silent = found(rooms=(blind,))
    assert (silent.status, {each.word for each in derived(silent).unexplained}) == (Status.INCONCLUSIVE, {"procedure-honest"})
    assert found(rooms=(blind,), words=("code-clean", "procedure-honest")).status is Status.PASS


WHOLE = ControllerKept(words=3, found=0, places=(), recognised=True, cut=False, same_state=True, same_beyond=True)
OPEN, LEFT = WHOLE.model_copy(update={"cut": True}), WHOLE.model_copy(update={"found": 2})
CONTROLLER = ControllerFacts(
    use=None, entry="store.py:Store", params={}, operations={"set": ("*",)}, commuting=(), games=120, digest="0" * 64
)


@pytest.mark.parametrize(
    ("controller", "left", "unexplained", "status", "value"),
    [
        (WHOLE, 0, 0, Status.PASS, 0.0),
        (OPEN, 0, 0, Status.INCONCLUSIVE, 0.0),
        (LEFT, 0, 0, Status.FAIL, 2.0),
        (WHOLE, 0, 300, Status.INCONCLUSIVE, 0.0),
        (WHOLE, 1, 0, Status.FAIL, 1.0),
        (OPEN, 1, 0, Status.FAIL, 1.0),
        (LEFT, 0, 300, Status.FAIL, 2.0),
        (LEFT, 1, 0, Status.FAIL, 3.0),
        (None, 0, 0, Status.INCONCLUSIVE, 0.0),
        (None, 1, 0, Status.FAIL, 1.0),
    ],
)
def test_of_records_and_of_a_whole_controller_the_worse_counts(
    controller: ControllerKept | None, left: int, unexplained: int, status: Status, value: float
) -> None:
    finding = found(kept("store", unexplained), rooms=(room(EQUAL),), controller=controller, left=left, whole=CONTROLLER)
    assert (finding.status, finding.value) == (status, value)


def test_parameters_of_foreign_code_that_depend_on_the_deleted_records_rest_on_its_word() -> None:
    other = room(apart(WEIGHTS, STATE, ATTRIBUTE), other_records=apart(WEIGHTS, STATE, ATTRIBUTE), other_runs=8)
    silent = found(kept("state"), rooms=(other,))
    assert silent.status is Status.INCONCLUSIVE
    assert {each.word for each in derived(silent).unexplained} == {"procedure-honest"}
    honest = found(kept("state"), rooms=(other,), words=("code-clean", "procedure-honest"))
    assert (honest.status, derived(honest).unexplained) == (Status.PASS, ())
    assert [each.name for each in derived(honest).beyond] == ["state", "model.cache"]
    said = basis(honest.reasons)
    assert "state() (300 bytes), model.cache (8,000 bytes)" in said
    assert "On the controller's word alone (procedure-honest)" in said


def test_a_state_that_its_parameters_determine_is_not_listed_beyond_them() -> None:
    other = room(apart(WEIGHTS, STATE))
    finding = found(kept("state", 0), rooms=(other,), words=("code-clean", "procedure-honest"))
    assert (finding.status, derived(finding).beyond) == (Status.PASS, ())


def test_foreign_code_that_was_compared_with_nothing_rests_on_its_word() -> None:
    assert found(kept("state")).status is Status.INCONCLUSIVE
    assert found(kept("state"), words=("code-clean", "procedure-honest")).status is Status.PASS


@pytest.mark.parametrize("changes", [{"cut_short": True}, {"compared": ALL[:-1]}])
def test_what_no_walk_met_rests_on_the_word(changes: dict[str, Any]) -> None:
    assert found(rooms=(room(EQUAL, **changes),)).status is Status.INCONCLUSIVE
    assert found(rooms=(room(EQUAL, **changes),), words=("code-clean", "procedure-honest")).status is Status.PASS


def test_code_that_is_brought_along_rests_on_its_word() -> None:
    assert found(kept("code"), rooms=(room(EQUAL),), words=()).status is Status.INCONCLUSIVE
    assert found(kept("code"), rooms=(room(EQUAL),)).status is Status.PASS


def test_other_content_of_a_store_rests_on_its_word_and_is_listed_with_its_size() -> None:
    silent = found(kept("store"), rooms=(room(EQUAL),))
    assert (silent.status, [each.word for each in derived(silent).unexplained]) == (
        Status.INCONCLUSIVE,
        ["store-holds-no-copies"],
    )
    said = found(kept("store"), rooms=(room(EQUAL),), words=("code-clean", "store-holds-no-copies"))
    assert (said.status, [(each.name, each.how) for each in said.facts]) == (Status.PASS, [("store-erased", Provenance.ATTESTED)])
    assert found(kept("store", 0), rooms=(room(EQUAL),)).facts[0].how is Provenance.MEASURED


def test_what_a_model_file_holds_beyond_its_array_is_unexplained_whatever_is_attested() -> None:
    words = ("code-clean", "procedure-honest", "store-holds-no-copies")
    place = Message("data.erased.place.model", {"path": "model.npz"})
    beyond = kept("state").model_copy(update={"kind": "model file", "place": place})
    assert found(beyond, rooms=(room(EQUAL),), words=words).status is Status.INCONCLUSIVE


def test_procedures_of_ours_are_exempt_but_for_what_their_parameters_do_not_determine() -> None:
    ours = declared().procedure
    assert found(kept("state", 0), words=(), procedure=ours).status is Status.PASS
    finding = found(kept("state", 8), words=(), procedure=ours)
    assert (finding.status, [each.word for each in derived(finding).unexplained]) == (Status.INCONCLUSIVE, [None])


def test_only_the_last_release_tells_what_is_kept() -> None:
    first = room(EQUAL).model_copy(update={"batch": 1})
    assert found(kept("state"), rooms=(first,)).status is Status.INCONCLUSIVE


def test_strangers_changed_rows_and_declared_columns_are_said() -> None:
    finding = found(kept("store", 0, strangers=2, changed=1, declared=40), rooms=(room(EQUAL),))
    assert "2 rows of people who are not in the training data, 1 row of retained people" in basis(finding.reasons)


def test_code_asks_for_its_own_word_alone_and_says_how_much_of_it_is_text_and_numbers() -> None:
    code = kept("code", 1000, constants=120)
    finding = found(code, rooms=(room(EQUAL),), words=())
    said = basis(finding.reasons)
    assert (finding.status, "Unexplained" in said) == (Status.INCONCLUSIVE, False)
    assert "Code that no audit accounts for: code a (1,000 bytes)." in said
    assert "Of 1,000 bytes, 120 are text, numbers and comments" in said
    assert said.count("can attest, if it is true: code-clean") == 1
    both = basis(found(code, kept("store"), rooms=(room(EQUAL),), words=()).reasons)
    assert "The controller can attest, if it is true: store-holds-no-copies." in both
    attested = found(code, rooms=(room(EQUAL),))
    assert (attested.status, [each.word for each in derived(attested).by_word]) == (Status.PASS, ["code-clean"])
    assert "code that" not in basis(attested.reasons).lower()


SCRIPT = b"""from sklearn.linear_model import LogisticRegression


def build(seed):
    return LogisticRegression(C=2.5, random_state=seed)  # as tuned
"""


@pytest.mark.parametrize(
    ("code", "count"),
    [
        (SCRIPT, len("2.5# as tuned")),
        (SCRIPT + b'ROWS = "5.1,3.5,1.4"\n', len('2.5# as tuned"5.1,3.5,1.4"')),
        (SCRIPT + b"ROWS = [5.1, 3.5, 0x1F]\n", len("2.5# as tuned5.13.50x1F")),
        (SCRIPT + b"BITS = True, False, True\n", len("2.5# as tunedTrueFalseTrue")),
        (SCRIPT + b"'''5.1\n3.5'''\n", len("2.5# as tuned'''5.1\n3.5'''")),
        (b"not Python: 5.1 \xff", 17),
        (b"ROWS = (5.1,", 12),
        (b"", 0),
    ],
    ids=["script", "text", "numbers", "truth-values", "docstring", "no-utf-8", "cut-off", "empty"],
)
def test_data_in_code_are_counted_where_they_stand_and_account_for_none_of_it(code: bytes, count: int) -> None:
    assert constants(code) == count


def test_only_code_has_constants_and_no_more_than_it_is_long() -> None:
    for kind, size in (("store", 1), ("code", 1001)):
        with pytest.raises(ValueError, match="part of code"):
            kept(kind, constants=size)


def chance(place: str, code: str = "data.erased.open.other-units", **parameters: str) -> Message:
    """An open place in which numbers may be a deleted record's in other units."""
    named = {"place": Message(f"data.erased.place.{place}", parameters), "why": Message(code, {"records": 1})}
    return Message("data.erased.open.place", named)


def with_chance(open_place: Message, *places: Kept, nearest: Compared | None, **changes: Any) -> Finding:
    """What is concluded of one open place beyond the store, in the document as it is read again."""
    seen = data_erased.Observed(
        deleted=3, by_identifier_only=0, found=0, request_ids=(), not_searched=(), open_in_store=(), recognised_in_store=True,
        searched=(data_erased.Searched(place=Message("data.erased.place.state"), records_searched=None, found=0,
                                       how=Message("data.erased.how.bytes")),),
        open_elsewhere=(open_place,), open_to=(data_erased.Concerned(request_ids=("R-1",)),), kept=places,
    )  # fmt: skip
    seen = data_erased.Observed.model_validate_json(seen.model_dump_json())
    rooms = () if nearest is None else (room(nearest, **changes),)
    exact = Finding(Status.PASS, observed=Exact(batches=rooms)) if rooms else Finding(Status.SKIPPED)
    return data_erased.judge(declared(), seen, {"release.exact": exact})


FILE = Difference(name="saved file", kind="saved file", largest=None, bytes=1000)
MODEL = Kept(kind="model file", place=Message("data.erased.place.model", {"path": "model.ubj"}), bytes=1000, unexplained=0)


@pytest.mark.parametrize("place", ["saved", "state"])
def test_numbers_that_a_clean_room_saves_as_well_are_no_deleted_record_s(place: str) -> None:
    finding = with_chance(chance(place), nearest=apart())
    assert (finding.status, derived(finding).open_places, derived(finding).open_to) == (Status.PASS, 0, None)


def test_a_model_file_that_is_what_the_rerun_and_a_clean_room_save_holds_no_deleted_record() -> None:
    assert with_chance(chance("model", path="model.ubj"), MODEL, nearest=apart()).status is Status.PASS


@pytest.mark.attempt("records in other units")
@pytest.mark.parametrize(
    ("open_place", "nearest", "changes"),
    [
        (chance("saved"), None, {}),
        (chance("saved"), apart(FILE), {}),
        (chance("saved"), apart(), {"compared": ("parameters", "predictions")}),
        (chance("saved"), apart(), {"batch": 1}),
        (chance("saved"), apart(FILE), {"other_records": apart(), "other_runs": 8}),
        (chance("saved"), Compared(differing=120), {}),
        (chance("state"), apart(Difference(name="state()", kind="state", largest=None, bytes=9)), {}),
        (chance("saved", "data.erased.open.shut"), apart(), {}),
        (chance("saved", "data.erased.open.other-order"), apart(), {}),
        (chance("code", path="a.py"), apart(), {}),
        (chance("store", path="store.npz"), apart(), {}),
        (chance("model", path="model.npz"), apart(), {}),
        (chance("model", path="other.ubj"), apart(), {}),
        (chance("model", path="model.ubj"), apart(FILE), {}),
    ],
    ids=["not entered", "another file", "no file", "an earlier batch", "other records only", "much else", "another state",
         "shut", "another order", "code", "store", "parameters", "not the saved one", "model of another file"],
)  # fmt: skip
def test_numbers_that_no_clean_room_saved_stay_open(
    open_place: Message, nearest: Compared | None, changes: dict[str, Any]
) -> None:
    finding = with_chance(open_place, MODEL, nearest=nearest, **changes)
    assert (finding.status, derived(finding).open_places) == (Status.INCONCLUSIVE, 1)
    open_to = derived(finding).open_to
    assert open_to is not None
    assert open_to.request_ids == ("R-1",)
