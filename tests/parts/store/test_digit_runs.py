"""Runs of digits that are decoded together say what each says by itself."""

import base64

import numpy as np
import pytest

from auditor.parts.store.observing import digit_runs
from auditor.parts.store.observing.digit_runs import of_base64, of_hexadecimal

LINES = (b"\n", b"\r\n")


def encoded(drawn: np.random.Generator, code: str, size: int) -> bytes:
    """Random bytes in digits, some of them broken into lines or pairs, or not whole."""
    said = drawn.integers(0, 256, size, dtype=np.uint8).tobytes()
    match code:
        case "base64":
            digits = [base64.b64encode, base64.urlsafe_b64encode][int(drawn.integers(2))](said).rstrip(b"=")
            cut = int(drawn.integers(1, len(digits)))
            digits = digits[:cut] + LINES[int(drawn.integers(2))] + digits[cut:] if drawn.random() < 0.2 else digits
        case _:
            digits = said.hex(":", 1).encode() if drawn.random() < 0.2 else said.hex().encode()
    return digits[: len(digits) - int(drawn.integers(3))]


@pytest.mark.parametrize(("code", "decode"), [("base64", of_base64), ("hexadecimal", of_hexadecimal)])
@pytest.mark.parametrize("seed", range(5))
def test_runs_that_are_decoded_together_say_what_each_says(monkeypatch, code, decode, seed):
    drawn = np.random.default_rng(seed)
    runs = [encoded(drawn, code, int(drawn.integers(9, 60))) for _ in range(400)] + [encoded(drawn, code, 900)]
    drawn.shuffle(runs)
    text = b"|".join(runs)
    together = list(decode(text))
    monkeypatch.setattr(digit_runs, "_FEW", len(text))
    apart = [each for each in decode(text) if len(each) >= 4]
    whole = b"\n".join(together)
    assert all(each in whole for each in apart)
    # Nothing comes out besides but ends of lines.
    assert len(whole.replace(b"\n", b"")) == sum(len(each.replace(b"\n", b"")) for each in apart)
    assert len(together) < len(apart) / 20


@pytest.mark.parametrize("count", [1, 40])
def test_an_id_in_any_alignment_is_there(count):
    ids = [b"patient-%04d" % each for each in range(count)]
    lines = [b"%s,0.1234567890123456" % base64.b64encode(b"x" * (at % 3) + each) for at, each in enumerate(ids)]
    assert all(any(each in piece for piece in of_base64(b"\n".join(lines))) for each in ids)
    lines = [b"%s,0.1234567890123456" % (b"0" * (at % 2) + each.hex().encode()) for at, each in enumerate(ids)]
    assert all(any(each in piece for piece in of_hexadecimal(b"\n".join(lines))) for each in ids)


@pytest.mark.parametrize("count", [1, 40])
def test_numbers_with_a_point_say_no_text_in_base64(count):
    drawn = np.random.default_rng(7)
    text = b",".join(b"%.17f" % each for each in drawn.random(count))
    assert list(of_base64(text)) == []
    assert list(of_hexadecimal(text)) != []
    every = np.array([base64.b64decode(bytes(each)) for each in drawn.choice(list(b"0123456789"), size=(2000, 4))])
    assert min(each[0] for each in every.tolist()) >= 0xD3


def test_a_run_goes_on_from_one_block_to_the_next(monkeypatch):
    monkeypatch.setattr(digit_runs, "_BLOCK", 7)
    assert list(digit_runs.runs(b"ab 0123456789ab.01-" * 3, digit_runs.allow(b"0123456789ab"), 3)) == [
        (3, 15),
        (22, 34),
        (41, 53),
    ]
