"""Neural networks: training in stacks, ways of unlearning, differentially private training."""
