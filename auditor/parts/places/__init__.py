"""Places that a controller keeps data in, searched for deleted people without a model."""
