"""What pages say and draw of the model about to be released."""
