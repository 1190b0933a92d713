"""What builds and checks a release. It runs on Python alone."""
