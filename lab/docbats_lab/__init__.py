"""The laboratory: datasets, metrics and experiments of the paper's section 4."""
