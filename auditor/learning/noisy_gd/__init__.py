"""Noisy gradient descent that unlearns by going on without the deleted records (Chourasia and Shah 2023, Definition 5.1).

`descent` is their Algorithm 2, `fields` what the steps follow, `procedure` the two as a procedure of the contract; `chains` runs
many of them at once, for simulations.
"""
