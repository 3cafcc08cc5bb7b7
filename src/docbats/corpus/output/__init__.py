"""What a run writes: parts in several formats, and a report."""
