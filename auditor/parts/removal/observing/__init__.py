"""What a run observes of certified removal: plans runs, reads answers, measures, and decides nothing."""
