"""Where libraries note in an object at which address another one lies: such a number is no part of what was learned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NOTED_ADDRESSES: Final[Mapping[str, Mapping[str, str]]] = {"sklearn.feature_extraction.text": {"_stop_words_id": "stop_words"}}
"""By module, attributes in which objects of its classes note where another of their attributes lies in memory."""
