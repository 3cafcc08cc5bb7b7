"""What docbats costs and is worth, measured; README.md lists the commands."""
