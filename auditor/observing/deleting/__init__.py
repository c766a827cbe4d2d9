"""Deletion games: what somebody learns who sees a model before and after a deletion (Gao, Garg, Mahmoody and Vasudevan 2022).

drawing    the records and seeds of every game, before any model is trained
asking     models before and after, and what they answer: one question, several engines
sandboxed  any procedure in the sandbox;  batched: linear models of ours, many at a time;  refitted: estimators with a short cut
shadows    models whose training records the adversary knows;  views: what is seen of an answer
inference  deletion inference: every adversary at every game, counted
"""
