"""What settings cost before training: certified removal."""
