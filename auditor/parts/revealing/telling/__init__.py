"""What pages say and draw of what a deletion reveals."""
