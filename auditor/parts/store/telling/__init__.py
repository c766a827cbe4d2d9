"""What pages say and draw of what is kept."""
