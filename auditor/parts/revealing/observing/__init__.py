"""What a run observes of what a deletion reveals: plans runs, reads answers, measures, and decides nothing."""
