"""The bytes of a state: JSON that depends on the contents alone."""

from __future__ import annotations

import json
from typing import Any


def form(contents: Any) -> bytes:
    """Write contents down: no space, keys in order, every character as ASCII."""
    return json.dumps(contents, sort_keys=True, separators=(",", ":")).encode("ascii")
