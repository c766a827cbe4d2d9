"""Promises in one currency: trade-off functions between a world with a person's records and one without, rounded outward.

- `auditor.base.promises`: what may be promised, each kind by its mechanism's parameters; `promises` makes them, rounded outward.
- `combining`: the promise for k records of one person, for several releases, and of several routes.
- `reading`: everything that is read off a promise, whatever its kind; what follows is what it reads with.
- `closed_forms`: Gaussian, (ε, δ), pure ε, Laplace.
- `divergences`: Rényi and zero-concentrated.
- `loss_distribution`: Poisson-subsampled Gaussian and compositions of different kinds, by dp_accounting.
"""
