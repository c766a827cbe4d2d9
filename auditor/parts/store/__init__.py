"""What is kept: deleted records and copies of them, and every byte explained."""
