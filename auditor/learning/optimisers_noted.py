"""Has an optimiser of PyTorch's give and take its state once: what these note for good is then there before code of a case.

PyTorch keeps its compiler out of them by a wrapper that it makes, and notes, at the first call. A training that goes on from a
checkpoint calls what one from the beginning does not, and would leave more behind.
"""

import torch

_optimiser = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.0)
_optimiser.load_state_dict(_optimiser.state_dict())
del _optimiser
