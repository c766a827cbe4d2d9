"""Clean rooms: training where the deleted records never were, held against the replay, for `release.exact`.

looks       one model from every side, and two such looks item by item
experiment  what is trained, in which order, and what the answers mean
"""
