"""How fast docbats is, next to its peers and in the same run."""
