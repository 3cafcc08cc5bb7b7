"""How fast docbats is, beside its peers and in the same run."""
