"""Deletion games: what somebody learns who sees a model before and after a deletion (Gao, Garg, Mahmoody and Vasudevan 2022).

drawing    the records and seeds of every game, before any model is trained
asking     models before and after, and what they answer: one question, several engines
sandboxed  any procedure in the sandbox
"""
