"""Neural networks as learning procedures, many models at a time.

Everything here works on *stacks*: the parameters of k models are one tensor for each name, with a leading axis of length k, and
one model is a stack of one. So every algorithm is written once, and "many at once equals one by one" is a law, not a second
program.
"""
