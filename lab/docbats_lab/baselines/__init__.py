"""The methods that BATS is compared with, one per file."""
