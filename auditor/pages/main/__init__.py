"""Say what the eight pages of the main report say: what was decided, found and left open, for someone who knows no formula."""
