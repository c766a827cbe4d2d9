"""Adversaries who rebuild a deleted record from a model before and after its deletion (Gao, Garg, Mahmoody and Vasudevan 2022).

labels       Algorithms C.1 and C.3
instances    Algorithm 4.3, and the difference of two linear models
sentences    Appendix D
nearness     whether a guess is nearer to the deleted record than to every decoy

Each is a function of what the models answer; nothing here trains a model or reads a case.
"""
