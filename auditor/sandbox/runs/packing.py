"""Answers as one sealed file: a line with the seal, then an npz of arrays and one JSON document. Never pickled.

The seal is HMAC-SHA-256 (RFC 2104) over address and content with a secret of this folder and this user. A file that was cut
short, damaged, moved to another address or written by somebody else does not bear it.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import math
import struct
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np

from auditor.base import npy
from auditor.sandbox import Answer, Step, Together

START = b"auditor.run/1 "
"""How every sealed file begins."""
_BROKEN = (
    *(ArithmeticError, AttributeError, EOFError, LookupError, MemoryError, OSError, RuntimeError, TypeError),
    *(struct.error, zipfile.BadZipFile),
)
"""What the readers of the file raise, in addition to a `ValueError`, where it cannot be read."""
_CHUNK = 1024 * 1024
_SEAL = 2 * hashlib.sha256().digest_size


def sealed(content: bytes, *, address: str, secret: bytes) -> bytes:
    """The content behind a line that bears its seal."""
    return START + _seal(content, address, secret) + b"\n" + content


def unsealed(file: bytes, *, address: str, secret: bytes) -> bytes | None:
    """The content of a sealed file; None where the seal is missing or does not fit."""
    head, newline, content = file.partition(b"\n")
    whole = newline == b"\n" and head.startswith(START) and len(head) == len(START) + _SEAL
    if not whole or not hmac.compare_digest(head[len(START) :], _seal(content, address, secret)):
        return None
    return content


def bears_seal(file: BinaryIO, *, address: str, secret: bytes) -> bool:
    """Whether a file of any size bears its seal; it is read to its end."""
    head = file.readline(len(START) + _SEAL + 1)
    code = hmac.new(secret, _sealed_for(address), hashlib.sha256)
    while chunk := file.read(_CHUNK):
        code.update(chunk)
    return hmac.compare_digest(head, START + code.hexdigest().encode() + b"\n")


def packed(answers: Sequence[Answer]) -> bytes:
    """Everything that answers hold but their steps, which the job knows."""
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    listed = _listed(answers, "", arrays)
    arrays["answers"] = _as_array(json.dumps(listed, allow_nan=False).encode())
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def unpacked(content: bytes, steps: Sequence[Step]) -> tuple[Answer, ...]:
    """The answers to `steps`, as they were packed.

    Reads no more than the content holds: what `packed` wrote is not compressed, and each array is as long as its member.

    Raises:
        ValueError: If the content is no such file, or answers other steps.
    """
    try:
        arrays = _arrays(content)
        return _answers(json.loads(arrays["answers"].tobytes(), parse_constant=_refuse), "", arrays, steps)
    except _BROKEN as error:
        raise ValueError(f"expected packed answers, found what cannot be read ({type(error).__name__})") from error


def _arrays(content: bytes) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays of an npz file as NumPy writes it: members that are not compressed, and together no longer than the file."""
    arrays = {}
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        members = file.infolist()
        compressed = any(member.compress_type != zipfile.ZIP_STORED for member in members)
        if compressed or sum(member.file_size for member in members) > len(content):
            raise ValueError("expected packed answers, found members that are compressed or overlap")
        for member in members:
            # A copy, as NumPy's own reader makes one: aligned, and open to be written.
            arrays[member.filename.removesuffix(".npy")] = np.array(npy.read_array(file.read(member)), order="K")
    for name, array in arrays.items():
        if array.dtype != (np.float64 if name.startswith("array-") else np.uint8) or not np.isfinite(array).all():
            raise ValueError("expected packed answers, found an array of another type, or numbers that are not finite")
    return arrays


def _refuse(constant: str) -> None:
    raise ValueError(f"expected a number, found {constant}")


def _listed(answers: Sequence[Answer], prefix: str, arrays: dict[str, np.ndarray[Any, Any]]) -> list[dict[str, Any]]:
    """What JSON can hold of answers and of their parts; the rest goes into `arrays`, under names that begin with `prefix`."""
    listed = []
    for number, answer in enumerate(answers):
        told = {"seconds": answer.seconds, "facts": dict(answer.facts), "supported": answer.supported}
        listed.append(told | {"parts": _listed(answer.parts, f"{prefix}{number}-", arrays)})
        if answer.array is not None:
            arrays[f"array-{prefix}{number}"] = answer.array
        if answer.content is not None:
            arrays[f"content-{prefix}{number}"] = _as_array(answer.content)
    return listed


def _answers(
    listed: list[dict[str, Any]], prefix: str, arrays: dict[str, np.ndarray[Any, Any]], steps: Sequence[Step]
) -> tuple[Answer, ...]:
    if len(listed) != len(steps):
        raise ValueError(f"expected {len(steps)} answers, found {len(listed)}")
    for item in listed:
        _require_plain(item)
    return tuple(
        Answer(
            step,
            item["seconds"],
            arrays.get(f"array-{prefix}{number}"),
            arrays[f"content-{prefix}{number}"].tobytes() if f"content-{prefix}{number}" in arrays else None,
            item["facts"],
            supported=item["supported"],
            parts=_answers(item["parts"], f"{prefix}{number}-", arrays, step.steps if isinstance(step, Together) else ()),
        )
        for number, (step, item) in enumerate(zip(steps, listed, strict=True))
    )


def _require_plain(item: Mapping[str, Any]) -> None:
    """Refuse what the sandbox hands out in no answer.

    Raises:
        ValueError: If there is any.
    """
    seconds, facts = item["seconds"], item["facts"]
    plain = (
        isinstance(seconds, int | float)
        and 0 <= seconds < math.inf
        and isinstance(item["supported"], bool)
        and isinstance(item["parts"], list)
        and isinstance(facts, dict)
        and all(isinstance(each, str | int | float) for each in facts.values())
    )
    if not plain:
        raise ValueError("expected an answer with its seconds and facts, found something else")


def _as_array(content: bytes) -> np.ndarray[Any, Any]:
    return np.frombuffer(bytearray(content), dtype=np.uint8)


def _seal(content: bytes, address: str, secret: bytes) -> bytes:
    code = hmac.new(secret, _sealed_for(address), hashlib.sha256)
    code.update(content)
    return code.hexdigest().encode()


def _sealed_for(address: str) -> bytes:
    return b"entry\0" + address.encode() + b"\0"
