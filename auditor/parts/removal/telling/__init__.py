"""What pages say and draw of certified removal."""
