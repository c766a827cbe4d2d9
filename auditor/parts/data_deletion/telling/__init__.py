"""What pages say and draw of data deletion."""
