"""What puts the sentence of a reason together where no single message can."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Sentence: TypeAlias = Callable[[Mapping[str, Any]], str]
"""A function of a reason's parameters, which joins messages of the catalogue."""
Sentences: TypeAlias = Mapping[str, Sentence]
"""By the codes of reasons."""
