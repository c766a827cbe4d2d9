"""What pages say and draw of whole programs."""
