"""What a run observes of the model about to be released: plans runs, reads answers, measures, and decides nothing."""
