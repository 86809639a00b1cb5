"""Changed files by the hundred thousand against the readers: a film or one of our errors must come out. Not part of the tests."""
