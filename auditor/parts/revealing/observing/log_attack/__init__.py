"""Attack the releases of the log itself: who has the model before and after a batch is to pick out the records that went."""

from auditor.parts.revealing.observing.log_attack.picking import observe
from auditor.parts.revealing.observing.log_attack.questions import Answered, Questions, draw, seen_by_somebody

__all__ = ["Answered", "Questions", "draw", "observe", "seen_by_somebody"]
