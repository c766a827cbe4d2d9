"""Data deletion derived again: numbers from settings and log, premises from what was measured, and the guarantee's facts.

descent        what a table declares, and what the theorems make of it;  beside: what an ε says in other words
premises       whether each holds, from what stands beside it;  independence: where no theorem speaks
renyi          deletion.renyi;  adaptive, seen: deletion.adaptive;  facts: what all of it leaves of the guarantee
"""
