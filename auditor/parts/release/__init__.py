"""The model about to be released: reproduced, compared with a clean room, attacked."""
