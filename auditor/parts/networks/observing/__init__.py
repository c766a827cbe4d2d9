"""What a run observes of neural networks: plans runs, reads answers, measures, and decides nothing."""
