"""Numbers alone: closed forms, intervals and tests."""
