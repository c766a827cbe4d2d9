"""Deletion inference: can anyone who sees the model before and after a deletion tell a deleted record from another?

observed           what a run counts: games, wins and ties, attack by attack
judging            what the counts come to, and the status; pure
example, instance  the two checks: with labels known, and without
"""
