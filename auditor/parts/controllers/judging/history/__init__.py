"""`state.history_independent` of a whole controller: histories that mean the same leave the same state (Definition 3.4)."""
