"""The benchmark of the package; README.md says what it measures and how to run it."""
