"""The checks of deletion reconstruction: what of a deleted record can be rebuilt by somebody who sees the model before and after.

Gao, Garg, Mahmoody and Vasudevan 2022, Definition 4.1: label, instance, sentence.
"""
