"""What a deletion reveals: deletion inference and reconstruction.

How a game goes through it:

1. `verdict.checks.deleting` says whether anybody asks. `observing.deleting.shadows` trains models whose training records the
   adversary knows; they say which records are hardest, and so would be chosen.
2. `drawing` draws every game from the auditor's seed: a fresh part of the training data, who is deleted, who stays, who was never
   there, batches, seeds.
3. One of the engines answers: linear models of ours many at a time, estimators refitted by a short cut, or the sandbox. All give
   the same answers, ties included.
4. `inference` lets every adversary of `attacks.deletion` at the same answers, through every view, and keeps counts: no score of
   any record leaves it.
5. `judging` decides: exact intervals, Bonferroni over attacks, remedies, what it refutes.
"""
