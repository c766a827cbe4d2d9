"""What unlearning costs in accuracy and time, and audits of answers alone."""
