"""What pages say and draw of the SWAP test, and attacks that refute a claimed ε."""
