"""What a run observes of what is kept: plans runs, reads answers, measures, and decides nothing."""
