"""The SWAP test: how well can attacks tell what was forgotten from what was never seen (Tu, Hu and Ma)?

game      how large a game is, and why none may be played;  scores: what attacks found, pair by pair
quality   swap.quality;  one_run: the same of a single run
strong    swap.strong;  controls: swap.controls
"""
