"""From sentence vectors to contiguous segments."""
