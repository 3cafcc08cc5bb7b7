"""From files to text."""
