"""The report of a result as one HTML file, its charts, and the history of means."""
