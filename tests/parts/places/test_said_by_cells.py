"""An amount and a day of a text are what the same are as numbers of a column."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from auditor.parts.places.observing import said_by_cells


@pytest.mark.parametrize(("text", "number"), [("paid 753.40", 753.4), ("-753,40 euros", -753.4), ("1.234,50", 1234.5)])
def test_an_amount_is_a_number_without_its_sign(text: str, number: float) -> None:
    assert int(said_by_cells._of_numbers(np.array([number]))[0]) in set(said_by_cells._of_text(text, {}))


def test_a_day_is_a_day_of_a_column() -> None:
    days = (date(1990, 5, 12) - date(1970, 1, 1)).days
    assert int(said_by_cells._of_days(np.array([days]))[0]) in set(said_by_cells._of_text("born 1990-05-12", {}))
