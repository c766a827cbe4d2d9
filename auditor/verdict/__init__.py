"""What follows from observations: every check judged, facts to guarantees, and the verdict; pure."""
