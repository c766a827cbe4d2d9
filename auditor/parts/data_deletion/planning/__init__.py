"""What settings cost before training: data deletion."""
