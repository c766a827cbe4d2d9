"""What settings cost before training: learning from a stream."""
