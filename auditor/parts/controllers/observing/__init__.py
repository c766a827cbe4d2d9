"""What a run observes of whole programs: plans runs, reads answers, measures, and decides nothing."""
