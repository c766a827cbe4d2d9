"""The real and the ideal executions of deletion-as-control and deletion-as-confidentiality, played against a controller."""
