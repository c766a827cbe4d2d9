"""What a run observes of accuracy and time, and of tables of answers: measures, and decides nothing."""
