"""Rechecking an audit's results: everything that follows from something else in them is derived again and compared.

form          canonical bytes, every check once;  arithmetic: certificates by their rules
statuses      from value, interval and threshold to status, check by check: logs, reruns, removal, swap, epsilons
theorems      guarantees from their premises, premises from the checks;  verdicts: verdict, exit code, digests
printed       what a PDF carries and names;  letters: what a letter says;  signatures: what a key stands for

Nothing here runs a model or needs torch, scikit-learn, pandas, Jinja or WeasyPrint. What was measured cannot be derived again: a
document that was changed throughout, consistently, agrees with itself. Against that only a signature helps, and the outcome says
which protection was found.
"""

from __future__ import annotations

from auditor.verify.outcome import Finding, Kind, Outcome, Part, Rechecked
from auditor.verify.rechecking import recheck

__all__ = ["Finding", "Kind", "Outcome", "Part", "Rechecked", "recheck"]
