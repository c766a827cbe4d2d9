"""`state.history_independent` of a controller: two histories that mean the same must leave the same state (Definition 3.4)."""
