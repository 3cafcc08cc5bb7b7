"""From files to text, and from text back to the file."""
