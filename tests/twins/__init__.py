"""Foreign controllers for tests of the games: handed in as code, and broken each in its own way."""
