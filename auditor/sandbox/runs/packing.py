"""Answers as one sealed file: a line with the seal, then an npz of arrays and one JSON document. Never pickled.

The seal is HMAC-SHA-256 (RFC 2104) over address and content with a secret of this folder and this user. A file that was cut
short, damaged, moved to another address or written by somebody else does not bear it.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from auditor.sandbox import Answer, Step, Together

_START = b"auditor.run/1 "
_SEAL = 2 * hashlib.sha256().digest_size


def sealed(content: bytes, *, address: str, secret: bytes) -> bytes:
    """The content behind a line that bears its seal."""
    return _START + _seal(content, address, secret) + b"\n" + content


def unsealed(file: bytes, *, address: str, secret: bytes) -> bytes | None:
    """The content of a sealed file; None where the seal is missing or does not fit."""
    head, newline, content = file.partition(b"\n")
    whole = newline == b"\n" and head.startswith(_START) and len(head) == len(_START) + _SEAL
    if not whole or not hmac.compare_digest(head[len(_START) :], _seal(content, address, secret)):
        return None
    return content


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

    Raises:
        ValueError: If the content answers another number of steps.
    """
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    return _answers(json.loads(arrays["answers"].tobytes()), "", arrays, steps)


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


def _as_array(content: bytes) -> np.ndarray[Any, Any]:
    return np.frombuffer(bytearray(content), dtype=np.uint8)


def _seal(content: bytes, address: str, secret: bytes) -> bytes:
    code = hmac.new(secret, b"entry\0" + address.encode() + b"\0", hashlib.sha256)
    code.update(content)
    return code.hexdigest().encode()
