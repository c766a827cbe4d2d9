"""The lines between auditor and child: what is written, and that nothing strange that is read does harm."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.base.errors import ProcedureError
from auditor.sandbox import (
    Drop,
    Learn,
    Limits,
    Parameters,
    Predict,
    ProcedureSpec,
    Refit,
    Save,
    State,
    Together,
    Unlearn,
    wire,
)
from auditor.sandbox.files import Seeds

GOOD = {"number": 3, "step": "learn", "supported": True, "facts": {}}
GOOD_TOGETHER = GOOD | {"step": "together", "facts": [{"a": 1}, {}]}
ROWS = np.arange(4)
SEED = 2**80 + 7

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def parse(message, *, name="learn", parts=None):
    line = message if isinstance(message, bytes) else json.dumps(message).encode()
    return wire.parse_reply(line, number=3, name=name, parts=parts)


def harmless(line):
    """Parse, and accept a good reply or a ProcedureError, nothing else."""
    for name, parts in (("learn", None), ("together", 2)):
        try:
            reply = parse(line, name=name, parts=parts)
        except ProcedureError as error:
            assert len(str(error)) < 500  # noqa: PT017 - any other exception is the failure
            continue
        assert isinstance(reply.supported, bool)
        assert len(reply.parts) == (parts or 0)
        for facts in (reply.facts, *reply.parts):
            for key, value in facts.items():
                assert isinstance(key, str)
                assert isinstance(value, bool | str) or (isinstance(value, float) and np.isfinite(value))


def test_a_good_reply():
    reply = parse(GOOD | {"facts": {"a": 1, "b": 2.5, "c": True, "d": "x"}})
    assert reply == wire.Reply(True, {"a": 1.0, "b": 2.5, "c": True, "d": "x"})
    assert reply.facts["c"] is True


def test_a_good_reply_to_many():
    assert parse(GOOD_TOGETHER, name="together", parts=2) == wire.Reply(True, {}, ({"a": 1.0}, {}))


@given(st.binary(max_size=300))
def test_any_bytes(line):
    harmless(line)


@given(JSON)
def test_any_json(message):
    harmless(json.dumps(message).encode())


@given(st.dictionaries(st.sampled_from([*GOOD, "failed", "more"]), JSON), st.sets(st.sampled_from(list(GOOD))))
def test_a_good_reply_with_parts_replaced_or_removed(replaced, removed):
    for good in (GOOD, GOOD_TOGETHER):
        message = {key: value for key, value in (good | replaced).items() if key not in removed}
        harmless(json.dumps(message).encode())


@given(st.lists(JSON | st.dictionaries(st.text(), st.floats() | st.text() | st.booleans()), min_size=1, max_size=3))
def test_facts_of_many_with_anything_among_them(facts):
    harmless(json.dumps(GOOD_TOGETHER | {"facts": facts}).encode())


@given(st.integers(0, 200), st.binary(max_size=3))
def test_a_good_reply_with_bytes_changed(at, put):
    for good in (GOOD, GOOD_TOGETHER):
        line = json.dumps(good).encode()
        harmless(line[:at] + put + line[at + len(put) :])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", "expected an answer in JSON"),
        (b"\xff", "expected an answer in JSON"),
        (b"[" * 100_000, "expected an answer in JSON"),
        (b'{"a":' * 100_000, "expected an answer in JSON"),
        (b"1" * 10_000, "expected an answer in JSON"),
        (b"x" * (2**20 + 1), "at most 1048576 bytes"),
        (b"null", "found a NoneType"),
        (json.dumps(GOOD | {"facts": {"a": 0.25}}).replace("0.25", "NaN").encode(), "expected an answer in JSON"),
        (json.dumps(GOOD | {"facts": {"a": 0.25}}).replace("0.25", "1e999").encode(), "facts that are strings"),
        (json.dumps(GOOD).replace('"number": 3', '"number": 3, "number": 3').encode(), "expected an answer in JSON"),
        (GOOD | {"number": 4}, "an answer to another step"),
        (GOOD | {"number": True}, "an answer to another step"),
        (GOOD | {"number": 3.0}, "an answer to another step"),
        (GOOD | {"step": "unlearn"}, "an answer to another step"),
        (GOOD | {"more": 1}, "found other keys"),
        (GOOD | {"failed": "x"}, "found other keys"),
        (GOOD | {"seconds": 0.25}, "found other keys"),
        (GOOD | {"facts": {"a": 10**400}}, "facts that are strings"),
        (GOOD | {"supported": 1}, "supported as a boolean, found a int"),
        (GOOD | {"facts": []}, "facts as a flat object, found a list"),
        (GOOD | {"facts": {"a": None}}, "found a NoneType"),
        (GOOD | {"facts": {"a": [1]}}, "found a list"),
        ({"number": 3, "step": "learn", "failed": "it\nwas \x1b[31mred"}, "learn (step 3) failed: itwas [31mred"),
        ({"number": 3, "step": "learn", "failed": 1}, "found other keys"),
    ],
)
def test_replies_that_are_refused(line, words):
    with pytest.raises(ProcedureError) as caught:
        parse(line)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, "expected an array of 2 facts, found a dict"),
        ([{}], "expected an array of 2 facts, found 1"),
        ([{}] * 3, "expected an array of 2 facts, found 3"),
        ([{}, []], "facts as a flat object, found a list"),
        ([{"a": {}}, {}], "found a dict"),
    ],
)
def test_facts_of_many_that_are_refused(facts, words):
    with pytest.raises(ProcedureError) as caught:
        parse(GOOD_TOGETHER | {"facts": facts}, name="together", parts=2)
    assert words in str(caught.value)


def test_number_one_is_not_the_boolean():
    with pytest.raises(ProcedureError):
        wire.parse_reply(json.dumps(GOOD | {"number": True}).encode(), number=1, name="learn")


@pytest.mark.parametrize(
    ("step", "message", "arrays"),
    [
        (Learn("a", ROWS, SEED), {"step": "learn", "into": "a", "seed": str(SEED)}, {"rows"}),
        (
            Unlearn("a", "b", ROWS, ROWS[:1], SEED),
            {"step": "unlearn", "model": "a", "into": "b", "seed": str(SEED)},
            {"rows", "forget"},
        ),
        (Refit("a", "b", ROWS, SEED), {"step": "refit", "model": "a", "into": "b", "seed": str(SEED)}, {"rows"}),
        (Parameters("a"), {"step": "parameters", "model": "a"}, set()),
        (Predict("a", "train", 2), {"step": "predict", "model": "a", "table": "train", "every_row": True}, set()),
        (
            Predict("a", "holdout", 2, may_raise=True),
            {"step": "predict", "model": "a", "table": "table-1", "every_row": True, "may_raise": True},
            set(),
        ),
        (
            Predict("a", "train", 2, ROWS),
            {"step": "predict", "model": "a", "table": "train", "every_row": False},
            {"rows"},
        ),
        (State("a"), {"step": "state", "model": "a"}, set()),
        (Save("a"), {"step": "save", "model": "a"}, set()),
        (Drop("a"), {"step": "drop", "model": "a"}, set()),
        (
            Together((Unlearn("a", "b", ROWS, ROWS[:1], SEED), Unlearn("c", "d", ROWS, ROWS[:1], 1))),
            {
                "step": "together",
                "kind": "unlearn",
                "steps": [{"model": "a", "into": "b", "seed": str(SEED)}, {"model": "c", "into": "d", "seed": "1"}],
            },
            {"rows-0", "forget-0", "rows-1", "forget-1"},
        ),
        (
            Together((Predict("a", "train", 2), Predict("a", "train", 2, ROWS))),
            {
                "step": "together",
                "kind": "predict",
                "steps": [
                    {"model": "a", "table": "train", "every_row": True},
                    {"model": "a", "table": "train", "every_row": False},
                ],
            },
            {"rows-1"},
        ),
    ],
)
def test_requests(step, message, arrays):
    called = wire.Called(["train", "holdout"])
    for name in "abcd":
        message = json.loads(json.dumps(message).replace(f'"{name}"', f'"{called.model(name)}"'))
    line = wire.request(step, 9, called)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"number": 9} | message
    assert set(wire.positions(step)) == arrays
    assert str(SEED) not in repr(step)


def test_a_message_that_is_too_long_or_no_json():
    with pytest.raises(ValueError, match="1048576 are allowed"):
        wire.encode({"a": "x" * 2**20})
    with pytest.raises(ValueError, match="not JSON compliant"):
        wire.encode({"a": float("nan")})


@pytest.mark.parametrize("rows", [[0, 1], np.arange(3.0), np.arange(3, dtype=np.int32), np.zeros((2, 2), dtype=np.int64)])
def test_positions_are_arrays_of_int64(rows):
    with pytest.raises(ValueError, match="rows: expected a one-dimensional int64 array"):
        Learn("a", rows, 1)


@pytest.mark.parametrize("forget", [[4], [-1], [1, 1]])
def test_what_is_forgotten_lies_within_the_rows(forget):
    with pytest.raises(ValueError, match="forget: expected distinct positions within rows"):
        Unlearn("a", "b", ROWS, np.array(forget), 1)


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ((), "expected several Learn"),
        ((Learn("a", ROWS, 1), Predict("b", "train", 2)), "expected several Learn"),
        ((Drop("a"),), "expected several Learn"),
        ((Learn("a", ROWS, 1), Learn("a", ROWS, 2)), "models of different names"),
        ((Unlearn("a", "b", ROWS, ROWS[:1], 1), Unlearn("b", "c", ROWS, ROWS[:1], 1)), "models of different names"),
        ((Unlearn("a", "b", ROWS, ROWS[:1], 1), Unlearn("a", "c", ROWS, ROWS[:1], 1)), "models of different names"),
        ((Predict("a", "train", 2),) * 2001, "at most 2000 steps, found 2001"),
    ],
)
def test_steps_that_cannot_be_asked_together(steps, words):
    with pytest.raises(ValueError, match=words):
        Together(steps)


@pytest.mark.parametrize(
    ("use", "entry"), [(None, None), ("a", "b.py:C"), (None, "b.py:C"), (None, "/b.py"), (None, "/b.py:C-D"), (None, "/b.py:")]
)
def test_a_specification_names_one_procedure(use, entry):
    with pytest.raises(ValueError, match="entry"):
        ProcedureSpec(use, entry)


@pytest.mark.parametrize(
    "limit", [{"timeout_s": 0.0}, {"timeout_s": float("nan")}, {"memory_mb": -1}, {"output_mb": 0}, {"file_mb": 0}]
)
def test_limits_are_positive(limit):
    with pytest.raises(ValueError, match=f"{next(iter(limit))}: expected a positive number"):
        Limits(**limit)


@given(st.text())
def test_printable_text_has_no_control_characters(text):
    shown = wire.printable(text, 20)
    assert len(shown) <= 20
    assert shown == wire.printable(shown, 20)
    assert all(character == " " or character.isprintable() or character.isspace() for character in shown)
    assert not set(shown) & {"\n", "\r", "\x1b", "\u202e", "\u2028"}


@given(st.integers(-(2**200), 2**200), st.text(alphabet="ab 12-."), st.text(alphabet="ab 12-."))
def test_a_long_seed_leaves_no_trace(seed, before, after):
    seeds = Seeds()
    seeds.add(seed)
    digits = str(abs(seed))
    hidden = seeds.hide(f"{before}x{digits}x{after}")
    assert (digits in hidden) == (len(digits) < 6 or digits in before + after)
    assert digits not in repr(seeds) or len(digits) < 6


def test_a_seed_is_found_among_facts():
    seeds = Seeds()
    seeds.add(SEED)
    seeds.add(10**400)
    for facts in ({"a": float(SEED)}, {"a": -float(SEED)}, {"a": f"began at {SEED}."}, {str(SEED): 1.0}):
        assert seeds.told_by(facts)
    assert not seeds.told_by({"a": 1.0, "b": True, "c": "x", "d": f"9{SEED}"})
