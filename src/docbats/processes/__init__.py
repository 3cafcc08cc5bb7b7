"""Worker processes, which the corpus, the service and the laboratory share."""
