"""What an entry of the catalogue of sentences is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Sentence: TypeAlias = str | Callable[[Mapping[str, Any]], str]
"""A format string, or a function of a reason's parameters where a sentence has parts that come and go."""
Sentences: TypeAlias = Mapping[str, Sentence]
"""Sentences by message id."""
