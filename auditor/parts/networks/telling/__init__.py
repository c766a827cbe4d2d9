"""What pages say and draw of neural networks."""
