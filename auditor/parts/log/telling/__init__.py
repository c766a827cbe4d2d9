"""What pages say and draw of the deletion log."""
