"""What a deletion log means: batches, problems, deadlines, outcomes."""
