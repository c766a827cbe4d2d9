"""Where a PyTorch script trains its network: read as a syntax tree, never run, and carried over statement by statement.

The script's own statements, from the reading of the table to the end of the training, become the training of a `TrainingLoop`, in
their order, with the table handed over in place of the one that they read. So splits, seeds, schedules, augmentation and early
stopping stay what they are. Predictions need the way from a row to the network by itself: it is followed back from the tensors
that the training takes, and has to treat each row on its own. What is left out is listed with its line and the reason; where that
would change what is learned, or cannot be told, nothing is written.
"""

from auditor.case.scaffold.torch_scripts.reader import SEEDED, Script, read, trains

__all__ = ["SEEDED", "Script", "read", "trains"]
