"""The SWAP test, and attacks that refute a claimed ε.

How a pair goes through it:

1. `observing` draws the game from the training data: halves, pairs of forget set and test set, decoys, batches, seeds.
2. It writes the steps of each side of the pair; `sandbox.jobs` hands them to sandboxed processes. The two sides never share one.
3. The answers, probabilities alone, go to the attacks, which were fitted on shadow records. What comes back, one signed advantage
   for each attack, is `pair_advantages` in the Observed of `swap.quality`.
4. `judging` decides: interval over pairs, Bonferroni over attacks, quality Q, the no-unlearning baseline, status, reasons.
5. The evidence holds the observed advantages and what was derived from them; `verify` does step 4 again.
6. `telling` makes the sentences and draws the figure.
"""
