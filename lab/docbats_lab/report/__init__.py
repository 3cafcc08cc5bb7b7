"""Pages with every table and figure, our results next to the paper's."""
