"""This project next to its peers, on the same work in one run: `make peers` measures it all and writes docs/peers.md.

environments  each peer in an environment of its own, from its package;  scripts/: what runs there, and imports the peer
membership    attacks on the same models, and the verdicts on models that never saw a record;  bounds: lower ones on ε
accounting    upper bounds on ε of private training;  removal: next to what Guo et al. print;  stores: copies left in files
page          docs/peers.md from results.json alone
"""
