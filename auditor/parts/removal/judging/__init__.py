"""Certified removal: `removal.residual`, `removal.budget` and `removal.output-noise`.

The residual of every removal is measured (`measurements`) and bounded along the log (`chain`). Two criteria, `budget` and
`output_noise`, hold it against the strictest (ε, δ) on record (`target`).
"""
