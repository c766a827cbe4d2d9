"""How long the auditor keeps what an audit needed: records, kept runs and letters hold people who asked to be erased."""

from __future__ import annotations

from datetime import date, datetime


def kept_until(declared: date | None, finished_at: datetime) -> date:
    """Give the last day on which the records and runs of a case are kept.

    Args:
        declared: `[case] keep_until`; None where it is left out.
        finished_at: When the audit ended. Without a declared day they are kept until the same day of the next year.
    """
    if declared is not None:
        return declared
    finished = finished_at.date()
    try:
        return finished.replace(year=finished.year + 1)
    except ValueError:  # 29 February: the last day of that month, for a day later would be more than a year
        return finished.replace(year=finished.year + 1, day=28)
