"""How much of what answers a question is found: chunks of docbats and of other splitters."""
