"""The tables and figures of the paper's section 4."""
