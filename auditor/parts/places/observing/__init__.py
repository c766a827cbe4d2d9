"""What a run sees of places: ids, names, values and bytes, file by file, in a limited process."""
