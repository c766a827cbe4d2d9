"""Deletion games: what somebody learns who sees a model before and after a deletion (Gao, Garg, Mahmoody and Vasudevan 2022).

drawing    the records and seeds of every game, before any model is trained
questions  what models are asked, and what they answer;  asking: by the engine that is fastest and gives what the procedure gives
sandboxed  any procedure in the sandbox;  batched: linear models of ours, many at a time;  refitted: estimators with a short cut
shadows    models whose training records the adversary knows;  views: what is seen of an answer
inference  deletion inference: every adversary at every game, counted
"""
