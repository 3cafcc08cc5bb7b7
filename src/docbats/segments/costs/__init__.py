"""What a segment costs: the terms of the sum that a cut makes least."""
