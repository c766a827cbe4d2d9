"""What no run can observe otherwise: counts and norms below 0, shares above 1."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Field

Count: TypeAlias = Annotated[int, Field(ge=0)]
Positive: TypeAlias = Annotated[int, Field(ge=1)]
Amount: TypeAlias = Annotated[float, Field(ge=0)]
"""Seconds, a norm, a distance or a deviation."""
Share: TypeAlias = Annotated[float, Field(ge=0, le=1)]
