"""The benchmark of the package. README.md explains what it measures and how to run it."""
