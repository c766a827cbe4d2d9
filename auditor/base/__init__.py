"""What everything else is made of: nouns, errors, files written whole."""
