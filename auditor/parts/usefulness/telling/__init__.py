"""What pages say and draw of what unlearning costs in accuracy and time, and audits of answers alone."""
